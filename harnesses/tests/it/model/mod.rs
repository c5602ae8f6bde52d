//! Model clients and the shared runner, against servers that speak each provider's documented format.

mod answers;
mod budget;
mod cassettes;
mod endpoints;
mod failures;
mod requests;
mod resume;
mod secrets;
mod support;
