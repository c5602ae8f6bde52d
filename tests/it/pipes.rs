//! A reader of the output that goes away is no error.

use std::process::{Command, Stdio};

use crate::support::{Folder, session};

#[test]
fn a_closed_pipe_ends_the_command_quietly() {
    let folder = Folder::new();
    for name in ["a", "b", "c"] {
        folder.write(&format!("{name}.jsonl"), session("s").text());
    }
    let file = folder.name("a.jsonl");
    let all = folder.name("");
    let commands: [&[&str]; 8] = [
        &["fold", &all],
        &["fold", "--json", &all],
        &["view", &file],
        &["flatlog", &file],
        &["formats"],
        &["prices"],
        &["corpus", "list"],
        &["--help"],
    ];
    for arguments in commands {
        let mut child = Command::new(env!("CARGO_BIN_EXE_tracefold"))
            .args(arguments)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        drop(child.stdout.take());
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{arguments:?}: {output:?}");
        assert!(output.stderr.is_empty(), "{arguments:?}: {output:?}");
    }
}
