//! What API calls cost: a dated price table, exact dollars, and the rules by which a request is
//! priced. Used by the fold, and by the harnesses for the calls they make themselves.
//!
//! The built-in table (`data/prices.json`) names the source of every price. A model, service tier,
//! speed or geography without a published price is never priced by a guess: [`Priced::Unpriced`]
//! says why, and the caller reports the tokens. A table of one's own has the same format
//! ([`PriceTable::from_json`]).
//!
//! A request costs
//!
//! ```text
//! (input x I + cache reads x R + 5m writes x W5 + 1h writes x W1) x long-context input multiplier
//!   + output x O x long-context output multiplier, all of it
//!   x fast multiplier x batch multiplier x geography multiplier (or that of a regional endpoint)
//!   + web searches x fee
//! ```
//!
//! with the prices in force on the call's date. The long-context tier is decided once per request,
//! from input, cache reads and cache writes together, strictly above the model's threshold, and then
//! holds for all its tokens; fast mode covers the whole context window and takes no such premium.
//! Web fetches have no fee.

mod dollars;
mod name;
mod price;
mod table;
mod units;
mod usage;

pub use dollars::Dollars;
pub(crate) use name::{Name, bare_name, normalise};
pub use price::{Assumptions, Cost, PriceList, Priced, Quote, TokenClass, UnpricedReason};
pub use table::{LongContext, ModelPrice, PriceTable, PricingError, Rates, Source};
pub use units::relative_units;
pub use usage::CallUsage;
