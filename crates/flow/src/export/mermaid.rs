//! Exports a machine as a Mermaid state diagram, which many Markdown viewers draw.

use crate::export::identifiers::identifiers;
use crate::export::nest::Nest;
use crate::export::picture::{self, label, remarks, test_words, timer_words};
use crate::machine::{Choice, Edge, Machine, StateId};
use std::fmt::Write;

pub(super) fn write(machine: &Machine) -> String {
    let ids = identifiers(machine.states().map(|id| machine.state_name(id)), plain, "");
    let shared = picture::shared(machine);
    let mut picture = Picture { machine, ids, shared, out: String::new() };
    picture.heading();
    picture.states(&Nest::of(machine), None, "");
    picture.line(&format!("[*] --> {}", picture.id(machine.initial)));
    for id in machine.states() {
        picture.arrows(id);
    }
    for id in machine.states() {
        picture.note(id);
    }
    picture.deadlines();
    picture.out
}

struct Picture<'m> {
    machine: &'m Machine,
    ids: Vec<String>,
    shared: Vec<&'m Edge>,
    out: String,
}

impl Picture<'_> {
    fn heading(&mut self) {
        let title = format!("{} {}", self.machine.session, self.machine.version);
        // The title is YAML, in which any JSON string is valid, whatever the version contains.
        let title = serde_json::Value::String(title);
        let _ = writeln!(self.out, "---\ntitle: {title}\n---\nstateDiagram-v2");
    }

    /// Writes the states of a box, or those in none, and then the boxes in it.
    fn states(&mut self, nest: &Nest, within: Option<usize>, indent: &str) {
        for id in nest.states(within) {
            self.state(id, indent, within.is_some());
        }
        for at in nest.boxes(within) {
            let name = &self.machine.regions[at].name;
            self.line(&format!("{indent}state \"{name}\" as {} {{", self.box_id(at)));
            self.states(nest, Some(at), &format!("{indent}  "));
            self.line(&format!("{indent}}}"));
        }
    }

    fn state(&mut self, id: StateId, indent: &str, is_boxed: bool) {
        let name = self.machine.state_name(id);
        let known = self.id(id);
        if self.machine.states[id.index()].choice.is_some() {
            self.line(&format!("{indent}state {known} <<choice>>"));
        } else if known != name {
            self.line(&format!("{indent}state \"{name}\" as {known}"));
        } else if is_boxed {
            self.line(&format!("{indent}{known}"));
        }
    }

    fn deadlines(&mut self) {
        let machine = self.machine;
        let nest = Nest::of(machine);
        for (at, region) in machine.regions.iter().enumerate() {
            let is_drawn =
                !region.deadlines.is_empty() && region.states.iter().any(|state| nest.is_within(*state, at));
            for after in region.deadlines.iter().filter(|_| is_drawn) {
                self.line(&format!("note right of {}", self.box_id(at)));
                self.line(&format!("  {}", escape(&timer_words(machine, after))));
                self.line("end note");
            }
        }
    }

    fn arrows(&mut self, id: StateId) {
        let machine = self.machine;
        for edge in picture::own_edges(machine, id, &self.shared) {
            self.arrow(id, edge, machine.event_name(edge.event));
        }
        if let Some(choice) = &machine.states[id.index()].choice {
            self.branches(id, choice);
        }
        if machine.is_final(id) {
            let endings = picture::endings_words(machine, id);
            let said = if endings.is_empty() { String::new() } else { format!(" : {endings}") };
            self.line(&format!("{} --> [*]{said}", self.id(id)));
        }
    }

    fn branches(&mut self, id: StateId, choice: &Choice) {
        let test = test_words(self.machine, &choice.test);
        self.arrow(id, &choice.yes, &test);
        if let Some(no) = &choice.no {
            self.arrow(id, no, "else");
        }
    }

    fn arrow(&mut self, from: StateId, edge: &Edge, cause: &str) {
        let said = escape(&label(self.machine, cause, edge));
        self.line(&format!("{} --> {} : {said}", self.id(from), self.id(edge.target)));
    }

    fn note(&mut self, id: StateId) {
        let mut lines = remarks(self.machine, id);
        for edge in &self.shared {
            let said = label(self.machine, self.machine.event_name(edge.event), edge);
            match edge.enters() {
                Some(target) if target == id => lines.push(format!("from every waiting state on {said}")),
                // A shared transition that stays has no target to stand beside.
                None if self.machine.initial == id => lines.push(format!("in every waiting state on {said}")),
                _ => {}
            }
        }
        if lines.is_empty() {
            return;
        }
        if self.machine.states[id.index()].choice.is_some() {
            // A choice is drawn without its name.
            lines.insert(0, self.machine.state_name(id).to_owned());
        }
        self.line(&format!("note right of {}", self.id(id)));
        for line in lines {
            self.line(&format!("  {}", escape(&line)));
        }
        self.line("end note");
    }

    fn id(&self, id: StateId) -> String {
        self.ids[id.index()].clone()
    }

    /// Returns an id that no state has.
    fn box_id(&self, at: usize) -> String {
        let mut id = format!("box_{at}_");
        while self.ids.contains(&id) {
            id.push('_');
        }
        id
    }

    fn line(&mut self, text: &str) {
        let _ = writeln!(self.out, "  {text}");
    }
}

/// Returns the name itself if Mermaid can read it. A name that begins like a keyword gets another, so that no
/// version of Mermaid takes it for one.
fn plain(name: &str) -> String {
    const KEYWORDS: &str =
        "accdescr acctitle class click default direction end hide href note scale state style";
    let lower = name.to_lowercase();
    let is_readable = name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    if is_readable && !name.starts_with('_') && !KEYWORDS.split(' ').any(|word| lower.starts_with(word)) {
        return name.to_owned();
    }
    "at".to_owned() + &name.chars().filter(char::is_ascii_alphanumeric).collect::<String>()
}

/// Escapes angle brackets, which would be read as markup.
fn escape(text: &str) -> String {
    text.replace('<', "#lt;").replace('>', "#gt;")
}
