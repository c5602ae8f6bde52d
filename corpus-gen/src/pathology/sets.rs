//! Which pathologies a trace has: by the slot of its seed, so that any thirty seeds in a row make the
//! whole set.

use super::labels::Kind;
use super::scene::Scene;
use super::scripts::Disguise;
use crate::rng::to_index;

/// Two instances in each of 24 slots: loop 13, error streak 12, flood 11, stall 12. The other 6 slots
/// are clean.
const PAIRS: [Option<(Kind, Kind)>; 30] = {
    use Kind::{ErrorStreak as E, Loop as L, Stall as S, ToolFlood as F};
    [
        Some((L, E)),
        Some((F, L)),
        Some((L, S)),
        Some((E, F)),
        None,
        Some((S, E)),
        Some((F, S)),
        Some((L, S)),
        Some((E, L)),
        None,
        Some((L, F)),
        Some((F, E)),
        Some((S, E)),
        Some((S, L)),
        None,
        Some((S, F)),
        Some((L, E)),
        Some((E, F)),
        Some((F, L)),
        None,
        Some((L, S)),
        Some((E, S)),
        Some((F, S)),
        Some((E, L)),
        None,
        Some((L, F)),
        Some((F, E)),
        Some((S, E)),
        Some((L, S)),
        None,
    ]
};

/// The clear set.
pub(crate) fn default(scene: &mut Scene, seed: u64) {
    scene.honest();
    if let Some((first, second)) = PAIRS[to_index(seed % 30)] {
        for kind in [first, second] {
            scene.turn();
            let lead = scene.lead_in();
            scene.steps(lead);
            clear(scene, kind);
            scene.honest();
        }
    } else {
        scene.honest();
        scene.honest();
    }
}

fn clear(scene: &mut Scene, kind: Kind) {
    match kind {
        Kind::Loop => scene.looping(Disguise::None),
        Kind::ErrorStreak => scene.error_streak(false),
        Kind::ToolFlood => scene.flood(false),
        Kind::Stall => scene.stall(),
        Kind::WaitingForPerson => scene.waits_for_approval(),
    }
}

/// The hard cases.
const CASES: [fn(&mut Scene); 13] = [
    |scene| scene.looping(Disguise::Interleaved),
    Scene::idle_silence,
    |scene| scene.error_streak(true),
    Scene::polling,
    |scene| scene.flood(true),
    Scene::edit_and_test,
    |scene| scene.looping(Disguise::Reordered),
    Scene::waits_for_person,
    Scene::stall,
    Scene::honest_batch,
    Scene::alternating,
    Scene::waits_for_approval,
    Scene::allowed_soon,
];

/// Three cases in each trace, chosen by its slot so that each case occurs equally often over any thirteen
/// seeds in a row.
pub(crate) fn hard(scene: &mut Scene, seed: u64) {
    scene.honest();
    let slot = to_index(seed % 13);
    for step in [0, 3, 7] {
        scene.turn();
        let lead = scene.lead_in();
        scene.steps(lead);
        CASES[(slot + step) % CASES.len()](scene);
        scene.honest();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_slots_make_48_instances_and_6_clean_traces() {
        let kinds: Vec<Kind> = PAIRS.into_iter().flatten().flat_map(|(a, b)| [a, b]).collect();
        let count = |kind| kinds.iter().filter(|one| **one == kind).count();
        let counts = [Kind::Loop, Kind::ErrorStreak, Kind::ToolFlood, Kind::Stall].map(count);
        assert_eq!(
            (counts, PAIRS.iter().filter(|pair| pair.is_none()).count()),
            ([13, 12, 11, 12], 6)
        );
    }
}
