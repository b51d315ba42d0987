//! Holds the few sentences that introduce an imported item and ask for it.
//!
//! A card says only what something means. These sentences add nothing, so they fit every card. For real scenes,
//! edit the pack.

/// The sentences in one language. `{text}` and `{meaning}` are filled in.
pub(super) struct Scenes {
    pub explain: &'static str,
    pub cues: [&'static str; 3],
}

const ENGLISH: Scenes = Scenes {
    explain: "“{text}” means: {meaning}",
    cues: [
        "Say it in the language you are learning: {meaning}",
        "Someone wants to know how you say this: {meaning}",
        "Once more, from memory: {meaning}",
    ],
};

const GERMAN: Scenes = Scenes {
    explain: "„{text}“ bedeutet: {meaning}",
    cues: [
        "Sag es in der Sprache, die du lernst: {meaning}",
        "Jemand möchte wissen, wie man das sagt: {meaning}",
        "Noch einmal aus dem Gedächtnis: {meaning}",
    ],
};

const FRENCH: Scenes = Scenes {
    explain: "« {text} » veut dire : {meaning}",
    cues: [
        "Dis-le dans la langue que tu apprends : {meaning}",
        "Quelqu'un veut savoir comment on dit cela : {meaning}",
        "Encore une fois, de mémoire : {meaning}",
    ],
};

const SPANISH: Scenes = Scenes {
    explain: "«{text}» significa: {meaning}",
    cues: [
        "Dilo en el idioma que estás aprendiendo: {meaning}",
        "Alguien quiere saber cómo se dice esto: {meaning}",
        "Una vez más, de memoria: {meaning}",
    ],
};

impl Scenes {
    /// Returns the sentences for a language tag, or in English if there are none.
    pub(super) fn in_language(tag: &str) -> &'static Scenes {
        match tag.split('-').next() {
            Some("de") => &GERMAN,
            Some("fr") => &FRENCH,
            Some("es") => &SPANISH,
            _ => &ENGLISH,
        }
    }
}

/// Fills the two sides into a sentence. The meaning goes in last, so that nothing in it is taken for a
/// placeholder.
pub(super) fn fill(sentence: &str, text: &str, meaning: &str) -> String {
    let (before, after) = sentence.split_once("{meaning}").unwrap_or((sentence, ""));
    format!("{}{meaning}{after}", before.replace("{text}", text))
}
