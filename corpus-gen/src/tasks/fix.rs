//! fix: configuration files that break rules are repaired; those that do not must stay as they are. The
//! rules leave no choice of the repaired value, so the end state is known.

use std::collections::{BTreeMap, BTreeSet};

use super::Task;
use super::check::{Check, Repair, Statistic};
use super::places::{paths, word};
use super::spec::TaskSpec;
use crate::rng::Draw;

/// A rule about one key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Rule {
    Retries,
    Timeout,
    Mode,
    Endpoint,
}

impl Rule {
    const ALL: [Self; 4] = [Self::Retries, Self::Timeout, Self::Mode, Self::Endpoint];

    fn key(self) -> &'static str {
        match self {
            Self::Retries => "max_retries",
            Self::Timeout => "timeout_seconds",
            Self::Mode => "mode",
            Self::Endpoint => "endpoint",
        }
    }

    /// A value that keeps the rule; the bounds themselves are among them.
    fn good(self, draw: &mut Draw, host: &str) -> String {
        match self {
            Self::Retries => draw.between(1, 8).to_string(),
            Self::Timeout => draw.between(30, 90).to_string(),
            Self::Mode => "strict".to_owned(),
            Self::Endpoint => format!("https://{host}.example"),
        }
    }

    /// A value that breaks the rule, and what it has to become.
    fn bad(self, draw: &mut Draw, host: &str) -> (String, String) {
        let (bad, good) = match self {
            Self::Retries => (draw.between(9, 40).to_string(), "8"),
            Self::Timeout => (draw.between(1, 29).to_string(), "30"),
            Self::Mode => ((*draw.pick(&["lenient", "off", "audit"])).to_owned(), "strict"),
            Self::Endpoint => {
                return (format!("http://{host}.example"), format!("https://{host}.example"));
            }
        };
        (bad, good.to_owned())
    }
}

pub(super) fn task(spec: TaskSpec) -> Task {
    let mut draw = spec.draw("values");
    let broken = broken(&mut draw, spec.horizon);
    let good = spec.horizon as usize / 2 + 2;
    let paths = paths(&mut spec.draw("paths"), "config", "conf", broken.len() + good);
    let (mut files, mut fixed, mut repairs) = (BTreeMap::new(), BTreeMap::new(), Vec::new());
    for (at, path) in paths.into_iter().enumerate() {
        let rules = broken.get(at).map_or(&[][..], Vec::as_slice);
        let host = format!("{}-{}", word(&mut draw), word(&mut draw));
        let (mut before, mut after) = (String::new(), String::new());
        let mut both = |was: &str, becomes: &str| {
            before.push_str(was);
            after.push_str(becomes);
        };
        let title = format!("# {}\n", word(&mut draw));
        both(&title, &title);
        for rule in Rule::ALL {
            let key = rule.key();
            let (was, becomes) = if rules.contains(&rule) {
                rule.bad(&mut draw, &host)
            } else {
                let good = rule.good(&mut draw, &host);
                (good.clone(), good)
            };
            both(&format!("{key} = {was}\n"), &format!("{key} = {becomes}\n"));
            if was != becomes {
                repairs.push(Repair { path: path.clone(), key: key.to_owned(), value: becomes });
            }
        }
        let other = format!("{}_limit = {}\n", word(&mut draw), draw.between(1, 999));
        both(&other, &other);
        files.insert(path.clone(), before);
        fixed.insert(path, after);
    }
    repairs.sort_by(|a, b| (&a.path, &a.key).cmp(&(&b.path, &b.key)));
    Task {
        spec,
        goal: goal(),
        files,
        disabled: BTreeSet::new(),
        statistic: Statistic::None,
        check: Check::State { files: fixed, repairs },
        links: Vec::new(),
    }
}

/// Which rules each broken file breaks: one or two a file, as many in all as the horizon says.
fn broken(draw: &mut Draw, violations: u32) -> Vec<Vec<Rule>> {
    let mut left = violations;
    let mut files = Vec::new();
    while left > 0 {
        let mut rules = Rule::ALL;
        draw.shuffle(&mut rules);
        let count = if left > 1 && draw.chance(1, 3) { 2 } else { 1 };
        files.push(rules[..count].to_vec());
        left -= if count == 2 { 2 } else { 1 };
    }
    files
}

fn goal() -> String {
    "The files in `config/` must keep four rules. `max_retries` is at most 8; where it is larger, set it \
     to 8. `timeout_seconds` is at least 30; where it is smaller, set it to 30. `mode` is `strict`; where \
     it is anything else, set it to `strict`. `endpoint` starts with `https://`; where it starts with \
     `http://`, replace just that. Repair every violation by writing the file again with only the lines \
     changed that break a rule. Leave files that keep all rules as they are, and make no others. Then \
     call `done`."
        .to_owned()
}
