//! The renderer of the page: its name, its version, and the fingerprint of what it makes of the
//! reference run.

use std::sync::OnceLock;

use trace_model::adapter::FileRole;
use trace_model::fold::FoldConfig;
use trace_model::run::Folder;
use trace_model::view::{Renderer, fingerprint, reference_transcript};

use super::{Compiler, Shell, Subject, document};
use crate::mask::Mask;
use crate::session::Hold;
use crate::track::Track;

const NAME: &str = "observer";
const VERSION: u32 = 2;

/// The renderer of observer pages.
pub fn renderer() -> Renderer {
    static FINGERPRINT: OnceLock<String> = OnceLock::new();
    // The reference page bears a stamp too: while it is compiled, the fingerprint is not known.
    let fingerprint = if IN_REFERENCE.get() {
        String::new()
    } else {
        FINGERPRINT.get_or_init(|| fingerprint(&reference_page())).clone()
    };
    Renderer { name: NAME, version: VERSION, fingerprint }
}

thread_local! {
    static IN_REFERENCE: std::cell::Cell<bool> = const { std::cell::Cell::new(false) };
}

/// The page of the reference run.
pub(crate) fn reference_page() -> String {
    let mut track = Track::default();
    let file = (FileRole::default(), reference_transcript());
    let folder = Folder::of([file], FoldConfig::default(), &mut track);
    let (state, reading) = (folder.state(), folder.reading());
    let subject = Subject {
        path: None,
        state,
        track: &track,
        reading: &reading,
        files: 1,
        hold: &Hold::Held,
        restarts: 0,
        now: state.identity().last_time,
        live: false,
    };
    IN_REFERENCE.set(true);
    let units = Compiler::new(Mask::off()).compile(&subject);
    IN_REFERENCE.set(false);
    document(&units, &Shell::Static)
}
