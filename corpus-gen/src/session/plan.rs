//! What a session is to hold: its size, how many events of each kind, what happens in it. Seeds are
//! stratified: the stratum is a permutation of `seed mod 12`, so that any twelve seeds in a row span
//! the profile's distribution, as twelve published sessions do.

use crate::profile::Profile;
use crate::rng::{Draw, to_index};
use crate::transcript::client::Layout;

/// Strata, and sessions in the default corpus of a profile.
const STRATA: usize = 12;

/// Targets by stratum. Events and calls are those of the whole run, bytes those of its transcripts.
struct Strata {
    events: [u64; STRATA],
    calls: [u64; STRATA],
    kilobytes: [u64; STRATA],
    api_errors: [u64; STRATA],
    prompts: [u64; STRATA],
    dangling: [u64; STRATA],
    agents: [u64; STRATA],
    compactions: [u64; STRATA],
    /// Shares, per thousand, of events that are neither calls, results nor errors.
    meta: u64,
    thinking: u64,
    message: u64,
}

/// Medians 391 events, 171 calls, 1.08 MB. The published corpus holds nothing but prompts, calls and
/// results; this one keeps some room for what real transcripts hold.
const PAPER: Strata = Strata {
    events: [190, 228, 264, 300, 334, 376, 406, 424, 440, 452, 464, 474],
    calls: [83, 98, 114, 130, 145, 164, 178, 186, 193, 199, 205, 212],
    kilobytes: [570, 640, 730, 820, 920, 1060, 1110, 1140, 1165, 1185, 1200, 1215],
    api_errors: [0, 0, 1, 0, 0, 0, 1, 0, 0, 2, 0, 0],
    prompts: [4, 5, 7, 6, 9, 8, 10, 12, 11, 14, 13, 15],
    dangling: [2, 1, 0, 3, 1, 2, 4, 1, 0, 2, 5, 3],
    agents: [0, 0, 0, 1, 0, 1, 1, 0, 1, 0, 1, 1],
    compactions: [0, 0, 1, 0, 1, 0, 1, 1, 0, 1, 0, 1],
    meta: 210,
    thinking: 120,
    message: 610,
};

/// Medians 935 events, 220 calls, 11.25 MB, 0.5 API errors.
const REALISTIC: Strata = Strata {
    events: [303, 380, 470, 570, 690, 860, 1010, 1150, 1350, 1650, 2300, 4780],
    calls: [56, 68, 84, 100, 120, 206, 234, 238, 245, 290, 400, 925],
    kilobytes: [
        2_850, 5_600, 4_100, 8_600, 7_000, 12_000, 10_500, 15_000, 13_300, 20_500, 17_500, 23_400,
    ],
    api_errors: [0, 0, 1, 0, 0, 2, 0, 1, 0, 1, 4, 13],
    prompts: [5, 9, 7, 13, 11, 18, 23, 15, 30, 26, 33, 38],
    dangling: [1, 3, 0, 2, 1, 4, 2, 0, 5, 1, 3, 2],
    agents: [0, 0, 1, 0, 1, 2, 1, 2, 1, 3, 2, 4],
    compactions: [0, 1, 0, 1, 1, 0, 2, 1, 2, 1, 3, 4],
    meta: 528,
    thinking: 241,
    message: 159,
};

/// A subagent to run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct AgentPlan {
    pub(crate) calls: u64,
    /// Launched in the background: its call is answered at once, its end is notified.
    pub(crate) background: bool,
}

/// A turn that the person interrupts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Interruption {
    /// The turn that it ends.
    pub(crate) turn: u64,
    /// Calls that never get a result.
    pub(crate) unanswered: u64,
    /// Calls of the same message that did.
    pub(crate) answered: u64,
    /// One more call, whose result comes late.
    pub(crate) late: bool,
    /// One of the calls launched a subagent that was stopped with it.
    pub(crate) stops_agent: bool,
}

/// Oddities that a recorded file can have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Oddity {
    TornLine,
    TornAndGlued,
    TwoOnALine,
    RepeatedLine,
    OrphanResult,
    SideQuestion,
    CommandEcho,
    ShellEcho,
    Notification,
    HookFeedback,
    Rejection,
    Rule,
}

/// The plan.
#[derive(Debug, Clone)]
pub(crate) struct Plan {
    pub(crate) profile: Profile,
    pub(crate) seed: u64,
    pub(crate) layout: Layout,
    pub(crate) calls: u64,
    pub(crate) bytes: usize,
    pub(crate) prompts: u64,
    /// Prompts that were typed while the agent worked.
    pub(crate) queued: u64,
    pub(crate) api_errors: u64,
    pub(crate) compactions: u64,
    pub(crate) agents: Vec<AgentPlan>,
    pub(crate) interruptions: Vec<Interruption>,
    /// Calls in flight when the file ends.
    pub(crate) in_flight: u64,
    pub(crate) oddities: Vec<Oddity>,
    /// The most used tool's number.
    pub(crate) favourite: usize,
    pub(crate) models: Vec<&'static str>,
    pub(crate) meta: u64,
    pub(crate) thinking: u64,
    pub(crate) messages: u64,
    pub(crate) attachments: u64,
    pub(crate) final_newline: bool,
}

impl Plan {
    pub(crate) fn new(profile: Profile, seed: u64) -> Self {
        let strata = match profile {
            // Varied sessions are not planned by numbers of events.
            Profile::Paper | Profile::Varied => &PAPER,
            Profile::Realistic => &REALISTIC,
        };
        let mut draw = Draw::new(profile.name(), seed, "plan");
        let of_twelve = to_index(seed % 12);
        let at = (of_twelve * 5 + 3) % STRATA;
        let calls = strata.calls[at] + draw.below(2);
        let events = jitter(&mut draw, strata.events[at]);
        let bytes = jitter(&mut draw, strata.kilobytes[at]) * 1000;
        let api_errors = strata.api_errors[at];
        let rest = events.saturating_sub(2 * calls + api_errors);
        let messages = rest * strata.message / 1000;
        let thinking = rest * strata.thinking / 1000;
        let meta = rest * strata.meta / 1000;
        let layout = if draw.chance(1, 3) { Layout::Classic } else { Layout::Current };
        let prompts = strata.prompts[at];
        let in_flight =
            strata.dangling[at].min(draw.below(3)).max(u64::from(strata.dangling[at] == 1));
        let interrupted = strata.dangling[at] - in_flight;
        let agents = agents(&mut draw, strata.agents[at], calls);
        let interruptions = interruptions(&mut draw, interrupted, prompts, !agents.is_empty());
        Self {
            profile,
            seed,
            layout,
            calls,
            bytes: to_index(bytes),
            prompts,
            queued: u64::from(prompts > 8) * draw.below(3),
            api_errors,
            compactions: strata.compactions[at],
            agents,
            interruptions,
            in_flight,
            oddities: oddities(&mut draw, messages.saturating_sub(2 * prompts)),
            favourite: (of_twelve * 5 + to_index(seed / 12 % 7)) % 7,
            models: models(&mut draw, at),
            meta,
            thinking,
            messages,
            attachments: rest.saturating_sub(messages + thinking + meta),
            final_newline: draw.chance(2, 3),
        }
    }
}

/// `value`, changed by up to eight thousandths.
fn jitter(draw: &mut Draw, value: u64) -> u64 {
    value * draw.between(992, 1008) / 1000
}

fn agents(draw: &mut Draw, count: u64, calls: u64) -> Vec<AgentPlan> {
    let most = (calls / 25).clamp(3, 14);
    let agent = |_| AgentPlan { calls: draw.between(3, most), background: draw.chance(1, 3) };
    (0..count).map(agent).collect()
}

fn interruptions(
    draw: &mut Draw,
    unanswered: u64,
    prompts: u64,
    agents: bool,
) -> Vec<Interruption> {
    let mut turns: Vec<u64> = (0..prompts - 1).collect();
    draw.shuffle(&mut turns);
    let mut left = unanswered;
    let mut planned = Vec::new();
    let idle = draw.below(3).min(prompts / 5);
    for turn in turns {
        if left == 0 && planned.len() as u64 >= idle {
            break;
        }
        let unanswered = draw.between(u64::from(left > 0), left.min(2));
        planned.push(Interruption {
            turn,
            unanswered,
            answered: u64::from(unanswered > 0) * draw.below(3),
            late: unanswered > 0 && draw.chance(1, 3),
            stops_agent: agents && unanswered > 0 && draw.chance(1, 2),
        });
        left -= unanswered;
    }
    planned
}

fn oddities(draw: &mut Draw, room: u64) -> Vec<Oddity> {
    let mut odd = vec![Oddity::Rejection];
    let rare = [
        Oddity::TornLine,
        Oddity::TornAndGlued,
        Oddity::TwoOnALine,
        Oddity::RepeatedLine,
        Oddity::OrphanResult,
    ];
    odd.extend(rare.into_iter().filter(|_| draw.chance(1, 4)));
    let common = [
        (3, Oddity::CommandEcho),
        (1, Oddity::ShellEcho),
        (1, Oddity::Notification),
        (1, Oddity::HookFeedback),
        (1, Oddity::SideQuestion),
        (1, Oddity::Rule),
    ];
    let mut left = room / 3;
    while left > 0 && odd.len() < 16 {
        let odd_one = *draw.weighted(&common);
        odd.push(odd_one);
        left =
            left.saturating_sub(if odd_one == Oddity::CommandEcho { 3 } else { 1 } + draw.below(3));
    }
    draw.shuffle(&mut odd);
    odd
}

/// The session's models, in the order in which it uses them.
fn models(draw: &mut Draw, stratum: usize) -> Vec<&'static str> {
    let mut models = vec![*draw.weighted(&[
        (5, "claude-opus-4-5-20251101"),
        (5, "claude-sonnet-4-5-20250929"),
        (1, "claude-haiku-4-5-20251001"),
    ])];
    match stratum {
        2 | 8 => models.push("glm-4.6"),
        4 | 6 | 11 => models.push("claude-sonnet-4-5-20250929"),
        9 => models.push("claude-opus-4-1-20250805"),
        _ => {}
    }
    models
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn any_twelve_seeds_in_a_row_span_the_distribution() {
        for first in [0, 201, 777, u64::MAX - 11] {
            let plans = (0..12).map(|n| Plan::new(Profile::Realistic, first + n));
            let prompts: BTreeSet<u64> = plans.map(|plan| plan.prompts).collect();
            assert_eq!(prompts.len(), 12, "from seed {first}");
        }
    }

    #[test]
    fn dangling_calls_are_all_planned() {
        for seed in 1..60 {
            let plan = Plan::new(Profile::Paper, seed);
            let interrupted: u64 = plan.interruptions.iter().map(|one| one.unanswered).sum();
            assert!(interrupted + plan.in_flight <= 5);
        }
    }
}
