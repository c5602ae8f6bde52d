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
use crate::transcript::{Lines, append, before_rewind, with_background};

/// Changes are to be seen within this time.
const SOON: Duration = Duration::from_secs(1);
/// Where only a look at the file can tell, as it may come late on a busy machine.
const LATER: Duration = Duration::from_secs(5);

fn says(id: &str, text: &str) -> String {
    format!("document.getElementById('{id}').textContent.includes({text:?})")
}

#[test_needs::chromium]
#[tokio::test]
async fn what_is_appended_changes_in_place() {
    let browser = browser::open(1280, 700).await;
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

/// What a reader sees of an episode: its pill, the decoration of what was asked, the line below.
fn seen(id: &str) -> String {
    format!(
        "(() => {{ const e = document.getElementById('{id}'); const s = e.querySelector('.asked s'); return {{
            pill: e.querySelector('summary > .pill').innerText,
            struck: !!s && getComputedStyle(s).textDecorationLine.includes('line-through'),
            said: e.querySelector('.digest').innerText.includes('no part of the conversation since turn'),
            visible: e.checkVisibility(),
        }}; }})()"
    )
}

#[test_needs::chromium]
#[tokio::test]
async fn a_rewind_is_shown_as_such_while_the_page_is_open() {
    let browser = browser::open(1280, 900).await;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("session.jsonl");
    let mut lines = Lines::new("s1", Millis(clock().0 - 60_000));
    let fork = before_rewind(&mut lines);
    let end_of_second = lines.last();
    lines.append_to(&path);
    let address = served(&path, FoldConfig::default());
    browser.client.goto(&format!("http://{address}/")).await.unwrap();
    browser.until("document.getElementById('link').textContent === ''", LATER).await;
    let in_force = json!({"pill": "answered", "struck": false, "said": false, "visible": true});
    assert_eq!(browser.eval(&seen("ep-2")).await, in_force);
    browser.until(&says("files", "nights.txt"), SOON).await;
    browser.until(&says("facts", "nights"), SOON).await;
    browser.until(&says("ask", "Give all night shifts to Ines"), SOON).await;
    browser.eval("(document.getElementById('ep-2').kept = document.body.kept = true)").await;
    browser.eval("(document.getElementById('ep-2-d').open = true)").await;

    // The person goes back to before the second turn.
    lines.prompt_after(&fork, "Share the night shifts among all three.").append_to(&path);
    browser.until(&says("ep-2", "taken back"), SOON).await;
    let taken_back = json!({"pill": "taken back", "struck": true, "said": true, "visible": true});
    assert_eq!(browser.eval(&seen("ep-2")).await, taken_back);
    let others = json!({"pill": "complete", "struck": false, "said": false, "visible": true});
    assert_eq!(browser.eval(&seen("ep-1")).await, others);
    assert_eq!(
        browser.eval("document.getElementById('ep-2').kept && document.body.kept && document.getElementById('ep-2-d').open").await,
        json!(true),
        "it changes in place"
    );
    browser.until(&says("cards", "1 taken back"), SOON).await;
    for (id, gone) in
        [("ask", "Ines"), ("files", "nights.txt"), ("facts", "nights"), ("frontier", "Ines")]
    {
        browser.until(&format!("!{}", says(id, gone)), SOON).await;
    }
    browser.until(&says("ask", "Share the night shifts"), SOON).await;
    browser.until(&says("files", "crew.txt"), SOON).await;
    browser.until(&says("files", "1 further file read in turns taken back alone"), SOON).await;
    with_background(&mut lines);
    lines.append_to(&path);
    browser.until(&says("head", "1 task in the background"), SOON).await;
    photograph(&browser, "rewind").await;

    // And returns to it after all.
    lines.prompt_after(&end_of_second, "No, Ines it is.").append_to(&path);
    browser
        .until("document.querySelector('#ep-2 summary > .pill').innerText !== 'taken back'", SOON)
        .await;
    assert_eq!(browser.eval(&seen("ep-2")).await["struck"], json!(false));
    assert_eq!(browser.eval(&seen("ep-3")).await["pill"], json!("taken back"));
    browser.until(&says("files", "nights.txt"), SOON).await;
    assert_eq!(browser.console().await, Vec::<String>::new());
    browser.close().await;
}

/// Keeps pictures of the page, light and dark, in the folder that `TRACEFOLD_PICTURES` names, if it
/// does: for a look at it.
async fn photograph(browser: &browser::Browser, name: &str) {
    let Some(folder) = std::env::var_os("TRACEFOLD_PICTURES") else { return };
    for theme in ["light", "dark"] {
        browser.eval(&format!("document.documentElement.dataset.theme = '{theme}'")).await;
        browser.client.set_window_size(1280, 1900).await.unwrap();
        let picture = browser.client.screenshot().await.unwrap();
        let path = std::path::Path::new(&folder).join(format!("{name}-{theme}.png"));
        fs::write(path, picture).unwrap();
    }
}

#[test_needs::chromium]
#[tokio::test]
async fn a_hang_is_flagged_though_nothing_more_is_written() {
    let browser = browser::open(1280, 700).await;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("session.jsonl");
    let mut lines = Lines::new("s1", Millis(clock().0 - 1_000));
    let go = json!({"role": "user", "content": "go"});
    // Nobody is asked before a tool runs: silence is a stall, not a wait for a person.
    lines.record("user", &json!({"permissionMode": "bypassPermissions", "message": go}));
    lines.call("c1", "Bash", &json!({"command": "hang"})).append_to(&path);
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

#[test_needs::chromium]
#[tokio::test]
async fn a_file_that_is_lost_truncated_or_replaced_is_survived_and_said() {
    let browser = browser::open(1280, 700).await;
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
