//! Text for a terminal: strings from outside made harmless, numbers made short, tables.

pub use cli_support::escape;
use comfy_table::{CellAlignment, ContentArrangement, Table, presets};
use rust_decimal::{Decimal, RoundingStrategy};

/// Escaped, and cut to `max` characters with the number of those left out.
pub(crate) fn escape_short(text: &str, max: usize) -> String {
    let total = text.chars().count();
    if total <= max {
        return escape(text);
    }
    let head: String = text.chars().take(max).collect();
    format!("{} [{max} of {total} characters]", escape(&head))
}

/// At most four decimals, half away from zero.
pub(crate) fn short(number: Decimal) -> String {
    let strategy = RoundingStrategy::MidpointAwayFromZero;
    let rounded = number.round_dp_with_strategy(4, strategy);
    if rounded.is_zero() && !number.is_zero() {
        // A small number is not zero: two significant digits of it.
        return number.round_sf(2).unwrap_or(number).normalize().to_string();
    }
    if number.fract().is_zero() { number.trunc().to_string() } else { format!("{rounded:.4}") }
}

/// Always four decimals, for shares and the ends of intervals, so that they line up.
pub(crate) fn fixed(number: Decimal) -> String {
    if number.fract().is_zero() { format!("{number:.4}") } else { short(number) }
}

/// Dollars, with at least two decimals and all that there are.
pub(crate) fn dollars(amount: Decimal) -> String {
    let amount = amount.normalize();
    if amount.scale() < 2 { format!("${amount:.2}") } else { format!("${amount}") }
}

/// A table in plain text: no colours, no wrapping, the same on every terminal. Columns named in
/// `numeric` are aligned right.
#[must_use]
pub fn table(header: &[&str], numeric: &[usize], rows: Vec<Vec<String>>) -> String {
    let mut table = Table::new();
    table.load_style(presets::NOTHING).set_content_arrangement(ContentArrangement::Disabled);
    table.set_header(header.to_vec());
    table.add_rows(rows);
    for column in table.column_iter_mut() {
        column.set_padding((0, 2));
    }
    for &column in numeric {
        if let Some(column) = table.column_mut(column) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    table.trim_fmt()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cut_says_how_much_it_left_out() {
        assert_eq!(escape_short("abcdef", 4), "abcd [4 of 6 characters]");
        assert_eq!(escape_short("abcd", 4), "abcd");
    }

    #[test]
    fn numbers_are_short_but_never_wrongly_zero() {
        assert_eq!(short(Decimal::new(30, 1)), "3");
        assert_eq!(short(Decimal::new(979_166_667, 9)), "0.9792");
        assert_eq!(short(Decimal::new(1, 9)), "0.000000001");
        assert_eq!(fixed(Decimal::ONE), "1.0000");
        assert_eq!(dollars(Decimal::new(105, 1)), "$10.50");
        assert_eq!(dollars(Decimal::new(123_450, 5)), "$1.2345");
    }
}
