//! Declares the sentences about an agent for a human. Their text is in `words/`, one file per language. The texts
//! for the agent itself are in `templates.yaml`.

use crate::words::WordFile;

pub const FILES: &[WordFile] = &[("en", include_str!("words/en.ftl")), ("de", include_str!("words/de.ftl"))];

crate::words! {
    about() = "agent-about";
    verb_open() = "agent-verb-open";
    verb_open_help() = "agent-verb-open.help";
    verb_stopped() = "agent-verb-stopped";
    verb_stopped_help() = "agent-verb-stopped.help";
    verb_crashed() = "agent-verb-crashed";
    verb_crashed_help() = "agent-verb-crashed.help";
    verb_prompted() = "agent-verb-prompted";
    verb_prompted_help() = "agent-verb-prompted.help";
    verb_watched() = "agent-verb-watched";
    verb_watched_help() = "agent-verb-watched.help";
    verb_halted() = "agent-verb-halted";
    verb_halted_help() = "agent-verb-halted.help";

    title(agent, session) = "agent-title";
    continues() = "agent-continues";
    rejections() = "agent-rejections";
    standstills() = "agent-standstills";

    /// The reason why the coach stands aside, by the law's attribute.
    aside(why, running) = "agent-aside";
    /// The bound that was reached, by the law's attribute.
    bound(bound, minutes, dollars, cents, claims, continues) = "agent-bound";
    stale() = "agent-stale";
    crashed(error) = "agent-crashed";
    crashed_with(error, details) = "agent-crashed-with";
    ended_by_watchdog(why) = "agent-ended-by-watchdog";
    ended_in_time(span) = "agent-ended-in-time";
    not_started(why) = "agent-not-started";
    process_failed(how) = "agent-process-failed";
    run_cut_off() = "agent-run-cut-off";
    run_signalled(signal) = "agent-run-signalled";
    model_late() = "agent-model-late";

    silence(span) = "agent-silence";
    duration(span) = "agent-duration";
    same_calls(count) = "agent-same-calls";
    errors(count) = "agent-errors";
    span(count, unit) = "agent-span";

    kind(kind) = "agent-kind";
    unsure(guess, percent, reason) = "agent-unsure";

    no_words() = "agent-no-words";
    raw_error() = "agent-raw-error";
    lacks_something() = "agent-lacks-something";
    asks_for_decision() = "agent-asks-for-decision";
    asks() = "agent-asks";
    checks_failed() = "agent-checks-failed";
    failed() = "agent-failed";
    cut_off() = "agent-cut-off";
    goes_on() = "agent-goes-on";
    unfinished() = "agent-unfinished";
    checks_shown() = "agent-checks-shown";
    proved() = "agent-proved";
    changes_named() = "agent-changes-named";
    no_run() = "agent-no-run";
    nothing_shown() = "agent-nothing-shown";
    plain_answer() = "agent-plain-answer";
    program_failed() = "agent-program-failed";
    interrupted() = "agent-interrupted";
    declined() = "agent-declined";

    /// The reasons why an agent may stop.
    told(words) = "agent-told";
    doubtful(step) = "agent-doubtful";
    planning() = "agent-planning";
    refused() = "agent-refused";
    waits_outside() = "agent-waits-outside";
    ruled_out(step) = "agent-ruled-out";
    risky(step) = "agent-risky";
    nothing_open(reason) = "agent-nothing-open";
    out_of_reach(open, why) = "agent-out-of-reach";
    asks_inside() = "agent-asks-inside";
    needless(words) = "agent-needless";
    checked(command) = "agent-checked";
    check_lost(command, why) = "agent-check-lost";
    shown_by(command) = "agent-shown-by";
    unchecked(reason) = "agent-unchecked";

    /// The reason why the human is notified, with the agent's words.
    news(reason, quote) = "agent-news";

    /// The things that can be open.
    open_check(command) = "agent-open-check";
    open_todos(count) = "agent-open-todos";
    open_criteria(count) = "agent-open-criteria";
    open_failing(command) = "agent-open-failing";
    open_tests(quote) = "agent-open-tests";
    open_tasks(count) = "agent-open-tasks";
    open_promise(quote) = "agent-open-promise";
    open_admission(quote) = "agent-open-admission";
    open_trouble(trouble) = "agent-open-trouble";
    open_claim(quote) = "agent-open-claim";
}
