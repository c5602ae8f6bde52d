//! Arguments of whatever asks a model.

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

/// Arguments of whatever asks a model.
// Their comments are help text, which has no markup.
#[allow(clippy::doc_markdown, rustdoc::bare_urls)]
#[derive(Debug, Clone, Args)]
pub struct ModelArgs {
    /// The model, by the name that the provider or the local server knows it by
    #[arg(long, value_name = "NAME", help_heading = "Model")]
    pub model: Option<String>,
    /// Where to send requests, such as http://localhost:8080/v1 for a server on this machine
    /// [default: the provider's own address]
    #[arg(long, value_name = "URL", help_heading = "Model")]
    pub base_url: Option<String>,
    /// The most tokens that the model may write in one call, thinking included
    #[arg(long, value_name = "N", default_value = "1024", help_heading = "Model")]
    pub max_output_tokens: NonZeroU32,
    /// Whether the model may think before it answers. With `off`, models that cannot turn it off are
    /// refused; servers of other makers have switches of their own, for --extra-body
    #[arg(long, value_enum, default_value = "off", help_heading = "Model")]
    pub thinking: Thinking,
    /// Fields to merge into every request, as a JSON object; null removes one. For instance
    /// '{"chat_template_kwargs": {"enable_thinking": false}}' for many local models
    #[arg(long, value_name = "JSON", value_parser = object, help_heading = "Model")]
    pub extra_body: Option<Map<String, Value>>,
    /// How often to make each call; more than one shows how far answers vary
    #[arg(long, value_name = "K", default_value = "1", help_heading = "Model")]
    pub repeats: NonZeroU32,
    /// The most calls under way at once; fewer are while the provider complains
    #[arg(long, value_name = "N", default_value = "8", help_heading = "Model")]
    pub concurrency: NonZeroUsize,
    /// How often to try a call again that failed by overload, a server's fault or a broken connection
    #[arg(long, value_name = "N", default_value_t = 5, help_heading = "Model")]
    pub max_retries: u32,
    /// How long a call may take
    #[arg(long, value_name = "SECONDS", default_value = "300", value_parser = seconds, help_heading = "Model")]
    pub timeout: Duration,
    /// How long a connection may take to come about
    #[arg(long, value_name = "SECONDS", default_value = "10", value_parser = seconds, help_heading = "Model")]
    pub connect_timeout: Duration,
    /// The longest wait before a retry; where the provider asks for more, the call fails
    #[arg(long, value_name = "SECONDS", default_value = "120", value_parser = seconds, help_heading = "Model")]
    pub max_wait: Duration,
    /// The most to spend on this run in US dollars, retries and what it spent before included. A call
    /// that could pass it is not made
    #[arg(long, value_name = "DOLLARS", value_parser = dollars, help_heading = "Model")]
    pub budget: Option<Dollars>,
    /// A price table to use instead of the built-in one, in the format of trace-model/data/prices.json
    #[arg(long, value_name = "FILE", help_heading = "Model")]
    pub prices: Option<PathBuf>,
    /// Calls cost nothing: only for a server on this machine
    #[arg(long, conflicts_with = "prices", help_heading = "Model")]
    pub free: bool,
    /// Folder of recorded answers; a call that it holds is not made again [default: in the run's folder]
    #[arg(long, value_name = "DIR", help_heading = "Model")]
    pub cassette: Option<PathBuf>,
    /// What becomes of calls that the cassette does not hold
    #[arg(long, value_enum, default_value = "record", help_heading = "Model")]
    pub cassette_mode: CassetteMode,
    /// Project on Google Cloud, for Vertex AI [default: GOOGLE_CLOUD_PROJECT]
    #[arg(long, value_name = "NAME", help_heading = "Model")]
    pub vertex_project: Option<String>,
    /// Region on Google Cloud, for Vertex AI [default: CLOUD_ML_REGION, or global]
    #[arg(long, value_name = "NAME", help_heading = "Model")]
    pub vertex_region: Option<String>,
    /// Do not ask before transcripts of your own are sent
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
    serde_json::from_str(text).map_err(|error| format!("no JSON object: {error}"))
}
