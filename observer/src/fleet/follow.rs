//! Keeps the table of sessions up to date while it is looked at.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use trace_model::walk::{WalkError, within};

use super::page::compile;
use super::scan::{Scan, Scanned};
use crate::live::{Follow, Kind, Publisher, Site, clock};
use crate::mask::Mask;

/// The time between looks.
const LOOK: Duration = Duration::from_secs(2);
/// The least time between pages while many sessions are read.
const TICK: Duration = Duration::from_millis(400);

/// What is to be followed.
#[derive(Debug)]
pub struct Fleet {
    /// The sessions.
    pub scan: Scan,
    /// Whether secrets are shown.
    pub show_secrets: bool,
}

/// Looks at all sessions, and then again and again, on a thread of its own. The site is there at once;
/// its table fills as sessions are read.
pub fn follow(mut fleet: Fleet) -> Result<Arc<Site>, WalkError> {
    let mask = Mask::unless(fleet.show_secrets);
    // So that a folder that cannot be read is known before anything is served.
    for folder in fleet.scan.folders() {
        within(folder, |_| false)?;
    }
    let now = clock();
    let nothing = compile(fleet.scan.folders(), &Scanned::default(), now, &mask);
    let first = u64::try_from(now.0).unwrap_or(0);
    let publisher = Arc::new(Publisher::new(Kind::Fleet, nothing, first));
    let site = Arc::new(Site::new(Arc::clone(&publisher)));
    let served = Arc::clone(&site);
    thread::spawn(move || {
        let folders = fleet.scan.folders().to_owned();
        let config = fleet.scan.config().clone();
        let show_secrets = fleet.show_secrets;
        loop {
            let mut told: Option<Instant> = None;
            let show = |scanned: &Scanned| {
                publisher.publish(compile(&folders, scanned, clock(), &mask));
                let pages = scanned.rows.iter().map(|row| {
                    let follow =
                        Follow { path: row.path.clone(), config: config.clone(), show_secrets };
                    (row.name(), follow)
                });
                served.set_sessions(pages.collect::<BTreeMap<_, _>>());
            };
            let looked = fleet.scan.look(clock(), |scanned| {
                if told.is_none_or(|told| told.elapsed() >= TICK) {
                    show(scanned);
                    told = Some(Instant::now());
                }
            });
            // A folder that is gone for a while keeps its rows on the page.
            if let Ok(scanned) = &looked {
                show(scanned);
            }
            thread::sleep(LOOK);
        }
    });
    Ok(site)
}
