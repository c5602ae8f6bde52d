//! Forms of paths.

use unicode_normalization::UnicodeNormalization as _;

use super::form::FormCollector;

pub(super) fn make(accepted: &[String], known: &[String], forms: &mut FormCollector) {
    let Some(path) = accepted.first() else { return };
    forms.around(path);
    forms.no_answer();
    for (kind, text) in written(path) {
        forms.same(kind, text);
    }
    forms.same("a sentence", format!("It is `{path}`."));
    forms.same("a dash and a count", format!("{path} \u{2014} 4 times"));
    forms.same("a count in brackets", format!("`{path}` (4 edits)"));
    for (kind, text) in others(path) {
        forms.other(kind, text);
    }
    let own = |other: &&String| !accepted.iter().any(|path| ends(path, other) || ends(other, path));
    let others: Vec<String> = known.iter().filter(own).cloned().collect();
    if let Some(other) = forms.one(&others).cloned() {
        forms.other("another file", other.clone());
        forms.other("another file as a URL", format!("file://{other}"));
        forms.other("two files", format!("{path}, {other}"));
        forms.other("a link to another file", format!("[{path}]({other})"));
        forms.other("a choice", format!("{path} or {other}"));
    }
}

/// Whether one path is the end of another, or the same in another case.
fn ends(long: &str, short: &str) -> bool {
    long.to_lowercase().ends_with(&short.to_lowercase())
}

/// Ways to write the same path.
pub(super) fn written(path: &str) -> Vec<(&'static str, String)> {
    let mut forms = vec![
        ("backticks", format!("`{path}`")),
        ("bold", format!("**{path}**")),
        ("quotation marks", format!("\"{path}\"")),
        ("a line's number", format!("{path}:12")),
        ("a line and a column", format!("{path}:12:5")),
        ("a line as a fragment", format!("{path}#L12")),
        ("lines as a fragment", format!("{path}#L12-L20")),
        ("a line in words", format!("{path} (line 12)")),
        ("Unicode decomposed", path.nfd().collect()),
        ("Unicode composed", path.nfc().collect()),
    ];
    let rooted = path.starts_with('/');
    let name = path.rsplit('/').next().unwrap_or(path);
    if rooted && !path.contains('\\') {
        forms.push(("a file URL", format!("file://{}", escaped(path))));
        forms.push(("a file URL of this host", format!("file://localhost{}", escaped(path))));
        forms.push(("a link", format!("[{name}]({path})")));
        forms.push(("a link with a line", format!("[`{name}`]({path}#L7)")));
        forms.push(("other separators", path.replace('/', "\\")));
        forms.push(("an idle component", path.replacen('/', "/./", 1)));
    }
    forms
}

/// As URLs are written.
fn escaped(path: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"/-_.~".contains(&byte);
    path.bytes()
        .map(|byte| if plain(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") })
        .collect()
}

/// Other paths that look like it.
pub(super) fn others(path: &str) -> Vec<(&'static str, String)> {
    let mut forms = vec![
        ("another extension behind it", format!("{path}.bak")),
        ("a longer name", format!("{path}2")),
        ("a denial", format!("not {path}")),
        ("a denial behind it", format!("{path} was not changed")),
        ("a doubt", format!("maybe {path}")),
    ];
    if let Some((folder, name)) = path.rsplit_once('/').filter(|(folder, _)| folder.len() > 1) {
        forms.push(("another folder", format!("{folder}-old/{name}")));
        forms.push(("a folder between", format!("{folder}/elsewhere/{name}")));
        forms.push(("another host's file", format!("file://elsewhere{path}")));
        forms.push(("the folder alone", folder.to_owned()));
    }
    if let Some((stem, end)) = path.rsplit_once('.').filter(|(_, end)| !end.contains('/')) {
        forms.push(("another extension", format!("{stem}.{end}x")));
        forms.push(("a name cut short", format!("{}.{end}", cut(stem))));
    }
    if path.contains('a') {
        forms.push(("a letter of another script", path.replace('a', "\u{430}")));
    }
    forms
}

fn cut(text: &str) -> &str {
    let mut chars = text.chars();
    chars.next_back();
    chars.as_str()
}
