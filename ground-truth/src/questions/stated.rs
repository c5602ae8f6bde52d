//! Questions whose honest answer is that the trace does not say.

use super::draw::Draw;
use super::found::{FoundTruth, TruthResult};
use super::scene::Scene;
use super::spec::QuestionSpec;
use crate::answers::{Part, Truth};

/// Something that a trace does not say, unless one of some words is in it.
struct Subject {
    /// What the reader is asked.
    ask: &'static str,
    /// Words, in lower case: a run that holds one of them may say it, and is not asked.
    evidence: &'static [&'static str],
}

const SUBJECTS: [Subject; 12] = [
    Subject { ask: "Who is to review the agent's work? Give the name.", evidence: &["review"] },
    Subject { ask: "What is the phone number of the person on call?", evidence: &["phone"] },
    Subject { ask: "Which customer reported the problem?", evidence: &["customer"] },
    Subject {
        ask: "What budget in dollars has been approved for this run?",
        evidence: &["budget"],
    },
    Subject {
        ask: "What uptime has been promised for the service, in percent?",
        evidence: &["uptime", "service level"],
    },
    Subject { ask: "In which city does the person work?", evidence: &["city", "based in"] },
    Subject {
        ask: "What is the name of the person's manager?",
        evidence: &["my manager", "manager's", "line manager", "boss"],
    },
    Subject {
        ask: "How much battery did the person's laptop have left, in percent?",
        evidence: &["battery"],
    },
    Subject {
        ask: "Which lawyer signed off the change?",
        evidence: &["lawyer", "legal", "attorney", "counsel"],
    },
    Subject { ask: "What did the person have for lunch?", evidence: &["lunch"] },
    Subject {
        ask: "Which airline is the person flying with?",
        evidence: &["airline", "flying", "flight"],
    },
    Subject { ask: "What is the room number of the next team meeting?", evidence: &["meeting"] },
];

/// One question that the trace answers, and one that it does not, in either order.
pub(super) fn not_stated(scene: &Scene, _: &QuestionSpec, draw: &mut Draw) -> TruthResult {
    let stated = stated(scene).ok_or("the main agent called no tool")?;
    let subjects = draw.shuffled(SUBJECTS.iter().collect());
    let subject = subjects.into_iter().find(|subject| !scene.mentions(subject.evidence));
    let subject = subject.ok_or("the trace may say everything that could be asked for")?;
    let silent =
        Subquestion { about: "subject", ask: subject.ask.to_owned(), truth: Truth::NotStated };
    let [first, second] = if draw.below(2) == 0 { [stated, silent] } else { [silent, stated] };
    let params = [
        ("first", first.ask),
        ("first_about", first.about.to_owned()),
        ("second", second.ask),
        ("second_about", second.about.to_owned()),
    ];
    let part = |label: &str, truth| Part { label: label.to_owned(), truth };
    let parts = vec![part("1", first.truth), part("2", second.truth)];
    let found = FoundTruth::from(Truth::Each { parts });
    Ok(params.into_iter().fold(found, |found, (name, value)| found.with(name, value)))
}

/// One of the two questions.
struct Subquestion {
    /// A name for what it is about: `last_file`, `last_tool`, or `subject` for something that only the
    /// person could know.
    about: &'static str,
    ask: String,
    truth: Truth,
}

/// A question about the end of the main thread, which every condition can hold.
fn stated(scene: &Scene) -> Option<Subquestion> {
    let mut calls: Vec<_> = scene.main_calls().collect();
    let last = calls.pop()?;
    let is_file = |call: &&crate::oracle::TimedCall| call.reads || call.writes;
    let files = calls.into_iter().chain([last]).filter(is_file);
    if let Some(path) = files.filter_map(|call| call.path.clone()).next_back() {
        return Some(Subquestion {
            about: "last_file",
            ask: "Which file did the main agent's last call of a file-reading or file-writing \
                  tool name? Give its path."
                .to_owned(),
            truth: Truth::Path { accepted: vec![path], known: scene.paths().into_iter().collect() },
        });
    }
    Some(Subquestion {
        about: "last_tool",
        ask: "Which tool did the main agent call last? Give its name.".to_owned(),
        truth: Truth::Name {
            accepted: vec![last.tool.clone()],
            known: scene.tools().into_iter().collect(),
        },
    })
}
