//! Builds the commands that start an agent and send it on.
//!
//! A user's template is split into words before it is filled in, and no shell is involved, so every message
//! stays a single argument.

use crate::cli::agent::contract::Agent;
use shell::agent::split;
use std::path::Path;

/// Guesses the agent that a command starts from the name of its program.
pub(super) fn agent_of(command: &[String]) -> Agent {
    let program = command.first().map(Path::new).and_then(Path::file_stem);
    match program.and_then(|name| name.to_str()).unwrap_or_default() {
        "claude" => Agent::ClaudeCode,
        "codex" => Agent::Codex,
        "gemini" => Agent::Gemini,
        "cursor-agent" | "cursor" => Agent::Cursor,
        "copilot" => Agent::Copilot,
        "opencode" => Agent::Opencode,
        _ => Agent::Generic,
    }
}

/// Checks a user's template. Refuses one without a place for the message.
pub(super) fn check_template(template: &str) -> Result<(), String> {
    let words = split(template)?;
    if words.is_empty() || !words.iter().any(|word| word.contains("{message}")) {
        return Err("write {message} where the message to the agent goes".to_owned());
    }
    Ok(())
}

/// Returns the first command, and the session id in it if Etude chose one. Claude Code does not print its id in
/// plain text, so it gets one here unless the command names its own.
pub(super) fn first(agent: Agent, command: &[String], id: &str) -> (Vec<String>, Option<String>) {
    let own = ["--session-id", "--resume", "-r", "--continue", "-c", "--no-session-persistence"];
    let has_own = command.iter().any(|word| own.contains(&word.split('=').next().unwrap_or_default()));
    if agent != Agent::ClaudeCode || has_own {
        return (command.to_owned(), None);
    }
    let mut named = command.to_owned();
    named.splice(1..1, ["--session-id".to_owned(), id.to_owned()]);
    (named, Some(id.to_owned()))
}

/// Returns the command that sends the agent on. Refuses if the agent's session or the way to resume it is unknown.
pub(super) fn resumed(
    agent: Agent,
    command: &[String],
    template: Option<&str>,
    session: Option<&str>,
    message: &str,
) -> Result<Vec<String>, String> {
    if let Some(template) = template {
        let words = split(template)?;
        if session.is_none() && words.iter().any(|word| word.contains("{session}")) {
            return Err(
                "its session is not known, and --resume-with asks for {session}: let the agent print JSON \
                        events, or leave {session} out"
                    .to_owned(),
            );
        }
        let session = session.unwrap_or_default();
        // A message may contain `{session}`. Messages are filled in last, so it stays as it is.
        let fill = |word: String| word.replace("{session}", session).replace("{message}", message);
        return Ok(words.into_iter().map(fill).collect());
    }
    let unknown = || {
        "which session to resume is not known: let the agent print JSON events, or give --resume-with"
            .to_owned()
    };
    if agent == Agent::Generic {
        return Err(
            "how to send this agent on is not known: give --resume-with 'COMMAND {message}'".to_owned()
        );
    }
    Ok(built_in(agent, command, session.ok_or_else(unknown)?, message))
}

/// Returns the original command with the session added and the message in place of the prompt.
fn built_in(agent: Agent, command: &[String], session: &str, message: &str) -> Vec<String> {
    let owned = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>();
    let mut kept = without_session(command);
    let program = kept.remove(0);
    let prompt = prompt_at(agent, &kept);
    if let Some(at) = prompt {
        kept.remove(at);
    }
    let flags = match agent {
        Agent::Gemini | Agent::Copilot => {
            kept.retain(|word| word != "-p" && word != "--prompt" && !word.starts_with("--prompt="));
            [kept, owned(&["--resume", session, "-p", message])].concat()
        }
        Agent::Codex => [kept, owned(&["resume", session, message])].concat(),
        Agent::Opencode => [kept, owned(&["--session", session, message])].concat(),
        _ => [owned(&["--resume", session]), kept, owned(&[message])].concat(),
    };
    [vec![program], flags].concat()
}

/// Removes the session flags of the first call, with their values.
fn without_session(command: &[String]) -> Vec<String> {
    let mut words = command.iter();
    let mut kept = Vec::new();
    while let Some(word) = words.next() {
        match word.as_str() {
            "--session-id" | "--resume" | "--session" => drop(words.next()),
            "--continue" => {}
            word if ["--session-id=", "--resume=", "--session="]
                .iter()
                .any(|flag| word.starts_with(flag)) => {}
            _ => kept.push(word.clone()),
        }
    }
    kept
}

/// Removes the prompt from a command and returns it.
pub(super) fn take_prompt(agent: Agent, command: &mut Vec<String>) -> Option<String> {
    let at = prompt_at(agent, command.get(1..)?)? + 1;
    (command[at] != "stream-json").then(|| command.remove(at))
}

/// Returns the human's words in the agent's command line, if they can be recognised.
pub(super) fn prompt_of(agent: Agent, command: &[String]) -> Option<String> {
    let words = command.get(1..)?;
    if let Some(told) = words.iter().find_map(|word| word.strip_prefix("--prompt=")) {
        return Some(told.to_owned());
    }
    let at = prompt_at(agent, words).filter(|_| agent != Agent::Generic).or_else(|| spoken_at(words))?;
    // OpenCode takes its prompt as any number of words.
    let is_spread = agent == Agent::Opencode && !words[at].contains(char::is_whitespace);
    let first =
        if is_spread { words[..at].iter().rposition(|word| is_flag(word) || word == "run") } else { None };
    let told = words[first.map_or(at, |before| before + 1)..=at].join(" ");
    Some(told).filter(|told| told != "-" && told != "stream-json")
}

fn is_flag(word: &str) -> bool {
    word.starts_with('-')
}

/// Flags whose value has several words but is not the prompt.
const WORDY: &[&str] = &[
    "--system-prompt",
    "--append-system-prompt",
    "--allowedTools",
    "--allowed-tools",
    "--disallowedTools",
    "--disallowed-tools",
    "--agents",
    "--settings",
    "--mcp-config",
    "--json-schema",
];
/// Flags without a value that often stand before the prompt.
const LONE: &[&str] =
    &["-p", "--print", "--json", "--full-auto", "--yolo", "--verbose", "-f", "--force", "--allow-all-tools"];

/// Finds the only argument that has several words.
fn spoken_at(words: &[String]) -> Option<usize> {
    let is_spoken = |at: &usize| {
        let follows = at.checked_sub(1).map_or("", |before| words[before].as_str());
        words[*at].trim().contains(char::is_whitespace) && !is_flag(&words[*at]) && !WORDY.contains(&follows)
    };
    let mut spoken = (0..words.len()).filter(is_spoken);
    spoken.next().filter(|_| spoken.next().is_none())
}

/// Finds the prompt: the word after a prompt flag, else the last word if it belongs to no flag, else the only
/// argument that has several words.
fn prompt_at(agent: Agent, words: &[String]) -> Option<usize> {
    let flags: &[&str] = match agent {
        Agent::Gemini => &["-p", "--prompt", "-i", "--prompt-interactive"],
        Agent::Copilot | Agent::ClaudeCode => &["-p", "--prompt", "--print"],
        _ => &[],
    };
    let after = words.iter().position(|word| flags.contains(&word.as_str())).map(|at| at + 1);
    if let Some(at) = after.filter(|at| words.get(*at).is_some_and(|word| !is_flag(word))) {
        return Some(at);
    }
    let last = words.len().checked_sub(1)?;
    let is_command = ["exec", "run", "e"].contains(&words[last].as_str());
    let follows = last.checked_sub(1).map_or("", |before| words[before].as_str());
    let is_value = is_flag(follows) && !LONE.contains(&follows) && !follows.contains('=');
    let is_valued = is_value && (WORDY.contains(&follows) || !words[last].contains(' '));
    Some(last).filter(|_| !is_flag(&words[last]) && !is_command && !is_valued).or_else(|| spoken_at(words))
}

/// Whether the command line asks the agent for a plan only.
pub(super) fn is_planning(command: &[String]) -> bool {
    let is_plan = |pair: &[String]| pair[0] == "--permission-mode" && pair[1] == "plan";
    command.windows(2).any(is_plan) || command.iter().any(|word| word == "--permission-mode=plan")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<String> {
        split(text).unwrap()
    }

    #[test]
    fn known_agents_are_resumed_with_their_own_flags() {
        let check = |command: &str, expected: &str| {
            let command = words(command);
            let resumed = resumed(agent_of(&command), &command, None, Some("S"), "go on").unwrap();
            assert_eq!(resumed, words(expected), "{command:?}");
        };
        check("claude -p 'fix it'", "claude --resume S -p 'go on'");
        check("claude -p", "claude --resume S -p 'go on'");
        check(
            "/usr/bin/claude --session-id X -p 'fix it' --output-format stream-json --verbose",
            "/usr/bin/claude --resume S -p --output-format stream-json --verbose 'go on'",
        );
        check("claude -p --model opus 'fix it'", "claude --resume S -p --model opus 'go on'");
        check(
            "claude --output-format json -p --max-turns 5",
            "claude --resume S --output-format json -p --max-turns 5 'go on'",
        );
        check("codex exec --json --full-auto 'fix it'", "codex exec --json --full-auto resume S 'go on'");
        check("codex exec", "codex exec resume S 'go on'");
        check(
            "gemini -p 'fix it' --output-format stream-json",
            "gemini --output-format stream-json --resume S -p 'go on'",
        );
        check("copilot -p 'fix it' --allow-all-tools", "copilot --allow-all-tools --resume S -p 'go on'");
        check("opencode run --format json 'fix it'", "opencode run --format json --session S 'go on'");
        check("cursor-agent -p --force 'fix it'", "cursor-agent --resume S -p --force 'go on'");
        check("claude 'fix it' -p", "claude --resume S -p 'go on'");
        check("gemini '--prompt=fix it'", "gemini --resume S -p 'go on'");
    }

    #[test]
    fn the_prompt_is_found_in_the_command() {
        let check = |command: &str, expected: Option<&str>| {
            let command = words(command);
            assert_eq!(prompt_of(agent_of(&command), &command).as_deref(), expected, "{command:?}");
        };
        let told = Some("Only step 1, then stop.");
        check("claude -p 'Only step 1, then stop.'", told);
        check("claude -p 'Only step 1, then stop.' --output-format stream-json --verbose", told);
        check("claude --print --model opus 'Only step 1, then stop.'", told);
        check("claude 'Only step 1, then stop.' -p", told);
        check("claude 'Only step 1, then stop.' -p --append-system-prompt 'Be very brief.'", told);
        check("claude -p --append-system-prompt 'Be very brief.'", None);
        check("claude -p --input-format stream-json", None);
        check("codex exec --json 'Only step 1, then stop.'", told);
        check("codex exec 'Only step 1, then stop.' --json -m best", told);
        check("codex exec -", None);
        check("gemini --prompt='Only step 1, then stop.' --yolo", told);
        check("gemini -p 'Only step 1, then stop.'", told);
        check("gemini --yolo 'Only step 1, then stop.'", told);
        check("copilot -p 'Only step 1, then stop.' --allow-all-tools", told);
        check("cursor-agent -p --force 'Only step 1, then stop.'", told);
        check("opencode run --format json 'Only step 1, then stop.'", told);
        check("opencode run Only step 1, then stop.", told);
        check("my-agent start --task 'Only step 1, then stop.'", told);
        check("npx my-agent start", None);
    }

    #[test]
    fn a_template_is_filled_in_word_by_word() {
        let command = words("my-agent start");
        let odd = "say \"hi\"; rm -rf / {session}";
        let filled =
            resumed(Agent::Generic, &command, Some("my-agent -s {session} 'm={message}'"), Some("S"), odd);
        assert_eq!(filled.unwrap(), ["my-agent", "-s", "S", &format!("m={odd}")]);
        assert!(
            resumed(Agent::Generic, &command, None, Some("S"), "m").unwrap_err().contains("--resume-with")
        );
        assert!(resumed(Agent::Generic, &command, Some("a {session} {message}"), None, "m").is_err());
        assert!(resumed(Agent::ClaudeCode, &words("claude -p x"), None, None, "m").is_err());
        assert!(check_template("a {message}").is_ok());
        assert!(
            check_template("a b").is_err()
                && check_template("").is_err()
                && check_template("a '{message}").is_err()
        );
    }

    #[test]
    fn claude_code_is_given_a_session_unless_it_has_one() {
        let check = |command: &str, expected: &str, id: Option<&str>| {
            let command = words(command);
            assert_eq!(first(agent_of(&command), &command, "ID"), (words(expected), id.map(str::to_owned)));
        };
        check("claude -p x", "claude --session-id ID -p x", Some("ID"));
        check("claude --resume S -p x", "claude --resume S -p x", None);
        check("claude --session-id=S -p x", "claude --session-id=S -p x", None);
        check("codex exec x", "codex exec x", None);
    }
}
