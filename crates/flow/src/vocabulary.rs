//! Vocabularies: the names that a flow's Rust code knows, as field-less enums.
//!
//! A law bound to a vocabulary can use no other names, and Rust can forget none: it handles an enum by `match`, so a
//! missing case does not compile.

use crate::law::Origin;

/// A closed set of names, declared with [`names!`](crate::names).
pub trait Name: Copy + Eq + std::fmt::Debug + Send + Sync + 'static {
    const ALL: &'static [Self];
    fn name(self) -> &'static str;

    fn names() -> Vec<&'static str> {
        Self::ALL.iter().map(|known| known.name()).collect()
    }

    fn named(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|known| known.name() == name)
    }

    fn index(self) -> usize {
        Self::ALL.iter().position(|other| *other == self).unwrap_or_default()
    }
}

/// Declares a field-less enum whose variants carry the names a law uses.
///
/// ```
/// flow::names! { pub enum Action { Ring = "ring", Wait = "wait" } }
/// use flow::Name;
/// assert_eq!(Action::ALL.len(), 2);
/// assert_eq!(Action::Ring.name(), "ring");
/// ```
#[macro_export]
macro_rules! names {
    ($(#[$meta:meta])* $vis:vis enum $enum:ident { $($variant:ident = $name:literal),* $(,)? }) => {
        $(#[$meta])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        $vis enum $enum { $($variant),* }

        impl $enum {
            /// Returns the name in the law; usable in constants.
            $vis const fn name(self) -> &'static str {
                match self { $($enum::$variant => $name),* }
            }
        }

        impl $crate::Name for $enum {
            const ALL: &'static [Self] = &[$($enum::$variant),*];

            fn name(self) -> &'static str {
                $enum::name(self)
            }
        }
    };
}

/// Everything a law may name, gathered from the enums of a flow.
#[derive(Debug, Clone, Default)]
pub struct Vocabulary {
    pub session: &'static str,
    pub actions: Vec<&'static str>,
    pub events: Vec<(&'static str, Origin)>,
    pub facts: Vec<&'static str>,
    /// Constants that Rust reads, so that a law may have them without using them.
    pub constants: Vec<&'static str>,
    /// Counters that Rust reads. A law without one of them does not run, because it would show a wrong number.
    pub counters: Vec<&'static str>,
    /// Attributes that Rust reads, which a law needs likewise, with the values that Rust knows; an empty list means
    /// any.
    pub attributes: Vec<(&'static str, Vec<&'static str>)>,
    /// The ways in which actions and events move counters, for laws that do not say so themselves.
    pub implied: Vec<Implied>,
}

/// The counters that an action or event moves in the first dialect, where only comments say so. In this form it can
/// be proved. A law that uses `count` or `reset` speaks for itself.
#[derive(Debug, Clone, Copy)]
pub struct Implied {
    pub cause: Cause,
    pub count: &'static [&'static str],
    pub reset: &'static [&'static str],
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cause {
    Event(&'static str),
    Action(&'static str),
}

impl Vocabulary {
    pub fn of<A: Name, E: Name, F: Name>(session: &'static str, origin: impl Fn(E) -> Origin) -> Vocabulary {
        Vocabulary {
            session,
            actions: A::names(),
            events: E::ALL.iter().map(|event| (event.name(), origin(*event))).collect(),
            facts: F::names(),
            constants: Vec::new(),
            counters: Vec::new(),
            attributes: Vec::new(),
            implied: Vec::new(),
        }
    }

    pub fn reading(mut self, constants: &[&'static str]) -> Vocabulary {
        self.constants.extend(constants);
        self
    }

    pub fn counting(mut self, counters: &[&'static str]) -> Vocabulary {
        self.counters.extend(counters);
        self
    }

    pub fn describing(mut self, attribute: &'static str, values: &[&'static str]) -> Vocabulary {
        self.attributes.push((attribute, values.to_vec()));
        self
    }

    pub fn implying(mut self, implied: &[Implied]) -> Vocabulary {
        self.implied.extend(implied);
        self
    }
}
