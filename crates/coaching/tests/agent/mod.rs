//! The agent coach through its public surface.

mod classify;
mod coach;
mod duplicate;
mod redact;
mod reply;
mod robust;
mod set;
mod skills;
