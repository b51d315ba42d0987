//! Shows and hears things at a learner's place in the terminal.

use super::aloud::is_spoken;
use super::page::{self, Item};
use super::typed::{QUESTION, Reader};
use super::{Held, Seat, plain, pretty};
use crate::cli::screen::Look;
use crate::cli::screen::terminal::{Heard, Line};
use crate::cli::words::{self, Now, Voice};
use coaching::desk::{Block, Form, Role};
use coaching::face::{Does, Verb};
use coaching::grade::MAX_ANSWER_CHARS;
use coaching::text::MAX_HEARD_CHARS;
use coaching::words::Text;
use serde_json::{Value, json};
use shell::engine::failure::Failure;
use shell::engine::view::Answer;
use std::time::Duration;

/// How long work may take before the terminal says that it is waiting.
const AT_ONCE: Duration = Duration::from_millis(700);
/// The mark that opens and closes an answer of several lines.
const FENCE: &str = "```";
/// The line that ends a pasted program.
const END_OF_PROGRAM: &str = ".";
/// The longest timer, in milliseconds, that is about a silent learner. A later one is about an absent learner.
const SILENCE_MS: i64 = 3_600_000;

/// How long a law waits in the present state, and the event that it takes afterwards.
pub(super) struct Patience {
    pub lasts: Duration,
    pub event: String,
}

impl Seat<'_> {
    pub(crate) fn note(&mut self, text: Text) {
        self.show(&[Item::Note(text)]);
    }

    /// Shows items together, so that nothing comes between them.
    pub(crate) fn show(&mut self, items: &[Item]) {
        let text = self.text(items);
        self.screen.print(&text);
    }

    /// Shows items a screenful at a time. Output that is not a terminal is not paged.
    async fn show_in_pages(&mut self, items: &[Item]) {
        let text = self.text(items);
        let pages = self.screen.pages(&text);
        let last = pages.len().saturating_sub(1);
        for (at, page) in pages.iter().enumerate() {
            self.screen.print(page);
            if at == last || self.ahead.is_some() {
                continue;
            }
            let more = self.text(&[Item::Prompt(words::more())]);
            self.screen.print(&more);
            let you = self.voice.say(&words::label_you());
            self.ahead = match self.screen.hear(&you, None).await {
                Heard::Line(line) if line.text.trim().is_empty() => None,
                // Typed text is not lost: it counts as the answer to the question at the end.
                typed => Some(typed),
            };
        }
    }

    pub(crate) async fn close(self) {
        let last_words = self.text(&[Item::Note(words::press_enter())]);
        self.screen.close(&last_words).await;
    }

    fn text(&self, items: &[Item]) -> String {
        text(items, self.screen.look(), &self.voice)
    }

    pub(super) fn welcome(&mut self, held: &Held) {
        let welcome = if self.aloud.is_some() { words::welcome_aloud } else { words::welcome };
        self.show(&[Item::Title(welcome(held.desk.title.clone()))]);
    }

    pub(super) async fn show_turn(&mut self, held: &mut Held, mut answer: Answer) {
        if self.aloud.is_none() {
            self.print_json(|| json!(answer));
        }
        if held.ends_at_heading && held.view.outcome.is_some() {
            let heading = answer.said.iter().position(|line| line.role == Role::Heading);
            answer.said.truncate(heading.unwrap_or(answer.said.len()));
        }
        self.begin_steps(held);
        let verdict = page::verdict(&answer.said, &held.desk);
        if !verdict.is_empty() {
            self.verdict = verdict;
        }
        let mut items = page::turn(&answer.said, held.seen.as_ref(), &held.desk);
        // The question waits until the learner has looked at the steps.
        items.retain(|item| held.at_step.is_none() || !matches!(item, Item::Ask(_)));
        let place = page::end_of_mark(&items);
        items.splice(place..place, self.news(&answer, held));
        if self.aloud.is_some() {
            let said = (!answer.said.is_empty()).then_some(answer.said.as_slice());
            items.retain(|item| !is_spoken(item, said));
            held.unsaid.append(&mut answer.said);
        }
        self.show_in_pages(&items).await;
        held.seen = Some(held.desk.clone());
    }

    pub(super) async fn show_whole(&mut self, held: &mut Held) -> Result<(), Failure> {
        let mut items = page::whole(&held.desk);
        match self.aloud {
            Some(_) => items.retain(|item| !is_spoken(item, None)),
            None => self.print_json(|| json!(held.view)),
        }
        self.show_in_pages(&items).await;
        if let Some(Form::Wait { until: Some(until) }) = held.form() {
            let now = Now::of(self.app, &held.view.learner).await?;
            self.note(words::waits_until(now.until(until.as_microsecond())));
        }
        held.seen = Some(held.desk.clone());
        Ok(())
    }

    /// Prints one line of JSON, if the output is for programs.
    fn print_json(&mut self, value: impl FnOnce() -> Value) {
        if self.screen.look() == Look::Json {
            let mut value = value();
            self.app.words.translate_json(&self.voice.language, &mut value);
            self.screen.print(&format!("{value}\n"));
        }
    }

    pub(super) fn reader<'h>(&'h self, held: &'h Held) -> Reader<'h> {
        Reader { desk: &held.desk, face: &held.face, reserved: &self.reserved }
    }

    /// Notes the verbs that this mark has made available.
    fn news(&self, answer: &Answer, held: &Held) -> Vec<Item> {
        let is_marked = answer.said.iter().any(|line| line.role == Role::Feedback) && !held.is_menu();
        let Some(before) = held.seen.as_ref().filter(|_| is_marked) else { return Vec::new() };
        let is_new = |verb: &&Verb| before.verbs.iter().all(|offer| offer.name != verb.name);
        let reader = self.reader(held);
        let verbs = reader.offered().filter(is_new);
        let verbs = verbs.filter(|verb| matches!(verb.does, Does::Acts(_)) && !held.is_answer(verb));
        let note = |verb: &'static Verb| Some(words::key(self.called(verb)?, held.offer(verb)?.help.clone()));
        verbs.filter_map(note).map(Item::Note).collect()
    }

    /// Shows the possible actions, if nothing is asked.
    pub(super) fn prompt(&mut self, held: &Held, offer: Option<Text>) {
        if !held.is_menu() {
            return;
        }
        let title = |verb: &Verb| held.offer(verb).map(|offer| offer.title.clone());
        let reader = self.reader(held);
        let entered = reader.answer().and_then(title).map(words::enter).or(offer);
        let others = reader.offered().filter(|verb| !held.is_answer(verb));
        let others = others.filter(|verb| !matches!(verb.does, Does::Ends(_)));
        let others = others.filter_map(|verb| Some(words::key(self.called(verb)?, title(verb)?)));
        let keys: Vec<String> = entered.into_iter().chain(others).map(|text| self.voice.say(&text)).collect();
        self.show(&[Item::Prompt(keys.join(" · ").into())]);
    }

    /// Returns the word for a verb in the learner's language, if the verb can be typed.
    fn called(&self, verb: &Verb) -> Option<String> {
        (!verb.typed.is_empty()).then(|| verb.called(&self.voice.language)).into_iter().flatten().next()
    }

    pub(super) fn help(&mut self, held: &Held) {
        let typed = |verb: &Verb| match (verb.typed, held.form()) {
            (_, Some(Form::Read)) if held.is_answer(verb) => self.voice.say(&words::key_enter()),
            (_, _) if held.is_answer(verb) => "…".to_owned(),
            ([QUESTION, ..], _) => "? …".to_owned(),
            _ => verb.called(&self.voice.language).join(", "),
        };
        let reader = self.reader(held);
        let mut offered: Vec<&Verb> = reader.offered().collect();
        offered.sort_by_key(|verb| !held.is_answer(verb));
        let entry = |verb: &Verb| Some((typed(verb), held.offer(verb)?.help.clone()));
        let mut entries: Vec<(String, Text)> = offered.into_iter().filter_map(entry).collect();
        let mut add = |name: Text, help: Text| entries.push((self.voice.say(&name), help));
        match held.form() {
            Some(Form::Program { .. }) => add(END_OF_PROGRAM.into(), words::help_program()),
            Some(Form::Say) => {}
            _ if held.is_menu() => {}
            _ => add("… \\".into(), words::help_lines()),
        }
        add(words::key_again(), words::help_again());
        if !self.verdict.is_empty() || !page::marks(self.marked.as_ref().unwrap_or(&held.desk)).is_empty() {
            add(words::key_why(), words::help_why());
        }
        add(words::key_quit(), words::help_quit());
        add("?".into(), words::help_help());
        self.show(&[Item::List { title: words::commands(), entries }]);
    }

    /// Waits for work to end, and says so if it takes long.
    pub(super) async fn wait<T>(&mut self, what: &Text, work: impl Future<Output = T>) -> T {
        let mut work = std::pin::pin!(work);
        tokio::select! {
            done = &mut work => return done,
            () = tokio::time::sleep(AT_ONCE) => self.note(what.clone()),
        }
        work.await
    }

    /// Hears what the learner types. A line that ends with a backslash continues on the next one, and so does a
    /// line that opens a block of code without closing it. A spoken line stays a single line.
    pub(super) async fn hear(&mut self, held: &mut Held, patience: Option<Duration>) -> Heard {
        if let Some(typed) = self.ahead.take() {
            return typed;
        }
        let is_say = held.form() == Some(&Form::Say);
        if matches!(held.form(), Some(Form::Program { .. })) {
            return self.hear_program(held, patience).await;
        }
        let most = if is_say { MAX_HEARD_CHARS } else { MAX_ANSWER_CHARS };
        let you = self.voice.say(&words::label_you());
        let mut text = String::new();
        loop {
            let mut line = match self.screen.hear(&you, patience).await {
                Heard::Line(line) => line,
                other => return other,
            };
            if is_say {
                line.text = line.text.replace('\n', " ");
            }
            let room = most.saturating_sub(text.chars().count());
            let is_long = line.was_cut || line.text.chars().count() > room;
            if is_long {
                self.note(words::cut(most));
            }
            if line.was_unreadable {
                self.note(words::not_text());
            }
            text.extend(line.text.chars().take(room));
            let is_in_code = text.matches(FENCE).count() % 2 == 1;
            if let Some(begun) = text.strip_suffix('\\').filter(|_| !is_in_code && !is_say) {
                text = format!("{begun}\n");
            } else if is_in_code && !is_long && !is_say {
                text.push('\n');
            } else {
                line.text = if text.contains(FENCE) { text } else { text.trim().to_owned() };
                return Heard::Line(line);
            }
        }
    }

    /// Hears a command on one line, or a program: lines up to one with a single dot, or between fences. A program
    /// that was begun before can be continued.
    async fn hear_program(&mut self, held: &mut Held, patience: Option<Duration>) -> Heard {
        let you = self.voice.say(&words::label_you());
        let (mut text, mut is_fenced) = (String::new(), false);
        if let Some(lines) = &held.begun {
            let code = Block::Code { language: String::new(), text: lines.clone() };
            self.show(&[Item::Note(words::program_begun()), Item::Block(code)]);
        }
        loop {
            let line = match self.screen.hear(&you, patience).await {
                Heard::Line(line) => line,
                Heard::End if !text.is_empty() && !self.screen.is_looked_at() => break,
                other => {
                    if !text.is_empty() {
                        held.begun = Some(text);
                    }
                    return other;
                }
            };
            if line.was_cut || line.was_unreadable {
                self.note(words::not_text());
            }
            if let Some(lines) = held.begun.take_if(|_| line.text.trim().is_empty()) {
                text = lines;
                continue;
            }
            let is_pasted = line.text.contains('\n');
            if text.is_empty() && !is_fenced && !is_pasted && self.reader(held).is_command(&line.text) {
                return Heard::Line(line);
            }
            held.begun = None;
            let is_begun = !text.is_empty() || is_fenced;
            let mut is_over = false;
            for line in line.text.split('\n') {
                let is_fence = line.trim_start().starts_with(FENCE);
                is_over = line.trim() == END_OF_PROGRAM || is_fence && is_fenced;
                if is_over {
                    break;
                }
                if is_fence && text.is_empty() {
                    is_fenced = true;
                    continue;
                }
                text += line;
                text.push('\n');
            }
            if is_over {
                break;
            }
            if !is_begun && !is_fenced && self.screen.is_looked_at() {
                self.note(words::program_ends());
            }
        }
        Heard::Line(Line { text, was_cut: false, was_unreadable: false })
    }

    fn is_timed(&self) -> bool {
        // Silence means nothing on a pipe.
        self.screen.is_looked_at() && (self.options.timed || self.options.patience.is_some())
    }

    /// Returns how long the learner may be silent, if that is limited. The wait starts when the learner sees
    /// the desk, so a flow that is resumed a day later is not late.
    pub(super) async fn patience(&self, held: &Held) -> Result<Option<Patience>, Failure> {
        if !self.is_timed() {
            return Ok(None);
        }
        let placed = self.app.load(&held.view.id).await?;
        let first = placed.machine.timers(placed.at.state).iter().min_by_key(|after| after.millis);
        let own = self.options.patience.map(Duration::from_secs);
        Ok(first.map(|after| Patience {
            lasts: own.unwrap_or(Duration::from_millis(after.millis)),
            event: placed.machine.event_name(after.event).to_owned(),
        }))
    }

    /// Removes silence timers unless the learner wants them. Leaving the keyboard is not a failure, but a
    /// server on the same database would fire them.
    pub(super) async fn disarm(&self, held: &Held) -> Result<(), Failure> {
        if self.is_timed() { Ok(()) } else { self.drop_timers(held).await }
    }

    pub(super) async fn drop_timers(&self, held: &Held) -> Result<(), Failure> {
        let soon = self.app.clock.now().plus_ms(SILENCE_MS);
        for timer in self.app.store.timers(&held.view.id).await? {
            if timer.due_at <= soon {
                self.app.store.discard_timer(&timer).await?;
            }
        }
        Ok(())
    }
}

/// Draws items as they look on this kind of screen.
pub(super) fn text(items: &[Item], look: Look, voice: &Voice<'_>) -> String {
    let text = |item: &Item| match look {
        Look::Json => String::new(),
        Look::Plain => plain::lines(item, voice),
        Look::Pretty { columns, colours } => pretty::Canvas { columns, colours, voice }.lines(item),
    };
    items.iter().map(text).collect()
}
