//! Counts allocations, to show that a step makes none.

#![expect(unsafe_code, reason = "a global allocator cannot be written without it")]

use mimalloc::MiMalloc;
use std::alloc::{GlobalAlloc, Layout};
use std::cell::Cell;

thread_local! {
    static MADE: Cell<u64> = const { Cell::new(0) };
}

/// Returns the number of allocations that this thread has made so far.
pub fn made() -> u64 {
    MADE.get()
}

/// The program's allocator, with a count for each thread, so that threads do not disturb each other's.
#[derive(Debug)]
pub struct Counting;

// SAFETY: every call is passed on to the program's allocator unchanged. The counter is a plain number in
// constant-initialised thread-local storage, so counting neither allocates nor unwinds.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let _ = MADE.try_with(|made| made.set(made.get() + 1));
        // SAFETY: the contract is the same, and the caller keeps it.
        unsafe { MiMalloc.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: the contract is the same, and the caller keeps it.
        unsafe { MiMalloc.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, new_size: usize) -> *mut u8 {
        let _ = MADE.try_with(|made| made.set(made.get() + 1));
        // SAFETY: the contract is the same, and the caller keeps it.
        unsafe { MiMalloc.realloc(pointer, layout, new_size) }
    }
}
