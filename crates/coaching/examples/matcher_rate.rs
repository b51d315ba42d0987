//! How many comparisons one core makes in a second: `cargo run --release -p coaching --example matcher_rate`.
//!
//! A comparison folds the utterance anew and hears one target in it, which is what a turn costs.

use std::hint::black_box;
use std::time::Instant;

use coaching::text::{Heard, Target};

const ROUNDS: usize = 200_000;

const SETS: &[(&str, &[(&str, &str)])] = &[
    (
        "surface, ASCII",
        &[
            ("Wie viel kostet das?", "wie viel kostet das"),
            ("Guten Tag", "ja guten Tag Paul"),
            ("Eno ___, prosim.", "Eno kavo prosim"),
            ("Rad / Rada bi ___.", "Rada bi kavo"),
        ],
    ),
    (
        "surface, accents",
        &[
            ("¿Dónde está el baño?", "perdón, ¿dónde está el baño?"),
            ("Živjo, čaj!", "živjo, čaj prosim"),
            ("J’ai très faim", "j’ai très faim"),
            ("Πώς σε λένε;", "πώς σε λένε"),
        ],
    ),
    (
        "fuzzy",
        &[
            ("Dober dan", "Dobr dan"),
            ("Entschuldigung", "Enschuldigung bitte"),
            ("Wie viel kostet das?", "wie viel kosted das"),
            ("Eno ___, prosim.", "eno kavo prosem"),
        ],
    ),
    (
        "no match",
        &[
            ("Wie viel kostet das?", "ich habe keine Ahnung"),
            ("Guten Morgen", "eine Tasse Kaffee bitte"),
            ("Eno ___, prosim.", "prosim eno"),
            ("ja", "nein danke"),
        ],
    ),
    (
        "right to left",
        &[
            ("مَرْحَبًا", "مرحبا يا صديقي"),
            ("أريد ___ من فضلك", "أريد قهوة من فضلك"),
            ("שָׁלוֹם", "שלום אנה"),
            ("תודה רבה", "תודה רבה לך"),
        ],
    ),
    (
        "no spaces",
        &[
            ("水をください", "すみません、水をください"),
            ("你好", "你好，安娜"),
            ("สวัสดี", "สวัสดีครับ"),
            ("こんにちは", "こんにちわ"),
        ],
    ),
];

fn main() {
    for (name, pairs) in SETS {
        let pairs: Vec<(Target, &str)> = pairs
            .iter()
            .map(|(target, heard)| {
                (Target::parse(target).expect("the targets above are well formed"), *heard)
            })
            .collect();
        let start = Instant::now();
        for _ in 0..ROUNDS {
            for (target, heard) in &pairs {
                black_box(target.hear(&Heard::new(black_box(heard))));
            }
        }
        let rate = (ROUNDS * pairs.len()) as f64 / start.elapsed().as_secs_f64();
        println!("{name:16} {rate:>12.0} comparisons/s");
    }
}
