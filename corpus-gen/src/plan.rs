//! What to generate: a list of runs, each named by what generates it.

use serde::{Deserialize, Serialize};

use crate::pathology::labels::Set;
use crate::pathology::trace;
use crate::profile::Profile;
use crate::run::GeneratedRun;
use crate::seeds::Seeds;
use crate::session::driver::session;

/// What generates a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "generator", rename_all = "lowercase")]
pub enum Source {
    /// A session.
    Session {
        /// Its profile.
        profile: Profile,
        /// Its seed.
        seed: u64,
    },
    /// A pathology trace.
    Pathology {
        /// Its set.
        set: Set,
        /// Its seed.
        seed: u64,
    },
}

impl Source {
    /// Generates the run.
    #[must_use]
    pub fn generate(self) -> GeneratedRun {
        match self {
            Source::Session { profile, seed } => session(profile, seed),
            Source::Pathology { set, seed } => trace(set, seed),
        }
    }

    /// The run's name.
    #[must_use]
    pub fn name(self) -> String {
        match self {
            Source::Session { profile, seed } => format!("{profile}-{seed}"),
            Source::Pathology { set, seed } => format!("{set}-{seed}"),
        }
    }

    /// The folder that its files are in, below the corpus's.
    #[must_use]
    pub fn folder(self) -> String {
        match self {
            Source::Session { profile, .. } => format!("sessions/{profile}"),
            Source::Pathology { set, .. } => format!("pathology/{set}"),
        }
    }
}

/// A list of runs to generate.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Plan(pub Vec<Source>);

impl Plan {
    /// Sessions of each profile, then traces of each set. Where `trace_seeds` is absent, each set has
    /// its default seeds.
    #[must_use]
    pub fn new(
        profiles: &[Profile],
        seeds: &Seeds,
        sets: &[Set],
        trace_seeds: Option<&Seeds>,
    ) -> Self {
        let mut sources = Vec::new();
        for &profile in profiles {
            let session = |&seed: &u64| Source::Session { profile, seed };
            sources.extend(seeds.as_slice().iter().map(session));
        }
        for &set in sets {
            let standard = default_trace_seeds(set);
            let trace = |&seed: &u64| Source::Pathology { set, seed };
            sources.extend(trace_seeds.unwrap_or(&standard).as_slice().iter().map(trace));
        }
        Self(sources)
    }

    /// The default corpus: twelve sessions of each profile, thirty traces of each set.
    #[must_use]
    pub fn default_corpus() -> Self {
        Self::new(&Profile::ALL, &default_session_seeds(), &Set::ALL, None)
    }
}

/// Seeds of the default sessions: 201-212.
#[must_use]
pub fn default_session_seeds() -> Seeds {
    Seeds::range(201, 212)
}

/// Seeds of a set's default traces: 301-330 (default), 401-430 (hard).
#[must_use]
pub fn default_trace_seeds(set: Set) -> Seeds {
    match set {
        Set::Default => Seeds::range(301, 330),
        Set::Hard => Seeds::range(401, 430),
    }
}

/// The sessions of a profile, generated one by one as they are asked for.
pub fn sessions(profile: Profile, seeds: &Seeds) -> impl Iterator<Item = GeneratedRun> {
    seeds.as_slice().iter().map(move |&seed| session(profile, seed))
}

/// The traces of a set's default seeds, generated one by one as they are asked for.
pub fn pathology(set: Set) -> impl Iterator<Item = GeneratedRun> {
    pathology_of(set, default_trace_seeds(set))
}

/// The traces of a set with these seeds.
pub fn pathology_of(set: Set, seeds: Seeds) -> impl Iterator<Item = GeneratedRun> {
    seeds.into_vec().into_iter().map(move |seed| trace(set, seed))
}
