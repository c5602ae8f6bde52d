//! What a person writes: requests that name something particular, so that no two are alike.

use super::names::{adjective, function, kebab, noun, pascal, snake, stem, verb};
use super::prose;
use crate::rng::Draw;

/// A request.
pub(crate) fn request(draw: &mut Draw) -> String {
    let mut text = match draw.bits(4) {
        0 => format!("Fix the {} race in {}.rs: `{}` {}s before the {} is {}ed.", adjective(draw), stem(draw), function(draw), verb(draw), noun(draw), verb(draw)),
        1 => format!("Add a --{} flag to the {} command, default {}, and document it.", kebab(draw), noun(draw), draw.between(2, 9000)),
        2 => format!("Why does {} return {} when the {} is {}? Explain before you change anything.", function(draw), draw.below(600), noun(draw), adjective(draw)),
        3 => format!("Please rename {} to {} everywhere, including the {} tests.", pascal(draw), pascal(draw), noun(draw)),
        4 => format!("The {} job fails since yesterday with exit code {}; find out why and make it {} again.", kebab(draw), draw.between(2, 140), adjective(draw)),
        5 => format!("Raise the {} limit from {} to {} and check that {} still holds.", snake(draw), draw.between(1, 99), draw.between(100, 9000), function(draw)),
        6 => format!("Write tests for {}.py, at least {} cases, and one for the {} {}.", stem(draw), draw.between(3, 30), adjective(draw), noun(draw)),
        7 => format!("ok, now do the same for the {} {} — but keep {} as it is", adjective(draw), noun(draw), snake(draw)),
        8 => format!("Split {} into a {} part and a {} part; #{} has the discussion.", pascal(draw), adjective(draw), adjective(draw), draw.between(10, 9000)),
        9 => format!("Summarise what changed in {} since v{}.{}.{}.", kebab(draw), draw.below(9), draw.below(30), draw.below(30)),
        10 => format!("Can you look at {}.ts line {}? The {} there looks {}.", stem(draw), draw.between(2, 900), noun(draw), adjective(draw)),
        11 => format!("Bump {} to {}.{} and fix whatever breaks.", kebab(draw), draw.between(1, 30), draw.below(40)),
        12 => format!("Prüfe bitte, ob {} den {} für {} Einträge noch hält ✓", function(draw), noun(draw), draw.between(100, 90_000)),
        13 => format!("no, not like that: {} must {} the {} first, {} times at most", function(draw), verb(draw), noun(draw), draw.between(2, 60)),
        14 => format!("Measure {} with {} {}s and write the figures into {}.md.", function(draw), draw.between(10, 900_000), noun(draw), stem(draw)),
        _ => format!("Implement {} in the {} {} as described in docs/{}.md.", function(draw), adjective(draw), noun(draw), snake(draw)),
    };
    if draw.bits(2) == 0 {
        text.push_str("\n\n");
        text.push_str(&prose::paragraphs(draw, 120));
    }
    text
}

/// A title of a session.
pub(crate) fn title(draw: &mut Draw) -> String {
    let mut text = String::new();
    super::names::push_capital(&mut text, verb(draw));
    text.push_str(&format!(" {} {} in {}", adjective(draw), noun(draw), kebab(draw)));
    text
}
