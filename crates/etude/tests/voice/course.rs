//! Tests of courses by voice: questions are read out and answered aloud, in the language of the course; answers
//! that cannot be spoken are typed.

use super::{models, samples, spoken, wav};
use crate::common::learner::assert_in_order;
use crate::common::{Folder, Outcome};

const COLOURS: &str = include_str!("colours.yaml");
const FARBEN: &str = include_str!("farben.yaml");

/// Runs a course that starts with a diagnosis, or a review. Each line is spoken, with a pause after it.
fn learn(
    folder: &Folder,
    models: &str,
    language: &str,
    said: &[&str],
    arguments: &[&str],
    typed: &str,
) -> Outcome {
    let curricula = folder.data().join("curricula");
    std::fs::create_dir_all(&curricula).unwrap();
    std::fs::write(curricula.join("colours.yaml"), COLOURS).unwrap();
    std::fs::write(curricula.join("farben.yaml"), FARBEN).unwrap();
    let (mut sound, mut rate) = (Vec::new(), 16_000);
    for line in said {
        let (its_rate, samples) = samples(&spoken(folder, models, "line.wav", line, language));
        rate = its_rate;
        sound.extend([vec![0; rate as usize], samples, vec![0; rate as usize]].concat());
    }
    let input = folder.write("input.wav", wav(rate, 1, &sound));
    let output = folder.write("output.wav", "");
    let teach = ["teach", "--language", "en", "--models", models, "--input", &input, "--output", &output];
    let run =
        folder.run_with(&[&teach[..1], arguments, &["--voice"], &teach[1..]].concat(), typed.as_bytes());
    let (_, spoken) = samples(&output);
    assert!(spoken.iter().any(|sample| sample.abs() > 1_000), "the coach is heard: {run:?}");
    run
}

#[test]
fn a_lesson_is_held_by_voice_with_typed_code_answers() {
    let Some(models) = models() else { return };
    let folder = Folder::new();
    let idk = "I don't know.";
    let said = [idk, idk, "Go on.", "It is yellow.", "Go on.", "It is green.", "Please stop now."];
    let run = learn(&folder, models, "en", &said, &["colours"], "yellow\n");
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""), "{run:?}");
    assert_in_order(
        &run.stdout,
        &[
            "Note: Two colours. Everything is saved as you go. You can say “again”, “slower” and “stop”.",
            // A choice is read out as the question and then each option by itself.
            "♪ What colour is grass?\n♪ ",
            "…\n› I don't know",
            "♪ What colour is a lemon?\n♪ ",
            "…\n› I don't know",
            "♪ Yellow is the colour of a lemon.",
            "…\n› Go on",
            "› It is yellow",
            "♪ Right.",
            "♪ A lemon is ___.\nNote: Please type this answer.\nYou: yellow\n",
            "♪ Right.",
            "♪ Green is the colour of grass.",
            "› It is green",
            "♪ Right.",
            "› Please stop now",
            "Note: Saved. `etude teach colours --voice` picks up where you left off.",
        ],
    );
    // The course continues in writing, and its due concept is recalled by voice.
    let written = folder.run_with(&["teach", "colours", "--language", "en"], b"");
    assert!(written.stdout.contains("Question: What colour is grass?"), "{written:?}");
    let review = learn(&folder, models, "en", &["It is yellow."], &["review", "--ahead"], "");
    assert_in_order(
        &review.stdout,
        &["♪ What colour is", "› It is yellow", "♪ Right.", "♪ 1 of 1 recalled."],
    );
}

#[test]
fn a_course_is_held_in_its_own_language() {
    let Some(models) = models() else { return };
    let said = ["Das weiß ich nicht.", "Das weiß ich nicht.", "Weiter.", "Sie ist gelb.", "Bitte stopp."];
    let run = learn(&Folder::new(), models, "de", &said, &["farben"], "");
    assert_in_order(
        &run.stdout,
        &[
            "♪ Welche Farbe hat Gras?",
            "› Das weiß ich nicht",
            "♪ Gelb ist die Farbe einer Zitrone.",
            "› Sie ist gelb",
            "♪ Richtig.",
            "› Bitte stopp",
            "`etude teach farben --voice`",
        ],
    );
}

#[test]
fn an_option_is_chosen_by_its_place() {
    let Some(models) = models() else { return };
    let said = ["Good morning, everybody.", "The second one.", "Please stop now."];
    let run = learn(&Folder::new(), models, "en", &said, &["colours"], "");
    let question = "♪ What colour is grass?\n♪ ";
    // An answer that names no option repeats the question and does not count.
    assert_in_order(
        &run.stdout,
        &[question, "› Good morning, everybody", question, "› The second one", "\nProgress: "],
    );
}
