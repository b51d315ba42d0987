//! Runs any flow in the terminal: shows its desk and turns typed lines into verbs.
//!
//! Every turn goes through the turn loop on the local database, and every answer is saved. A flow can start
//! here, continue over HTTP or in an assistant, and end here.

mod aloud;
mod form;
pub(crate) mod markdown;
mod page;
mod plain;
pub(crate) mod pretty;
mod seat;
mod steps;
mod typed;

use super::config::Config;
use super::output::Done;
use super::screen::Screen;
use super::screen::terminal::Heard;
use super::words::{self, Voice};
use aloud::spoken_event;
use clap::Args;
use clap::builder::NonEmptyStringValueParser;
use coaching::desk::{Block, Desk, Form, Line, Offer, Role};
use coaching::face::{Does, Face, Given, Verb};
use coaching::grade::{MAX_ANSWER_CHARS, UNCLEAR};
use coaching::turn::Source;
use coaching::words::Text;
use form::{Draft, Filled};
use serde_json::{Map, Value, json};
use shell::engine::app::App;
use shell::engine::call;
use shell::engine::failure::Failure;
use shell::engine::turn::{self, Opening, Request};
use shell::engine::view::{Answer, View};
use shell::engine::worker;
use shell::learners::command_line::ME;
use shell::learners::profiles;
use typed::Typed;

pub(crate) use aloud::{Aloud, ByVoice};
pub(crate) use page::Item;

const MAX_COLUMNS: usize = 88;

/// The options of every command that holds a flow.
#[derive(Debug, Clone, Args)]
pub(crate) struct Options {
    /// The learner
    #[arg(long, global = true, value_name = "NAME", default_value = ME, value_parser = NonEmptyStringValueParser::new())]
    pub learner: String,
    /// For screen readers and pipes: no colours, no line editing, every line says what it is. The default where there
    /// is no terminal
    #[arg(long, global = true)]
    pub plain: bool,
    /// The coach's language [default: from your profile, or else from what you learn, or else from your system]
    #[arg(long, global = true, visible_alias = "lang", value_name = "LANGUAGE", value_parser = ["en", "de"])]
    pub language: Option<String>,
    /// Let silence count, as in a spoken session [default: the coach waits]
    #[arg(long, global = true)]
    pub timed: bool,
    /// Let silence count after this many seconds
    #[arg(long, global = true, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(1..=3600))]
    pub patience: Option<u64>,
}

impl Options {
    /// Returns the options for a learner who speaks this language.
    pub(crate) fn of(learner: &str, language: &str) -> Options {
        let (learner, language) = (learner.to_owned(), Some(language.to_owned()));
        Options { learner, plain: false, language, timed: false, patience: None }
    }

    pub(crate) async fn voice<'a>(
        &self,
        app: &'a App,
        desk: Option<&str>,
        config: &Config,
    ) -> Result<Voice<'a>, Failure> {
        Voice::of(app, config, &self.learner, self.language.as_deref(), desk).await
    }

    /// Opens a seat, runs `learn` at it, and closes it.
    pub(crate) async fn sit(
        &self,
        app: &App,
        config: &Config,
        aloud: Option<Aloud>,
        learn: impl AsyncFnOnce(&mut Seat<'_>) -> Result<(), Failure>,
    ) -> Done {
        let mut seat = Seat::take(app, self, config).await?;
        seat.aloud = aloud;
        let learned = learn(&mut seat).await;
        let end = seat.end();
        seat.close().await;
        learned?;
        end
    }
}

/// A learner's place at a terminal: a screen, and the words of their language.
pub(crate) struct Seat<'a> {
    pub app: &'a App,
    pub voice: Voice<'a>,
    config: &'a Config,
    options: &'a Options,
    screen: Screen,
    /// The voice. `None` if the learner types and reads.
    aloud: Option<Aloud>,
    /// The words typed for verbs, of any flow.
    reserved: Vec<&'static str>,
    /// The desk after the last answer, whichever flow it belonged to.
    marked: Option<Desk>,
    /// The feedback on the last answer.
    verdict: Vec<Block>,
    /// A line typed while there was more to read.
    ahead: Option<Heard>,
}

/// A flow that is open or has just ended.
#[derive(Debug)]
pub(crate) struct Held {
    pub view: View,
    desk: Desk,
    face: Face,
    /// Fields that are added to every answer.
    pub with: Map<String, Value>,
    /// Whether to show the final turn only up to a heading, because the rest belongs to another flow.
    pub ends_at_heading: bool,
    /// The desk as the learner last saw it.
    seen: Option<Desk>,
    /// The lines that the voice has yet to say.
    unsaid: Vec<Line>,
    /// The form being filled in.
    draft: Option<Draft>,
    /// The texts typed into a form or a program that was left, by the names of their fields.
    kept: Map<String, Value>,
    /// The lines of a program that was begun and left.
    begun: Option<String>,
    /// The step of a recorded call that the learner is looking at.
    at_step: Option<usize>,
}

impl Held {
    fn stand(&mut self, view: View) {
        self.desk = view.desk.clone().unwrap_or_default();
        self.view = view;
    }

    /// Returns the verb that starts the flow, if it has not started yet.
    fn beginning(&self) -> Option<&'static Verb> {
        let verb = self.face.begins()?;
        self.view.allowed.iter().any(|event| Some(event.as_str()) == verb.event()).then_some(verb)
    }

    fn form(&self) -> Option<&Form> {
        self.desk.ask.as_ref().map(|ask| &ask.form)
    }

    /// Whether the learner chooses the next verb, because nothing is asked.
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

/// The reason why a flow is no longer held.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum End {
    /// The flow is over.
    Over,
    /// The learner left. The flow can be continued another time.
    Left,
    /// The flow waits, and the learner wants to do what was offered meanwhile.
    Meanwhile,
}

/// Returns a prompt for what the learner can do while a flow waits, if there is anything.
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
        let voice = options.voice(app, None, config).await?;
        Ok(Seat {
            app,
            voice,
            config,
            options,
            screen,
            aloud: None,
            reserved,
            marked: None,
            verdict: Vec::new(),
            ahead: None,
        })
    }

    /// Continues the newest open flow that matches, or opens one. With `anew`, ends all open matches first.
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

    /// Opens a flow and starts it.
    pub(crate) async fn open(&mut self, opening: Opening, meanwhile: Text) -> Result<Held, Failure> {
        let learner = self.options.learner.clone();
        let opened = turn::open(self.app, Opening { learner, ..opening });
        let answer = self.wait(&meanwhile, opened).await?;
        let mut held = self.hold_of(answer.view.clone()).await?;
        self.welcome(&held);
        if held.beginning().is_none() {
            self.show_turn(&mut held, answer).await;
        }
        self.begin(&mut held).await?;
        Ok(held)
    }

    /// Continues a flow. If it waits for a model, asks the model now.
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

    /// Holds a flow that was opened elsewhere.
    pub(crate) async fn join(&mut self, answer: Answer) -> Result<Held, Failure> {
        let mut held = self.hold_of(answer.view.clone()).await?;
        match answer.repeated {
            true => self.show_whole(&mut held).await?,
            false => self.show_turn(&mut held, answer).await,
        }
        Ok(held)
    }

    /// Shows the news on the desk of a flow that another flow may have moved.
    pub(crate) async fn look_again(&mut self, held: &mut Held) -> Result<(), Failure> {
        let view = turn::view_of(&self.app.load(&held.view.id).await?);
        held.stand(view.clone());
        self.show_turn(held, Answer::of(view)).await;
        Ok(())
    }

    pub(crate) fn learner(&self) -> &str {
        &self.options.learner
    }

    async fn hold_of(&mut self, view: View) -> Result<Held, Failure> {
        let face = self.app.flows.get(&view.flow).and_then(|entry| entry.face);
        let (Some(face), Some(desk)) = (face, view.desk.clone()) else {
            let reason = "what it shows of itself cannot be read".to_owned();
            return Err(Failure::Broken { id: view.id, reason });
        };
        self.voice = self.options.voice(self.app, desk.language.as_deref(), self.config).await?;
        let with = Map::new();
        let kept = self.kept_draft(&view).await?;
        let begun = form::kept_program(&kept);
        let held = Held {
            view,
            desk,
            face,
            with,
            ends_at_heading: false,
            seen: None,
            unsaid: Vec::new(),
            draft: None,
            kept,
            begun,
            at_step: None,
        };
        self.disarm(&held).await?;
        Ok(held)
    }

    /// Starts a flow that waits for its first verb. Returns whether it did.
    async fn begin(&mut self, held: &mut Held) -> Result<bool, Failure> {
        let Some(verb) = held.beginning() else { return Ok(false) };
        self.act(held, verb, json!({})).await?;
        Ok(true)
    }

    /// Takes turns until the flow is over, or the learner leaves or does something else while the flow waits.
    pub(crate) async fn hold(&mut self, held: &mut Held, meanwhile: Meanwhile) -> Result<End, Failure> {
        loop {
            if held.view.outcome.is_some() {
                return Ok(End::Over);
            }
            if let Some(end) = self.talk(held).await? {
                return Ok(end);
            }
            // Lines shown in writing count as spoken at once.
            if let Some(event) = spoken_event(self.app, &held.view) {
                self.send(held, event, json!({}), Source::User).await?;
                continue;
            }
            let offer = meanwhile(&held.view);
            if offer.is_none() && self.is_stuck(held) {
                self.note(if held.desk.ask.is_some() { words::waits() } else { words::nothing_to_do() });
                return self.leave(held).await;
            }
            match held.at_step {
                Some(_) => self.show_step_keys(),
                None => {
                    self.prompt(held, offer.clone());
                    self.ask_field(held);
                }
            }
            let patience = self.patience(held).await?;
            let lasts = patience.as_ref().map(|patience| patience.lasts);
            let line = match self.hear(held, lasts).await {
                Heard::Line(line) => line.text,
                Heard::Silence => {
                    if let Some(patience) = patience {
                        self.send(held, &patience.event, Value::Null, Source::Timer).await?;
                    }
                    continue;
                }
                Heard::Interrupted | Heard::End => return self.leave(held).await,
            };
            if self.step(held, &line) {
                continue;
            }
            held.begin_draft();
            match self.reader(held).read(&line) {
                Typed::Verb(verb, _) if held.draft.is_some() && held.is_answer(verb) => {
                    self.fill(held, verb, line.trim()).await?;
                }
                Typed::Verb(verb, body) => self.act(held, verb, body).await?,
                Typed::Edit => {
                    let (code, verb) = (self.edit(held).await, self.reader(held).answer());
                    if let (Some(code), Some(verb)) = (code, verb) {
                        self.act(held, verb, json!({ "code": code })).await?;
                    }
                }
                Typed::Enter if offer.is_some() => return Ok(End::Meanwhile),
                Typed::Enter => self.note(words::nothing_to_do()),
                Typed::Help => self.help(held),
                Typed::Again => self.show_whole(held).await?,
                Typed::Why => {
                    self.show(&page::why(self.marked.as_ref().unwrap_or(&held.desk), &self.verdict))
                }
                Typed::Refused(why) => self.note(why),
                Typed::Quit => return self.leave(held).await,
            }
        }
    }

    /// Takes an answer to one field of a form. Uses the verb once the form is complete.
    async fn fill(&mut self, held: &mut Held, verb: &Verb, text: &str) -> Result<(), Failure> {
        match held.draft.as_mut().map(|draft| draft.fill(text)) {
            Some(Filled::Whole(body)) => self.act(held, verb, body).await,
            Some(Filled::NoNumber) => {
                self.note(words::not_a_number());
                Ok(())
            }
            Some(Filled::NoOption) => {
                self.note(words::not_an_option());
                Ok(())
            }
            Some(Filled::Next) | None => Ok(()),
        }
    }

    /// Whether the flow waits for something else and the learner can only end it.
    fn is_stuck(&self, held: &Held) -> bool {
        let is_waiting = matches!(held.form(), None | Some(Form::Wait { .. }));
        is_waiting && self.reader(held).offered().all(|verb| matches!(verb.does, Does::Ends(_)))
    }

    /// Sends a verb to the flow.
    async fn act(&mut self, held: &mut Held, verb: &Verb, mut body: Value) -> Result<(), Failure> {
        if let (Does::Says(_), Some(fields)) = (verb.does, body.as_object_mut()) {
            fields.extend(held.with.clone());
        }
        let fresh = uuid::Uuid::now_v7().to_string();
        let payload = (verb.prepare)(Given { id: &held.view.id, body, fresh: &fresh });
        let (version, marks) = (held.view.version, page::marks(&held.desk));
        self.send(held, verb.event().unwrap_or_default(), payload, Source::User).await?;
        // An objection also changes a mark.
        let is_answer = matches!(verb.does, Does::Says(_)) && held.view.version != version;
        if is_answer || page::marks(&held.desk) != marks {
            self.marked = Some(held.desk.clone());
        }
        Ok(())
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
        let draft = held.draft.take();
        match self.wait(&words::thinking(), turn::take(app, request)).await {
            Ok(answer) => {
                held.stand(answer.view.clone());
                held.kept.clear();
                held.begun = None;
                self.disarm(held).await?;
                self.show_turn(held, answer).await;
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
                held.draft = draft.map(|draft| draft.refused(rejected.code));
                self.note(words::rejected(rejected.message, rejected.cure));
            }
            Err(failure) => return Err(failure),
        }
        Ok(())
    }

    /// Leaves the flow open. If ending it is the only answer left, ends it.
    async fn leave(&mut self, held: &mut Held) -> Result<End, Failure> {
        let is_read = held.form() == Some(&Form::Read);
        let answer = self.reader(held).answer();
        if let Some(verb) = answer.filter(|verb| is_read && matches!(verb.does, Does::Ends(_))) {
            self.act(held, verb, json!({})).await?;
            return Ok(End::Over);
        }
        self.keep_draft(held).await?;
        self.drop_timers(held).await?;
        Ok(End::Left)
    }
}

/// Lists a learner's open flows that can be held here, newest first, and the reasons why others cannot. Leaves
/// out flows that still wait for a model.
pub(crate) async fn open_flows(
    app: &App,
    learner: &str,
    flow: &str,
) -> Result<(Vec<View>, Vec<Failure>), Failure> {
    let (mut views, mut stuck) = (Vec::new(), Vec::new());
    for row in call::open_flows(app, flow, learner).await? {
        match resumed(app, row).await {
            Ok(view) if !is_waiting(&view) || spoken_event(app, &view).is_some() => views.push(view),
            Ok(_) => {}
            Err(Failure::Store(error)) => return Err(Failure::Store(error)),
            Err(failure) => stuck.push(failure),
        }
    }
    Ok((views, stuck))
}

/// Returns the present view of a flow. If the flow was left while it waited for a model, asks the model now.
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
