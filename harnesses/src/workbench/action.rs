//! What a worker asks for: a tool and its arguments, read from any JSON with an error that says what to
//! write instead.

use corpus_gen::tasks::Tool;
use serde_json::{Map, Value, json};

use super::paths::normalized;

/// Longest path, in characters.
pub const MAX_PATH: usize = 200;
/// Longest text of a file, in bytes.
pub const MAX_CONTENT: usize = 1024 * 1024;
/// Longest pattern of a search, in characters.
pub const MAX_PATTERN: usize = 200;
/// Longest name of a running total, in characters.
pub const MAX_NAME: usize = 64;

/// A call of a tool.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Action {
    /// Lists all files.
    ListFiles,
    /// Shows a file.
    ReadFile {
        /// Which.
        path: String,
    },
    /// Replaces a file, or makes a new one.
    WriteFile {
        /// Which.
        path: String,
        /// Its whole text.
        content: String,
    },
    /// Finds lines.
    Search {
        /// The literal text they contain.
        pattern: String,
    },
    /// Adds to a running total.
    Tally {
        /// Which.
        name: String,
        /// What is added.
        add: i64,
    },
    /// Says that the task is done.
    Done,
}

/// Why a call is not carried out: its shape, not the state of the files.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ActionError {
    /// No object with a tool.
    #[error(
        "a call is a JSON object such as {{\"tool\": \"read_file\", \"args\": {{\"path\": \"...\"}}}}"
    )]
    Shape,
    /// Unknown tool.
    #[error(
        "there is no tool `{0}`; there are list_files, read_file, write_file, search, tally and done"
    )]
    UnknownTool(String),
    /// The tool may not be used here.
    #[error("the tool `{0}` is disabled for this task")]
    Disabled(Tool),
    /// An argument is missing or not of the right type.
    #[error("`{tool}` needs the argument `{argument}`: {needed}")]
    Argument {
        /// The tool.
        tool: Tool,
        /// The argument.
        argument: &'static str,
        /// What it has to be.
        needed: &'static str,
    },
    /// An argument that the tool does not have.
    #[error("`{tool}` has no argument `{argument}`; leave it out")]
    UnknownArgument {
        /// The tool.
        tool: Tool,
        /// The argument.
        argument: String,
    },
    /// An argument that is too long.
    #[error("the argument `{argument}` is too long: at most {most} {unit}")]
    TooLong {
        /// The argument.
        argument: &'static str,
        /// The limit.
        most: usize,
        /// What is counted.
        unit: &'static str,
    },
    /// A path that leads out of the workbench or names nothing.
    #[error("`{0}` is no path of a file here: write it relative to the root, without `..`")]
    Path(String),
    /// The task was declared done.
    #[error("the task was declared done; no further calls are taken")]
    AfterDone,
}

impl Action {
    /// Reads a call. Fields other than `tool` and `args` are ignored; unknown arguments are errors, but for
    /// `done`, which takes any and needs none. Paths come in their one spelling.
    pub fn from_json(call: &Value) -> Result<Self, ActionError> {
        let name = call.get("tool").and_then(Value::as_str).ok_or(ActionError::Shape)?;
        let tool = Tool::of_name(name).ok_or_else(|| ActionError::UnknownTool(start(name)))?;
        let none = Map::new();
        let args = match call.get("args") {
            None | Some(Value::Null) => &none,
            Some(Value::Object(args)) => args,
            Some(_) => return Err(ActionError::Shape),
        };
        let args = Args { tool, args };
        let action = match tool {
            Tool::ListFiles => args.only(&[]).map(|()| Self::ListFiles),
            Tool::ReadFile => {
                args.only(&["path"])?;
                Ok(Self::ReadFile { path: args.text("path")? })
            }
            Tool::WriteFile => {
                args.only(&["path", "content"])?;
                Ok(Self::WriteFile { path: args.text("path")?, content: args.text("content")? })
            }
            Tool::Search => {
                args.only(&["pattern"])?;
                Ok(Self::Search { pattern: args.text("pattern")? })
            }
            Tool::Tally => {
                args.only(&["name", "add"])?;
                Ok(Self::Tally { name: args.text("name")?, add: args.integer("add")? })
            }
            Tool::Done => Ok(Self::Done),
        };
        action?.checked()
    }

    /// The same with its path in the one spelling, if its arguments are within the limits.
    pub fn checked(self) -> Result<Self, ActionError> {
        match self {
            Self::ReadFile { path } => Ok(Self::ReadFile { path: checked_path(&path)? }),
            Self::WriteFile { path, content } => {
                at_most("content", content.len(), MAX_CONTENT, "bytes")?;
                Ok(Self::WriteFile { path: checked_path(&path)?, content })
            }
            Self::Search { pattern } => {
                at_most("pattern", pattern.chars().count(), MAX_PATTERN, "characters")?;
                let needed = "the text to find, not empty and without line ends";
                if pattern.is_empty() || pattern.contains(['\n', '\r']) {
                    return Err(ActionError::Argument {
                        tool: Tool::Search,
                        argument: "pattern",
                        needed,
                    });
                }
                Ok(Self::Search { pattern })
            }
            Self::Tally { name, add } => {
                at_most("name", name.chars().count(), MAX_NAME, "characters")?;
                let needed = "a name, not empty and without line ends";
                if name.trim().is_empty() || name.contains(char::is_control) {
                    return Err(ActionError::Argument {
                        tool: Tool::Tally,
                        argument: "name",
                        needed,
                    });
                }
                Ok(Self::Tally { name, add })
            }
            other @ (Self::ListFiles | Self::Done) => Ok(other),
        }
    }

    /// The tool.
    pub fn tool(&self) -> Tool {
        match self {
            Self::ListFiles => Tool::ListFiles,
            Self::ReadFile { .. } => Tool::ReadFile,
            Self::WriteFile { .. } => Tool::WriteFile,
            Self::Search { .. } => Tool::Search,
            Self::Tally { .. } => Tool::Tally,
            Self::Done => Tool::Done,
        }
    }

    /// The arguments, as a transcript records them.
    pub fn args(&self) -> Value {
        match self {
            Self::ListFiles | Self::Done => json!({}),
            Self::ReadFile { path } => json!({ "path": path }),
            Self::WriteFile { path, content } => json!({ "path": path, "content": content }),
            Self::Search { pattern } => json!({ "pattern": pattern }),
            Self::Tally { name, add } => json!({ "name": name, "add": add }),
        }
    }

    /// The call as a worker writes it.
    pub fn to_json(&self) -> Value {
        json!({ "tool": self.tool().name(), "args": self.args() })
    }
}

/// The arguments of a call.
struct Args<'a> {
    tool: Tool,
    args: &'a Map<String, Value>,
}

impl Args<'_> {
    fn only(&self, known: &[&str]) -> Result<(), ActionError> {
        match self.args.keys().find(|name| !known.contains(&name.as_str())) {
            None => Ok(()),
            Some(name) => {
                Err(ActionError::UnknownArgument { tool: self.tool, argument: start(name) })
            }
        }
    }

    fn needs(&self, argument: &'static str, needed: &'static str) -> ActionError {
        ActionError::Argument { tool: self.tool, argument, needed }
    }

    fn text(&self, argument: &'static str) -> Result<String, ActionError> {
        let text = self.args.get(argument).and_then(Value::as_str);
        text.map(str::to_owned).ok_or_else(|| self.needs(argument, "a string"))
    }

    fn integer(&self, argument: &'static str) -> Result<i64, ActionError> {
        let number = self.args.get(argument).and_then(Value::as_i64);
        number.ok_or_else(|| self.needs(argument, "an integer, as a JSON number"))
    }
}

fn checked_path(path: &str) -> Result<String, ActionError> {
    at_most("path", path.chars().count(), MAX_PATH, "characters")?;
    normalized(path).ok_or_else(|| ActionError::Path(start(path)))
}

fn at_most(
    argument: &'static str,
    count: usize,
    most: usize,
    unit: &'static str,
) -> Result<(), ActionError> {
    if count > most { Err(ActionError::TooLong { argument, most, unit }) } else { Ok(()) }
}

/// The start of what a worker wrote, for an error, with how much of how much it is.
fn start(text: &str) -> String {
    const SHOWN: usize = 80;
    let shown: String = text.chars().take(SHOWN).flat_map(char::escape_debug).collect();
    match text.chars().count() {
        all if all > SHOWN => format!("{shown} ({SHOWN} of {all} characters)"),
        _ => shown,
    }
}
