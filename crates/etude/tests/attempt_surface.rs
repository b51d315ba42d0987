//! What the surfaces of an attempt say: words instead of keys, verbs that are offered, states, refusals.

