//! The limits on what a program may use.

use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Limits {
    /// The time for one test.
    pub time_ms: u64,
    /// The time for all tests together. Tests that come later are not run.
    pub total_ms: u64,
    /// The number of tests without an answer in time after which the others are not run: the verdict stands, and
    /// other runs wait.
    pub slow_tests: usize,
    pub memory_mb: u64,
    /// The most bytes that the program may print, for all tests together.
    pub output_bytes: usize,
    /// The most bytes of one returned value, as JSON.
    pub answer_bytes: usize,
    pub source_bytes: usize,
    /// The size of the private folder for files.
    pub scratch_mb: u64,
    pub processes: u64,
    pub open_files: u64,
    pub compile_ms: u64,
    pub compile_memory_mb: u64,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            time_ms: 2_000,
            total_ms: 20_000,
            slow_tests: usize::MAX,
            memory_mb: 256,
            output_bytes: 1 << 20,
            answer_bytes: 16 << 20,
            source_bytes: 512 << 10,
            scratch_mb: 16,
            processes: 32,
            open_files: 128,
            compile_ms: 20_000,
            compile_memory_mb: 1_024,
        }
    }
}
