//! Settings: defaults, files, flags, and `config`, which says where each comes from.

use serde_json::{Value, json};

use crate::support::{Folder, json_lines, session, stderr, stdout, tracefold};

/// The settings in effect in `folder`, by key.
fn settings(folder: &Folder, flags: &[&str]) -> impl Fn(&str) -> Value + use<> {
    let arguments = [&["config", "--json"], flags].concat();
    let mut command = tracefold(&arguments);
    command.env_remove("TRACEFOLD_CONFIG").env("XDG_CONFIG_HOME", folder.name("user"));
    let printed = stdout(&command.current_dir(folder.path("")).assert().code(0));
    let rows: Vec<Value> = serde_json::from_str(&printed).unwrap();
    move |key| rows.iter().find(|row| row["key"] == key).unwrap().clone()
}

#[test]
fn each_setting_says_where_it_comes_from() {
    let folder = Folder::new();
    let user = "[detectors.loop]\nraise = 4\nescalate = 9\n[homes]\nclaude-code = [\"here\"]\n";
    folder.write("user/tracefold/tracefold.toml", user);
    folder.write(
        "tracefold.toml",
        "[detectors.loop]\nraise = 5\n\n[detectors.budget]\ndollars = 0.10\n",
    );
    let detectors = folder.write("own.toml", "[stall]\nmillis = 1000\n");
    let flags = ["--set", "streak.raise=7", "--detectors", &detectors];
    let of = settings(&folder, &flags);
    let row = |key: &str, values: &[&str], origin: &str, set_at: Option<String>| json!({"key": key, "values": values, "origin": origin, "set_at": set_at});
    let user = folder.name("user/tracefold/tracefold.toml");
    for expected in [
        row("prices", &[], "default", None),
        row("detectors.loop.window", &["12"], "default", None),
        row("detectors.loop.raise", &["5"], "file", Some("tracefold.toml, line 2".to_owned())),
        row("detectors.loop.escalate", &["9"], "file", Some(format!("{user}, line 3"))),
        row(
            "detectors.budget.dollars",
            &["0.10"],
            "file",
            Some("tracefold.toml, line 5".to_owned()),
        ),
        row("detectors.streak.raise", &["7"], "flag", Some("--set streak.raise=7".to_owned())),
        row(
            "detectors.stall.millis",
            &["1000"],
            "flag",
            Some(format!("--detectors {detectors}, line 2")),
        ),
        row(
            "homes.claude-code",
            &[&folder.name("user/tracefold/here")],
            "file",
            Some(format!("{user}, line 5")),
        ),
    ] {
        assert_eq!(of(expected["key"].as_str().unwrap()), expected);
    }
}

#[test]
fn settings_of_a_file_are_in_force_and_flags_prevail() {
    let folder = Folder::new();
    let file = folder.write("s1.jsonl", session("s1").text());
    let config = folder.write("own.toml", "detectors.budget.dollars = 0.0001\n");
    let raised = |flags: &[&str]| {
        let arguments = [&["fold", "--json", &file], flags].concat();
        let assert = tracefold(&arguments).env("TRACEFOLD_CONFIG", &config).assert().code(0);
        json_lines(&assert)[0]["anomalies"]["raised"]["budget"].clone()
    };
    assert_eq!(raised(&[]), 1);
    assert_eq!(raised(&["--set", "budget.dollars=1000"]), 0);
}

#[test]
fn a_wrong_setting_is_named_with_file_line_and_remedy() {
    let folder = Folder::new();
    let file = folder.write("s1.jsonl", session("s1").text());
    for (text, expected) in [
        (
            "[detectors.lop]\nraise = 4",
            "line 2: there is no setting `detectors.lop.raise`; did you mean `detectors.loop.raise`?",
        ),
        ("price = \"x\"", "line 1: there is no setting `price`; did you mean `prices`?"),
        ("prices = 3\n[homes]\ncodx = []", "there is no setting `homes.codx`"),
        ("[homes]\nclaude-code = \"here\"", "takes a list of folders"),
        ("prices = [", "line 1: not TOML: "),
    ] {
        let config = folder.write("tracefold.toml", text);
        let assert = tracefold(&["fold", &file]).env("TRACEFOLD_CONFIG", &config).assert().code(2);
        let said = stderr(&assert);
        assert!(
            said.starts_with(&format!("error: {config}: ")) && said.contains(expected),
            "{said}"
        );
    }
    let assert = tracefold(&["fold", &file]).env("TRACEFOLD_CONFIG", "/nowhere").assert().code(2);
    assert!(stderr(&assert).contains("correct TRACEFOLD_CONFIG"), "{}", stderr(&assert));
}
