//! Help: the built command prints what `docs/cli.md` says that it prints.

use std::fs;
use std::path::Path;

use crate::support::{stdout, tracefold};

#[test]
fn every_command_prints_the_help_that_the_reference_has() {
    let reference = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/cli.md");
    let reference = fs::read_to_string(reference).unwrap();
    let mut commands = 0;
    for section in reference.split("\n## `tracefold").skip(1) {
        let (name, rest) = section.split_once('`').unwrap();
        let help = rest.split("```").nth(1).unwrap().trim_start_matches("text\n");
        if name == " report" {
            // The program behind it has help of its own.
            continue;
        }
        let arguments: Vec<&str> = name.split_whitespace().chain(["--help"]).collect();
        let printed = stdout(&tracefold(&arguments).assert().code(0));
        let printed: Vec<&str> = printed.lines().map(str::trim_end).collect();
        assert_eq!(printed, help.lines().collect::<Vec<_>>(), "{name}");
        commands += 1;
    }
    assert!(commands > 25, "only {commands} commands in docs/cli.md");
}

#[test]
fn the_version_is_printed() {
    let printed = stdout(&tracefold(&["--version"]).assert().code(0));
    assert_eq!(printed, format!("tracefold {}\n", env!("CARGO_PKG_VERSION")));
}
