//! The paths of a run by what they may be called. Used by the paths of both families of rule sets, each of which has
//! a normal form of its own.

use std::collections::{BTreeMap, HashMap};

/// Paths in normal form, each with its lower-case form.
#[derive(Debug)]
pub(super) struct PathIndex {
    /// The lower-case form of each path.
    folded: BTreeMap<String, String>,
    /// The same by their last component in lower case, which a path and an end of it have in common.
    by_name: HashMap<String, Vec<(String, String)>>,
}

impl PathIndex {
    /// The paths of these normal forms.
    pub(super) fn of(paths: impl Iterator<Item = String>) -> Self {
        let pair = |path: String| {
            let folded = path.to_lowercase();
            (path, folded)
        };
        let folded: BTreeMap<String, String> = paths.map(pair).collect();
        let mut by_name: HashMap<String, Vec<(String, String)>> = HashMap::new();
        for (path, folded) in &folded {
            let same_name = by_name.entry(name(folded).to_owned()).or_default();
            same_name.push((path.clone(), folded.clone()));
        }
        Self { folded, by_name }
    }

    /// The path of this normal form; else the one that it is but for case; else the one of which it is an end,
    /// or that is an end of it. Case matters only where it tells two paths apart.
    pub(super) fn find(&self, text: &str, is_end: impl Fn(&str, &str) -> bool) -> Option<&str> {
        if let Some((path, _)) = self.folded.get_key_value(text) {
            return Some(path);
        }
        let text = text.to_lowercase();
        let same_name = self.by_name.get(name(&text))?;
        only(same_name, |path| path == text).or_else(|| only(same_name, |path| is_end(path, &text)))
    }
}

/// The one path whose lower-case form fits.
fn only(paths: &[(String, String)], fits: impl Fn(&str) -> bool) -> Option<&str> {
    let mut fitting = paths.iter().filter(|(_, folded)| fits(folded));
    let (first, _) = fitting.next()?;
    fitting.next().is_none().then_some(first)
}

/// The last component of a path.
fn name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}
