//! Which alarm found which labelled instance.
//!
//! An alarm finds an instance if it is of the same kind, about the main thread, and was raised on a line of the
//! session file from the instance's first to its last. There is no slack: a label ends with the last record at
//! which the pathology can be known (a stall's is the record after the silence), so an alarm that comes later
//! is of no use, and one that comes earlier is about something else.
//!
//! An instance is found by the first such alarm. Further alarms of its kind in it are duplicates: they repeat
//! the first, so they are counted, but neither for nor against. Every other alarm is false, whichever kind of
//! instance it lies in.

use corpus_gen::{Instance, Labels, NearMiss};
use trace_model::detect::AnomalyKind;

use super::alarms::Alarm;

/// The judgement of one trace.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Judgement {
    /// For each instance, the alarm that found it.
    pub(super) found_by: Vec<Option<usize>>,
    /// For each instance, the number of further alarms in it.
    pub(super) duplicates: Vec<u64>,
    /// The alarms that found nothing.
    pub(super) false_alarms: Vec<usize>,
    /// For each near miss, whether an alarm of its kind was raised in it.
    pub(super) flagged: Vec<bool>,
}

/// Judges the alarms, which are in the order in which they were raised. A budget is a limit that was
/// set, not a pathology that could be labelled: its alarms are left out.
pub(super) fn judge(labels: &Labels, alarms: &[Alarm]) -> Judgement {
    let mut judgement = Judgement {
        found_by: vec![None; labels.instances.len()],
        duplicates: vec![0; labels.instances.len()],
        false_alarms: Vec::new(),
        flagged: labels.near_misses.iter().map(|miss| is_flagged(miss, alarms)).collect(),
    };
    for (at, alarm) in alarms.iter().enumerate() {
        if alarm.kind == AnomalyKind::Budget {
            continue;
        }
        let holds = |(_, instance): &(usize, &Instance)| {
            let kind = instance.kind.name();
            lies_in(alarm, kind, instance.first_line, instance.last_line)
        };
        let candidates = || labels.instances.iter().enumerate().filter(holds).map(|(i, _)| i);
        let unfound = candidates().find(|i| judgement.found_by[*i].is_none());
        match (unfound, candidates().next()) {
            (Some(instance), _) => judgement.found_by[instance] = Some(at),
            (None, Some(instance)) => judgement.duplicates[instance] += 1,
            (None, None) => judgement.false_alarms.push(at),
        }
    }
    judgement
}

fn is_flagged(miss: &NearMiss, alarms: &[Alarm]) -> bool {
    let (kind, first, last) = (miss.kind.name(), miss.first_line, miss.last_line);
    alarms.iter().any(|alarm| lies_in(alarm, kind, first, last))
}

fn lies_in(alarm: &Alarm, kind: &str, first: u64, last: u64) -> bool {
    alarm.kind.name() == kind
        && alarm.main_thread
        && alarm.raised.file == 0
        && (first..=last).contains(&alarm.raised.line)
}

#[cfg(test)]
mod tests {
    use corpus_gen::Kind;

    use super::*;
    use crate::folding::Location;

    fn alarm(kind: AnomalyKind, line: u64) -> Alarm {
        Alarm {
            kind,
            subject: "Bash".to_owned(),
            main_thread: true,
            raised_at: line,
            raised: Location { file: 0, line },
            first: Location { file: 0, line: 1 },
            escalated: false,
            count: 3,
            message: String::new(),
        }
    }

    fn labels(instances: &[(Kind, u64, u64)], misses: &[(Kind, u64, u64)]) -> Labels {
        let instance = |&(kind, first_line, last_line): &(Kind, u64, u64)| Instance {
            kind,
            first_line,
            last_line,
            onset_line: first_line,
            subject: String::new(),
            note: String::new(),
        };
        let miss = |&(kind, first_line, last_line): &(Kind, u64, u64)| NearMiss {
            kind,
            first_line,
            last_line,
            why_not: String::new(),
        };
        Labels {
            instances: instances.iter().map(instance).collect(),
            near_misses: misses.iter().map(miss).collect(),
        }
    }

    #[test]
    fn the_first_alarm_finds_and_later_ones_are_duplicates() {
        let labels = labels(&[(Kind::Loop, 10, 20), (Kind::Stall, 30, 31)], &[]);
        let alarms = [12, 15, 20].map(|line| alarm(AnomalyKind::Loop, line));
        let judgement = judge(&labels, &alarms);
        assert_eq!(judgement.found_by, [Some(0), None]);
        assert_eq!(judgement.duplicates, [2, 0]);
        assert!(judgement.false_alarms.is_empty());
    }

    #[test]
    fn other_places_kinds_threads_and_files_are_false() {
        let labels = labels(&[(Kind::Loop, 10, 20)], &[(Kind::Loop, 40, 50)]);
        let elsewhere = Location { file: 1, line: 12 };
        let alarms = [
            alarm(AnomalyKind::Loop, 9),
            alarm(AnomalyKind::ToolFlood, 12),
            Alarm { main_thread: false, ..alarm(AnomalyKind::Loop, 12) },
            Alarm { raised: elsewhere, ..alarm(AnomalyKind::Loop, 12) },
            alarm(AnomalyKind::Budget, 12),
            alarm(AnomalyKind::Loop, 21),
            alarm(AnomalyKind::Loop, 45),
        ];
        let judgement = judge(&labels, &alarms);
        assert_eq!(judgement.found_by, [None]);
        assert_eq!(judgement.false_alarms, [0, 1, 2, 3, 5, 6]);
        assert_eq!(judgement.flagged, [true]);
    }

    #[test]
    fn instances_that_share_a_line_are_each_found_once() {
        let labels = labels(&[(Kind::Stall, 1, 5), (Kind::Stall, 5, 9)], &[]);
        let alarms = [5, 5].map(|line| alarm(AnomalyKind::Stall, line));
        assert_eq!(judge(&labels, &alarms).found_by, [Some(0), Some(1)]);
    }
}
