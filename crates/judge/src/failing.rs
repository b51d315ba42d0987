//! A program and a test that it fails.

use coaching::judging::{Shrinking, Tests};

/// A program that fails a test.
#[derive(Debug, Clone, Copy)]
pub struct Failing<'f> {
    pub language: &'f str,
    pub source: &'f str,
    pub tests: &'f Tests,
    /// The index of the test that it fails.
    pub index: usize,
    pub shrinking: &'f Shrinking,
}
