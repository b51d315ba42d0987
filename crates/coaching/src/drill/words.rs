//! The sentences of the drill. Their text is in `words/`, one file per language; the words to learn come from packs.

use crate::learner;
use crate::words::WordFile;

/// The word files of the drill, and those that say when words come back.
pub const FILES: &[WordFile] = &[
    ("en", include_str!("words/en.ftl")),
    ("de", include_str!("words/de.ftl")),
    learner::words::FILES[0],
    learner::words::FILES[1],
];

/// The number of ways in which the coach can say something that it says often. Each way has a number, from 0.
pub const PRAISES: usize = 7;
pub const ENDS: usize = 4;
pub const PROMISES: usize = 2;
pub const NUDGES: usize = 3;

crate::words! {
    about() = "drill-about";
    verb_open() = "drill-verb-open";
    verb_open_help() = "drill-verb-open.help";
    verb_start() = "drill-verb-start";
    verb_start_help() = "drill-verb-start.help";
    verb_answer() = "drill-verb-answer";
    verb_answer_help() = "drill-verb-answer.help";
    verb_give_up() = "drill-verb-give_up";
    verb_give_up_help() = "drill-verb-give_up.help";
    verb_skip() = "drill-verb-skip";
    verb_skip_help() = "drill-verb-skip.help";
    verb_leave() = "drill-verb-leave";
    verb_leave_help() = "drill-verb-leave.help";

    /// After a correct use.
    praise(way) = "drill-praise";
    /// After the last use that was needed.
    learned(way, word) = "drill-learned";
    /// When a word is put aside.
    parked(way, word) = "drill-parked";
    /// When the learner skips a word.
    skipped(word) = "drill-skipped";
    /// The learner asked what the word means.
    meaning(meaning) = "drill-meaning";
    /// After a silence.
    nudge(way) = "drill-nudge";
    /// Before a word that was learned earlier.
    review() = "drill-review";
    /// Understood, a few letters off.
    close(expected, heard) = "drill-close";
    /// The learner said what the word means.
    translated(heard, word) = "drill-translated";
    /// Part of the word was there.
    near_miss(word) = "drill-near-miss";
    /// Nothing of the word was there.
    miss(word) = "drill-miss";
    /// The gap holds something that the pack does not know.
    unchecked(line) = "drill-unchecked";
    /// Right, but not the way that is taught.
    right_too(word) = "drill-right-too";
    /// Right, but the scene asks for something else.
    beside_scene(line) = "drill-beside-scene";
    /// The meaning of a filler in the answer.
    filler(say, means) = "drill-filler";
    /// The things that a learner can say in place of an answer.
    help() = "drill-help";
    /// No model has answered in time.
    model_is_silent() = "drill-model-is-silent";
    /// The utterance had no words in it.
    not_heard() = "drill-not-heard";
    /// Before a word is said slowly.
    slowly() = "drill-slowly";
    nothing_to_do() = "drill-nothing-to-do";

    /// In place of a word that the learner should recall.
    recall(meaning) = "drill-recall";
    /// How a word begins.
    cue(meaning, letters) = "drill-cue";
    used() = "drill-used";
    words() = "drill-words";
    pool() = "drill-pool";
    head_word() = "drill-head-word";
    head_status() = "drill-head-status";
    head_back() = "drill-head-back";
    status_learned() = "drill-status-learned";
    status_parked() = "drill-status-parked";
    waiting(count) = "drill-waiting";

    unknown_pack(pack) = "drill-unknown-pack";
    unknown_pack_cure(packs) = "drill-unknown-pack.cure";
    unknown_pack_near(near, packs) = "drill-unknown-pack.near";
    unknown_pack_none() = "drill-unknown-pack.none";
    word_gone(pack, word) = "drill-word-gone";
    word_gone_cure() = "drill-word-gone.cure";
    no_pack() = "drill-no-pack";
    bad_opening(why) = "drill-bad-opening";
    bad_number(field, given, least, most) = "drill-bad-number";
    bad_opening_cure(packs) = "drill-bad-opening.cure";
}

crate::refusals! {
    no_text() = "drill-no-text", "no_text";
}
