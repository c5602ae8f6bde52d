//! Tables over cells, of either source or of both: what they hold is decided here, once, and their
//! form ([`Form`]) after it.

mod answers;
mod changes;
mod entry;
mod form;
mod model;
mod runs;
mod values;

pub use changes::changes;
pub use form::Form;
pub use model::Section;
pub(crate) use model::{number, table, text};

use crate::cell::{Cells, PoolError};
use crate::measure::Settings;

/// Every table, in the order of print.
pub fn all(cells: &Cells, settings: Settings) -> Result<Vec<Section>, PoolError> {
    Ok(vec![
        answers::by_condition(cells, settings),
        runs::definitive(cells, settings)?,
        runs::controls(cells, settings),
        runs::cache(cells),
        runs::inventory(cells),
        answers::by_question(cells),
        answers::losses(cells),
    ])
}
