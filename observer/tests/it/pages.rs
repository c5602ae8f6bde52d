//! What pages say, how they are read by keyboard and by a screen reader, and that they fit.

use std::fmt::Write as _;
use std::path::Path;

use fantoccini::key::Key;
use observer::mask::Mask;
use observer::page::{Compiler, Shell, Subject, Units, document, renderer};
use observer::session::Session;
use serde_json::json;
use trace_model::fold::FoldConfig;
use trace_model::ids::Millis;

use crate::browser;
use crate::transcript::{Lines, before_rewind, sample, with_background};

pub(crate) fn units(folder: &Path, text: &str, mask: Mask, now: Option<Millis>) -> Units {
    let path = folder.join("session.jsonl");
    std::fs::write(&path, text).unwrap();
    let mut session = Session::finished(&path, FoldConfig::default()).unwrap();
    if let Some(now) = now {
        session.advance(now);
    }
    let reading = session.run().reading();
    Compiler::new(mask).compile(&Subject { path: None, ..Subject::of(&session, &reading, now) })
}

/// The parts of a page, a tag a line, without what changes with every release.
fn readable(units: &Units) -> String {
    let mut text = String::new();
    for unit in units.fixed.iter().chain(&units.episodes) {
        let _ = writeln!(text, "\n== {}", unit.id);
        text += &unit
            .html
            .replace('<', "\n<")
            .replace('>', ">\n")
            .split('\n')
            .map(str::trim)
            .filter(|line| !line.is_empty())
            .collect::<Vec<_>>()
            .join("\n");
        text.push('\n');
    }
    text.replace(env!("CARGO_PKG_VERSION"), "VERSION")
}

#[test]
fn the_page_of_a_small_run() {
    let folder = tempfile::tempdir().unwrap();
    let now = Millis::parse("2026-03-01T10:20:00Z");
    let page = readable(&units(folder.path(), &sample(), Mask::on(), now));
    let stamp = renderer().to_string();
    insta::assert_snapshot!(page.replace(&stamp, "RENDERER"));
}

/// A run with a turn taken back, a folder, a branch and a mode that change, and background tasks.
pub(crate) fn eventful() -> String {
    let mut lines = Lines::fixed("s1");
    let fork = before_rewind(&mut lines);
    lines.prompt_after(&fork, "Share the night shifts.").say("Shared.");
    let moved = json!({"permissionMode": "plan",
        "message": {"role": "user", "content": "Go on in the reef's folder."}});
    lines.moves("/home/dev/reef", "survey").record("user", &moved);
    lines.say("I am there.");
    with_background(&mut lines);
    lines.take()
}

#[test]
fn the_page_of_a_run_with_tasks_in_the_background_and_a_turn_taken_back() {
    let folder = tempfile::tempdir().unwrap();
    let page = units(folder.path(), &eventful(), Mask::on(), Millis::parse("2026-03-01T10:02:00Z"));
    let mut told = page;
    told.fixed.retain(|unit| {
        ["head", "ask", "cards", "flight", "frontier", "failures", "files", "facts"]
            .contains(&unit.id.as_str())
    });
    insta::assert_snapshot!(readable(&told));
}

#[test]
fn the_head_never_says_has_answered_beside_an_episode_under_way() {
    let folder = tempfile::tempdir().unwrap();
    let told = |lines: &mut Lines| {
        let text = lines.take();
        let page = units(folder.path(), &text, Mask::on(), None);
        lines.raw(text.trim_end());
        let episode = &page.episodes[0].html;
        let (answered, under_way) =
            (page.fixed("head").contains("Has answered"), episode.contains(">under way<"));
        assert!(!(answered && under_way), "a contradiction");
        assert_eq!(answered, episode.contains(">answered<") && episode.contains("Concluded"));
        (answered, under_way)
    };
    let mut lines = Lines::fixed("s1");
    assert_eq!(told(lines.prompt("Chart the bay.")), (false, true));
    assert_eq!(told(lines.say("I look first.")), (true, false));
    assert_eq!(told(lines.call("c1", "Bash", &json!({"command": "look"}))), (false, true));
    assert_eq!(told(lines.result("c1", "seen", false)), (false, true));
    assert_eq!(told(lines.say("Charted.")), (true, false));
    lines.call("c2", "Agent", &json!({"prompt": "sound the depths"}));
    lines.launched("c2", &json!({"status": "async_launched", "agentId": "a9"}));
    assert_eq!(told(lines.say("It sounds the depths.")), (false, true), "a task runs");
    lines.notified("a9", "completed", "sounded");
    assert_eq!(told(lines.say("Sounded.")), (true, false));
}

#[test]
fn what_a_background_task_says_is_masked_and_escaped() {
    let folder = tempfile::tempdir().unwrap();
    let token = ["ghp_", "x7Kd92LmQpR4tVw8ZbN3cYf6HsJ1gUaE5oTi"].concat();
    let id = "<img src=x onerror=alert(1)>";
    let mut lines = Lines::fixed("s1");
    lines.prompt("go").call("c1", "Agent", &json!({"prompt": "look"}));
    lines.launched("c1", &json!({"status": "async_launched", "agentId": id}));
    lines.notified(id, "failed", &format!("\u{202e}<script>x</script> pushed with {token}"));
    let page = units(folder.path(), &lines.take(), Mask::on(), None);
    let flight = page.fixed("flight");
    assert!(flight.contains("&lt;img src=x onerror=alert(1)&gt;"), "{flight}");
    assert!(flight.contains("&lt;script&gt;x&lt;/script&gt;"), "{flight}");
    assert!(flight.contains("\\u{202e}") && !flight.contains('\u{202e}'), "{flight}");
    assert!(!document(&page, &Shell::Static).contains(&token[..14]), "a secret is on the page");
    assert!(flight.contains("pill bad"), "{flight}");
}

#[test]
fn a_wait_for_a_person_is_told_from_a_stall() {
    let folder = tempfile::tempdir().unwrap();
    let mut lines = Lines::fixed("s1");
    lines.prompt("go").call("c1", "Edit", &json!({"file_path": "/a"}));
    let now = Millis::parse("2026-03-01T13:00:00Z");
    let page = units(folder.path(), &lines.take(), Mask::on(), now);
    let alerts = page.fixed("alerts");
    assert!(alerts.contains("<strong>Waiting for a person</strong>"), "{alerts}");
    assert!(!alerts.contains("Stall"), "{alerts}");
}

#[test]
fn what_was_read_in_a_turn_taken_back_alone_is_in_no_list() {
    let folder = tempfile::tempdir().unwrap();
    let mut lines = Lines::fixed("s1");
    let fork = before_rewind(&mut lines);
    let before = units(folder.path(), &lines.take(), Mask::on(), None);
    assert!(before.fixed("files").contains("nights.txt"));
    assert!(before.fixed("facts").contains("nights"));
    let mut lines = Lines::fixed("s1");
    before_rewind(&mut lines);
    lines.prompt_after(&fork, "Share the night shifts.");
    let after = units(folder.path(), &lines.take(), Mask::on(), None);
    let files = after.fixed("files");
    assert!(files.contains("crew.txt") && !files.contains("nights.txt"), "{files}");
    assert!(files.contains("1 further file read in turns taken back alone"), "{files}");
    let facts = after.fixed("facts");
    assert!(facts.contains("captains") && !facts.contains("nights"), "{facts}");
}

#[test]
fn a_return_to_a_turn_taken_back_is_said_in_its_versions() {
    let folder = tempfile::tempdir().unwrap();
    let mut lines = Lines::fixed("s1");
    let fork = before_rewind(&mut lines);
    let end_of_second = lines.last();
    lines.prompt_after(&fork, "Share the night shifts.").say("Shared.");
    lines.prompt_after(&end_of_second, "No, Ines it is.");
    let page = units(folder.path(), &lines.take(), Mask::on(), None);
    let episode = |id: &str| page.episodes.iter().find(|unit| unit.id == id).unwrap().html.clone();
    let (second, third) = (episode("ep-2"), episode("ep-3"));
    assert!(second.contains("in force again"), "{second}");
    assert!(!second.contains("taken back") && !second.contains("<s>"), "{second}");
    assert!(third.contains("no longer in force: turn 4 took its turn back"), "{third}");
}

/// If this fails, the page has changed: raise the renderer's version and accept the snapshot.
#[test]
fn a_change_of_the_page_raises_the_renderers_version() {
    insta::assert_snapshot!(renderer().to_string());
}

#[test]
fn secrets_are_masked_and_counted_unless_they_are_asked_for() {
    let folder = tempfile::tempdir().unwrap();
    let token = ["ghp_", "x7Kd92LmQpR4tVw8ZbN3cYf6HsJ1gUaE5oTi"].concat();
    let mut lines = Lines::fixed("s1");
    lines.prompt(&format!("use {token} to push"));
    lines.call("c1", "Bash", &json!({"command": format!("GITHUB_TOKEN={token} git push")}));
    lines.result("c1", &format!("denied for {token}"), true);
    let text = lines.take();
    let masked = document(&units(folder.path(), &text, Mask::on(), None), &Shell::Static);
    assert!(!masked.contains(&token[..14]), "a secret is on the page");
    assert!(masked.contains("secrets masked in the texts below"));
    let shown = document(&units(folder.path(), &text, Mask::off(), None), &Shell::Static);
    assert!(shown.contains(&token) && shown.contains("Secrets are not masked on this page"));
}

#[test]
fn the_same_run_at_the_same_time_is_the_same_page() {
    let folder = tempfile::tempdir().unwrap();
    let page = || document(&units(folder.path(), &sample(), Mask::on(), None), &Shell::Static);
    assert_eq!(page(), page());
}

#[test]
fn a_page_of_many_turns_is_bounded_and_says_so() {
    let folder = tempfile::tempdir().unwrap();
    let mut lines = Lines::fixed("s1");
    for turn in 0..600 {
        lines.prompt(&format!("{turn} {}", "long ".repeat(400))).say(&"words ".repeat(400));
        let input = json!({"file_path": format!("/a/{turn}"), "content": "x".repeat(900)});
        lines.call(&format!("c{turn}"), "Write", &input);
        lines.result(&format!("c{turn}"), &"bad ".repeat(300), turn % 2 == 0);
    }
    let page = document(&units(folder.path(), &lines.take(), Mask::on(), None), &Shell::Static);
    assert!(page.len() < 1_000_000, "{} bytes", page.len());
    assert!(page.contains("The newest 150 of 600, newest first"));
    assert!(page.contains("The last used 120 of 300"));
}

pub(crate) async fn show(browser: &browser::Browser, folder: &Path, text: &str) {
    let page = document(&units(folder, text, Mask::on(), None), &Shell::Static);
    let path = folder.join("page.html");
    std::fs::write(&path, page).unwrap();
    browser.client.goto(&format!("file://{}", path.display())).await.unwrap();
}

#[test_needs::chromium]
#[tokio::test]
async fn it_is_read_by_keyboard_and_searched() {
    let browser = browser::open(1280, 900).await;
    let folder = tempfile::tempdir().unwrap();
    show(&browser, folder.path(), &sample()).await;
    let press = async |key: &str| {
        let active = browser.client.active_element().await.unwrap();
        active.send_keys(key).await.unwrap();
    };
    let focus = "(document.activeElement.closest('li') || {id: document.activeElement.id}).id";
    press("j").await;
    assert_eq!(browser.eval(focus).await, json!("ep-3"));
    press(&Key::Down.to_string()).await;
    press("j").await;
    press("j").await;
    assert_eq!(browser.eval(focus).await, json!("ep-1"), "the last one is the last");
    press("k").await;
    assert_eq!(browser.eval(focus).await, json!("ep-2"));
    press(&Key::Enter.to_string()).await;
    assert_eq!(browser.eval("document.getElementById('ep-2-d').open").await, json!(true));
    press("?").await;
    assert_eq!(browser.eval("document.getElementById('help').open").await, json!(true));
    press(&Key::Escape.to_string()).await;
    assert_eq!(browser.eval("document.getElementById('help').open").await, json!(false));
    press("/").await;
    assert_eq!(browser.eval(focus).await, json!("search"));
    press("total.txt").await;
    assert_eq!(
        browser.eval("document.getElementById('found').textContent").await,
        json!("1 of 3 episodes, 1 of 2 files, 0 of 1 error")
    );
    press(&Key::Escape.to_string()).await;
    assert_eq!(browser.eval("document.querySelectorAll('[hidden]').length").await, json!(0));
    assert_eq!(browser.console().await, Vec::<String>::new());
    browser.close().await;
}

/// The contrast of each text with what is behind it, the least first; and what has no name.
const READING: &str = "(() => {
    const rgb = (c) => c.match(/[\\d.]+/g).map(Number);
    const lum = ([r, g, b]) => [r, g, b].map(v => v / 255).map(v => v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)
        .reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
    const behind = (e) => { for (; e; e = e.parentElement) { const c = rgb(getComputedStyle(e).backgroundColor); if (c.length < 4 || c[3] > 0) return c; } return [255, 255, 255]; };
    let least = 21, where = '';
    document.querySelectorAll('details').forEach(d => d.open = true);
    for (const e of document.querySelectorAll('body *')) {
        if (!Array.from(e.childNodes).some(n => n.nodeType === 3 && n.data.trim()) || !e.checkVisibility()) continue;
        if (['SCRIPT', 'TITLE'].includes(e.tagName) || e.closest('svg, .skip')) continue;
        const [a, b] = [lum(rgb(getComputedStyle(e).color)), lum(behind(e))];
        const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
        if (ratio < least) { least = ratio; where = e.className + ' ' + e.textContent.slice(0, 40); }
    }
    const named = (e) => e.getAttribute('aria-label') || e.getAttribute('aria-labelledby') || e.textContent.trim();
    return {
        contrast: least >= 4.5 ? 'enough' : `${least} at ${where}`,
        landmarks: ['header', 'main', 'aside', 'footer', '[role=search]'].every(s => document.querySelector(s)),
        titles: document.querySelectorAll('h1').length,
        unnamed: Array.from(document.querySelectorAll('section, aside, button, input, svg, [role=group], dialog')).filter(e => !named(e)).map(e => e.outerHTML.slice(0, 60)),
        dangling: Array.from(document.querySelectorAll('[aria-labelledby]')).filter(e => !document.getElementById(e.getAttribute('aria-labelledby'))).length,
        doubled: Array.from(document.querySelectorAll('[id]')).length - new Set(Array.from(document.querySelectorAll('[id]')).map(e => e.id)).size,
        positive: document.querySelectorAll('[tabindex]:not([tabindex=\"0\"]):not([tabindex=\"-1\"])').length,
        wider: document.documentElement.scrollWidth > document.documentElement.clientWidth,
        lang: document.documentElement.lang,
    };
})()";

#[test_needs::chromium]
#[tokio::test]
async fn it_reads_in_light_and_dark_wide_and_narrow() {
    let browser = browser::open(1280, 900).await;
    let folder = tempfile::tempdir().unwrap();
    let runs = [("small", sample()), ("eventful", eventful())];
    for (width, (name, run)) in
        [1280, 800, 390].into_iter().flat_map(|w| runs.iter().map(move |r| (w, r)))
    {
        browser.client.set_window_size(width, 900).await.unwrap();
        show(&browser, folder.path(), run).await;
        for theme in ["light", "dark"] {
            browser.eval(&format!("document.documentElement.dataset.theme = '{theme}'")).await;
            let expected = json!({"contrast": "enough", "landmarks": true, "titles": 1, "unnamed": [],
                "dangling": 0, "doubled": 0, "positive": 0, "wider": false, "lang": "en"});
            assert_eq!(browser.eval(READING).await, expected, "{name}, {theme} at {width}");
        }
    }
    browser.close().await;
}
