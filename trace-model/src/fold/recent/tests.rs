use serde_json::json;

use super::*;

fn texts(uses: &[WordUse<'_>]) -> Vec<String> {
    uses.iter().map(|it| it.text.to_owned()).collect()
}

fn id(id: &str) -> Option<Digest64> {
    Some(Digest64::of(id))
}

#[test]
fn a_command_is_known_by_what_is_left_of_it_and_by_how_it_ended() {
    let mut recent = Recent::default();
    recent.call(
        id("a"),
        &json!({"command": "cd /w && go test ./... 2>&1 | tail -5"}),
        false,
        Seq(1),
    );
    recent.result(Digest64::of("a"), Outcome::Failed, "--- FAIL: TestX (0.0s)", Seq(2));
    recent.call(id("b"), &json!({"command": "go test ./..."}), false, Seq(3));
    let command = &recent.commands()[0];
    assert_eq!(
        (command.text, command.runs, command.failed, command.last),
        ("go test ./...", 2, 1, None)
    );
    recent.result(Digest64::of("b"), Outcome::Failed, "--- FAIL: TestY (0.0s)", Seq(4));
    let command = &recent.commands()[0];
    assert_eq!((command.failed, command.last), (2, Some(Outcome::Failed)));
    assert_eq!(command.failing, ["TestY"]);
    assert_eq!(recent.command_count(), 1);
}

#[test]
fn names_are_kept_by_where_they_stood() {
    let mut recent = Recent::default();
    recent.work_in("/w/repo");
    recent.call(
        id("a"),
        &json!({"pattern": "parseLine|readAll", "path": "/w/repo/src/a.rs"}),
        false,
        Seq(1),
    );
    recent.call(
        id("b"),
        &json!({"file_path": "x.rs", "new_string": "let my_value = 1;"}),
        true,
        Seq(2),
    );
    recent.say("Now writeAll in /w/repo/src/b.rs is next", Seq(3));
    recent.result(Digest64::of("a"), Outcome::Succeeded, "src/c/d.rs:3: fn otherName()", Seq(4));
    assert_eq!(texts(&recent.names(NameSource::Call)), ["readAll", "parseLine"]);
    assert_eq!(texts(&recent.names(NameSource::Said)), ["writeAll"]);
    assert_eq!(texts(&recent.names(NameSource::Result)), ["otherName"]);
    assert_eq!(texts(&recent.mentioned_paths()), ["src/c/d.rs", "src/b.rs"]);
}

#[test]
fn references_are_told_from_words() {
    let mut recent = Recent::default();
    let command = "git checkout -b fix/a && gh pr view 12 && curl http://localhost:8080/x";
    recent.call(id("a"), &json!({ "command": command }), false, Seq(1));
    recent.say("See #34 and https://e.org/a/pull/5.", Seq(2));
    recent.result(
        Digest64::of("a"),
        Outcome::Succeeded,
        "[fix/a 1a2b3c4] message\nOn branch main",
        Seq(3),
    );
    let found: Vec<(ReferenceKind, &str)> =
        recent.references().into_iter().map(|it| (it.kind, it.text)).collect();
    assert_eq!(
        found,
        [
            (ReferenceKind::Branch, "main"),
            (ReferenceKind::Commit, "1a2b3c4"),
            (ReferenceKind::Branch, "fix/a"),
            (ReferenceKind::Issue, "#34"),
            (ReferenceKind::Url, "https://e.org/a/pull/5"),
            (ReferenceKind::Number, "8080"),
            (ReferenceKind::Issue, "#12"),
            (ReferenceKind::Url, "http://localhost:8080/x"),
        ]
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
