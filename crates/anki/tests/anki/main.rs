//! Anki's packages: read from other programs, written for them, and refused when they are hostile.

mod files;
mod hostile;
mod peers;
mod schedule;
