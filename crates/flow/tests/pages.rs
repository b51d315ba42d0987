//! Tests that the documentation is true: every law on a page behaves as the page says.
//!
//! Laws are in fenced blocks: a ` ```yaml good ` block must check clean, and a ` ```yaml bad ` block must show the
//! code of its page and no other. Options may follow: `set=NAME=NUMBER`, `bound=NUMBER`, `code=CODE`. A ` ```text `
//! block on a problem's page is the output of the check for the bad law before it.

use flow::{Bounds, Code, Law, MAX_CHAIN, Migration, Overrides, Problem, check};

const LANGUAGE: &str = include_str!("../../../docs/law.md");

#[test]
fn every_codes_page_shows_and_cures_the_problem() {
    for code in Code::ALL {
        let page = code.page();
        let title = format!("# {code} — {}\n", code.title());
        assert!(page.starts_with(&title), "the page of {code} does not begin with {title:?}");
        let blocks = blocks(page);
        for kind in ["yaml bad", "text", "yaml good"] {
            let has_kind = blocks.iter().any(|block| block.info.starts_with(kind));
            assert!(has_kind, "the page of {code} has no ```{kind} block");
        }
        check_blocks(&format!("page of {code}"), &blocks, Some(*code));
    }
}

#[test]
fn the_laws_in_the_language_description_check_as_labelled() {
    let blocks = blocks(LANGUAGE);
    assert!(blocks.iter().filter(|block| block.info.starts_with("yaml good")).count() >= 2);
    check_blocks("docs/law.md", &blocks, None);
}

#[test]
fn the_documented_limits_of_a_step_are_true() {
    let row = format!("| states passed through in one step | {MAX_CHAIN} |");
    assert!(LANGUAGE.contains(&row), "docs/law.md has no row `{row}`");
    let sentence = format!("A step passes through at most {MAX_CHAIN}\nstates");
    assert!(LANGUAGE.contains(&sentence), "docs/law.md does not say `{sentence}`");
    let sentence = format!("A step passes through {MAX_CHAIN} states at most");
    assert!(Code::EndlessChain.page().contains(&sentence), "the page of F016 does not say `{sentence}`");
}

fn check_blocks(page: &str, blocks: &[Block<'_>], shown: Option<Code>) {
    let mut printed = String::new();
    for block in blocks {
        let place = format!("{page}, line {}", block.line);
        let mut words = block.info.split(' ');
        match (words.next(), words.next()) {
            (Some("yaml"), Some("good")) => {
                let problems = problems(block.text, words);
                assert!(problems.is_empty(), "{place}: not clean:\n{}", print(&problems, block.text));
            }
            (Some("yaml"), Some("bad")) => {
                let named = words.clone().find_map(|word| Code::parse(word.strip_prefix("code=")?));
                let wanted = named.or(shown).unwrap_or_else(|| panic!("{place}: which code?"));
                let problems = problems(block.text, words);
                let codes: Vec<Code> = problems.iter().map(|problem| problem.code).collect();
                assert_eq!(codes, [wanted], "{place}:\n{}", print(&problems, block.text));
                printed = print(&problems, block.text);
            }
            (Some("yaml"), Some("migration")) => {
                let read = Migration::read(block.text);
                assert!(read.is_ok(), "{place}: {}", print(&read.unwrap_err(), block.text));
            }
            (Some("text"), _) if shown.is_some() => {
                assert_eq!(block.text, printed, "{place}: the check prints now:\n{printed}");
            }
            (Some("text"), _) => {}
            _ => panic!("{place}: ```{} is no kind of block this test knows", block.info),
        }
    }
}

fn problems<'w>(law: &str, options: impl Iterator<Item = &'w str>) -> Vec<Problem> {
    let mut set = Overrides::new();
    let mut bounds = Bounds::default();
    for option in options {
        let (key, value) = option.split_once('=').unwrap_or((option, ""));
        match (key, value.split_once('=')) {
            ("set", Some((name, number))) => {
                set.insert(name.to_owned(), number.parse().expect("set=NAME=NUMBER"));
            }
            ("bound", None) => bounds.configurations = value.parse().expect("bound=NUMBER"),
            ("code", None) => {}
            _ => panic!("unknown option {option}"),
        }
    }
    let report = Law::read(law).and_then(|law| check(&law, None, &set, bounds));
    report.map_or_else(|problems| problems, |report| report.problems)
}

fn print(problems: &[Problem], law: &str) -> String {
    problems.iter().map(|problem| problem.render("law.yaml", law, false) + "\n").collect()
}

/// A fenced block: the text behind its opening fence, its content, and its line.
struct Block<'p> {
    info: &'p str,
    text: &'p str,
    line: usize,
}

fn blocks(page: &str) -> Vec<Block<'_>> {
    const FENCE: &str = "```";
    let mut blocks = Vec::new();
    let mut open: Option<(&str, usize, usize)> = None;
    let mut at = 0;
    for (index, line) in page.split_inclusive('\n').enumerate() {
        let next = at + line.len();
        if let Some(info) = line.strip_prefix(FENCE) {
            open = match open {
                None => Some((info.trim(), next, index + 1)),
                Some((info, start, line)) => {
                    blocks.push(Block { info, text: &page[start..at], line });
                    None
                }
            };
        }
        at = next;
    }
    assert!(open.is_none(), "a fenced block is never closed");
    blocks
}
