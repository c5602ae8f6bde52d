//! Arguments of commands that ask a model.

use std::num::{NonZeroU32, NonZeroUsize};
use std::path::PathBuf;
use std::str::FromStr as _;
use std::time::Duration;

use clap::Args;
use rust_decimal::Decimal;
use serde_json::{Map, Value};
use trace_model::pricing::Dollars;

use super::cassette::CassetteMode;
use super::request::Thinking;

/// Arguments of commands that ask a model.
// Their comments are help text, which has no markup.
#[allow(clippy::doc_markdown, rustdoc::bare_urls)]
#[derive(Debug, Clone, Args)]
pub struct ModelArgs {
    /// Model name, as the provider or local server knows it
    #[arg(long, value_name = "NAME", help_heading = "Model")]
    pub model: Option<String>,
    /// Server to send requests to, such as http://localhost:8080/v1 for one on this machine [default: the
    /// provider's]
    #[arg(long, value_name = "URL", help_heading = "Model")]
    pub base_url: Option<String>,
    /// Maximum output tokens per call, thinking included
    #[arg(long, value_name = "N", default_value = "1024", help_heading = "Model")]
    pub max_output_tokens: NonZeroU32,
    /// Whether the model may think before it answers. `off` rejects models that cannot turn thinking off; other
    /// servers have their own switches, for --extra-body
    #[arg(long, value_enum, default_value = "off", help_heading = "Model")]
    pub thinking: Thinking,
    /// Merge these fields into every request, as a JSON object; null removes a field. For instance
    /// '{"chat_template_kwargs": {"enable_thinking": false}}' for many local models
    #[arg(long, value_name = "JSON", value_parser = object, help_heading = "Model")]
    pub extra_body: Option<Map<String, Value>>,
    /// Make each call K times, to show how much answers vary
    #[arg(long, value_name = "K", default_value = "1", help_heading = "Model")]
    pub repeats: NonZeroU32,
    /// Maximum concurrent calls; lowered while the provider throttles
    #[arg(long, value_name = "N", default_value = "8", help_heading = "Model")]
    pub concurrency: NonZeroUsize,
    /// Retries per call after overload, a server error or a broken connection
    #[arg(long, value_name = "N", default_value_t = 5, help_heading = "Model")]
    pub max_retries: u32,
    /// Time limit for a call
    #[arg(long, value_name = "SECONDS", default_value = "300", value_parser = seconds, help_heading = "Model")]
    pub timeout: Duration,
    /// Time limit for connecting
    #[arg(long, value_name = "SECONDS", default_value = "10", value_parser = seconds, help_heading = "Model")]
    pub connect_timeout: Duration,
    /// Maximum wait before a retry; if the provider asks for more, the call fails
    #[arg(long, value_name = "SECONDS", default_value = "120", value_parser = seconds, help_heading = "Model")]
    pub max_wait: Duration,
    /// Maximum spend for this run in US dollars, including retries and earlier spending. A call that could
    /// exceed it is not made
    #[arg(long, value_name = "DOLLARS", value_parser = dollars, help_heading = "Model")]
    pub budget: Option<Dollars>,
    /// Use this price table instead of the built-in one, in the format of trace-model/data/prices.json
    #[arg(long, value_name = "FILE", help_heading = "Model")]
    pub prices: Option<PathBuf>,
    /// Treat calls as free; only for a server on this machine
    #[arg(long, conflicts_with = "prices", help_heading = "Model")]
    pub free: bool,
    /// Folder of recorded answers; a recorded call is not repeated [default: in the run's folder]
    #[arg(long, value_name = "DIR", help_heading = "Model")]
    pub cassette: Option<PathBuf>,
    /// What to do on a cassette miss
    #[arg(long, value_enum, default_value = "record", help_heading = "Model")]
    pub cassette_mode: CassetteMode,
    /// Google Cloud project, for Vertex AI [default: GOOGLE_CLOUD_PROJECT]
    #[arg(long, value_name = "NAME", help_heading = "Model")]
    pub vertex_project: Option<String>,
    /// Google Cloud region, for Vertex AI [default: CLOUD_ML_REGION, or global]
    #[arg(long, value_name = "NAME", help_heading = "Model")]
    pub vertex_region: Option<String>,
    /// Send your own transcripts without asking
    #[arg(long, help_heading = "Model")]
    pub yes: bool,
}

fn seconds(text: &str) -> Result<Duration, String> {
    let fault = || format!("`{text}` is not a number of seconds: write 30 or 0.5");
    let seconds: f64 = text.parse().map_err(|_| fault())?;
    Duration::try_from_secs_f64(seconds).ok().filter(|it| !it.is_zero()).ok_or_else(fault)
}

fn dollars(text: &str) -> Result<Dollars, String> {
    let amount = Decimal::from_str(text.trim_start_matches('$')).ok();
    amount
        .filter(|amount| !amount.is_sign_negative())
        .map(Dollars::new)
        .ok_or_else(|| format!("`{text}` is not an amount: write dollars as 5 or 0.50"))
}

fn object(text: &str) -> Result<Map<String, Value>, String> {
    serde_json::from_str(text).map_err(|error| format!("not a JSON object: {error}"))
}
