//! Tests of how answers count for the items of a pack: gaps, forms, spellings, and words that mean something else.

use coaching::pack::{self, Pack};
use coaching::text::{Heard, How, Match, Piece};

const GAPS: &str = include_str!("pack/german-gaps.yaml");

fn gaps() -> Pack {
    let problems: Vec<String> =
        pack::check(GAPS.as_bytes(), "german-gaps.yaml").iter().map(ToString::to_string).collect();
    Pack::read(GAPS.as_bytes(), "german-gaps.yaml").unwrap_or_else(|_| panic!("{}", problems.join("\n")))
}

fn judge(pack: &Pack, id: &str, heard: &Heard) -> Match {
    let item = pack.items.iter().find(|item| item.id == id).unwrap_or_else(|| panic!("{id}"));
    pack.judge(item, heard)
}

/// Each row: an item, the typed answer, how the answer counts, and the line shown with it.
const TYPED: &[(&str, &str, How, Option<&str>)] = &[
    // The form that belongs to the filler is right, any other is wrong.
    ("einen-bitte", "Einen Kaffee, bitte", How::Surface, None),
    ("einen-bitte", "Guten Tag! Eine Suppe, bitte. Danke!", How::Surface, None),
    ("einen-bitte", "Ein Wasser bitte", How::Surface, None),
    ("einen-bitte", "Einen Suppe, bitte", How::None, Some("Eine Suppe, bitte.")),
    ("einen-bitte", "Eine Kaffee, bitte", How::None, Some("Einen Kaffee, bitte.")),
    ("einen-bitte", "Ein Kaffee", How::None, Some("Einen Kaffee, bitte.")),
    ("einen-bitte", "Eine Wasser, bitte", How::None, Some("Ein Wasser, bitte.")),
    ("einen-bitte", "Suppe, bitte", How::None, Some("Eine Suppe, bitte.")),
    ("einen-bitte", "Ein hippo banana, bitte", How::Unchecked, Some("Einen Kaffee, bitte.")),
    ("einen-bitte", "Eine Brezel, bitte", How::Unchecked, Some("Einen Kaffee, bitte.")),
    ("einen-bitte", "Einen Kafee, bitte", How::Fuzzy, Some("Einen Kaffee, bitte.")),
    ("einen-bitte", "Eine Kafee, bitte", How::None, Some("Einen Kaffee, bitte.")),
    // A right order beside a wrong one does not help it.
    ("einen-bitte", "Einen Kaffee, eine Kaffee, ein Kaffee, bitte", How::None, Some("Einen Kaffee, bitte.")),
    ("einen-bitte", "Eine Kaffee und ein Wasser, bitte", How::None, Some("Einen Kaffee, bitte.")),
    ("einen-bitte", "Ein Wasser und eine Kaffee, bitte", How::None, Some("Einen Kaffee, bitte.")),
    ("einen-bitte", "Ein Wasser und einen Kaffee, bitte", How::Surface, None),
    ("einen-bitte", "Ein Wasser und eine Brezel, bitte", How::Surface, None),
    // Another right way of saying it, with the same fillers.
    ("einen-bitte", "Ich hätte gern eine Suppe", How::Surface, None),
    ("einen-bitte", "Ich haette gern eine Suppe, bitte", How::Surface, None),
    ("einen-bitte", "Ich hätte gern ein Suppe", How::None, Some("Ich hätte gern eine Suppe.")),
    // “Bitte” is optional and may stand elsewhere.
    ("einen-bitte", "Bitte einen Kaffee", How::Surface, None),
    ("einen-bitte", "Einen Kaffee", How::Surface, None),
    ("helfen", "Können Sie mir bitte helfen?", How::Surface, None),
    ("bitte", "Bitte!", How::Surface, None),
    ("bitte", "Danke!", How::None, None),
    // The filler carries its form.
    ("komme-aus", "Ich komme aus der Schweiz", How::Surface, None),
    ("komme-aus", "Ich komme aus die Schweiz", How::None, Some("Ich komme aus der Schweiz.")),
    ("komme-aus", "Ich komme aus Schweiz", How::None, Some("Ich komme aus der Schweiz.")),
    ("komme-aus", "Ich komme aus der England", How::None, Some("Ich komme aus England.")),
    ("komme-aus", "Ich komme aus Bolivien", How::Unchecked, Some("Ich komme aus England.")),
    ("wo-ist", "Wo ist den Bahnhof?", How::None, Some("Wo ist der Bahnhof?")),
    ("wo-ist", "Wo ist die Maedchen?", How::None, Some("Wo ist das Mädchen?")),
    ("wo-ist", "Wo ist das Maedchen?", How::Surface, None),
    ("wo-ist", "Wo ist das Madchen?", How::Fuzzy, Some("Wo ist das Mädchen?")),
    // Sentences that look right but are wrong.
    ("ich-bin", "Ich bin müde", How::Surface, None),
    ("ich-bin", "Ich bin kalt", How::None, Some("Mir ist kalt.")),
    ("ich-bin", "Ich bin Kaffee", How::Unchecked, Some("Ich bin müde.")),
    // A word that is no form says nothing about the filler beside it.
    ("komme-aus", "Ich komme aus müde England", How::Unchecked, Some("Ich komme aus England.")),
    // A sentence that is never right does not count because of a right part in it.
    ("ich-bin", "Ich bin krank kalt", How::None, Some("Ich bin krank. Mir ist kalt.")),
    ("years-old", "Ich bin acht Jahre", How::None, Some("Ich bin acht.")),
    ("years-old", "Ich bin acht Jahre alt", How::Surface, None),
    // A longer filler in a wrong form does not count as the shorter filler.
    ("einen-tee", "Ich trinke Tee mit Zucker", How::Surface, None),
    ("einen-tee", "Ich trinke Tee", How::Surface, None),
    ("einen-tee", "Ich trinke Tee der Zucker", How::None, Some("Ich trinke Tee mit Zucker.")),
    // A choice belongs to its filler, even where any name fits.
    ("er-heisst", "Sie heißt Anna", How::Surface, None),
    ("er-heisst", "Sie heißt Ottilie", How::Surface, None),
    ("er-heisst", "Er heißt Anna", How::None, Some("Sie heißt Anna.")),
    // In some questions “bitte” belongs to the phrase.
    ("wie-bitte", "Wie bitte?", How::Surface, None),
    ("wie-bitte", "Wie heißt du?", How::None, Some("Wie bitte?")),
    // Slots for any name, and for any words.
    ("ich-heisse", "Ich heiße Ottilie", How::Surface, None),
    ("ich-heisse", "ich heisse Anna Schmidt", How::Surface, None),
    ("ich-heisse", "Mein Name ist Bond", How::Surface, None),
    ("ich-heisse", "Ich heiße müde", How::Unchecked, Some("Ich heiße Anna.")),
    ("ich-heisse", "Ich heise Ottilie", How::Fuzzy, None),
    ("ich-heisse", "ich heiße ottilie schmidt", How::Surface, None),
    ("ich-heisse", "Ich heiße Ludwig van Beethoven", How::Surface, None),
    ("ich-heisse", "Ich heiße 20", How::Unchecked, Some("Ich heiße Anna.")),
    ("wie-sagt-man", "Wie sagt man hippo banana?", How::Surface, None),
    // Spellings.
    ("tschuess", "Tschuess", How::Surface, None),
    ("tschuess", "tschüß", How::Surface, None),
    ("tschuess", "Tschues", How::Surface, None),
    ("tschuess", "Tschuss", How::Fuzzy, Some("Tschüss")),
    ("tschuess", "Tschus", How::Fuzzy, Some("Tschüss")),
    // The taught form is shown, unless another way was clearly meant.
    ("tschuess", "Tshüs", How::Fuzzy, Some("Tschüss")),
    ("tschuess", "tsüs", How::None, Some("Tschüss")),
    // Mishearings do not count for typed answers, and other words are no slips.
    ("danke", "donkey", How::None, Some("Danke")),
    ("danke", "Dankeschön", How::Surface, None),
    ("danke", "Dank", How::Fuzzy, Some("Danke")),
    ("bitte", "bitter", How::Fuzzy, Some("Bitte")),
    ("nein", "neun", How::None, Some("Nein")),
    ("nein", "nien", How::Fuzzy, Some("Nein")),
    ("nein", "nine", How::None, Some("Nein")),
    ("ich-moechte", "Ich mochte zahlen", How::None, Some("Ich möchte zahlen.")),
    ("ich-moechte", "Ich moechte zahlen", How::Surface, None),
    ("ich-moechte", "Ich möchte zalen", How::Fuzzy, Some("Ich möchte zahlen.")),
];

#[test]
fn typed_answers_count_as_written() {
    let pack = gaps();
    let wrong: Vec<String> = TYPED
        .iter()
        .filter_map(|&(id, typed, how, right)| {
            let found = judge(&pack, id, &Heard::new(typed));
            let is_right = found.how == how && found.right.as_deref() == right;
            (!is_right).then(|| format!("{id}: “{typed}” {found:?}"))
        })
        .collect();
    assert!(wrong.is_empty(), "{} rows are wrong:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn heard_answers_may_be_misheard_and_have_no_spelling() {
    let pack = gaps();
    for (id, heard, how) in [
        ("danke", "donkey", How::Alias),
        ("bitte", "bitter", How::Alias),
        ("tschuess", "tschuss", How::Surface),
        ("ich-moechte", "ich mochte zahlen", How::None),
        ("nein", "neun", How::None),
        ("einen-bitte", "eine Kaffee bitte", How::None),
    ] {
        assert_eq!(judge(&pack, id, &Heard::spoken(heard)).how, how, "{id}: {heard}");
    }
}

#[test]
fn the_difference_names_the_wrong_words() {
    let pack = gaps();
    let same = |text: &str| Piece::Same { text: text.into() };
    let changed =
        |expected: &str, heard: &str| Piece::Changed { expected: expected.into(), heard: heard.into() };
    for (id, typed, difference) in [
        ("einen-bitte", "Einen Suppe, bitte", vec![changed("Eine", "Einen"), same("Suppe"), same("bitte")]),
        ("ich-moechte", "Ich mochte zahlen", vec![same("Ich"), changed("möchte", "mochte"), same("zahlen")]),
        ("tschuess", "Tschuss", vec![changed("Tschüss", "Tschuss")]),
        ("nein", "neun", vec![changed("Nein", "neun")]),
    ] {
        assert_eq!(judge(&pack, id, &Heard::new(typed)).difference, difference, "{typed}");
    }
}

#[test]
fn another_right_way_is_marked() {
    let pack = gaps();
    for (id, typed, is_other_way) in
        [("danke", "Danke", false), ("danke", "Dankeschön", true), ("ich-heisse", "Mein Name ist Eva", true)]
    {
        assert_eq!(judge(&pack, id, &Heard::new(typed)).is_other_way, is_other_way, "{typed}");
    }
}

/// Each row: a pack that comes with Etude, an item's text, the typed answer, and how it counts.
const SHIPPED: &[(&str, &str, &str, How)] = &[
    // A name counts, even if another item teaches it as a filler.
    ("german", "Ich heiße ___.", "Ich heiße Peter", How::Surface),
    ("german", "Ich heiße ___.", "ich heiße maria", How::Surface),
    ("german", "Ich heiße ___.", "Mein Name ist Sophie Weber", How::Surface),
    ("german", "Ich heiße ___.", "Ich heiße Danke", How::Unchecked),
    ("german", "Ich heiße ___.", "Ich bin 20 Jahre alt", How::Unchecked),
    ("english", "My name is ___.", "My name is David", How::Surface),
    ("english", "My name is ___.", "I'm twenty years old", How::Unchecked),
    // A missing accent is a slip, even if it makes another word of the pack.
    ("spanish", "¿Qué tal?", "que tal", How::Fuzzy),
    ("spanish", "¿Cómo te llamas?", "como te llamas", How::Fuzzy),
    ("french", "À bientôt", "a bientot", How::Fuzzy),
    // An umlaut is a letter.
    ("german", "Ich möchte ___.", "Ich mochte einen Kaffee", How::None),
];

#[test]
fn answers_to_the_packs_that_come_with_etude_count() {
    let wrong = SHIPPED.iter().filter_map(|&(language, text, typed, how)| {
        let file = format!("{}/../../packs/{language}-first-words.yaml", env!("CARGO_MANIFEST_DIR"));
        let pack = Pack::read_shipped(&std::fs::read(&file).unwrap(), &file).unwrap();
        let is_here = |item: &&pack::Item| item.text.starts_with(text);
        let Some(item) = pack.items.iter().find(is_here) else { return Some(format!("no {text}")) };
        let found = pack.judge(item, &Heard::new(typed));
        (found.how != how).then(|| format!("{text}: “{typed}” {found:?}"))
    });
    assert_eq!(wrong.collect::<Vec<_>>(), Vec::<String>::new());
}

/// French writes an apostrophe where a learner in a hurry types a space.
#[test]
fn apostrophes_may_be_spaces() {
    let source = GAPS
        .replace("language: de", "language: fr")
        .replace("polite: [bitte]\n", "")
        .replacen("text: Danke\n    also: [Dankeschön]", "text: \"Danke, s'il vous plaît\"", 1)
        .replacen("Danke, Anna!\", means", "Danke, s'il vous plaît\", means", 1);
    let start = source.find("    cues:").unwrap();
    let end = source.find("    aliases: [donkey]").unwrap();
    let line = "{scene: a, answer: \"Danke, s'il vous plaît\"}";
    let cues = format!("    cues: [{line}, {line}, {line}]\n");
    let first = source.find("  - id: bitte").unwrap();
    let source = format!("{}{cues}{}", &source[..start], &source[end..first]);
    let problems = pack::check(source.as_bytes(), "german-gaps.yaml");
    let pack = Pack::read(source.as_bytes(), "german-gaps.yaml").unwrap_or_else(|_| panic!("{problems:?}"));
    for (typed, how) in [
        ("danke s il vous plaît", How::Surface),
        ("danke sil vous plaît", How::Surface),
        ("danke s'il vous plait", How::Fuzzy),
        ("danke s il vous plait", How::Fuzzy),
        ("danke s'elle vous plaît", How::None),
    ] {
        assert_eq!(judge(&pack, "danke", &Heard::new(typed)).how, how, "{typed}");
    }
}
