//! The typed events that every adapter produces and the fold consumes.
//!
//! A [`Record`] is one record of a transcript with the [`Event`]s that its content blocks give. Both
//! borrow from the line they were read from: a record lives while its line is in the buffer, and the
//! fold and the ledger keep only what they need of it.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use crate::ids::{ByteOffset, Digest64, LineNumber, Millis, Sha256};

/// A record's position in its file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RawRef {
    /// The line, counted from 1.
    pub line: LineNumber,
    /// The offset of the line's first byte.
    pub offset: ByteOffset,
}

/// Whose sequence of turns a record belongs to.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Thread<'a> {
    /// The session's own.
    Main,
    /// The subagent of this id.
    Agent(Cow<'a, str>),
    /// A side chain that names no agent (older clients).
    Sidechain,
}

/// What kind of event this is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EventKind {
    /// Text that a person or the agent wrote, or that the harness put in a person's place.
    Message,
    /// The agent's reasoning, shown or withheld.
    Thinking,
    /// A call of a tool.
    ToolCall,
    /// What a tool answered.
    ToolResult,
    /// A file, image or harness note attached to the conversation.
    Attachment,
    /// The context was compacted here.
    Compaction,
    /// Bookkeeping of the agent's client.
    SessionMeta,
    /// The model's endpoint failed.
    Error,
    /// Nothing this version knows.
    Unknown,
}

impl EventKind {
    /// All kinds, in the order in which they are listed.
    pub const ALL: [Self; 9] = [
        Self::Message,
        Self::Thinking,
        Self::ToolCall,
        Self::ToolResult,
        Self::Attachment,
        Self::Compaction,
        Self::SessionMeta,
        Self::Error,
        Self::Unknown,
    ];

    /// The name used in records and output.
    pub fn name(self) -> &'static str {
        match self {
            Self::Message => "message",
            Self::Thinking => "thinking",
            Self::ToolCall => "tool_call",
            Self::ToolResult => "tool_result",
            Self::Attachment => "attachment",
            Self::Compaction => "compaction",
            Self::SessionMeta => "session_meta",
            Self::Error => "error",
            Self::Unknown => "unknown",
        }
    }
}

/// Who an event comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Source {
    /// A person.
    User,
    /// The agent's model.
    Agent,
    /// A tool.
    Tool,
    /// The agent's client.
    System,
    /// Text of the harness in a person's place: reminders, command echoes, summaries.
    Meta,
}

/// How a call ended, as its result says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// The tool succeeded.
    Succeeded,
    /// The tool reported an error.
    Failed,
    /// A person or a rule refused the call.
    Denied,
    /// A person stopped the call.
    Interrupted,
    /// The client gave the call up because of another one: the tool said nothing.
    Cancelled,
}

/// What a tool does that matters to the fold. A tool that an adapter does not know is an ordinary one: it
/// neither reads nor writes files, and its results may state facts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ToolRole {
    /// Shows a file.
    Reader,
    /// Changes a file.
    Writer,
    /// Lists or finds: its results repeat lines of files, so they state no facts of their own.
    Finder,
    /// Asks a person, and is rightly silent until they answer.
    Asker,
    /// Launches a subagent, and is rightly silent while that works.
    Launcher,
    /// Stops a background task.
    Stopper,
    /// Anything else.
    #[default]
    Other,
}

impl ToolRole {
    /// Whether results of such a tool may state facts.
    pub fn states_facts(self) -> bool {
        !matches!(self, Self::Writer | Self::Finder)
    }
}

/// Where a step of the agent's todo list stands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TodoStatus {
    /// Not begun.
    #[default]
    Pending,
    /// Under way.
    InProgress,
    /// Done.
    Done,
    /// Given up.
    Dropped,
}

impl TodoStatus {
    /// The name used in output.
    pub fn name(self) -> &'static str {
        match self {
            Self::Pending => "pending",
            Self::InProgress => "in progress",
            Self::Done => "done",
            Self::Dropped => "dropped",
        }
    }
}

/// A step of the agent's todo list.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Step {
    /// What is to be done.
    pub text: String,
    /// Where it stands.
    pub status: TodoStatus,
}

/// What a call does to the agent's plan or todo list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PlanChange {
    /// It states the list anew.
    Whole(Vec<Step>),
    /// It adds a step; the result tells its id ([`RemarkKind::Step`]).
    Add {
        /// The step.
        step: Step,
    },
    /// It changes a step.
    Set {
        /// The step's id.
        id: String,
        /// Its new status, if it changes.
        status: Option<TodoStatus>,
        /// Its new text, if it changes.
        text: Option<String>,
    },
    /// It proposes a plan to the person.
    Proposed(String),
}

/// What a result says besides its text, once the client's own words are taken away.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Remark {
    /// The block of the result in its record.
    pub block: u32,
    /// What it says.
    pub kind: RemarkKind,
}

/// A kind of [`Remark`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RemarkKind {
    /// The id of the step that its call added.
    Step(String),
    /// What the person said when they refused the call.
    Reason(String),
}

/// What an event holds, by kind.
#[derive(Clone, Debug)]
pub enum Body<'a> {
    /// A message's text.
    Message(Cow<'a, str>),
    /// Reasoning; empty where it was withheld.
    Thinking(Cow<'a, str>),
    /// A call.
    ToolCall {
        /// Ties the call to its result; absent in broken records.
        id: Option<Cow<'a, str>>,
        /// The tool's name as written.
        name: Cow<'a, str>,
        /// What the tool does.
        role: ToolRole,
        /// The input, if there is one: JSON as written, also where the writer wrapped it in a string.
        input: Option<Cow<'a, RawValue>>,
        /// Files that the input names other than in a field. If empty, fields name the file.
        paths: Vec<Cow<'a, str>>,
        /// What it does to the agent's plan or todo list, if it succeeds.
        plan: Option<Box<PlanChange>>,
    },
    /// A result.
    ToolResult {
        /// The id of the call it answers.
        call_id: Option<Cow<'a, str>>,
        /// How the call ended.
        outcome: Outcome,
        /// The answer's text.
        text: Cow<'a, str>,
    },
    /// An attachment of the named type.
    Attachment(Cow<'a, str>),
    /// A compaction; its trigger where stated.
    Compaction(Cow<'a, str>),
    /// Bookkeeping of the named type.
    SessionMeta(Cow<'a, str>),
    /// An endpoint failure, in its own words.
    Error(Cow<'a, str>),
    /// A record or block of the named type, which this version does not know.
    Unknown(Cow<'a, str>),
}

impl Body<'_> {
    /// The kind of this body.
    pub fn kind(&self) -> EventKind {
        match self {
            Self::Message(_) => EventKind::Message,
            Self::Thinking(_) => EventKind::Thinking,
            Self::ToolCall { .. } => EventKind::ToolCall,
            Self::ToolResult { .. } => EventKind::ToolResult,
            Self::Attachment(_) => EventKind::Attachment,
            Self::Compaction(_) => EventKind::Compaction,
            Self::SessionMeta(_) => EventKind::SessionMeta,
            Self::Error(_) => EventKind::Error,
            Self::Unknown(_) => EventKind::Unknown,
        }
    }

    /// The text a reader would be shown: a call's input, otherwise the body's own words.
    pub fn text(&self) -> &str {
        match self {
            Self::ToolCall { input, .. } => input.as_deref().map_or("", RawValue::get),
            Self::ToolResult { text, .. }
            | Self::Message(text)
            | Self::Thinking(text)
            | Self::Attachment(text)
            | Self::Compaction(text)
            | Self::SessionMeta(text)
            | Self::Error(text)
            | Self::Unknown(text) => text,
        }
    }
}

/// One typed content block of a record.
#[derive(Clone, Debug)]
pub struct Event<'a> {
    /// The block's place in its record, counted from 0.
    pub block: u32,
    /// Who it comes from.
    pub source: Source,
    /// What it holds.
    pub body: Body<'a>,
    /// SHA-256 of the whole of [`Body::text`]: of a result's text without the id of its call, so that two calls
    /// with the same answer can be recognised.
    pub sha256: Sha256,
    /// Reasoning that was paid for but is not in the body.
    pub withheld: Withheld,
}

/// What a block of reasoning does not show.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Withheld {
    /// Nothing is known to be withheld: it has its text, or it is not reasoning.
    #[default]
    Nothing,
    /// It is signed; the length of the signature in characters grows with the whole reasoning, shown or not.
    Signed(u64),
    /// It is redacted, or has neither text nor signature: its length is unknown.
    Untold,
}

/// A usage number per class, as one record states it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RawUsage {
    /// Input tokens that were neither read from nor written to the cache.
    pub input: u64,
    /// Output tokens, reasoning included.
    pub output: u64,
    /// Input tokens read from the cache.
    pub cache_read: u64,
    /// Input tokens written to the cache, as the total states it.
    pub cache_creation: u64,
    /// Of those, written for five minutes, where stated.
    pub cache_5m: u64,
    /// Of those, written for an hour, where stated.
    pub cache_1h: u64,
    /// Web searches run by the provider.
    pub web_searches: u64,
    /// Web pages fetched by the provider.
    pub web_fetches: u64,
}

impl RawUsage {
    /// The larger of each number.
    #[must_use]
    pub fn max(self, other: Self) -> Self {
        Self {
            input: self.input.max(other.input),
            output: self.output.max(other.output),
            cache_read: self.cache_read.max(other.cache_read),
            cache_creation: self.cache_creation.max(other.cache_creation),
            cache_5m: self.cache_5m.max(other.cache_5m),
            cache_1h: self.cache_1h.max(other.cache_1h),
            web_searches: self.web_searches.max(other.web_searches),
            web_fetches: self.web_fetches.max(other.web_fetches),
        }
    }
}

/// Which token numbers a record states, a zero included.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[allow(clippy::struct_excessive_bools, reason = "one for each number of `usage`")]
pub struct StatedTokens {
    /// `input_tokens`.
    pub input: bool,
    /// `output_tokens`.
    pub output: bool,
    /// `cache_read_input_tokens`.
    pub cache_read: bool,
    /// `cache_creation_input_tokens`.
    pub cache_creation: bool,
}

impl StatedTokens {
    /// What either states.
    #[must_use]
    pub fn or(self, other: Self) -> Self {
        Self {
            input: self.input || other.input,
            output: self.output || other.output,
            cache_read: self.cache_read || other.cache_read,
            cache_creation: self.cache_creation || other.cache_creation,
        }
    }
}

/// A request that a call's usage lists: an attempt at the answer, a compaction, an advisor's.
#[derive(Clone, Debug)]
pub struct Iteration<'a> {
    /// Its place in the list, counted from 0.
    pub at: u32,
    /// Its `type`.
    pub kind: Option<Cow<'a, str>>,
    /// The model that answered it.
    pub model: Option<Cow<'a, str>>,
    /// Its usage.
    pub usage: RawUsage,
    /// Which of the four token numbers it states.
    pub stated: StatedTokens,
    /// `speed` of the entry.
    pub speed: Option<Cow<'a, str>>,
    /// `service_tier` of the entry.
    pub service_tier: Option<Cow<'a, str>>,
    /// `inference_geo` of the entry.
    pub inference_geo: Option<Cow<'a, str>>,
}

/// What a record says of the API call that produced it.
#[derive(Clone, Debug, Default)]
pub struct ApiReport<'a> {
    /// The provider's id of the answer.
    pub message_id: Option<Cow<'a, str>>,
    /// The id of the request.
    pub request_id: Option<Cow<'a, str>>,
    /// The model's name as written.
    pub model: Option<Cow<'a, str>>,
    /// Usage, where stated.
    pub usage: RawUsage,
    /// Whether `usage.output_tokens` is stated.
    pub states_output: bool,
    /// Whether `stop_reason` says that the answer has ended.
    pub stopped: bool,
    /// `usage.speed`.
    pub speed: Option<Cow<'a, str>>,
    /// `usage.service_tier`.
    pub service_tier: Option<Cow<'a, str>>,
    /// `usage.inference_geo`.
    pub inference_geo: Option<Cow<'a, str>>,
    /// The requests that were made for the answer, as `usage.iterations` lists them.
    pub iterations: Vec<Iteration<'a>>,
    /// The cost in dollars that an old client wrote itself, as text.
    pub recorded_cost: Option<Cow<'a, str>>,
}

/// What a client says in the end that its process used.
#[derive(Clone, Debug, Default)]
pub struct ClientSums<'a> {
    /// By model as written, in the order of the record.
    pub models: Vec<(Cow<'a, str>, RawUsage)>,
    /// `total_cost_usd`, as text.
    pub cost: Option<Cow<'a, str>>,
}

/// What a record means for the course of the conversation.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Turn<'a> {
    /// Nothing.
    #[default]
    None,
    /// A person wrote this.
    Prompt(Cow<'a, str>),
    /// A person stopped the agent.
    Interruption,
}

/// What a typed command turned out to be, according to the record after it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CommandMeaning {
    /// It set the agent to work: it is a prompt, from the telling record on.
    Started,
    /// It drove the client, which answered for itself.
    Drove,
}

/// A background task.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TaskKind {
    /// A subagent.
    Agent,
    /// A shell command, or anything else a tool left running.
    Command,
}

impl TaskKind {
    /// The name used in output.
    pub fn name(self) -> &'static str {
        match self {
            Self::Agent => "agent",
            Self::Command => "command",
        }
    }
}

/// State of a background task.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TaskState {
    /// It was launched, and nothing has said that it ended.
    Running,
    /// It ended by itself, and well.
    Completed,
    /// It ended with an error.
    Failed,
    /// It was stopped.
    Stopped,
}

impl TaskState {
    /// The name used in output.
    pub fn name(self) -> &'static str {
        match self {
            Self::Running => "running",
            Self::Completed => "completed",
            Self::Failed => "failed",
            Self::Stopped => "stopped",
        }
    }
}

/// A result that is only the receipt of a launch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Launch<'a> {
    /// The block of the result in its record.
    pub block: u32,
    /// The task's id.
    pub id: Cow<'a, str>,
    /// What was launched.
    pub kind: TaskKind,
}

/// A record's statement about a background task's state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TaskReport<'a> {
    /// The task's id.
    pub id: Cow<'a, str>,
    /// Its state; never running.
    pub state: TaskState,
    /// The report's own words, where it has some.
    pub summary: Cow<'a, str>,
}

/// What a record says about background tasks.
#[derive(Clone, Debug, Default)]
pub struct Background<'a> {
    /// Results that are receipts.
    pub launches: Vec<Launch<'a>>,
    /// The agent that the call behind the record's first result launched.
    pub launched_agent: Option<Cow<'a, str>>,
    /// Notifications, in their order.
    pub reports: Vec<TaskReport<'a>>,
    /// What the record's result says when it answers a question about a task.
    pub answer: Option<TaskReport<'a>>,
}

/// What a record says of the session as a whole.
#[derive(Clone, Debug, Default)]
pub struct SessionNote<'a> {
    /// The session's id.
    pub session: Option<Cow<'a, str>>,
    /// The working folder.
    pub cwd: Option<Cow<'a, str>>,
    /// The client's version.
    pub client_version: Option<Cow<'a, str>>,
    /// The git branch.
    pub branch: Option<Cow<'a, str>>,
    /// A title that the client or a person gave.
    pub title: Option<Cow<'a, str>>,
    /// Whether the client asks a person before it lets tools run, from here on.
    pub asks_approval: Option<bool>,
    /// What the agent may do without asking.
    pub permission_mode: Option<Cow<'a, str>>,
}

/// What a record says of a call that has not been answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Progress<'a> {
    /// The call of this id has started.
    Started(Cow<'a, str>),
    /// The tool of the call with this id has ended; its result is written separately.
    Returned(Cow<'a, str>),
}

/// The links of a record that only carries another one.
#[derive(Clone, Debug, Default)]
pub struct Wrapper<'a> {
    /// Its own id.
    pub uuid: Option<Cow<'a, str>>,
    /// The id of the record it follows from.
    pub parent: Option<Cow<'a, str>>,
    /// Whether the record itself belongs to the main thread, whatever it carries.
    pub main: bool,
}

/// One record of a transcript.
#[derive(Clone, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "each is something that any record may say")]
pub struct Record<'a> {
    /// Its position.
    pub at: RawRef,
    /// Its own id.
    pub uuid: Option<Cow<'a, str>>,
    /// The id of the record it follows from.
    pub parent: Option<Cow<'a, str>>,
    /// When it was written.
    pub time: Option<Millis>,
    /// Whose it is.
    pub thread: Thread<'a>,
    /// The progress record that it was found in, if it was.
    pub wrapper: Option<Wrapper<'a>>,
    /// Whether it was written inside a side chain.
    pub sidechain: bool,
    /// The call that launched this record's agent, where the record says so.
    pub launched_by: Option<Cow<'a, str>>,
    /// The API call it reports.
    pub api: Option<ApiReport<'a>>,
    /// The sums that a `result` record states.
    pub sums: Option<Box<ClientSums<'a>>>,
    /// What it means for the conversation.
    pub turn: Turn<'a>,
    /// The command that a person typed with it, as text; a later record tells whether it is a prompt.
    pub command: Option<Cow<'a, str>>,
    /// What it reveals about an earlier command in the main thread, if anything.
    pub tells: Option<CommandMeaning>,
    /// Whether it is part of what person and agent say to one another, and not bookkeeping.
    pub exchange: bool,
    /// Whether its messages are the client's summary of what a compaction dropped.
    pub summarises: bool,
    /// What it says about background tasks.
    pub background: Background<'a>,
    /// What its results say besides their texts.
    pub remarks: Vec<Remark>,
    /// Whether it reports that a request to the model is tried again.
    pub retry: bool,
    /// What it says about a call in flight.
    pub progress: Option<Progress<'a>>,
    /// The session as it describes it.
    pub note: SessionNote<'a>,
    /// A digest of the record as written, if it has an id and nothing else distinguishes its events.
    pub written: Option<Digest64>,
    /// Names of fields whose JSON type was not the expected one.
    pub degraded: Vec<&'static str>,
    /// Its content; at least one event.
    pub events: Vec<Event<'a>>,
}

impl Record<'_> {
    /// Whether it holds call results: a prompt beside them was typed while tools ran.
    pub fn has_results(&self) -> bool {
        self.events.iter().any(|event| matches!(event.body, Body::ToolResult { .. }))
    }
}
