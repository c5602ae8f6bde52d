//! How a model's thinking is turned off, as documented by the providers at the end of 2026. Where a model
//! cannot turn it off, the request is rejected before it is sent: a run that says "thinking off" has none.

use serde_json::{Value, json};

/// Fields to add to the body, if any.
pub(super) type Off = Result<Option<Value>, String>;

fn cannot(model: &str) -> String {
    format!("`{model}` cannot turn thinking off: use --thinking default")
}

/// Anthropic's `thinking`. Up to Claude 4.x it is off unless asked for; with Claude 5 it is on unless
/// `disabled`; of 5.5, Opus always thinks, as Fable does, and the others know `between_tools`, which is
/// none where there are no tools.
pub(super) fn anthropic(model: &str) -> Off {
    let has = |part: &str| model.contains(part);
    if has("fable") || has("mythos") || has("opus-5-5") || has("opus-5.5") {
        Err(cannot(model))
    } else if has("-5-5") || has("-5.5") {
        Ok(Some(json!({"type": "between_tools"})))
    } else if has("-3-") || has("-4") {
        Ok(None)
    } else {
        Ok(Some(json!({"type": "disabled"})))
    }
}

/// Gemini's `thinkingConfig`. 2.5 Flash and Flash-Lite turn it off by a budget of 0; 2.5 Pro and Gemini 3
/// cannot; what came before did not think.
pub(super) fn gemini(model: &str) -> Off {
    let name = model.trim_start_matches("models/");
    if name.starts_with("gemini-3") || name.starts_with("gemini-2.5-pro") {
        Err(cannot(model))
    } else if name.starts_with("gemini-1") || name.starts_with("gemini-2.0") {
        Ok(None)
    } else if name.starts_with("gemini-") {
        Ok(Some(json!({"thinkingBudget": 0})))
    } else {
        Ok(None)
    }
}

/// OpenAI's `reasoning_effort`: `none` from GPT-5.1 on; GPT-5 and the o series cannot; others do not
/// reason. Of other servers' models nothing is known, and nothing is sent: they have switches of their
/// own, for `--extra-body`.
pub(super) fn openai(model: &str, is_openai: bool) -> Off {
    let o_series = ["o1", "o3", "o4"].iter().any(|it| model.starts_with(it));
    if !is_openai {
        Ok(None)
    } else if o_series || model == "gpt-5" || model.starts_with("gpt-5-") {
        Err(cannot(model))
    } else if model.starts_with("gpt-5.") {
        Ok(Some(json!("none")))
    } else {
        Ok(None)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_family_is_turned_off_its_own_way_or_refused() {
        for model in ["claude-3-5-haiku-20241022", "claude-haiku-4-5", "claude-opus-4-8"] {
            assert_eq!(anthropic(model), Ok(None), "{model}");
        }
        for model in ["claude-opus-5", "claude-sonnet-5"] {
            assert_eq!(anthropic(model), Ok(Some(json!({"type": "disabled"}))), "{model}");
        }
        let between = json!({"type": "between_tools"});
        assert_eq!(anthropic("claude-sonnet-5-5"), Ok(Some(between)));
        assert!(anthropic("claude-opus-5-5").unwrap_err().contains("--thinking default"));
        assert_eq!(gemini("models/gemini-2.5-flash"), Ok(Some(json!({"thinkingBudget": 0}))));
        assert_eq!(gemini("gemini-2.0-flash"), Ok(None));
        assert!(gemini("gemini-3-pro-preview").is_err() && gemini("gemini-2.5-pro").is_err());
        assert_eq!(openai("gpt-5.2", true), Ok(Some(json!("none"))));
        assert_eq!(openai("gpt-4o", true), Ok(None));
        assert!(openai("o3-mini", true).is_err() && openai("gpt-5-nano", true).is_err());
        assert_eq!(openai("gpt-5", false), Ok(None));
    }
}
