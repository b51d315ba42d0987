//! Exports a machine as a Graphviz picture: boxes wait, diamonds decide, double circles end.

use crate::export::nest::Nest;
use crate::export::picture::{self, label, remarks, test_words, timer_words};
use crate::machine::{Edge, Machine, StateId};
use std::fmt::Write;

/// The name of the start node. It has a space, so no state has this name.
const START: &str = "the start";
const ANY: &str = "every waiting state";

pub(super) fn write(machine: &Machine) -> String {
    let mut picture = Picture { machine, out: String::new() };
    picture.heading();
    picture.nodes(&Nest::of(machine), None);
    picture.arrow(START, machine.state_name(machine.initial), "", "");
    let shared = picture::shared(machine);
    for id in machine.states() {
        picture.arrows(id, &shared);
    }
    picture.shared_arrows(&shared);
    picture.out.push_str("}\n");
    picture.out
}

struct Picture<'m> {
    machine: &'m Machine,
    out: String,
}

impl Picture<'_> {
    fn heading(&mut self) {
        let title = format!("{} {}", self.machine.session, self.machine.version);
        let _ = writeln!(self.out, "digraph {} {{", quoted(&self.machine.session));
        let _ = writeln!(self.out, "  graph [label={}, labelloc=t, fontname=\"Helvetica\"]", quoted(&title));
        self.out.push_str(
            "  node [shape=box, style=\"rounded,filled\", fillcolor=\"#f4f6fb\", color=\"#52607a\", \
             fontname=\"Helvetica\", fontsize=11]\n  \
             edge [color=\"#52607a\", fontname=\"Helvetica\", fontsize=9]\n",
        );
        let _ = writeln!(self.out, "  {} [shape=point, label=\"\"]", quoted(START));
    }

    /// Writes the nodes of a box, or those in none, and then the boxes in it.
    fn nodes(&mut self, nest: &Nest, within: Option<usize>) {
        for id in nest.states(within) {
            self.node(id);
        }
        for at in nest.boxes(within) {
            let region = &self.machine.regions[at];
            let timers = region.deadlines.iter().map(|after| timer_words(self.machine, after));
            let lines: Vec<String> = std::iter::once(region.name.clone()).chain(timers).collect();
            let label = quoted(&lines.join("\n"));
            let _ = writeln!(
                self.out,
                "  subgraph cluster_{at} {{\n  label={label} style=rounded color=\"#8a97ad\""
            );
            self.nodes(nest, Some(at));
            self.out.push_str("  }\n");
        }
    }

    fn node(&mut self, id: StateId) {
        let machine = self.machine;
        let mut lines = vec![machine.state_name(id).to_owned()];
        let shape = if let Some(choice) = &machine.states[id.index()].choice {
            lines.push(format!("{}?", test_words(machine, &choice.test)));
            ", shape=diamond, style=filled, fillcolor=\"#fdf3d8\""
        } else if machine.is_final(id) {
            lines.extend(Some(picture::endings_words(machine, id)).filter(|words| !words.is_empty()));
            ", shape=doublecircle, style=filled, fillcolor=\"#e3f4e4\""
        } else {
            ""
        };
        lines.extend(remarks(machine, id));
        let name = quoted(machine.state_name(id));
        let _ = writeln!(self.out, "  {name} [label={}{shape}]", quoted(&lines.join("\n")));
    }

    fn arrows(&mut self, id: StateId, shared: &[&Edge]) {
        let machine = self.machine;
        let from = machine.state_name(id);
        for edge in picture::own_edges(machine, id, shared) {
            self.arrow_of(from, edge, machine.event_name(edge.event));
        }
        if let Some(choice) = &machine.states[id.index()].choice {
            self.arrow_of(from, &choice.yes, "yes");
            if let Some(no) = &choice.no {
                self.arrow_of(from, no, "no");
            }
        }
    }

    fn shared_arrows(&mut self, shared: &[&Edge]) {
        if shared.is_empty() {
            return;
        }
        let _ = writeln!(self.out, "  {} [shape=plaintext, style=\"\"]", quoted(ANY));
        for edge in shared {
            let to = edge.enters().map_or(ANY, |state| self.machine.state_name(state));
            let said = label(self.machine, self.machine.event_name(edge.event), edge);
            self.arrow(ANY, to, &said, ", style=dashed");
        }
    }

    fn arrow_of(&mut self, from: &str, edge: &Edge, cause: &str) {
        let said = label(self.machine, cause, edge);
        let style = if edge.stays { ", style=dotted" } else { "" };
        self.arrow(from, self.machine.state_name(edge.target), &said, style);
    }

    fn arrow(&mut self, from: &str, to: &str, said: &str, style: &str) {
        let _ = writeln!(self.out, "  {} -> {} [label={}{style}]", quoted(from), quoted(to), quoted(said));
    }
}

/// Quotes a text as a string of the DOT language.
pub fn quoted(text: &str) -> String {
    let escaped = text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n");
    format!("\"{escaped}\"")
}
