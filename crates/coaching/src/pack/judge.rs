//! Judges an answer to an item.
//!
//! Every filler makes concrete lines: the frame with the choice that belongs to the filler, and the filler in the
//! gap. An answer that says one of them is right. An answer that only fits the frame is examined more closely: it
//! may have a known filler in a wrong form, or something that the pack does not know and so cannot check.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use super::{Filler, Item, Never, Pack, Takes};
use crate::text::{
    Alignment, Ear, Heard, How, MAX_SLOT_WORDS, Match, Phrase, Pick, Piece, Reading, Spelling, Step, Target,
    Word, Words, align, is_said, spelled,
};

/// The number of lines up to which a target with several gaps is checked.
const MAX_LINES: usize = 2_000;
/// The most words of a name.
const MAX_NAME_WORDS: usize = 4;
/// The number of different words from which an answer made only of the pack's single words is a heap.
const MIN_HEAP: usize = 4;

/// A pack's knowledge of its language.
#[derive(Debug, Clone, Default)]
pub struct Lore {
    language: String,
    /// The words of the pack except names, as they are spelled.
    words: HashSet<String>,
    /// The small words that make forms, such as articles and prepositions, folded: the choices of frames, and the
    /// words beside the longest word in fillers of several items.
    forms: HashSet<String>,
    /// The polite phrases, which an answer may leave out or put elsewhere.
    polite: Vec<Phrase>,
}

impl Lore {
    pub(super) fn new(language: &str, names: &[String], polite: &[String], items: &[Item]) -> Lore {
        let mut lore = Lore {
            language: language.to_owned(),
            polite: polite.iter().filter_map(|words| Phrase::new(words)).collect(),
            ..Lore::default()
        };
        for item in items {
            let fillers = item.fill.iter().map(|filler| &filler.say);
            let frames: HashSet<String> =
                lore.spelled([&item.text].into_iter().chain(&item.also).chain(fillers));
            let examples = item.examples.iter().map(|line| &line.say);
            let openings = item.cues.iter().filter_map(|cue| cue.opening.as_ref()).map(|line| &line.say);
            let answers = item.cues.iter().map(|cue| &cue.answer);
            let said = lore.spelled(examples.chain(openings).chain(answers));
            lore.words.extend(frames.into_iter().chain(said));
        }
        lore.forms = forms(items);
        let fillers = items.iter().flat_map(|item| &item.fill).filter(|filler| filler.is_name());
        let named = lore.spelled(names.iter().chain(fillers.map(|filler| &filler.say)));
        lore.words.retain(|word| !named.contains(word));
        lore
    }

    fn spelled<'t>(&self, texts: impl IntoIterator<Item = &'t String>) -> HashSet<String> {
        let spell = |text: &'t String| -> Vec<String> {
            Words::new(text).iter().map(|(word, _)| spelled(word, &self.language)).collect()
        };
        texts.into_iter().flat_map(spell).collect()
    }

    /// Returns the text without its polite words, or `None` if it has no polite words or no others.
    fn without_polite(&self, words: &Words) -> Option<String> {
        let mut rest: Vec<&str> = Vec::new();
        let mut at = 0;
        while at < words.len() {
            match self.polite.iter().find_map(|phrase| words.starts_with(phrase, at)) {
                Some(end) => at = end,
                None => {
                    let end = words.word_end(at);
                    rest.push(words.source(at..end));
                    at = end;
                }
            }
        }
        let rest = rest.join(" ");
        (!rest.is_empty() && self.has_polite(words)).then_some(rest)
    }

    fn has_polite(&self, words: &Words) -> bool {
        self.polite.iter().any(|phrase| words.contains(phrase))
    }

    fn is_polite(&self, line: &Reading) -> bool {
        self.polite.iter().any(|phrase| phrase.first_in(&line.steps).is_some())
    }

    /// Returns a line without its polite words, or `None` if it has none or could not be said without them.
    fn plain(&self, line: &Reading) -> Option<Reading> {
        if !self.is_polite(line) {
            return None;
        }
        let mut plain = line.clone();
        for phrase in &self.polite {
            while let Some(range) = phrase.first_in(&plain.steps) {
                plain.steps.drain(range);
            }
        }
        // “Wie bitte?” without “bitte” is no longer a question; “Langsamer, bitte” without it still says the
        // item.
        let is_set_off = plain.steps.len() > 1 || line.text.contains(',');
        (is_set_off && plain.steps.iter().any(|step| *step != Step::Slot)).then_some(plain)
    }
}

impl Pack {
    /// Judges an answer to an item of the pack.
    pub fn judge(&self, item: &Item, heard: &Heard) -> Match {
        self.judge_with(item, heard, true)
    }

    /// Judges like [`Pack::judge`], but the answers of the pack do not count by themselves. The check of packs
    /// uses this.
    pub(super) fn judge_by_fillers(&self, item: &Item, heard: &Heard) -> Match {
        self.judge_with(item, heard, false)
    }

    fn judge_with(&self, item: &Item, heard: &Heard, with_answers: bool) -> Match {
        if !heard.is_attempt() {
            return Match::new(How::None, Vec::new());
        }
        let polite = self.lore.without_polite(heard.words());
        let plain = polite.as_deref().map(Words::new);
        let judged = Judge { lore: &self.lore, item, heard, plain: plain.as_ref(), with_answers }.judge();
        if judged.matched && self.is_heap(heard.words()) {
            return Match { matched: false, how: How::Unchecked, ..judged };
        }
        judged
    }

    /// Whether an answer consists only of single words of the pack, so many that it does not say which one is
    /// meant.
    fn is_heap(&self, heard: &Words<'_>) -> bool {
        let said: HashSet<&str> = heard.iter().map(|(_, word)| word).collect();
        if said.len() < MIN_HEAP {
            return false;
        }
        let texts: Vec<Words> = self.items.iter().map(|item| Words::new(&item.text)).collect();
        let single: HashSet<&str> = texts
            .iter()
            .filter(|words| words.iter().count() == 1)
            .flat_map(|words| words.iter().map(|(_, word)| word))
            .collect();
        said.is_subset(&single)
    }
}

/// A line that says the item.
struct Line<'a> {
    reading: Reading,
    filler: Option<&'a Filler>,
    /// The index of the frame it comes from. The first frame is the one that is taught.
    frame: usize,
}

/// An answer and the item it belongs to.
struct Judge<'a> {
    lore: &'a Lore,
    item: &'a Item,
    heard: &'a Heard<'a>,
    /// The answer without its polite words.
    plain: Option<&'a Words<'a>>,
    with_answers: bool,
}

impl<'a> Judge<'a> {
    fn judge(&self) -> Match {
        let (lines, gaps) = (self.lines(), self.gaps());
        let said: Vec<&Line> = lines.iter().filter(|line| self.is_said(&line.reading)).collect();
        // If a said line is longer than the wrong words, they do not make it wrong.
        let said_words = said.iter().map(|line| line.reading.steps.len()).max().unwrap_or(0);
        if let Some(wrong) = gaps.iter().find_map(|gap| self.never(gap, said_words)) {
            return wrong;
        }
        if let Some(line) = said.first() {
            if let Some(wrong) = self.wrong_choice(&lines) {
                return wrong;
            }
            let longer = self.longer_form(line, &gaps, &lines);
            return longer.unwrap_or_else(|| right(line.frame, How::Surface, Vec::new()));
        }
        let taken = gaps.iter().filter(|gap| self.takes(gap)).min_by_key(|gap| gap.alignment.cost());
        if let Some(gap) = taken.filter(|gap| gap.alignment.is_exact()) {
            return right(gap.frame, How::Surface, Vec::new());
        }
        if self.heard.is_spoken()
            && self.item.target.aliases().iter().any(|it| self.heard.words().contains(it))
        {
            return Match::new(How::Alias, Vec::new());
        }
        match self.closest(&lines) {
            Some((line, alignment)) if alignment.is_close() => {
                let taught = self.taught_form(line, &lines);
                let shown = taught.unwrap_or(line);
                let pieces = taught.map_or(alignment, |line| self.align(&line.reading).0).into_pieces();
                let found = right(shown.frame, How::Fuzzy, pieces);
                Match { right: Some(shown.reading.text.clone()), ..found }
            }
            _ if !gaps.is_empty() => self.look_into(&gaps, taken, &lines),
            Some((line, alignment)) => match self.taught_form(line, &lines) {
                Some(taught) => missed(taught, self.align(&taught.reading).0),
                None => missed(line, alignment),
            },
            None => {
                let frames = self.item.target.phrases().iter().map(|reading| self.align(reading).0);
                let closest = frames.min_by_key(Alignment::cost).map(Alignment::into_pieces);
                Match::new(How::None, closest.unwrap_or_default())
            }
        }
    }

    /// Judges an answer that fits a frame but is not one of the lines.
    fn look_into(&self, gaps: &[Gap], taken: Option<&Gap>, lines: &[Line<'a>]) -> Match {
        match taken {
            Some(gap) => right(gap.frame, How::Fuzzy, gap.alignment.pieces().to_vec()),
            None => self.wrong_form(gaps, lines).unwrap_or_else(|| unchecked(gaps, lines)),
        }
    }

    fn ear(&self) -> Ear<'a> {
        let others = [&self.lore.words, &self.item.confusable];
        let has_accents = !self.heard.is_spoken();
        Ear { spelling: Some(Spelling { language: &self.lore.language, others, has_accents }) }
    }

    /// Returns every phrase that says the item, with the index of its frame.
    fn readings(&self) -> impl Iterator<Item = (usize, &'a Reading)> {
        let frames = std::iter::once(&self.item.target).chain(&self.item.other_ways).enumerate();
        frames.flat_map(|(frame, target)| target.phrases().iter().map(move |reading| (frame, reading)))
    }

    /// Returns every line that says the item. The pack's own answers are right, whatever is in their gap.
    fn lines(&self) -> Vec<Line<'a>> {
        let mut lines = Vec::new();
        for (frame, reading) in self.readings() {
            match reading.slots() {
                0 => lines.push(Line { reading: reading.clone(), filler: None, frame }),
                slots if is_checkable(slots, self.item) => lines.extend(self.filled(reading, frame)),
                _ => {}
            }
        }
        if self.with_answers && self.item.target.has_slot() {
            let answers = self.item.cues.iter().filter_map(|cue| Target::parse(&cue.answer).ok());
            let readings = answers.flat_map(|answer| answer.phrases().to_vec());
            lines.extend(readings.map(|reading| Line { reading, filler: None, frame: 0 }));
        }
        lines
    }

    /// Returns the reading with every filler in every slot.
    fn filled(&self, reading: &Reading, frame: usize) -> Vec<Line<'a>> {
        let mut lines = vec![Line { reading: reading.clone(), filler: None, frame }];
        for _ in 0..reading.slots() {
            let fill = |line: &Line<'a>| -> Vec<Line<'a>> {
                let fillers = self.item.fill.iter().filter(|filler| filler.fits(reading));
                let filled = |filler: &'a Filler| Line {
                    reading: line.reading.filled(&filler.say),
                    filler: Some(filler),
                    frame,
                };
                fillers.map(filled).collect()
            };
            lines = lines.iter().flat_map(fill).collect();
        }
        lines
    }

    fn is_said(&self, line: &Reading) -> bool {
        is_said(&line.steps, self.heard.words(), self.ear())
            || self.pair(line).is_some_and(|(plain, words)| is_said(&plain.steps, words, self.ear()))
    }

    /// Returns the line and the answer without their polite words.
    fn pair(&self, line: &Reading) -> Option<(Reading, &Words<'a>)> {
        let plain = self.lore.plain(line);
        if plain.is_none() && self.plain.is_none() || plain.is_none() && self.lore.is_polite(line) {
            return None;
        }
        Some((plain.unwrap_or_else(|| line.clone()), self.plain.unwrap_or(self.heard.words())))
    }

    fn align(&self, line: &Reading) -> (Alignment, &Words<'a>) {
        let words = self.heard.words();
        let whole = align(&line.steps, words, self.ear());
        match self.pair(line) {
            Some((plain, words)) => {
                let alignment = align(&plain.steps, words, self.ear());
                if alignment.cost() < whole.cost() { (alignment, words) } else { (whole, self.heard.words()) }
            }
            None => (whole, words),
        }
    }

    /// Returns the line nearest to the answer, among those whose filler can be heard in it.
    fn closest<'l>(&self, lines: &'l [Line<'a>]) -> Option<(&'l Line<'a>, Alignment)> {
        let is_near = |line: &&Line| line.filler.is_none_or(|filler| self.has_content(filler));
        let aligned = lines.iter().filter(is_near).map(|line| (line, self.align(&line.reading).0));
        aligned.min_by_key(|(line, alignment)| (alignment.cost(), line.frame))
    }

    /// Returns the taught line to show in place of another way of saying it, unless a word of that other way was
    /// said: a misspelt “Tschüs” is corrected to “Tschüss”.
    fn taught_form<'l>(&self, line: &Line, lines: &'l [Line<'a>]) -> Option<&'l Line<'a>> {
        if line.frame == 0 {
            return None;
        }
        let has_filler = |taught: &&Line| taught.filler.map(|it| &it.say) == line.filler.map(|it| &it.say);
        let taught = lines.iter().filter(|line| line.frame == 0).filter(has_filler);
        let taught = taught.min_by_key(|line| self.align(&line.reading).0.cost())?;
        let is_own = |step: &&Step| !taught.reading.steps.contains(step);
        let heard = self.heard.words();
        let is_heard = |step: &Step| is_said(std::slice::from_ref(step), heard, self.ear());
        let differs = line.reading.steps.iter().filter(is_own).any(is_heard);
        (!differs).then_some(taught)
    }

    /// Whether the longest word of a filler is in the answer, perhaps with a slip.
    fn has_content(&self, filler: &Filler) -> bool {
        let words = self.heard.words();
        self.finds(filler, words, 0..words.len(), true)
    }

    fn finds(&self, filler: &Filler, words: &Words, within: Range<usize>, with_slip: bool) -> bool {
        let Some(content) = filler.content() else { return false };
        let mut at = within.start;
        while at < within.end {
            let end = words.word_end(at).min(within.end);
            let is_same = words.letters(at..end) == content.letters
                || spelled(words.source(at..end), &self.lore.language)
                    == spelled(&content.shown, &self.lore.language);
            if is_same || with_slip && Ear::default().is_slip(&content, words, at..end) {
                return true;
            }
            at = end;
        }
        false
    }

    /// Returns the gaps of the frames that the answer fits.
    fn gaps(&self) -> Vec<Gap<'a, '_>> {
        let mut gaps = Vec::new();
        for (frame, reading) in self.readings().filter(|(_, reading)| reading.slots() > 0) {
            let (alignment, words) = self.align(reading);
            let Some(first) = alignment.slots().first().filter(|_| alignment.is_close()).cloned() else {
                continue;
            };
            let slots = reading.slots();
            let is_last = reading.steps.last() == Some(&Step::Slot);
            let frame_words = reading.steps.len() - slots;
            gaps.push(Gap { frame, frame_words, reading, alignment, words, first, is_last, slots });
        }
        // The longest frame is the one that the learner meant.
        gaps.sort_by_key(|gap| std::cmp::Reverse(gap.frame_words));
        gaps
    }

    fn never(&self, gap: &Gap, said_words: usize) -> Option<Match> {
        let is_in = |never: &Never| {
            let say = Words::new(&never.say);
            if said_words > gap.frame_words + say.iter().count() {
                return false;
            }
            let says = |range: &Range<usize>| same_words(gap.words, range.clone(), &say);
            gap.candidates().iter().any(says)
        };
        let never = self.item.never.iter().find(|never| is_in(never))?;
        let mut found = Match::new(How::None, gap.alignment.pieces().to_vec());
        found.difference = match never.instead.as_deref().and_then(|line| Target::parse(line).ok()) {
            Some(line) => self.align(&line.phrases()[0]).0.into_pieces(),
            None => Vec::new(),
        };
        found.right = never.instead.clone();
        Some(found)
    }

    fn takes(&self, gap: &Gap) -> bool {
        match self.item.takes {
            Takes::Anything => true,
            Takes::Fillers => self.item.fill.is_empty() || !is_checkable(gap.slots, self.item),
            Takes::Names => {
                let is_named = |slot: &Range<usize>| self.is_name(gap.words, slot.clone());
                gap.alignment.slots().iter().all(is_named) && !self.has_wrong_choice(gap)
            }
        }
    }

    /// Whether the words look like a name: none is a number or a word of the pack, and the first and the last of
    /// several begin with capitals, if the learner writes any.
    fn is_name(&self, words: &Words, range: Range<usize>) -> bool {
        let parts: Vec<&str> = words_in(words, range).map(|(_, word)| word).collect();
        let is_other = |word: &&str| {
            word.contains(char::is_numeric) || self.lore.words.contains(&spelled(word, &self.lore.language))
        };
        let has_capital = |word: &str| word.starts_with(char::is_uppercase);
        let writes_capitals = !self.heard.is_spoken() && words.iter().any(|(word, _)| has_capital(word));
        let ends = [parts.first(), parts.last()].into_iter().flatten();
        let is_written_so = parts.len() == 1
            || !writes_capitals
            || ends.clone().all(|word| has_capital(word) || !word.starts_with(char::is_lowercase));
        parts.len() <= MAX_NAME_WORDS && !parts.iter().any(is_other) && is_written_so
    }

    /// Whether the gap has a filler that belongs to another choice.
    fn has_wrong_choice(&self, gap: &Gap) -> bool {
        let is_in = |filler: &Filler| {
            let say = Words::new(&filler.say);
            gap.candidates().into_iter().any(|range| same_words(gap.words, range, &say))
        };
        self.item.fill.iter().any(|filler| !filler.fits(gap.reading) && is_in(filler))
    }

    /// Finds a longer filler in a wrong form that begins with the one that was said: “Un thé à lait” contains “Un
    /// thé”.
    fn longer_form(&self, said: &Line, gaps: &[Gap], lines: &[Line<'a>]) -> Option<Match> {
        let beginning = folded(&said.filler?.say) + " ";
        let is_longer = |filler: &Filler| folded(&filler.say).starts_with(&beginning);
        // A filler with as many words and the same last word: only the words between are wrong.
        let is_as_long = |filler: &Filler, words: &Words, range: Range<usize>| {
            let own = Words::new(&filler.say);
            let last =
                words_in(words, range.clone()).last().map(|(at, _)| words.letters(at..words.word_end(at)));
            own.iter().count() == words_in(words, range).count()
                && own.iter().last().map(|(_, it)| it) == last
        };
        let is_meant = |line: &&Line| {
            line.filler.filter(|filler| is_longer(filler)).is_some_and(|filler| {
                let is_form = |gap: &Gap, range: Range<usize>| {
                    is_as_long(filler, gap.words, range.clone())
                        && self.is_form_of(filler, gap.words, range, false)
                };
                gaps.iter().any(|gap| gap.candidates().into_iter().any(|range| is_form(gap, range)))
            })
        };
        let longer: Vec<&Line> = lines.iter().filter(is_meant).collect();
        let is_right = longer.iter().any(|line| self.is_said(&line.reading));
        let line = longer.iter().find(|line| line.frame == said.frame).filter(|_| !is_right)?;
        Some(self.wrong(line))
    }

    /// Finds a filler right after a choice that belongs to another one, wherever it is: in “Eine Kaffee und ein Bier,
    /// bitte”, the right half does not help the wrong one.
    fn wrong_choice(&self, lines: &[Line]) -> Option<Match> {
        let words = self.heard.words();
        let picked = self.readings().filter_map(|(_, reading)| Some((reading, choice_before_gap(reading)?)));
        let readings: Vec<(&Reading, &Pick)> = picked.collect();
        let frames = |filler: &Filler, choice: &str| {
            readings.iter().any(|(reading, pick)| pick.taken == choice && filler.fits(reading))
        };
        let is_choice = |letters: &str| readings.iter().any(|(_, pick)| pick.taken == letters);
        let is_right = |say: &str, choice: &str| {
            self.item.fill.iter().any(|filler| folded(&filler.say) == say && frames(filler, choice))
        };
        let is_wrong = |filler: &&Filler| {
            let say = folded(&filler.say);
            let wrong = |(before, at): (usize, usize)| {
                let choice = words.letters(before..at);
                is_choice(choice) && self.begins(filler, words, at) && !is_right(&say, choice)
            };
            (1..words.len()).map(|at| (at - 1, at)).any(wrong)
        };
        let filler = self.item.fill.iter().find(is_wrong)?;
        let line = lines.iter().find(|line| line.filler.is_some_and(|it| std::ptr::eq(it, filler)))?;
        Some(self.wrong(line))
    }

    /// Whether a filler begins here, perhaps with a slip if it is one word.
    fn begins(&self, filler: &Filler, words: &Words, at: usize) -> bool {
        match Word::all_in(&filler.say).as_slice() {
            [word] => {
                let end = words.word_end(at);
                words.letters(at..end) == word.letters || self.ear().is_slip(word, words, at..end)
            }
            _ => Phrase::new(&filler.say).is_some_and(|say| words.starts_with(&say, at).is_some()),
        }
    }

    fn wrong(&self, line: &Line) -> Match {
        let difference = self.align(&line.reading).0.into_pieces();
        Match { right: Some(line.reading.text.clone()), ..Match::new(How::None, difference) }
    }

    /// Finds a filler that the pack knows, with other small words around it or beside another choice.
    fn wrong_form(&self, gaps: &[Gap], lines: &[Line<'a>]) -> Option<Match> {
        for with_slip in [false, true] {
            for gap in gaps {
                let mut fillers: Vec<&Filler> = self.item.fill.iter().collect();
                fillers.sort_by_key(|filler| {
                    std::cmp::Reverse(filler.content().map_or(0, |word| word.letter_count))
                });
                let is_meant = |filler: &&Filler| {
                    gap.candidates()
                        .into_iter()
                        .any(|range| self.is_form_of(filler, gap.words, range, with_slip))
                };
                let Some(filler) = fillers.into_iter().find(is_meant) else { continue };
                let of_filler = |line: &&Line| line.filler.is_some_and(|it| std::ptr::eq(it, filler));
                let line = lines
                    .iter()
                    .filter(of_filler)
                    .min_by_key(|line| (line.frame != gap.frame, line.frame))?;
                return Some(self.wrong(line));
            }
        }
        None
    }

    fn is_form_of(&self, filler: &Filler, words: &Words, range: Range<usize>, with_slip: bool) -> bool {
        let own: HashSet<String> =
            Words::new(&filler.say).iter().map(|(_, letters)| letters.to_owned()).collect();
        let is_known = |(at, _): (usize, &str)| {
            let letters = words.letters(at..words.word_end(at));
            own.contains(letters)
                || self.lore.forms.contains(letters)
                || self.finds(filler, words, at..words.word_end(at), with_slip)
        };
        self.finds(filler, words, range.clone(), with_slip) && words_in(words, range).all(is_known)
    }
}

/// An answer that fits a frame, and the content of its first gap.
struct Gap<'a, 'w> {
    frame: usize,
    frame_words: usize,
    reading: &'a Reading,
    alignment: Alignment,
    words: &'w Words<'w>,
    first: Range<usize>,
    is_last: bool,
    slots: usize,
}

impl Gap<'_, '_> {
    /// Returns the ranges that the gap may cover. If the frame ends with the gap, more words may belong to it.
    fn candidates(&self) -> Vec<Range<usize>> {
        let mut ends = vec![self.first.end];
        while self.is_last && ends.len() < MAX_SLOT_WORDS && ends[ends.len() - 1] < self.words.len() {
            ends.push(self.words.word_end(ends[ends.len() - 1]));
        }
        ends.into_iter().map(|end| self.first.start..end).collect()
    }
}

impl Filler {
    /// Whether the choices in the reading belong to the filler.
    fn fits(&self, reading: &Reading) -> bool {
        let with: Vec<String> = self.with.iter().map(|word| folded(word)).collect();
        reading.picks.iter().all(|pick| {
            let is_bound = pick.among.iter().any(|choice| with.contains(choice));
            !is_bound || with.contains(&pick.taken)
        })
    }

    /// Returns the longest word, which carries the meaning.
    fn content(&self) -> Option<Word> {
        Word::all_in(&self.say).into_iter().rev().max_by_key(|word| word.letter_count)
    }
}

/// Returns the choice that stands right before the first gap.
fn choice_before_gap(reading: &Reading) -> Option<&Pick> {
    let gap = reading.steps.iter().position(|step| *step == Step::Slot)?;
    match reading.steps.get(gap.checked_sub(1)?)? {
        Step::Word(word) => reading.picks.iter().find(|pick| pick.taken == word.letters),
        Step::Slot => None,
    }
}

/// Returns the words that make forms.
fn forms(items: &[Item]) -> HashSet<String> {
    let mut beside: HashMap<String, HashSet<&str>> = HashMap::new();
    for item in items {
        for filler in &item.fill {
            let content = filler.content().map(|word| word.letters);
            for (_, letters) in
                Words::new(&filler.say).iter().filter(|(_, it)| Some(*it) != content.as_deref())
            {
                beside.entry(letters.to_owned()).or_default().insert(&item.id);
            }
        }
    }
    let targets = items.iter().flat_map(|item| std::iter::once(&item.target).chain(&item.other_ways));
    let picks = targets.flat_map(|target| target.phrases()).flat_map(|reading| &reading.picks);
    let choices = picks.flat_map(|pick| pick.among.iter().cloned());
    let shared = beside.into_iter().filter(|(_, items)| items.len() > 1).map(|(word, _)| word);
    choices.chain(shared).collect()
}

pub(super) fn folded(text: &str) -> String {
    Words::new(text).iter().map(|(_, letters)| letters.to_owned()).collect::<Vec<_>>().join(" ")
}

fn right(frame: usize, how: How, difference: Vec<Piece>) -> Match {
    Match { is_other_way: frame > 0, ..Match::new(how, difference) }
}

fn is_checkable(slots: usize, item: &Item) -> bool {
    !item.fill.is_empty() && item.fill.len().checked_pow(slots as u32).is_some_and(|lines| lines <= MAX_LINES)
}

fn words_in<'w>(words: &'w Words<'w>, range: Range<usize>) -> impl Iterator<Item = (usize, &'w str)> {
    let starts = std::iter::successors(Some(range.start), move |at| Some(words.word_end(*at)));
    starts.take_while(move |at| *at < range.end).map(|at| (at, words.source(at..words.word_end(at))))
}

fn same_words(words: &Words, range: Range<usize>, say: &Words) -> bool {
    let said = words_in(words, range).map(|(at, _)| words.letters(at..words.word_end(at)));
    said.eq(say.iter().map(|(_, letters)| letters))
}

/// Returns the result for an answer that cannot be checked, with a line that can be checked.
fn unchecked(gaps: &[Gap], lines: &[Line]) -> Match {
    let frame = gaps.first().map(|gap| gap.frame);
    let line = lines.iter().find(|line| Some(line.frame) == frame).or(lines.first());
    Match { right: line.map(|line| line.reading.text.clone()), ..Match::new(How::Unchecked, Vec::new()) }
}

fn missed(line: &Line, alignment: Alignment) -> Match {
    let found = Match::new(How::None, alignment.into_pieces());
    let right = found.is_near().then(|| line.reading.text.clone());
    Match { right, ..found }
}
