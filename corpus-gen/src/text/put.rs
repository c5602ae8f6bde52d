//! Appending pieces of text to a line: what the formatter does, without its tables and without a string for each
//! piece. A corpus is millions of lines, and most of the time they take would be that.

/// Appends pieces to a string, in order: each is made when its turn comes, as draws have an order.
macro_rules! put {
    ($out:expr, $($piece:expr),+ $(,)?) => {{
        $($crate::text::put::Piece::put(&$piece, $out);)+
    }};
}

pub(crate) use put;

/// Something that can be appended.
pub(crate) trait Piece {
    fn put(&self, out: &mut String);
}

impl Piece for &str {
    fn put(&self, out: &mut String) {
        out.push_str(self);
    }
}

impl Piece for String {
    fn put(&self, out: &mut String) {
        out.push_str(self);
    }
}

impl Piece for u64 {
    fn put(&self, out: &mut String) {
        Padded(*self, 1).put(out);
    }
}

/// A number with zeros before it, up to so many digits.
pub(crate) struct Padded(pub(crate) u64, pub(crate) usize);

impl Piece for Padded {
    fn put(&self, out: &mut String) {
        let Self(mut number, width) = *self;
        let mut digits = [b'0'; 20];
        let mut start = digits.len();
        while number > 0 {
            start -= 1;
            digits[start] = b"0123456789"[crate::rng::to_index(number % 10)];
            number /= 10;
        }
        start = start.min(digits.len() - width);
        out.extend(digits[start..].iter().map(|digit| char::from(*digit)));
    }
}

/// A number as eight hexadecimal digits.
pub(crate) struct Hex8(pub(crate) u64);

impl Piece for Hex8 {
    fn put(&self, out: &mut String) {
        for at in (0..8).rev() {
            let digit = crate::rng::to_index(self.0 >> (4 * at) & 15);
            out.push(char::from(crate::json::HEX[digit]));
        }
    }
}

/// Words with a sign between them: `retry_window`.
pub(crate) struct Joined<const N: usize>(pub(crate) [&'static str; N], pub(crate) &'static str);

impl<const N: usize> Piece for Joined<N> {
    fn put(&self, out: &mut String) {
        for (at, word) in self.0.iter().enumerate() {
            if at > 0 {
                out.push_str(self.1);
            }
            out.push_str(word);
        }
    }
}

/// Words one behind the other, of which those from the second on, or all, begin with a capital: `flushRetry`.
pub(crate) struct Cased<const N: usize> {
    pub(crate) words: [&'static str; N],
    /// How many words stay in lower case.
    pub(crate) lower: usize,
}

impl<const N: usize> Piece for Cased<N> {
    fn put(&self, out: &mut String) {
        for (at, word) in self.words.iter().enumerate() {
            if at < self.lower {
                out.push_str(word);
            } else {
                super::names::push_capital(out, word);
            }
        }
    }
}

/// The same as a string of its own.
pub(crate) fn string(piece: &impl Piece) -> String {
    let mut out = String::with_capacity(32);
    piece.put(&mut out);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_read_as_the_formatter_writes_them() {
        let mut out = String::new();
        put!(
            &mut out,
            0,
            " ",
            u64::MAX,
            " ",
            Padded(7, 3),
            Padded(1234, 2),
            " ",
            Hex8(0x00ab_cdef)
        );
        put!(&mut out, " ", Joined(["a", "b"], "_"), Cased { words: ["flush", "retry"], lower: 1 });
        let number = u64::MAX;
        assert_eq!(
            out,
            format!("0 {number} {:03}{:02} {:08x} a_bflushRetry", 7, 1234, 0x00ab_cdef)
        );
    }
}
