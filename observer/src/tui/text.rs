//! Text with colours, as a terminal shows it.

use std::borrow::Cow;

/// A colour of the terminal's palette.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Color {
    Red,
    Green,
    Yellow,
    Blue,
    Cyan,
    DarkGray,
}

/// How text looks. What is not set stays as it is underneath.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Style {
    pub(super) color: Option<Color>,
    pub(super) bold: bool,
    pub(super) crossed_out: bool,
    pub(super) reversed: bool,
}

impl Style {
    pub(super) fn fg(color: Color) -> Self {
        Self { color: Some(color), ..Self::default() }
    }

    pub(super) fn reversed(self) -> Self {
        Self { reversed: true, ..self }
    }

    /// This style over another.
    pub(super) fn over(self, below: Self) -> Self {
        Self {
            color: self.color.or(below.color),
            bold: self.bold || below.bold,
            crossed_out: self.crossed_out || below.crossed_out,
            reversed: self.reversed || below.reversed,
        }
    }
}

/// Text of one style.
#[derive(Debug, Clone)]
pub(super) struct Span {
    pub(super) text: Cow<'static, str>,
    pub(super) style: Style,
}

impl Span {
    pub(super) fn raw(text: impl Into<Cow<'static, str>>) -> Self {
        Self { text: text.into(), style: Style::default() }
    }

    pub(super) fn styled(text: impl Into<Cow<'static, str>>, style: Style) -> Self {
        Self { text: text.into(), style }
    }

    pub(super) fn fg(mut self, color: Color) -> Self {
        self.style.color = Some(color);
        self
    }

    pub(super) fn bold(mut self) -> Self {
        self.style.bold = true;
        self
    }

    pub(super) fn crossed_out(mut self) -> Self {
        self.style.crossed_out = true;
        self
    }
}

/// Spans beside one another.
#[derive(Debug, Clone, Default)]
pub(super) struct Line(pub(super) Vec<Span>);

impl Line {
    pub(super) fn fg(self, color: Color) -> Self {
        Self(self.0.into_iter().map(|span| span.fg(color)).collect())
    }

    pub(super) fn bold(self) -> Self {
        Self(self.0.into_iter().map(Span::bold).collect())
    }
}

impl From<String> for Line {
    fn from(text: String) -> Self {
        Self(vec![Span::raw(text)])
    }
}

impl From<&'static str> for Line {
    fn from(text: &'static str) -> Self {
        Self(vec![Span::raw(text)])
    }
}

impl From<Vec<Span>> for Line {
    fn from(spans: Vec<Span>) -> Self {
        Self(spans)
    }
}
