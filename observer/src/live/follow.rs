//! Follows a run's files on a separate thread, and publishes its page as they grow. File system events trigger
//! a read where they are available; polling twice a second catches the rest.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

use notify::{RecommendedWatcher, RecursiveMode, Watcher as _};
use trace_model::fold::FoldConfig;
use trace_model::run::RunError;

use super::clock::clock;
use super::publish::Publisher;
use crate::fault::{Panicked, caught};
use crate::mask::Mask;
use crate::page::{Compiler, RUN, Subject, Units, with_fault};
use crate::session::Session;

/// The polling interval.
const LOOK: Duration = Duration::from_millis(500);
/// The interval between pages while nothing is written, because ages grow.
const TICK: Duration = Duration::from_secs(1);
/// How long to wait for more changes, so that a burst is read once.
const SETTLE: Duration = Duration::from_millis(40);
/// The time after which a run whose page panicked is read again.
const RETRY: Duration =
    if cfg!(test) { Duration::from_millis(100) } else { Duration::from_secs(10) };
/// How long a page without readers is still followed.
const UNWATCHED: Duration = Duration::from_secs(60);

/// Which run to follow, and how.
#[derive(Debug, Clone)]
pub struct Follow {
    /// The session's file.
    pub path: PathBuf,
    /// How it is folded.
    pub config: FoldConfig,
    /// Whether secrets are shown.
    pub show_secrets: bool,
}

/// Reads a run and follows it until its page has no readers.
pub fn follow(what: &Follow) -> Result<Arc<Publisher>, RunError> {
    let mut opened = Opened::new(what)?;
    let units = opened.page();
    let first = u64::try_from(clock().0).unwrap_or(0);
    let publisher = Arc::new(Publisher::new(RUN, units, first));
    let told = Arc::clone(&publisher);
    let what = what.clone();
    thread::spawn(move || keep_up(&what, opened, &told));
    Ok(publisher)
}

/// A run that is read, and what compiles its pages.
struct Opened {
    session: Session,
    compiler: Compiler,
}

impl Opened {
    fn new(what: &Follow) -> Result<Self, RunError> {
        let compiler = Compiler::new(Mask::unless(what.show_secrets));
        Ok(Self { session: Session::followed(&what.path, what.config.clone())?, compiler })
    }

    /// The page as of now.
    fn page(&mut self) -> Units {
        let Self { session, compiler } = self;
        let now = clock();
        session.advance(now);
        let reading = session.run().reading();
        let subject = Subject { live: true, ..Subject::of(session, &reading, Some(now)) };
        compiler.compile(&subject)
    }

    /// The page, if something was written or a new one is due for the ages on it.
    fn page_if_new(&mut self, due: bool) -> Option<Units> {
        (self.session.poll() || due).then(|| self.page())
    }
}

fn keep_up(what: &Follow, opened: Opened, publisher: &Publisher) {
    let (changes, watcher) = changes(&what.path);
    // None after a panic: neither the state nor the compiler can be relied on then.
    let mut opened = Some(opened);
    let mut last_page = Instant::now();
    let mut looked_at = Instant::now();
    loop {
        wait(&changes);
        let since = last_page.elapsed();
        let page = caught(|| match &mut opened {
            Some(opened) => opened.page_if_new(since >= TICK),
            None if since >= RETRY => {
                let anew = opened.insert(Opened::new(what).ok()?);
                Some(anew.page())
            }
            None => None,
        });
        match page {
            Ok(Some(units)) => {
                publisher.publish(units);
                last_page = Instant::now();
            }
            Ok(None) => {}
            Err(Panicked) => {
                opened = None;
                publisher.publish(with_fault(publisher.units()));
                last_page = Instant::now();
            }
        }
        if publisher.readers() > 0 {
            looked_at = Instant::now();
        } else if looked_at.elapsed() > UNWATCHED {
            break;
        }
    }
    drop(watcher);
}

/// Waits until something may have been written.
fn wait(changes: &Receiver<()>) {
    match changes.recv_timeout(LOOK) {
        Ok(()) => {
            thread::sleep(SETTLE);
            while changes.try_recv().is_ok() {}
        }
        Err(RecvTimeoutError::Timeout) => {}
        // There is no watcher: only polling is left.
        Err(RecvTimeoutError::Disconnected) => thread::sleep(LOOK),
    }
}

/// Signals changes to the session's files. Where the file system has no watcher, the channel is closed.
fn changes(session: &Path) -> (Receiver<()>, Option<RecommendedWatcher>) {
    let (tell, changes) = channel();
    (changes, watch(session, tell).ok())
}

fn watch(session: &Path, tell: Sender<()>) -> notify::Result<RecommendedWatcher> {
    let mut watcher = notify::recommended_watcher(move |event: notify::Result<notify::Event>| {
        // Opening a file changes nothing, and it is mostly us.
        if !event.is_ok_and(|event| event.kind.is_access()) {
            let _ = tell.send(()); // fails once the page is no longer followed
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

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::fs;

    use super::super::site::{Page, Site};
    use super::*;
    use crate::fault::{FAULT, INJECTED};

    fn prompt(text: &str) -> String {
        let message = serde_json::json!({"role": "user", "content": text});
        let record =
            serde_json::json!({"type": "user", "uuid": text, "sessionId": "s", "message": message});
        format!("{record}\n")
    }

    fn append(path: &Path, text: &str) {
        let before = fs::read_to_string(path).unwrap();
        fs::write(path, before + &prompt(text)).unwrap();
    }

    #[track_caller]
    fn until(page: &Page, shows: impl Fn(&str) -> bool) {
        let start = Instant::now();
        loop {
            let html = page.borrow().page(String::new(), None);
            if shows(&html) {
                return;
            }
            assert!(start.elapsed() < Duration::from_secs(20), "it does not come: {html}");
            thread::sleep(Duration::from_millis(20));
        }
    }

    #[test]
    fn a_panic_in_one_page_ends_neither_it_nor_the_others() {
        let folder = tempfile::tempdir().unwrap();
        let paths = ["first", "second"].map(|name| folder.path().join(format!("{name}.jsonl")));
        for path in &paths {
            fs::write(path, prompt("Count the widgets.")).unwrap();
        }
        let follow_of = |path: &Path| Follow {
            path: path.to_owned(),
            config: FoldConfig::default(),
            show_secrets: true,
        };
        let site = Site::new(follow(&follow_of(&paths[0])).unwrap());
        let names = ["a", "b"].map(str::to_owned);
        let sessions: BTreeMap<_, _> =
            names.into_iter().zip(paths.each_ref().map(|path| follow_of(path))).collect();
        site.set_sessions(sessions);
        let [first, second] = ["a", "b"].map(|name| site.session(name).unwrap().unwrap());

        append(&paths[0], INJECTED);
        until(&first, |page| page.contains(FAULT) && page.contains("Count the widgets."));
        append(&paths[1], "Count the gears.");
        until(&second, |page| page.contains("Count the gears.") && !page.contains(FAULT));
        // The page resumes once the latest request is no longer the one that made it panic.
        append(&paths[0], "Count the springs.");
        until(&first, |page| page.contains("Count the springs.") && !page.contains(FAULT));
    }
}
