//! A transcript's text on a page: escaped, what misleads made visible, secrets masked, and cut with a
//! word on how much is missing. Every text that comes from outside passes through [`TextRenderer`].

use std::cell::Cell;

use maud::{Markup, PreEscaped, Render as _, html};
use trace_model::ids::{Excerpt, Head, Millis};
use trace_model::text::{grouped, head, is_misleading};

pub use trace_model::text::{count, duration};

use crate::mask::Mask;

/// Writes texts of a transcript, and counts the secrets that it masks.
#[derive(Debug)]
pub struct TextRenderer<'a> {
    mask: &'a Mask,
    masked: Cell<u64>,
}

impl<'a> TextRenderer<'a> {
    /// Writes with this mask.
    pub fn new(mask: &'a Mask) -> Self {
        Self { mask, masked: Cell::new(0) }
    }

    /// How many secrets were masked since the last time that this was asked.
    pub fn take_masked(&self) -> u64 {
        self.masked.take()
    }

    /// A whole text, at most `limit` characters of it.
    pub fn text(&self, text: &str, limit: usize) -> Markup {
        self.part(text, None, limit)
    }

    /// The start of a text, which knows the length of the whole.
    pub fn head(&self, text: &Head, limit: usize) -> Markup {
        self.part(&text.text, Some(text.chars), limit)
    }

    /// An excerpt, which knows the length of the whole.
    pub fn excerpt(&self, excerpt: &Excerpt, limit: usize) -> Markup {
        self.part(&excerpt.text, Some(excerpt.chars), limit)
    }

    /// A line that may have been cut, each cut marked as `trace_model::text::one_line` marks it. What stands at a
    /// cut may be the start of a secret, as at the end of a text.
    pub fn line(&self, line: &str) -> Markup {
        let mut rest = line;
        html! {
            @while let Some((before, mark, behind)) = split_at_cut(rest) {
                (self.masked(before, true)) span.cut { (mark) }
                @let () = rest = behind;
            }
            (self.masked(rest, false))
        }
    }

    fn masked(&self, text: &str, cut: bool) -> Markup {
        let masked = self.mask.apply(text, cut);
        self.masked.set(self.masked.get() + masked.masked);
        visible(&masked.text)
    }

    /// At most `limit` characters of `text`, whose full length is `whole` characters.
    pub fn part(&self, text: &str, whole: Option<u64>, limit: usize) -> Markup {
        let stored = text.chars().count();
        let whole = whole.unwrap_or(stored as u64).max(stored as u64);
        let line = self.mask.apply(text, whole > stored as u64);
        self.masked.set(self.masked.get() + line.masked);
        let shown = head(&line.text, limit);
        let cut = whole > stored as u64 || shown.len() < line.text.len();
        let count = shown.chars().count().min(stored);
        html! {
            (visible(shown))
            @if cut {
                "… " span.cut { (grouped(count as u64)) " of " (grouped(whole)) " characters" }
            }
        }
    }
}

/// A line before the first mark of a cut (`… [40 of 300 characters]`), the mark, and what is behind it.
fn split_at_cut(line: &str) -> Option<(&str, &str, &str)> {
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    line.match_indices("… [").find_map(|(at, opening)| {
        let (inside, _) = line[at + opening.len()..].split_once(" characters]")?;
        let (shown, whole) = inside.split_once(" of ")?;
        let end = at + opening.len() + inside.len() + " characters]".len();
        (is_number(shown) && is_number(whole)).then(|| (&line[..at], &line[at..end], &line[end..]))
    })
}

/// A text with what would mislead a reader (controls, bidirectional overrides, characters without
/// width) written as its code point.
pub fn visible(text: &str) -> Markup {
    let misleads = |c: char| is_misleading(c) && c != '\n' && c != '\t';
    if !text.chars().any(misleads) {
        return text.render();
    }
    let mut out = String::with_capacity(text.len() + 64);
    let mut plain = 0;
    for (at, c) in text.char_indices().filter(|(_, c)| misleads(*c)) {
        text[plain..at].render_to(&mut out);
        let code = format!("\\u{{{:x}}}", u32::from(c));
        html! { span.esc { (code) } }.render_to(&mut out);
        plain = at + c.len_utf8();
    }
    text[plain..].render_to(&mut out);
    PreEscaped(out)
}

/// The same as plain text, for attributes and titles.
pub fn plain(text: &str) -> String {
    trace_model::text::verbatim(text)
}

/// An instant in UTC, to the second.
pub fn at(time: Millis) -> Markup {
    let full = time.to_string();
    let short =
        full.strip_suffix('Z').map_or_else(|| full.clone(), |text| text.replacen('T', " ", 1));
    html! { time datetime=(full) { (short) } }
}

/// A large number in three digits: `1.23 M`. Small ones are exact.
pub fn short(number: u64) -> String {
    let (unit, name) = match number {
        0..10_000 => return grouped(number),
        10_000..1_000_000 => (1_000, "k"),
        1_000_000..1_000_000_000 => (1_000_000, "M"),
        _ => (1_000_000_000, "G"),
    };
    let whole = number / unit;
    let hundredths = number % unit * 100 / unit;
    match whole {
        0..10 => format!("{whole}.{hundredths:02} {name}"),
        10..100 => format!("{whole}.{} {name}", hundredths / 10),
        _ => format!("{} {name}", grouped(whole)),
    }
}

/// A number of bytes in three digits.
pub fn bytes(number: u64) -> String {
    match number {
        0..1000 => format!("{number} B"),
        1000..10_000 => format!("{}.{} kB", number / 1000, number % 1000 / 100),
        _ => format!("{}B", short(number)),
    }
}

/// Dollars: to the cent from one dollar on, otherwise to a hundredth of a cent.
pub fn dollars(amount: rust_decimal::Decimal) -> String {
    let places = if amount.abs() >= rust_decimal::Decimal::ONE { 2 } else { 4 };
    format!("${:.*}", places, amount.round_dp(u32::from(places == 4) * 2 + 2))
}

/// A share in percent; a share that is neither nothing nor all is never shown as either.
pub fn percent(part: u64, whole: u64) -> String {
    if whole == 0 || part == 0 {
        return "0 %".to_owned();
    }
    let tenths = u128::from(part) * 1000 / u128::from(whole);
    match tenths {
        0 => "under 0.1 %".to_owned(),
        1000.. => "100 %".to_owned(),
        _ => format!("{}.{} %", tenths / 10, tenths % 10),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(text: &str, limit: usize) -> String {
        TextRenderer::new(&Mask::off()).text(text, limit).into_string()
    }

    #[test]
    fn what_misleads_is_shown_and_nothing_is_markup() {
        assert_eq!(
            written("<b>\u{202e}x\u{0}</b>", 40),
            "&lt;b&gt;<span class=\"esc\">\\u{202e}</span>x<span class=\"esc\">\\u{0}</span>&lt;/b&gt;"
        );
        assert_eq!(written("a\n\tb", 40), "a\n\tb");
    }

    #[test]
    fn a_cut_text_says_how_much_it_shows() {
        let cut = "abc… <span class=\"cut\">3 of 1,200 characters</span>";
        assert_eq!(TextRenderer::new(&Mask::off()).part("abc", Some(1200), 9).into_string(), cut);
        assert_eq!(written("añc", 2), "añ… <span class=\"cut\">2 of 3 characters</span>");
    }

    #[test]
    fn a_line_is_masked_at_each_of_its_cuts() {
        let line = "pushed ghp_x7Kd92LmQp… [17 of 60 characters]: denied… [6 of 9 characters]";
        let mask = Mask::on();
        let written = TextRenderer::new(&mask).line(line).into_string();
        assert_eq!(
            written,
            "pushed <span class=\"cut\">… [17 of 60 characters]</span>: \
             <span class=\"cut\">… [6 of 9 characters]</span>"
        );
        assert_eq!(TextRenderer::new(&mask).line("a… [of] <b>").into_string(), "a… [of] &lt;b&gt;");
    }

    #[test]
    fn numbers_read_well() {
        let shorts = [9_999, 12_345, 999_999, 1_234_567, 45_600_000, 2_000_000_000].map(short);
        assert_eq!(shorts, ["9,999", "12.3 k", "999 k", "1.23 M", "45.6 M", "2.00 G"]);
        let amounts = ["0", "0.03125", "12.345", "-1.5"].map(|a| dollars(a.parse().unwrap()));
        assert_eq!(amounts, ["$0.0000", "$0.0312", "$12.34", "$-1.50"]);
        assert_eq!(
            [percent(1, 2000), percent(1999, 2000), percent(3, 3)],
            ["under 0.1 %", "99.9 %", "100 %"]
        );
        assert_eq!([bytes(12), bytes(1_500), bytes(11_000_000)], ["12 B", "1.5 kB", "11.0 MB"]);
    }
}
