//! Scripted sessions of everyday life, each through the real hook command with a payload and a transcript as Claude
//! Code writes them. The agent must be treated as its human would want.

use crate::agent::contracts::{CLAUDE, journal, well};
use crate::common::{Folder, text};
use serde_json::{Value, json};

/// A record of a transcript.
enum Line {
    Human(&'static str),
    /// A message that the agent's program put in the human's place.
    Machine(&'static str),
    /// A text typed while the agent worked, and its source: `prompt` is the human.
    Meanwhile(&'static str, &'static str),
    Edit(&'static str),
    /// A command, its output, and whether it failed.
    Ran(&'static str, &'static str, bool),
    /// A call that the human refused.
    Refused(&'static str),
    Background(&'static str),
    /// The result of the command in the background.
    Ended(&'static str),
    /// Another tool, with its result.
    Used(&'static str, &'static str),
    /// The to-do list: items done, items begun, items open.
    Todos(&'static [&'static str], &'static [&'static str], &'static [&'static str]),
    Plan(&'static str),
    Says(&'static str),
}
use Line::*;

/// One session up to a stop.
struct Script {
    name: &'static str,
    lines: &'static [Line],
    stops_with: &'static str,
    /// Fields of the payload in addition to the usual ones.
    also: fn() -> Value,
    expected: Expected,
}

enum Expected {
    /// The agent is sent on, with a message that contains these texts.
    SentOn(&'static [&'static str]),
    /// The agent may stop: the decision, and a part of the reason in the log.
    Stops(&'static str, &'static str),
}
use Expected::*;

fn nothing() -> Value {
    json!({})
}

const SCRIPT: Script =
    Script { name: "", lines: &[], stops_with: "", also: nothing, expected: Stops("", "") };

const SCRIPTS: &[Script] = &[
    Script {
        name: "to-dos half done",
        lines: &[
            Human("Do all four tasks of the importer."),
            Todos(&["read the header"], &[], &["map the columns", "report bad rows"]),
            Edit("src/import.rs"),
        ],
        stops_with: "The header is read now.\n\nI'll continue with the rest.",
        expected: SentOn(&["- map the columns", "- report bad rows"]),
        ..SCRIPT
    },
    Script {
        name: "to-dos open although it says that all is done",
        lines: &[
            Human("Build the importer."),
            Todos(&["read the header"], &[], &["report bad rows"]),
            Edit("src/import.rs"),
            Ran("cargo test", "test result: ok. 12 passed; 0 failed", false),
        ],
        stops_with: "All done: the importer works, 12 passed, 0 failed.",
        expected: SentOn(&["- report bad rows"]),
        ..SCRIPT
    },
    Script {
        name: "needless permission, and the human said not to ask",
        lines: &[
            Human("Migrate all three modules. Don't ask me in between, keep going until it is done."),
            Todos(&["billing"], &[], &["accounts", "reports"]),
            Edit("src/billing.rs"),
        ],
        stops_with: "Billing is migrated. Should I continue with accounts?",
        expected: SentOn(&["Don't ask me in between", "- accounts"]),
        ..SCRIPT
    },
    Script {
        name: "permission, and the human said nothing about it",
        lines: &[Human("Migrate the modules."), Todos(&["billing"], &[], &["accounts"])],
        stops_with: "Billing is migrated. Should I continue with accounts?",
        expected: Stops("deliver", ""),
        ..SCRIPT
    },
    Script {
        name: "only step 1",
        lines: &[
            Human("Here is the plan: 1. parser, 2. importer. Do only step 1, then stop."),
            Todos(&["parser"], &[], &["importer"]),
            Edit("src/parser.rs"),
        ],
        stops_with: "The parser is written. Next I will write the importer.",
        expected: Stops("deliver", "then stop"),
        ..SCRIPT
    },
    Script {
        name: "forbidden tests",
        lines: &[Human("Rename the module. Do not run the tests, they take hours."), Edit("src/names.rs")],
        stops_with: "The module is renamed. Let me run the tests next.",
        expected: Stops("deliver", "ruled out"),
        ..SCRIPT
    },
    Script {
        name: "nobody asked for tests",
        lines: &[Human("Fix the typo in the README."), Edit("README.md")],
        stops_with: "I fixed the typo in `README.md`: it now says \"receive\".",
        expected: Stops("deliver", ""),
        ..SCRIPT
    },
    Script {
        name: "a test run that never was",
        lines: &[Human("Fix the date bug and make sure that the tests pass."), Edit("src/date.rs")],
        stops_with: "Done. All tests pass.",
        expected: SentOn(&["All tests pass", "src/date.rs"]),
        ..SCRIPT
    },
    Script {
        name: "forged evidence",
        lines: &[
            Human("Fix the date bug and make sure that the tests pass."),
            Edit("src/date.rs"),
            Ran("echo '42 tests passed, 0 failed'", "42 tests passed, 0 failed", false),
        ],
        stops_with: "Done. All 42 tests passed.",
        expected: SentOn(&["no test was run after you last changed src/date.rs"]),
        ..SCRIPT
    },
    Script {
        name: "tests from before the last change",
        lines: &[
            Human("Fix the date bug and make sure that the tests pass."),
            Edit("src/date.rs"),
            Ran("cargo test", "test result: ok. 9 passed; 0 failed", false),
            Edit("src/zone.rs"),
        ],
        stops_with: "Done. All tests pass.",
        expected: SentOn(&["src/zone.rs"]),
        ..SCRIPT
    },
    Script {
        name: "tests after the last change",
        lines: &[
            Human("Fix the date bug."),
            Edit("src/date.rs"),
            Ran("cargo test 2>&1 | tail -3", "test result: ok. 9 passed; 0 failed", false),
        ],
        stops_with: "Done.",
        expected: Stops("deliver", "cargo test"),
        ..SCRIPT
    },
    Script {
        name: "a message that reads either way, and a run that decides",
        lines: &[
            Human("Build the importer."),
            Todos(&["read the header", "report bad rows"], &[], &[]),
            Edit("src/import.rs"),
            Ran("cargo test", "test result: ok. 12 passed; 0 failed", false),
        ],
        stops_with: "All done: the importer works, 12 passed, 0 failed.",
        expected: Stops("deliver", "cargo test"),
        ..SCRIPT
    },
    Script {
        name: "failing tests are work in progress",
        lines: &[
            Human("Fix the date bug until the tests pass."),
            Edit("src/date.rs"),
            Ran("cargo test", "test leap_day ... FAILED\ntest result: FAILED. 8 passed; 1 failed", true),
        ],
        stops_with: "One test still fails. Now I will look at leap days.",
        expected: SentOn(&["cargo test", "leap_day"]),
        ..SCRIPT
    },
    Script {
        name: "a rate limit of the agent's own service",
        lines: &[Human("Write the importer.")],
        stops_with: "API Error: 429 rate limit exceeded",
        expected: Stops("deliver", ""),
        ..SCRIPT
    },
    Script {
        name: "work in the background, as the payload tells",
        lines: &[Human("Run the long benchmark.")],
        stops_with: "The benchmark runs. I'll look at its results next.",
        also: || json!({"background_tasks": [{"id": "b1"}]}),
        expected: Stops("aside", "background"),
    },
    Script {
        name: "work in the background, as the transcript tells",
        lines: &[Human("Run the long benchmark."), Background("make bench")],
        stops_with: "The benchmark runs. I'll look at its results next.",
        also: || json!({"background_tasks": null, "session_crons": null}),
        expected: Stops("aside", "background"),
    },
    Script {
        name: "plan mode",
        lines: &[Human("How would you add quotas?"), Plan("# Quotas\n1. a table\n2. a check")],
        stops_with: "Next I will add the table for quotas.",
        also: || json!({"permission_mode": "plan"}),
        expected: Stops("deliver", "asked for a plan"),
    },
    Script {
        name: "interrupted",
        lines: &[Human("Write the importer."), Edit("src/a.rs"), Machine("[Request interrupted by user]")],
        stops_with: "Let me write the importer next.",
        expected: Stops("deliver", "interrupted"),
        ..SCRIPT
    },
    Script {
        name: "a refused call",
        lines: &[Human("Clean the build folder up."), Refused("rm -rf build")],
        stops_with: "I will look for another way next.",
        expected: Stops("deliver", "refused"),
        ..SCRIPT
    },
    Script {
        name: "German",
        lines: &[
            Human("Baue den Import um."),
            Todos(&["Kopfzeile"], &[], &["Spalten zuordnen"]),
            Edit("src/import.rs"),
        ],
        stops_with: "Die Kopfzeile ist fertig. Als Nächstes ordne ich die Spalten zu.",
        expected: SentOn(&["Spalten zuordnen"]),
        ..SCRIPT
    },
    Script {
        name: "German, and the human waits",
        lines: &[Human("Mach nur Schritt 1 und warte auf mich."), Edit("src/import.rs")],
        stops_with: "Schritt 1 ist fertig. Als Nächstes ordne ich die Spalten zu.",
        expected: Stops("deliver", "warte auf mich"),
        ..SCRIPT
    },
    Script {
        name: "Chinese, and the human waits",
        lines: &[Human("只做第一步，然后停下来等我。"), Edit("src/import.rs")],
        stops_with: "第一步已完成。接下来我将编写导入器。",
        expected: Stops("deliver", ""),
        ..SCRIPT
    },
    Script {
        name: "Chinese, with open to-dos",
        lines: &[Human("完成所有任务。"), Todos(&["解析器"], &[], &["导入器"]), Edit("src/import.rs")],
        stops_with: "解析器已完成。接下来我将编写导入器。",
        expected: SentOn(&["导入器"]),
        ..SCRIPT
    },
    Script {
        name: "a long message with a question in the middle",
        lines: &[Human("Write the importer."), Todos(&["parser"], &[], &["importer"]), Edit("src/a.rs")],
        stops_with: "## State\n\nThe parser is done.\n\nDo you want dates in UTC or in local time? Both are in the old files.\n\n\
                     ## Next\n\n- The columns are mapped by name.\n- Bad rows are reported.\n\nNext I will write the importer.",
        expected: Stops("deliver", ""),
        ..SCRIPT
    },
    Script {
        name: "a step that only a human decides",
        lines: &[Human("Finish the release branch."), Edit("CHANGELOG.md")],
        stops_with: "The changelog is written. Next I will force-push the branch and deploy to production.",
        expected: Stops("deliver", "only you should decide"),
        ..SCRIPT
    },
    Script {
        name: "nothing can be named",
        lines: &[Human("Look into the slow query."), Ran("ls", "a b", false)],
        stops_with: "Still working on it, about 40% complete.",
        expected: Stops("deliver", ""),
        ..SCRIPT
    },
    Script {
        name: "a promise that nothing followed",
        lines: &[Human("Find out why the query is slow and fix it."), Ran("ls", "a b", false)],
        stops_with: "The query reads the whole table. Let me add an index on `orders.day` next.",
        expected: SentOn(&["Let me add an index on `orders.day` next."]),
        ..SCRIPT
    },
    Script {
        name: "an answer to a question",
        lines: &[Human("Why is the cache cold after a restart?"), Ran("cat src/cache.rs", "…", false)],
        stops_with: "The cache lives in memory only, so a restart begins with an empty one. Nothing writes it to disk.",
        expected: Stops("deliver", ""),
        ..SCRIPT
    },
    Script {
        name: "the agent's own plan has criteria",
        lines: &[
            Human("Add quotas."),
            Plan(
                "# Quotas\n\n## Success Criteria\n\n- `cargo test quotas` is green\n- the limit is documented\n",
            ),
            Human("Good, build it."),
            Plan(
                "# Quotas\n\n## Success Criteria\n\n- `cargo test quotas` is green\n- the limit is documented\n",
            ),
            Edit("src/quotas.rs"),
        ],
        stops_with: "Quotas are implemented in src/quotas.rs, commit abc1234. The limit is documented.",
        expected: SentOn(&["`cargo test quotas` is green"]),
        ..SCRIPT
    },
    Script {
        name: "only one thing for now",
        lines: &[
            Human("Only implement the parser for now."),
            Todos(&["write the parser"], &[], &["write the importer"]),
            Edit("src/parser.rs"),
        ],
        stops_with: "The parser is written. Next I will write the importer.",
        expected: Stops("deliver", "for now"),
        ..SCRIPT
    },
    Script {
        name: "a look before the next step",
        lines: &[
            Human("Write the parser first, then let me check it."),
            Todos(&["write the parser"], &[], &["write the importer"]),
            Edit("src/parser.rs"),
        ],
        stops_with: "The parser is written. Next I will write the importer.",
        expected: Stops("deliver", "let me check"),
        ..SCRIPT
    },
    Script {
        name: "the human does the other part",
        lines: &[
            Human("Write the parser. I'll write the importer myself."),
            Todos(&["write the parser"], &[], &["write the importer"]),
            Edit("src/parser.rs"),
        ],
        stops_with: "The parser is written. Next I will write the importer.",
        expected: Stops("deliver", "ruled out"),
        ..SCRIPT
    },
    Script {
        name: "the other part not yet",
        lines: &[
            Human("Write the parser, but don't start on the importer yet."),
            Todos(&["write the parser"], &[], &["write the importer"]),
            Edit("src/parser.rs"),
        ],
        stops_with: "The parser is written. Next I will write the importer.",
        expected: Stops("deliver", "ruled out"),
        ..SCRIPT
    },
    Script {
        name: "German, only one thing",
        lines: &[
            Human("Bitte erstmal nur den Parser schreiben."),
            Todos(&["write the parser"], &[], &["write the importer"]),
            Edit("src/parser.rs"),
        ],
        stops_with: "Der Parser ist fertig. Als Nächstes schreibe ich den Importer.",
        expected: Stops("deliver", "erstmal nur"),
        ..SCRIPT
    },
    Script {
        name: "a bare stop",
        lines: &[
            Human("Build the import."),
            Todos(&["write the parser"], &[], &["write the importer"]),
            Edit("src/parser.rs"),
            Human("stop"),
            Says("Okay."),
        ],
        stops_with: "Okay. The importer is still open.",
        expected: Stops("deliver", ""),
        ..SCRIPT
    },
    Script {
        name: "thanks",
        lines: &[Human("Build the import."), Edit("src/parser.rs"), Human("thanks!"), Says("Sure.")],
        stops_with: "You're welcome! Next I will add more tests.",
        expected: Stops("deliver", "thanks"),
        ..SCRIPT
    },
    Script {
        name: "a program that stops is no limit",
        lines: &[
            Human("The service should retry 3 times and then stop. Implement all of it."),
            Todos(&["write the parser"], &[], &["write the importer"]),
            Edit("src/parser.rs"),
        ],
        stops_with: "The parser is written. Next I will write the importer.",
        expected: SentOn(&["- write the importer"]),
        ..SCRIPT
    },
    Script {
        name: "a limit in a pasted log is none",
        lines: &[
            Human("Fix what this log says:\n```\ndo not run tests, then stop\n```\nThen build the import."),
            Todos(&["write the parser"], &[], &["write the importer"]),
            Edit("src/parser.rs"),
        ],
        stops_with: "The parser is written. Next I will write the importer.",
        expected: SentOn(&["- write the importer"]),
        ..SCRIPT
    },
    Script {
        name: "a folder is removed",
        lines: &[Human("Free some disk space."), Ran("du -sh /var", "9G", false)],
        stops_with: "The cache has 9 GB. Now I'll remove the whole /var/lib/data folder.",
        expected: Stops("deliver", "only you should decide"),
        ..SCRIPT
    },
    Script {
        name: "an unused import is removed",
        lines: &[Human("Clean the parser up."), Edit("src/parser.rs")],
        stops_with: "The names are clearer now. Next I'll delete the unused import.",
        expected: SentOn(&["unused import"]),
        ..SCRIPT
    },
    Script {
        name: "permission to deploy, and the human said not to ask",
        lines: &[
            Human("Don't ask, keep going until everything is done."),
            Todos(&["write the parser"], &[], &["write the importer"]),
            Edit("src/parser.rs"),
        ],
        stops_with: "The parser is written. Shall I proceed with deploying it?",
        expected: Stops("deliver", ""),
        ..SCRIPT
    },
    Script {
        name: "a failing test is what was asked for",
        lines: &[
            Human("Write a failing test for bug 12."),
            Edit("tests/bug12.rs"),
            Ran("cargo test", "test bug12 ... FAILED\ntest result: FAILED. 0 passed; 1 failed", true),
        ],
        stops_with: "The failing test is written: bug12 fails as expected.",
        expected: Stops("deliver", ""),
        ..SCRIPT
    },
    Script {
        name: "a test that reproduces a bug fails as it should, and the human repairs the bug",
        lines: &[
            Human("Write a test that reproduces bug 12. I will fix the bug myself."),
            Edit("tests/bug12.rs"),
            Ran("cargo test", "test bug12 ... FAILED\ntest result: FAILED. 0 passed; 1 failed", true),
        ],
        stops_with: "tests/bug12.rs reproduces the bug and fails with '3 != 4', as it should.",
        expected: Stops("deliver", ""),
        ..SCRIPT
    },
    Script {
        name: "a question about a red test is answered",
        lines: &[
            Human("Why does test_week fail?"),
            Ran("pytest -q", "FAILED test_date.py::test_week\n1 failed, 11 passed", true),
        ],
        stops_with: "test_week fails because the week begins on Sunday in the fixture and on Monday in the code.",
        expected: Stops("deliver", ""),
        ..SCRIPT
    },
    Script {
        name: "a typo in the README needs no run",
        lines: &[Human("Fix the typo in README.md."), Edit("README.md")],
        stops_with: "Done.",
        expected: Stops("deliver", ""),
        ..SCRIPT
    },
    Script {
        name: "the build outside runs",
        lines: &[
            Human("Build the import."),
            Todos(&["write the parser"], &[], &["write the importer"]),
            Edit("src/parser.rs"),
        ],
        stops_with: "CI is running. I'll check back in ten minutes.",
        expected: Stops("deliver", "outside"),
        ..SCRIPT
    },
    Script {
        name: "tests that tested nothing",
        lines: &[
            Human("Fix the date bug and make sure that the tests pass."),
            Edit("src/date.rs"),
            Ran("pytest -q", "no tests ran in 0.01s", false),
        ],
        stops_with: "Done. All tests pass.",
        expected: SentOn(&["no test was run after you last changed src/date.rs"]),
        ..SCRIPT
    },
    Script {
        name: "a test script of the project",
        lines: &[
            Human("Fix the date bug."),
            Edit("src/date.rs"),
            Ran("./ci.sh", "5 passed, 0 failed", false),
        ],
        stops_with: "Done. All tests pass.",
        expected: Stops("deliver", "./ci.sh"),
        ..SCRIPT
    },
    Script {
        name: "tests before a file was removed",
        lines: &[
            Human("Fix the date bug and make sure that the tests pass."),
            Edit("src/date.rs"),
            Ran("cargo test", "test result: ok. 9 passed; 0 failed", false),
            Ran("rm src/zone.rs", "", false),
        ],
        stops_with: "Done. All tests pass.",
        expected: SentOn(&["src/zone.rs"]),
        ..SCRIPT
    },
    Script {
        name: "German coaching",
        lines: &[
            Human("Baue den Import um."),
            Todos(&["Kopfzeile"], &[], &["Spalten zuordnen"]),
            Edit("src/parser.rs"),
        ],
        stops_with: "Die Kopfzeile ist fertig. Als Nächstes ordne ich die Spalten zu.",
        expected: SentOn(&["Auf deiner Liste", "- Spalten zuordnen"]),
        ..SCRIPT
    },
    Script {
        name: "a limit of the first prompt holds for what the last one does not speak of",
        lines: &[
            Human("Only step 1, then stop."),
            Says("Step 1 is done."),
            Human("ok thanks, fix the typo too"),
            Todos(&["step 1", "typo"], &[], &["write the importer"]),
            Edit("src/parser.rs"),
        ],
        stops_with: "The typo is fixed. Next I will write the importer.",
        expected: Stops("deliver", "ruled out"),
        ..SCRIPT
    },
    Script {
        name: "a word of the human's while it works",
        lines: &[
            Human("Build the importer and the exporter."),
            Todos(&["importer"], &[], &["exporter"]),
            Meanwhile("prompt", "Stop after the importer, please."),
            Edit("src/import.rs"),
        ],
        stops_with: "The importer is written. Next I will write the exporter.",
        expected: Stops("deliver", "Stop after the importer"),
        ..SCRIPT
    },
    Script {
        name: "more to do, said while it works",
        lines: &[
            Human("Fix the date bug and make sure that the tests pass."),
            Edit("src/date.rs"),
            Meanwhile("prompt", "Also mention it in the changelog."),
            Edit("CHANGELOG.md"),
        ],
        stops_with: "Done. All tests pass.",
        expected: SentOn(&["no test was run after you last changed"]),
        ..SCRIPT
    },
    Script {
        name: "a notice of a program while it works",
        lines: &[
            Human("Build the importer and the exporter."),
            Todos(&["importer"], &[], &["exporter"]),
            Meanwhile("task-notification", "Stop after the importer, please."),
            Edit("src/import.rs"),
        ],
        stops_with: "The importer is written. Next I will write the exporter.",
        expected: SentOn(&["- exporter"]),
        ..SCRIPT
    },
    Script {
        name: "an element that is named in a prompt",
        lines: &[
            Human("Parse the `<channel>` element of the feed. Do only that, then stop."),
            Todos(&["channel"], &[], &["items"]),
            Edit("src/feed.rs"),
        ],
        stops_with: "The channel is parsed. Next I will parse the items.",
        expected: Stops("deliver", "then stop"),
        ..SCRIPT
    },
    Script {
        name: "a prompt that begins like a program's",
        lines: &[
            Human("Background task runner crashes at the start. Only fix the crash, then stop."),
            Todos(&["crash"], &[], &["retries"]),
            Edit("src/runner.rs"),
        ],
        stops_with: "The crash is fixed. Next I will add the retries.",
        expected: Stops("deliver", "then stop"),
        ..SCRIPT
    },
    Script {
        name: "a label in brackets at the beginning",
        lines: &[
            Human("[System tests] Only fix the flaky login test, then stop."),
            Todos(&["login"], &[], &["logout"]),
            Edit("tests/login.rs"),
        ],
        stops_with: "The login test is stable. Next I will rewrite the logout test.",
        expected: Stops("deliver", "then stop"),
        ..SCRIPT
    },
    Script {
        name: "diagnostics of a program after the human's limit",
        lines: &[
            Human("Write the parser, then stop."),
            Edit("src/parser.rs"),
            Machine("<new-diagnostics>src/parser.rs:3: unused import</new-diagnostics>"),
            Machine("Continue from where you left off."),
        ],
        stops_with: "The parser is written. Next I will write the importer.",
        expected: Stops("deliver", "then stop"),
        ..SCRIPT
    },
    Script {
        name: "a commit after the tests, with a message in several lines",
        lines: &[
            Human("Fix the date bug and commit it."),
            Edit("src/date.rs"),
            Ran("cd app\ncargo test", "test result: ok. 9 passed; 0 failed", false),
            Ran(
                "git commit -am \"$(cat <<'EOF'\nFix leap days\n\nCo-Authored-By: A <noreply@example.org>\nEOF\n)\"",
                "[main abc1234] Fix leap days",
                false,
            ),
        ],
        stops_with: "Committed as abc1234. All 9 tests pass.",
        expected: Stops("deliver", "cargo test"),
        ..SCRIPT
    },
    Script {
        name: "a test runner that was only installed",
        lines: &[
            Human("Fix the date bug and make sure that the tests pass."),
            Edit("src/date.ts"),
            Ran("npm install -D vitest", "added 12 packages", false),
        ],
        stops_with: "Done. All tests pass.",
        expected: SentOn(&["no test was run after you last changed src/date.ts"]),
        ..SCRIPT
    },
    Script {
        name: "tests in the background",
        lines: &[
            Human("Fix the date bug and make sure that the tests pass."),
            Edit("src/date.rs"),
            Background("cargo test"),
            Ended(
                "<status>completed</status>\n<exit_code>0</exit_code>\ntest result: ok. 9 passed; 0 failed",
            ),
        ],
        stops_with: "Done. All tests pass.",
        expected: Stops("deliver", "cargo test"),
        ..SCRIPT
    },
    Script {
        name: "tests by a subagent",
        lines: &[
            Human("Fix the date bug and make sure that the tests pass."),
            Edit("src/date.rs"),
            Used("Task", "I ran the whole suite: 9 passed, 0 failed."),
        ],
        stops_with: "Done. All tests pass.",
        expected: Stops("deliver", ""),
        ..SCRIPT
    },
    Script {
        name: "tests from before the human's last word, and nothing changed since",
        lines: &[
            Human("Fix the date bug."),
            Edit("src/date.rs"),
            Ran("cargo test", "test result: ok. 9 passed; 0 failed", false),
            Says("The date bug is fixed, 9 passed."),
            Human("Great, commit it please."),
            Ran("git commit -am 'Fix leap days'", "[main abc1234] Fix leap days", false),
        ],
        stops_with: "Committed as abc1234. All tests pass.",
        expected: Stops("deliver", ""),
        ..SCRIPT
    },
    Script {
        name: "tests from before the human's last word and the last change",
        lines: &[
            Human("Fix the date bug."),
            Ran("cargo test", "test result: ok. 9 passed; 0 failed", false),
            Edit("src/date.rs"),
            Says("The date bug is fixed."),
            Human("Great, commit it please."),
            Ran("git commit -am 'Fix leap days'", "[main abc1234] Fix leap days", false),
        ],
        stops_with: "Committed as abc1234. All tests pass.",
        expected: SentOn(&["All tests pass"]),
        ..SCRIPT
    },
    Script {
        name: "needless permission, and tests are red",
        lines: &[
            Human("Fix the failing tests in the payments module and keep going until everything is green."),
            Edit("src/money.ts"),
            Ran("npm test", "FAIL src/refund.test.ts\nTests: 3 failed, 41 passed, 44 total", true),
        ],
        stops_with: "I fixed the rounding. There are still 3 failing tests. Should I continue with those?",
        expected: SentOn(&["keep going", "FAIL src/refund.test.ts"]),
        ..SCRIPT
    },
    Script {
        name: "needless permission without a list",
        lines: &[
            Human("Port the three reports to the new engine. Don't ask me in between."),
            Edit("src/sales.sql"),
        ],
        stops_with: "The sales report is ported. Should I continue with the stock report?",
        expected: SentOn(&["Don't ask me in between", "the stock report"]),
        ..SCRIPT
    },
    Script {
        name: "eight of twenty, without a list",
        lines: &[
            Human("Remove the old feature flags in FLAGS.md. There are about 20. Do them all."),
            Edit("src/flags.py"),
        ],
        stops_with: "I've removed 8 of the 20 flags so far. Remaining are the ones in the search code. I'll continue \
                     with those next.",
        expected: SentOn(&["Remaining are the ones in the search code."]),
        ..SCRIPT
    },
    Script {
        name: "done, but a login failed on the way",
        lines: &[Human("Write the importer and upload the sample."), Edit("src/import.py")],
        stops_with: "All done, it should work now. (The API answered 401 unauthorized at the end.)",
        expected: SentOn(&["A login failed"]),
        ..SCRIPT
    },
    Script {
        name: "a test run that never was, in plain words",
        lines: &[Human("Add the form and make sure that the tests pass."), Edit("src/form.tsx")],
        stops_with: "I added the form. All tests pass.",
        expected: SentOn(&["no test was run after you last changed src/form.tsx"]),
        ..SCRIPT
    },
    Script {
        name: "a red test that is not its own, and it says so",
        lines: &[
            Human("Make the date picker work with the keyboard."),
            Edit("src/DatePicker.tsx"),
            Ran("npm test", "FAIL src/Map.test.tsx\nTests: 1 failed, 88 passed, 89 total", true),
        ],
        stops_with: "The date picker works with the keyboard now: arrow keys move between days, Enter selects. 88 tests \
                     pass; the one failure, `Map.test.tsx`, needs network access and fails on main as well.",
        expected: Stops("deliver", ""),
        ..SCRIPT
    },
];

impl Script {
    fn transcript(&self) -> String {
        let mut records = Vec::new();
        let record = |number: usize, role: &str, content: Value| {
            json!({
                "type": role, "uuid": format!("u{number}"), "sessionId": "s", "isSidechain": false,
                "message": {"role": role, "content": content},
            })
        };
        for (number, line) in self.lines.iter().enumerate() {
            let id = format!("call-{number}");
            let mut call = |name: &str, input: Value, said: &str, is_error: bool| {
                let used = json!([{"type": "tool_use", "id": id, "name": name, "input": input}]);
                let result = json!([{"type": "tool_result", "tool_use_id": id, "content": said, "is_error": is_error}]);
                records.push(record(10 * number, "assistant", used));
                records.push(record(10 * number + 1, "user", result));
            };
            match line {
                Meanwhile(mode, said) => records.push(json!({
                    "type": "attachment", "uuid": format!("u{number}"), "isSidechain": false,
                    "attachment": {"type": "queued_command", "commandMode": mode, "prompt": said},
                })),
                Human(said) | Machine(said) => records.push(record(10 * number, "user", json!(said))),
                Edit(file) => call("Edit", json!({"file_path": file}), "ok", false),
                Ran(command, output, failed) => call("Bash", json!({"command": command}), output, *failed),
                Refused(command) => {
                    let no =
                        "The user doesn't want to proceed with this tool use. The tool use was rejected.";
                    call("Bash", json!({"command": command}), no, true);
                }
                Background(command) => {
                    let input = json!({"command": command, "run_in_background": true});
                    call("Bash", input, "Command running in background with ID: b7", false);
                }
                Ended(said) => call("BashOutput", json!({"bash_id": "b7"}), said, false),
                Used(name, said) => call(name, json!({}), said, false),
                Todos(done, begun, open) => {
                    let of = |items: &[&str], status: &str| -> Vec<Value> {
                        items
                            .iter()
                            .map(|item| json!({"content": item, "status": status, "activeForm": item}))
                            .collect()
                    };
                    let todos =
                        [of(done, "completed"), of(begun, "in_progress"), of(open, "pending")].concat();
                    call("TodoWrite", json!({"todos": todos}), "ok", false);
                }
                Plan(plan) => {
                    call("ExitPlanMode", json!({"plan": plan}), "User has approved your plan.", false)
                }
                Says(said) => {
                    records.push(record(10 * number, "assistant", json!([{"type": "text", "text": said}])))
                }
            }
        }
        records.push(record(9_999, "assistant", json!([{"type": "text", "text": self.stops_with}])));
        records.push(json!({"type": "a-kind-of-tomorrow", "deep": {"odd": [1, null]}}));
        records.iter().map(|record| format!("{record}\n")).collect::<String>() + "not a record\n"
    }

    fn payload(&self, folder: &Folder) -> Value {
        let mut payload = CLAUDE.payload(CLAUDE.stop, "one");
        payload["last_assistant_message"] = json!(self.stops_with);
        payload["transcript_path"] = json!(folder.write("transcript.jsonl", self.transcript()));
        for (name, value) in (self.also)().as_object().into_iter().flatten() {
            payload[name] = value.clone();
        }
        payload
    }

    fn check(&self) {
        let folder = Folder::new();
        let message =
            CLAUDE.message(&well(CLAUDE.hook(&folder, self.payload(&folder).to_string().as_bytes())));
        let lines = journal(&folder);
        let last = lines.last().unwrap_or(&Value::Null);
        match &self.expected {
            SentOn(named) => {
                let Some(message) = message else { panic!("{}: it was not sent on: {last}", self.name) };
                assert!(message.starts_with("[System Coach] "), "{}: {message}", self.name);
                for words in *named {
                    assert!(message.contains(words), "{}: {words:?} is not in {message:?}", self.name);
                }
            }
            Stops(decision, reason) => {
                assert_eq!(message, None, "{}: it was sent on", self.name);
                assert_eq!(text(last, "/decision"), *decision, "{}: {last}", self.name);
                assert!(text(last, "/reason").contains(reason), "{}: {last}", self.name);
            }
        }
    }
}

#[test]
fn everyday_sessions_go_as_their_humans_want() {
    assert!(SCRIPTS.len() >= 20);
    let failed: Vec<&str> = SCRIPTS
        .iter()
        .filter(|script| std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| script.check())).is_err())
        .map(|script| script.name)
        .collect();
    assert_eq!(failed, Vec::<&str>::new());
}

/// The docs say how the alternatives treat these sessions: a loop sends every agent on, and a hook that runs the
/// tests only those whose tests are red.
#[test]
fn the_docs_compare_these_sessions_with_a_loop_and_a_test_hook() {
    let (all, mut open, mut red, mut red_against) = (SCRIPTS.len(), 0, 0, 0);
    for script in SCRIPTS {
        let last_run = script.lines.iter().rev().find_map(|line| match line {
            Ran(_, _, failed) => Some(*failed),
            _ => None,
        });
        let is_open = matches!(script.expected, SentOn(_));
        open += usize::from(is_open);
        red += usize::from(is_open && last_run == Some(true));
        red_against += usize::from(!is_open && last_run == Some(true));
    }
    let docs = include_str!("../../../../docs/agent.md");
    let docs = docs.split_whitespace().collect::<Vec<_>>().join(" ");
    for told in [
        format!("{open} of the {all} sessions should go on"),
        format!("{} against the human", all - open),
        format!("{red} of the {open}, and {red_against} against the human"),
    ] {
        assert!(docs.contains(&told), "{told}");
    }
}

/// Prompts by programs are no human's, neither in the hook's payload nor in the transcript, and passing time
/// changes nothing.
#[test]
fn only_a_human_resets_the_bounds() {
    let folder = Folder::new();
    let script =
        Script { lines: &[Human("Write the whole importer."), Edit("src/a.rs"), Says("On it.")], ..SCRIPT };
    let stop = |said: &str| {
        let mut payload = script.payload(&folder);
        payload["last_assistant_message"] = json!(said);
        CLAUDE.message(&CLAUDE.call(&folder, &payload)).is_some()
    };
    let steps = ["parser", "mapper", "reporter", "tester", "writer", "reader"];
    let mut sent_on = 0;
    for step in steps {
        sent_on += usize::from(stop(&format!("Next I will write the {step}.")));
        for prompt in [
            "<task-notification><task-id>b7</task-id><status>completed</status></task-notification>",
            "<system-reminder>Remember the style guide.</system-reminder>",
            "Stop hook feedback:\nGo on.",
            "",
            " \n",
            "<channel source=\"builds\">The build is green.</channel>",
            "<scheduled-task name=\"hourly\">Look at the queue.</scheduled-task>",
        ] {
            CLAUDE.prompted(&folder, "one", prompt);
        }
    }
    assert_eq!(sent_on, 3, "{:#?}", journal(&folder));
    CLAUDE.prompted(&folder, "one", "Go on with the reader.");
    assert!(stop("Next I will write the reader."));
}

/// A limit that the human set in the middle of a session still holds after the next prompts.
#[test]
fn a_limit_of_any_prompt_stays() {
    let stop = |prompts: &[&str], said: &str| {
        let folder = Folder::new();
        prompts.iter().for_each(|prompt| CLAUDE.prompted(&folder, "one", prompt));
        CLAUDE.stops(&folder, "one", said)
    };
    let tests = "The importer is written. Next I will run the tests.";
    let format = "CSV. Do not run the tests.";
    assert_eq!(stop(&["Build the importer.", format, "ok, continue"], tests), None);
    assert_eq!(stop(&["Build the importer.", format, "ok, continue", "go on", "go on"], tests), None);
    assert!(stop(&["Build the importer.", "CSV.", "ok, continue"], tests).is_some());
    let exporter = "The parser is written. Next I will write the exporter.";
    let only = "Only the parser, then stop.";
    assert_eq!(stop(&["Build the import.", only, "Fix the typo too."], exporter), None);
    let then = ["Build the import.", only, "Go on with all of it.", "Write the exporter."];
    assert!(stop(&then, exporter).is_some(), "the human has lifted it");
    let over = ["Build the import.", "stop", "Write the exporter."];
    assert!(stop(&over, exporter).is_some(), "a mere stop is over with the next task");
}

/// Repeated words are no loop while items are ticked off.
#[test]
fn progress_is_no_repetition() {
    const ALL: [&str; 4] = ["parser", "mapper", "reporter", "writer"];
    let folder = Folder::new();
    let stop = |done: usize| {
        let item = |(at, item): (usize, &&str)| json!({"content": item, "status": if at < done { "completed" } else { "pending" }});
        let todos: Vec<Value> = ALL.iter().enumerate().map(item).collect();
        let used = json!([{"type": "tool_use", "id": "c", "name": "TodoWrite", "input": {"todos": todos}}]);
        let records = [
            json!({"type": "user", "uuid": "u1", "message": {"role": "user", "content": "Do all tasks of the list."}}),
            json!({"type": "assistant", "uuid": "u2", "message": {"role": "assistant", "content": used}}),
        ];
        let text: String = records.iter().map(|record| format!("{record}\n")).collect();
        let mut payload = CLAUDE.payload(CLAUDE.stop, "one");
        payload["last_assistant_message"] = json!("One more task is done. I'll continue with the rest.");
        payload["transcript_path"] = json!(folder.write("t.jsonl", text));
        CLAUDE.message(&CLAUDE.call(&folder, &payload)).is_some()
    };
    assert_eq!([1, 2, 3].map(stop), [true; 3], "{:#?}", journal(&folder));
    let summary = folder.run(&["agent", "log", "one", "--json"]).json();
    assert_eq!(crate::common::number(&summary, "/sessions/0/turns_saved"), 2, "{summary}");
    assert!(!stop(3), "three times in a row is enough");
    let folder = Folder::new();
    let stop = |said: &str| CLAUDE.stops(&folder, "one", said).is_some();
    let said = "Next I will write the importer.";
    assert_eq!([stop(said), stop(said), stop(said)], [true, true, false], "where nothing is seen to happen");
}

#[test]
fn the_human_is_told_which_bound_was_reached() {
    let folder = Folder::new();
    let mut answer = String::new();
    for step in ["parser", "mapper", "reporter", "tester"] {
        let mut payload = CLAUDE.payload(CLAUDE.stop, "one");
        payload["last_assistant_message"] = json!(format!("Next I will write the {step}."));
        answer = CLAUDE.call(&folder, &payload);
    }
    let answer: Value = serde_json::from_str(&answer).expect("the human is told");
    assert!(text(&answer, "/systemMessage").contains("told to go on 3 times"), "{answer}");
}

/// A typed command sets the phase, which stays and is shown.
#[test]
fn the_phase_follows_the_humans_command() {
    let folder = Folder::new();
    CLAUDE.prompted(
        &folder,
        "one",
        "<command-name>/do-build</command-name><command-args>the importer</command-args>",
    );
    let message = CLAUDE.stops(&folder, "one", "Next I will write the importer.").expect("it is sent on");
    assert!(message.contains("pull request"), "{message}");
    let sessions = folder.run(&["agent", "sessions", "--json"]).json();
    assert_eq!(text(&sessions, "/sessions/0/phase"), "build", "{sessions}");
}
