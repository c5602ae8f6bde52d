//! Questions whose honest answer is that the trace does not say.

use super::draw::Draw;
use super::pack::{QuestionType, Subject};
use super::registry::{Answered, Found};
use super::scene::Scene;
use super::truth::{Part, Truth};

/// One question that the trace answers, and one that it does not, in either order.
pub(super) fn not_stated(scene: &Scene, kind: &QuestionType, draw: &mut Draw) -> Answered {
    let stated = stated(scene).ok_or("the main agent called no tool")?;
    let subject = |subject: &&Subject| !scene.mentions(&subject.evidence);
    let subjects = draw.shuffled(kind.subjects.iter().collect());
    let subject = subjects.into_iter().find(subject);
    let subject = subject.ok_or("the trace may say everything that could be asked for")?;
    let silent = Asked { about: "subject", ask: subject.ask.clone(), truth: Truth::NotStated };
    let [first, second] = if draw.below(2) == 0 { [stated, silent] } else { [silent, stated] };
    let params = [
        ("first", first.ask),
        ("first_about", first.about.to_owned()),
        ("second", second.ask),
        ("second_about", second.about.to_owned()),
    ];
    let part = |label: &str, truth| Part { label: label.to_owned(), truth };
    let parts = vec![part("1", first.truth), part("2", second.truth)];
    let found = Found::from(Truth::Each { parts });
    Ok(params.into_iter().fold(found, |found, (name, value)| found.with(name, value)))
}

/// One of the two questions.
struct Asked {
    /// A name for what it is about: `last_file`, `last_tool`, or `subject` for something that only the
    /// person could know.
    about: &'static str,
    ask: String,
    truth: Truth,
}

/// A question about the end of the main thread, which every condition can hold.
fn stated(scene: &Scene) -> Option<Asked> {
    let mut calls: Vec<_> = scene.main_calls().collect();
    let last = calls.pop()?;
    let is_file = |call: &&crate::oracle::TimedCall| call.reads || call.writes;
    let files = calls.into_iter().chain([last]).filter(is_file);
    if let Some(path) = files.filter_map(|call| call.path.clone()).next_back() {
        return Some(Asked {
            about: "last_file",
            ask: "Which file did the main agent's last call of a file-reading or file-writing \
                  tool name? Give its path."
                .to_owned(),
            truth: Truth::Path { accepted: vec![path], known: scene.paths().into_iter().collect() },
        });
    }
    Some(Asked {
        about: "last_tool",
        ask: "Which tool did the main agent call last? Give its name.".to_owned(),
        truth: Truth::Name {
            accepted: vec![last.tool.clone()],
            known: scene.tools().into_iter().collect(),
        },
    })
}
