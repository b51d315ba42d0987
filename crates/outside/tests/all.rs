//! The ports against real servers: some behave, some do not.

mod chaos;
mod notify;
