//! What the tools that hold the agent's plan do to it: `TodoWrite`, `TaskCreate`, `TaskUpdate` and
//! `ExitPlanMode`. Used by the conversion of calls.

use serde_json::Value;
use serde_json::value::RawValue;

use crate::event::{PlanChange, Step, TodoStatus};

/// What a call of the tool of this name does, if it has to do with the plan.
pub(super) fn change(tool: &str, input: Option<&RawValue>) -> Option<PlanChange> {
    let read = match tool {
        "TodoWrite" => whole,
        "TaskCreate" => add,
        "TaskUpdate" => set,
        "ExitPlanMode" => proposed,
        _ => return None,
    };
    // Parsed a second time, but only for these tools.
    read(&serde_json::from_str(input?.get()).ok()?)
}

fn whole(input: &Value) -> Option<PlanChange> {
    let todos = input.get("todos")?.as_array()?;
    Some(PlanChange::Whole(todos.iter().filter_map(|todo| step(todo, "content")).collect()))
}

fn add(input: &Value) -> Option<PlanChange> {
    Some(PlanChange::Add { step: step(input, "subject")? })
}

fn set(input: &Value) -> Option<PlanChange> {
    let id = match input.get("taskId")? {
        Value::String(id) if !id.is_empty() => id.clone(),
        Value::Number(id) => id.to_string(),
        _ => return None,
    };
    let (status, text) = (text(input, "status").and_then(status), text(input, "subject"));
    Some(PlanChange::Set { id, status, text: text.map(str::to_owned) })
}

fn proposed(input: &Value) -> Option<PlanChange> {
    Some(PlanChange::Proposed(text(input, "plan")?.to_owned()))
}

fn step(of: &Value, field: &str) -> Option<Step> {
    let status = text(of, "status").and_then(status).unwrap_or_default();
    Some(Step { text: text(of, field)?.to_owned(), status })
}

/// A field that is a text and not blank.
fn text<'v>(of: &'v Value, field: &str) -> Option<&'v str> {
    of.get(field)?.as_str().filter(|text| !text.trim().is_empty())
}

fn status(word: &str) -> Option<TodoStatus> {
    match word {
        "pending" => Some(TodoStatus::Pending),
        "in_progress" => Some(TodoStatus::InProgress),
        "completed" => Some(TodoStatus::Done),
        "cancelled" | "deleted" => Some(TodoStatus::Dropped),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(tool: &str, json: &str) -> Option<PlanChange> {
        change(tool, Some(&RawValue::from_string(json.to_owned()).unwrap()))
    }

    fn step(text: &str, status: TodoStatus) -> Step {
        Step { text: text.to_owned(), status }
    }

    #[test]
    fn each_tool_changes_the_plan_in_its_own_way() {
        let todos = r#"{"todos":[{"content":"a","status":"completed"},{"content":"b"},{"status":"pending"},3]}"#;
        assert_eq!(
            of("TodoWrite", todos),
            Some(PlanChange::Whole(vec![
                step("a", TodoStatus::Done),
                step("b", TodoStatus::Pending)
            ]))
        );
        let created = of("TaskCreate", r#"{"subject":"c","description":"long"}"#);
        assert_eq!(created, Some(PlanChange::Add { step: step("c", TodoStatus::Pending) }));
        let set = |json| of("TaskUpdate", json);
        let changed = |status, text: Option<&str>| {
            Some(PlanChange::Set { id: "2".to_owned(), status, text: text.map(str::to_owned) })
        };
        let dropped = Some(TodoStatus::Dropped);
        assert_eq!(set(r#"{"taskId":"2","status":"deleted"}"#), changed(dropped, None));
        assert_eq!(set(r#"{"taskId":2,"subject":"d"}"#), changed(None, Some("d")));
        let proposed = of("ExitPlanMode", r##"{"plan":"# P"}"##);
        assert_eq!(proposed, Some(PlanChange::Proposed("# P".to_owned())));
    }

    #[test]
    fn anything_odd_changes_nothing() {
        let odd = [
            ("TodoWrite", r#"{"todos":"a"}"#),
            ("TaskCreate", "{}"),
            ("TaskCreate", r#"{"subject":" "}"#),
            ("TaskUpdate", r#"{"status":"completed"}"#),
            ("ExitPlanMode", r#"{"plan":3}"#),
            ("Bash", r#"{"plan":"a","todos":[]}"#),
        ];
        for (tool, json) in odd {
            assert_eq!(of(tool, json), None, "{tool} {json}");
        }
        assert_eq!(change("TodoWrite", None), None);
    }
}
