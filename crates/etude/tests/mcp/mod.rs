//! Tests of the tutor's tools as an assistant meets them: the real program on stdio and over HTTP.

pub mod client;
mod contract;
mod hostile;
mod peers;
mod protocol;
mod reading;
mod scenarios;
