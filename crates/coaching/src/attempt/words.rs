//! Declares the sentences of an attempt. Statements, hints and lessons come from the problems.

use crate::words::WordFile;

pub const FILES: &[WordFile] = &[("en", include_str!("words/en.ftl")), ("de", include_str!("words/de.ftl"))];

crate::words! {
    about() = "attempt-about";
    verb_open() = "attempt-verb-open";
    verb_open_help() = "attempt-verb-open.help";
    verb_mode() = "attempt-verb-mode";
    verb_mode_help() = "attempt-verb-mode.help";
    verb_explain() = "attempt-verb-explain";
    verb_explain_help() = "attempt-verb-explain.help";
    verb_follow_up() = "attempt-verb-follow_up";
    verb_follow_up_help() = "attempt-verb-follow_up.help";
    verb_suggest() = "attempt-verb-suggest";
    verb_suggest_help() = "attempt-verb-suggest.help";
    verb_discover() = "attempt-verb-discover";
    verb_discover_help() = "attempt-verb-discover.help";
    verb_choose() = "attempt-verb-choose";
    verb_choose_help() = "attempt-verb-choose.help";
    verb_submit() = "attempt-verb-submit";
    verb_submit_help() = "attempt-verb-submit.help";
    verb_hint() = "attempt-verb-hint";
    verb_hint_help() = "attempt-verb-hint.help";
    verb_run() = "attempt-verb-run";
    verb_run_help() = "attempt-verb-run.help";
    verb_explain_failure() = "attempt-verb-explain_failure";
    verb_explain_failure_help() = "attempt-verb-explain_failure.help";
    verb_trace() = "attempt-verb-trace";
    verb_trace_help() = "attempt-verb-trace.help";
    verb_retry() = "attempt-verb-retry";
    verb_retry_help() = "attempt-verb-retry.help";
    verb_challenge() = "attempt-verb-challenge";
    verb_challenge_help() = "attempt-verb-challenge.help";
    verb_reflect() = "attempt-verb-reflect";
    verb_reflect_help() = "attempt-verb-reflect.help";
    verb_skip_reflection() = "attempt-verb-skip_reflection";
    verb_skip_reflection_help() = "attempt-verb-skip_reflection.help";
    verb_skip() = "attempt-verb-skip";
    verb_skip_help() = "attempt-verb-skip.help";
    verb_abandon() = "attempt-verb-abandon";
    verb_abandon_help() = "attempt-verb-abandon.help";

    step(step) = "attempt-step";
    steps() = "attempt-steps";
    hints_used() = "attempt-hints-used";
    constraints(limits) = "attempt-constraints";
    head_call() = "attempt-head-call";
    head_result() = "attempt-head-result";
    head_why() = "attempt-head-why";

    /// The request for an explanation, and for each of its fields.
    ask_explanation() = "attempt-ask-explanation";
    field(field) = "attempt-field";
    mode_set(mode) = "attempt-mode-set";
    understood() = "attempt-understood";
    not_understood_yet() = "attempt-not-understood-yet";
    strength(words, idea) = "attempt-strength";
    gap_missing(field) = "attempt-gap-missing";
    gap_thin(field) = "attempt-gap-thin";
    gap_copied() = "attempt-gap-copied";
    gap_heap() = "attempt-gap-heap";
    gap_language(language) = "attempt-gap-language";
    gap_task() = "attempt-gap-task";
    gap_opposite(words) = "attempt-gap-opposite";
    gap_misread(words, says) = "attempt-gap-misread";
    gap_no_example() = "attempt-gap-no-example";
    gap_wrong_result() = "attempt-gap-wrong-result";
    gap_approach() = "attempt-gap-approach";
    gap_right_approach() = "attempt-gap-right-approach";
    /// Ideas are missing, and the coach still asks.
    gap_ideas(count) = "attempt-gap-ideas";
    /// Ideas are missing, and all questions are used up.
    gap_named(ideas) = "attempt-gap-named";
    ask_sample(call, result) = "attempt-ask-sample";
    ask_edge(edge) = "attempt-ask-edge";
    ask_limit(limit) = "attempt-ask-limit";

    ask_pattern() = "attempt-ask-pattern";
    field_pattern() = "attempt-field-pattern";
    field_confidence() = "attempt-field-confidence";
    field_invariant() = "attempt-field-invariant";
    /// A sentence with gaps that the learner fills.
    field_template(template) = "attempt-field-template";
    ask_invariant() = "attempt-ask-invariant";
    field_complexity() = "attempt-field-complexity";
    suggested() = "attempt-suggested";
    suggest_next() = "attempt-suggest-next";
    /// The verdicts on a chosen pattern.
    fits(name) = "attempt-fits";
    may_fit(name) = "attempt-may-fit";
    unsure(name, call) = "attempt-unsure";
    warned(name, call) = "attempt-warned";
    counter_example(name, call) = "attempt-counter-example";
    no_invariant() = "attempt-no-invariant";
    invariant_holds() = "attempt-invariant-holds";
    invariant_slots(slots) = "attempt-invariant-slots";
    invariant_asked(question) = "attempt-invariant-asked";
    complexity_fits() = "attempt-complexity-fits";
    complexity_asked(question) = "attempt-complexity-asked";
    discovery() = "attempt-discovery";
    discovered(count, patterns) = "attempt-discovered";

    ask_program(function, language) = "attempt-ask-program";
    ask_run() = "attempt-ask-run";
    /// `trace` is `yes` where a case can be seen line by line.
    ask_after_failure(trace) = "attempt-ask-after-failure";
    running() = "attempt-running";
    hint_comes() = "attempt-hint-comes";
    hint(level, left) = "attempt-hint";
    saved() = "attempt-saved";
    failed(passed, total) = "attempt-failed";
    /// The outcome of a single test.
    failed_first(index, verdict, input, expected, actual) = "attempt-failed-first";
    failed_hidden(index, verdict) = "attempt-failed-hidden";
    failed_with(index, verdict) = "attempt-failed-with";
    /// The judge has no verdict.
    not_judged(message) = "attempt-not-judged";
    not_compiled(message) = "attempt-not-compiled";
    lost() = "attempt-lost";
    passed(total) = "attempt-passed";
    case_seen(bug, input, expected, actual) = "attempt-case-seen";
    case_hidden(bug, index, verdict, size) = "attempt-case-hidden";
    case_failed(bug, input, verdict) = "attempt-case-failed";
    /// The smallest input that was found to fail.
    smallest(call, expected, actual) = "attempt-smallest";
    smallest_failed(call, verdict) = "attempt-smallest-failed";
    traced(call, steps) = "attempt-traced";
    not_traced(message) = "attempt-not-traced";
    next_step(bug) = "attempt-next-step";
    verdict(verdict) = "attempt-verdict";
    verdict_with(verdict, message) = "attempt-verdict-with";
    /// The verdicts on the learner's own explanation of a failure.
    said_too_little() = "attempt-said-too-little";
    said_fits(bug) = "attempt-said-fits";
    said_rule() = "attempt-said-rule";
    said_unsure(bug) = "attempt-said-unsure";

    cues(cues) = "attempt-cues";
    invariant_was(text) = "attempt-invariant-was";
    adversary(question) = "attempt-adversary";
    ask_reflection() = "attempt-ask-reflection";
    field_cues() = "attempt-field-cues";
    field_summary() = "attempt-field-summary";
    challenge_asked() = "attempt-challenge-asked";
    challenge_met() = "attempt-challenge-met";
    challenge_doubt(good) = "attempt-challenge-doubt";
    challenge_missing(ideas, good) = "attempt-challenge-missing";
    /// When the pattern comes back.
    comes_back(pattern, days) = "attempt-comes-back";
    captured() = "attempt-captured";
    legacy_approach() = "attempt-legacy-approach";
    /// A stand-in for a sentence that would have given too much away.
    held_back() = "attempt-held-back";
}

crate::refusals! {
    unknown_problem(problem) = "attempt-unknown-problem", "unknown_problem";
    problem_gone(problem) = "attempt-problem-gone", "problem_gone";
    bad_input(why) = "attempt-bad-input", "bad_input";
    too_long(field, most) = "attempt-too-long", "too_long";
    mode_is_fixed() = "attempt-mode-is-fixed", "mode_is_fixed";
    no_skipping() = "attempt-no-skipping", "no_skipping";
    no_follow_up() = "attempt-no-follow-up", "no_follow_up";
    unknown_pattern(pattern, known) = "attempt-unknown-pattern", "unknown_pattern";
    pattern_is_chosen() = "attempt-pattern-is-chosen", "pattern_is_chosen";
    bad_confidence(given) = "attempt-bad-confidence", "bad_confidence";
    unknown_template(template, known) = "attempt-unknown-template", "unknown_template";
    bad_slot(slot, last) = "attempt-bad-slot", "bad_slot";
    no_such_answer(answer, last) = "attempt-no-such-answer", "no_such_answer";
    no_hints_left(budget) = "attempt-no-hints-left", "no_hints_left";
    empty_code() = "attempt-empty-code", "empty_code";
    code_too_long(most) = "attempt-code-too-long", "code_too_long";
    code_not_text() = "attempt-code-not-text", "code_not_text";
    unknown_language(language) = "attempt-unknown-language", "unknown_language";
    other_run() = "attempt-other-run", "answers_nothing";
    no_run() = "attempt-no-run", "no_run";
    unknown_test(index, last) = "attempt-unknown-test", "unknown_test";
    test_passed(index) = "attempt-test-passed", "test_passed";
    not_the_result(index) = "attempt-not-the-result", "not_the_result";
    hidden_test(index) = "attempt-hidden-test", "hidden_test";
    not_traceable(language) = "attempt-not-traceable", "not_traceable";
    nothing_to_trace() = "attempt-nothing-to-trace", "nothing_to_trace";
    empty_answer() = "attempt-empty-answer", "empty_answer";
    too_many_cues(most) = "attempt-too-many-cues", "too_many_cues";
    empty_reflection() = "attempt-empty-reflection", "empty_reflection";
}
