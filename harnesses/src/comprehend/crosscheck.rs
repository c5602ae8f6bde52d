//! The truths of a generated session's questions, checked against what its generator knows.
//!
//! The oracle finds the truth by reading the transcript; the generator counted while it wrote. Where the
//! two disagree one of them is wrong, and no reader may be graded by either. Only generated sessions have
//! a second truth, and only the types of `monitoring/1` are about what the generator counts.

use std::collections::BTreeSet;

use anyhow::bail;
use corpus_gen::Truth as Known;
use ground_truth::questions::{Question, QuestionSet, QuestionType, Truth};

/// Checks all that can be checked of a run's questions.
///
/// # Errors
/// If a truth is not what the generator knows, naming the run, the question and both.
pub(super) fn check(run: &str, known: &Known, sets: &[QuestionSet]) -> anyhow::Result<u64> {
    let mut checked = 0;
    for set in sets.iter().filter(|set| set.pack.starts_with("monitoring/")) {
        for question in &set.questions {
            match compare(question, known) {
                Compared::Unknown => {}
                Compared::Equal => checked += 1,
                Compared::Differs(generated) => bail!(
                    "{run}, {}: the oracle's truth is {:?}, but the generator knows {generated}; one of \
                     them is wrong, so nothing was graded",
                    question.id,
                    question.truth
                ),
            }
        }
        for left in &set.left_out {
            if exists(left.question_type, known) {
                bail!(
                    "{run}, {}/{}: left out ({}), but the generator knows that there is a truth",
                    set.pack,
                    left.question_type,
                    left.why
                );
            }
        }
    }
    Ok(checked)
}

/// Whether the generator knows of something that the question type could be asked about.
fn exists(question_type: QuestionType, known: &Known) -> bool {
    match question_type {
        QuestionType::LatestAsk => known.latest_request.is_some(),
        QuestionType::TopTool => !known.main.per_tool.is_empty(),
        QuestionType::LastError => known.last_error.is_some(),
        // Of a run that a program started, nobody asked anything.
        QuestionType::NTurns => known.prompts > 0,
        QuestionType::Files | QuestionType::Dangling => true,
        _ => false,
    }
}

/// A truth compared with the generator's.
enum Compared {
    /// It knows nothing of the question.
    Unknown,
    /// They are equal.
    Equal,
    /// They differ; the generator's value.
    Differs(String),
}

fn compare(question: &Question, known: &Known) -> Compared {
    let set = |items: &[String]| items.iter().cloned().collect::<BTreeSet<String>>();
    let (agrees, generated) = match (question.question_type, &question.truth) {
        (QuestionType::NTurns, Truth::Integer { value, .. }) => {
            (*value == known.prompts, known.prompts.to_string())
        }
        (QuestionType::TopTool, Truth::Name { accepted, .. }) => {
            let top = top_tools(known);
            (set(accepted) == top, format!("{top:?}"))
        }
        (QuestionType::Files, Truth::Set { items, .. }) => {
            let files = &known.main.files_written;
            (set(items) == *files, format!("{files:?}"))
        }
        (QuestionType::Dangling, Truth::Set { items, .. }) => {
            let ids: BTreeSet<String> = known.dangling.iter().map(|it| it.id.clone()).collect();
            (set(items) == ids, format!("{ids:?}"))
        }
        (QuestionType::LatestAsk, Truth::Quotation { accepted, .. }) => {
            quoted(accepted, known.latest_request.as_deref())
        }
        (QuestionType::LastError, Truth::Quotation { accepted, .. }) => {
            quoted(accepted, known.last_error.as_deref())
        }
        _ => return Compared::Unknown,
    };
    if agrees { Compared::Equal } else { Compared::Differs(generated) }
}

fn quoted(accepted: &[String], known: Option<&str>) -> (bool, String) {
    let known = known.unwrap_or_default().trim();
    (accepted.iter().any(|text| text.trim() == known), format!("{known:?}"))
}

/// The tools that the main thread called most often, all that tie.
fn top_tools(known: &Known) -> BTreeSet<String> {
    let per_tool = &known.main.per_tool;
    let most = per_tool.values().max();
    per_tool.iter().filter(|(_, n)| Some(*n) == most).map(|(tool, _)| tool.clone()).collect()
}

#[cfg(test)]
mod tests {
    use corpus_gen::{Profile, Source};
    use ground_truth::oracle::RunFiles;
    use ground_truth::questions::{Pack, question_sets};

    use super::*;

    fn session() -> (Known, Vec<QuestionSet>) {
        let run = Source::Session { profile: Profile::Paper, seed: 203 }.generate();
        let pack = Pack::named("monitoring/1").expect("it exists");
        let truth = run.truth.clone();
        let mut files: Vec<_> =
            run.files.into_iter().filter(|(path, _)| !path.ends_with("truth.json")).collect();
        files.sort_by_key(|(path, _)| *path != run.transcript);
        (truth, question_sets(&RunFiles::from_bytes(files), &[pack], 1))
    }

    #[test]
    fn a_generated_session_agrees_and_each_wrong_truth_is_caught() {
        let (truth, sets) = session();
        let asked = sets[0].questions.len() as u64;
        assert_eq!(check("run", &truth, &sets).expect("they agree"), asked);
        let faults: [fn(&mut Known); 6] = [
            |known| known.prompts += 1,
            |known| known.latest_request = Some("something else".to_owned()),
            |known| known.last_error = Some("something else".to_owned()),
            |known| known.dangling.clear(),
            |known| known.main.per_tool.clear(),
            |known| {
                known.main.files_written.insert("no/such/file".to_owned());
            },
        ];
        let caught = faults.iter().filter(|fault| {
            let mut wrong = truth.clone();
            fault(&mut wrong);
            check("run", &wrong, &sets).is_err()
        });
        let already_empty = u64::from(truth.dangling.is_empty());
        assert_eq!(caught.count() as u64 + already_empty, 6);
    }
}
