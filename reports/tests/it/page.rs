//! The page in a real browser: two widths, no sideways scroll, no complaint, no network.

use std::fs;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use fantoccini::Client;
use fantoccini::wd::WebDriverCompatibleCommand;
use http::Method;
use hyper_util::client::legacy::connect::HttpConnector;
use serde_json::{Value, json};
use url::Url;

use crate::support::{own_runs, report};

/// A driver that is ended with the test.
struct Driver(Child);

impl Drop for Driver {
    fn drop(&mut self) {
        // It may have ended by itself; then there is nothing to end.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// A port that was free a moment ago.
fn port() -> u16 {
    std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port()
}

fn start(port: u16) -> Driver {
    let child = Command::new("chromedriver")
        .arg(format!("--port={port}"))
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("chromedriver is installed");
    Driver(child)
}

const NARROW: u32 = 390;
const WIDE: u32 = 1280;

async fn connect(port: u16, width: u32) -> Client {
    let arguments = [
        "--headless=new",
        "--no-sandbox",
        "--disable-gpu",
        "--disable-dev-shm-usage",
        "--hide-scrollbars",
    ];
    // A window cannot be as narrow as a telephone; an emulated one can.
    let screen = json!({"width": width, "height": 900, "pixelRatio": 1.0, "mobile": false});
    let capabilities: Value = json!({
        "goog:chromeOptions": {
            "args": arguments,
            "mobileEmulation": {"deviceMetrics": screen},
        },
        "goog:loggingPrefs": {"browser": "ALL"},
    });
    let capabilities = capabilities.as_object().unwrap().clone();
    let driver = format!("http://127.0.0.1:{port}");
    for _ in 0..150 {
        let connector = HttpConnector::new();
        let found = Client::with_capabilities_and_connector(&driver, &capabilities, connector);
        match found.await {
            Ok(client) => return client,
            Err(_) => tokio::time::sleep(Duration::from_millis(200)).await,
        }
    }
    panic!("the driver does not answer on port {port}");
}

/// What the page wrote to the console.
#[derive(Debug)]
struct BrowserLog;

impl WebDriverCompatibleCommand for BrowserLog {
    fn endpoint(&self, base: &Url, session: Option<&str>) -> Result<Url, url::ParseError> {
        base.join(&format!("session/{}/se/log", session.unwrap_or_default()))
    }

    fn method_and_body(&self, _: &Url) -> (Method, Option<String>) {
        (Method::POST, Some(json!({"type": "browser"}).to_string()))
    }
}

async fn number(client: &Client, script: &str) -> i64 {
    client.execute(script, Vec::new()).await.unwrap().as_i64().unwrap()
}

#[test_needs::chromium]
#[test]
fn the_page_fits_both_widths_and_the_console_stays_empty() {
    let folder = tempfile::tempdir().unwrap();
    let runs = own_runs();
    let made = ["html", "--scoreboards", runs.to_str().unwrap(), "--out", "page.html"];
    report(folder.path(), &made).code(0);
    let page = folder.path().join("page.html");
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    for width in [WIDE, NARROW] {
        let port = port();
        let _driver = start(port);
        runtime.block_on(look(port, width, &page));
    }
}

async fn look(port: u16, width: u32, page: &Path) {
    let client = connect(port, width).await;
    client.goto(&format!("file://{}", page.display())).await.unwrap();
    assert_eq!(number(&client, "return window.innerWidth").await, i64::from(width));
    let content = number(&client, "return document.documentElement.scrollWidth").await;
    assert!(content <= i64::from(width), "the page is {content} pixels wide on {width}");
    let reached = "return performance.getEntriesByType('resource').length";
    assert_eq!(number(&client, reached).await, 0, "the page asked for something");
    let dead = "return [...document.querySelectorAll('a[href^=\"#\"]')]\
                .filter(a => !document.getElementById(a.hash.slice(1))).length";
    assert_eq!(number(&client, dead).await, 0, "a link leads nowhere");
    sorts(&client).await;
    let log = client.issue_cmd(BrowserLog).await.unwrap();
    assert_eq!(log, json!([]), "the console");
    keep_screenshots(&client, width).await;
    client.close().await.unwrap();
}

/// A click on a head of numbers orders its column, and another one turns it around.
async fn sorts(client: &Client) {
    let script = "const table = document.querySelector('#table-5-inventory table');\
        const head = [...table.querySelectorAll('th')].find(h => h.textContent === '$ a run');\
        const at = head.cellIndex;\
        const values = () => [...table.tBodies[0].rows].map(r => r.cells[at].textContent)\
            .filter(t => t !== '').map(t => Number(t.slice(1)));\
        const ordered = sign => values().every((v, i, all) => i === 0 || sign * (v - all[i - 1]) >= 0);\
        head.querySelector('button').click(); const up = ordered(1);\
        head.querySelector('button').click(); const down = ordered(-1);\
        return [up, down, head.getAttribute('aria-sort'), values().length > 50];";
    let found = client.execute(script, Vec::new()).await.unwrap();
    assert_eq!(found, json!([true, true, "descending", true]));
}

/// Into the folder that `TRACEFOLD_SCREENSHOTS` names, for people to look at.
async fn keep_screenshots(client: &Client, width: u32) {
    let Some(folder) = std::env::var_os("TRACEFOLD_SCREENSHOTS") else { return };
    fs::create_dir_all(&folder).unwrap();
    for place in ["claims", "figure-cost-against-success", "section-2"] {
        let script = format!("document.getElementById('{place}').scrollIntoView(); return 0");
        number(client, &script).await;
        let image = client.screenshot().await.unwrap();
        fs::write(Path::new(&folder).join(format!("{place}-{width}.png")), image).unwrap();
    }
}
