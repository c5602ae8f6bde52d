//! The table of detectors, one row each: the source of the kinds of anomaly, their alerts, the configuration
//! with its defaults, the keys that set it, and `docs/cli.md`.

use std::fmt;

use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};

use super::amount::Amount;

/// A detector: when it raises, escalates and clears an alert, and its thresholds.
#[derive(Debug)]
pub struct Detector {
    /// The kind of anomaly that it finds.
    pub kind: AnomalyKind,
    /// What that is.
    pub meaning: &'static str,
    /// When it is raised. Names in backquotes are thresholds.
    pub raised: &'static str,
    /// When it becomes grave.
    pub escalated: &'static str,
    /// When it is over.
    pub cleared: &'static str,
    /// The alert text, with `{subject}` and `{count}` as placeholders.
    pub alert: &'static str,
    /// What can be set.
    pub thresholds: &'static [Threshold],
}

/// A number that decides when a detector speaks.
pub struct Threshold {
    /// The key that sets it: `loop.raise`.
    pub key: &'static str,
    /// What it decides, with its unit.
    pub meaning: &'static str,
    /// The values it accepts.
    pub takes: &'static str,
    /// Its value in a configuration, as it can be set.
    pub get: fn(&DetectorConfig) -> String,
    /// Sets it; false if it does not take that value.
    pub set: fn(&mut DetectorConfig, &str) -> bool,
}

impl fmt::Debug for Threshold {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.key)
    }
}

macro_rules! detectors {
    (
        $(
            $(#[doc = $meaning:literal])+
            $kind:ident $name:literal $title:literal {
                raised: $raised:literal,
                escalated: $escalated:literal,
                cleared: $cleared:literal,
                alert: $alert:literal,
                $(
                    $(#[doc = $decides:literal])+
                    $key:literal $field:ident: $type:ty = $default:expr,
                )*
            }
        )*
        bounds {
            $( $(#[doc = $bounds:literal])+ $bound:ident: $bound_type:ty = $bound_default:expr, )*
        }
    ) => {
        /// The kinds of anomaly, in the order in which reports list them.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        pub enum AnomalyKind {
            $( $(#[doc = $meaning])+ #[serde(rename = $name)] $kind, )*
        }

        impl AnomalyKind {
            /// Every kind, in order.
            pub const ALL: [Self; DETECTORS.len()] = [$(Self::$kind),*];

            /// The kind's name as it is serialized.
            pub fn name(self) -> &'static str {
                match self { $(Self::$kind => $name),* }
            }

            /// What people call the kind.
            pub fn title(self) -> &'static str {
                match self { $(Self::$kind => $title),* }
            }

            /// The alert text for an anomaly of this kind.
            pub(in crate::detect) fn alert(self, subject: &str, count: u64) -> String {
                match self {
                    $(Self::$kind => format!($alert, subject = subject, count = count)),*
                }
            }
        }

        /// The detectors, in the order of their kinds.
        pub const DETECTORS: &[Detector] = &[$(
            Detector {
                kind: AnomalyKind::$kind,
                meaning: concat!($($meaning),+).trim_ascii(),
                raised: $raised,
                escalated: $escalated,
                cleared: $cleared,
                alert: $alert,
                thresholds: &[$(
                    Threshold {
                        key: $key,
                        meaning: concat!($($decides),+).trim_ascii(),
                        takes: <$type as Amount>::TAKES,
                        get: |config| config.$field.write(),
                        set: |config, text| match Amount::read(text) {
                            Some(value) => { config.$field = value; true }
                            None => false,
                        },
                    },
                )*],
            },
        )*];

        /// Thresholds and bounds. Fields left out when deserialized take their default.
        #[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
        #[serde(default, deny_unknown_fields)]
        pub struct DetectorConfig {
            $( $( $(#[doc = $decides])+ pub $field: $type, )* )*
            $( $(#[doc = $bounds])+ pub $bound: $bound_type, )*
        }

        impl Default for DetectorConfig {
            fn default() -> Self {
                Self { $( $( $field: $default, )* )* $( $bound: $bound_default, )* }
            }
        }
    };
}

detectors! {
    /// The same call with the same result, again and again.
    Loop "loop" "Loop" {
        raised: "among the thread's last `window` outcomes, one call with the same tool, input and result stands `raise` times",
        escalated: "`escalate` times",
        cleared: "none of them is left in the window, progress was made, or a user turn",
        alert: "{subject} called {count} times with the same input and the same result",
        /// Outcomes of a thread among which repetitions are looked for.
        "loop.window" loop_window: usize = 12,
        /// Repetitions in the window that raise a loop.
        "loop.raise" loop_raise: u64 = 3,
        /// Repetitions since the loop's first that escalate it.
        "loop.escalate" loop_escalate: u64 = 6,
    }

    /// Failure upon failure.
    ErrorStreak "error_streak" "Error streak" {
        raised: "`raise` of the thread's last `window` outcomes failed",
        escalated: "`escalate` failures",
        cleared: "`clear` successes in a row, half of the window succeeded, or a user turn",
        alert: "{count} calls failed, the last of {subject}",
        /// Succeeded or failed outcomes of a thread that are looked at for a streak.
        "streak.window" streak_window: usize = 6,
        /// Failures in the window that raise an error streak.
        "streak.raise" streak_raise: u64 = 5,
        /// Failures since the streak's first that escalate it.
        "streak.escalate" streak_escalate: u64 = 10,
        /// Successes in a row that end a streak.
        "streak.clear" streak_clear: u64 = 2,
    }

    /// Many calls of few tools that bring nothing new.
    ToolFlood "tool_flood" "Tool flood" {
        raised: "`concentration` of the thread's last `window` calls go to at most two tools, and fewer than half of the window brought anything new",
        escalated: "`escalate_windows` windows of calls",
        cleared: "half of the window brought something new, or a user turn",
        alert: "{count} calls, nearly all of {subject}, most of which brought nothing new",
        /// Calls of a thread that are looked at for a flood.
        "flood.window" flood_window: usize = 50,
        /// Calls of the window that must go to the two commonest tools.
        "flood.concentration" flood_concentration: usize = 40,
        /// Windows of calls at which a flood escalates.
        "flood.escalate_windows" flood_escalate_windows: u64 = 3,
    }

    /// Silence while a call runs and should be answering.
    Stall "stall" "Stall" {
        raised: "more than `millis` without an event while a call is in flight that runs",
        escalated: "more than `escalate_millis`",
        cleared: "the next event",
        alert: "nothing happened for {count} s while {subject} had not answered",
        /// Milliseconds of silence, with a call in flight that runs, above which it is a stall.
        "stall.millis" stall_millis: i64 = 600_000,
        /// Milliseconds of silence above which the stall escalates.
        "stall.escalate_millis" stall_escalate_millis: i64 = 1_800_000,
    }

    /// Silence while a call waits, by all that the records show, for a person to allow or answer it.
    WaitingForPerson "waiting_for_person" "Waiting for a person" {
        raised: "more than `millis` without an event while calls are in flight and none of them runs",
        escalated: "more than `escalate_millis`",
        cleared: "the next event",
        alert: "{subject} showed no sign of running for {count} s; it probably waited for a person",
        /// Milliseconds of silence, with a call in flight that shows no sign of running where a person is
        /// asked before a tool runs, above which it waits for that person.
        "waiting.millis" waiting_millis: i64 = 1_800_000,
        /// Milliseconds of silence above which the wait escalates.
        "waiting.escalate_millis" waiting_escalate_millis: i64 = 14_400_000,
    }

    /// More was spent than allowed.
    Budget "budget" "Budget" {
        raised: "more than `dollars` or `tokens` was spent",
        escalated: "`escalate` times the limit",
        cleared: "spending is corrected to the limit or below",
        alert: "spent {count} % of {subject}",
        /// Limit on US dollars, if any.
        "budget.dollars" budget_dollars: Option<Decimal> = None,
        /// Limit on tokens of all kinds, if any.
        "budget.tokens" budget_tokens: Option<u64> = None,
        /// Multiple of the limit at which it escalates.
        "budget.escalate" budget_escalate: u64 = 2,
    }

    bounds {
        /// Threads followed at once; the one longest unused is forgotten, its anomalies cleared (64).
        max_threads: usize = 64,
        /// Calls in flight that are remembered; beyond it the older half is forgotten (4,096).
        max_in_flight: usize = 4096,
        /// Distinct tool names told apart; later ones count as one tool, `other tools` (1,024).
        max_tools: usize = 1024,
        /// Cleared anomalies kept; older ones are dropped and counted (256).
        keep_cleared: usize = 256,
    }
}

impl fmt::Display for AnomalyKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
