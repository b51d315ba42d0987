//! The coach in German.

use super::Phrases;

pub(super) static PHRASES: Phrases = Phrases {
    praise: &["Ja!", "Gut.", "Genau so.", "Schön gesagt.", "Stimmt.", "Prima.", "Sehr schön."],
    learned: &[
        "„{word}“ gehört jetzt dir.",
        "Gut gemacht: „{word}“ sitzt.",
        "Das war das entscheidende Mal. „{word}“ kannst du.",
        "„{word}“ hast du dir gemerkt. Weiter geht’s.",
    ],
    parked: &[
        "„{word}“ sehen wir wieder. Manche Wörter brauchen einen zweiten Tag.",
        "„{word}“ legen wir erst einmal beiseite; es kommt später wieder.",
    ],
    nudge: &[
        "Lass dir Zeit.",
        "Keine Eile. Hier ist es noch einmal.",
        "Noch da? Versuchen wir es noch einmal.",
    ],
    review: "Das hier kennst du schon.",
    close: "Verstanden! Es heißt „{expected}“; gehört habe ich „{heard}“.",
    translated: "„{heard}“ ist, was es bedeutet. Das Wort selbst ist „{word}“.",
    near_miss: "Fast. Ich habe auf „{word}“ gewartet.",
    miss: "„{word}“ habe ich darin nicht gehört.",
    not_heard: "Da war kein Wort zu hören. Sag oder schreib es noch einmal.",
    repeat: "Sagen wir es langsam zusammen.",
    nothing_to_do: "Im Moment gibt es nichts zu lernen oder zu wiederholen. Komm wieder, wenn etwas fällig ist.",
};
