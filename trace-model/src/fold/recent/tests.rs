use serde_json::value::RawValue;
use serde_json::{Value, json};

use super::*;

impl Recent {
    /// A call by this input, of a tool that writes no file.
    fn calls(&mut self, id: &str, input: &Value, at: u64) {
        self.takes(id, input, false, at);
    }

    fn takes(&mut self, id: &str, input: &Value, writes: bool, at: u64) {
        let raw = RawValue::from_string(input.to_string()).unwrap();
        let input = CallInput::new(Some(&raw), &[]);
        self.call(Some(Digest64::of(id)), &input, writes, Seq(at));
    }

    fn runs(&mut self, id: &str, command: &str, at: u64) {
        self.calls(id, &json!({ "command": command }), at);
    }

    fn answers(&mut self, id: &str, outcome: Outcome, text: &str, at: u64) {
        self.result(Digest64::of(id), outcome, text, Seq(at));
    }

    fn found(&self) -> Vec<(ReferenceKind, &str)> {
        self.references().into_iter().map(|it| (it.kind, it.text)).collect()
    }
}

fn texts(uses: &[WordUse<'_>]) -> Vec<String> {
    uses.iter().map(|it| it.text.to_owned()).collect()
}

#[test]
fn a_command_is_known_by_what_is_left_of_it_and_by_how_it_ended() {
    let mut recent = Recent::default();
    recent.runs("a", "cd /w && go test ./... 2>&1 | tail -5", 1);
    recent.answers("a", Outcome::Failed, "--- FAIL: TestX (0.0s)", 2);
    recent.runs("b", "go test ./...", 3);
    let command = &recent.commands()[0];
    assert_eq!(
        (command.text, command.runs, command.failed, command.last),
        ("go test ./...", 2, 1, None)
    );
    recent.answers("b", Outcome::Failed, "--- FAIL: TestY (0.0s)", 4);
    let command = &recent.commands()[0];
    assert_eq!((command.failed, command.last), (2, Some(Outcome::Failed)));
    assert_eq!(command.failing, ["TestY"]);
    assert_eq!(recent.command_count(), 1);
}

#[test]
fn a_late_result_says_nothing_of_a_newer_run() {
    let mut recent = Recent::default();
    recent.runs("a", "make test", 1);
    recent.runs("b", "make test", 2);
    recent.answers("a", Outcome::Failed, "--- FAIL: TestX (0.0s)", 3);
    let command = &recent.commands()[0];
    assert_eq!((command.failed, command.last, command.failing.len()), (1, None, 0));
    recent.answers("b", Outcome::Succeeded, "ok", 4);
    let command = &recent.commands()[0];
    assert_eq!((command.runs, command.failed, command.last), (2, 1, Some(Outcome::Succeeded)));
}

#[test]
fn of_commands_without_a_result_the_oldest_are_dropped() {
    let mut recent = Recent::default();
    for at in 0..300 {
        recent.runs(&at.to_string(), "make test", at);
    }
    recent.answers("0", Outcome::Failed, "", 300);
    assert_eq!(recent.commands()[0].failed, 0);
    recent.answers("299", Outcome::Failed, "", 301);
    assert_eq!(recent.commands()[0].last, Some(Outcome::Failed));
}

#[test]
fn names_are_kept_by_where_they_stood() {
    let mut recent = Recent::default();
    recent.work_in("/w/repo");
    recent.calls("a", &json!({"pattern": "parseLine|readAll", "path": "/w/repo/src/a.rs"}), 1);
    let written = json!({"file_path": "x.rs", "new_string": "let my_value = 1;"});
    recent.takes("b", &written, true, 2);
    recent.say("Now writeAll in /w/repo/src/b.rs is next", Seq(3));
    recent.answers("a", Outcome::Succeeded, "src/c/d.rs:3: fn otherName()", 4);
    assert_eq!(texts(&recent.names(NameSource::Call)), ["readAll", "parseLine"]);
    assert_eq!(texts(&recent.names(NameSource::Said)), ["writeAll"]);
    assert_eq!(texts(&recent.names(NameSource::Result)), ["otherName"]);
    assert_eq!(texts(&recent.mentioned_paths()), ["src/c/d.rs", "src/b.rs"]);
}

#[test]
fn references_are_told_from_words() {
    use ReferenceKind::{Branch, Commit, Issue, Number, Url};
    let mut recent = Recent::default();
    let command =
        "git checkout -b fix/a && gh pr view 12 && kill 4321 && curl http://localhost:8080/x";
    recent.runs("a", command, 1);
    recent.say("See #34 and https://e.org/a/pull/5.", Seq(2));
    recent.answers("a", Outcome::Succeeded, "[fix/a 1a2b3c4] message\nOn branch main", 3);
    assert_eq!(
        recent.found(),
        [
            (Branch, "main"),
            (Commit, "1a2b3c4"),
            (Branch, "fix/a"),
            (Issue, "#5"),
            (Url, "https://e.org/a/pull/5"),
            (Issue, "#34"),
            (Url, "http://localhost:8080/x"),
            (Number, "4321"),
            (Issue, "#12"),
        ]
    );
}

#[test]
fn the_words_of_addresses_and_branches_are_no_names_and_no_paths() {
    let mut recent = Recent::default();
    recent.runs(
        "a",
        "git switch fix/my_branch my_topic; curl https://e.org/someName/a.rs other/a_b.rs",
        1,
    );
    recent.say("readAll is at https://e.org/writeAll/src/b.rs", Seq(2));
    recent.answers("a", Outcome::Succeeded, "https://e.org/lastName/c/d.rs parseLine", 3);
    assert_eq!(texts(&recent.names(NameSource::Call)), [""; 0]);
    assert_eq!(texts(&recent.paths()), ["other/a_b.rs"]);
    assert_eq!(texts(&recent.names(NameSource::Said)), ["readAll"]);
    assert_eq!(texts(&recent.names(NameSource::Result)), ["parseLine"]);
    assert_eq!(texts(&recent.mentioned_paths()), [""; 0]);
}

#[test]
fn a_text_may_be_several_kinds_of_reference() {
    use ReferenceKind::{Branch, Commit};
    let mut recent = Recent::default();
    recent.runs("a", "git checkout abc1234", 1);
    recent.say("It is abc1234, at xhttp://e.org/issues/7 and https://e.org/issues/x7", Seq(2));
    assert_eq!(
        recent.found(),
        [(ReferenceKind::Url, "https://e.org/issues/x7"), (Commit, "abc1234"), (Branch, "abc1234")]
    );
}

#[test]
fn the_oldest_are_dropped_and_counted() {
    let mut table = Table::new(3);
    for at in 0..20_u64 {
        table.use_text(&format!("n{at}"), Seq(at), || ());
    }
    let kept: Vec<&str> = table.newest_first().iter().map(|entry| entry.text.as_str()).collect();
    assert_eq!(kept, ["n19", "n18", "n17"]);
    assert_eq!(table.count(), 20);
}

#[test]
fn a_path_is_given_from_the_runs_folder() {
    let form = |path| path_form(path, Some("/w/repo"));
    assert_eq!(form("/w/repo/src/a.rs"), Some("src/a.rs"));
    assert_eq!(form("/w/repo2/a.rs"), Some("/w/repo2/a.rs"));
    assert_eq!([form("/w/repo/"), form("/w"), form("ab")], [None; 3]);
}
