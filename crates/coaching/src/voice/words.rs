//! The sentences of the voice. Their text is in `words/`, one file per language.

use crate::words::WordFile;

pub const FILES: &[WordFile] = &[("en", include_str!("words/en.ftl")), ("de", include_str!("words/de.ftl"))];

crate::words! {
    about() = "voice-about";
    verb_open() = "voice-verb-open";
    verb_open_help() = "voice-verb-open.help";
    verb_say() = "voice-verb-say";
    verb_say_help() = "voice-verb-say.help";
    verb_leave() = "voice-verb-leave";
    verb_leave_help() = "voice-verb-leave.help";

    title() = "voice-title";
    question() = "voice-question";
    turns() = "voice-turns";

    greeting() = "voice-greeting";
    goodbye() = "voice-goodbye";
    nothing_due() = "voice-nothing-due";
    courses() = "voice-courses";
    /// How much is due, and where.
    due(count, where_due) = "voice-due";
    due_in(count, title) = "voice-due-in";
    nothing_begun() = "voice-nothing-begun";
    progress(subjects) = "voice-progress";
    progress_in(title, known, of) = "voice-progress-in";
    time(time) = "voice-time";
    date(weekday, day, month) = "voice-date";
    means(word, meaning) = "voice-means";
    is_said(meaning, word) = "voice-is-said";
    unknown_word(word) = "voice-unknown-word";
    starts(title) = "voice-starts";
    which_pack(packs) = "voice-which-pack";
    /// The reply to a request for something that one utterance over a connection cannot have.
    elsewhere() = "voice-elsewhere";
    nothing_to_repeat() = "voice-nothing-to-repeat";
    again() = "voice-again";
    slower() = "voice-slower";
    help() = "voice-help";
    welcome() = "voice-welcome";
    name() = "voice-name";
    /// The reply to a question that a coach without a model cannot answer.
    cannot_answer() = "voice-cannot-answer";
    cannot_do() = "voice-cannot-do";
    not_understood() = "voice-not-understood";
    not_heard() = "voice-not-heard";
    article_unclear() = "voice-article-unclear";
    sorry() = "voice-sorry";

    /// The reasons why a run ended.
    reason_stop_word(word) = "voice-reason-stop-word";
    reason_left() = "voice-reason-left";
    reason_model(word) = "voice-reason-model";
    reason_cap(max) = "voice-reason-cap";
    reason_timeout() = "voice-reason-timeout";
    reason_no_wake() = "voice-reason-no-wake";
    reason_error(why) = "voice-reason-error";
    reason_done(title) = "voice-reason-done";
}

crate::refusals! {
    nothing_said() = "voice-nothing-said", "nothing_said";
    unreadable(what, why) = "voice-unreadable", "unreadable";
}
