//! What is asked: session, goal, latest request, standing instructions, plan and to-dos, turns taken back.

use super::Scope;
use super::lines::{growing, head};
use crate::fold::{Prompt, RunState, RunTurn, TodoStatus};
use crate::ids::Excerpt;
use crate::text::one_line;
use crate::view::handover::part::Part;
use crate::view::handover::worth;

pub(super) fn add<'a>(parts: &mut Vec<Part<'a>>, state: &'a RunState, scope: Scope) {
    parts.extend(session(state));
    asked(parts, state, scope);
    parts.push(instructions(state, scope));
    parts.push(todos(state, scope));
    parts.extend(plan(state, scope));
    parts.push(taken_back(state, scope));
}

/// Where the run works: its folder first, since paths are given below it.
fn session(state: &RunState) -> Option<Part<'_>> {
    let identity = state.identity();
    let piece = |name: &str, value: Option<&str>, chars| {
        value.map(|value| format!("{name} {}", one_line(value, chars, None)))
    };
    let pieces = [
        piece("in", folder(state), 160),
        piece("branch", identity.branch.as_deref(), 80),
        piece("title", identity.title.as_deref(), 80),
        piece("session", identity.session.as_deref(), 60),
    ];
    let pieces: Vec<String> = pieces.into_iter().flatten().collect();
    let growing = (1..=pieces.len()).map(move |shown| pieces[..shown].join(", "));
    let mut growing = growing.peekable();
    growing.peek().is_some().then(|| Part::text(&worth::SESSION, growing))
}

/// The folder that paths in the view are below.
fn folder(state: &RunState) -> Option<&str> {
    state.recent().folder().or(state.identity().cwd.as_deref())
}

fn asked<'a>(parts: &mut Vec<Part<'a>>, state: &'a RunState, scope: Scope) {
    let conversation = state.conversation();
    let turns = conversation.prompts();
    let (Some(goal), Some(latest)) = (conversation.goal(), conversation.latest_request()) else {
        let nobody = "GOAL: no person has written anything".to_owned();
        parts.push(Part::text(&worth::GOAL, std::iter::once(nobody)));
        return;
    };
    if scope.shows(goal.at) {
        let is_goal = |turn: &&RunTurn| turn.at == goal.at;
        let first = state.turns().iter().find(is_goal).map_or(1, |turn| turn.number);
        let label = format!("GOAL (turn {first}, event {}): ", goal.at);
        parts.push(Part::text(&worth::GOAL, prompt(label, goal)));
    }
    if scope.shows(latest.at) {
        let label = format!("LATEST REQUEST (turn {turns} of {turns}, event {}): ", latest.at);
        // Its text is not given twice.
        let same = latest.at == goal.at;
        parts.push(if same {
            Part::text(&worth::LATEST, std::iter::once(format!("{label}the goal")))
        } else {
            Part::text(&worth::LATEST, prompt(label, latest))
        });
    }
}

fn prompt(label: String, prompt: &Prompt) -> impl Iterator<Item = String> + '_ {
    let Excerpt { text, chars, .. } = &prompt.text;
    growing(label, text, *chars)
}

fn instructions(state: &RunState, scope: Scope) -> Part<'_> {
    let stated = state.handover().instructions();
    let stated: Vec<_> = stated.iter().rev().filter(|rule| scope.shows(rule.at)).collect();
    let total = stated.len() as u64 + state.handover().instructions_dropped();
    let lines =
        stated.into_iter().map(|rule| format!("- turn {}: {}", rule.turn, head(&rule.text, 300)));
    Part::lines(&worth::INSTRUCTIONS, total, ", newest first", lines)
}

fn todos(state: &RunState, scope: Scope) -> Part<'_> {
    let handover = state.handover();
    let at = handover.todos_at().filter(|at| scope.shows(*at));
    let open_first = |todo: &&crate::fold::Todo| match todo.status {
        TodoStatus::InProgress => 0,
        TodoStatus::Pending => 1,
        TodoStatus::Done => 2,
        TodoStatus::Dropped => 3,
    };
    let mut todos: Vec<_> = at.iter().flat_map(|_| handover.todos()).collect();
    todos.sort_by_key(open_first);
    let total = todos.len() as u64 + at.map_or(0, |_| handover.todos_dropped());
    let mark = |status| match status {
        TodoStatus::InProgress => "[>]",
        TodoStatus::Pending => "[ ]",
        TodoStatus::Done => "[x]",
        TodoStatus::Dropped => "[-]",
    };
    let about = at.map_or_else(String::new, |at| format!(", as of event {at}, open ones first"));
    let lines = todos.into_iter().map(move |todo| {
        let id = todo
            .id
            .as_deref()
            .map_or_else(String::new, |id| format!("#{} ", one_line(id, 20, None)));
        format!("- {} {id}{}", mark(todo.status), head(&todo.text, 200))
    });
    Part::lines(&worth::TODO, total, about, lines)
}

fn plan(state: &RunState, scope: Scope) -> Option<Part<'_>> {
    let plan = state.handover().plan().filter(|plan| scope.shows(plan.at))?;
    let label = format!("PLAN (event {}): ", plan.at);
    Some(Part::text(&worth::PLAN, growing(label, &plan.text.text, plan.text.chars)))
}

/// The turns that are no longer part of the conversation: a reader must not act on them.
fn taken_back(state: &RunState, scope: Scope) -> Part<'_> {
    let turns = state.turns();
    let at_of = |number: u64| {
        let turn =
            usize::try_from(number).ok().and_then(|number| turns.get(number.checked_sub(1)?));
        turn.map(|turn| turn.at)
    };
    let taken = turns.iter().rev().filter_map(|turn| Some((turn, turn.taken_back_by?)));
    let taken: Vec<_> =
        taken.filter(|(_, by)| at_of(*by).is_none_or(|at| scope.shows(at))).collect();
    let total = taken.len() as u64;
    let lines = taken.into_iter().map(|(turn, by)| {
        format!(
            "- turn {}, event {}, taken back by turn {by}, which goes on from an earlier one; it had \
             asked: {}",
            turn.number,
            turn.at,
            head(&turn.prompt, 160)
        )
    });
    let about = ", no part of the conversation any more, newest first";
    Part::lines(&worth::TAKEN_BACK, total, about, lines)
}
