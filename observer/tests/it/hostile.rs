//! A transcript is untrusted: whatever stands in its fields, a page shows it as text, runs none of it,
//! loads nothing for it, and keeps its layout.

use std::fs;
use std::path::Path;

use observer::mask::Mask;
use observer::page::{Compiler, Shell, Subject, document};
use observer::session::Session;
use serde_json::{Value, json};
use trace_model::fold::FoldConfig;

use crate::browser;
use crate::transcript::Lines;

/// What would run, load or break out, if anything let it.
const ATTACKS: [&str; 12] = [
    "<script>window.hacked = 1</script>",
    "</script><script>window.hacked = 1</script>",
    "<img src=x onerror='window.hacked = 1'>",
    "<svg onload=window.hacked=1><animate onbegin=window.hacked=1>",
    "javascript:window.hacked=1//",
    "<a href='javascript:window.hacked=1' id=trap>click</a>",
    "\"><details open ontoggle=window.hacked=1>",
    "</details></section></main></body></html><h1>outside</h1>",
    "</style><style>*{display:none}</style><link rel=stylesheet href=http://127.0.0.1:9/x.css>",
    "<!--<iframe srcdoc='<script>top.hacked=1</script>'>",
    "\u{202e}txt.exe\u{202d}\u{2066}\u{200b}\u{0}\u{1b}[2J\u{85}",
    "{{constructor.constructor('window.hacked=1')()}}${window.hacked=1}<base href=http://127.0.0.1:9/>",
];

/// A transcript with an attack in every field that a page shows.
fn transcript(attack: &str) -> Vec<u8> {
    let long = "W".repeat(4000);
    let mut lines = Lines::fixed(attack);
    lines.title(attack).prompt(attack);
    let record = json!({"cwd": attack, "gitBranch": attack, "version": attack,
        "message": {"role": "user", "content": format!("{attack}{long}")}});
    lines.record("user", &record);
    for id in ["a", "b", "c"] {
        let input =
            json!({"file_path": format!("/{attack}/{id}"), attack: attack, "command": long});
        lines.answer_of(attack, &json!({"type": "text", "text": attack}));
        lines.answer_of(attack, &json!({"type": "tool_use", "id": format!("{id}{attack}"), "name": attack, "input": input}));
        lines.result(
            &format!("{id}{attack}"),
            &format!("{attack} {long}\n{attack} = 4\nkey = {attack}"),
            id != "a",
        );
        lines.call(id, "Read", &json!({"file_path": format!("{attack}{id}")}));
        lines.result(id, &format!("{attack} = 4\nkey = {attack}"), false);
        lines.call(
            &format!("w{id}"),
            "Write",
            &json!({"file_path": format!("{attack}{id}"), "content": attack}),
        );
        lines.result(&format!("w{id}"), attack, false);
    }
    for (id, status) in [("runs", "running"), ("fell", "failed")] {
        let task = format!("{id}{attack}");
        lines.call(id, attack, &json!({"prompt": attack}));
        lines.launched(id, &json!({"status": "async_launched", "agentId": task}));
        lines.notified(&task, status, &format!("{attack}{long}"));
    }
    // A turn that is taken back, and folder, branch, model and mode that change.
    let fork = lines.last();
    lines.prompt(attack).say(attack).prompt_after(&fork, attack);
    let moved = json!({"cwd": "/b", "gitBranch": "b", "permissionMode": attack,
        "message": {"role": "user", "content": attack}});
    lines.record("user", &moved);
    lines.call("open", attack, &json!({"command": attack})).prompt(attack);
    lines.record(attack, &json!({})).call("last", attack, &json!({"command": attack}));
    let text = lines.take();
    // Broken UTF-8 in the last prompt's line too.
    let mut bytes = text.into_bytes();
    let record = lines.prompt("broken #### text").take().into_bytes();
    bytes.extend(record.iter().map(|byte| if *byte == b'#' { 0xFF } else { *byte }));
    bytes
}

fn page(folder: &Path, attack: &str, at: usize) -> String {
    let path = folder.join(format!("{at}.jsonl"));
    fs::write(&path, transcript(attack)).unwrap();
    let session = Session::finished(&path, FoldConfig::default()).unwrap();
    let reading = session.run().reading();
    let units = Compiler::new(Mask::on()).compile(&Subject::of(&session, &reading, None));
    let html = document(&units, &Shell::Static);
    let page = folder.join(format!("{at}.html"));
    fs::write(&page, &html).unwrap();
    format!("file://{}", page.display())
}

/// What a page looks like from inside.
const LOOK: &str = "({
    hacked: typeof window.hacked,
    scripts: document.scripts.length,
    outside: document.querySelectorAll('body > h1, img, iframe, base, link, object, embed').length,
    links: Array.from(document.querySelectorAll('[href],[src],[action]'))
        .filter(e => !e.getAttribute('href').startsWith('#')).length,
    handlers: Array.from(document.querySelectorAll('*'))
        .filter(e => Array.from(e.attributes).some(a => a.name.startsWith('on') || a.name === 'style')).length,
    requests: performance.getEntriesByType('resource').length,
    wider: document.documentElement.scrollWidth > document.documentElement.clientWidth,
    order: ['head', 'ask', 'cards', 'chart', 'handover', 'episodes', 'facts', 'mark'].every(id => document.getElementById(id)),
    last: document.body.lastElementChild.tagName,
    bidi: /[\\u202a-\\u202e\\u2066-\\u2069]/.test(document.body.innerText + document.title),
})";

#[test_needs::chromium]
#[tokio::test]
async fn nothing_in_a_transcript_runs_loads_or_breaks_the_page() {
    let browser = browser::open(1280, 900).await;
    let folder = tempfile::tempdir().unwrap();
    for (at, attack) in ATTACKS.iter().enumerate() {
        let url = page(folder.path(), attack, at);
        for width in [1280, 390] {
            browser.client.set_window_size(width, 900).await.unwrap();
            browser.client.goto(&url).await.unwrap();
            // Everything is opened, so that whatever waits to be seen is seen.
            browser.eval("document.querySelectorAll('details').forEach(d => d.open = true)").await;
            let look = browser.eval(LOOK).await;
            let expected = json!({"hacked": "undefined", "scripts": 1, "outside": 0, "links": 0,
                "handlers": 0, "requests": 0, "wider": false, "order": true, "last": "SCRIPT", "bidi": false});
            assert_eq!(look, expected, "{attack:?} at {width}");
            assert_eq!(browser.console().await, Vec::<String>::new(), "{attack:?}");
        }
        let shown = browser.eval("document.getElementById('ask').textContent").await;
        let told = browser.eval("document.getElementById('handover').textContent").await;
        assert!(told.as_str().unwrap().contains("COMMANDS"), "{attack:?}: {told}");
        let visible = attack
            .split(|c: char| c.is_control() || trace_model::text::is_misleading(c))
            .find(|s| !s.is_empty());
        assert!(
            shown.as_str().unwrap().contains(visible.unwrap()),
            "{attack:?} is not shown as it is"
        );
    }
    browser.close().await;
}

#[test_needs::chromium]
#[tokio::test]
async fn the_policy_stops_what_would_get_into_the_page_all_the_same() {
    let browser = browser::open(1280, 900).await;
    let folder = tempfile::tempdir().unwrap();
    let url = page(folder.path(), "plain", 0);
    // As if an escape had been forgotten.
    let path = folder.path().join("0.html");
    let html = fs::read_to_string(&path).unwrap();
    fs::write(
        &path,
        html.replace(
            "<main>",
            "<main><script>window.hacked=1</script><img src=x onerror=window.hacked=1>",
        ),
    )
    .unwrap();
    browser.client.goto(&url).await.unwrap();
    assert_eq!(browser.eval("typeof window.hacked").await, Value::from("undefined"));
    assert!(!browser.console().await.is_empty(), "the policy says what it refused");
    browser.close().await;
}
