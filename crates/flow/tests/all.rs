//! Every integration test of the crate in one program, because linking takes longer than compiling.

mod diff;
mod export;
mod pages;
mod proofs;
mod properties;
mod reading;
