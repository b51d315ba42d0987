//! `etude teach`: chooses a course and opens it at the desk.

mod courses;
mod import;
mod inbox;
mod map;

use super::NO;
use super::config::Config;
use super::context::on_app;
use super::desk::{self, ByVoice, End, Held, Item, Seat};
use super::drill;
use super::output::{self, Done, say};
use super::screen::columns;
use super::screen::layout::{Span, ascii, clean, paragraph};
use super::words::{self, Now, Voice};
use anstyle::Style;
use clap::{Args, Subcommand};
use coaching::curriculum::Curriculum;
use coaching::pack::Pack;
use coaching::rejected::Rejected;
use coaching::teach::state::FlowStatus;
use coaching::teach::{NO_CURRICULUM, course, looks};
use coaching::text::Words;
use coaching::words::Text;
use courses::{Row, Wanted, find, open_or_any};
use serde_json::{Value, json};
use shell::builtin;
use shell::engine::app::App;
use shell::engine::failure::Failure;
use shell::engine::look::look;
use shell::engine::turn::Opening;
use shell::engine::view::View;
use shell::learners::command_line::typed;
use shell::teach::teaching::{self, COURSE, REVIEW};
use std::io::{BufRead, IsTerminal};
use std::process::ExitCode;

pub(super) use courses::rows;
pub(super) use inbox::count as count_inbox;

/// The flows that this command holds.
pub(super) const FLOWS: [&str; 2] = [COURSE, REVIEW];

#[derive(Debug, Args)]
pub(crate) struct Teach {
    #[command(subcommand)]
    verb: Option<Verb>,
    /// What you want to learn, or a course to continue; without it, lists courses and curricula
    #[arg(value_name = "TOPIC")]
    topic: Vec<String>,
    /// What you want to be able to do at the end
    #[arg(long, value_name = "TEXT")]
    goal: Option<String>,
    /// Teach what builds on a concept once it is understood, or only once it is mastered [default: understood]
    #[arg(long, value_name = "GATE", value_parser = ["understood", "mastered"])]
    gate: Option<String>,
    /// Restart a course that you have completed or ended
    #[arg(long)]
    again: bool,
    #[command(flatten)]
    by_voice: ByVoice,
    #[command(flatten)]
    options: desk::Options,
}

#[derive(Debug, Subcommand)]
enum Verb {
    /// List your courses and the curricula you could start
    List,
    /// Recall what is due, in one course or in all
    Review {
        /// The course: its id, the beginning of its id, its curriculum or a word of its title
        course: Option<String>,
        /// Practise what you have not mastered yet, even if it is not due
        #[arg(long)]
        ahead: bool,
        #[command(flatten)]
        by_voice: ByVoice,
    },
    /// Show the map of a course, or export it
    Map(map::Map),
    /// End a course; you keep what you have learned
    Abandon {
        /// The course, named as for `review`
        course: String,
        /// Do not ask for confirmation
        #[arg(long)]
        yes: bool,
    },
    /// Continue an abandoned course
    Resume {
        /// The course, named as for `review`
        course: String,
        #[command(flatten)]
        by_voice: ByVoice,
    },
    /// Start a course on a map (.json), or add your own curriculum (.yaml)
    Import(import::Import),
    /// Read the messages that arrived while you were away
    Inbox {
        /// Keep the messages in the inbox
        #[arg(long)]
        keep: bool,
    },
}

/// Returns the id of a course, for any name that `etude teach` accepts.
pub(super) async fn course_id(app: &App, learner: &str, name: &str) -> Result<String, Failure> {
    let rows = rows(app, learner).await?;
    open_or_any(&rows, name).map(|row| row.listed.mind_map_id.clone())
}

impl Teach {
    pub(crate) async fn run(self, config: &Config) -> Done {
        on_app(config, config.asking_app(config.flows()).await, Some(&self.options), async |app| {
            self.act(app, config).await
        })
        .await
    }

    async fn act(&self, app: &App, config: &Config) -> Done {
        let learner = &self.options.learner;
        let voice = self.options.voice(app, None, config).await?;
        // `etude teach --voice review` and `etude teach review --voice` mean the same.
        let aloud = self.by_voice.aloud();
        match &self.verb {
            None if self.topic.is_empty() => self.list(app, config, &voice).await,
            None => self.learn(app, config, &voice).await,
            Some(Verb::List) => self.list(app, config, &voice).await,
            Some(Verb::Review { course, ahead, by_voice }) => {
                let review = async |seat: &mut Seat<'_>| self.review(course.as_deref(), *ahead, seat).await;
                self.options.sit(app, config, by_voice.aloud().or(aloud), review).await
            }
            Some(Verb::Map(map)) => map.run(app, learner, config, &voice).await,
            Some(Verb::Abandon { course, yes }) => self.abandon(app, course, *yes, &voice).await,
            Some(Verb::Resume { course, by_voice }) => {
                let rows = rows(app, learner).await?;
                let row =
                    find(&rows, course, Wanted::Abandoned).or_else(|_| find(&rows, course, Wanted::Any))?;
                let answer = teaching::open(app, learner, json!({"from": row.listed.mind_map_id})).await?;
                let go_on = async |seat: &mut Seat<'_>| {
                    self.go_on(seat, &answer.view.id, Some(words::taken_up())).await
                };
                self.options.sit(app, config, by_voice.aloud().or(aloud), go_on).await
            }
            Some(Verb::Import(import)) => import.run(app, learner, config, &voice).await,
            Some(Verb::Inbox { keep }) => inbox::show(app, learner, *keep, config, &voice).await,
        }
    }

    async fn list(&self, app: &App, config: &Config, voice: &Voice<'_>) -> Done {
        let learner = &self.options.learner;
        let (curricula, left_out) = builtin::read_curricula(Some(&config.curricula_folder()));
        let rows = rows(app, learner).await?;
        if config.json {
            let curriculum = |curriculum: &Curriculum| {
                let (concepts, minutes) = (curriculum.concepts.len(), curriculum.minutes());
                json!({"id": curriculum.id, "title": curriculum.title, "about": curriculum.about.trim(),
                       "language": curriculum.language, "concepts": concepts, "minutes": minutes})
            };
            let curricula: Vec<_> = curricula.iter().map(curriculum).collect();
            return output::json(&json!({"courses": rows, "curricula": curricula}));
        }
        for left in &left_out {
            anstream::eprintln!("{}", clean(&left.to_string()));
        }
        let now = Now::of(app, learner).await?;
        let list = courses::list(&rows, &curricula, learner, (&now, columns()), voice);
        say!("{}", if config.shows_utf8() { list } else { ascii(&list) });
        let waiting = inbox::count(app, learner).await?;
        if waiting > 0 {
            say!("{}", voice.say(&words::inbox_has(waiting)));
        }
        Ok(ExitCode::SUCCESS)
    }

    /// Continues the course that the topic means, or starts one.
    async fn learn(&self, app: &App, config: &Config, voice: &Voice<'_>) -> Done {
        let topic = self.topic.join(" ");
        let rows = rows(app, &self.options.learner).await?;
        let open = open_course(&rows, &topic, config)?;
        if open.is_none() && !self.again {
            let (curricula, _) = builtin::read_curricula(Some(&config.curricula_folder()));
            if let Some(row) = courses::ended(&rows, &topic, &curricula) {
                return self.tell_of_ended(app, row, config, voice).await;
            }
        }
        let (packs, _) = builtin::read_packs(Some(config.packs_folder()));
        let pack = packs.iter().find(|pack| covers(pack, &topic, voice));
        let learn = async |seat: &mut Seat<'_>| match open {
            Some(row) => {
                // An imported map opens a course, but nothing has been answered in it yet.
                let is_begun = row.listed.last_session_at != row.listed.started_at;
                self.go_on(seat, &row.listed.mind_map_id, is_begun.then(words::goes_on)).await
            }
            None => match (self.start(seat, &topic).await, pack) {
                // Words are practised, not taught.
                (Err(Failure::Rejected(rejected)), Some(pack)) if rejected.code == NO_CURRICULUM => {
                    seat.note(words::pack_covers(
                        pack.title.as_str(),
                        drill::command(&pack.id, &self.options.learner),
                    ));
                    Ok(())
                }
                (started, _) => started,
            },
        };
        self.options.sit(app, config, self.by_voice.aloud(), learn).await
    }

    /// Tells the learner that the course has ended, so that they do not restart it by mistake.
    async fn tell_of_ended(&self, app: &App, row: &Row, config: &Config, voice: &Voice<'_>) -> Done {
        let (learner, id) = (&self.options.learner, &row.listed.mind_map_id);
        let name = row.curriculum.as_deref().unwrap_or(&row.listed.title);
        let again = format!("{} --again", command(name, learner));
        let mut text = String::new();
        let told = match row.listed.status {
            FlowStatus::Completed => {
                let now = Now::of(app, learner).await?;
                let atlas = look(app, learner, |shelf| looks::atlas(shelf, id)).await?;
                text += &map::tree(&atlas, None, (&now, columns()), voice);
                text.push('\n');
                let review = format!("{} --ahead", review_command(learner, Some(&row.short_id)));
                words::is_completed(courses::what_is_due(&[row], &now), review, again)
            }
            _ => words::is_abandoned(row.listed.title.as_str(), row.command.as_str(), again),
        };
        text += &paragraph("", &[Span::new(Style::new(), voice.say(&told))], columns());
        let text = if config.shows_utf8() { text } else { ascii(&text) };
        say!("{}", text.trim_end());
        Ok(ExitCode::SUCCESS)
    }

    async fn start(&self, seat: &mut Seat<'_>, topic: &str) -> Result<(), Failure> {
        let opening = json!({"topic": topic, "goal": self.goal, "gate": self.gate});
        let opening = Opening { flow: COURSE.to_owned(), opening, ..Opening::default() };
        let course = seat.open(opening, words::drawing_map()).await?;
        self.talk(seat, course).await
    }

    async fn go_on(&self, seat: &mut Seat<'_>, id: &str, how: Option<Text>) -> Result<(), Failure> {
        let goal = self.goal.as_ref().map(|_| words::goal_only_for_new());
        let gate = self.gate.as_ref().map(|_| words::gate_only_for_new());
        let again = self.again.then(words::again_only_when_over);
        let course = seat.take_up(id, [how, goal, gate, again].into_iter().flatten()).await?;
        self.talk(seat, course).await
    }

    /// Teaches until the course is over or the learner stops. While the course waits for reviews, the learner
    /// may practise, and concepts that this opens are taught next.
    async fn talk(&self, seat: &mut Seat<'_>, mut course: Held) -> Result<(), Failure> {
        if let Some(language) = other_language(seat, &course.view.id).await? {
            // A text in one language is read aloud and answered in that language.
            if !seat.speaks(&language) {
                seat.note(words::other_language(words::language(language)));
            }
        }
        while seat.hold(&mut course, |view| is_reviewing(view).then(words::practise)).await? == End::Meanwhile
        {
            if self.recall(seat, &course.view.id, true).await? == End::Left {
                break;
            }
            seat.look_again(&mut course).await?;
        }
        let rows = rows(seat.app, &self.options.learner).await?;
        let row = rows.iter().find(|row| row.listed.mind_map_id == course.view.id);
        let command =
            row.map_or_else(|| command(&course.view.id, &self.options.learner), |row| row.command.clone());
        seat.note(match course.view.outcome.as_deref() {
            None => words::saved(seat.command(command)),
            Some(_) if status(&course.view) == Some(FlowStatus::Completed) => words::completed(),
            Some(_) => words::was_abandoned(),
        });
        Ok(())
    }

    /// Holds one review. The course itself teaches the concepts that the review opens.
    async fn recall(&self, seat: &mut Seat<'_>, course: &str, ahead: bool) -> Result<End, Failure> {
        let answer = teaching::review(seat.app, course, ahead).await?;
        let mut review = seat.join(answer).await?;
        if let Some(language) = other_language(seat, course).await? {
            seat.speaks(&language);
        }
        // A learner at a terminal waits for the mark.
        review.with.insert("stays".to_owned(), Value::Bool(true));
        review.ends_at_heading = true;
        seat.hold(&mut review, |_| None).await
    }

    /// Recalls what is due, course by course.
    async fn review(&self, course: Option<&str>, ahead: bool, seat: &mut Seat<'_>) -> Result<(), Failure> {
        let (app, learner) = (seat.app, &self.options.learner);
        let rows = rows(app, learner).await?;
        let open = teaching::open_sittings(app, learner).await?;
        let chosen: Vec<&Row> = match course {
            Some(course) => vec![open_or_any(&rows, course)?],
            None => {
                let has_some =
                    |row: &&Row| ahead || row.due > 0 || open.contains_key(&row.listed.mind_map_id);
                let is_alive = |row: &&Row| row.listed.status != FlowStatus::Abandoned;
                rows.iter().filter(has_some).filter(is_alive).collect()
            }
        };
        for row in &chosen {
            seat.show(&[Item::Title(row.listed.title.as_str().into())]);
            if self.recall(seat, &row.listed.mind_map_id, ahead).await? == End::Left {
                seat.note(words::saved(seat.command(review_command(learner, None))));
                return Ok(());
            }
        }
        let reviewed: Vec<&str> = chosen.iter().map(|row| row.listed.mind_map_id.as_str()).collect();
        self.say_what_follows(&reviewed, seat).await
    }

    /// Says which courses the review has opened again, and when the next review is.
    async fn say_what_follows(&self, reviewed: &[&str], seat: &mut Seat<'_>) -> Result<(), Failure> {
        let rows = rows(seat.app, &self.options.learner).await?;
        let was_reviewed = |row: &&Row| reviewed.contains(&row.listed.mind_map_id.as_str());
        for row in rows.iter().filter(was_reviewed) {
            if matches!(row.listed.status, FlowStatus::Teaching | FlowStatus::Quizzing) {
                seat.note(words::course_waits(row.listed.title.as_str(), seat.command(row.command.clone())));
            }
        }
        let now = Now::of(seat.app, &self.options.learner).await?;
        seat.note(courses::what_is_due(&rows.iter().collect::<Vec<_>>(), &now));
        Ok(())
    }

    async fn abandon(&self, app: &App, course: &str, yes: bool, voice: &Voice<'_>) -> Done {
        let rows = rows(app, &self.options.learner).await?;
        let row = open_or_any(&rows, course)?;
        let title = clean(&row.listed.title);
        if row.listed.status.is_final() {
            let (message, cure) =
                (words::already_ended(title), words::already_ended_cure(row.command.as_str()));
            return Err(Failure::Rejected(Rejected { code: "already_ended", message, cure }).into());
        }
        if !yes && !is_sure(&words::sure(title.as_str()), voice) {
            say!("{}", voice.say(&words::not_abandoned()));
            return Ok(ExitCode::from(NO));
        }
        teaching::act(app, &row.listed.mind_map_id, course::Event::Abandon.name(), json!({})).await?;
        say!("{}", voice.say(&words::abandoned(title, row.listed.mind_map_id.as_str())));
        Ok(ExitCode::SUCCESS)
    }
}

/// Returns the language of the lessons, if the terminal speaks another.
async fn other_language(seat: &Seat<'_>, course: &str) -> Result<Option<String>, Failure> {
    let headers = look(seat.app, seat.learner(), looks::headers).await?;
    let header = headers.into_iter().find(|header| header.mind_map_id.to_string() == course);
    let of = header.and_then(|header| header.metadata.curriculum);
    let curricula = seat.app.flows.curricula.get();
    let curriculum = curricula.iter().find(|known| Some(&known.id) == of.as_ref());
    Ok(curriculum.map(|known| known.language.clone()).filter(|language| *language != seat.voice.language))
}

fn is_reviewing(view: &View) -> bool {
    status(view) == Some(FlowStatus::Reviewing)
}

fn status(view: &View) -> Option<FlowStatus> {
    view.more::<Option<course::More>>().map(|more| more.state.status)
}

/// Finds the open course that a topic means. A wish in whole sentences means a course on the curriculum that it
/// would start.
fn open_course<'r>(rows: &'r [Row], topic: &str, config: &Config) -> Result<Option<&'r Row>, Failure> {
    match find(rows, topic, Wanted::Open) {
        Err(Failure::Rejected(rejected)) if rejected.code == courses::UNKNOWN => {}
        found => return found.map(Some),
    }
    let mut open =
        rows.iter().filter(|row| !row.listed.status.is_final() && row.curriculum.is_some()).peekable();
    // Curricula take a moment to read, so they are read only if there is an open course.
    if open.peek().is_none() {
        return Ok(None);
    }
    let (curricula, _) = builtin::read_curricula(Some(&config.curricula_folder()));
    let meant = curricula.iter().find(|curriculum| curriculum.matches(topic));
    Ok(meant.and_then(|meant| open.find(|row| row.curriculum.as_ref() == Some(&meant.id))))
}

/// Asks for confirmation of a step that cannot be undone. Without a terminal, a line of the input is the answer.
fn is_sure(question: &Text, voice: &Voice<'_>) -> bool {
    anstream::eprint!("{} ", voice.say(question));
    let mut answer = String::new();
    let read = std::io::stdin().lock().read_line(&mut answer);
    if !std::io::stdin().is_terminal() {
        anstream::eprintln!();
    }
    read.is_ok() && ["y", "yes", "j", "ja"].contains(&answer.trim().to_lowercase().as_str())
}

/// Returns the command that continues or starts a course.
fn command(course: &str, learner: &str) -> String {
    typed(&["teach", course], learner)
}

pub(super) fn review_command(learner: &str, course: Option<&str>) -> String {
    let words: Vec<&str> = ["teach", "review"].into_iter().chain(course).collect();
    typed(&words, learner)
}

/// Whether a topic names a pack or its language.
fn covers(pack: &Pack, topic: &str, voice: &Voice<'_>) -> bool {
    let said = Words::new(topic);
    let said: Vec<&str> = said.iter().map(|(_, folded)| folded).collect();
    let language = voice.say(&words::language(pack.language.as_str()));
    let names = Words::new(&language);
    let is_named = names.iter().any(|(_, name)| said.contains(&name));
    is_named || topic.eq_ignore_ascii_case(&pack.id) || topic.eq_ignore_ascii_case(&pack.title)
}
