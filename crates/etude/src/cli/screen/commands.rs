//! What is a command and no answer: one set for every conversation in the terminal, in each of its languages.

/// Something that the learner wants of the program itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Command {
    /// As the Enter key by itself.
    GoOn,
    Again,
    Skip,
    /// The last answer was right, whatever its mark.
    Mine,
    Why,
    /// Ends a session for good.
    Leave,
    Help,
    Quit,
}

/// The words of each command; the last ones are understood after a colon only, for they are short or likely answers.
const NAMES: &[(Command, &[&str], &[&str])] = &[
    (Command::GoOn, &["weiter"], &[]),
    (Command::Again, &["again", "nochmal"], &["word"]),
    (Command::Skip, &["skip"], &[]),
    (Command::Mine, &["mine", "doch"], &["right"]),
    (Command::Why, &["why", "warum"], &[]),
    (Command::Leave, &[], &["leave"]),
    (Command::Help, &["help", "hilfe"], &["h"]),
    (Command::Quit, &["quit", "exit", "ende"], &["q"]),
];

impl Command {
    /// A line that is nothing but the name of a command, with or without a colon before it.
    pub(crate) fn read(line: &str) -> Option<Command> {
        let line = line.trim().to_lowercase();
        let (name, has_colon) = line.strip_prefix(':').map_or((line.as_str(), false), |name| (name, true));
        let is_named = |(_, bare, after_colon): &&(Command, &[&str], &[&str])| {
            bare.contains(&name) || (has_colon && after_colon.contains(&name))
        };
        NAMES.iter().find(is_named).map(|(command, ..)| *command)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_stands_alone_on_its_line() {
        let check = |line: &str, expected| assert_eq!(Command::read(line), expected, "{line}");
        check("quit", Some(Command::Quit));
        check(" Quit ", Some(Command::Quit));
        check(":q", Some(Command::Quit));
        check("q", None);
        check("ende", Some(Command::Quit));
        check("hilfe", Some(Command::Help));
        check(":hilfe", Some(Command::Help));
        check("weiter", Some(Command::GoOn));
        check(":word", Some(Command::Again));
        check("word", None);
        check("right", None);
        check(":right", Some(Command::Mine));
        check("skip it", None);
        check("", None);
    }
}
