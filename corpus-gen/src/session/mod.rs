//! Sessions for COMPREHEND: what a session of a profile and seed is to hold ([`plan`]), and the agent
//! and person that act it out ([`driver`]). The pathology traces use the same agent for their honest
//! work.

pub(crate) mod answers;
pub(crate) mod driver;
pub(crate) mod events;
pub(crate) mod plan;
pub(crate) mod step;
pub(crate) mod subagent;
pub(crate) mod tools;
pub(crate) mod worker;
