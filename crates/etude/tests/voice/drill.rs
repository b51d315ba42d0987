//! Tests of a drill by voice: what counts as an answer, and what silence does.

use super::{models, samples, spoken, wav};
use crate::common::{Folder, Outcome};
use serde_json::json;

const PACK: &str = include_str!("pets.yaml");

/// Practises a pack of two items. Each line is spoken, with a pause after it.
fn practise(folder: &Folder, models: &str, lines: &[&str], arguments: &[&str]) -> Outcome {
    let mut sound = Vec::new();
    let mut rate = 16_000;
    for line in lines {
        let (its_rate, said) = samples(&spoken(folder, models, "line.wav", line, "de"));
        rate = its_rate;
        sound.extend(vec![0; rate as usize / 2]);
        sound.extend(said);
        sound.extend(vec![0; rate as usize]);
    }
    drill(folder, models, &wav(rate, 1, &sound), arguments)
}

fn drill(folder: &Folder, models: &str, sound: &[u8], arguments: &[&str]) -> Outcome {
    let packs = folder.data().join("packs");
    std::fs::create_dir_all(&packs).unwrap();
    std::fs::write(packs.join("pets.yaml"), PACK).unwrap();
    let input = folder.write("input.wav", sound);
    let drill = ["drill", "pets", "--language", "en", "--voice", "--input", &input, "--models", models];
    folder.run(&[&drill[..], arguments].concat())
}

#[test]
fn the_right_word_counts_and_another_does_not() {
    let Some(models) = models() else { return };
    let folder = Folder::new();
    let said = practise(&folder, models, &["der Hund"], &["--json"]).json();
    assert_eq!(
        (&said["counters"]["usage"], &said["data"]["feedback"]["matched"]),
        (&json!(1), &json!(true)),
        "{said}"
    );
    let other = practise(&folder, models, &["Guten Morgen", "Guten Abend"], &[]);
    // After two misses the word is said slowly.
    assert!(other.stdout.contains("(slowly) der … Hund"), "{other:?}");
}

#[test]
fn a_wrong_article_never_counts() {
    let Some(models) = models() else { return };
    let shown = practise(&Folder::new(), models, &["die Hund", "das Hund"], &["--json"]).json();
    assert_eq!(
        (&shown["counters"]["usage"], &shown["counters"]["failures"]),
        (&json!(0), &json!(2)),
        "{shown}"
    );
}

#[test]
fn an_unclear_article_is_asked_for_again() {
    let Some(models) = models() else { return };
    let folder = Folder::new();
    let say = |text: &str| samples(&spoken(&folder, models, "said.wav", text, "de"));
    let ((rate, right), (_, wrong)) = (say("der Hund"), say("die Hund"));
    let pause = vec![0; rate as usize];
    let asked = "I couldn’t tell which article you said.";
    // Some mixture of the two is ambiguous.
    let mixed = |percent: i32| -> Vec<i16> {
        let length = right.len().max(wrong.len());
        let at = |sound: &[i16], index: usize| i32::from(sound.get(index).copied().unwrap_or(0));
        let mix = |index| (percent * at(&right, index) + (100 - percent) * at(&wrong, index)) / 100;
        (0..length).map(|index| mix(index) as i16).collect()
    };
    let heard = |sounds: &[&[i16]], arguments: &[&str]| {
        let parts = sounds.iter().flat_map(|sound| [&pause[..rate as usize / 2], sound, &pause[..]]);
        let folder = Folder::new();
        drill(&folder, models, &wav(rate, 1, &parts.flatten().copied().collect::<Vec<_>>()), arguments)
    };
    let is_unclear = |percent: &i32| heard(&[&mixed(*percent)], &[]).stdout.contains(asked);
    let unclear: Vec<i32> = (10..60)
        .skip_while(|percent| !is_unclear(percent))
        .take_while(|percent| is_unclear(percent))
        .collect();
    let unclear = mixed(*unclear.get(unclear.len() / 2).expect("some mixture is ambiguous"));
    let counters = |sounds: &[&[i16]]| {
        let shown = heard(sounds, &["--json"]).json();
        ["usage", "failures", "silences"].map(|name| shown["counters"][name].as_u64())
    };
    assert_eq!(counters(&[&unclear[..], &right]), [Some(1), Some(0), Some(0)]);
    assert_eq!(counters(&[unclear.as_slice(); 2]), [Some(0), Some(0), Some(0)]);
    // The coach does not ask forever: the third time is like silence, after which it asks anew.
    assert_eq!(counters(&[unclear.as_slice(); 4]), [Some(0), Some(1), Some(1)]);
    assert_eq!(counters(&[unclear.as_slice(); 3]), [Some(0), Some(1), Some(1)]);
}

#[test]
fn a_packs_farewell_is_an_answer() {
    let Some(models) = models() else { return };
    let folder = Folder::new();
    let (rate, said) = samples(&spoken(&folder, models, "line.wav", "Auf Wiedersehen!", "de"));
    let pause = vec![0; rate as usize];
    let input = folder.write("input.wav", wav(rate, 1, &[pause.clone(), said, pause].concat()));
    let drill = ["drill", "german-first-words", "--language", "en", "--voice", "--json", "--models", models];
    let shown = folder.run(&[&drill[..], &["--input", &input]].concat()).json();
    assert_eq!(shown["counters"]["failures"], 1, "it is another word, and no wish to stop: {shown}");
}

#[test]
fn silence_is_silence() {
    let Some(models) = models() else { return };
    let folder = Folder::new();
    // The learner has ten seconds to think.
    let silence = wav(44_100, 2, &vec![0; 44_100 * 2 * 11]);
    let shown = drill(&folder, models, &silence, &["--json"]).json();
    assert_eq!(
        (&shown["counters"]["silences"], &shown["counters"]["usage"]),
        (&json!(1), &json!(0)),
        "{shown}"
    );
    assert!(shown["outcome"].is_null(), "what was begun can be continued: {shown}");
    let again = practise(&folder, models, &["der Hund"], &["--json"]).json();
    assert_eq!((&again["id"], &again["counters"]["usage"]), (&shown["id"], &json!(1)), "{again}");
}
