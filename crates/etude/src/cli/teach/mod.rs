//! `etude teach`: courses with the tutor in the terminal.
//!
//! Everything goes through the turn loop on the local database, so a course can be begun here, gone on with over HTTP
//! or by an assistant, and ended here. After every answer it is saved.

mod conversation;
mod courses;
mod import;
mod inbox;
mod map;
mod markdown;
mod page;
mod plain;
mod pretty;
mod screen;
mod sitting;
mod standing;
mod words;

use super::config::Config;
use super::drill::ME;
use super::output::{self, say};
use super::screen::columns;
use super::screen::layout::{Span, ascii, clean, paragraph};
use super::screen::words::{Language, Now, fill};
use super::{NO, UNREADABLE};
use crate::builtin;
use crate::cli::context::on_app;
use crate::courses::teaching::{self, Start};
use crate::engine::app::App;
use crate::engine::failure::Failure;
use crate::engine::turn::{self, Via};
use crate::engine::view::Said;
use crate::learners::command_line::typed;
use crate::learners::profiles;
use anstyle::Style;
use clap::builder::NonEmptyStringValueParser;
use clap::{Args, Subcommand};
use coaching::ask::MODEL_KIND;
use coaching::curriculum::Curriculum;
use coaching::rejected::Rejected;
use coaching::teach::Header;
use coaching::teach::state::FlowStatus;
use conversation::End;
use courses::{Row, Wanted, find, rows};
use page::Block;
use screen::Screen;
use serde_json::json;
use sitting::{Sitting, Waits};
use std::io::{BufRead, IsTerminal};
use std::process::ExitCode;
use words::Words;

#[derive(Debug, Args)]
pub(crate) struct Teach {
    #[command(subcommand)]
    verb: Option<Verb>,
    /// What you want to learn, or a course to go on with; without it, courses and curricula are listed
    #[arg(value_name = "TOPIC")]
    topic: Vec<String>,
    /// What you want to be able to do at the end
    #[arg(long, value_name = "TEXT")]
    goal: Option<String>,
    /// Begin a course that you have completed or ended once more, from the beginning
    #[arg(long)]
    again: bool,
    /// Who learns
    #[arg(long, global = true, value_name = "NAME", default_value = ME, value_parser = NonEmptyStringValueParser::new())]
    learner: String,
    /// For screen readers and pipes: no colours, no line editing, every line says what it is. Chosen by itself when
    /// there is no terminal
    #[arg(long, global = true)]
    plain: bool,
    /// Language of the terminal's own words [default: that of your system, else English]
    #[arg(long, global = true, value_enum, value_name = "LANGUAGE")]
    lang: Option<Language>,
}

#[derive(Debug, Subcommand)]
enum Verb {
    /// List your courses and the curricula you could start
    List,
    /// Recall what is due, in one course or in all
    Review {
        /// By its id, the beginning of its id, its curriculum or a word of its title
        course: Option<String>,
        /// Practise what is not mastered yet, although it is not due
        #[arg(long)]
        ahead: bool,
    },
    /// Show the map of a course, or write it for another program
    Map(map::Map),
    /// End a course; what you have learned is kept
    Abandon {
        course: String,
        /// Do not ask
        #[arg(long)]
        yes: bool,
    },
    /// Go on with an abandoned course
    Resume { course: String },
    /// Start a course on a map (.json), or add a curriculum of your own (.yaml)
    Import(import::Import),
    /// Read what was said while you were away
    Inbox {
        /// Leave it there
        #[arg(long)]
        keep: bool,
    },
}

/// The id of a course that somebody names as `etude teach` lets them name it.
pub(super) async fn course_id(app: &App, learner: &str, name: &str) -> Result<String, Failure> {
    let rows = rows(app, learner).await?;
    open_or_any(&rows, name).map(|row| row.listed.mind_map_id.clone())
}

impl Teach {
    pub(crate) async fn run(self, config: &Config) -> ExitCode {
        let words = Words::in_language(self.lang.unwrap_or(config.language));
        if config.json && self.is_conversation() {
            let cure = "`etude new teach` and `etude send` take the same turns in JSON";
            return output::error(&format!("a course is a conversation and has no JSON; {cure}"), UNREADABLE);
        }
        on_app(config, config.asking_app(config.flows()).await, async |app| {
            self.act(app, config, words).await
        })
        .await
    }

    fn is_conversation(&self) -> bool {
        match &self.verb {
            None => !self.topic.is_empty(),
            Some(Verb::Review { .. } | Verb::Resume { .. }) => true,
            Some(_) => false,
        }
    }

    async fn act(&self, app: &App, config: &Config, words: &'static Words) -> Result<ExitCode, Failure> {
        if self.is_conversation() {
            profiles::at_home(&app.store, &self.learner, config.time_zone.as_deref(), app.clock.now())
                .await?;
        }
        match &self.verb {
            None if self.topic.is_empty() => self.list(app, config, words).await,
            None => self.learn(app, config, words).await,
            Some(Verb::List) => self.list(app, config, words).await,
            Some(Verb::Review { course, ahead }) => {
                let mut screen = Screen::new(words, config, self.plain, app.is_ready_for(MODEL_KIND));
                let reviewed = self.review(app, course.as_deref(), *ahead, &mut screen).await;
                screen.close().await;
                reviewed.map(|()| ExitCode::SUCCESS)
            }
            Some(Verb::Map(map)) => map.run(app, &self.learner, config, words).await,
            Some(Verb::Abandon { course, yes }) => self.abandon(app, course, *yes, words).await,
            Some(Verb::Resume { course }) => self.resume(app, course, config, words).await,
            Some(Verb::Import(import)) => import.run(app, &self.learner, config, words).await,
            Some(Verb::Inbox { keep }) => inbox::show(app, &self.learner, *keep, config, words).await,
        }
    }

    async fn list(&self, app: &App, config: &Config, words: &Words) -> Result<ExitCode, Failure> {
        let (curricula, left_out) = builtin::read_curricula(Some(&config.curricula_folder()));
        let rows = rows(app, &self.learner).await?;
        if config.json {
            let curriculum = |curriculum: &Curriculum| {
                let (concepts, minutes) = (curriculum.concepts.len(), curriculum.minutes());
                json!({"id": curriculum.id, "title": curriculum.title, "about": curriculum.about.trim(),
                       "language": curriculum.language, "concepts": concepts, "minutes": minutes})
            };
            let curricula: Vec<_> = curricula.iter().map(curriculum).collect();
            return Ok(output::json(&json!({"courses": rows, "curricula": curricula})));
        }
        for left in &left_out {
            anstream::eprintln!("{}", clean(&left.to_string()));
        }
        let now = Now::of(app, &self.learner).await?;
        let list = courses::list(&rows, &curricula, &self.learner, (&now, columns()), words);
        say!("{}", if config.shows_utf8() { list } else { ascii(&list) });
        let waiting = inbox::count(app, &self.learner).await?;
        if waiting > 0 {
            say!("{}", words.inbox_has.of(waiting));
        }
        Ok(ExitCode::SUCCESS)
    }

    /// Goes on with the course that is meant, or starts one.
    async fn learn(&self, app: &App, config: &Config, words: &'static Words) -> Result<ExitCode, Failure> {
        let topic = self.topic.join(" ");
        let rows = rows(app, &self.learner).await?;
        let open = open_course(&rows, &topic, config)?;
        if open.is_none() && !self.again {
            let (curricula, _) = builtin::read_curricula(Some(&config.curricula_folder()));
            if let Some(row) = courses::ended(&rows, &topic, &curricula) {
                return self.tell_of_ended(app, row, config, words).await;
            }
        }
        let mut screen = Screen::new(words, config, self.plain, app.is_ready_for(MODEL_KIND));
        let talked = match open {
            Some(row) => self.go_on(app, &row.listed.mind_map_id, words.goes_on, &mut screen).await,
            None => self.start(app, &topic, &mut screen).await,
        };
        screen.close().await;
        talked.map(|()| ExitCode::SUCCESS)
    }

    /// A course that has ended is not begun again by mistake.
    async fn tell_of_ended(
        &self,
        app: &App,
        row: &Row,
        config: &Config,
        words: &Words,
    ) -> Result<ExitCode, Failure> {
        let id = &row.listed.mind_map_id;
        let name = row.curriculum.as_deref().unwrap_or(&row.listed.title);
        let again = format!("{} --again", command(name, &self.learner));
        let mut text = String::new();
        let told = match row.listed.status {
            FlowStatus::Completed => {
                let now = Now::of(app, &self.learner).await?;
                text += &map::tree(&teaching::atlas(app, id).await?, None, (&now, columns()), words);
                let due = courses::what_is_due(app, &self.learner, id, words).await?;
                let review = format!("{} --ahead", review_command(&self.learner, Some(&row.short_id)));
                format!("{due} {}", fill(words.is_completed, &[("review", &review), ("again", &again)]))
            }
            _ => {
                let values =
                    [("title", row.listed.title.as_str()), ("resume", &row.command), ("again", &again)];
                fill(words.is_abandoned, &values)
            }
        };
        if !text.is_empty() {
            text.push('\n');
        }
        text += &paragraph("", &[Span::new(Style::new(), told)], columns());
        let text = if config.shows_utf8() { text } else { ascii(&text) };
        say!("{}", text.trim_end());
        Ok(ExitCode::SUCCESS)
    }

    async fn start(&self, app: &App, topic: &str, screen: &mut Screen) -> Result<(), Failure> {
        let words = screen.words;
        let start = Start { topic: topic.to_owned(), goal: self.goal.clone(), ..Start::default() };
        let opened = teaching::start(app, &self.learner, &start, Via::Caller);
        let answer = screen.wait(words.drawing_map, opened).await?;
        let mut course = Sitting::new(app, answer.view)?;
        let header = teaching::atlas(app, course.id()).await?.header;
        screen.show(&[Block::Title(fill(words.welcome, &[("title", &header.title)]))]);
        screen.show(&other_language(app, &header, words));
        screen.show(&page::turn(
            &answer.said.iter().map(Said::from).collect::<Vec<_>>(),
            &course,
            None,
            words,
        ));
        self.talk(app, &mut course, screen).await
    }

    async fn go_on(&self, app: &App, id: &str, how: &str, screen: &mut Screen) -> Result<(), Failure> {
        let words = screen.words;
        let mut course = screen.wait(words.thinking, Sitting::resume(app, id)).await?;
        let header = teaching::atlas(app, id).await?.header;
        screen.show(&[
            Block::Title(fill(words.welcome, &[("title", &header.title)])),
            Block::Note(how.to_owned()),
        ]);
        screen.show(&other_language(app, &header, words));
        if self.goal.is_some() {
            screen.note(words.goal_only_for_new);
        }
        if self.again {
            screen.note(words.again_only_when_over);
        }
        let progress = conversation::progress(app, id).await?;
        if progress.understood > 0 {
            screen.show(&[Block::Progress(progress)]);
        }
        screen.show(&page::reminder(&course, words));
        self.talk(app, &mut course, screen).await
    }

    async fn talk(&self, app: &App, course: &mut Sitting<'_>, screen: &mut Screen) -> Result<(), Failure> {
        let end = conversation::teach(app, course, screen).await?;
        let rows = rows(app, &self.learner).await?;
        let row = rows.iter().find(|row| row.listed.mind_map_id == course.id());
        let command = row.map_or_else(|| command(course.id(), &self.learner), |row| row.command.clone());
        conversation::farewell(end, course, &command, screen);
        Ok(())
    }

    /// Recalls what is due, course by course.
    async fn review(
        &self,
        app: &App,
        course: Option<&str>,
        ahead: bool,
        screen: &mut Screen,
    ) -> Result<(), Failure> {
        let words = screen.words;
        let rows = rows(app, &self.learner).await?;
        let open = teaching::open_sittings(app, &self.learner).await?;
        let chosen: Vec<&Row> = match course {
            Some(course) => {
                vec![open_or_any(&rows, course)?]
            }
            None => {
                let has_some =
                    |row: &&Row| ahead || row.due > 0 || open.contains_key(&row.listed.mind_map_id);
                let is_alive = |row: &&Row| row.listed.status != FlowStatus::Abandoned;
                rows.iter().filter(has_some).filter(is_alive).collect()
            }
        };
        for row in &chosen {
            let id = &row.listed.mind_map_id;
            screen.show(&[Block::Title(row.listed.title.clone())]);
            let (mut review, blocks) = courses::take_up_review(app, &self.learner, id, ahead, words).await?;
            screen.show(&blocks);
            if conversation::recall(app, &mut review, screen, false).await? == End::Stopped {
                screen.note(fill(words.saved, &[("command", &review_command(&self.learner, None))]));
                return Ok(());
            }
        }
        let reviewed: Vec<&str> = chosen.iter().map(|row| row.listed.mind_map_id.as_str()).collect();
        self.say_what_follows(app, &reviewed, screen).await
    }

    /// What a review has opened, and when the next one is.
    async fn say_what_follows(
        &self,
        app: &App,
        reviewed: &[&str],
        screen: &mut Screen,
    ) -> Result<(), Failure> {
        let words = screen.words;
        let rows = rows(app, &self.learner).await?;
        let was_reviewed = |row: &&Row| reviewed.contains(&row.listed.mind_map_id.as_str());
        for row in rows.iter().filter(was_reviewed) {
            let course = Sitting::new(app, turn::view_of(&app.load(&row.listed.mind_map_id).await?))?;
            if course.waits() == Waits::Reading || course.waits() == Waits::Answer {
                let values = [("title", row.listed.title.as_str()), ("command", &row.command)];
                screen.note(fill(words.course_waits, &values));
            }
        }
        let due: usize = rows.iter().map(|row| row.due).sum();
        let next_us = rows.iter().filter_map(|row| row.next_due_us).min();
        screen.note(match (due, next_us) {
            (1.., _) => words.due_now.of(due),
            (0, Some(at_us)) => {
                let now = Now::of(app, &self.learner).await?;
                fill(words.next_review, &[("when", &words.intervals.until(&now, at_us))])
            }
            (0, None) => words.nothing_due.to_owned(),
        });
        Ok(())
    }

    async fn abandon(&self, app: &App, course: &str, yes: bool, words: &Words) -> Result<ExitCode, Failure> {
        let rows = rows(app, &self.learner).await?;
        let row = open_or_any(&rows, course)?;
        let title = clean(&row.listed.title);
        if row.listed.status.is_final() {
            return Err(Failure::Rejected(Rejected {
                code: "already_ended",
                message: format!("“{title}” has ended already").into(),
                cure: format!("`{}` goes on with it", row.command).into(),
            }));
        }
        if !yes && !is_sure(&fill(words.sure, &[("title", &title)]), words) {
            say!("{}", words.not_abandoned);
            return Ok(ExitCode::from(NO));
        }
        teaching::abandon(app, &row.listed.mind_map_id).await?;
        say!("{}", fill(words.abandoned, &[("title", &title), ("id", &row.listed.mind_map_id)]));
        Ok(ExitCode::SUCCESS)
    }

    async fn resume(
        &self,
        app: &App,
        course: &str,
        config: &Config,
        words: &'static Words,
    ) -> Result<ExitCode, Failure> {
        let rows = rows(app, &self.learner).await?;
        let row = find(&rows, course, Wanted::Abandoned).or_else(|_| find(&rows, course, Wanted::Any))?;
        let answer = teaching::resume(app, &self.learner, &row.listed.mind_map_id, None).await?;
        let mut screen = Screen::new(words, config, self.plain, app.is_ready_for(MODEL_KIND));
        let talked = self.go_on(app, &answer.view.id, words.taken_up, &mut screen).await;
        screen.close().await;
        talked.map(|()| ExitCode::SUCCESS)
    }
}

/// The open course that a topic means. A wish in whole sentences means one of the curriculum that it would start.
fn open_course<'r>(rows: &'r [Row], topic: &str, config: &Config) -> Result<Option<&'r Row>, Failure> {
    match find(rows, topic, Wanted::Open) {
        Err(Failure::Rejected(rejected)) if rejected.code == "unknown_course" => {}
        found => return found.map(Some),
    }
    let mut open =
        rows.iter().filter(|row| !row.listed.status.is_final() && row.curriculum.is_some()).peekable();
    // Curricula take a moment to read.
    if open.peek().is_none() {
        return Ok(None);
    }
    let (curricula, _) = builtin::read_curricula(Some(&config.curricula_folder()));
    let meant = curricula.iter().find(|curriculum| curriculum.matches(topic));
    Ok(meant.and_then(|meant| open.find(|row| row.curriculum.as_ref() == Some(&meant.id))))
}

/// A course that a name means. One that is open is meant before others that have the same name.
fn open_or_any<'r>(rows: &'r [Row], name: &str) -> Result<&'r Row, Failure> {
    match find(rows, name, Wanted::Open) {
        Err(Failure::Rejected(rejected)) if rejected.code == "unknown_course" => {
            find(rows, name, Wanted::Any)
        }
        found => found,
    }
}

/// Told where lessons are in another language than the terminal.
fn other_language(app: &App, header: &Header, words: &Words) -> Vec<Block> {
    let of = header.metadata.curriculum.as_ref();
    let curriculum = of.and_then(|id| teaching::curricula(app).into_iter().find(|known| known.id == *id));
    let Some(other) = curriculum.map(|it| it.language).filter(|language| language != words.code) else {
        return Vec::new();
    };
    let called =
        words.languages.iter().find(|(code, _)| *code == other).map_or(other.as_str(), |(_, name)| name);
    vec![Block::Note(fill(words.other_language, &[("language", called)]))]
}

/// Asks before something that cannot be undone. Without a terminal the answer is a line of the input.
fn is_sure(question: &str, words: &Words) -> bool {
    anstream::eprint!("{question} ");
    let mut answer = String::new();
    let read = std::io::stdin().lock().read_line(&mut answer);
    if !std::io::stdin().is_terminal() {
        anstream::eprintln!();
    }
    read.is_ok() && words.yes.contains(&answer.trim().to_lowercase().as_str())
}

/// What to type to go on with a course or to start one, as a shell takes it.
fn command(course: &str, learner: &str) -> String {
    typed(&["teach", course], learner)
}

fn review_command(learner: &str, course: Option<&str>) -> String {
    let words: Vec<&str> = ["teach", "review"].into_iter().chain(course).collect();
    typed(&words, learner)
}
