//! Drills through pipes.

use crate::common::learner::{Learner, Running, Shown};

pub const PACK: &str = "german-first-words";

/// A pack of one word, so that a session can use it up.
pub const TINY_PACK: &str = r#"pack: tiny
title: "One word"
language: de
explained_in: en
about: "A pack that is learned in one session."
names: [Mia]
items:
  - id: hallo
    text: "Hallo"
    meaning: "hello"
    explain: "A wave of the hand that you can hear."
    examples:
      - {say: "Hallo!", means: "Hello!"}
      - {say: "Hallo, Mia!", means: "Hello, Mia!"}
    cues:
      - {scene: "Mia comes in. Greet her.", answer: "Hallo, Mia!"}
      - {scene: "Mia calls you. Greet her.", answer: "Hallo!"}
      - {scene: "Mia waves at you. Greet her.", answer: "Hallo, Mia!"}
"#;

impl Learner {
    /// Runs a whole session with the usual pack; the script is everything that is typed.
    pub fn drill(&self, args: &[&str], script: &[u8]) -> Shown {
        self.drill_in(&[], args, script)
    }

    pub fn drill_in(&self, variables: &[(&str, &str)], args: &[&str], script: &[u8]) -> Shown {
        self.run_in(variables, &[&["drill", PACK, "--plain"], args].concat(), script)
    }

    pub fn start_drill(&self, args: &[&str]) -> Running {
        self.start(&[&["drill", PACK, "--plain"], args].concat())
    }

    pub fn add_pack(&self, name: &str, source: &str) {
        self.add_file(&format!("packs/{name}.yaml"), source);
    }
}
