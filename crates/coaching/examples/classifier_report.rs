//! How well the rules read agents' messages: `cargo run --release -p coaching --example classifier_report`.
//!
//! Prints, for the messages the rules were written against and for those held out, the confusion matrix, the
//! macro-averaged F1 and how often an agent that asked, was blocked or had failed would have been continued.
//! Give `--errors` to list the wrong verdicts of the first part.

use std::time::Instant;

use coaching::agent::{OutputType, Signals, classify};
use serde::Deserialize;

const MESSAGES: &str = include_str!("../tests/agent/messages.jsonl");
/// A later set, labelled before the rules were tried on it; they have learned from it since.
const UNSEEN: &str = include_str!("../tests/agent/unseen.jsonl");
const ROUNDS: u32 = 20;

#[derive(Deserialize)]
struct Labelled {
    id: String,
    text: String,
    label: OutputType,
    #[serde(default)]
    rejected: bool,
    #[serde(default)]
    held_out: bool,
}

fn main() {
    let messages = read(MESSAGES);
    for held_out in [false, true] {
        let part: Vec<&Labelled> = messages.iter().filter(|message| message.held_out == held_out).collect();
        println!("## {}, {} messages\n", if held_out { "held out" } else { "written against" }, part.len());
        report(&part);
    }
    let later = read(UNSEEN);
    println!("## later set, {} messages\n", later.len());
    report(&later.iter().collect::<Vec<_>>());
    if std::env::args().any(|argument| argument == "--errors") {
        messages.iter().filter(|message| !message.held_out).chain(&later).for_each(print_error);
    }
    print_speed(&messages);
}

fn read(lines: &str) -> Vec<Labelled> {
    lines.lines().map(|line| serde_json::from_str(line).expect("each line is a labelled message")).collect()
}

fn report(part: &[&Labelled]) {
    let mut matrix = [[0u32; 5]; 5];
    let mut rejections = (0u32, 0u32);
    for message in part {
        let verdict = classify(&message.text, &Signals::default());
        matrix[message.label as usize][verdict.output_type as usize] += 1;
        if message.rejected {
            rejections.1 += 1;
            rejections.0 += u32::from(verdict.was_rejected_completion);
        }
    }
    println!("{:>12} {}", "truth", OutputType::ALL.map(|class| format!("{:>11}", class.as_str())).concat());
    for (class, row) in OutputType::ALL.iter().zip(&matrix) {
        println!(
            "{:>12} {}  F1 {:.3}",
            class.as_str(),
            row.map(|n| format!("{n:>11}")).concat(),
            f1(&matrix, *class)
        );
    }
    let macro_f1 = OutputType::ALL.iter().map(|class| f1(&matrix, *class)).sum::<f64>() / 5.0;
    println!("\nmacro-F1 {macro_f1:.3}");
    println!("P(continue | question, blocker, error) {:.4}", continued(&matrix));
    println!("rejected completions found {} of {}\n", rejections.0, rejections.1);
}

fn f1(matrix: &[[u32; 5]; 5], class: OutputType) -> f64 {
    let class = class as usize;
    let hits = f64::from(matrix[class][class]);
    let truth: u32 = matrix[class].iter().sum();
    let said: u32 = matrix.iter().map(|row| row[class]).sum();
    2.0 * hits / f64::from(truth + said).max(1.0)
}

fn continued(matrix: &[[u32; 5]; 5]) -> f64 {
    let waiting =
        [OutputType::Question, OutputType::Blocker, OutputType::Error].map(|class| matrix[class as usize]);
    let all: u32 = waiting.iter().flatten().sum();
    let continued: u32 = waiting.iter().map(|row| row[OutputType::Status as usize]).sum();
    f64::from(continued) / f64::from(all.max(1))
}

fn print_error(message: &Labelled) {
    let verdict = classify(&message.text, &Signals::default());
    if verdict.output_type != message.label || verdict.was_rejected_completion != message.rejected {
        println!("{} is {} but read as {}", message.id, message.label.as_str(), verdict.output_type.as_str());
        println!("  {:.2} {} {:?}", verdict.confidence, verdict.reason, verdict.words);
        println!("  {}", message.text.chars().take(260).collect::<String>().replace('\n', "\n  "));
    }
}

fn print_speed(messages: &[Labelled]) {
    let huge = messages
        .iter()
        .map(|message| message.text.as_str())
        .cycle()
        .take(8_000)
        .collect::<Vec<_>>()
        .join("\n");
    let start = Instant::now();
    for _ in 0..ROUNDS {
        messages
            .iter()
            .for_each(|message| drop(std::hint::black_box(classify(&message.text, &Signals::default()))));
    }
    let typical_us = start.elapsed().as_secs_f64() * 1e6 / f64::from(ROUNDS) / messages.len() as f64;
    let start = Instant::now();
    std::hint::black_box(classify(&huge, &Signals::default()));
    let huge_ms = start.elapsed().as_secs_f64() * 1e3;
    println!("speed: {typical_us:.0} µs a message, {huge_ms:.1} ms for one of {} kB", huge.len() >> 10);
}
