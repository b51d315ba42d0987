//! Decides whether a model's coaching may be passed on to an agent.

use super::human::{language_of, sentences};
use super::limits::stem;
use super::open::{Stand, is_telling_word};
use super::phrases::{is_unspaced, words_of};
use super::risks::is_risky;
use std::collections::HashSet;

/// Programs that coaching may name only if the human did.
const PROGRAMS: &[&str] = &[
    "cargo",
    "npm",
    "npx",
    "yarn",
    "pnpm",
    "pip",
    "pipx",
    "pytest",
    "jest",
    "vitest",
    "git",
    "curl",
    "wget",
    "docker",
    "kubectl",
    "terraform",
    "ssh",
    "scp",
    "rsync",
    "rm",
    "sudo",
    "bash",
    "zsh",
    "psql",
    "mysql",
    "sqlite3",
    "gradle",
    "mvn",
    "brew",
    "apt",
    "systemctl",
    "chmod",
    "chown",
    "powershell",
    "tsc",
    "eslint",
    "ruff",
    "mypy",
    "clippy",
    "helm",
    "aws",
    "gcloud",
    "az",
    "heroku",
    "vercel",
    "gh",
];
/// Programs whose names are also ordinary words. They count only after a verb such as "run".
const WORDY: &[&str] =
    &["make", "go", "node", "python", "python3", "just", "deno", "bun", "ruby", "perl", "php", "sh", "tox"];
const RUNNING: &[&str] = &[
    "run", "execute", "using", "call", "invoke", "start", "führe", "fuhre", "starte", "lance", "exécute",
    "ejecuta", "rode",
];
/// Stems of work that coaching may ask for only where it has already come up.
const EXTRAS: &[&str] = &["test", "commit", "benchmark", "migrat", "script"];

/// Whether coaching is about what was asked for, in the conversation's language, and free of links, of risks, and
/// of commands and steps that no human named.
pub(super) fn is_fit(coaching: &str, stand: &Stand<'_>) -> bool {
    let plan = stand.plan().and_then(|plan| plan.text).unwrap_or_default();
    let check = stand.said.check.as_ref().map(|check| check.command.as_str());
    let named = [stand.prompt, stand.task, Some(plan.as_str()), check];
    let is_named = |span: &str| named.iter().flatten().any(|text| text.contains(span));
    let spans = coaching.split('`').skip(1).step_by(2).map(str::trim).filter(|span| span.contains(' '));
    let has_link = ["http://", "https://", "www."].iter().any(|link| coaching.contains(link));
    let human: Vec<String> = named.iter().flatten().flat_map(|text| words_of(text)).collect();
    !has_link
        && is_about_this(coaching, &named, stand)
        && !is_foreign(coaching, stand)
        && spans.into_iter().all(is_named)
        && !coaching.lines().any(|line| line.trim_start().starts_with("$ "))
        && !names_program(coaching, &human)
        && !wants_more(coaching, &human, stand)
        && !sentences(coaching).iter().any(|sentence| is_risky(sentence, stand.phrases))
        && stand.limits().forbids(coaching, stand.phrases).is_none()
}

/// Whether the coaching shares a word with its subject: the conversation, the plan, or the work. "Continue." does
/// not.
fn is_about_this(coaching: &str, named: &[Option<&str>], stand: &Stand<'_>) -> bool {
    let work = stand.said.work.as_ref();
    let todos = work.into_iter().flat_map(|work| work.todos.iter().map(|todo| todo.text.as_str()));
    let files = work.into_iter().flat_map(|work| work.changed.iter().map(String::as_str));
    let runs = work.into_iter().flat_map(|work| &work.runs);
    let runs = runs.flat_map(|run| [run.command.as_str(), run.output.as_str()]);
    let check = stand.said.check.iter().map(|check| check.lines.as_str());
    let texts = named.iter().flatten().copied().chain([stand.said.text.as_str()]);
    let known: HashSet<String> =
        texts.chain(todos).chain(files).chain(runs).chain(check).flat_map(telling).collect();
    telling(coaching).iter().any(|word| known.contains(word))
}

/// Returns the words of a text that say what it is about, cut to their stems; for a script without spaces, its
/// pairs of letters.
fn telling(text: &str) -> Vec<String> {
    let words = words_of(text).into_iter().filter(|word| is_telling_word(word)).map(|word| stem(&word));
    let letters: Vec<char> = text.chars().collect();
    let pairs = letters.windows(2).filter(|pair| pair.iter().all(|c| is_unspaced(*c)));
    words.chain(pairs.map(|pair| pair.iter().collect())).collect()
}

fn is_foreign(coaching: &str, stand: &Stand<'_>) -> bool {
    let spoken = language_of(stand.prompt, &stand.said.text);
    matches!((language_of(Some(coaching), ""), spoken), (Some(own), Some(theirs)) if own != theirs)
}

/// Whether the coaching names a program that the human did not name: "Run cargo test", "use curl".
fn names_program(coaching: &str, human: &[String]) -> bool {
    let words = words_of(coaching);
    (0..words.len()).any(|at| {
        let word = words[at].as_str();
        let is_run = at > 0 && RUNNING.contains(&words[at - 1].as_str());
        let is_program = PROGRAMS.contains(&word) || (is_run && WORDY.contains(&word));
        is_program && !human.iter().any(|known| known == word)
    })
}

/// Whether the coaching wants tests, commits or the like that neither the human nor the agent speaks of.
fn wants_more(coaching: &str, human: &[String], stand: &Stand<'_>) -> bool {
    let work = stand.said.work.as_ref();
    let todos = work.into_iter().flat_map(|work| work.open_todos().flat_map(|todo| words_of(&todo.text)));
    let known: Vec<String> =
        words_of(&stand.said.text).into_iter().chain(todos).chain(human.iter().cloned()).collect();
    let asks = words_of(coaching);
    EXTRAS.iter().any(|extra| {
        let has = |words: &[String]| words.iter().any(|word| word.starts_with(extra));
        has(&asks) && !has(&known)
    })
}
