//! Says why something was rejected, and what to do about it.

use crate::words::{Text, Worded};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// Input that cannot be used, with the reason and a cure.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Rejected {
    pub code: &'static str,
    pub message: Text,
    pub cure: Text,
}

/// Declares the refusals of a flow: sentences whose attribute `cure` says what to do. Each becomes a function from
/// its arguments to a [`Rejected`]; `REFUSALS` lists their keys.
#[macro_export]
macro_rules! refusals {
    ($($(#[$doc:meta])* $name:ident($($arg:ident),*) = $key:literal, $code:expr;)*) => {
        $($(#[$doc])*
        pub fn $name($($arg: impl Into<$crate::words::Arg>),*) -> $crate::rejected::Rejected {
            let said = $crate::words::Text::sentence($key)$(.with(stringify!($arg), $arg))*;
            $crate::rejected::Rejected::said($code, said)
        })*

        /// Every refusal and its cure, with the names of their arguments.
        pub const REFUSALS: &[$crate::words::Key] = &[
            $(($key, &[$(stringify!($arg)),*]), (concat!($key, ".cure"), &[$(stringify!($arg)),*])),*
        ];
    };
}

/// The code of a rejection because the flow has moved on since the caller looked.
pub const STATUS_MOVED: &str = "status_moved";

impl Rejected {
    /// Whether a retry helps: the input was fine for the state that the caller saw.
    pub fn is_conflict(&self) -> bool {
        self.code == STATUS_MOVED
    }

    /// Builds a rejection from a sentence whose attribute `cure` says what to do.
    pub fn said(code: &'static str, message: Text) -> Rejected {
        Rejected { code, cure: message.attribute("cure"), message }
    }

    /// Builds a rejection from a sentence that says what is wrong and, after the last semicolon, what to do about
    /// it.
    pub fn of(code: &'static str, text: &str) -> Rejected {
        let (message, cure) = text.rsplit_once("; ").unwrap_or((text, "correct it and try again"));
        Rejected { code, message: message.into(), cure: cure.into() }
    }
}

impl Worded for Rejected {
    fn each_text(&mut self, change: &mut dyn FnMut(&mut Text)) {
        change(&mut self.message);
        change(&mut self.cure);
    }
}

/// Reads the caller's input for an opening or an event. The error makes sense without knowledge of this program's
/// types.
pub(crate) fn read_given<'v, T: Deserialize<'v>>(value: &'v Value) -> Result<T, String> {
    match value {
        Value::Object(_) => T::deserialize(value).map_err(|error| error.to_string()),
        Value::Null => Err("nothing was given".to_owned()),
        _ => Err("it must be a JSON object".to_owned()),
    }
}
