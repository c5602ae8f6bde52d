use super::*;

/// Whether an expression is true of the match `b=secret` in a text of two lines.
fn is_true(source: &str) -> bool {
    let text = "a: 1\n b=secret; c";
    let found = Match { range: 6..14, matched: b"b=secret", secret: b"secret" };
    Filter::new(source.to_owned()).discards(&Candidate::new(text, &found))
}

impl Filter {
    /// That it compiles and is a yes or a no, whatever is matched; returns whether all its patterns compile.
    pub(in super::super) fn assert_applies(&self) -> bool {
        let program = self.program().unwrap_or_else(|| panic!("{}", self.source));
        let text = "x = \"aB3dE5fG7hJ9kL1mN2pQ4rS6tU8vW0xYz\"\n";
        for range in [0..1, 5..20, 4..text.len()] {
            let bytes = &text.as_bytes()[range.clone()];
            let found = Match { range, matched: bytes, secret: bytes };
            let candidate = Candidate::new(text, &found);
            let value = evaluate::run(program, &candidate);
            assert!(matches!(value, Ok(Value::Bool(_))), "{}", self.source);
        }
        let nodes = program.definitions.iter().map(|(_, node)| node);
        nodes.chain([&program.result]).all(node::Node::compiles)
    }
}

impl node::Node {
    fn compiles(&self) -> bool {
        match self {
            Self::MatchesAny(of, patterns) | Self::FindMatch(of, patterns) => {
                patterns.regex().is_some() && of.compiles()
            }
            Self::Not(of) | Self::ContainsAny(of, _) => of.compiles(),
            Self::Operation(_, left, right) => left.compiles() && right.compiles(),
            _ => true,
        }
    }
}

#[test]
fn operators_bind_as_written() {
    assert!(is_true("1 + 2 - 1 == 2 && !(1 > 2) || 1 > 2"));
    assert!(is_true("1 > 2 && 1 > 2 || 2 >= 2"));
    assert!(!is_true("!(1 < 2 || 1 > 2)"));
    assert!(is_true("1 < 2 ? 3 > 2 : 3 < 2"));
    assert!(is_true("entropy(finding[\"secret\"]) > 2 // bits\n"));
}

#[test]
fn a_match_is_seen_in_its_text() {
    let text = "finding[\"fragment_raw\"]";
    assert!(is_true("matchesAny(finding[\"secret\"], [`^sec`, `x`])"));
    assert!(is_true("matchesAny(finding[\"line\"], [`^ b=secret; c$`])"));
    assert!(is_true("filter.containsAny(finding[\"match\"], [\"SECRET\"])"));
    assert!(is_true(&format!(
        "let line = {text}[finding[\"match_line_start_idx\"]:finding[\"match_line_end_idx\"]];
         len(line) == 12 && matchesAny(line, [`^ b=secret; c$`])"
    )));
    assert!(is_true(&format!("let lines = split({text}, \"\\n\"); len(lines[0]) == 4")));
    assert!(is_true(&format!(
        "let lines = split({text}, \"\\n\"); len(join(lines[max(len(lines) - 1, 0):], \"\\n\")) == 12"
    )));
}

#[test]
fn what_cannot_be_applied_discards_nothing() {
    for source in ["", "1 +", "unknown(1)", "1 || 1", "\"a\" < 1", "finding[\"other\"]"] {
        assert!(!is_true(source), "{source}");
    }
}
