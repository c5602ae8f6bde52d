//! Episodes: a user turn and what followed it, and what hindsight makes of them.

use serde_json::json;
use trace_model::derived::{NodeId, Validity};
use trace_model::fold::{Episode, EpisodeStatus, RunState};

/// The versions of an episode as (status, validity).
fn versions(state: &RunState, number: u32) -> Vec<(EpisodeStatus, Validity)> {
    let node = NodeId(format!("episode-{number:06}"));
    let versions = state.episodes().versions().filter(|(reference, _)| reference.node == node);
    versions.map(|(_, version)| (version.content.status, version.state)).collect()
}

/// The live version of an episode.
fn live(state: &RunState, number: u32) -> &Episode {
    &state.episodes().live(&NodeId(format!("episode-{number:06}"))).unwrap().1.content
}

fn line(folded: &Folded, number: u32) -> String {
    let view = folded.view();
    let start = format!("- {number} v");
    let episodes = view.lines().skip_while(|line| !line.starts_with("EPISODES"));
    episodes.into_iter().find(|line| line.starts_with(&start)).unwrap().to_owned()
}

use EpisodeStatus::{Complete, InProgress, Interrupted, LateResult};
use Validity::{Current, Superseded};

use crate::common::{Folded, Script};

#[test]
fn an_episode_is_a_turn_and_what_followed_it() {
    let script = Script::new()
        .prompt("first task")
        .read("a.txt", "x")
        .done("Write", json!({"file_path": "b.txt"}), "ok")
        .call("bad", "Bash", json!({"command": "false"}))
        .fails("bad", "exit 1")
        .says("done with the first");
    let folded = script.fold();
    assert_eq!(versions(&folded.state, 1), [(InProgress, Current)]);
    // The view shows what is under way as it stands, before a version of it is made.
    assert!(line(&folded, 1).starts_with("- 1 v1 in_progress, events 0-: 3 calls, 1 failed, $0; asked: first task; concluded: done with the first"));
    let folded = script.prompt("second task").says("on it").fold();
    assert_eq!(versions(&folded.state, 1), [(InProgress, Superseded), (Complete, Current)]);
    assert_eq!(versions(&folded.state, 2), [(InProgress, Current)]);
    let episode = live(&folded.state, 1);
    assert_eq!((episode.calls(), episode.failures), (3, 1));
    assert_eq!(episode.files_written.iter().collect::<Vec<_>>(), ["b.txt"]);
    assert_eq!(episode.prompt, "first task");
    assert!(line(&folded, 1).starts_with("- 1 v2 complete, "));
    assert!(line(&folded, 2).starts_with("- 2 v1 in_progress, "));
    // Versions cover their range of the ledger and rest on what they state.
    let node = NodeId("episode-000001".to_owned());
    let (reference, version) = folded.state.episodes().live(&node).unwrap();
    assert_eq!((reference.version.0, version.covers.first, version.covers.last), (2, 0, 7));
    assert_eq!(version.evidence, [0, 7], "the prompt, and the last thing said");
    assert_eq!(version.producer.name, "episodes");
    assert_eq!(folded.state.materialized().0, 8, "the event that made the newest version");
}

/// First rule: a new turn that arrives with calls open makes the episode one that was interrupted.
#[test]
fn a_turn_with_calls_open_interrupts_the_episode() {
    let open =
        Script::new().prompt("task").call("t", "Bash", json!({})).call("u", "Task", json!({}));
    for (script, expected) in [
        // A prompt, and an interruption that a prompt follows.
        (open.clone().prompt("stop, do that"), 3),
        (open.clone().interruption().prompt("do that"), 3),
    ] {
        let folded = script.fold();
        let states = versions(&folded.state, 1);
        assert_eq!(states.len(), expected);
        assert_eq!(states.last(), Some(&(Interrupted, Current)));
        assert!(states[..states.len() - 1].iter().all(|(_, validity)| *validity == Superseded));
        let episode = live(&folded.state, 1);
        assert_eq!(
            (&episode.dangling[..], episode.dangling_count),
            (&["Bash".to_owned(), "Task".to_owned()][..], 2)
        );
        assert!(line(&folded, 1).contains(" interrupted, "));
    }
    // An interruption with nothing open, and a turn after an answer, interrupt nothing.
    let done = Script::new().prompt("task").bash("make", "ok");
    assert_eq!(versions(&done.clone().interruption().fold().state, 1), [(InProgress, Current)]);
    let folded = done.prompt("next").fold();
    assert_eq!(versions(&folded.state, 1).last(), Some(&(Complete, Current)));
    // What a subagent has open is not what the person interrupted.
    let agent = Script::new()
        .prompt("task")
        .call("s", "Bash", json!({}))
        .with(json!({"agentId": "a1", "isSidechain": true}))
        .prompt("next");
    assert_eq!(versions(&agent.fold().state, 1).last(), Some(&(Complete, Current)));
}

/// Second rule: a call of it that answers after all is credited to the episode that issued it.
#[test]
fn a_late_result_is_credited_to_the_episode_that_issued_its_call() {
    let script = Script::new()
        .prompt("first")
        .call("w", "Write", json!({"file_path": "late.txt"}))
        .call("b", "Bash", json!({}))
        .prompt("second")
        .says("working")
        .prompt("third")
        .result("w", "written after all");
    let folded = script.fold();
    let states = versions(&folded.state, 1);
    assert_eq!(states.last(), Some(&(LateResult, Current)));
    assert_eq!(states.iter().filter(|(_, validity)| *validity == Current).count(), 1);
    assert!(states[..states.len() - 1].contains(&(Interrupted, Superseded)));
    let first = live(&folded.state, 1);
    assert_eq!((first.late_results, first.dangling_count), (1, 2));
    assert!(first.files_written.contains("late.txt"));
    // The episodes since have none of it.
    for number in [2, 3] {
        assert_eq!(
            (live(&folded.state, number).late_results, live(&folded.state, number).calls()),
            (0, 0)
        );
    }
    assert_eq!(versions(&folded.state, 2).last(), Some(&(Complete, Current)));
    assert!(line(&folded, 1).contains(" late_result, "), "{}", line(&folded, 1));
    // The result is among the version's evidence, and is where derived nodes last changed.
    let node = NodeId("episode-000001".to_owned());
    let (_, version) = folded.state.episodes().live(&node).unwrap();
    assert_eq!(version.evidence.last(), Some(&6));
    assert_eq!(folded.state.materialized().0, 6);
    // A failure that comes late counts as the first episode's too.
    let folded = script.fails("b", "killed").fold();
    assert_eq!((live(&folded.state, 1).late_results, live(&folded.state, 1).failures), (2, 1));
}

#[test]
fn a_late_result_within_the_episode_under_way() {
    let script =
        Script::new().prompt("task").call("t", "Bash", json!({})).interruption().result("t", "ok");
    let folded = script.fold();
    assert_eq!(
        versions(&folded.state, 1),
        [(InProgress, Superseded), (Interrupted, Superseded), (LateResult, Current)]
    );
    // It stays so when the next turn comes.
    let folded = script.prompt("next").fold();
    assert_eq!(versions(&folded.state, 1).last(), Some(&(LateResult, Current)));
}

#[test]
fn what_comes_before_the_first_turn_belongs_to_no_episode() {
    let folded = Script::new().call("t", "Bash", json!({})).prompt("task").result("t", "ok").fold();
    assert_eq!(folded.totals().late_results, 1);
    assert_eq!(versions(&folded.state, 1), [(InProgress, Current)]);
    assert_eq!(live(&folded.state, 1).late_results, 0);
    assert!(!Script::new().says("x").fold().view().contains("EPISODES"));
}

#[test]
fn an_episode_has_its_cost() {
    let answer = |s: Script, id: &str, output: u64| {
        s.answer(
            id,
            id,
            json!([{"type": "text", "text": "x"}]),
            crate::common::usage(0, output, 0, 0),
        )
        .with(json!({"message": {"model": "claude-opus-4-5"}}))
    };
    let script = answer(answer(Script::new().prompt("one"), "m1", 10), "m1", 100).prompt("two");
    // A subagent's call costs the episode in which it is made: 100 x 25 and 200 x 25 per million.
    let agent = json!({"agentId": "a1", "isSidechain": true});
    let folded = answer(script, "m2", 200).with(agent).fold();
    assert_eq!(live(&folded.state, 1).dollars.normalize().to_string(), "0.0025");
    let now = folded.state.episode_under_way().unwrap();
    assert_eq!((now.number, now.dollars.normalize().to_string()), (2, "0.005".to_owned()));
    assert!(line(&folded, 2).contains(", $0.005; "));
}

#[test]
fn long_episodes_stay_bounded_and_say_so() {
    let mut script = Script::new().prompt("task");
    for n in 0..60 {
        script = script.done("Write", json!({"file_path": format!("{n}.txt")}), "ok");
    }
    for n in 0..60 {
        script = script.call(&format!("open{n}"), "Bash", json!({}));
    }
    let folded = script.prompt("next").fold();
    let episode = live(&folded.state, 1);
    assert_eq!((episode.files_written.len(), episode.more_files_written), (40, 20));
    assert_eq!((episode.dangling.len(), episode.dangling_count), (40, 60));
}
