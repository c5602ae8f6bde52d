//! Follows a run's files on a thread of its own, and publishes its page as they grow. The system tells
//! of changes where it can; a look at the file twice a second finds what it does not tell.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

use notify::{RecommendedWatcher, RecursiveMode, Watcher as _};
use trace_model::fold::FoldConfig;
use trace_model::run::RunError;

use super::clock;
use super::publish::{Kind, Publisher};
use crate::mask::Mask;
use crate::page::{Compiler, Subject, Units};
use crate::session::Session;

/// The time between looks where nothing is told.
const LOOK: Duration = Duration::from_millis(500);
/// The time between pages while nothing is written: ages grow.
const TICK: Duration = Duration::from_secs(1);
/// Changes that come together are read together.
const SETTLE: Duration = Duration::from_millis(40);
/// A page that nobody has looked at for so long is no longer followed.
const UNWATCHED: Duration = Duration::from_secs(60);

/// What is to be followed.
#[derive(Debug, Clone)]
pub struct Follow {
    /// The session's file.
    pub path: PathBuf,
    /// How it is folded.
    pub config: FoldConfig,
    /// Whether secrets are shown.
    pub show_secrets: bool,
}

/// Reads a run and follows it until nobody looks at its page any more.
pub fn follow(what: &Follow) -> Result<Arc<Publisher>, RunError> {
    let mut compiler = Compiler::new(Mask::unless(what.show_secrets));
    let mut session = Session::followed(&what.path, what.config.clone())?;
    let units = page(&mut session, &mut compiler);
    let first = u64::try_from(clock().0).unwrap_or(0);
    let publisher = Arc::new(Publisher::new(Kind::Run, units, first));
    let told = Arc::clone(&publisher);
    thread::spawn(move || keep_up(&mut session, &mut compiler, &told));
    Ok(publisher)
}

/// The page of a session as of now.
fn page(session: &mut Session, compiler: &mut Compiler) -> Units {
    let now = clock();
    session.advance(now);
    let reading = session.run().reading();
    let subject = Subject { live: true, ..Subject::of(session, &reading, Some(now)) };
    compiler.compile(&subject)
}

fn keep_up(session: &mut Session, compiler: &mut Compiler, publisher: &Publisher) {
    let (changes, watcher) = changes(session.run().session());
    let mut last_page = Instant::now();
    let mut looked_at = Instant::now();
    loop {
        match changes.recv_timeout(LOOK) {
            Ok(()) => {
                thread::sleep(SETTLE);
                while changes.try_recv().is_ok() {}
            }
            Err(RecvTimeoutError::Timeout) => {}
            // Nobody tells of changes: only looking is left.
            Err(RecvTimeoutError::Disconnected) => thread::sleep(LOOK),
        }
        if session.poll() || last_page.elapsed() >= TICK {
            publisher.publish(page(session, compiler));
            last_page = Instant::now();
        }
        if publisher.readers() > 0 {
            looked_at = Instant::now();
        } else if looked_at.elapsed() > UNWATCHED {
            break;
        }
    }
    drop(watcher);
}

/// Tells of changes to the session's files. Without a watcher, which some file systems do not have,
/// the channel is closed.
fn changes(session: &Path) -> (Receiver<()>, Option<RecommendedWatcher>) {
    let (tell, changes) = channel();
    (changes, watch(session, tell).ok())
}

fn watch(session: &Path, tell: Sender<()>) -> notify::Result<RecommendedWatcher> {
    let mut watcher = notify::recommended_watcher(move |event: notify::Result<notify::Event>| {
        // That a file was opened is no change; it is mostly we who did.
        if !event.is_ok_and(|event| event.kind.is_access()) {
            let _ = tell.send(()); // nobody listens any more: the page is no longer followed
        }
    })?;
    let folder = match session.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    // The folder, not the file: a file that is replaced is another one under the same name.
    watcher.watch(folder, RecursiveMode::NonRecursive)?;
    let subagents = session.with_extension("");
    if subagents.is_dir() {
        watcher.watch(&subagents, RecursiveMode::Recursive)?;
    }
    Ok(watcher)
}
