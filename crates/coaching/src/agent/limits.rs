//! The limits in a human's words. They stand above everything else.
//!
//! A prompt is read clause by clause. Told to the agent, "only", "first" and "for now" leave it one thing; "do not" and "leave"
//! rule one out; "stop" and "wait" end its turn. What the human says about themselves takes work over ("I'll do it") or comes
//! before the next step ("let me check"). What a clause says about a program is no limit.

use super::clauses::{Clause, Subject, own_words};
use super::human::{quote, sentences};
use super::phrases::{Means, Phrases, is_unspaced, words_of};

/// A prompt of more words than this has something to say beside "stop" or "thanks".
const MAX_CLOSING_WORDS: usize = 10;
const MAX_CLOSING_LETTERS: usize = 12;
/// How far from the beginning of a clause "only" may stand.
const REACH: usize = 3;

/// What a human's words leave the agent, and the coach, to do.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Limits {
    /// The sentence in which the human says that the agent is to stop.
    stop: Option<String>,
    /// The one thing that the agent is to do: the sentence, and the words that name it.
    only: Option<(String, Vec<String>)>,
    /// The sentence that wants nothing changed.
    no_changes: Option<String>,
    /// Nothing is to be run.
    pub no_runs: bool,
    /// The sentence that tells the agent not to ask.
    pub no_questions: Option<String>,
    /// Something is meant to fail for now.
    pub wants_failure: bool,
    bans: Vec<Ban>,
    /// A limit of an earlier prompt, and what the last one asks for beside it.
    earlier: Option<(String, Vec<String>)>,
}

/// One thing that is not to be done.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Ban {
    sentence: String,
    how: How,
    /// The words that name it, cut to their stems.
    things: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum How {
    /// Whatever is done with the thing, except looking at it.
    Any,
    /// What brings the thing in.
    Adding,
    /// This verb, with the thing if there is one.
    Verb(String),
}

impl Limits {
    pub(super) fn of(prompt: &str, phrases: &Phrases) -> Limits {
        let own = own_words(prompt);
        let clauses = Clause::all(&own, phrases);
        let mut limits = Limits {
            no_runs: phrases.says(Means::NoRuns, &own),
            no_questions: first(&own, Means::NoQuestions, phrases),
            wants_failure: wants_failure(&own),
            stop: first(&own, Means::Stop, phrases),
            ..Limits::default()
        };
        if limits.stop.is_none() && is_closing(&own, phrases) {
            limits.stop = Some(quote(&own));
        }
        for at in 0..clauses.len() {
            Reader { clauses: &clauses, at, phrases, limits: &mut limits }.read();
        }
        limits
    }

    /// With what an earlier prompt ruled out. Its limit holds for what this prompt does not speak of, unless this one says
    /// to go on.
    pub(super) fn with_bans_of(mut self, earlier: Limits, prompt: &str, phrases: &Phrases) -> Limits {
        self.no_runs |= earlier.no_runs;
        self.no_changes = self.no_changes.or(earlier.no_changes);
        self.no_questions = self.no_questions.or(earlier.no_questions);
        self.bans.extend(earlier.bans);
        let words = words_of(prompt);
        let lifts = ["all", "everything", "rest", "next", "now", "alles", "weiter", "rest", "tout", "todo"];
        let is_lifted =
            goes_ahead(&words, phrases) || words.iter().any(|word| lifts.contains(&word.as_str()));
        let limit = earlier.stop.or(earlier.only.map(|(sentence, _)| sentence));
        self.earlier = limit.filter(|_| !is_lifted).map(|sentence| (sentence, scope(&words, phrases)));
        self
    }

    /// The sentence by which the human keeps what comes next to themselves, whatever it is. The one thing that the agent is
    /// to do may be what it announces.
    pub(super) fn end(&self, steps: &[&str], phrases: &Phrases) -> Option<String> {
        if self.stop.is_some() {
            return self.stop.clone();
        }
        let (sentence, scope) = self.only.as_ref()?;
        let is_inside = |step: &&str| {
            let things = things_of_step(step, phrases);
            !things.is_empty() && things.iter().all(|thing| scope.contains(thing))
        };
        let is_it = steps.last().is_some_and(is_inside);
        (!is_it).then(|| sentence.clone())
    }

    /// The human's sentence that rules a step out.
    pub(super) fn forbids(&self, step: &str, phrases: &Phrases) -> Option<&str> {
        let words = words_of(step);
        let stems: Vec<String> = words.iter().map(|word| stem(word)).collect();
        let looks = phrases.has(Means::Looks, &words) && !phrases.has(Means::Changes, &words);
        if let Some(sentence) = self.no_changes.as_deref().filter(|_| !looks) {
            return Some(sentence);
        }
        let things = things_of_step(step, phrases);
        if let Some((sentence, scope)) = &self.earlier
            && !things.is_empty()
            && !things.iter().any(|thing| scope.contains(thing))
        {
            return Some(sentence);
        }
        let ban = self.bans.iter().find(|ban| ban.is_for(&words, &stems, looks));
        ban.map(|ban| ban.sentence.as_str()).or((self.no_runs && runs(step)).then_some(""))
    }
}

impl Ban {
    fn is_for(&self, words: &[String], stems: &[String], looks: bool) -> bool {
        let met = self.things.iter().filter(|thing| stems.contains(thing)).count();
        let is_named = met > 0 && met * 2 >= self.things.len();
        let leaves = ["skip", "ignore", "leave", "omit", "exclude", "postpone"];
        match &self.how {
            How::Any => is_named && !looks && !words.iter().any(|word| leaves.contains(&word.as_str())),
            How::Adding => is_named && stems.iter().any(|stem| ADDS.contains(&stem.as_str())),
            How::Verb(verb) => stems.contains(verb) && (is_named || self.things.is_empty()),
        }
    }
}

/// Stems of verbs that bring something in.
const ADDS: &[&str] = &[
    "add", "addin", "use", "using", "intro", "insta", "creat", "impor", "write", "writi", "pull", "nutze",
    "verwe", "fuge",
];

fn first(own: &str, means: Means, phrases: &Phrases) -> Option<String> {
    sentences(own).into_iter().find(|sentence| phrases.says(means, sentence)).map(quote)
}

/// "Write a failing test": red is what the human wants.
fn wants_failure(own: &str) -> bool {
    let words = words_of(own);
    let pairs = ["failing test", "failing tests", "fehlschlagenden test", "fehlschlagender test", "red test"];
    let fails = words.windows(2).any(|two| pairs.contains(&two.join(" ").as_str()));
    let shows = words.windows(3).any(|three| {
        matches!(three.join(" ").as_str(), "test that fails" | "tests that fail" | "der noch fehlschlagt")
    });
    let repairs = ["fix", "pass", "passes", "green", "behebe", "repariere", "grun"];
    let writes = ["write", "add", "create", "schreib", "schreibe", "erstelle"];
    let has = |known: &[&str]| words.iter().any(|word| known.contains(&word.as_str()));
    (fails || shows) && has(&writes) && !has(&repairs)
}

/// Nothing but "thanks", "stop" or "that's it": there is no task in it, and no leave to go on.
fn is_closing(own: &str, phrases: &Phrases) -> bool {
    let words = words_of(own);
    let unspaced = own.chars().filter(|c| is_unspaced(*c)).count();
    if unspaced > 0 {
        let is_short = own.chars().filter(|c| c.is_alphanumeric()).count() <= MAX_CLOSING_LETTERS;
        return is_short
            && phrases.has_letters(Means::ClosedLetters, own)
            && !phrases.has_letters(Means::GoAhead, own);
    }
    let all = |means: Means| {
        let mut at = 0;
        while at < words.len() {
            let length = phrases.at(means, &words, at);
            if length == 0 {
                return false;
            }
            at += length;
        }
        true
    };
    let is_short = !words.is_empty() && words.len() <= MAX_CLOSING_WORDS && !own.contains(['?', '？']);
    is_short && all(Means::Closers) && !goes_ahead(&words, phrases) && !all(Means::GoAhead)
}

/// Whether the human says to go on. "Ok" alone does; beside other words it says nothing.
fn goes_ahead(words: &[String], phrases: &Phrases) -> bool {
    const WEAK: &[&str] = &["ok", "okay", "si", "mach", "next", "go", "sure", "passt"];
    let denies = |word: &String| word != "no" && phrases.has(Means::Nots, std::slice::from_ref(word));
    let says = |at: usize| {
        let is_weak = phrases.at(Means::GoAhead, words, at) == 1 && WEAK.contains(&words[at].as_str());
        let is_taken_back = words[at.saturating_sub(2)..at].iter().any(denies);
        phrases.at(Means::GoAhead, words, at) > 0 && !is_weak && !is_taken_back
    };
    words.len() == 1 && phrases.at(Means::GoAhead, words, 0) > 0 || (0..words.len()).any(says)
}

/// Reads one clause among the others.
struct Reader<'r, 't> {
    clauses: &'r [Clause<'t>],
    at: usize,
    phrases: &'r Phrases,
    limits: &'r mut Limits,
}

impl Reader<'_, '_> {
    fn read(&mut self) {
        if self.is_only_other() {
            return;
        }
        match self.clause().subject {
            Subject::Agent if self.is_negated() => self.read_ban(),
            Subject::Agent => {
                self.read_halt();
                self.read_skip();
                self.read_without();
                self.read_only();
                self.read_showing();
            }
            Subject::Human => self.read_human(),
            Subject::Other => self.read_other(),
        }
    }

    /// What is enough, and what somebody else does, whomever the clause is about.
    fn is_only_other(&mut self) -> bool {
        let clause = self.clause();
        let all = [clause.opening.as_slice(), &clause.words, &clause.aside].concat();
        if self.phrases.has(Means::Enough, &all) {
            let limit = (self.sentence(), scope(&all, self.phrases));
            self.limits.only.get_or_insert(limit);
            return true;
        }
        if self.phrases.has(Means::Others, &all) && clause.subject != Subject::Agent
            || self.word(0) != "mach" && self.words().iter().any(|word| word == "ubernimmt")
        {
            let who = [
                "colle", "cowor", "teamm", "team", "agent", "devel", "doing", "worki", "handl", "ander",
                "jeman", "ubern", "kolle",
            ];
            let things = things_in(&all, self.phrases);
            let things = things.into_iter().filter(|thing| !who.contains(&thing.as_str())).collect();
            self.ban(How::Any, things);
            return true;
        }
        let takes_break = self.words().first().is_some_and(|word| word.starts_with("mach"))
            && self.words().last().is_some_and(|word| word == "pause");
        if takes_break {
            self.stop();
        }
        takes_break
    }

    /// What "it" means: the things of the clause before.
    fn meant(&self) -> Vec<String> {
        let points = self.words().iter().any(|word| {
            matches!(word.as_str(), "it" | "them" | "that" | "davon" | "sie" | "ihn" | "es" | "y")
        });
        let before = self
            .at
            .checked_sub(1)
            .map(|at| &self.clauses[at])
            .filter(|before| before.subject == Subject::Other);
        before.filter(|_| points).map(|before| things_in(&before.words, self.phrases)).unwrap_or_default()
    }

    fn clause(&self) -> &Clause<'_> {
        &self.clauses[self.at]
    }

    fn words(&self) -> &[String] {
        &self.clause().words
    }

    fn word(&self, at: usize) -> &str {
        self.words().get(at).map_or("", String::as_str)
    }

    fn is(&self, means: Means, at: usize) -> bool {
        self.phrases.at(means, self.words(), at) > 0
    }

    fn mentions(&self, means: Means) -> bool {
        self.clause().mentions(means, self.phrases)
    }

    fn sentence(&self) -> String {
        quote(self.clause().sentence)
    }

    fn stop(&mut self) {
        let sentence = self.sentence();
        self.limits.stop.get_or_insert(sentence);
    }

    fn ban(&mut self, how: How, things: Vec<String>) {
        let sentence = self.sentence();
        self.limits.bans.push(Ban { sentence, how, things });
    }

    /// The words of the clause that name things, from a place on.
    fn things(&self, from: usize) -> Vec<String> {
        things_in(self.words().get(from..).unwrap_or_default(), self.phrases)
    }

    /// Whether a later clause gives the agent work.
    fn has_later_task(&self) -> bool {
        let is_task = |clause: &Clause| {
            let begins = |means| self.phrases.at(means, &clause.words, 0) > 0;
            clause.subject == Subject::Agent && (begins(Means::Work) || begins(Means::Talk))
        };
        self.clauses[self.at + 1..].iter().any(is_task)
    }

    /// "Do not …", "no …", "… nicht …", and what "or" joins to it.
    fn is_negated(&self) -> bool {
        let clause = self.clause();
        let opens = clause.opening.last().is_some_and(|word| matches!(word.as_str(), "no" | "non" | "not"));
        let opens = opens && !self.is(Means::Halts, 0) && !self.is(Means::Work, 0);
        let near = self.is(Means::Nots, 0)
            || (matches!(self.word(0), "do" | "please" | "you" | "must" | "should")
                && self.is(Means::Nots, 1))
            || (self.word(0) == "you" && self.is(Means::Nots, 2));
        let far = self.words().iter().any(|word| {
            matches!(
                word.as_str(),
                "nicht"
                    | "kein"
                    | "keine"
                    | "keinen"
                    | "keinerlei"
                    | "nichts"
                    | "pas"
                    | "jamais"
                    | "niet"
                    | "geen"
            )
        });
        let is_first = near && !matches!(self.word(0), "without" | "ohne" | "sans" | "sin");
        let goes_with = clause.is_alternative && self.at > 0 && {
            let before = Reader {
                clauses: self.clauses,
                at: self.at - 1,
                phrases: self.phrases,
                limits: &mut Limits::default(),
            };
            before.clause().subject == Subject::Agent && before.is_negated()
        };
        opens || is_first || far || goes_with
    }

    fn read_ban(&mut self) {
        let negations = [
            "do", "you", "must", "should", "to", "yet", "ever", "even", "please", "need", "have", "bother",
            "with", "going", "noch",
        ];
        let verb_at = (0..self.words().len())
            .find(|at| !self.is(Means::Nots, *at) && !negations.contains(&self.word(*at)))
            .unwrap_or(self.words().len());
        if self.mentions(Means::Only) && self.word(verb_at) == "only" || self.is(Means::Halts, verb_at) {
            return;
        }
        if ["ask", "frag", "frage", "fragen", "forget", "worry", "hesitate", "vergiss"]
            .contains(&self.word(verb_at))
        {
            return;
        }
        let meant = self.meant();
        if !meant.is_empty() && self.things(verb_at + 1).is_empty() {
            return self.ban(How::Any, meant);
        }
        let all = self.things(0);
        let works = self.phrases.has(Means::Work, self.words());
        let is_verb = self.is(Means::Changes, verb_at) || self.is(Means::Work, verb_at) || self.has_verb();
        let goes_on = [
            "continue",
            "proceed",
            "go",
            "move",
            "weiter",
            "weitermachen",
            "continues",
            "sigas",
            "continue",
            "weitermach",
        ];
        let wants_more = self.words().iter().any(|word| {
            matches!(
                word.as_str(),
                "else"
                    | "other"
                    | "others"
                    | "more"
                    | "further"
                    | "anderes"
                    | "andere"
                    | "weiteres"
                    | "sonst"
                    | "autre"
                    | "otro"
            )
        });
        let after = self.things(verb_at + 1);
        let about_tests =
            all.iter().any(|thing| matches!(thing.as_str(), "test" | "tests" | "testi" | "suite"));
        let runs = ["run", "execute", "test", "start", "launch", "rerun", "ausfuhren", "laufen", "testen"];
        if runs.contains(&self.word(verb_at)) && (about_tests || after.is_empty()) {
            self.limits.no_runs = true;
            return;
        }
        if goes_on.contains(&self.word(verb_at)) && !wants_more {
            return match after.is_empty() {
                true => self.stop(),
                false => self.ban(How::Any, after),
            };
        }
        if works && wants_more
            || is_verb && all_general(&self.words()[verb_at.min(self.words().len())..], self.phrases)
            || all.is_empty()
        {
            return self.ban_all(wants_more, verb_at);
        }
        let verb = stem(self.word(verb_at));
        let named = [Means::Changes, Means::Work].iter().any(|means| self.is(*means, verb_at));
        match (named, self.has_verb()) {
            _ if ADDS.contains(&verb.as_str()) && !after.is_empty() => self.ban(How::Adding, after),
            (true, _) if after.is_empty() => self.ban(How::Verb(verb), after),
            (true, _) => self.ban(How::Any, after),
            (false, true) => self.ban(How::Any, all),
            (false, false) if after.is_empty() && all.len() <= 1 => self.ban_one(verb, all),
            (false, false) if is_english(self.words()) => self.ban(How::Verb(verb), after),
            (false, false) => self.ban(How::Any, all),
        }
    }

    /// "Not b": a thing, or a verb by itself as in "don't commit".
    fn ban_one(&mut self, verb: String, things: Vec<String>) {
        self.ban(How::Verb(verb), Vec::new());
        let is_told = matches!(self.word(0), "dont" | "do" | "never" | "you");
        if !is_told {
            self.ban(How::Any, things);
        }
    }

    /// Nothing is to be changed, or nothing else.
    fn ban_all(&mut self, wants_more: bool, verb_at: usize) {
        let changes = [
            "change",
            "changes",
            "edit",
            "edits",
            "code",
            "file",
            "files",
            "anything",
            "modify",
            "touch",
            "implement",
            "write",
            "do",
            "start",
            "begin",
        ];
        let said = self.words().iter().any(|word| changes.contains(&word.as_str()));
        let is_change =
            said || self.mentions(Means::Changes) || self.mentions(Means::General) && self.has_verb();
        if !is_change || verb_at > self.words().len() {
            return;
        }
        let sentence = self.sentence();
        if wants_more {
            let scope = self.clauses.iter().flat_map(|clause| scope(&clause.words, self.phrases)).collect();
            self.limits.only.get_or_insert((sentence, scope));
        } else {
            self.limits.no_changes.get_or_insert(sentence);
        }
    }

    fn has_verb(&self) -> bool {
        let last = self.words().len().saturating_sub(1);
        let ends = self.word(last).ends_with("en") && self.word(last).len() > 4;
        let first =
            [Means::Work, Means::Talk, Means::Changes, Means::Skips].iter().any(|means| self.is(*means, 0));
        first
            || (ends && [Means::Work, Means::Talk, Means::Changes].iter().any(|means| self.is(*means, last)))
    }

    /// "Stop after that", "wait for me", "then stop".
    fn read_halt(&mut self) {
        let words = self.words();
        let last = words.len().saturating_sub(1);
        let ends_in_verb = last > 0
            && ["en", "er", "ar"].iter().any(|ending| self.word(last).ends_with(ending))
            && self.word(last).len() > 4
            && !self.is(Means::Work, 0)
            && !self.is(Means::Talk, 0)
            && !self.is(Means::Skips, 0);
        let is_parted = matches!(self.word(0), "hor" | "hore") && self.word(last) == "auf";
        let at_start = self.phrases.at(Means::Halts, words, 0);
        let is_final = ends_in_verb && self.is(Means::Halts, last);
        if at_start == 0 && !is_final && !is_parted {
            return;
        }
        let waits = [
            "wait", "warte", "warten", "attends", "attendre", "espera", "esperar", "aspetta", "hold", "end",
            "cancel", "abort",
        ];
        let rest = &words[at_start.min(words.len())..];
        if waits.contains(&self.word(0)) && matches!(self.word(1), "with" | "mit" | "avec" | "con") {
            let things = self.things(2);
            return if things.is_empty() { self.stop() } else { self.ban(How::Any, things) };
        }
        let is_bare = rest.is_empty() || is_final || is_parted;
        let is_wait = waits.contains(&self.word(0));
        let ends = self.phrases.at(Means::HaltEnds, rest, 0) > 0;
        let means_me = self.mentions(Means::Me);
        let is_meant = match (is_bare, is_wait) {
            (true, true) => self.clause().aside.is_empty() || means_me,
            (true, false) => true,
            (false, true) => means_me || (ends && rest.len() <= 2),
            (false, false) => ends,
        };
        // "Stop. Fix the lexer instead." has a task; "retry and stop" is what a program does.
        let is_overtaken = self.at == 0 && self.has_later_task() && is_bare && self.clause().aside.is_empty();
        let before = self.at.checked_sub(1).map(|at| &self.clauses[at]).filter(|_| self.clause().is_joined);
        let is_behaviour = before.is_some_and(|before| {
            let known = [
                Means::Work,
                Means::Talk,
                Means::Only,
                Means::Third,
                Means::General,
                Means::Openers,
                Means::Nots,
            ];
            let of_agent = known.iter().any(|means| self.phrases.at(*means, &before.words, 0) > 0);
            let goes_on = ["keep", "continue", "go", "carry", "proceed", "work", "mach", "arbeite"];
            let of_agent =
                of_agent || before.words.first().is_some_and(|word| goes_on.contains(&word.as_str()));
            before.subject == Subject::Agent
                && !of_agent
                && !before.words.is_empty()
                && is_english(&before.words)
                && before.opening.is_empty()
        });
        if is_meant && !is_overtaken && !is_behaviour {
            self.stop();
        }
    }

    /// "Leave the importer for tomorrow", "skip the docs".
    fn read_skip(&mut self) {
        let last = self.words().len().saturating_sub(1);
        let ends = last > 0 && self.is(Means::Skips, last) && self.word(last).len() > 5;
        let parted = (1..self.words().len()).any(|at| matches!(self.word(at), "lass" | "lasse"))
            && self.mentions(Means::Later);
        if !self.is(Means::Skips, 0) && !ends && !parted {
            return;
        }
        if let Some(at) = self.words().iter().position(|word| {
            matches!(word.as_str(), "except" | "but" | "ausser" | "außer" | "sauf" | "salvo")
        }) {
            let limit = (self.sentence(), scope(&self.words()[at..], self.phrases));
            self.limits.only.get_or_insert(limit);
            return;
        }
        if self.is_review_by_me() {
            return self.stop();
        }
        let start = if ends || parted { 0 } else { self.phrases.at(Means::Skips, self.words(), 0) };
        let meant = self.meant();
        let things = if meant.is_empty() { self.things(start) } else { meant };
        let things: Vec<String> = things.into_iter().filter(|thing| thing != "lass").collect();
        let leaves = [
            "leave", "save", "park", "keep", "lass", "lasse", "lassen", "laisse", "deja", "deixa", "lascia",
            "laat", "spar", "forget",
        ];
        let is_left = self.mentions(Means::Later) || !leaves.contains(&self.word(0));
        if is_left
            && things.iter().any(|thing| thing.starts_with("test"))
            && !self.word(0).starts_with("ignor")
        {
            self.limits.no_runs = true;
        }
        if is_left && !things.is_empty() {
            self.ban(How::Any, things);
        }
    }

    /// "… without touching the database".
    fn read_without(&mut self) {
        let at = self.words().iter().position(|word| {
            matches!(word.as_str(), "without" | "ohne" | "sans" | "sin" | "except" | "außer" | "ausser")
        });
        let Some(at) = at else { return };
        let things = self.things(at + 1);
        let changes = self.is(Means::Changes, at + 1) || self.word(self.words().len() - 1).starts_with("zu");
        if !things.is_empty() && (changes || matches!(self.word(at), "except" | "ausser")) {
            let named = if self.is(Means::Changes, at + 1) { self.things(at + 2) } else { things };
            if !named.is_empty() {
                self.ban(How::Any, named);
            }
        }
    }

    /// "Only the parser", "just answer", "the parser first", "… for now".
    fn read_only(&mut self) {
        let clause = self.clause();
        let words = self.words();
        let last = words.len().saturating_sub(1);
        if words.is_empty() || self.is(Means::Halts, 0) || self.is(Means::Skips, 0) {
            return;
        }
        let works = self.is(Means::Work, 0) || self.is(Means::Talk, 0);
        let is_strong = works && !self.is(Means::Either, 0) || self.ends_in_infinitive();
        let is_short = words.len() <= 5
            && clause.aside.is_empty()
            && (self.is(Means::Third, 1) || self.mentions(Means::Me));
        let parts = [
            "step", "steps", "part", "phase", "task", "item", "point", "stage", "schritt", "teil", "punkt",
            "aufgabe", "etape", "paso", "number",
        ];
        let has_part = words.iter().any(|word| parts.contains(&word.as_str()));
        let is_fragment = !phrase_is_finite(words, self.phrases)
            && (self.is(Means::Third, 0)
                || parts.contains(&self.word(0))
                || words.len() == 1 && !self.is(Means::Openers, 0) && !self.word(0).ends_with("ing")
                || words.len() == 2 && self.first_ends());
        let can_limit = is_strong || has_part || is_fragment || (works && is_short);
        let remarks = ["thing", "sache", "question", "frage", "note", "heads", "idea", "reminder"];
        let just_a = matches!(self.word(0), "a" | "an") && words.len() > 1
            || words.iter().any(|word| remarks.contains(&word.as_str()));
        let before = self.phrases.has(Means::Only, &clause.opening) && !just_a;
        let conditions = [
            "if", "when", "once", "one", "on", "in", "after", "because", "with", "as", "at", "wenn", "falls",
            "bei", "einmal", "si", "cuando", "two", "ever",
        ];
        let inside = (0..words.len()).find(|at| self.is(Means::Only, *at)).filter(|at| {
            let next = self.word(at + 1);
            let negated = *at > 0 && self.is(Means::Nots, at - 1);
            let focuses = matches!(self.word(0), "focus" | "concentrate" | "work");
            let conditional =
                (conditions.contains(&next) && !focuses) || (next.is_empty() && !clause.aside.is_empty());
            !negated && !conditional && (*at <= REACH || *at == last)
        });
        let at_end = inside == Some(last)
            && (works || is_fragment || words.len() <= REACH && !self.is(Means::Operates, 0));
        let negated = clause.opening.iter().any(|word| word == "not" || word == "nicht");
        let only = (before && can_limit && !negated && !conditions.contains(&self.word(0)))
            || inside.is_some_and(|at| at > 0 && (is_strong || has_part))
            || at_end;
        let now = (self.phrases.has(Means::ForNow, &clause.opening)
            || self.phrases.has(Means::ForNow, words))
            && (works || is_fragment || is_strong);
        let leads = self.phrases.has(Means::First, &clause.opening) || self.first_ends();
        let begins = leads && (works || is_fragment || is_strong) && !self.has_later_task();
        let whole = ["rest", "everything", "all", "whole", "alles", "tout", "todo"];
        let is_whole = words.iter().any(|word| whole.contains(&word.as_str()));
        if (only || now || begins) && !is_whole {
            let limit = (self.sentence(), scope(words, self.phrases));
            self.limits.only.get_or_insert(limit);
        }
    }

    /// The clause ends in "first", which is not "the first".
    fn first_ends(&self) -> bool {
        let words = self.words();
        let places = 1..words.len();
        places.into_iter().any(|at| {
            let length = self.phrases.at(Means::First, words, at);
            length > 0
                && at + length >= words.len()
                && !matches!(
                    self.word(at - 1),
                    "the" | "der" | "die" | "das" | "come" | "comes" | "very" | "mobile" | "at"
                )
        })
    }

    fn ends_in_infinitive(&self) -> bool {
        let last = self.words().len().saturating_sub(1);
        last > 0
            && self.word(last).len() > 4
            && self.word(last).ends_with('n')
            && (self.is(Means::Work, last) || self.is(Means::Talk, last))
    }

    /// "Show me the plan first", "send me the diff before …".
    fn read_showing(&mut self) {
        if self.clause().is_joined && matches!(self.word(0), "discuss" | "talk" | "regroup") {
            return self.stop();
        }
        if self.comes_before()
            && words_of(self.clause().sentence)
                .iter()
                .any(|word| ["me", "my", "mir", "mich", "moi", "mi"].contains(&word.as_str()))
        {
            return self.stop();
        }
        let shows = [
            "show",
            "send",
            "give",
            "present",
            "tell",
            "zeig",
            "zeige",
            "schick",
            "montre",
            "muestra",
            "muestrame",
            "montremoi",
            "discuss",
            "talk",
            "sprich",
            "besprich",
        ];
        let first = self.mentions(Means::First)
            || self.clause().aside.iter().any(|word| word == "before" || word == "bevor");
        if shows.contains(&self.word(0)) && self.mentions(Means::Me) && first {
            self.stop();
        }
    }

    /// The sentence says what comes before the agent goes on.
    fn comes_before(&self) -> bool {
        let sentence = words_of(self.clause().sentence).join(" ");
        let marks = [
            "before you ",
            "before continuing",
            "before proceeding",
            "before moving",
            "before going",
            "before starting",
            "before any ",
            "before the ",
            "bevor du ",
            "bevor es ",
            "avant de ",
            "antes de ",
        ];
        marks.iter().any(|mark| sentence.contains(mark))
    }

    /// "Lass mich erst prüfen".
    fn is_review_by_me(&self) -> bool {
        let says_me =
            matches!(self.word(1), "mich" | "moi" | "uns") || matches!(self.word(0), "dejame" | "deixe");
        says_me && self.phrases.has(Means::Reviews, self.words())
    }

    /// "I only want the parser", "ich brauche nur …".
    fn wants_only(&self) -> bool {
        let wants = ["want", "need", "brauche", "will", "mochte", "veux", "quiero", "necesito"];
        let says = self.words().iter().take(REACH + 1).any(|word| wants.contains(&word.as_str()));
        let only = (0..self.words().len().min(REACH + 1))
            .any(|at| self.is(Means::Only, at) && self.word(at) != "just");
        let just =
            self.words().iter().any(|word| word == "just") && !self.words().iter().any(|word| word == "to");
        says && (only || just)
    }

    /// What the human does: take work over, or look at it before the next step.
    fn read_human(&mut self) {
        if self.wants_only() {
            let limit = (self.sentence(), scope(self.words(), self.phrases));
            self.limits.only.get_or_insert(limit);
            return;
        }
        let words = self.words();
        let after = match (self.word(0), self.word(1)) {
            ("let", "me") => 2,
            ("ill" | "im", "going") if self.word(2) == "to" => 3,
            ("i" | "we", "will" | "can" | "shall" | "should" | "must") | ("id", "rather" | "prefer") => 2,
            ("ill", _) => 1,
            _ if self.clause().opening.last().is_some_and(|word| word == "well") => 0,
            ("i" | "we", "want" | "need" | "have" | "prefer" | "would") | ("id", "like") => 3,
            _ if is_english(words)
                && !matches!(self.word(0), "ich" | "wir" | "je" | "yo" | "eu" | "io")
                && !self.is_inverted() =>
            {
                return;
            }
            _ => 0,
        };
        let wishes = after == 3 && self.word(1) != "going";
        let is_well = self.clause().opening.last().is_some_and(|word| word == "well");
        let is_spoken = after == 0 && !is_well;
        let adverbs = [
            "then",
            "also",
            "just",
            "rather",
            "personally",
            "quickly",
            "first",
            "probably",
            "be",
            "like",
            "to",
        ];
        let verb_at =
            (after..words.len()).find(|at| !adverbs.contains(&self.word(*at))).unwrap_or(words.len());
        let orders = self.mentions(Means::First)
            || self.clauses.iter().any(|clause| {
                clause.sentence == self.clause().sentence
                    && clause.aside.iter().chain(&clause.words).any(|word| {
                        matches!(word.as_str(), "before" | "bevor" | "first" | "avant" | "antes" | "erst")
                    })
            });
        let reviews = match is_spoken {
            true => {
                self.phrases.has(Means::Reviews, words)
                    && (self.clause().is_joined || orders || self.is_soon())
            }
            false => self.is(Means::Reviews, verb_at) && (!wishes || orders),
        };
        let at_end = self.phrases.has(Means::AtEnd, &words_of(self.clause().sentence));
        if reviews && !at_end && self.word(verb_at) != "give" {
            return self.stop();
        }
        let takes = match is_spoken {
            true => {
                (0..words.len()).any(|at| self.is(Means::Takes, at))
                    && (self.mentions(Means::Self_)
                        || self.is_inverted()
                        || self.is_soon()
                        || self.takes_over())
            }
            false => {
                self.is(Means::Takes, verb_at) && after != 2
                    || self.mentions(Means::Self_)
                    || (after == 2 && self.is(Means::Takes, verb_at))
            }
        };
        if takes && !self.words().iter().any(|word| matches!(word.as_str(), "you" | "du" | "dich" | "dir")) {
            self.take_over(if is_spoken { 0 } else { verb_at + 1 }, verb_at);
        }
    }

    fn take_over(&mut self, from: usize, verb_at: usize) {
        let things: Vec<String> = self
            .words()
            .iter()
            .skip(from)
            .filter(|word| !self.phrases.has(Means::Takes, std::slice::from_ref(word)))
            .cloned()
            .collect();
        let things = things_in(&things, self.phrases);
        let verb = self.word(verb_at).to_owned();
        if matches!(verb.as_str(), "run" | "test" | "teste" | "testing")
            || things.iter().any(|thing| thing == "testi")
        {
            self.limits.no_runs = true;
        }
        let rest = self
            .words()
            .iter()
            .any(|word| matches!(word.as_str(), "rest" | "others" | "reste" | "resto" | "ubrige"));
        match things.is_empty() {
            true if rest => {
                let scope = self
                    .clauses
                    .iter()
                    .filter(|clause| clause.subject == Subject::Agent)
                    .flat_map(|clause| scope(&clause.words, self.phrases))
                    .collect();
                let limit = (self.sentence(), scope);
                self.limits.only.get_or_insert(limit);
            }
            true if ["commit", "merge", "push", "deploy", "release", "publish", "send", "run", "test"]
                .contains(&verb.as_str()) =>
            {
                self.ban(How::Verb(stem(&verb)), Vec::new());
            }
            true => self.stop(),
            false => self.ban(How::Any, things),
        }
    }

    fn is_inverted(&self) -> bool {
        self.words().iter().skip(1).any(|word| matches!(word.as_str(), "ich" | "wir" | "i" | "ill"))
    }

    fn is_soon(&self) -> bool {
        let marks = [
            "dann",
            "danach",
            "erst",
            "zuerst",
            "vorher",
            "will",
            "mochte",
            "werde",
            "noch",
            "anschließend",
            "anschliessend",
            "muss",
            "ferai",
            "vais",
            "voy",
            "dire",
            "spater",
            "morgen",
        ];
        let own = words_of(self.clause().sentence);
        own.iter().any(|word| marks.contains(&word.as_str()))
    }

    fn takes_over(&self) -> bool {
        let verbs = ["uberneh", "kummer", "occupe", "charge", "encargo", "ocupo", "hare", "ferai", "farei"];
        self.words().iter().any(|word| verbs.iter().any(|verb| word.starts_with(verb)))
    }

    /// "The importer can wait."
    fn read_other(&mut self) {
        let words = self.words().join(" ");
        let puts_off = [
            "can wait",
            "is for later",
            "are for later",
            "comes later",
            "come later",
            "is out of scope",
            "are out of scope",
            "not part of",
            "is not needed",
            "isnt needed",
            "arent needed",
            "not needed yet",
            "will come later",
            "is tomorrow",
            "has to wait",
            "have to wait",
            "must wait",
            "kann warten",
            "konnen warten",
            "muss warten",
            "mussen warten",
            "kommt spater",
            "kommen spater",
            "gehort nicht",
            "brauchen wir nicht",
            "brauche ich nicht",
            "peut attendre",
            "peuvent attendre",
            "puede esperar",
            "pueden esperar",
            "is off limits",
            "are off limits",
            "is mine",
            "are mine",
            "ist tabu",
            "sind tabu",
            "stays as is",
            "stay as is",
            "stays as it is",
            "bleibt wie",
            "another day",
            "another time",
            "for later",
            "next week",
            "next sprint",
            "bleibt erstmal",
            "bleibt liegen",
            "nt your job",
            "not your job",
            "not your task",
            "nt yours",
            "not yours",
        ];
        if puts_off.iter().any(|mark| words.contains(mark)) {
            let things = self
                .things(0)
                .into_iter()
                .filter(|thing| {
                    ![
                        "wait", "later", "neede", "scope", "warte", "spate", "tabu", "limit", "tomor",
                        "part", "atten", "esper",
                    ]
                    .contains(&thing.as_str())
                })
                .collect::<Vec<_>>();
            match things.is_empty() {
                true if self.mentions(Means::General) => {
                    let scope = self
                        .clauses
                        .iter()
                        .filter(|clause| clause.subject == Subject::Agent)
                        .flat_map(|clause| scope(&clause.words, self.phrases))
                        .collect();
                    let limit = (self.sentence(), scope);
                    self.limits.only.get_or_insert(limit);
                }
                true => {}
                false => self.ban(How::Any, things),
            }
        }
    }
}

fn phrase_is_finite(words: &[String], phrases: &Phrases) -> bool {
    phrases.has(Means::Finite, words.get(1..).unwrap_or_default())
}

fn all_general(words: &[String], phrases: &Phrases) -> bool {
    things_in(words.get(1..).unwrap_or_default(), phrases).is_empty()
}

/// German, French and Spanish put verbs elsewhere.
fn is_english(words: &[String]) -> bool {
    let foreign = [
        "der",
        "die",
        "das",
        "den",
        "dem",
        "ein",
        "eine",
        "nicht",
        "kein",
        "keine",
        "und",
        "mit",
        "le",
        "la",
        "les",
        "pas",
        "el",
        "los",
        "las",
        "ich",
        "nur",
        "von",
        "que",
        "ne",
        "mach",
        "bitte",
        "keinen",
        "noch",
        "schreiben",
        "machen",
    ];
    !words.iter().any(|word| foreign.contains(&word.as_str()))
}

fn things_in(words: &[String], phrases: &Phrases) -> Vec<String> {
    // Elsewhere the verb stands at the end, or anywhere.
    let is_foreign = !is_english(words);
    let is_verb = |word: &String| {
        let one = std::slice::from_ref(word);
        is_foreign && [Means::Work, Means::Talk, Means::Changes].iter().any(|means| phrases.has(*means, one))
    };
    let mut found: Vec<String> = words
        .iter()
        .filter(|word| is_thing(word, phrases) && !is_verb(word))
        .map(|word| stem(word))
        .collect();
    found.dedup();
    found
}

/// The words that say what a step may be about, verbs and all.
fn scope(words: &[String], phrases: &Phrases) -> Vec<String> {
    let known = things_in(words, phrases);
    known
        .into_iter()
        .chain(
            words
                .iter()
                .filter(|word| phrases.has(Means::Work, std::slice::from_ref(word)))
                .map(|word| stem(word)),
        )
        .collect()
}

/// What a step is about, without the verbs of making it.
fn things_of_step(step: &str, phrases: &Phrases) -> Vec<String> {
    let words = words_of(step);
    let makes = |word: &String| phrases.has(Means::Work, std::slice::from_ref(word));
    let announces = [
        "will", "ill", "let", "going", "next", "now", "als", "nachstes", "werde", "jetzt", "finish",
        "continue",
    ];
    let own: Vec<String> =
        words.into_iter().filter(|word| !makes(word) && !announces.contains(&word.as_str())).collect();
    things_in(&own, phrases)
}

/// Whether a word names a thing.
fn is_thing(word: &str, phrases: &Phrases) -> bool {
    const SMALL: &[&str] = &[
        "on", "in", "at", "to", "of", "for", "with", "from", "by", "into", "about", "up", "off", "over",
        "out", "be", "yet", "ever", "even", "as", "is", "are", "start", "begin", "new", "own", "mit", "an",
        "auf", "zu", "im", "am", "von", "fur", "bei", "noch", "schon", "ja", "mal", "du", "you", "your",
        "ich", "je", "yo", "wir", "de", "du", "des", "en", "à", "con", "del", "al", "por", "para", "via",
        "want", "would", "like", "going", "will", "shall", "do", "did", "after", "before", "when", "bother",
        "myself", "selbst", "selber", "part", "then", "dann", "really", "quite", "big", "small", "und",
        "and", "or", "oder", "et", "y", "ou",
    ];
    let classes = [
        Means::General,
        Means::Openers,
        Means::Only,
        Means::First,
        Means::ForNow,
        Means::Nots,
        Means::Third,
        Means::Finite,
        Means::Me,
        Means::Self_,
        Means::Later,
    ];
    let one = std::slice::from_ref(&word.to_owned()).to_vec();
    let is_letter = word.chars().count() == 1 && !word.bytes().all(|byte| byte.is_ascii_alphanumeric());
    !SMALL.contains(&word) && !is_letter && !classes.iter().any(|means| phrases.at(*means, &one, 0) > 0)
}

/// The beginning of a word, so that "imports" and "importing" meet.
pub(super) fn stem(word: &str) -> String {
    word.chars().take(5).collect()
}

/// Whether a step is to run something.
fn runs(step: &str) -> bool {
    const RUNNING: &[&str] = &[
        "run",
        "running",
        "rerun",
        "test",
        "tests",
        "testing",
        "execute",
        "executing",
        "ausfuhren",
        "teste",
        "testen",
        "laufen",
        "lancer",
        "ejecutar",
        "exécuter",
    ];
    words_of(step).iter().any(|word| RUNNING.contains(&word.as_str()))
        || ["运行", "测试", "执行", "実行", "テスト"].iter().any(|letters| step.contains(letters))
}
