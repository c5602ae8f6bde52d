//! A headless Chromium, driven through its web driver.

use std::net::TcpListener;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use fantoccini::wd::Capabilities;
use fantoccini::{Client, ClientBuilder};
use serde_json::{Value, json};
use tempfile::TempDir;

/// A browser and its driver, which is ended with it.
pub(crate) struct Browser {
    pub(crate) client: Client,
    _driver: Driver,
    _profile: TempDir,
}

/// A browser with a window of this size.
pub(crate) async fn open(width: u32, height: u32) -> Browser {
    let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let driver = Command::new("chromedriver")
        .arg(format!("--port={port}"))
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .map(Driver)
        .expect("chromedriver is installed");
    let profile = tempfile::tempdir().unwrap();
    let profile_argument = format!("--user-data-dir={}", profile.path().display());
    let size = format!("--window-size={width},{height}");
    let arguments = [
        "--headless",
        "--no-sandbox",
        "--disable-gpu",
        "--disable-quic",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
        "--disable-dev-shm-usage",
        &profile_argument,
        &size,
    ];
    let mut capabilities = Capabilities::new();
    capabilities.insert("goog:chromeOptions".to_owned(), json!({"args": arguments}));
    capabilities.insert("goog:loggingPrefs".to_owned(), json!({"browser": "ALL"}));
    let address = format!("http://127.0.0.1:{port}");
    for _ in 0..100 {
        let mut builder = ClientBuilder::new(hyper_connector());
        if let Ok(client) = builder.capabilities(capabilities.clone()).connect(&address).await {
            return Browser { client, _driver: driver, _profile: profile };
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    panic!("chromedriver is there but gives no session");
}

fn hyper_connector() -> hyper_util::client::legacy::connect::HttpConnector {
    hyper_util::client::legacy::connect::HttpConnector::new()
}

impl Browser {
    /// What a script gives.
    pub(crate) async fn eval(&self, script: &str) -> Value {
        self.client.execute(&format!("return ({script});"), Vec::new()).await.unwrap()
    }

    /// Waits until a script gives `true`.
    #[track_caller]
    pub(crate) fn until<'a>(
        &'a self,
        script: &'a str,
        limit: Duration,
    ) -> impl Future<Output = Duration> + 'a {
        let place = std::panic::Location::caller();
        async move {
            let start = std::time::Instant::now();
            while self.eval(script).await != json!(true) {
                assert!(start.elapsed() < limit, "{place}: after {limit:?} not yet: {script}");
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
            start.elapsed()
        }
    }

    /// What the console holds: errors of scripts, and what the policy refused.
    pub(crate) async fn console(&self) -> Vec<String> {
        let log = self.client.issue_cmd(ConsoleLog).await.unwrap();
        let entries = log.as_array().cloned().unwrap_or_default();
        entries
            .iter()
            .map(|entry| entry["message"].as_str().unwrap_or_default().to_owned())
            .collect()
    }

    pub(crate) async fn close(self) {
        let _ = self.client.clone().close().await;
    }
}

/// A driver that is ended with the test.
struct Driver(Child);

impl Drop for Driver {
    fn drop(&mut self) {
        // It may have ended by itself; then there is nothing to end.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// The driver's own command for the console's entries.
#[derive(Debug)]
struct ConsoleLog;

impl fantoccini::wd::WebDriverCompatibleCommand for ConsoleLog {
    fn endpoint(
        &self,
        base: &url::Url,
        session: Option<&str>,
    ) -> Result<url::Url, url::ParseError> {
        base.join(&format!("session/{}/se/log", session.unwrap_or_default()))
    }

    fn method_and_body(&self, _url: &url::Url) -> (http::Method, Option<String>) {
        (http::Method::POST, Some(json!({"type": "browser"}).to_string()))
    }
}
