//! `etude teach map`: shows the map of a course as a tree, or exports it for programs that draw it.

use super::courses::{Wanted, find, rows};
use crate::cli::config::Config;
use crate::cli::output::{self, CAREFUL, Done, GOOD, QUIET, STRONG, no, paint, say, unreadable};
use crate::cli::screen::columns;
use crate::cli::screen::layout::{Span, ascii, clean, hanging, paragraph};
use crate::cli::words::{self, Now, Voice};
use anstyle::Style;
use clap::Args;
use coaching::look::Shelf;
use coaching::map::MasteryStatus;
use coaching::map::{Format, MindMap, NodeId, NodeIx};
use coaching::teach::looks::{self, Atlas};
use flow::Name;
use shell::engine::app::App;
use shell::engine::look::look;
use std::path::PathBuf;
use std::process::ExitCode;

/// The deepest level that is indented. Deeper concepts are not indented any further.
const MAX_LEVEL: usize = 12;

#[derive(Debug, Args)]
pub(super) struct Map {
    /// The course: its id, the beginning of its id, its curriculum or a word of its title
    course: String,
    /// The format: mermaid, dot, canvas (Obsidian), graphml, or json, which can be imported
    #[arg(long, value_name = "FORMAT", value_parser = parse_format)]
    format: Option<Format>,
    /// Write to this file; its extension selects the format
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

fn parse_format(text: &str) -> Result<Format, String> {
    let known: Vec<&str> = Format::ALL.iter().map(|format| format.name()).collect();
    Format::parse(text).ok_or_else(|| format!("choose one of: {}", known.join(", ")))
}

impl Map {
    pub(super) async fn run(&self, app: &App, learner: &str, config: &Config, voice: &Voice<'_>) -> Done {
        let rows = rows(app, learner).await?;
        let row =
            find(&rows, &self.course, Wanted::Open).or_else(|_| find(&rows, &self.course, Wanted::Any))?;
        let id = &row.listed.mind_map_id;
        let seen = |shelf: &Shelf| Ok((looks::atlas(shelf, id)?, looks::state(shelf, id)?));
        let (atlas, state) = look(app, learner, seen).await?;
        let by_name = self.output.as_ref().and_then(|path| {
            let ending = path.extension()?.to_str()?;
            Format::ALL.iter().copied().find(|format| format.ending() == ending)
        });
        match (self.format.or(by_name).or(config.json.then_some(Format::Json)), &self.output) {
            (None, None) => {
                let current = state.and_then(|state| state.current_node_id);
                let now = Now::of(app, learner).await?;
                let tree = tree(&atlas, current, (&now, columns()), voice);
                let text = if config.shows_utf8() { tree } else { ascii(&tree) };
                say!("{}", text.trim_end());
            }
            (None, Some(path)) => {
                let known: Vec<String> =
                    Format::ALL.iter().map(|f| format!("--format {}", f.name())).collect();
                let message =
                    format!("{} does not say which format it is: {}", path.display(), known.join(", "));
                return Err(unreadable(message));
            }
            (Some(format), None) => output::text(&format!("{}\n", atlas.export(format).trim_end())),
            (Some(format), Some(path)) => {
                std::fs::write(path, atlas.export(format))
                    .map_err(|error| no(format!("{} cannot be written: {error}", path.display())))?;
                say!("{}", voice.say(&words::written(clean(&path.display().to_string()))));
            }
        }
        Ok(ExitCode::SUCCESS)
    }
}

/// Draws the concepts in the order of learning, each below the last of those it needs.
pub(super) fn tree(
    atlas: &Atlas,
    current: Option<NodeId>,
    (now, columns): (&Now, usize),
    voice: &Voice<'_>,
) -> String {
    let map = &atlas.map;
    let mut text = format!("{}\n", paragraph("", &[Span::new(STRONG, &atlas.header.title)], columns));
    for twig in twigs(map) {
        let known = map.node(twig.node);
        let (mark, style) = sign(atlas.status(known.node_id));
        let mut spans = vec![Span::new(Style::new(), &known.label)];
        let about = about(atlas, &twig, now, voice);
        if !about.is_empty() {
            spans.push(Span::new(QUIET, format!("{GAP}{}", about.join(" · "))));
        }
        if current == Some(known.node_id) {
            spans.push(Span::new(CAREFUL, format!("{GAP}{}", voice.say(&words::you_are_here()))));
        }
        let first = format!("{}{} ", paint(QUIET, &twig.stem), paint(style, mark));
        text += &hanging(&first, &twig.under(), &spans, columns);
    }
    let legend = STATUSES.iter().map(|status| {
        let name =
            format!("{} {}", sign(*status).0, voice.say(&coaching::teach::words::mastery(status.as_str())));
        // A sign stays on one line with its name.
        name.replace(' ', "\u{a0}")
    });
    let legend = Span::new(QUIET, legend.collect::<Vec<_>>().join("\u{a0}\u{a0} "));
    text + &format!("\n{}", paragraph("", &[legend], columns))
}

/// A gap of two columns. A line may end after the first.
const GAP: &str = "\u{a0} ";

/// Describes the other concepts that this one needs, and when it comes back for review.
fn about(atlas: &Atlas, twig: &Twig, now: &Now, voice: &Voice<'_>) -> Vec<String> {
    let label = |node: &NodeIx| clean(&atlas.map.node(*node).label);
    let others: Vec<String> = twig.others.iter().map(label).collect();
    let needs = (!others.is_empty()).then(|| words::also_needs(others.join(", ")));
    let progress = atlas.progress.get(&atlas.map.node(twig.node).node_id);
    let review = progress
        .and_then(|progress| progress.next_review_at_us)
        .map(|at_us| words::review_when(now.until(at_us)));
    needs.iter().chain(&review).map(|text| voice.say(text)).collect()
}

const STATUSES: [MasteryStatus; 5] = [
    MasteryStatus::Mastered,
    MasteryStatus::Reviewing,
    MasteryStatus::Learning,
    MasteryStatus::Diagnosed,
    MasteryStatus::Unseen,
];

fn sign(status: MasteryStatus) -> (&'static str, Style) {
    match status {
        MasteryStatus::Mastered => ("✓", GOOD),
        MasteryStatus::Reviewing => ("●", GOOD),
        MasteryStatus::Learning => ("◐", CAREFUL),
        MasteryStatus::Diagnosed => ("○", CAREFUL),
        MasteryStatus::Unseen => ("·", QUIET),
    }
}

/// A line of the tree.
#[derive(Debug)]
struct Twig {
    node: NodeIx,
    stem: String,
    /// The concepts that this one needs besides the one above it.
    others: Vec<NodeIx>,
}

impl Twig {
    /// Returns the indent of the further lines of the concept's text.
    fn under(&self) -> String {
        format!("{}  ", self.stem.replace("├─", "│ ").replace("└─", "  "))
    }
}

fn twigs(map: &MindMap) -> Vec<Twig> {
    let sequence = |node: &NodeIx| map.node(*node).sequence;
    let mut below: Vec<Vec<NodeIx>> = vec![Vec::new(); map.nodes().len()];
    let mut roots = Vec::new();
    for node in map.indexes() {
        match map.parents(node).iter().copied().max_by_key(sequence) {
            Some(parent) => below[parent.index()].push(node),
            None => roots.push(node),
        }
    }
    roots.sort_by_key(sequence);
    below.iter_mut().for_each(|nodes| nodes.sort_by_key(sequence));
    let mut twigs = Vec::with_capacity(map.nodes().len());
    // The nodes still to be drawn, the next one last. Each has the stem of its siblings, and whether it is the
    // last of them.
    let mut left: Vec<(NodeIx, String, Option<bool>)> =
        roots.into_iter().rev().map(|node| (node, String::new(), None)).collect();
    while let Some((node, beside, is_last)) = left.pop() {
        let (turn, under) = match is_last {
            None => ("", ""),
            Some(_) if beside.chars().count() >= MAX_LEVEL * 2 => ("", ""),
            Some(true) => ("└─", "  "),
            Some(false) => ("├─", "│ "),
        };
        let inner = format!("{beside}{under}");
        let last = below[node.index()].last().copied();
        for child in below[node.index()].iter().rev() {
            left.push((*child, inner.clone(), Some(Some(*child) == last)));
        }
        let mut others = map.parents(node).to_vec();
        others.sort_by_key(sequence);
        others.pop();
        twigs.push(Twig { node, stem: format!("{beside}{turn}"), others });
    }
    twigs
}

#[cfg(test)]
mod tests {
    use super::*;
    use coaching::map::{Draft, Edge, MapId, Node};

    fn map(labels: &[&str], edges: &[(&str, &str)]) -> MindMap {
        let id = MapId::parse("00000000-0000-4000-8000-000000000001").expect("an id");
        let node = |label: &str| NodeId::of_concept(id, label);
        let draft = Draft {
            nodes: labels.iter().map(|label| Node::new(node(label), label)).collect(),
            edges: edges.iter().map(|(a, b)| Edge::prerequisite(node(a), node(b))).collect(),
            ..Draft::new(id, "letters")
        };
        MindMap::new(draft).expect("a sound map")
    }

    #[test]
    fn every_concept_stands_under_the_last_one_it_needs() {
        let check = |map: &MindMap, expected: &[&str]| {
            let line =
                |twig: &Twig| format!("{}{}+{}", twig.stem, map.node(twig.node).label, twig.others.len());
            assert_eq!(twigs(map).iter().map(line).collect::<Vec<_>>(), expected);
        };
        check(
            &map(&["a", "b", "c", "d", "e"], &[("a", "b"), ("a", "c"), ("b", "d"), ("c", "d")]),
            &["a+0", "├─b+0", "└─c+0", "  └─d+1", "e+0"],
        );
    }

    /// The longest possible chain can be drawn without a stack overflow.
    #[test]
    fn a_long_chain_is_no_danger() {
        let labels: Vec<String> = (0..5_000).map(|at| format!("{at:05}")).collect();
        let labels: Vec<&str> = labels.iter().map(String::as_str).collect();
        let edges: Vec<(&str, &str)> = labels.windows(2).map(|pair| (pair[0], pair[1])).collect();
        let twigs = twigs(&map(&labels, &edges));
        assert_eq!(twigs.len(), 5_000);
        assert!(twigs.iter().all(|twig| twig.stem.chars().count() <= 2 * MAX_LEVEL + 2));
    }
}
