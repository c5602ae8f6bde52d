//! A page that is looked at while its transcript grows.

use std::fs;
use std::time::Duration;

use observer::live::clock;
use observer::session::Session;
use serde_json::json;
use trace_model::fold::FoldConfig;
use trace_model::ids::Millis;

use crate::browser;
use crate::server::served;
use crate::transcript::{Lines, append};

/// Changes are to be seen within this time.
const SOON: Duration = Duration::from_secs(1);
/// Where only a look at the file can tell, as it may come late on a busy machine.
const LATER: Duration = Duration::from_secs(5);

fn says(id: &str, text: &str) -> String {
    format!("document.getElementById('{id}').textContent.includes({text:?})")
}

#[tokio::test]
async fn what_is_appended_changes_in_place() {
    let Some(browser) = browser::open(1280, 700).await else { return };
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("session.jsonl");
    let mut lines = Lines::new("s1", Millis(clock().0 - 60_000));
    for turn in 1..=30 {
        lines.prompt(&format!("turn number {turn}")).say("done");
    }
    lines.append_to(&path);
    let address = served(&path, FoldConfig::default());
    browser.client.goto(&format!("http://{address}/")).await.unwrap();
    browser.until("document.getElementById('link').textContent === ''", LATER).await;
    // A mark on an element shows that it is patched, not replaced.
    browser.eval("(document.getElementById('ep-12').kept = document.body.kept = true)").await;
    browser.eval("(document.getElementById('ep-12-d').open = true)").await;
    browser.eval("document.getElementById('ep-12').scrollIntoView({block: 'center'})").await;
    let top = "Math.round(document.getElementById('ep-12').getBoundingClientRect().top)";
    let before = browser.eval(top).await;

    // A prompt and a call: counters, frontier, in flight.
    lines
        .prompt("one more thing")
        .call("c1", "Bash", &json!({"command": "make slow"}))
        .append_to(&path);
    browser.until(&says("flight", "make slow"), SOON).await;
    browser.until(&says("cards", "31"), SOON).await;
    browser.until(&says("frontier", "make slow"), SOON).await;
    browser.until(&says("head", "1 call in flight"), SOON).await;
    browser.until("!!document.getElementById('ep-31')", SOON).await;

    // A line that its writer stops in the middle of.
    let line = lines.prompt("never mind, do this").take();
    let (start, rest) = line.split_at(40);
    append(&path, start);
    browser.until(&says("mark", "in the middle of a line"), LATER).await;
    append(&path, rest);
    browser.until(&says("ep-31", "interrupted"), SOON).await;
    browser.until(&says("flight", "No call is waiting"), SOON).await;

    // Its result, late.
    lines.result("c1", "finished at last", false).append_to(&path);
    browser.until(&says("ep-31", "late result"), SOON).await;
    browser.until(&says("ep-31", "read again at event"), SOON).await;

    assert_eq!(browser.eval(top).await, before, "the reader's place moved");
    assert_eq!(browser.eval("document.getElementById('ep-12').kept && document.body.kept && document.getElementById('ep-12-d').open").await, json!(true));
    let order = "Array.from(document.getElementById('episode-list').children).slice(0, 2).map(e => e.id).join()";
    assert_eq!(browser.eval(order).await, json!("ep-32,ep-31"));
    assert_eq!(browser.console().await, Vec::<String>::new());
    browser.close().await;
}

#[tokio::test]
async fn a_hang_is_flagged_though_nothing_more_is_written() {
    let Some(browser) = browser::open(1280, 700).await else { return };
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("session.jsonl");
    let mut lines = Lines::new("s1", Millis(clock().0 - 1_000));
    lines.prompt("go").call("c1", "Bash", &json!({"command": "hang"})).append_to(&path);
    let mut config = FoldConfig::default();
    // Longer than it takes to open the page on a busy machine.
    config.detectors.stall_millis = 12_000;
    let address = served(&path, config);
    browser.client.goto(&format!("http://{address}/")).await.unwrap();
    assert_eq!(browser.eval("document.querySelector('.badge.active')").await, json!(null));
    browser.until("!!document.querySelector('.badge.active') && document.querySelector('.badge.active').textContent.includes('Stall')", Duration::from_secs(30)).await;
    browser.until("!!document.querySelector('.age.late')", LATER).await;
    // Life clears it: it stays, greyed, with when.
    lines.result("c1", "alive", false).append_to(&path);
    browser.until("!document.querySelector('.badge.active') && document.querySelector('.badge.over').textContent.includes('cleared at event')", LATER).await;
    browser.close().await;
}

#[tokio::test]
async fn a_file_that_is_lost_truncated_or_replaced_is_survived_and_said() {
    let Some(browser) = browser::open(1280, 700).await else { return };
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("session.jsonl");
    let mut lines = Lines::new("s1", clock());
    lines.prompt("the first file, with a long prompt").say("yes").append_to(&path);
    let address = served(&path, FoldConfig::default());
    browser.client.goto(&format!("http://{address}/")).await.unwrap();
    browser.until(&says("ask", "the first file"), LATER).await;

    fs::remove_file(&path).unwrap();
    browser.until(&says("banner", "The file is lost"), LATER).await;
    browser.until(&says("head", "File lost"), LATER).await;
    browser.until(&says("ask", "the first file"), LATER).await;

    // Another file under its name.
    Lines::new("s2", clock()).prompt("the second file").append_to(&path);
    browser.until(&says("ask", "the second file"), LATER).await;
    browser.until(&says("banner", "has been read anew"), LATER).await;
    browser.until("!document.getElementById('banner').textContent.includes('lost')", LATER).await;

    // Truncated to nothing, then written again.
    fs::write(&path, "").unwrap();
    browser.until(&says("head", "Nothing yet"), LATER).await;
    Lines::new("s3", clock()).prompt("the third").append_to(&path);
    browser.until(&says("ask", "the third"), LATER).await;
    // Rotated: renamed away, and a new one in its place.
    fs::rename(&path, folder.path().join("old")).unwrap();
    Lines::new("s4", clock()).prompt("the fourth").append_to(&path);
    browser.until(&says("ask", "the fourth"), LATER).await;
    browser.until("document.querySelectorAll('#episode-list > li').length === 1", LATER).await;
    browser.close().await;
}

#[test]
fn a_last_record_without_its_line_feed_is_shown_and_never_counted_twice() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("session.jsonl");
    let mut lines = Lines::fixed("s1");
    lines.prompt("first").call("c1", "Bash", &json!({"command": "ls"}));
    let text = lines.take();
    append(&path, text.trim_end());
    let mut session = Session::followed(&path, FoldConfig::default()).unwrap();
    let calls = |session: &Session| session.state().tool_totals().calls;
    assert_eq!((calls(&session), session.run().reading().pending_bytes), (1, 0));
    // Its line feed comes, then a line in two pieces of which the first is no record.
    append(&path, "\n");
    assert!(session.poll());
    assert_eq!((calls(&session), session.restarts()), (1, 0));
    let more = lines.call("c2", "Bash", &json!({"command": "ls -l"})).take();
    append(&path, &more[..30]);
    assert!(session.poll());
    assert_eq!((calls(&session), session.run().reading().pending_bytes), (1, 30));
    append(&path, more[30..].trim_end());
    assert!(session.poll());
    assert_eq!((calls(&session), session.state().in_flight_count()), (2, 2));
    // Another record goes on with the same line.
    let third = lines.call("c3", "Bash", &json!({"command": "pwd"})).take();
    append(&path, &third);
    assert!(session.poll());
    assert_eq!((calls(&session), session.restarts()), (3, 0));
    assert_eq!(session.run().reading().bad_lines, 0);
    assert!(!session.poll());
    let finished = Session::finished(&path, FoldConfig::default()).unwrap();
    assert_eq!(finished.state(), session.state());
}
