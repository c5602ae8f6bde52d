//! What a person writes: requests that name something particular, so that no two are alike.

use super::names::{adjective, function, kebab, noun, pascal, push_capital, snake, stem, verb};
use super::prose;
use crate::rng::Draw;

/// A request.
pub(crate) fn request(draw: &mut Draw) -> String {
    let mut text = match draw.bits(1) {
        0 => change(draw),
        _ => errand(draw),
    };
    if draw.bits(2) == 0 {
        text.push_str("\n\n");
        text.push_str(&prose::paragraphs(draw, 120));
    }
    text
}

/// A request to change something.
fn change(draw: &mut Draw) -> String {
    let (path, call, thing) = (stem(draw), function(draw), noun(draw));
    let (how, name, number) = (adjective(draw), snake(draw), draw.between(2, 9000));
    match draw.bits(3) {
        0 => format!(
            "Fix the {how} race in {path}.rs: `{call}` runs before the {thing} is {}ed.",
            verb(draw)
        ),
        1 => format!(
            "Add a --{} flag to the {thing} command, default {number}, and document it.",
            kebab(draw)
        ),
        2 => format!(
            "Please rename {} to {} everywhere, including the {thing} tests.",
            pascal(draw),
            pascal(draw)
        ),
        3 => format!(
            "Raise the {name} limit from {} to {number} and check that {call} still holds.",
            draw.between(1, 99)
        ),
        4 => format!(
            "Split {} into a {how} part and a {} part; #{number} has the discussion.",
            pascal(draw),
            adjective(draw)
        ),
        5 => format!(
            "Bump {} to {}.{} and fix whatever breaks.",
            kebab(draw),
            draw.between(1, 30),
            draw.below(40)
        ),
        6 => format!("ok, now do the same for the {how} {thing} — but keep {name} as it is"),
        _ => format!("Implement {call} in the {how} {thing} as described in docs/{name}.md."),
    }
}

/// A request to find out, test, measure or explain something.
fn errand(draw: &mut Draw) -> String {
    let (path, call, thing) = (stem(draw), function(draw), noun(draw));
    let (how, name, number) = (adjective(draw), kebab(draw), draw.between(2, 9000));
    match draw.bits(3) {
        0 => format!(
            "Why does {call} return {number} when the {thing} is {how}? Explain before you change anything."
        ),
        1 => format!(
            "The {name} job fails since yesterday with exit code {}; find out why and make it {how} again.",
            draw.between(2, 140)
        ),
        2 => format!(
            "Write tests for {path}.py, at least {} cases, and one for the {how} {thing}.",
            draw.between(3, 30)
        ),
        3 => format!(
            "Summarise what changed in {name} since v{}.{}.{}.",
            draw.below(9),
            draw.below(30),
            draw.below(30)
        ),
        4 => format!("Can you look at {path}.ts line {number}? The {thing} there looks {how}."),
        5 => format!("Prüfe bitte, ob {call} den {thing} für {number} Einträge noch hält ✓"),
        6 => format!(
            "no, not like that: {call} must {} the {thing} first, {} times at most",
            verb(draw),
            draw.between(2, 60)
        ),
        _ => format!("Measure {call} with {number} {thing}s and write the figures into {path}.md."),
    }
}

/// A title of a session.
pub(crate) fn title(draw: &mut Draw) -> String {
    let mut text = String::new();
    push_capital(&mut text, verb(draw));
    format!("{text} {} {} in {}", adjective(draw), noun(draw), kebab(draw))
}
