//! The truth that a task carries: when it is done, and what its answer is made of.

use std::collections::BTreeMap;

/// What the end state is checked against.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Check {
    /// A file must hold one line `total = N`, N being the last of these.
    Total {
        /// The file.
        path: String,
        /// The statistic over the first link, the first two, and so on. All differ from one another and
        /// from 0, so that no wrong prefix equals the truth.
        prefixes: Vec<i64>,
    },
    /// A file must hold exactly these `key = value` lines, in any order.
    Lines {
        /// The file.
        path: String,
        /// Value by key.
        lines: BTreeMap<String, String>,
    },
    /// All files must be as these, and there must be no others.
    State {
        /// Text by path.
        files: BTreeMap<String, String>,
        /// In what they differ from the start.
        repairs: Vec<Repair>,
    },
}

/// A line of a configuration file that has to change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Repair {
    /// The file.
    pub path: String,
    /// The key.
    pub key: String,
    /// The value that it must get.
    pub value: String,
}

/// A value that the answer is made of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Link {
    /// The file that states it.
    pub path: String,
    /// What that file calls it.
    pub key: String,
    /// The value.
    pub value: i64,
}

/// What an answer is of the values that it is made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Statistic {
    /// Nothing that a running statistic could hold.
    None,
    /// The sum of a key's values.
    Sum {
        /// The key.
        key: &'static str,
    },
    /// The first of a key's values less the second plus the third and so on, along the traversal.
    AlternatingSum {
        /// The key.
        key: &'static str,
    },
}
