//! Decides which tests are ignored. It watches the variables, not the folders: Cargo would run it again on every
//! build while a watched path is missing.

#[path = "src/find.rs"]
mod find;

fn main() {
    for variable in ["TRACEFOLD_SHARED", "TRACEFOLD_TRANSCRIPTS"] {
        println!("cargo::rerun-if-env-changed={variable}");
    }
    for need in find::needs() {
        let required = format!("TRACEFOLD_NEEDS_{}", need.name);
        println!("cargo::rerun-if-env-changed={required}");
        if !need.is_there && std::env::var_os(required).is_none() {
            println!("cargo::rustc-env=TEST_NEEDS_NO_{}={}", need.name, need.reason);
        }
    }
    println!("cargo::rustc-env=TEST_NEEDS_SHARED={}", find::shared().display());
    println!("cargo::rustc-env=TEST_NEEDS_TRANSCRIPTS={}", find::transcripts().display());
}
