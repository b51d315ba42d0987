//! Holds any flow by voice: speaks its lines, and takes what the learner says as the answer.

use super::fitting::{ARTICLE_MARGIN, Article, Fit, MARGIN, MAX_OTHERS, fit, heard_article};
use super::law;
use crate::engine::app::App;
use crate::engine::call::prepare;
use crate::engine::failure::Failure;
use crate::engine::turn::{self, Request};
use crate::engine::view::{Answer, View};
use ::voice::Trouble;
use ::voice::ears::{Bounds, Recording};
use ::voice::layers::Layers;
use ::voice::line::{Line as Spoken, Pace};
use coaching::desk::{Ask, Block, Choice, Form, Line, Role};
use coaching::face::Verb;
use coaching::grade::UNCLEAR;
use coaching::rejected::Rejected;
use coaching::text::{Heard, Phrase, Target, Words};
use coaching::turn::Source;
use coaching::voice::intent::{Intent, Topic, stop_word};
use coaching::voice::{max_turns, stop_words, words};
use coaching::words::Text;
use flow::{Machine, Origin, Overrides};
use pulldown_cmark::{Event, Parser, Tag, TagEnd};
use serde_json::{Map, Value, json};
use std::time::{Duration, Instant};

/// The bounds of an answer: how long a learner may think before silence counts, and how long an answer may be.
pub const ANSWER_BOUNDS: Bounds =
    Bounds { wait: None, silence: Duration::from_secs(10), longest: Duration::from_secs(10) };
/// How often in a row the learner is asked to repeat an article before it counts as silence.
const MAX_REPEATS: u64 = 2;
/// The most words of a command where an answer may be a whole text.
const MAX_WORDS_OF_A_COMMAND: usize = 5;
/// The most words of an answer that names an option by its label: "Option b", "I take the second".
const MAX_WORDS_AROUND_A_LABEL: usize = 4;
/// The positions of options in the languages of the coach, as the matcher folds words.
const ORDINALS: [&str; 6] = [
    "first erste ersten erstes",
    "second zweite zweiten zweites",
    "third dritte dritten drittes",
    "fourth vierte vierten viertes",
    "fifth funfte funften funftes",
    "sixth sechste sechsten sechstes",
];
const NUMBERS: [&str; 6] =
    ["1 one eins", "2 two zwei", "3 three drei", "4 four vier", "5 five funf", "6 six sechs"];

/// A flow that is held by voice.
#[expect(missing_debug_implementations, reason = "a closure cannot be shown")]
pub struct Holding<'a> {
    pub app: &'a App,
    pub layers: &'a mut Layers,
    /// The language of the coach, and the language being learned.
    pub language: String,
    pub target_language: String,
    /// Other things that the learner might say, to compare a sound with.
    pub others: Vec<String>,
    /// Whether the last turn is spoken only up to a heading: the lines after it belong to another flow.
    pub ends_at_heading: bool,
    pub log: &'a mut dyn FnMut(Moment<'_>),
}

/// An event while a flow is held.
#[derive(Debug)]
pub enum Moment<'a> {
    Says {
        role: Role,
        text: &'a str,
    },
    Listens,
    Hears {
        text: &'a str,
        ms: u64,
    },
    /// The sound fits the expected words better than the transcript.
    Fits {
        text: &'a str,
        margin: f32,
    },
    Silence,
    /// Something was said, and is being understood.
    Thinks,
    /// The flow has moved by these words; without words, by silence or because its lines have been spoken.
    Takes {
        text: &'a str,
        answer: &'a Answer,
    },
    Troubled {
        trouble: &'a Trouble,
    },
}

/// The reason why a flow is no longer held.
#[derive(Debug)]
pub enum Left {
    Over {
        /// Whether the flow ended because nothing was said.
        in_silence: bool,
    },
    /// The learner said stop, or the input has ended. The flow can be continued.
    Saved,
    /// No answer came for a long time. The flow can be continued.
    Silent,
    /// The flow asks for nothing that can be said.
    Waits,
    Troubled(Trouble),
}

/// A flow while it is held.
struct Held {
    answer: Answer,
    /// The lines that come next.
    said: Vec<Line>,
    /// The law of the loop, which has the stop words and the most silences.
    law: Option<Machine>,
    silences: usize,
    /// How often in a row the learner was asked to repeat an article.
    repeats: u64,
    /// Whether nothing was said, or nothing clear.
    in_silence: bool,
}

/// The reason why a turn broke off.
enum Broken {
    Sound(Trouble),
    Flow(Failure),
}

impl From<Trouble> for Broken {
    fn from(trouble: Trouble) -> Broken {
        Broken::Sound(trouble)
    }
}

impl From<Failure> for Broken {
    fn from(failure: Failure) -> Broken {
        Broken::Flow(failure)
    }
}

impl Holding<'_> {
    /// Holds the flow until it is over, the learner stops, or the sound fails. Everything up to then is saved.
    pub async fn hold(&mut self, answer: Answer) -> Result<(Left, View), Failure> {
        // A session that is resumed begins with the content of its desk.
        let said = if answer.said.is_empty() { standing(&answer.view) } else { told(&answer) };
        let mut held = Held { answer, said, law: law(self.app), silences: 0, repeats: 0, in_silence: false };
        let left = match self.take_turns(&mut held).await {
            Ok(left) => left,
            Err(Broken::Sound(trouble)) => self.broken(trouble),
            Err(Broken::Flow(failure)) => return Err(failure),
        };
        Ok((left, held.answer.view))
    }

    async fn take_turns(&mut self, held: &mut Held) -> Result<Left, Broken> {
        self.layers.speaker.check(&self.target_language)?;
        loop {
            if let Some(left) = self.take_turn(held).await? {
                return Ok(left);
            }
        }
    }

    /// Speaks the lines that come next, and takes what the learner says to them. Returns why the flow is left, if it is.
    async fn take_turn(&mut self, held: &mut Held) -> Result<Option<Left>, Broken> {
        let view = &held.answer.view;
        if self.ends_at_heading && view.outcome.is_some() {
            let heading = held.said.iter().position(|line| line.role == Role::Heading);
            held.said.truncate(heading.unwrap_or(held.said.len()));
        }
        self.say(&held.said, Pace::Usual)?;
        if view.outcome.is_some() {
            return Ok(Some(Left::Over { in_silence: held.in_silence }));
        }
        if let Some(spoken) = spoken_event(self.app, view) {
            let answer = self.send(view, spoken, json!({})).await?;
            self.go_on(held, "", answer);
            return Ok(None);
        }
        let ask = view.desk.as_ref().and_then(|desk| desk.ask.clone());
        let Some(ask) = ask.filter(|ask| can_be_said(&ask.form)) else { return Ok(Some(Left::Waits)) };
        let heard = self.hear(view, &ask, held.law.as_ref().map_or("", stop_words))?;
        if matches!(heard, Ear::Unclear) && held.repeats < MAX_REPEATS {
            held.repeats += 1;
            held.said = vec![Line::new(Role::Notice, words::article_unclear())];
            return Ok(None);
        }
        held.repeats = 0;
        held.in_silence = matches!(heard, Ear::Silence | Ear::Unclear);
        match heard {
            Ear::Stop | Ear::End => return Ok(Some(Left::Saved)),
            Ear::Silence | Ear::Unclear => return self.take_silence(held).await,
            Ear::Again(pace) => {
                self.say(&standing(view), pace)?;
                held.said = Vec::new();
            }
            Ear::Words(text) => self.take_words(held, &ask, &text).await?,
        }
        Ok(None)
    }

    async fn take_words(&mut self, held: &mut Held, ask: &Ask, text: &str) -> Result<(), Broken> {
        held.silences = 0;
        match self.answer(&held.answer.view, ask, text).await {
            Ok(answer) => self.go_on(held, text, answer),
            // The learner must name an option, so the options are read out again.
            Err(Failure::Rejected(rejected))
                if rejected.code == UNCLEAR && matches!(ask.form, Form::Choice { .. }) =>
            {
                held.said = asked(ask);
            }
            Err(Failure::Rejected(rejected)) => held.said = refusal(rejected),
            Err(failure) => return Err(failure.into()),
        }
        Ok(())
    }

    /// Reports a silence to a flow that counts silences itself. Counts it here for another.
    async fn take_silence(&mut self, held: &mut Held) -> Result<Option<Left>, Broken> {
        if let Some(event) = silent_event(self.app, &held.answer.view) {
            let answer = self.send_as(&held.answer.view, &event, Value::Null, Source::Timer).await?;
            self.go_on(held, "", answer);
            return Ok(None);
        }
        held.silences += 1;
        held.said = standing(&held.answer.view);
        // There may be as many as a run of the loop has turns.
        Ok((held.silences >= held.law.as_ref().map_or(0, max_turns)).then_some(Left::Silent))
    }

    /// Goes on with the lines of an answer.
    fn go_on(&mut self, held: &mut Held, text: &str, answer: Answer) {
        (self.log)(Moment::Takes { text, answer: &answer });
        held.said = told(&answer);
        held.answer = answer;
    }

    /// Returns the meaning of a broken layer: the learner has asked to end, or something is wrong.
    fn broken(&mut self, trouble: Trouble) -> Left {
        if self.layers.ears.is_interrupted() {
            return Left::Saved;
        }
        (self.log)(Moment::Troubled { trouble: &trouble });
        Left::Troubled(trouble)
    }

    /// Speaks lines: words of the language being learned in that language, and slow ones slowly.
    fn say(&mut self, lines: &[Line], pace: Pace) -> Result<(), Trouble> {
        // If Etude has no sentences in the learner's language, they come in another.
        let own = self.app.words.choose([self.language.as_str()]).to_owned();
        for line in lines {
            let is_target = line.role.is_in_target_language();
            let text = self.words(&line.say);
            (self.log)(Moment::Says { role: line.role, text: &text });
            let is_slow = line.role == Role::Slow || pace == Pace::Slow;
            let spoken = Spoken {
                text: aloud(&text),
                language: if is_target { self.target_language.clone() } else { own.clone() },
                pace: if is_slow { Pace::Slow } else { Pace::Usual },
            };
            let Layers { speaker, ears, .. } = &mut *self.layers;
            if tokio::task::block_in_place(|| speaker.speak(&spoken, ears))?.is_interrupted {
                return Ok(());
            }
        }
        Ok(())
    }

    fn words(&self, text: &Text) -> String {
        self.app.words.say(self.app.words.choose([self.language.as_str()]), text)
    }

    /// Listens for one answer.
    fn hear(&mut self, view: &View, ask: &Ask, stop_words: &str) -> Result<Ear, Trouble> {
        (self.log)(Moment::Listens);
        let is_target = matches!(ask.form, Form::Say);
        let language = if is_target { self.target_language.clone() } else { self.language.clone() };
        let expected = view.desk.as_ref().map(|desk| desk.expected.clone()).unwrap_or_default();
        self.layers.reset();
        let recording = tokio::task::block_in_place(|| self.layers.record(false, &language))?;
        let Layers { ears, recogniser, .. } = &mut *self.layers;
        if recording.text.is_none() && recording.sound.samples.is_empty() {
            if ears.is_over() {
                return Ok(Ear::End);
            }
            (self.log)(Moment::Silence);
            return Ok(Ear::Silence);
        }
        (self.log)(Moment::Thinks);
        let started = Instant::now();
        let text = tokio::task::block_in_place(|| recogniser.transcribe(&recording, &language))?;
        (self.log)(Moment::Hears { text: &text, ms: started.elapsed().as_millis() as u64 });
        if Words::new(&text).is_empty() && recording.text.is_some() {
            return Ok(if ears.is_over() { Ear::End } else { Ear::Silence });
        }
        let is_expected = |text: &str| expected.iter().any(|target| is_in(target, text));
        if is_expected(&text) {
            let recogniser = &mut **recogniser;
            let article = tokio::task::block_in_place(|| {
                heard_article(recogniser, &recording, &language, &text, &is_expected)
            })?;
            return Ok(match article {
                Article::Heard => Ear::Words(text),
                Article::Other(text) => Ear::Words(text),
                Article::Unclear => Ear::Unclear,
            });
        }
        let may_be = may_be_command(&ask.form, &text);
        let command = if may_be { self.command(&text, &expected, stop_words) } else { None };
        if let Some(command) = command {
            return Ok(command);
        }
        if let Form::Choice { options } = &ask.form {
            let option = self.option_of(&recording, &language, options, &text)?;
            return Ok(Ear::Words(option.unwrap_or(text)));
        }
        self.fitting(&recording, &language, &expected, text)
    }

    /// Returns a command for the voice rather than for the flow. A word that the pack teaches is an answer, even if
    /// it is a way to say goodbye.
    fn command(&self, text: &str, expected: &[String], stop_words: &str) -> Option<Ear> {
        let languages = [self.language.as_str(), self.target_language.as_str()];
        let is_taught = |word: &String| {
            let items = expected.iter().chain(&self.others);
            Phrase::new(word)
                .is_some_and(|word| items.into_iter().any(|item| Words::new(item).contains(&word)))
        };
        let mut stops = languages.into_iter().filter_map(|language| stop_word(text, stop_words, language));
        if stops.any(|word| !is_taught(&word)) {
            return Some(Ear::Stop);
        }
        languages.into_iter().find_map(|language| match Intent::parse(text, language).ok()?.topic? {
            Topic::Repeat => Some(Ear::Again(Pace::Usual)),
            Topic::Slower => Some(Ear::Again(Pace::Slow)),
            _ => None,
        })
    }

    /// Returns the expected words if the sound fits them, [`Ear::Unclear`] if only their article is in doubt, and
    /// otherwise the transcript.
    fn fitting(
        &mut self,
        recording: &Recording,
        language: &str,
        expected: &[String],
        text: String,
    ) -> Result<Ear, Trouble> {
        let Some(target) = expected.iter().find(|target| !target.contains("___") && !target.contains('/'))
        else {
            return Ok(Ear::Words(text));
        };
        let recogniser = &mut *self.layers.recogniser;
        let fit = tokio::task::block_in_place(|| {
            fit(recogniser, recording, language, target, &self.others, &text)
        })?;
        Ok(match fit {
            Fit::Fits { margin } => {
                (self.log)(Moment::Fits { text: target, margin });
                Ear::Words(target.clone())
            }
            Fit::Unclear => Ear::Unclear,
            Fit::No => Ear::Words(text),
        })
    }

    /// Returns the option that the sound fits if the transcript names none: almost as well as the transcript, and
    /// clearly better than the other options. Recognisers often mistake single words.
    fn option_of(
        &mut self,
        recording: &Recording,
        language: &str,
        options: &[Choice],
        text: &str,
    ) -> Result<Option<String>, Trouble> {
        let texts: Vec<String> = options.iter().map(|option| self.words(&option.text)).collect();
        // English words are transcribed well, and comparing sounds would load another model.
        if language.starts_with("en") || texts.len() > MAX_OTHERS || chosen(options, &texts, text).is_some() {
            return Ok(None);
        }
        let said: Vec<&str> = texts.iter().map(String::as_str).chain([text]).collect();
        let recogniser = &mut *self.layers.recogniser;
        let Some(scores) = tokio::task::block_in_place(|| recogniser.fits(recording, language, &said))?
        else {
            return Ok(None);
        };
        let Some((written, scores)) = scores.split_last() else { return Ok(None) };
        let mut order: Vec<usize> = (0..scores.len()).collect();
        order.sort_by(|a, b| scores[*b].total_cmp(&scores[*a]));
        let [best, second, ..] = order[..] else { return Ok(None) };
        let margin = scores[best] - written;
        if margin < MARGIN || scores[best] < scores[second] + ARTICLE_MARGIN {
            return Ok(None);
        }
        (self.log)(Moment::Fits { text: &texts[best], margin });
        Ok(Some(texts[best].clone()))
    }

    /// Answers the question that the flow asks.
    async fn answer(&self, view: &View, ask: &Ask, text: &str) -> Result<Answer, Failure> {
        let face = self.app.flows.get(&view.flow).and_then(|entry| entry.face);
        let verb = face.and_then(|face| face.verbs.iter().find(|verb| verb.name == ask.verb));
        let Some((verb, event)) = verb.and_then(|verb| Some((verb, verb.event()?))) else {
            return Ok(Answer::of(view.clone()));
        };
        let label = match &ask.form {
            Form::Choice { options } => {
                let texts: Vec<String> = options.iter().map(|option| self.words(&option.text)).collect();
                chosen(options, &texts, text).map(|at| options[at].label.clone())
            }
            _ => None,
        };
        let given = given(verb, label.as_deref().unwrap_or(text));
        self.send(view, event, prepare(verb, &view.id, given, None)).await
    }

    async fn send(&self, view: &View, event: &str, payload: Value) -> Result<Answer, Failure> {
        self.send_as(view, event, payload, Source::User).await
    }

    async fn send_as(
        &self,
        view: &View,
        event: &str,
        payload: Value,
        source: Source,
    ) -> Result<Answer, Failure> {
        let expect_version = Some(view.version);
        turn::take(self.app, Request { payload, expect_version, ..Request::new(&view.id, event, source) })
            .await
    }
}

/// Whether words may be meant for the voice and not for the flow. If a whole text is asked for, "you stop when the
/// list is empty" is an answer.
pub fn may_be_command(form: &Form, text: &str) -> bool {
    !matches!(form, Form::Text) || Words::new(text).iter().count() <= MAX_WORDS_OF_A_COMMAND
}

/// The outcome of listening.
enum Ear {
    Words(String),
    Silence,
    /// The words are known, but their article is not.
    Unclear,
    /// The lines are spoken once more.
    Again(Pace),
    Stop,
    End,
}

/// Returns the event that tells a flow that its lines have been spoken, if it waits for that.
pub fn spoken_event(app: &App, view: &View) -> Option<&'static str> {
    let spoken = app.flows.get(&view.flow)?.needs().spoken?;
    view.allowed.iter().any(|event| event == spoken).then_some(spoken)
}

/// Returns the event by which such a flow counts silences itself.
fn silent_event(app: &App, view: &View) -> Option<String> {
    let entry = app.flows.get(&view.flow).filter(|entry| entry.needs().spoken.is_some())?;
    let law = entry.bind(&Overrides::new()).ok()?;
    let is_silence =
        |name: &&String| law.event_named(name).is_some_and(|event| law.origin(event) == Origin::Silence);
    view.allowed.iter().find(is_silence).cloned()
}

/// Returns the pack that a flow practises with, and its language.
pub fn practised(view: &View) -> Option<(&str, &str)> {
    let pack = &view.data["pack"];
    Some((pack["id"].as_str()?, pack["language"].as_str()?))
}

fn can_be_said(form: &Form) -> bool {
    matches!(form, Form::Say | Form::Text | Form::Number | Form::Choice { .. } | Form::Read)
}

/// Returns the learner's words in the shape that the verb takes: most verbs take a text, and some want to know that
/// it was heard.
fn given(verb: &Verb, text: &str) -> Value {
    let fields = verb.fields();
    let field = fields.iter().find(|field| *field == "text").or(fields.first());
    let mut given: Map<String, Value> = field.map(|field| (field.clone(), json!(text))).into_iter().collect();
    if fields.iter().any(|field| field == "heard") {
        given.insert("heard".to_owned(), json!(true));
    }
    Value::Object(given)
}

/// Returns a text as it is read out: without marks for the eye, and without programs.
fn aloud(text: &str) -> String {
    let text = text.replace('·', "").replace("___", "…");
    let (mut read, mut is_program) = (String::new(), false);
    for event in Parser::new(&text) {
        match event {
            Event::Start(Tag::CodeBlock(_)) => is_program = true,
            Event::End(TagEnd::CodeBlock) => is_program = false,
            Event::Text(part) | Event::Code(part) if !is_program => read.push_str(&part),
            Event::SoftBreak | Event::HardBreak => read.push(' '),
            Event::End(TagEnd::Paragraph | TagEnd::Heading(_) | TagEnd::Item) => {
                let is_ended = read.trim_end().ends_with(['.', '!', '?', '…', ':', ',']);
                read = read.trim_end().to_owned();
                read.push_str(if is_ended { " " } else { ". " });
            }
            _ => {}
        }
    }
    read.trim().to_owned()
}

/// Returns the content of the desk: its lines and its question, with the choices.
fn standing(view: &View) -> Vec<Line> {
    let Some(desk) = &view.desk else { return Vec::new() };
    let lines = desk.blocks.iter().filter_map(|block| match block {
        Block::Line(line) => Some(line.clone()),
        Block::Text { text } => Some(Line::new(Role::Explanation, text.clone())),
        _ => None,
    });
    lines.chain(desk.ask.iter().flat_map(asked)).collect()
}

/// Returns the lines of a turn. The options of a choice are separate lines, so that they are not read out in one
/// breath.
fn told(answer: &Answer) -> Vec<Line> {
    let ask = answer.view.desk.as_ref().and_then(|desk| desk.ask.as_ref());
    match ask.filter(|ask| matches!(ask.form, Form::Choice { .. }) && !ask.question.is_empty()) {
        Some(ask) => {
            let said = answer.said.iter().filter(|line| line.role != Role::Question);
            said.cloned().chain(asked(ask)).collect()
        }
        None => answer.said.clone(),
    }
}

/// Returns a question and its choices as lines.
fn asked(ask: &Ask) -> Vec<Line> {
    let question = (!ask.question.is_empty()).then(|| Line::new(Role::Question, ask.question.clone()));
    let options = match &ask.form {
        Form::Choice { options } => options.as_slice(),
        _ => &[],
    };
    let options = options.iter().map(|option| Line::new(Role::Note, option.text.clone()));
    question.into_iter().chain(options).collect()
}

fn refusal(rejected: Rejected) -> Vec<Line> {
    vec![Line::new(Role::Notice, rejected.message), Line::new(Role::Notice, rejected.cure)]
}

fn is_in(target: &str, text: &str) -> bool {
    Target::parse(target).is_ok_and(|target| target.hear(&Heard::spoken(text)).matched)
}

/// Returns the option that was said: by its words, by its position, or by its label. "a" is a label at the end of a
/// few words, and an article everywhere else.
fn chosen(options: &[Choice], texts: &[String], said: &str) -> Option<usize> {
    let heard = Words::new(said);
    let has = |words: &String| Phrase::new(words).is_some_and(|words| heard.contains(&words));
    if let Some(at) = texts.iter().position(has) {
        return Some(at);
    }
    let heard: Vec<&str> = heard.iter().map(|(_, letters)| letters).collect();
    let last = heard.last().filter(|_| heard.len() <= MAX_WORDS_AROUND_A_LABEL)?;
    let place = |places: &[&str], word: &str| {
        places.iter().position(|known| known.split(' ').any(|known| known == word))
    };
    let by_ordinal = heard.iter().find_map(|word| place(&ORDINALS, word));
    let by_place = by_ordinal.or_else(|| place(&NUMBERS, last)).filter(|at| *at < options.len());
    by_place.or_else(|| options.iter().position(|option| option.label.eq_ignore_ascii_case(last)))
}
