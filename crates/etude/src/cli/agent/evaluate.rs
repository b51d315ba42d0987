//! `etude agent evaluate`: measures how well the coach classifies labelled messages.

use crate::cli::config::Config;
use crate::cli::output::{self, Done, STRONG, no, paint, say, unreadable};
use clap::Args;
use coaching::agent::{Evaluation, Labelled, OutputType, Part, evaluate};
use std::io::Read;
use std::path::PathBuf;

/// The most that is read of a file. A larger file is not a set of labelled messages.
const MAX_FILE_BYTES: u64 = 64 << 20;
/// The number of unreadable lines that are named; the others are only counted.
const MAX_NAMED: usize = 20;

#[derive(Debug, Args)]
pub(super) struct Evaluate {
    /// Labelled messages: `label<TAB>message` with \n, \t and \\ escaped, or {"label": …, "message": …}, one per line;
    /// `-` is standard input
    file: PathBuf,
}

impl Evaluate {
    pub(super) fn run(self, config: &Config) -> Done {
        let messages =
            read(&self.source()?).map_err(|problems| unreadable(format!("{}{problems}", self.name())))?;
        if messages.is_empty() {
            return Err(no(format!("{}there is no message in it", self.name())));
        }
        output::answer(config, &evaluate(&messages), show)
    }

    fn name(&self) -> String {
        format!("{}: ", self.file.display())
    }

    fn source(&self) -> Result<String, output::Stop> {
        let mut bytes = Vec::new();
        let read = if self.file.as_os_str() == "-" {
            std::io::stdin().lock().take(MAX_FILE_BYTES).read_to_end(&mut bytes)
        } else {
            std::fs::File::open(&self.file).and_then(|file| file.take(MAX_FILE_BYTES).read_to_end(&mut bytes))
        };
        read.map_err(|error| unreadable(format!("{}{error}", self.name())))?;
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    }
}

/// Reads the messages. Refuses with the number and the problem of each unreadable line.
fn read(source: &str) -> Result<Vec<Labelled>, String> {
    let (mut messages, mut problems) = (Vec::new(), Vec::new());
    for (at, line) in source.trim_start_matches('\u{FEFF}').lines().enumerate() {
        if line.trim().is_empty() || line.starts_with('#') {
            continue;
        }
        match read_line(line) {
            Ok(message) => messages.push(message),
            Err(problem) => problems.push(format!("line {}: {problem}", at + 1)),
        }
    }
    if problems.is_empty() {
        return Ok(messages);
    }
    let more = problems.len().saturating_sub(MAX_NAMED);
    problems.truncate(MAX_NAMED);
    if more > 0 {
        problems.push(format!("and {more} more lines"));
    }
    Err(format!("some lines cannot be read, so nothing was measured\n  {}", problems.join("\n  ")))
}

fn read_line(line: &str) -> Result<Labelled, String> {
    let message = if line.trim_start().starts_with('{') {
        serde_json::from_str(line)
            .map_err(|error| format!("not {{\"label\": …, \"message\": …}}: {error}"))?
    } else {
        let (label, text) = line.split_once('\t').ok_or("there is no tab between a label and a message")?;
        Labelled { label: kind(label.trim())?, text: unescaped(text) }
    };
    if message.text.trim().is_empty() { Err("the message is empty".to_owned()) } else { Ok(message) }
}

fn kind(label: &str) -> Result<OutputType, String> {
    let known = OutputType::ALL.into_iter().find(|kind| kind.as_str().eq_ignore_ascii_case(label));
    let names = OutputType::ALL.map(OutputType::as_str).join(", ");
    known.ok_or_else(|| format!("“{label}” is not a label; use {names}"))
}

fn unescaped(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        match (c, (c == '\\').then(|| chars.next()).flatten()) {
            ('\\', Some('n')) => plain.push('\n'),
            ('\\', Some('t')) => plain.push('\t'),
            ('\\', Some('\\')) => plain.push('\\'),
            (_, after) => plain.extend([Some(c), after].into_iter().flatten()),
        }
    }
    plain
}

fn show(evaluation: &Evaluation) {
    say!(
        "{} messages, {:.1} % read right, macro-F1 {:.3}",
        evaluation.messages,
        percent(evaluation.accuracy),
        evaluation.macro_f1
    );
    show_matrix(evaluation);
    let costs = &evaluation.costs;
    say!("\n{}", paint(STRONG, "What mistakes cost"));
    show_part("continued although a human was needed", costs.continued);
    show_part("finished work nudged", costs.nudged);
    show_part("unfinished work stopped", costs.stopped);
    say!("\n{}", paint(STRONG, "Confidence and truth"));
    say!("   band      messages  confidence   right  (probably between)");
    for band in &evaluation.reliability {
        let (from, to) = (percent(band.from), percent(band.to));
        let (confidence, right) = (percent(band.confidence), percent(band.right));
        let (low, high) = (percent(band.right_from), percent(band.right_to));
        say!(
            "{from:>4.0}–{to:<3.0} %  {:>8}  {confidence:>8.1} %  {right:>5.1} %  ({low:.0}–{high:.0} %)",
            band.messages
        );
    }
}

fn show_matrix(evaluation: &Evaluation) {
    let names = OutputType::ALL.map(|kind| format!("{:>12}", kind.as_str())).concat();
    say!("\n{}", paint(STRONG, format_args!("{:>12}{names}  precision  recall    F1", "is \\ read as")));
    for (kind, row) in evaluation.kinds.iter().zip(evaluation.matrix) {
        let counts = row.map(|count| format!("{count:>12}")).concat();
        let (precision, recall, f1) = (kind.precision, kind.recall, kind.f1);
        say!("{:>12}{counts}  {precision:>9.2}  {recall:>6.2}  {f1:>4.2}", kind.kind.as_str());
    }
}

fn show_part(what: &str, part: Part) {
    say!("  {what}: {} of {} ({:.1} %)", part.count, part.of, percent(part.share));
}

fn percent(share: f64) -> f64 {
    share * 100.0
}
