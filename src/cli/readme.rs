//! The README's tables of commands and options are what the parser accepts, generated and checked.

use std::fmt::Write as _;
use std::path::Path;
use std::{env, fs};

use clap::{Arg, Command, CommandFactory as _};

use super::App;

/// The marked block of the README that is generated.
const BEGIN: &str = "<!-- commands: generated, see src/cli/readme.rs -->\n";
const END: &str = "<!-- end of commands -->\n";

#[test]
fn the_readme_lists_the_commands_and_options_there_are() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("README.md");
    let readme = fs::read_to_string(&path).unwrap();
    let (before, rest) = readme.split_once(BEGIN).expect("README.md has lost its marked block");
    let (found, after) = rest.split_once(END).expect("README.md has lost the block's end");
    let expected = generate();
    if env::var_os("TRACEFOLD_UPDATE_README").is_some() {
        fs::write(&path, format!("{before}{BEGIN}{expected}{END}{after}")).unwrap();
        return;
    }
    assert!(
        found == expected,
        "README.md is not in step with --help; write it anew with\n  \
         TRACEFOLD_UPDATE_README=1 cargo test -p tracefold --bin tracefold readme"
    );
}

#[test]
fn every_option_says_what_it_is_for() {
    let mut app = App::command();
    app.build();
    app.clone().debug_assert();
    for (name, command) in leaves("tracefold", &app) {
        for option in command.get_arguments() {
            let help = option.get_help().map(ToString::to_string).unwrap_or_default();
            assert!(!help.is_empty(), "{name} {}: no help", option.get_id());
        }
        let about = command.get_about().map(ToString::to_string).unwrap_or_default();
        assert!(!about.is_empty(), "{name}: no help");
    }
}

fn generate() -> String {
    let mut app = App::command();
    app.build();
    let mut text = String::from("\n| command | does |\n| --- | --- |\n");
    line(&mut text, "| `tracefold` | The same as `tracefold suite` |");
    let commands: Vec<(String, &Command)> = leaves("tracefold", &app);
    for (name, command) in &commands {
        let places = command.get_positionals().map(place).collect::<String>();
        let about = command.get_about().map(ToString::to_string).unwrap_or_default();
        line(&mut text, &format!("| `{name}{places}` | {about} |"));
    }
    line(&mut text, "\n<details><summary>All options of every command</summary>");
    let listed = |option: &&Arg| !option.is_positional() && option.get_id() != "help";
    let with_options =
        |(_, command): &&(String, &Command)| command.get_arguments().any(|o| listed(&o));
    for (name, command) in commands.iter().filter(with_options) {
        line(&mut text, &format!("\n`{name}`\n\n| option | meaning |\n| --- | --- |"));
        for option in command.get_arguments().filter(listed) {
            line(&mut text, &format!("| `{}` | {} |", spelling(option), meaning(option)));
        }
    }
    line(&mut text, "\n</details>\n");
    text
}

fn line(text: &mut String, line: &str) {
    writeln!(text, "{line}").unwrap();
}

/// The commands that do something, as they are typed.
fn leaves<'a>(name: &str, command: &'a Command) -> Vec<(String, &'a Command)> {
    let mut found = Vec::new();
    for inner in command.get_subcommands().filter(|inner| inner.get_name() != "help") {
        let name = format!("{name} {}", inner.get_name());
        if inner.has_subcommands() {
            found.extend(leaves(&name, inner));
        } else {
            found.push((name, inner));
        }
    }
    found
}

fn place(positional: &Arg) -> String {
    let more =
        if positional.get_num_args().is_some_and(|n| n.max_values() > 1) { "..." } else { "" };
    format!(" {}{more}", values(positional))
}

fn values(option: &Arg) -> String {
    let names = option.get_value_names().unwrap_or_default().iter().map(ToString::to_string);
    names.collect::<Vec<_>>().join(" ").replace('|', "\\|")
}

fn spelling(option: &Arg) -> String {
    let short = option.get_short().map_or(String::new(), |short| format!("-{short}, "));
    let long = option.get_long().unwrap_or_default();
    let value = if option.get_action().takes_values() {
        format!(" {}", values(option))
    } else {
        String::new()
    };
    format!("{short}--{long}{value}")
}

fn meaning(option: &Arg) -> String {
    let mut text =
        option.get_help().map(ToString::to_string).unwrap_or_default().replace('|', "\\|");
    if option.get_action().takes_values() {
        let possible: Vec<String> =
            option.get_possible_values().iter().map(|v| format!("`{}`", v.get_name())).collect();
        if !possible.is_empty() {
            let _ = write!(text, ": {}", possible.join(", "));
        }
        let defaults: Vec<_> =
            option.get_default_values().iter().map(|value| value.to_string_lossy()).collect();
        if !defaults.is_empty() {
            let _ = write!(text, " [default: {}]", defaults.join(","));
        }
    }
    text
}
