//! The detectors' thresholds. Every number that decides anything is a field here.

use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};

/// Thresholds and bounds. Fields left out when deserialized take their default.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct DetectorConfig {
    /// Outcomes of a thread among which repetitions are looked for (12).
    pub loop_window: usize,
    /// Repetitions in the window that raise a loop (3).
    pub loop_raise: u64,
    /// Repetitions since the loop's first that escalate it (6).
    pub loop_escalate: u64,
    /// Succeeded or failed outcomes of a thread that are looked at for a streak (6).
    pub streak_window: usize,
    /// Failures in the window that raise an error streak (5).
    pub streak_raise: u64,
    /// Failures since the streak's first that escalate it (10).
    pub streak_escalate: u64,
    /// Successes in a row that end a streak (2).
    pub streak_clear: u64,
    /// Calls of a thread that are looked at for a flood (50).
    pub flood_window: usize,
    /// Calls of the window that must go to the two commonest tools (40).
    pub flood_concentration: usize,
    /// A flood escalates at this many windows of calls (3).
    pub flood_escalate_windows: u64,
    /// Silence above this many milliseconds, with a call in flight that runs, is a stall (600,000).
    pub stall_millis: i64,
    /// Silence above this many milliseconds escalates the stall (1,800,000).
    pub stall_escalate_millis: i64,
    /// Silence above this many milliseconds, with a call in flight that shows no sign of running where a
    /// person is asked before a tool runs, is a wait for that person (1,800,000).
    pub waiting_millis: i64,
    /// Silence above this many milliseconds escalates the wait (14,400,000).
    pub waiting_escalate_millis: i64,
    /// Limit on US dollars, if any.
    pub budget_dollars: Option<Decimal>,
    /// Limit on tokens of all kinds, if any.
    pub budget_tokens: Option<u64>,
    /// Budget anomalies escalate at this multiple of the limit (2).
    pub budget_escalate: u64,
    /// Threads followed at once; the one longest unused is forgotten, its anomalies cleared (64).
    pub max_threads: usize,
    /// Calls in flight that are remembered; beyond it the older half is forgotten (4,096).
    pub max_in_flight: usize,
    /// Distinct tool names told apart; later ones count as one tool, `other tools` (1,024).
    pub max_tools: usize,
    /// Cleared anomalies kept; older ones are dropped and counted (256).
    pub keep_cleared: usize,
}

impl Default for DetectorConfig {
    fn default() -> Self {
        Self {
            loop_window: 12,
            loop_raise: 3,
            loop_escalate: 6,
            streak_window: 6,
            streak_raise: 5,
            streak_escalate: 10,
            streak_clear: 2,
            flood_window: 50,
            flood_concentration: 40,
            flood_escalate_windows: 3,
            stall_millis: 600_000,
            stall_escalate_millis: 1_800_000,
            waiting_millis: 1_800_000,
            waiting_escalate_millis: 14_400_000,
            budget_dollars: None,
            budget_tokens: None,
            budget_escalate: 2,
            max_threads: 64,
            max_in_flight: 4096,
            max_tools: 1024,
            keep_cleared: 256,
        }
    }
}
