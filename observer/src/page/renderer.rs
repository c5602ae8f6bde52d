//! The renderer of the page: its name, its version, and the fingerprint of what it makes of the
//! reference run.

use std::sync::OnceLock;

use trace_model::adapter::FileRole;
use trace_model::fold::FoldConfig;
use trace_model::run::Folder;
use trace_model::view::{Renderer, fingerprint, reference_transcript};

use super::compiler::Compiler;
use super::document::{Shell, document};
use super::subject::Subject;
use crate::mask::Mask;
use crate::session::FileStatus;
use crate::track::Track;

const NAME: &str = "observer";
const VERSION: u32 = 3;

impl Compiler {
    /// A compiler that masks secrets, or not.
    pub fn new(mask: Mask) -> Self {
        Self::stamped(mask, &renderer())
    }
}

/// The renderer of observer pages.
pub fn renderer() -> Renderer {
    static FINGERPRINT: OnceLock<String> = OnceLock::new();
    stamped(FINGERPRINT.get_or_init(|| fingerprint(&reference_page())).clone())
}

fn stamped(fingerprint: String) -> Renderer {
    Renderer { name: NAME, version: VERSION, fingerprint }
}

/// The page of the reference run. It bears a stamp too, without the fingerprint, which is made of it.
fn reference_page() -> String {
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
        file_status: &FileStatus::Present,
        restarts: 0,
        now: state.identity().last_time,
        live: false,
    };
    let units = Compiler::stamped(Mask::off(), &stamped(String::new())).compile(&subject);
    document(&units, &Shell::Static)
}
