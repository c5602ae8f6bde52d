//! Help is complete: every command and flag says what it does.

use crate::support::{stdout, tracefold};

/// Every command, as it is typed.
const COMMANDS: &[&[&str]] = &[
    &[],
    &["suite"],
    &["corpus"],
    &["corpus", "generate"],
    &["corpus", "verify"],
    &["corpus", "list"],
    &["fold"],
    &["view"],
    &["flatlog"],
    &["observe"],
    &["watch"],
    &["fleet"],
    &["sessions"],
    &["detect"],
    &["fidelity"],
    &["comprehend"],
    &["comprehend", "rescore"],
    &["comprehend", "report"],
    &["comprehend", "graders"],
    &["continue"],
    &["continue", "run"],
    &["continue", "grid"],
    &["continue", "tables"],
    &["continue", "arms"],
    &["scoreboard"],
    &["scoreboard", "show"],
    &["scoreboard", "verify"],
    &["scoreboard", "compare"],
    &["formats"],
    &["prices"],
];

#[test]
fn the_help_of_every_command() {
    for &command in COMMANDS {
        let arguments: Vec<&str> = command.iter().copied().chain(["--help"]).collect();
        let printed = stdout(&tracefold(&arguments).assert().code(0));
        let name = if command.is_empty() { "tracefold".to_owned() } else { command.join("-") };
        insta::assert_snapshot!(format!("help-{name}"), printed);
    }
}

#[test]
fn the_version_is_printed() {
    let printed = stdout(&tracefold(&["--version"]).assert().code(0));
    assert_eq!(printed, format!("tracefold {}\n", env!("CARGO_PKG_VERSION")));
}
