//! Hands the compiler's version to the library, for a scoreboard's environment section.

use std::process::Command;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let version = Command::new(rustc).arg("--version").output().ok();
    let version = version.and_then(|output| String::from_utf8(output.stdout).ok());
    // "rustc 1.95.0 (hash date)": the second word is the version.
    let number = version.as_deref().and_then(|text| text.split_whitespace().nth(1));
    println!("cargo::rustc-env=SCOREBOARDS_RUSTC={}", number.unwrap_or("unknown"));
}
