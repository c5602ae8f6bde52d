//! The current page, and the revision at which each of its parts last changed: enough to send a browser
//! exactly what it lacks, however long it was disconnected.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::Serialize;
use tokio::sync::watch;

use crate::page::{Layout, Shell, Unit, Units};

/// A page at a revision.
#[derive(Debug)]
pub struct Published {
    layout: Layout,
    revision: u64,
    units: Units,
    /// The revision at which each part became what it is.
    since: BTreeMap<String, u64>,
    order_since: u64,
}

/// An update as it is sent to a browser.
#[derive(Serialize)]
struct PageUpdate<'a> {
    revision: u64,
    title: &'a str,
    list: &'static str,
    units: Vec<ChangedPart<'a>>,
    /// The ids of the list's parts in order, if the order changed.
    order: Option<Vec<&'a str>>,
}

#[derive(Serialize)]
struct ChangedPart<'a> {
    id: &'a str,
    html: &'a str,
}

impl Published {
    /// The revision.
    pub fn revision(&self) -> u64 {
        self.revision
    }

    /// The whole page.
    pub fn page(&self, events: String, up: Option<&'static str>) -> String {
        let shell = Shell::Live { events, revision: self.revision, up };
        (self.layout.document)(&self.units, &shell)
    }

    /// What changed since `revision`, as JSON.
    pub fn change_since(&self, revision: u64) -> String {
        // A revision above ours comes from another server.
        let seen = if revision > self.revision { 0 } else { revision };
        let changed = |unit: &&Unit| self.since.get(&unit.id).is_none_or(|since| *since > seen);
        let all = self.units.fixed.iter().chain(&self.units.episodes);
        let change = PageUpdate {
            revision: self.revision,
            title: &self.units.title,
            list: self.layout.list,
            units: all
                .filter(changed)
                .map(|unit| ChangedPart { id: &unit.id, html: &unit.html })
                .collect(),
            order: (self.order_since > seen)
                .then(|| self.units.episodes.iter().map(|unit| unit.id.as_str()).collect()),
        };
        serde_json::to_string(&change).unwrap_or_default() // of strings and numbers, always
    }
}

/// Publishes the page of one run, or of the fleet.
#[derive(Debug)]
pub struct Publisher(watch::Sender<Arc<Published>>);

impl Publisher {
    /// Publishes a first page. Revisions count from `first`; a server that takes another's place has to
    /// start above the other's, so the time is a good one.
    pub(crate) fn new(layout: Layout, units: Units, first: u64) -> Self {
        let all = units.fixed.iter().chain(&units.episodes);
        let since = all.map(|unit| (unit.id.clone(), first)).collect();
        let published = Published { layout, revision: first, units, since, order_since: first };
        Self(watch::Sender::new(Arc::new(published)))
    }

    /// Publishes the page as it is now; returns whether anything is different.
    pub fn publish(&self, units: Units) -> bool {
        let before = self.0.borrow().clone();
        if before.units == units {
            return false;
        }
        let revision = before.revision + 1;
        let known: BTreeMap<&str, &str> = (before.units.fixed.iter())
            .chain(&before.units.episodes)
            .map(|unit| (unit.id.as_str(), &*unit.html))
            .collect();
        let since = (units.fixed.iter().chain(&units.episodes)).map(|unit| {
            let same = known.get(unit.id.as_str()) == Some(&&*unit.html);
            let since = before.since.get(&unit.id).filter(|_| same);
            (unit.id.clone(), since.copied().unwrap_or(revision))
        });
        let since = since.collect();
        let ids =
            |units: &Units| units.episodes.iter().map(|unit| unit.id.clone()).collect::<Vec<_>>();
        let order_since =
            if ids(&units) == ids(&before.units) { before.order_since } else { revision };
        let layout = before.layout;
        self.0.send_replace(Arc::new(Published { layout, revision, units, since, order_since }));
        true
    }

    /// What is published now.
    pub(crate) fn units(&self) -> Units {
        self.0.borrow().units.clone()
    }

    /// Follows what is published.
    pub fn subscribe(&self) -> watch::Receiver<Arc<Published>> {
        self.0.subscribe()
    }

    /// How many follow it.
    pub fn readers(&self) -> usize {
        self.0.receiver_count()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page::RUN;

    fn units(fixed: &[(&str, &str)], list: &[(&str, &str)]) -> Units {
        let all = |units: &[(&str, &str)]| {
            units.iter().map(|(id, html)| Unit { id: (*id).into(), html: (*html).into() }).collect()
        };
        Units { title: "t".into(), fixed: all(fixed), episodes: all(list) }
    }

    fn told(publisher: &Publisher, since: u64) -> serde_json::Value {
        serde_json::from_str(&publisher.subscribe().borrow().change_since(since)).unwrap()
    }

    #[test]
    fn a_browser_is_told_what_it_lacks_and_no_more() {
        let publisher = Publisher::new(RUN, units(&[("a", "1"), ("b", "1")], &[("x", "1")]), 100);
        assert!(!publisher.publish(units(&[("a", "1"), ("b", "1")], &[("x", "1")])));
        assert!(publisher.publish(units(&[("a", "1"), ("b", "2")], &[("x", "1")])));
        assert!(publisher.publish(units(&[("a", "1"), ("b", "2")], &[("y", "1"), ("x", "1")])));
        let change = told(&publisher, 101);
        assert_eq!(change["units"], serde_json::json!([{"id": "y", "html": "1"}]));
        assert_eq!(change["order"], serde_json::json!(["y", "x"]));
        assert_eq!(told(&publisher, 100)["units"].as_array().unwrap().len(), 2);
        assert_eq!(told(&publisher, 102)["order"], serde_json::Value::Null);
    }

    #[test]
    fn a_page_of_an_earlier_server_is_told_everything() {
        let publisher = Publisher::new(RUN, units(&[("a", "1")], &[]), 100);
        for revision in [7, 4000] {
            assert_eq!(told(&publisher, revision)["units"].as_array().unwrap().len(), 1);
        }
    }
}
