//! What `update_plan` does to the agent's todo list. Used by the conversion of calls.

use serde_json::Value;

use super::tools::Tool;
use crate::event::{PlanChange, Step, TodoStatus};

/// What a call of this tool does, if it has to do with the plan.
pub(super) fn change(tool: &Tool<'_>, input: Option<&str>) -> Option<PlanChange> {
    if !tool.is("update_plan") {
        return None;
    }
    let input: Value = serde_json::from_str(input?).ok()?;
    let steps = input.get("plan")?.as_array()?;
    Some(PlanChange::Whole(steps.iter().filter_map(step).collect()))
}

fn step(of: &Value) -> Option<Step> {
    let text = of.get("step")?.as_str().filter(|text| !text.trim().is_empty())?;
    let status = match of.get("status").and_then(Value::as_str) {
        Some("in_progress") => TodoStatus::InProgress,
        Some("completed") => TodoStatus::Done,
        _ => TodoStatus::Pending,
    };
    Some(Step { text: text.to_owned(), status })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plan_is_the_whole_list() {
        let plan = r#"{"explanation":"x","plan":[{"step":"a","status":"completed"},{"step":"b","status":"in_progress"},{"step":"c"},{"status":"pending"}]}"#;
        let step = |text: &str, status| Step { text: text.to_owned(), status };
        let steps = vec![
            step("a", TodoStatus::Done),
            step("b", TodoStatus::InProgress),
            step("c", TodoStatus::Pending),
        ];
        let of = |tool, input| change(&Tool::named(tool), input);
        assert_eq!(of("update_plan", Some(plan)), Some(PlanChange::Whole(steps)));
        assert_eq!(of("shell", Some(plan)), None);
        assert_eq!(of("update_plan", Some("{\"plan\":3}")), None);
        assert_eq!(of("update_plan", None), None);
    }
}
