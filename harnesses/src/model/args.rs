//! Arguments of whatever asks a model, and the runner that they describe.

use std::num::{NonZeroU32, NonZeroUsize};
use std::path::{Path, PathBuf};
use std::str::FromStr as _;
use std::time::Duration;

use anyhow::{Context as _, bail};
use clap::Args;
use rust_decimal::Decimal;
use serde_json::{Map, Value};
use trace_model::pricing::{Dollars, PriceTable};

use super::backend::{Backend as _, BackendId};
use super::cassette::{Cassette, CassetteMode};
use super::http::{Endpoint, EndpointConfig, VertexPlace};
use super::journal::Identity;
use super::ledger::Ledger;
use super::request::{Provider, Request, Thinking};
use super::runner::{Pricing, Runner, Settings};
use super::stop::Stop;

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

/// Where a run keeps what it must not lose.
#[derive(Debug, Clone)]
pub struct RunFolder(PathBuf);

impl RunFolder {
    /// A folder, which need not be there yet.
    pub fn new(path: impl Into<PathBuf>) -> Self {
        Self(path.into())
    }

    /// The folder.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.0
    }

    /// The journal of its rows.
    #[must_use]
    pub fn rows(&self) -> PathBuf {
        self.0.join("rows.jsonl")
    }

    /// The ledger of what it spent.
    #[must_use]
    pub fn spend(&self) -> PathBuf {
        self.0.join("spend.jsonl")
    }

    /// The cassette, where no other is named.
    #[must_use]
    pub fn cassette(&self) -> PathBuf {
        self.0.join("cassette")
    }
}

/// A runner, and where it sends.
#[derive(Clone)]
pub struct Connection {
    /// Makes the calls.
    pub runner: Runner,
    /// The endpoint.
    pub endpoint: BackendId,
    /// Its host.
    pub host: String,
    /// Whether it is on this machine.
    pub is_local: bool,
}

impl ModelArgs {
    /// A request with the model and the limits of these arguments, and nothing asked yet.
    ///
    /// # Errors
    /// If there is no model.
    pub fn request(&self, provider: Provider) -> anyhow::Result<Request> {
        let model = self.model.as_deref().map(str::trim).unwrap_or_default();
        if model.is_empty() {
            bail!("{provider} needs a model: name it with --model");
        }
        let request = Request::new(model, self.max_output_tokens);
        Ok(Request { thinking: self.thinking, ..request })
    }

    /// The prices by which calls are paid on a day, `YYYY-MM-DD`.
    ///
    /// # Errors
    /// If the price table cannot be read.
    pub fn pricing(&self, date: Option<String>) -> anyhow::Result<Pricing> {
        if self.free {
            return Ok(Pricing::free());
        }
        let table = match &self.prices {
            None => PriceTable::builtin(),
            Some(path) => {
                let text = std::fs::read_to_string(path)
                    .with_context(|| format!("cannot read the price table {}", path.display()))?;
                PriceTable::from_json(&text).with_context(|| path.display().to_string())?
            }
        };
        Ok(Pricing::new(table, date))
    }

    /// The endpoint, with its key from the environment; without a key where nothing is to be sent.
    ///
    /// # Errors
    /// If the address is unusable, or the key is needed and missing.
    pub fn endpoint(&self, provider: Provider, sends: bool) -> anyhow::Result<Endpoint> {
        let config = EndpointConfig {
            provider,
            base_url: self.base_url.clone(),
            connect_timeout: self.connect_timeout,
            timeout: self.timeout,
            extra_body: self.extra_body.clone().unwrap_or_default(),
            vertex: self.vertex(provider),
        };
        Ok(if sends {
            Endpoint::from_environment(config)?
        } else {
            Endpoint::with_key(config, None)?
        })
    }

    fn vertex(&self, provider: Provider) -> Option<VertexPlace> {
        if provider != Provider::Vertex {
            return None;
        }
        let variable = |name: &str| std::env::var(name).ok().filter(|value| !value.is_empty());
        let project = self
            .vertex_project
            .clone()
            .or_else(|| variable("GOOGLE_CLOUD_PROJECT"))
            .or_else(|| variable("ANTHROPIC_VERTEX_PROJECT_ID"))?;
        let region = self
            .vertex_region
            .clone()
            .or_else(|| variable("CLOUD_ML_REGION"))
            .unwrap_or_else(|| "global".to_owned());
        Some(VertexPlace { project, region })
    }

    /// The runner of these arguments over a provider, with ledger and cassette in the run's folder. What
    /// can be found wrong before anything is sent is.
    ///
    /// # Errors
    /// If anything about the model, its address, key, price, cassette or ledger does not allow a run.
    pub fn connect(
        &self,
        provider: Provider,
        folder: &RunFolder,
        date: Option<String>,
        stop: Stop,
    ) -> anyhow::Result<Connection> {
        let endpoint = self.endpoint(provider, self.cassette_mode == CassetteMode::Record)?;
        if self.free && !endpoint.is_local() {
            bail!(
                "--free is for a server on this machine, and {} is not: give prices with --prices FILE",
                endpoint.host()
            );
        }
        let request = self.request(provider)?;
        endpoint.check(&request)?;
        let (id, host, is_local) =
            (endpoint.id().clone(), endpoint.host().to_owned(), endpoint.is_local());
        let cassette = self.cassette.clone().unwrap_or_else(|| folder.cassette());
        let runner = Runner::builder(endpoint)
            .settings(self.settings())
            .pricing(self.pricing(date)?)
            .ledger(Ledger::open(&folder.spend())?)
            .cassette(Cassette::open(&cassette, self.cassette_mode)?)
            .stop(stop)
            .build()?;
        if self.budget.is_some() {
            runner.most(&request)?;
        }
        Ok(Connection { runner, endpoint: id, host, is_local })
    }

    fn settings(&self) -> Settings {
        Settings {
            concurrency: self.concurrency.get(),
            max_retries: self.max_retries,
            longest_wait: self.max_wait,
            budget: self.budget,
            ..Settings::default()
        }
    }

    /// Adds what decides a model's answers to a run's identity. Concurrency, retries, budget, prices and
    /// the number of repeats do not, and may change between the parts of a run.
    #[must_use]
    pub fn identify(&self, endpoint: &BackendId, identity: Identity) -> Identity {
        let extra = Value::Object(endpoint.extra_body.clone());
        identity
            .with("provider", endpoint.provider)
            .with("base_url", &endpoint.base_url)
            .with("model", self.model.as_deref().unwrap_or_default())
            .with("max_output_tokens", self.max_output_tokens)
            .with("thinking", format!("{:?}", self.thinking).to_lowercase())
            .with("extra_body", extra)
    }
}

fn seconds(text: &str) -> Result<Duration, String> {
    let fault = || format!("`{text}` is no number of seconds: write 30 or 0.5");
    let seconds: f64 = text.parse().map_err(|_| fault())?;
    Duration::try_from_secs_f64(seconds).ok().filter(|it| !it.is_zero()).ok_or_else(fault)
}

fn dollars(text: &str) -> Result<Dollars, String> {
    let amount = Decimal::from_str(text.trim_start_matches('$')).ok();
    amount
        .filter(|amount| !amount.is_sign_negative())
        .map(Dollars::new)
        .ok_or_else(|| format!("`{text}` is no amount: write dollars as 5 or 0.50"))
}

fn object(text: &str) -> Result<Map<String, Value>, String> {
    serde_json::from_str(text).map_err(|error| format!("no JSON object: {error}"))
}
