//! tmp
use ground_truth::graders::*;
use ground_truth::oracle::RunFiles;
use ground_truth::questions::*;
#[test]
fn corpus() {
    for profile in ["paper", "realistic"] {
        let mut paths: Vec<_> = std::fs::read_dir(format!("/tmp/corpus-now/sessions/{profile}"))
            .unwrap()
            .flatten()
            .map(|e| e.path())
            .filter(|p| p.extension() == Some("jsonl".as_ref()))
            .collect();
        paths.sort();
        let start = std::time::Instant::now();
        let mut all = Vec::new();
        let mut out = std::collections::BTreeMap::<String, Vec<String>>::new();
        for path in &paths {
            let run = RunFiles::of_session(path).unwrap();
            for name in PACK_NAMES {
                let set = questions(&run, &Pack::named(name).unwrap(), 1);
                all.extend(set.questions);
                for l in set.left_out {
                    out.entry(l.question_type).or_default().push(l.why);
                }
            }
        }
        println!(
            "== {profile} {} runs, {} questions, {:?}",
            paths.len(),
            all.len(),
            start.elapsed()
        );
        let start = std::time::Instant::now();
        for name in PACK_NAMES {
            let mut sums = [0.0; 2];
            let mut n = 0;
            for kind in Pack::named(name).unwrap().types {
                let id = format!("{name}/{}", kind.name);
                let b: Vec<_> = RuleSet::ALL.iter().map(|r| best_constant(&all, *r, &id)).collect();
                let Some(p) = &b[0] else {
                    println!("{id}: none");
                    continue;
                };
                let s = b[1].as_ref().unwrap();
                n += s.questions;
                sums[0] += p.mean * s.questions as f64;
                sums[1] += s.mean * s.questions as f64;
                let short = |a: &Answer| format!("{a:?}").chars().take(110).collect::<String>();
                println!(
                    "{id} n={} paper {:.3} strict {:.3} tried {} {}   out: {:?}",
                    s.questions,
                    p.mean,
                    s.mean,
                    s.tried,
                    short(&s.answer),
                    out.get(&kind.name)
                );
            }
            println!("{name}: paper {:.3} strict {:.3}", sums[0] / n as f64, sums[1] / n as f64);
        }
        println!("blind took {:?}", start.elapsed());
        for q in all
            .iter()
            .filter(|q| ["subagents", "not_stated", "was_read"].contains(&q.question_type.as_str()))
            .take(4)
        {
            println!("{}\n   {}", q.text, q.truth.answer());
        }
        for q in all.iter().filter(|q| {
            [
                "slowest_call",
                "after_last_edit",
                "top_command",
                "refused_call",
                "calls_before_turn",
                "since_last_user",
                "session_minutes",
                "n_turns",
                "top_tool",
            ]
            .contains(&q.question_type.as_str())
        }) {
            println!(
                "{}: {}",
                q.question_type,
                q.truth.answer().to_string().chars().take(90).collect::<String>()
            );
        }
        println!("json of all questions: {} bytes", serde_json::to_string(&all).unwrap().len());
    }
}
