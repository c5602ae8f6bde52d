//! What holds for every sequence of observations.

use proptest::prelude::*;
use rust_decimal::Decimal;

use super::{AnomalyKind, DetectorConfig, Detectors, Observation, OutcomeKind, WaitsFor};

#[derive(Debug, Clone)]
enum Op {
    Call { thread: u32, call: u64, tool: usize, input: u64, waits_for: WaitsFor, writes: bool },
    Outcome { thread: u32, call: u64, result: OutcomeKind, hash: u64 },
    Closed { thread: u32, call: u64 },
    Running(u64),
    Returned(u64),
    Approval(bool),
    Time(i64),
    UserTurn(u32),
    ThreadEnded(u32),
    Spend(i64, u64),
    Advance(i64),
}

const TOOLS: [&str; 4] = ["Bash", "Read", "Edit", "Grep"];

fn outcome() -> impl Strategy<Value = OutcomeKind> {
    prop_oneof![
        3 => Just(OutcomeKind::Succeeded),
        4 => Just(OutcomeKind::Failed),
        1 => Just(OutcomeKind::Denied),
        1 => Just(OutcomeKind::Interrupted),
    ]
}

fn waits_for() -> impl Strategy<Value = WaitsFor> {
    prop_oneof![
        8 => Just(WaitsFor::Tool),
        1 => Just(WaitsFor::Person),
        1 => Just(WaitsFor::Thread),
    ]
}

fn op() -> impl Strategy<Value = Op> {
    let call = (0..3u32, 0..4u64, 0..4usize, 0..3u64, waits_for(), any::<bool>()).prop_map(
        |(thread, call, tool, input, waits_for, writes)| Op::Call {
            thread,
            call,
            tool,
            input,
            waits_for,
            writes,
        },
    );
    let answer = (0..3u32, 0..4u64, outcome(), 0..3u64)
        .prop_map(|(thread, call, result, hash)| Op::Outcome { thread, call, result, hash });
    prop_oneof![
        20 => call,
        20 => answer,
        1 => (0..3u32, 0..4u64).prop_map(|(thread, call)| Op::Closed { thread, call }),
        1 => (0..4u64).prop_map(Op::Running),
        1 => (0..4u64).prop_map(Op::Returned),
        1 => any::<bool>().prop_map(Op::Approval),
        3 => (0..5_000_000i64).prop_map(Op::Time),
        1 => (0..3u32).prop_map(Op::UserTurn),
        1 => (0..3u32).prop_map(Op::ThreadEnded),
        1 => (-100..200i64, 0..500u64).prop_map(|(d, t)| Op::Spend(d, t)),
        1 => (0..9_000_000i64).prop_map(Op::Advance),
    ]
}

fn feed(detectors: &mut Detectors, seq: u64, op: &Op) {
    let observation = match *op {
        Op::Call { thread, call, tool, input, waits_for, writes } => Observation::Call {
            seq,
            thread,
            call,
            tool: TOOLS[tool],
            input_hash: input,
            waits_for,
            writes,
        },
        Op::Outcome { thread, call, result, hash } => {
            Observation::Outcome { seq, thread, call, result, result_hash: hash }
        }
        Op::Closed { thread, call } => Observation::Closed { seq, thread, call },
        Op::Running(call) => Observation::Running { seq, call },
        Op::Returned(call) => Observation::Returned { seq, call },
        Op::Approval(asked) => Observation::Approval { seq, asked },
        Op::Time(millis) => Observation::Time { seq, millis },
        Op::UserTurn(thread) => Observation::UserTurn { seq, thread },
        Op::ThreadEnded(thread) => Observation::ThreadEnded { seq, thread },
        Op::Spend(dollars, tokens) => {
            Observation::Spend { seq, dollars: Decimal::new(dollars, 2), tokens }
        }
        Op::Advance(now) => return detectors.advance(now),
    };
    detectors.observe(&observation);
}

/// Small windows and bounds, so that short sequences reach every rule.
fn config() -> DetectorConfig {
    DetectorConfig {
        loop_window: 6,
        streak_window: 4,
        streak_raise: 3,
        streak_escalate: 5,
        flood_window: 8,
        flood_concentration: 6,
        budget_dollars: Some(Decimal::ONE),
        budget_tokens: Some(1000),
        max_threads: 2,
        max_in_flight: 3,
        max_tools: 3,
        keep_cleared: 5,
        ..DetectorConfig::default()
    }
}

proptest! {
    #[test]
    fn a_restored_state_goes_on_like_the_saved_one(
        ops in prop::collection::vec(op(), 0..300),
        cut in 0..300usize,
    ) {
        let mut whole = Detectors::new(config());
        let mut parts = Detectors::new(config());
        for (i, op) in ops.iter().enumerate() {
            feed(&mut whole, i as u64, op);
            if i == cut {
                let saved = serde_json::to_string(&parts).unwrap();
                parts = serde_json::from_str(&saved).unwrap();
            }
            feed(&mut parts, i as u64, op);
        }
        prop_assert_eq!(&whole, &parts);
    }

    #[test]
    fn anomalies_are_in_order_and_accounted_for(ops in prop::collection::vec(op(), 0..400)) {
        let mut detectors = Detectors::new(config());
        for (i, op) in ops.iter().enumerate() {
            feed(&mut detectors, i as u64, op);
            let raised: u64 = AnomalyKind::ALL.iter().map(|k| detectors.raised(*k)).sum();
            let cleared = detectors.cleared().len() as u64 + detectors.cleared_dropped();
            prop_assert_eq!(raised, detectors.active().len() as u64 + cleared);
            prop_assert!(detectors.cleared().len() <= 5);
            for a in detectors.active() {
                prop_assert!(a.cleared_at.is_none());
                prop_assert!(a.first_seq <= a.raised_at && a.raised_at <= i as u64);
            }
            for a in detectors.cleared() {
                let end = a.cleared_at.unwrap();
                prop_assert!(a.raised_at <= end);
                prop_assert!(a.escalated_at.is_none_or(|e| a.raised_at <= e && e <= end));
            }
        }
    }
}
