//! Pathology traces for DETECT: honest work with labelled loops, error streaks, tool floods and stalls
//! in it ([`labels::Set::Default`]), and cases that are hard to tell ([`labels::Set::Hard`]).

pub mod labels;

mod scene;
mod scripts;
mod sets;

use crate::run::GeneratedRun;
use labels::Set;

/// Generates the trace of a set and seed.
#[must_use]
pub fn trace(set: Set, seed: u64) -> GeneratedRun {
    let group = format!("pathology-{set}");
    let mut scene = scene::Scene::new(&group, seed);
    match set {
        Set::Default => sets::default(&mut scene, seed),
        Set::Hard => sets::hard(&mut scene, seed),
    }
    scene.finish(format!("{set}-{seed}"), &format!("pathology/{set}"), &group, seed)
}
