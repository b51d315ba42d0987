//! Every integration test of the crate in one program, because linking takes longer than compiling.

mod chaos;
mod notify;
mod small_model;
