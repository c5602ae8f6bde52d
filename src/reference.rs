//! `docs/cli.md` holds the help of every command, generated from the parser and checked here.

use std::fmt::Write as _;
use std::path::Path;
use std::{env, fs};

use clap::{Command, CommandFactory as _};
use trace_model::detect::{DETECTORS, DetectorConfig};

use crate::cli::App;

/// Set, the reference is written instead of checked.
const UPDATE: &str = "TRACEFOLD_UPDATE_DOCS";

const HEAD: &str = "\
# Commands and options

What `tracefold COMMAND --help` prints, for every command. This page is generated; after a change, regenerate
it with `TRACEFOLD_UPDATE_DOCS=1 cargo test -p tracefold --bin tracefold reference`.

Results go to standard output, everything else to standard error; progress is shown only on a terminal.
Exit status: 0 done, 1 a check failed, 2 wrong use or unusable input. An unusable file among several is named
in one line; the others are processed, and the status is 2.
";

const DETECTOR_HEAD: &str = "\
## Detectors

An alert is raised, becomes grave when it escalates, and is cleared when it is over. Names in code are
thresholds of the detector. A call in flight *runs* if its tool wrote progress, if the client asks nobody
before tools run, or if half of the tool's answered calls took at least a quarter of the silence.

Set a threshold with `--set loop.raise=4`, several in a file with `--detectors FILE`, and defaults of your own
in `tracefold.toml` (see `tracefold config`). In a file, `loop.raise` is `raise` in the table `[loop]`; in
`tracefold.toml`, in `[detectors.loop]`.
";

#[test]
fn the_reference_holds_the_help_of_every_command() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/cli.md");
    let expected = generate();
    if env::var_os(UPDATE).is_some() {
        fs::write(&path, expected).unwrap();
        return;
    }
    assert!(
        fs::read_to_string(&path).unwrap_or_default() == expected,
        "docs/cli.md differs from --help; regenerate it with\n  \
         {UPDATE}=1 cargo test -p tracefold --bin tracefold reference"
    );
}

#[test]
fn every_option_says_what_it_is_for() {
    let mut app = App::command();
    app.build();
    app.clone().debug_assert();
    for (name, command) in below("tracefold", &app) {
        for option in command.get_arguments() {
            let help = option.get_help().map(ToString::to_string).unwrap_or_default();
            assert!(!help.is_empty(), "{name} {}: no help", option.get_id());
        }
        let about = command.get_about().map(ToString::to_string).unwrap_or_default();
        assert!(!about.is_empty(), "{name}: no help");
    }
}

fn generate() -> String {
    let mut app = App::command().term_width(100);
    app.build();
    let mut text = HEAD.to_owned();
    for (name, command) in below("tracefold", &app) {
        let help = if command.is_disable_help_flag_set() {
            // The program behind it has help of its own.
            command.get_about().map(ToString::to_string).unwrap_or_default()
        } else {
            let asked = name.split(' ').chain(["--help"]);
            app.clone().try_get_matches_from(asked).unwrap_err().to_string()
        };
        // Clap indents empty lines.
        let help: Vec<&str> = help.lines().map(str::trim_end).collect();
        write!(text, "\n## `{name}`\n\n```text\n{}\n```\n", help.join("\n")).unwrap();
    }
    text + &detectors()
}

/// The command and all below it, as they are typed.
fn below<'a>(name: &str, command: &'a Command) -> Vec<(String, &'a Command)> {
    let inner = command.get_subcommands().filter(|inner| inner.get_name() != "help");
    let found = inner.flat_map(|inner| below(&format!("{name} {}", inner.get_name()), inner));
    std::iter::once((name.to_owned(), command)).chain(found).collect()
}

fn detectors() -> String {
    let config = DetectorConfig::default();
    let mut text = format!(
        "\n{DETECTOR_HEAD}\n| alert | raised | escalates at | cleared by |\n| --- | --- | --- | --- |\n"
    );
    for detector in DETECTORS {
        let (kind, raised) = (detector.kind, detector.raised);
        let (escalated, cleared) = (detector.escalated, detector.cleared);
        writeln!(text, "| `{kind}` | {raised} | {escalated} | {cleared} |").unwrap();
    }
    text += "\n| threshold | default | meaning |\n| --- | --- | --- |\n";
    for threshold in DETECTORS.iter().flat_map(|detector| detector.thresholds) {
        let default = (threshold.get)(&config);
        writeln!(text, "| `{}` | {default} | {} |", threshold.key, threshold.meaning).unwrap();
    }
    text
}
