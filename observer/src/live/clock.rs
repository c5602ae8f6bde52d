//! The one place where the observer looks at a clock.

use trace_model::ids::Millis;

/// The time, as the machine's clock has it.
pub fn clock() -> Millis {
    Millis(jiff::Timestamp::now().as_millisecond())
}
