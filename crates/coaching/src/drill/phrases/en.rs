//! The coach in English.

use super::Phrases;

pub(super) static PHRASES: Phrases = Phrases {
    praise: &["Yes!", "Good.", "That's it.", "Well said.", "Just right.", "Nicely done.", "Lovely."],
    learned: &[
        "“{word}” is yours now.",
        "Well done: you have got “{word}”.",
        "That was the one that counts. You know “{word}”.",
        "You will remember “{word}”. On we go.",
    ],
    parked: &[
        "We will meet “{word}” again. Some words need a second day.",
        "Let us put “{word}” aside for now; it comes back later.",
    ],
    nudge: &["Take your time.", "No hurry. Here it is once more.", "Still there? Let us try again."],
    review: "You have met this one before.",
    close: "Understood! It is “{expected}”; I heard “{heard}”.",
    translated: "“{heard}” is what it means. The word itself is “{word}”.",
    near_miss: "Nearly. I was listening for “{word}”.",
    miss: "I did not hear “{word}” in that.",
    not_heard: "I heard no words there. Say or type it again.",
    repeat: "Let us say it slowly together.",
    nothing_to_do: "There is nothing to learn or review right now. Come back when a review is due.",
};
