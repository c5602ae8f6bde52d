//! From arguments to a runner: whatever can be found wrong before anything is sent is found here.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};
use serde_json::Value;
use trace_model::pricing::PriceTable;

use super::args::ModelArgs;
use super::backend::{Backend as _, BackendId};
use super::cassette::{Cassette, CassetteMode};
use super::http::{Endpoint, EndpointConfig, VertexLocation};
use super::journal::Identity;
use super::ledger::Ledger;
use super::request::{Provider, Request};
use super::runner::{Pricing, Runner, Settings};
use super::stop::StopSignal;

/// Where a run keeps the data it must not lose.
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

    /// The spending ledger.
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
    /// Where answers are recorded.
    pub cassette: Cassette,
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

    /// The prices of calls on a day, `YYYY-MM-DD`.
    ///
    /// # Errors
    /// If the price table cannot be read.
    pub fn pricing(&self, date: Option<String>) -> anyhow::Result<Pricing> {
        if self.free {
            return Ok(Pricing::free());
        }
        Ok(Pricing::new(self.price_table()?, date))
    }

    /// The price table, built-in or from a file.
    ///
    /// # Errors
    /// If the file cannot be read or is not a price table.
    pub fn price_table(&self) -> anyhow::Result<PriceTable> {
        let Some(path) = &self.prices else { return Ok(PriceTable::builtin()) };
        let text = std::fs::read_to_string(path)
            .with_context(|| format!("cannot read the price table {}", path.display()))?;
        PriceTable::from_json(&text).with_context(|| path.display().to_string())
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

    fn vertex(&self, provider: Provider) -> Option<VertexLocation> {
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
        Some(VertexLocation { project, region })
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
        stop: StopSignal,
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
        let cassette = Cassette::open(&cassette, self.cassette_mode)?;
        let runner = Runner::builder(endpoint)
            .settings(self.settings())
            .pricing(self.pricing(date)?)
            .ledger(Ledger::open(&folder.spend())?)
            .cassette(cassette.clone())
            .stop(stop)
            .build()?;
        if self.budget.is_some() {
            runner.most(&request)?;
        }
        Ok(Connection { runner, cassette, endpoint: id, host, is_local })
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

#[cfg(test)]
mod tests {
    use clap::Parser as _;

    use super::*;
    use crate::common::defaults;

    #[derive(clap::Parser)]
    struct Line {
        #[command(flatten)]
        args: ModelArgs,
    }

    fn connect(line: &[&str]) -> anyhow::Result<Connection> {
        let args = Line::try_parse_from(["t"].iter().chain(line)).unwrap().args;
        let folder = tempfile::tempdir().unwrap();
        args.connect(Provider::OpenAi, &RunFolder::new(folder.path()), None, StopSignal::new())
    }

    fn fault(line: &[&str]) -> String {
        connect(line).err().map(|error| format!("{error:#}")).unwrap_or_default()
    }

    const LOCAL: [&str; 4] = ["--base-url", "http://localhost:8080", "--model", "m"];

    #[test]
    fn a_local_server_needs_no_key_and_no_price() {
        let connection = connect(&LOCAL).unwrap();
        assert!(connection.is_local);
        assert_eq!(connection.host, "localhost:8080");
        assert_eq!(connection.endpoint.base_url, "http://localhost:8080/v1");
        connect(&[&LOCAL[..], &["--free", "--budget", "1"]].concat()).unwrap();
    }

    #[test]
    fn what_does_not_allow_a_run_is_said_before_anything_is_sent() {
        let far = ["--base-url", "https://gw.test/v1", "--model", "m"];
        assert!(fault(&LOCAL[..2]).contains("--model"));
        assert!(fault(&["--base-url", "localhost", "--model", "m"]).contains("--base-url"));
        assert!(fault(&[&far[..], &["--free"]].concat()).contains("gw.test"));
        let budget = fault(&[&LOCAL[..], &["--budget", "1"]].concat());
        assert!(budget.contains("`m`") && budget.contains("--prices"), "{budget}");
        let prices = fault(&[&LOCAL[..], &["--prices", "/nowhere/prices.json"]].concat());
        assert!(prices.contains("/nowhere/prices.json"), "{prices}");
        let strict = fault(&[&LOCAL[..], &["--cassette-mode", "strict"]].concat());
        assert!(strict.contains("cassette"), "{strict}");
        let thinking = fault(&["--model", "o3", "--cassette-mode", "strict"]);
        assert!(thinking.contains("--thinking default"), "{thinking}");
    }

    #[test]
    fn bad_values_are_refused_by_the_command_line() {
        for line in [
            ["--budget", "-1"],
            ["--budget", "lots"],
            ["--timeout", "0"],
            ["--timeout", "nan"],
            ["--extra-body", "[1]"],
            ["--max-output-tokens", "0"],
            ["--repeats", "0"],
            ["--concurrency", "0"],
        ] {
            assert!(Line::try_parse_from(["t"].iter().chain(&line)).is_err(), "{line:?}");
        }
        let line = ["t", "--budget", "$2.50"];
        assert_eq!(Line::try_parse_from(line).unwrap().args.budget.unwrap().to_string(), "$2.5");
    }

    #[test]
    fn concurrency_and_budget_are_no_part_of_a_runs_identity() {
        let endpoint = connect(&LOCAL).unwrap().endpoint;
        let args: ModelArgs = defaults();
        let same = ModelArgs { max_retries: 99, repeats: args.repeats, ..args.clone() };
        let other = ModelArgs { model: Some("other".to_owned()), ..args.clone() };
        let print = |args: &ModelArgs| args.identify(&endpoint, Identity::new()).fingerprint();
        assert_eq!(print(&args), print(&same));
        assert_ne!(print(&args), print(&other));
    }
}
