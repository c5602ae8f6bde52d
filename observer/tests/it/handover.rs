//! The block of the page that shows what an agent which takes over would be told.

use observer::mask::Mask;
use observer::session::Session;
use serde_json::json;
use trace_model::fold::FoldConfig;
use trace_model::view::{Budget, WorkerView};

use crate::browser;
use crate::pages::{eventful, show, units};
use crate::transcript::{Lines, sample};

/// Name, extent and text of each section.
const TOLD: &str = "Array.from(document.querySelectorAll('#handover-d > details')).map(d => [
    d.querySelector('summary b').textContent,
    d.querySelector('summary .cut')?.textContent ?? '',
    Array.from(d.querySelectorAll('.said')).map(e => e.textContent).join('\\n')])";

#[test_needs::chromium]
#[tokio::test]
async fn the_page_tells_what_the_view_tells_in_its_order() {
    let browser = browser::open(390, 900).await;
    let folder = tempfile::tempdir().unwrap();
    for run in [sample(), eventful()] {
        show(&browser, folder.path(), &run).await;
        let told: Vec<(String, String, String)> =
            serde_json::from_value(browser.eval(TOLD).await).unwrap();
        let session =
            Session::finished(&folder.path().join("session.jsonl"), FoldConfig::default()).unwrap();
        let view = WorkerView::TWO.compile(session.state(), Budget::Chars(9500));
        let mut written = view.lines().next().unwrap().to_owned();
        for (name, extent, text) in &told {
            let heading = match extent.as_str() {
                "" => String::new(),
                _ if text.starts_with("- ") => format!("{name} ({extent}):\n"),
                _ => format!("{name} ({extent}): "),
            };
            written.extend(["\n", heading.as_str(), text.as_str()]);
        }
        let kept: Vec<&str> = view.lines().filter(|line| !line.starts_with("LEFT OUT")).collect();
        assert_eq!(written.lines().collect::<Vec<_>>(), kept);
    }
    // It is closed until it is asked for; then all of it is to be read.
    let open = "document.getElementById('handover-d').open";
    assert_eq!(browser.eval(open).await, json!(false));
    assert_eq!(browser.console().await, Vec::<String>::new());
    browser.close().await;
}

#[test]
fn what_it_tells_is_masked_and_escaped() {
    let folder = tempfile::tempdir().unwrap();
    let token = ["ghp_", "x7Kd92LmQpR4tVw8ZbN3cYf6HsJ1gUaE5oTi"].concat();
    let hostile = "<img src=x onerror=alert(1)>";
    let mut lines = Lines::fixed("s1");
    lines.prompt(&format!("{hostile} go"));
    lines.call("c1", "Read", &json!({"file_path": format!("/{hostile}/\u{202e}a.txt")}));
    lines.result("c1", "ok", false);
    lines.call("c2", "Bash", &json!({"command": format!("echo {token} '</details>'")}));
    // The cut falls into the token.
    lines.call("c3", "Bash", &json!({"command": format!("{} {token}", "y".repeat(140))}));
    let page = units(folder.path(), &lines.take(), Mask::on(), None);
    let told = page.fixed("handover");
    assert!(told.contains("&lt;img src=x onerror=alert(1)&gt;"), "{told}");
    assert!(told.contains("'&lt;/details&gt;'"), "{told}");
    assert!(!told.contains("<img") && !told.contains('\u{202e}'), "{told}");
    assert!(!told.contains(&token[..8]), "a secret, or its start, is told: {told}");
    assert!(told.contains("FILES") && told.contains("9,500 characters"), "{told}");
}
