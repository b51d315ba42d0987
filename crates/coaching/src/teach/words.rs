//! The sentences of the tutor that no curriculum has written. Their text is in `words/`, one file per language.

use crate::grade;
use crate::rejected::STATUS_MOVED;
use crate::words::WordFile;

/// The word files of the tutor, and those of the grades that it tells.
pub const FILES: &[WordFile] = &[
    ("en", include_str!("words/en.ftl")),
    ("de", include_str!("words/de.ftl")),
    grade::words::FILES[0],
    grade::words::FILES[1],
];

crate::words! {
    first_probe(most) = "teach-first-probe";
    explain_what(concept) = "teach-explain-what";
    explain_friend(concept) = "teach-explain-friend";
    explain_example(concept) = "teach-explain-example";
    right() = "teach-right";
    noted() = "teach-noted";
    in_another_language() = "teach-in-another-language";
    paragraphs(first, second) = "teach-paragraphs";
    about_words(words, says) = "teach-about-words";
    evidence(said) = "teach-evidence";
    evidence_of(words, idea) = "teach-evidence-of";
    good_answer(answer) = "teach-good-answer";
    good_answer_lines(answer) = "teach-good-answer-lines";
    the_answer(answer) = "teach-the-answer";
    the_answer_lines(answer) = "teach-the-answer-lines";
    held_right() = "teach-held-right";
    own_judgement() = "teach-own-judgement";
    mark(quality) = "teach-mark";
    no_mark() = "teach-no-mark";
    /// With `hours` at 0 the time is told in minutes, and without `minutes` not at all.
    planned(concepts, minutes, hours, known) = "teach-planned";
    resumed(title, concepts, known) = "teach-resumed";
    no_plan(topic, reason) = "teach-no-plan";
    no_more_surveys(topic) = "teach-no-more-surveys";
    repaired(notes, more) = "teach-repaired";
    note_unlabelled() = "teach-note-unlabelled";
    note_merged(concept) = "teach-note-merged";
    note_minutes(concept, minutes) = "teach-note-minutes";
    note_left_out(concept, most) = "teach-note-left-out";
    note_needs_itself(concept) = "teach-note-needs-itself";
    note_needs_unknown(concept, need) = "teach-note-needs-unknown";
    lesson_again(title) = "teach-lesson-again";
    seems_known() = "teach-seems-known";
    no_text() = "teach-no-text";
    no_lesson() = "teach-no-lesson";
    comes_back(concept, when) = "teach-comes-back";
    once_more(concept) = "teach-once-more";
    /// After a failed review of a concept that the diagnosis was sure of.
    taught_after_all(concept) = "teach-taught-after-all";
    finished(title) = "teach-finished";
    put_aside(title, days) = "teach-put-aside";
    /// Asked in a chat before it happens.
    sure_aside(title) = "teach-sure-aside";
    about_concept(concept) = "teach-about-concept";
    out_of_scope(title) = "teach-out-of-scope";
    /// In place of an explanation that would answer the open question.
    held_back() = "teach-held-back";
    back_to() = "teach-back-to";
    then_go_on() = "teach-then-go-on";
    follow_up() = "teach-follow-up";
    waits_behind() = "teach-waits-behind";
    nothing_to_teach_now() = "teach-nothing-to-teach-now";
    /// `choices` tells whether a choice would count less than an answer in words.
    one_opens(concept, times, choices, next, when) = "teach-one-opens";
    one_completes(concept, times, choices, when) = "teach-one-completes";
    many_open(next, concepts, when) = "teach-many-open";
    many_complete(concepts, when) = "teach-many-complete";
    when_now() = "teach-when-now";
    when_hours(hours) = "teach-when-hours";
    when_days(days) = "teach-when-days";
    review_nothing() = "review-nothing";
    review_nothing_asked(due) = "review-nothing-asked";
    review_result(good, all) = "review-result";
    recalled_elsewhere(concept) = "review-recalled-elsewhere";
    taken_off() = "review-taken-off";
    review_put_aside(title) = "review-put-aside";
    status(status) = "teach-status";
    mastery(mastery) = "teach-mastery";
    progress_probes() = "teach-progress-probes";
    progress_quiz() = "teach-progress-quiz";
    progress_mastered() = "teach-progress-mastered";
    progress_recalls() = "review-progress-recalls";
    only_reviews() = "teach-only-reviews";
    model_at_work() = "teach-model-at-work";
    no_map(curricula) = "teach-no-map";
    led_outside() = "teach-led-outside";
    parting() = "review-parting";
    say_something() = "teach-say-something";
    show_it() = "teach-show-it";
    say_it() = "teach-say-it";
    give_number() = "teach-give-number";

    // Progress: the weekly digest and the charts.
    digest_mastery(percent, mastered, concepts) = "digest-mastery";
    digest_mastery_more(percent, mastered, concepts, points, since) = "digest-mastery-more";
    digest_pace(pace) = "digest-pace";
    digest_retention(percent) = "digest-retention";
    digest_no_retention() = "digest-no-retention";
    digest_hard(concepts) = "digest-hard";
    digest_answers(count) = "digest-answers";
    digest_done_around(date) = "digest-done-around";
    digest_best_time(part) = "digest-best-time";
    chart_mastered() = "chart-mastered";
    chart_mastered_note(mastered, concepts, percent) = "chart-mastered-note";
    chart_retention() = "chart-retention";
    chart_retention_days(days) = "chart-retention-days";
    chart_weeks() = "chart-weeks";
    chart_weeks_ago(weeks) = "chart-weeks-ago";
    chart_times() = "chart-times";
    chart_times_note(good, answers) = "chart-times-note";
    chart_hard() = "chart-hard";
    part_of_day(part) = "teach-part-of-day";
    /// A number with one digit after the point.
    decimal(whole, tenth) = "teach-decimal";
    date(day, month, year) = "teach-date";
    /// On that day, within the year. Monday is 1.
    date_on(weekday, day, month) = "teach-date-on";
    month(month) = "teach-month";
}

crate::refusals! {
    nothing_asked() = "teach-nothing-asked", "nothing_asked";
    not_asked_yet() = "teach-not-asked-yet", "nothing_asked";
    diagnosis_too_long(most) = "teach-diagnosis-too-long", "diagnosis_too_long";
    /// To the tutor; the sentence after it is to the learner.
    diagnosis_too_short(least, asked) = "teach-diagnosis-too-short", "diagnosis_too_short";
    diagnosis_not_over(least, asked) = "teach-diagnosis-not-over", "diagnosis_too_short";
    diagnosis_over() = "teach-diagnosis-over", "diagnosis_over";
    quiz_too_long(most) = "teach-quiz-too-long", "quiz_too_long";
    quiz_not_recorded() = "teach-quiz-not-recorded", "nothing_recorded";
    quiz_not_answered() = "teach-quiz-not-answered", "nothing_recorded";
    etude_leads() = "teach-etude-leads", "led_by_etude";
    status_jump(concept, from, to, next) = "teach-status-jump", "status_jump";
    /// The refusal asks what was meant.
    unclear(question) = "teach-unclear", grade::UNCLEAR;
    nothing_to_object_to() = "teach-nothing-to-object-to", "nothing_to_object_to";
    asks_leader() = "teach-asks-leader", "led_outside";
    leader_plans() = "teach-leader-plans", "led_outside";
    no_question() = "teach-no-question", "no_text";
    nothing_left() = "teach-nothing-left", "nothing_to_teach";
    map_gone() = "teach-map-gone", "map_gone";
    no_topic(what) = "teach-no-topic", "bad_topic";
    long_topic(what, most) = "teach-long-topic", "bad_topic";
    no_such_curriculum(name, known) = "teach-no-such-curriculum", super::NO_CURRICULUM;
    misnamed_curriculum(topic, meant) = "teach-misnamed-curriculum", super::NO_CURRICULUM;
    no_curriculum(topic, known) = "teach-no-curriculum", super::NO_CURRICULUM;
    no_such_course(course) = "teach-no-such-course", "unknown_course";
    not_abandoned(title) = "teach-not-abandoned", "not_abandoned";
    review_of_abandoned(title) = "review-of-abandoned", super::review::ABANDONED;
    review_nothing_due(title) = "review-nothing-due", super::review::NOTHING_DUE;
    nothing_said() = "teach-nothing-said", "no_text";
    bad_opening(why) = "teach-bad-opening", "bad_opening";
    bad_plan(why) = "teach-bad-plan", "bad_payload";
    bad_advance(why) = "teach-bad-advance", "bad_payload";
    bad_edit(why) = "teach-bad-edit", "bad_payload";
    bad_record(why) = "teach-bad-record", "bad_payload";
    long_record(field, most) = "teach-long-record", "too_long";
    empty_record() = "teach-empty-record", "no_question";
    being_taught(concept) = "teach-being-taught", "node_in_use";
    status_moved(now, expected) = "teach-status-moved", STATUS_MOVED;
}
