//! The front hands `report` over to the program beside it.

use std::fs;
use std::path::PathBuf;

use assert_cmd::Command;

use crate::support::{Folder, stderr, stdout};

/// A copy of the command alone in a folder.
fn alone(folder: &Folder) -> PathBuf {
    let own = PathBuf::from(env!("CARGO_BIN_EXE_tracefold"));
    let copy = folder.path(own.file_name().unwrap().to_str().unwrap());
    fs::copy(own, &copy).unwrap();
    copy
}

fn run(program: &PathBuf, path: &str, arguments: &[&str]) -> Command {
    let mut command = Command::new(program);
    command.env("PATH", path).args(arguments);
    command
}

#[test]
fn without_the_other_program_one_line_says_how_to_build_it() {
    let folder = Folder::new();
    let assert = run(&alone(&folder), "", &["report", "reproduce"]).assert().code(2);
    assert_eq!(stdout(&assert), "");
    let said = stderr(&assert);
    assert_eq!(said.lines().count(), 1, "{said}");
    assert!(said.contains("cargo build --release -p reports"), "{said}");
}

#[cfg(unix)]
fn stand_in(folder: &Folder, name: &str, script: &str) {
    use std::os::unix::fs::PermissionsExt as _;
    let path = folder.write(name, format!("#!/bin/sh\n{script}\n"));
    fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
}

#[cfg(unix)]
#[test]
fn arguments_and_the_exit_status_pass_through() {
    let folder = Folder::new();
    let program = alone(&folder);
    stand_in(&folder, "tracefold-report", "echo \"$@\"; exit 1");
    let assert = run(&program, "/bin", &["report", "diff", "--help", "-x", "a b"]).assert().code(1);
    assert_eq!(stdout(&assert), "diff --help -x a b\n");
}

#[cfg(unix)]
#[test]
fn the_program_is_also_found_in_path() {
    let (folder, bin) = (Folder::new(), Folder::new());
    stand_in(&bin, "tracefold-report", "echo found; exit 0");
    let path = format!("{}:/bin", bin.name(""));
    let assert = run(&alone(&folder), &path, &["report", "html"]).assert().code(0);
    assert_eq!(stdout(&assert), "found\n");
}
