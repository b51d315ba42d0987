//! One flow in somebody's hands, whichever it is: its desk is shown, and what is typed becomes a verb.
//!
//! Everything goes through the turn loop on the local database. What was answered is saved, and a flow can be begun here,
//! continued over HTTP or by an assistant, and ended here.

pub(crate) mod markdown;
mod page;
mod plain;
pub(crate) mod pretty;
mod typed;

use super::config::Config;
use super::screen::terminal::Heard;
use super::screen::{Look, Screen};
use super::words::{self, Now, Voice};
use crate::engine::app::App;
use crate::engine::failure::Failure;
use crate::engine::turn::{self, Opening, Request};
use crate::engine::view::{Answer, View};
use crate::engine::worker;
use crate::learners::command_line::ME;
use crate::learners::profiles;
use clap::Args;
use clap::builder::NonEmptyStringValueParser;
use coaching::desk::{Block, Desk, Form, Line, Offer, Role};
use coaching::face::{Does, Face, Given, Verb};
use coaching::grade::{MAX_ANSWER_CHARS, UNCLEAR};
use coaching::text::MAX_HEARD_CHARS;
use coaching::turn::Source;
use coaching::words::Text;
use serde_json::{Map, Value, json};
use std::time::Duration;
use store::Filter;
use typed::{QUESTION, Reader, Typed};

pub(crate) use page::Item;

const MAX_COLUMNS: usize = 88;
/// What takes longer than this is said to take long.
const AT_ONCE: Duration = Duration::from_millis(700);
/// What opens and closes an answer of several lines.
const FENCE: &str = "```";
/// Timers that fire later than this are not about a learner who is silent, but about one who has gone.
const SILENCE_MS: i64 = 3_600_000;
/// How many open flows of one learner are looked through.
const MAX_OPEN: usize = 1_000;

/// The options of every command that holds a flow.
#[derive(Debug, Clone, Args)]
pub(crate) struct Options {
    /// Who learns
    #[arg(long, global = true, value_name = "NAME", default_value = ME, value_parser = NonEmptyStringValueParser::new())]
    pub learner: String,
    /// For screen readers and pipes: no colours, no line editing, every line says what it is. The default where there
    /// is no terminal
    #[arg(long, global = true)]
    pub plain: bool,
    /// The language to speak [default: that of your profile, else of what you learn, else of your system]
    #[arg(long, global = true, visible_alias = "lang", value_name = "LANGUAGE", value_parser = ["en", "de"])]
    pub language: Option<String>,
    /// Let silence count, as it does in a spoken session [default: the coach waits as long as it takes]
    #[arg(long, global = true)]
    pub timed: bool,
    /// Let silence count after so many seconds
    #[arg(long, global = true, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(1..=3600))]
    pub patience: Option<u64>,
}

impl Options {
    pub(crate) async fn voice<'a>(
        &self,
        app: &'a App,
        desk: Option<&str>,
        config: &Config,
    ) -> Result<Voice<'a>, Failure> {
        Voice::of(app, config, &self.learner, self.language.as_deref(), desk).await
    }
}

/// Where a learner sits: before a screen, with somebody who speaks their language.
pub(crate) struct Seat<'a> {
    pub app: &'a App,
    pub voice: Voice<'a>,
    config: &'a Config,
    options: &'a Options,
    screen: Screen,
    /// The words by which verbs of any flow are called.
    reserved: Vec<&'static str>,
}

/// A flow that is open or has just ended.
#[derive(Debug)]
pub(crate) struct Held {
    pub view: View,
    desk: Desk,
    face: Face,
    /// What goes with every answer.
    pub with: Map<String, Value>,
    /// Whether the turn that ends it is shown only up to a heading: what comes then belongs to another flow.
    pub ends_at_heading: bool,
    /// The desk that the learner has seen last.
    seen: Option<Desk>,
}

impl Held {
    fn stand(&mut self, view: View) {
        self.desk = view.desk.clone().unwrap_or_default();
        self.view = view;
    }

    /// The verb that begins it, if it has not begun yet.
    fn beginning(&self) -> Option<&'static Verb> {
        let verb = self.face.begins()?;
        self.view.allowed.iter().any(|event| Some(event.as_str()) == verb.event()).then_some(verb)
    }

    fn form(&self) -> Option<&Form> {
        self.desk.ask.as_ref().map(|ask| &ask.form)
    }

    /// Whether the learner chooses what to do next, because nothing is asked.
    fn is_menu(&self) -> bool {
        matches!(self.form(), None | Some(Form::Read | Form::Wait { .. }))
    }

    fn is_answer(&self, verb: &Verb) -> bool {
        self.desk.ask.as_ref().is_some_and(|ask| ask.verb == verb.name)
    }

    fn offer(&self, verb: &Verb) -> Option<&Offer> {
        self.desk.verbs.iter().find(|offer| offer.name == verb.name)
    }
}

/// Why a flow is no longer held.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum End {
    /// It is over.
    Over,
    /// It can be continued another time.
    Left,
    /// It waits, and the learner wants to do what was offered meanwhile.
    Meanwhile,
}

/// What a learner can do while a flow waits, said as a prompt.
pub(crate) type Meanwhile = fn(&View) -> Option<Text>;

impl<'a> Seat<'a> {
    pub(crate) async fn take(
        app: &'a App,
        options: &'a Options,
        config: &'a Config,
    ) -> Result<Seat<'a>, Failure> {
        let (zone, now) = (config.time_zone.as_deref(), app.clock.now());
        profiles::at_home(&app.store, &options.learner, zone, now).await?;
        let faces = app.flows.entries().filter_map(|entry| entry.face);
        let reserved = faces.flat_map(|face| face.verbs).flat_map(|verb| verb.typed).copied().collect();
        let screen = Screen::new(config, options.plain, MAX_COLUMNS, MAX_ANSWER_CHARS);
        Ok(Seat { app, voice: options.voice(app, None, config).await?, config, options, screen, reserved })
    }

    /// Takes up the newest open flow that is the one, or opens it. With `anew`, open ones are ended first.
    pub(crate) async fn sit_down(
        &mut self,
        opening: Opening,
        anew: bool,
        has_wishes: bool,
        is_it: impl Fn(&View) -> bool,
    ) -> Result<Held, Failure> {
        let (mut views, stuck) = open_flows(self.app, &self.options.learner, &opening.flow).await?;
        views.retain(is_it);
        if let Some(failure) = stuck.first().filter(|_| views.is_empty()) {
            self.note(words::cannot_go_on(failure.to_string()));
        }
        for view in views.iter().filter(|_| anew) {
            end(self.app, view).await?;
            self.note(words::left_the_old());
        }
        match views.first().filter(|_| !anew) {
            Some(view) => {
                let notes = [Some(words::goes_on()), has_wishes.then(words::only_for_new)];
                self.take_up(&view.id, notes.into_iter().flatten()).await
            }
            None => self.open(opening, words::thinking()).await,
        }
    }

    /// Opens a flow and begins it.
    pub(crate) async fn open(&mut self, opening: Opening, meanwhile: Text) -> Result<Held, Failure> {
        let learner = self.options.learner.clone();
        let opened = turn::open(self.app, Opening { learner, ..opening });
        let answer = self.wait(&meanwhile, opened).await?;
        let mut held = self.hold_of(answer.view.clone()).await?;
        self.welcome(&held);
        if held.beginning().is_none() {
            self.show_turn(&mut held, answer);
        }
        self.begin(&mut held).await?;
        Ok(held)
    }

    /// Takes up a flow that was left. If it waits for a model, the model is asked now.
    pub(crate) async fn take_up(
        &mut self,
        id: &str,
        notes: impl IntoIterator<Item = Text>,
    ) -> Result<Held, Failure> {
        let app = self.app;
        let view = self.wait(&words::thinking(), resumed(app, app.row(id).await?)).await?;
        let mut held = self.hold_of(view).await?;
        self.welcome(&held);
        notes.into_iter().for_each(|note| self.note(note));
        if !self.begin(&mut held).await? {
            self.show_whole(&mut held).await?;
        }
        Ok(held)
    }

    /// Holds a flow that something else has opened.
    pub(crate) async fn join(&mut self, answer: Answer) -> Result<Held, Failure> {
        let mut held = self.hold_of(answer.view.clone()).await?;
        match answer.repeated {
            true => self.show_whole(&mut held).await?,
            false => self.show_turn(&mut held, answer),
        }
        Ok(held)
    }

    /// Shows what is new on the desk of a flow that another flow may have moved.
    pub(crate) async fn look_again(&mut self, held: &mut Held) -> Result<(), Failure> {
        let view = turn::view_of(&self.app.load(&held.view.id).await?);
        held.stand(view.clone());
        self.show_turn(held, Answer { view, said: Vec::new(), actions: Vec::new(), repeated: false });
        Ok(())
    }

    async fn hold_of(&mut self, view: View) -> Result<Held, Failure> {
        let face = self.app.flows.get(&view.flow).and_then(|entry| entry.face);
        let (Some(face), Some(desk)) = (face, view.desk.clone()) else {
            let reason = "what it shows of itself cannot be read".to_owned();
            return Err(Failure::Broken { id: view.id, reason });
        };
        self.voice = self.options.voice(self.app, desk.language.as_deref(), self.config).await?;
        let held = Held { view, desk, face, with: Map::new(), ends_at_heading: false, seen: None };
        self.disarm(&held).await?;
        Ok(held)
    }

    /// Begins a flow that is open and waits for that. Returns whether it did.
    async fn begin(&mut self, held: &mut Held) -> Result<bool, Failure> {
        let Some(verb) = held.beginning() else { return Ok(false) };
        self.act(held, verb, json!({})).await?;
        Ok(true)
    }

    /// Takes turns until the flow is over, the learner leaves, or does something else while the flow waits.
    pub(crate) async fn hold(&mut self, held: &mut Held, meanwhile: Meanwhile) -> Result<End, Failure> {
        loop {
            if held.view.outcome.is_some() {
                return Ok(End::Over);
            }
            let offer = meanwhile(&held.view);
            let is_waiting = matches!(held.form(), None | Some(Form::Wait { .. }));
            if is_waiting && offer.is_none() && held.desk.verbs.is_empty() {
                self.note(words::waits());
                return Ok(End::Left);
            }
            self.prompt(held, offer.clone());
            let patience = self.patience(held).await?;
            let lasts = patience.as_ref().map(|patience| patience.lasts);
            let line = match self.hear(held, lasts).await {
                Heard::Line(line) => line.text,
                Heard::Silence => {
                    if let Some(Patience { event, .. }) = patience {
                        self.send(held, &event, Value::Null, Source::Timer).await?;
                    }
                    continue;
                }
                Heard::Interrupted | Heard::End => return self.leave(held).await,
            };
            match self.reader(held).read(&line) {
                Typed::Verb(verb, body) => self.act(held, verb, body).await?,
                Typed::Enter if offer.is_some() => return Ok(End::Meanwhile),
                Typed::Enter => self.note(words::nothing_to_do()),
                Typed::Help => self.help(held),
                Typed::Again => self.show_again(held).await?,
                Typed::Why => self.show(&page::why(&held.desk)),
                Typed::Refused(why) => self.note(why),
                Typed::Quit => return self.leave(held).await,
            }
        }
    }

    /// Uses a verb.
    pub(crate) async fn act(&mut self, held: &mut Held, verb: &Verb, mut body: Value) -> Result<(), Failure> {
        if let (Does::Says(_), Some(fields)) = (verb.does, body.as_object_mut()) {
            fields.extend(held.with.clone());
        }
        let fresh = uuid::Uuid::now_v7().to_string();
        let payload = (verb.prepare)(Given { id: &held.view.id, body, fresh: &fresh });
        self.send(held, verb.event().unwrap_or_default(), payload, Source::User).await
    }

    async fn send(
        &mut self,
        held: &mut Held,
        event: &str,
        payload: Value,
        source: Source,
    ) -> Result<(), Failure> {
        let request = Request {
            payload,
            expect_version: Some(held.view.version),
            ..Request::new(&held.view.id, event, source)
        };
        let app = self.app;
        match self.wait(&words::thinking(), turn::take(app, request)).await {
            Ok(answer) => {
                held.stand(answer.view.clone());
                self.disarm(held).await?;
                self.show_turn(held, answer);
            }
            Err(Failure::Conflict { .. }) => {
                held.stand(turn::view_of(&app.load(&held.view.id).await?));
                self.disarm(held).await?;
                self.note(words::moved_on());
                self.show_whole(held).await?;
            }
            Err(Failure::Rejected(rejected)) if rejected.code == UNCLEAR => {
                self.show(&[Item::Block(Block::Line(Line::new(Role::Notice, rejected.cure)))]);
            }
            Err(Failure::Rejected(rejected)) => {
                self.note(words::rejected(rejected.message, rejected.cure));
            }
            Err(failure) => return Err(failure),
        }
        Ok(())
    }

    /// Leaves without ending. Where nothing is left to do but to end, that is what leaving means.
    async fn leave(&mut self, held: &mut Held) -> Result<End, Failure> {
        let is_read = held.form() == Some(&Form::Read);
        let answer = self.reader(held).answer();
        if let Some(verb) = answer.filter(|verb| is_read && matches!(verb.does, Does::Ends(_))) {
            self.act(held, verb, json!({})).await?;
            return Ok(End::Over);
        }
        self.drop_timers(held).await?;
        Ok(End::Left)
    }

    pub(crate) fn note(&mut self, text: Text) {
        self.show(&[Item::Note(text)]);
    }

    /// Shows items together, so that nothing comes between them.
    pub(crate) fn show(&mut self, items: &[Item]) {
        let text = self.text(items);
        self.screen.print(&text);
    }

    pub(crate) async fn close(self) {
        let last_words = self.text(&[Item::Note(words::press_enter())]);
        self.screen.close(&last_words).await;
    }

    fn text(&self, items: &[Item]) -> String {
        let voice = &self.voice;
        let text = |item: &Item| match self.screen.look() {
            Look::Json => String::new(),
            Look::Plain => plain::lines(item, voice),
            Look::Pretty { columns, colours } => pretty::Canvas { columns, colours, voice }.lines(item),
        };
        items.iter().map(text).collect()
    }

    fn welcome(&mut self, held: &Held) {
        self.show(&[Item::Title(words::welcome(held.desk.title.clone()))]);
    }

    fn show_turn(&mut self, held: &mut Held, mut answer: Answer) {
        if self.screen.look() == Look::Json {
            self.app.words.translate(&self.voice.language, &mut answer);
            self.screen.print(&format!("{}\n", json!(answer)));
        }
        if held.ends_at_heading && held.view.outcome.is_some() {
            let heading = answer.said.iter().position(|line| line.role == Role::Heading);
            answer.said.truncate(heading.unwrap_or(answer.said.len()));
        }
        let mut items = page::turn(&answer.said, held.seen.as_ref(), &held.desk);
        let asks = |item: &Item| matches!(item, Item::Progress(_) | Item::Ask(_));
        let place = items.iter().position(asks).unwrap_or(items.len());
        items.splice(place..place, self.news(&answer, held));
        self.show(&items);
        held.seen = Some(held.desk.clone());
    }

    async fn show_whole(&mut self, held: &mut Held) -> Result<(), Failure> {
        if self.screen.look() == Look::Json {
            self.screen.print(&format!("{}\n", json!(held.view)));
        }
        self.show(&page::whole(&held.desk));
        if let Some(Form::Wait { until: Some(until) }) = held.form() {
            let now = Now::of(self.app, &held.view.learner).await?;
            self.note(words::waits_until(now.until(until.as_microsecond())));
        }
        held.seen = Some(held.desk.clone());
        Ok(())
    }

    /// The whole desk, with what the learner is to say: they have forgotten it.
    async fn show_again(&mut self, held: &mut Held) -> Result<(), Failure> {
        let is_there = |word: &str| {
            held.desk
                .blocks
                .iter()
                .any(|block| matches!(block, Block::Line(line) if line.say.plain() == Some(word)))
        };
        let forgotten = held.desk.expected.iter().filter(|word| !is_there(word));
        let hints: Vec<Item> =
            forgotten.map(|word| Item::Block(Block::Line(Line::new(Role::Hint, &**word)))).collect();
        self.show_whole(held).await?;
        self.show(&hints);
        Ok(())
    }

    fn reader<'h>(&'h self, held: &'h Held) -> Reader<'h> {
        Reader { desk: &held.desk, face: &held.face, reserved: &self.reserved }
    }

    /// What can be done about an answer that was marked, if it could not be done before.
    fn news(&self, answer: &Answer, held: &Held) -> Vec<Item> {
        let is_marked = answer.said.iter().any(|line| line.role == Role::Feedback) && !held.is_menu();
        let Some(before) = held.seen.as_ref().filter(|_| is_marked) else { return Vec::new() };
        let is_new = |verb: &&Verb| before.verbs.iter().all(|offer| offer.name != verb.name);
        let reader = self.reader(held);
        let verbs = reader.offered().filter(is_new);
        let verbs = verbs.filter(|verb| matches!(verb.does, Does::Acts(_)) && !held.is_answer(verb));
        let note =
            |verb: &'static Verb| Some(words::key(*verb.typed.first()?, held.offer(verb)?.help.clone()));
        verbs.filter_map(note).map(Item::Note).collect()
    }

    /// What can be done, where nothing is asked.
    fn prompt(&mut self, held: &Held, offer: Option<Text>) {
        if !held.is_menu() {
            return;
        }
        let title = |verb: &Verb| held.offer(verb).map(|offer| offer.title.clone());
        let reader = self.reader(held);
        let entered = reader.answer().and_then(title).map(words::enter).or(offer);
        let others = reader.offered().filter(|verb| !held.is_answer(verb));
        let others = others.filter(|verb| !matches!(verb.does, Does::Ends(_)));
        let others = others.filter_map(|verb| Some(words::key(*verb.typed.first()?, title(verb)?)));
        let keys: Vec<String> = entered.into_iter().chain(others).map(|text| self.voice.say(&text)).collect();
        self.show(&[Item::Prompt(keys.join(" · ").into())]);
    }

    fn help(&mut self, held: &Held) {
        let typed = |verb: &Verb| match (verb.typed, held.form()) {
            (_, Some(Form::Read)) if held.is_answer(verb) => self.voice.say(&words::key_enter()),
            (_, _) if held.is_answer(verb) => "…".to_owned(),
            ([QUESTION, ..], _) => "? …".to_owned(),
            (typed, _) => {
                let words: Vec<&str> = typed.iter().filter(|word| !word.starts_with(':')).copied().collect();
                if words.is_empty() { format!("/{}", verb.name) } else { words.join(", ") }
            }
        };
        let reader = self.reader(held);
        let mut offered: Vec<&Verb> = reader.offered().collect();
        offered.sort_by_key(|verb| !held.is_answer(verb));
        let mut entries: Vec<(String, Text)> = offered
            .into_iter()
            .filter_map(|verb| Some((typed(verb), held.offer(verb)?.help.clone())))
            .collect();
        let mut add = |name: Text, help: Text| entries.push((self.voice.say(&name), help));
        if !held.is_menu() && held.form() != Some(&Form::Say) {
            add("… \\".into(), words::help_lines());
        }
        add(words::key_again(), words::help_again());
        if held.desk.blocks.iter().any(|block| matches!(block, Block::Marks { .. })) {
            add(words::key_why(), words::help_why());
        }
        add(words::key_quit(), words::help_quit());
        add("?".into(), words::help_help());
        self.show(&[Item::List { title: words::commands(), entries }]);
    }

    /// Does something, and says so when it takes long.
    async fn wait<T>(&mut self, what: &Text, work: impl Future<Output = T>) -> T {
        let mut work = std::pin::pin!(work);
        tokio::select! {
            done = &mut work => return done,
            () = tokio::time::sleep(AT_ONCE) => self.note(what.clone()),
        }
        work.await
    }

    /// What the learner types. A line that ends with a backslash continues in the next one, and so does one that opens a
    /// block of code and does not close it; a spoken line is one line.
    async fn hear(&mut self, held: &Held, patience: Option<Duration>) -> Heard {
        let is_say = held.form() == Some(&Form::Say);
        let most = if is_say { MAX_HEARD_CHARS } else { MAX_ANSWER_CHARS };
        let you = self.voice.say(&words::label_you());
        let mut text = String::new();
        loop {
            let mut line = match self.screen.hear(&you, patience).await {
                Heard::Line(line) => line,
                other => return other,
            };
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

    fn is_timed(&self) -> bool {
        // A pipe is not silent.
        self.screen.is_looked_at() && (self.options.timed || self.options.patience.is_some())
    }

    /// How long the learner may be silent. The wait begins when the learner sees the desk, so a flow that is taken up a
    /// day later is not late.
    async fn patience(&self, held: &Held) -> Result<Option<Patience>, Failure> {
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

    /// Whoever is called away from a keyboard has not failed, so no timer of silence stays armed unless the learner
    /// wants it: a server on the same database would fire it.
    async fn disarm(&self, held: &Held) -> Result<(), Failure> {
        if self.is_timed() { Ok(()) } else { self.drop_timers(held).await }
    }

    async fn drop_timers(&self, held: &Held) -> Result<(), Failure> {
        let soon = self.app.clock.now().plus_ms(SILENCE_MS);
        for timer in self.app.store.timers(&held.view.id).await? {
            if timer.due_at <= soon {
                self.app.store.discard_timer(&timer).await?;
            }
        }
        Ok(())
    }
}

/// How long a law waits in the present state, and what it is told then.
struct Patience {
    lasts: Duration,
    event: String,
}

/// The open flows of a learner that can be held here, newest first, and why others cannot. One that somebody speaks
/// with is left to the program that hears them.
pub(crate) async fn open_flows(
    app: &App,
    learner: &str,
    flow: &str,
) -> Result<(Vec<View>, Vec<Failure>), Failure> {
    let (mut views, mut stuck) = (Vec::new(), Vec::new());
    let filter = Filter {
        flow: Some(flow.to_owned()),
        learner: Some(learner.to_owned()),
        open: Some(true),
        ..Filter::default()
    };
    for row in app.store.list(&filter, None, MAX_OPEN).await?.instances {
        match resumed(app, row).await {
            Ok(view) if !is_waiting(&view) => views.push(view),
            Ok(_) => {}
            Err(Failure::Store(error)) => return Err(Failure::Store(error)),
            Err(failure) => stuck.push(failure),
        }
    }
    Ok((views, stuck))
}

/// A flow as it stands. One that was left while a model was asked gets its answer now.
async fn resumed(app: &App, row: store::Instance) -> Result<View, Failure> {
    let view = turn::view_of(&app.place(row).await?);
    if !is_waiting(&view) {
        return Ok(view);
    }
    worker::take_up(app, &view.id).await?;
    Ok(turn::view_of(&app.load(&view.id).await?))
}

fn is_waiting(view: &View) -> bool {
    let ask = view.desk.as_ref().and_then(|desk| desk.ask.as_ref());
    ask.is_some_and(|ask| matches!(ask.form, Form::Wait { until: None }))
}

/// Ends a flow for good without holding it.
pub(crate) async fn end(app: &App, view: &View) -> Result<(), Failure> {
    let face = app.flows.get(&view.flow).and_then(|entry| entry.face);
    let verb = face.and_then(|face| face.verbs.iter().find(|verb| matches!(verb.does, Does::Ends(_))));
    let Some(event) = verb.and_then(Verb::event) else { return Ok(()) };
    match turn::take(app, Request::new(&view.id, event, Source::User)).await {
        Ok(_) | Err(Failure::Over { .. }) => Ok(()),
        Err(failure) => Err(failure),
    }
}
