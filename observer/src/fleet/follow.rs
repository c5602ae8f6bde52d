//! Keeps the table of sessions up to date while it is looked at.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use trace_model::walk::{WalkError, within};

use super::page::{TABLE, compile};
use super::scan::{Scan, Scanned};
use crate::fault::caught;
use crate::live::{Follow, Publisher, Site, clock};
use crate::mask::Mask;

/// The interval between scans.
const LOOK: Duration = Duration::from_secs(2);
/// Minimum time between pages while many sessions are read.
const TICK: Duration = Duration::from_millis(400);

/// Which sessions to follow, and how.
#[derive(Debug)]
pub struct Fleet {
    /// The sessions.
    pub scan: Scan,
    /// Whether secrets are shown.
    pub show_secrets: bool,
}

/// Scans all sessions repeatedly on a separate thread. The site is there at once; its table fills as sessions
/// are read.
pub fn follow(mut fleet: Fleet) -> Result<Arc<Site>, WalkError> {
    let mask = Mask::unless(fleet.show_secrets);
    // So that a folder that cannot be read is known before anything is served.
    for folder in fleet.scan.folders() {
        within(folder, |_| false)?;
    }
    let now = clock();
    let nothing = compile(fleet.scan.folders(), &Scanned::default(), now, &mask);
    let first = u64::try_from(now.0).unwrap_or(0);
    let publisher = Arc::new(Publisher::new(TABLE, nothing, first));
    let site = Arc::new(Site::new(Arc::clone(&publisher)));
    let served = Arc::clone(&site);
    thread::spawn(move || {
        loop {
            // A panic that neither a session nor a row has caught leaves the table as it is.
            let _ = caught(|| look(&mut fleet, &publisher, &served, &mask));
            thread::sleep(LOOK);
        }
    });
    Ok(site)
}

/// Looks at all sessions, and shows the rows so far while they are read.
fn look(fleet: &mut Fleet, publisher: &Publisher, site: &Site, mask: &Mask) {
    let folders = fleet.scan.folders().to_owned();
    let config = fleet.scan.config().clone();
    let show_secrets = fleet.show_secrets;
    let show = |scanned: &Scanned| {
        publisher.publish(compile(&folders, scanned, clock(), mask));
        let pages = scanned.rows.iter().map(|row| {
            let follow = Follow { path: row.path.clone(), config: config.clone(), show_secrets };
            (row.name(), follow)
        });
        site.set_sessions(pages.collect::<BTreeMap<_, _>>());
    };
    let mut shown: Option<Instant> = None;
    let looked = fleet.scan.look(clock(), |scanned| {
        if shown.is_none_or(|shown| shown.elapsed() >= TICK) {
            show(scanned);
            shown = Some(Instant::now());
        }
    });
    // A folder that is gone for a while keeps its rows on the page.
    if let Ok(scanned) = &looked {
        show(scanned);
    }
}
