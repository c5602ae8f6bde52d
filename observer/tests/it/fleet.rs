//! Many sessions: read once, then only as far as they have grown.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::time::Duration;

use observer::fleet::{Cache, Content, Fleet, Scan, Scanned, follow};
use observer::live::clock;
use serde_json::json;
use trace_model::fold::FoldConfig;
use trace_model::ids::Millis;

use crate::browser;
use crate::server::site;
use crate::transcript::{Lines, append, with_background};

fn scan(folder: &Path, cache: &Path) -> Scan {
    let cache = Cache::open(cache, FoldConfig::default()).unwrap();
    Scan::new(vec![folder.to_owned()], None, Some(cache), FoldConfig::default())
}

fn look(folder: &Path, cache: &Path) -> Scanned {
    scan(folder, cache).look(clock(), |_| {}).unwrap()
}

fn told(scanned: &Scanned) -> BTreeMap<String, String> {
    let tell = |row: &observer::fleet::Row| {
        let name = row.path.file_stem().unwrap().to_string_lossy().into_owned();
        let text = match &row.content {
            Content::Folded(told) => format!("{} turns, {} calls", told.turns, told.calls),
            Content::Unreadable(broken) => format!(
                "broken: {}",
                broken.reason.replace(&row.path.display().to_string(), "FILE")
            ),
            Content::Waiting => "waiting".to_owned(),
        };
        (name, text)
    };
    scanned.rows.iter().map(tell).collect()
}

fn sessions(folder: &Path, count: usize) {
    for at in 0..count {
        let project = folder.join(format!("project-{}", at % 3));
        fs::create_dir_all(&project).unwrap();
        let mut lines = Lines::new(&format!("s{at}"), clock());
        lines.prompt(&format!("ask {at}")).call("c1", "Bash", &json!({"command": "ls"}));
        lines.append_to(&project.join(format!("s{at}.jsonl")));
    }
}

#[test]
fn only_what_is_new_is_read_and_a_broken_session_is_a_row() {
    let folder = tempfile::tempdir().unwrap();
    let cache = tempfile::tempdir().unwrap();
    sessions(folder.path(), 5);
    fs::write(folder.path().join("project-0/broken.jsonl"), "dear diary\n").unwrap();
    fs::write(folder.path().join("project-0/empty.jsonl"), "").unwrap();

    let first = look(folder.path(), cache.path());
    assert_eq!((first.read, first.sessions), (7, 7));
    let rows = told(&first);
    assert_eq!(rows["s3"], "1 turns, 1 calls");
    assert!(rows["broken"].starts_with("broken: FILE is not a transcript"), "{}", rows["broken"]);
    assert!(rows["empty"].starts_with("broken: FILE is empty"), "{}", rows["empty"]);

    let again = look(folder.path(), cache.path());
    assert_eq!((again.read, told(&again)), (0, rows));

    // Grown, replaced by another file of the same length and time, and a new subagent.
    let grown = folder.path().join("project-0/s3.jsonl");
    Lines::new("s3x", clock()).prompt("more").append_to(&grown);
    let replaced = folder.path().join("project-1/s1.jsonl");
    let text = fs::read_to_string(&replaced).unwrap();
    fs::write(&replaced, format!("{}{text}", Lines::fixed("z").prompt("before").take())).unwrap();
    let third = look(folder.path(), cache.path());
    assert_eq!(third.read, 2);
    assert_eq!(told(&third)["s3"], "2 turns, 1 calls");
    assert_eq!(told(&third)["s1"], "2 turns, 1 calls");
    let last: Vec<_> = third.rows.iter().map(|row| row.last).collect();
    assert!(last.is_sorted_by(|a, b| a >= b), "not by age: {last:?}");
}

#[test]
fn a_damaged_cache_costs_time_and_nothing_else() {
    let folder = tempfile::tempdir().unwrap();
    let cache = tempfile::tempdir().unwrap();
    sessions(folder.path(), 3);
    let rows = told(&look(folder.path(), cache.path()));
    for entry in cache.path().read_dir().unwrap() {
        fs::write(entry.unwrap().path(), "{\"version\":1").unwrap();
    }
    let again = look(folder.path(), cache.path());
    assert_eq!((again.read, told(&again)), (3, rows));
}

#[test]
fn the_state_of_a_deleted_session_does_not_stay_for_ever() {
    let folder = tempfile::tempdir().unwrap();
    let cache = tempfile::tempdir().unwrap();
    sessions(folder.path(), 2);
    look(folder.path(), cache.path());
    let kept = || {
        let names = cache.path().read_dir().unwrap().map(|it| it.unwrap().file_name());
        let names = names.map(|it| it.into_string().unwrap());
        names.filter(|it| !it.starts_with("rows-")).count()
    };
    fs::write(cache.path().join("notes.json"), "{}").unwrap();
    assert_eq!(kept(), 3);
    fs::remove_file(folder.path().join("project-0/s0.jsonl")).unwrap();
    Lines::new("s1x", clock()).prompt("more").append_to(&folder.path().join("project-1/s1.jsonl"));
    let three_days = Millis(clock().0 + 72 * 3600 * 1000);
    scan(folder.path(), cache.path()).look(three_days, |_| {}).unwrap();
    assert_eq!(kept(), 1, "what the cache did not write stays");
}

#[test]
fn a_session_that_waits_for_a_person_says_so() {
    let folder = tempfile::tempdir().unwrap();
    let cache = tempfile::tempdir().unwrap();
    let mut lines = Lines::new("s1", Millis(clock().0 - 2 * 3600 * 1000));
    lines.prompt("go").call("c1", "Edit", &json!({"file_path": "/a"}));
    lines.append_to(&folder.path().join("s1.jsonl"));
    let scanned = look(folder.path(), cache.path());
    assert_eq!(scanned.rows[0].summary().unwrap().alerts(clock()), ["waiting_for_person"]);
}

#[test]
fn a_session_with_a_task_in_the_background_is_under_way() {
    let folder = tempfile::tempdir().unwrap();
    let cache = tempfile::tempdir().unwrap();
    let mut lines = Lines::new("s1", clock());
    with_background(&mut lines);
    lines.append_to(&folder.path().join("s1.jsonl"));
    let told = look(folder.path(), cache.path()).rows.remove(0).summary().unwrap().clone();
    assert_eq!((told.in_flight, told.running_tasks), (0, 1));
    assert!(told.is_under_way(clock()));
    let three_days = Millis(clock().0 + 72 * 3600 * 1000);
    assert!(!told.is_under_way(three_days), "it was left");
}

#[cfg(unix)]
#[test]
fn the_cache_is_for_its_user_alone() {
    use std::os::unix::fs::PermissionsExt as _;
    let cache = tempfile::tempdir().unwrap();
    let folder = cache.path().join("tracefold");
    Cache::open(&folder, FoldConfig::default()).unwrap();
    assert_eq!(fs::metadata(&folder).unwrap().permissions().mode() & 0o077, 0);
}

#[test_needs::chromium]
#[tokio::test]
async fn the_table_is_live_sorted_filtered_and_leads_to_pages() {
    let browser = browser::open(1280, 900).await;
    let folder = tempfile::tempdir().unwrap();
    let cache = tempfile::tempdir().unwrap();
    sessions(folder.path(), 6);
    fs::write(folder.path().join("project-0/broken.jsonl"), "<script>window.hacked=1</script>\n")
        .unwrap();
    let fleet = Fleet { scan: scan(folder.path(), cache.path()), show_secrets: false };
    let address = site(follow(fleet).unwrap());
    browser.client.goto(&format!("http://{address}/")).await.unwrap();
    let wait = Duration::from_secs(10);
    browser.until("document.querySelectorAll('#session-rows tr').length === 7 && document.querySelectorAll('#session-rows a').length === 6", wait).await;
    assert!(
        browser
            .eval("document.querySelector('.broken').textContent")
            .await
            .as_str()
            .unwrap()
            .contains("is not a transcript")
    );

    browser.eval("(document.getElementById('search').value = 'ask 4', document.getElementById('search').dispatchEvent(new Event('input')))").await;
    assert_eq!(
        browser.eval("document.getElementById('found').textContent").await,
        json!("1 of 7 sessions")
    );
    browser.eval("(document.getElementById('search').value = '', document.getElementById('search').dispatchEvent(new Event('input')))").await;

    let mut lines = Lines::new("more", clock());
    lines.prompt("what now").prompt("and <b>then</b>");
    append(&folder.path().join("project-2/s5.jsonl"), &lines.take());
    browser
        .until(
            "document.getElementById('session-rows').textContent.includes('and <b>then</b>')",
            wait,
        )
        .await;
    browser.eval("document.querySelectorAll('thead button')[3].click()").await;
    assert_eq!(
        browser.eval("document.querySelector('#session-rows tr a').textContent").await,
        json!("and <b>then</b>")
    );
    assert_eq!(
        browser.eval("document.querySelectorAll('thead th')[3].getAttribute('aria-sort')").await,
        json!("descending")
    );

    // What waits for a person says so in words.
    let mut lines = Lines::new("waits", Millis(clock().0 - 2 * 3600 * 1000));
    lines.prompt("go").call("c1", "Edit", &json!({"file_path": "/a"}));
    lines.append_to(&folder.path().join("project-1/waits.jsonl"));
    let waits =
        "document.getElementById('session-rows').textContent.includes('waiting for person')";
    browser.until(waits, wait).await;

    for width in [1280, 390] {
        browser.client.set_window_size(width, 900).await.unwrap();
        assert_eq!(
            browser
                .eval(
                    "document.documentElement.scrollWidth <= document.documentElement.clientWidth"
                )
                .await,
            json!(true)
        );
    }
    browser.eval("document.querySelector('#session-rows tr a').click()").await;
    browser.until("!!document.getElementById('episode-list')", wait).await;
    browser
        .until("document.getElementById('ask').textContent.includes('and <b>then</b>')", wait)
        .await;
    assert_eq!(browser.console().await, Vec::<String>::new());
    browser.close().await;
}
