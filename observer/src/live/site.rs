//! The pages that a server has: one run's, or the table of sessions and a page for each of them. Pages
//! are reached by names that the server gave out; no path of a request is ever a path of a file.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock};

use tokio::sync::watch;
use trace_model::run::RunError;

use super::follow::{Follow, follow};
use super::publish::{Published, Publisher};

/// Maximum runs followed at once; a further one replaces one without readers.
const FOLLOWED: usize = 24;

/// A page that is served.
pub type Page = watch::Receiver<Arc<Published>>;

/// The pages of a server.
#[derive(Debug)]
pub struct Site {
    front: Arc<Publisher>,
    /// The sessions that have their own page, by the name in their address.
    sessions: RwLock<BTreeMap<String, Follow>>,
    followed: Mutex<BTreeMap<String, Arc<Publisher>>>,
}

impl Site {
    /// A site with this front page.
    pub fn new(front: Arc<Publisher>) -> Self {
        Self { front, sessions: RwLock::default(), followed: Mutex::default() }
    }

    /// Gives sessions a page each, under these names.
    pub fn set_sessions(&self, sessions: BTreeMap<String, Follow>) {
        *self.sessions.write().unwrap_or_else(PoisonError::into_inner) = sessions;
    }

    /// The front page.
    pub(super) fn front(&self) -> Page {
        self.front.subscribe()
    }

    /// The page of a session, if the name is one that was given out. The run is read now unless
    /// somebody looks at it already.
    pub(super) fn session(&self, name: &str) -> Option<Result<Page, RunError>> {
        let what = {
            let sessions = self.sessions.read().unwrap_or_else(PoisonError::into_inner);
            sessions.get(name)?.clone()
        };
        if let Some(known) = self.followed().get(name).filter(|known| Arc::strong_count(known) > 1)
        {
            return Some(Ok(known.subscribe()));
        }
        let publisher = match follow(&what) {
            Ok(publisher) => publisher,
            Err(error) => return Some(Err(error)),
        };
        let page = publisher.subscribe();
        let mut followed = self.followed();
        // Whoever stopped following has let go of its publisher.
        followed.retain(|_, publisher| Arc::strong_count(publisher) > 1);
        while followed.len() >= FOLLOWED {
            let idle = followed.iter().find(|(_, publisher)| publisher.readers() == 0);
            let Some(name) = idle.or(followed.iter().next()).map(|(name, _)| name.clone()) else {
                break;
            };
            followed.remove(&name);
        }
        followed.insert(name.to_owned(), publisher);
        Some(Ok(page))
    }

    fn followed(&self) -> MutexGuard<'_, BTreeMap<String, Arc<Publisher>>> {
        self.followed.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
