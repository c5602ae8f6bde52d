//! What a worker without a model understands of a task's text: what is asked for, by the phrases that
//! say so.

/// What is to be done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Goal {
    /// Follow a chain of files and write what their numbers add up to.
    Sum {
        /// The first file.
        start: String,
        /// Whether signs alternate along the chain.
        alternating: bool,
        /// The keys of a file's number and of the next file; none where prose states both.
        keys: Option<(String, String)>,
        /// The file of the answer.
        answer: String,
        /// What the answer is called in it.
        key: String,
    },
    /// Collect lines whose key begins with something.
    Collect {
        /// The folder.
        folder: String,
        /// What keys begin with.
        prefix: String,
        /// The file to write.
        target: String,
    },
    /// Repair files that break rules.
    Repair {
        /// The folder.
        folder: String,
        /// The rules.
        rules: Vec<Rule>,
    },
}

/// A rule about the value of a key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Rule {
    /// At most this, which is set where it is more.
    AtMost(String, i64),
    /// At least this, which is set where it is less.
    AtLeast(String, i64),
    /// This, which is set where it is anything else.
    Is(String, String),
    /// Not with this beginning, which is replaced by that.
    NotBeginning {
        /// The key.
        key: String,
        /// The wrong beginning.
        wrong: String,
        /// The right one.
        right: String,
    },
}

impl Goal {
    /// The goal that a text states; none if no phrase of it is known.
    pub(super) fn parse(text: &str) -> Option<Self> {
        sum(text).or_else(|| collect(text)).or_else(|| repair(text))
    }
}

/// The quoted word after a phrase.
fn after<'a>(text: &'a str, phrase: &str) -> Option<&'a str> {
    let rest = &text[text.find(phrase)? + phrase.len()..];
    rest.split_once('`').map(|(quoted, _)| quoted)
}

fn sum(text: &str) -> Option<Goal> {
    let start = after(text, "Start with `")?.to_owned();
    let answer = after(text, "Write `")?.to_owned();
    let key = after(text, "exactly one line, `")?.split(" = ").next()?.to_owned();
    let named = |phrase| Some(after(text, phrase)?.split(" = ").next()?.to_owned());
    let keys = named("holds a line `").zip(named("and a line `"));
    let alternating = text.contains("alternating signs");
    Some(Goal::Sum { start, alternating, keys, answer, key })
}

fn collect(text: &str) -> Option<Goal> {
    Some(Goal::Collect {
        folder: after(text, "files in `")?.to_owned(),
        prefix: after(text, "whose KEY starts with `")?.to_owned(),
        target: after(text, "write `")?.to_owned(),
    })
}

fn repair(text: &str) -> Option<Goal> {
    let rules: Vec<Rule> = text.split(". ").filter_map(rule).collect();
    let folder = after(text, "files in `")?.to_owned();
    (!rules.is_empty()).then_some(Goal::Repair { folder, rules })
}

fn rule(sentence: &str) -> Option<Rule> {
    let (key, rest) = sentence.trim().strip_prefix('`')?.split_once('`')?;
    let key = key.to_owned();
    let number = |text: &str| text.split(';').next()?.trim().parse().ok();
    if let Some(rest) = rest.strip_prefix(" is at most ") {
        return Some(Rule::AtMost(key, number(rest)?));
    }
    if let Some(rest) = rest.strip_prefix(" is at least ") {
        return Some(Rule::AtLeast(key, number(rest)?));
    }
    if let Some(rest) = rest.strip_prefix(" is `") {
        return Some(Rule::Is(key, rest.split_once('`')?.0.to_owned()));
    }
    let right = after(rest, " starts with `")?.to_owned();
    let wrong = after(rest, "where it starts with `")?.to_owned();
    Some(Rule::NotBeginning { key, wrong, right })
}

impl Rule {
    /// The key that it is about.
    pub(super) fn key(&self) -> &str {
        match self {
            Self::AtMost(key, _)
            | Self::AtLeast(key, _)
            | Self::Is(key, _)
            | Self::NotBeginning { key, .. } => key,
        }
    }

    /// What a value that breaks it has to become.
    pub(super) fn repaired(&self, value: &str) -> Option<String> {
        let number = || value.parse::<i64>().ok();
        match self {
            Self::AtMost(_, most) => (number()? > *most).then(|| most.to_string()),
            Self::AtLeast(_, least) => (number()? < *least).then(|| least.to_string()),
            Self::Is(_, wanted) => (value != wanted).then(|| wanted.clone()),
            Self::NotBeginning { wrong, right, .. } => {
                value.strip_prefix(wrong.as_str()).map(|rest| format!("{right}{rest}"))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use corpus_gen::tasks::{Family, TaskSpec, generate};

    use super::*;

    fn goal(family: Family) -> Goal {
        let task = generate(TaskSpec { family, horizon: 5, seed: 1 }).unwrap();
        Goal::parse(&task.goal).unwrap_or_else(|| panic!("not understood: {}", task.goal))
    }

    #[test]
    fn every_family_is_understood() {
        let named = || Some(("delta".to_owned(), "next".to_owned()));
        for (family, signs, expected) in [
            (Family::Chain, false, named()),
            (Family::AltChain, true, named()),
            (Family::ProseChain, false, None),
        ] {
            let Goal::Sum { start, alternating, keys, answer, key } = goal(family) else {
                panic!("{family} is a sum")
            };
            assert_eq!(keys, expected, "{family}");
            assert!(start.contains('/') && !start.contains('`'), "{start}");
            assert_eq!((alternating, &*answer, &*key), (signs, "answer.txt", "total"), "{family}");
        }
        assert_eq!(
            goal(Family::Scatter),
            Goal::Collect {
                folder: "notes/".to_owned(),
                prefix: "value_".to_owned(),
                target: "collected.txt".to_owned()
            }
        );
        let Goal::Repair { folder, rules } = goal(Family::Fix) else { panic!("fix repairs") };
        assert_eq!(folder, "config/");
        assert_eq!(
            rules,
            [
                Rule::AtMost("max_retries".to_owned(), 8),
                Rule::AtLeast("timeout_seconds".to_owned(), 30),
                Rule::Is("mode".to_owned(), "strict".to_owned()),
                Rule::NotBeginning {
                    key: "endpoint".to_owned(),
                    wrong: "http://".to_owned(),
                    right: "https://".to_owned()
                },
            ]
        );
    }

    #[test]
    fn a_rule_changes_only_what_breaks_it() {
        let rule = Rule::AtMost("a".to_owned(), 8);
        assert_eq!(rule.repaired("9"), Some("8".to_owned()));
        assert_eq!((rule.repaired("8"), rule.repaired("x")), (None, None));
        let rule = Rule::NotBeginning {
            key: "e".to_owned(),
            wrong: "http://".to_owned(),
            right: "https://".to_owned(),
        };
        assert_eq!(rule.repaired("http://a"), Some("https://a".to_owned()));
        assert_eq!(rule.repaired("https://a"), None);
    }
}
