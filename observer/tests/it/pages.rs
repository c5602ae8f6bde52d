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
use crate::transcript::{Lines, sample};

fn units(folder: &Path, text: &str, mask: Mask, now: Option<Millis>) -> Units {
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

async fn show(browser: &browser::Browser, folder: &Path) {
    let page = document(&units(folder, &sample(), Mask::on(), None), &Shell::Static);
    let path = folder.join("page.html");
    std::fs::write(&path, page).unwrap();
    browser.client.goto(&format!("file://{}", path.display())).await.unwrap();
}

#[tokio::test]
async fn it_is_read_by_keyboard_and_searched() {
    let Some(browser) = browser::open(1280, 900).await else { return };
    let folder = tempfile::tempdir().unwrap();
    show(&browser, folder.path()).await;
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

#[tokio::test]
async fn it_reads_in_light_and_dark_wide_and_narrow() {
    let Some(browser) = browser::open(1280, 900).await else { return };
    let folder = tempfile::tempdir().unwrap();
    for width in [1280, 800, 390] {
        browser.client.set_window_size(width, 900).await.unwrap();
        show(&browser, folder.path()).await;
        for theme in ["light", "dark"] {
            browser.eval(&format!("document.documentElement.dataset.theme = '{theme}'")).await;
            let expected = json!({"contrast": "enough", "landmarks": true, "titles": 1, "unnamed": [],
                "dangling": 0, "doubled": 0, "positive": 0, "wider": false, "lang": "en"});
            assert_eq!(browser.eval(READING).await, expected, "{theme} at {width}");
        }
    }
    browser.close().await;
}
