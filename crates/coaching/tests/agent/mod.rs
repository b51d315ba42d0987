//! Tests of the agent coach through its public surface.

mod classify;
mod coach;
mod duplicate;
mod face;
mod judgement;
mod law;
mod redact;
mod reply;
mod robust;
mod session;
mod set;
mod skills;
