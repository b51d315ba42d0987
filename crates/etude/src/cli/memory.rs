//! Commands on memory: which model predicts a learner best, which reviews are coming up, and when they should come.

use super::config::Config;
use super::output::{self, CAREFUL, Done, GOOD, QUIET, STRONG, Stop, no, paint, say, unreadable};
use super::packs::read_file;
use clap::builder::NonEmptyStringValueParser;
use clap::{Args, Subcommand};
use coaching::learner::{
    BadRow, Calendar, Candidate, Chooser, Chosen, ITEM_KIND, MIN_TESTED, Memory, Profile, Quality, RETENTION,
    ReadLog, ReviewLog, Scores, choose, read_log, time_zone,
};
use coaching::pack::cards::Cards;
use coaching::teach::NODE_KIND;
use serde_json::{Map, Value, json};
use shell::engine::clock::Clock;
use shell::engine::failure::counted;
use shell::learners::command_line::ME;
use shell::learners::profiles;
use shell::learners::remembering;
use shell::shelf::ending;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use store::Store;

/// The most records of one kind that a forecast reads.
const MAX_RECORDS: usize = 10_000;
/// The number of bad rows in a log that are shown.
const MAX_SHOWN: usize = 5;
const BAR_WIDTH: usize = 50;
const WEEK: [&str; 7] = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"];

#[derive(Debug, Args)]
pub(crate) struct MemoryCommand {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Compare memory models on a log of reviews: yours, Anki's, or any table
    Evaluate(Evaluate),
    /// Show how many reviews the next days will bring
    Forecast(Forecast),
    /// Show or change when and how often reviews come
    Set(Set),
}

impl MemoryCommand {
    pub(crate) async fn run(self, config: &Config) -> Done {
        match self.command {
            Command::Evaluate(evaluate) => evaluate.run(config).await,
            Command::Forecast(forecast) => forecast.run(config).await,
            Command::Set(set) => set.run(config).await,
        }
    }
}

#[derive(Debug, Args)]
struct Evaluate {
    /// A .csv, .tsv or .txt table with a card, a time and a rating in each row, or an Anki package; without one,
    /// what the learner has done here
    #[arg(value_name = "LOG")]
    file: Option<PathBuf>,
    /// Keep the model that predicts best, with fitted weights, for this learner
    #[arg(long)]
    fit: bool,
    /// The learner
    #[arg(long, value_name = "NAME", default_value = ME, value_parser = NonEmptyStringValueParser::new())]
    learner: String,
}

impl Evaluate {
    async fn run(self, config: &Config) -> Done {
        // A comparison on a file needs no database.
        let needs_store = self.file.is_none() || self.fit;
        let store = if needs_store { Some(config.store().await.map_err(no)?) } else { None };
        let result = self.compare(store.as_ref(), config).await;
        if let Some(store) = store {
            store.close().await;
        }
        result
    }

    async fn compare(&self, store: Option<&Store>, config: &Config) -> Done {
        let profile = match store {
            Some(store) => profiles::read(store, &self.learner).await?,
            None => Profile::default(),
        };
        let calendar = Calendar::of(&profile);
        let read = match (&self.file, store) {
            (Some(path), _) => log_in_file(path, &calendar)?,
            (None, Some(store)) => own_log(store, config, &self.learner, &calendar).await?,
            (None, None) => ReadLog::default(),
        };
        if read.log.is_empty() {
            return Err(unreadable(format!(
                "nothing of “{}” was rated yet: learn something first, or give a file",
                self.learner
            )));
        }
        let chosen = output::with_progress("Comparing models", || choose(&read.log));
        report_bad_rows(&read);
        output::answer(config, &chosen.evaluation, |_| report(&read, &chosen))?;
        match store.filter(|_| self.fit) {
            Some(store) => self.keep(store, &chosen, config).await?,
            None if !config.json && tested(&chosen) >= MIN_TESTED => {
                say!("Keep it with {}", paint(STRONG, "`--fit`"));
            }
            None => {}
        }
        Ok(ExitCode::SUCCESS)
    }

    async fn keep(&self, store: &Store, chosen: &Chosen, config: &Config) -> Result<(), Stop> {
        let keep = |profile: &mut Profile| {
            profile.memory = chosen.memory;
            profile.weights.clone_from(&chosen.weights);
            profile.memory_chosen_by = Chooser::Learner;
            Ok(())
        };
        profiles::change(store, &self.learner, Clock::System.now(), keep).await?;
        if !config.json {
            say!("{} kept for “{}”: {}", paint(GOOD, "✓"), self.learner, described(chosen.evaluation.chosen));
        }
        Ok(())
    }
}

fn log_in_file(path: &Path, calendar: &Calendar) -> Result<ReadLog, Stop> {
    let bytes = read_file(path)?;
    let about = |error: &dyn std::fmt::Display| unreadable(format!("{}: {error}", path.display()));
    match ending(path).as_str() {
        "apkg" | "colpkg" => {
            let cards = anki::read(std::io::Cursor::new(bytes)).map_err(|error| about(&error))?;
            let log = ReviewLog::new(reviews_of(&cards), calendar);
            if log.is_empty() {
                return Err(about(
                    &"it has no reviews. Export it again with “Include scheduling information” ticked",
                ));
            }
            Ok(ReadLog { log, ratings_are: "Anki's buttons", ..ReadLog::default() })
        }
        _ => read_log(&bytes, calendar).map_err(|error| about(&error)),
    }
}

fn reviews_of(cards: &Cards) -> impl Iterator<Item = (String, i64, Quality)> {
    cards.notes.iter().flat_map(|note| {
        let name = note.identity();
        note.cards.iter().flat_map(move |card| {
            let name = format!("{name} {:?}", card.asks);
            card.reviews.iter().map(move |review| (name.clone(), review.at_us, review.rating.quality()))
        })
    })
}

/// Returns the learner's reviews in all flows.
async fn own_log(
    store: &Store,
    config: &Config,
    learner: &str,
    calendar: &Calendar,
) -> Result<ReadLog, Stop> {
    let log = remembering::own_log(store, &config.flows(), learner, calendar).await?;
    Ok(ReadLog { log, ratings_are: "0 to 5, from 3 on recalled", ..ReadLog::default() })
}

/// Reports bad rows on standard error, so that output for programs stays clean.
fn report_bad_rows(read: &ReadLog) {
    if read.bad_rows_count == 0 {
        return;
    }
    let rows = counted(read.bad_rows_count, "row");
    anstream::eprintln!("{} {rows} left out:", paint(CAREFUL, "careful:"));
    for BadRow { line, why } in read.bad_rows.iter().take(MAX_SHOWN) {
        anstream::eprintln!("  line {line}: {why}");
    }
    if read.bad_rows_count > MAX_SHOWN {
        anstream::eprintln!("  and {} more", read.bad_rows_count - MAX_SHOWN);
    }
}

/// Returns the number of recalls that were predicted.
fn tested(chosen: &Chosen) -> usize {
    chosen.evaluation.models.values().map(|scores| scores.n).max().unwrap_or(0)
}

fn report(read: &ReadLog, chosen: &Chosen) {
    let evaluation = &chosen.evaluation;
    let tested = tested(chosen);
    let (reviews, cards) = (counted(read.log.len(), "review"), counted(read.log.cards().len(), "card"));
    say!("{reviews} of {cards}, ratings read as {}", read.ratings_are);
    let were = if tested == 1 { "was" } else { "were" };
    say!("{} of the later half {were} predicted from what came before\n", counted(tested, "review"));
    say!(
        "{}",
        paint(QUIET, format!("  {:<22} {:>9} {:>11} {:>7}", "model", "log loss", "RMSE (bins)", "AUC"))
    );
    for (candidate, scores) in &evaluation.models {
        let line = scores_line(*candidate, scores);
        let is_chosen = *candidate == evaluation.chosen;
        say!("{}", if is_chosen { paint(STRONG, format!("{line}  chosen")) } else { line });
    }
    say!("\n{}", meaning(chosen, tested));
}

fn scores_line(candidate: Candidate, scores: &Scores) -> String {
    let number = |number: Option<f64>| number.map_or_else(|| "–".to_owned(), |number| format!("{number:.4}"));
    let Scores { log_loss, rmse_bins, auc, .. } = scores;
    format!(
        "  {:<22} {:>9} {:>11} {:>7}",
        described(candidate),
        number(*log_loss),
        number(*rmse_bins),
        number(*auc)
    )
}

fn described(candidate: Candidate) -> &'static str {
    match candidate {
        Candidate::Sm2 => "SM-2",
        Candidate::FsrsDefault => "FSRS-6, usual weights",
        Candidate::FsrsFitted => "FSRS-6, fitted weights",
        Candidate::Baseline => "mean recall so far",
    }
}

fn meaning(chosen: &Chosen, tested: usize) -> String {
    let name = described(chosen.evaluation.chosen);
    if tested < MIN_TESTED {
        return format!(
            "That is too little to tell models apart ({MIN_TESTED} predictions are needed), so {name} it is."
        );
    }
    let knows_little = " It is no better than guessing the mean, so take its dates with care.";
    format!(
        "The smaller the log loss, the better recall was foreseen: {name} foresees this learner best.{}",
        if chosen.evaluation.knows_something() { "" } else { knows_little }
    )
}

#[derive(Debug, Args)]
struct Forecast {
    /// How many days to look ahead
    #[arg(long, value_name = "NUMBER", default_value_t = 30, value_parser = clap::value_parser!(u16).range(1..=365))]
    days: u16,
    /// The learner
    #[arg(long, value_name = "NAME", default_value = ME, value_parser = NonEmptyStringValueParser::new())]
    learner: String,
}

impl Forecast {
    async fn run(self, config: &Config) -> Done {
        let store = config.store().await.map_err(no)?;
        let read = self.read(&store).await;
        store.close().await;
        let (profile, due_us) = read?;
        let calendar = Calendar::of(&profile);
        let now_us = Clock::System.now().0;
        let counts = calendar.forecast(&due_us, now_us, usize::from(self.days));
        let today =
            calendar.day(now_us).ok_or_else(|| no("the clock of this machine is out of all bounds"))?;
        let days: Vec<_> = today.series(jiff::Span::new().days(1)).zip(counts).collect();
        let overdue = due_us.iter().filter(|at_us| **at_us < now_us).count();
        if config.json {
            let days = days.iter().map(|(day, due)| json!({"day": day, "due": due})).collect::<Vec<_>>();
            return output::json(&json!({"days": days, "due_now": overdue, "time_zone": profile.time_zone}));
        }
        if let Some(note) = calendar.note() {
            anstream::eprintln!("{} {note}", paint(CAREFUL, "careful:"));
        }
        show_days(&days, &profile);
        say!(
            "{} in {}, {overdue} due now",
            counted(days.iter().map(|(_, due)| *due as usize).sum(), "review"),
            counted(days.len(), "day")
        );
        Ok(ExitCode::SUCCESS)
    }

    async fn read(&self, store: &Store) -> Result<(Profile, Vec<i64>), Stop> {
        let mut due_us = Vec::new();
        for kind in [ITEM_KIND, NODE_KIND] {
            let records = store.records(&self.learner, kind, MAX_RECORDS).await?;
            due_us.extend(records.iter().filter_map(|record| record.due_at).map(|at| at.0));
        }
        Ok((profiles::read(store, &self.learner).await?, due_us))
    }
}

fn show_days(days: &[(jiff::civil::Date, u32)], profile: &Profile) {
    let most = days.iter().map(|(_, due)| *due).max().unwrap_or(0).max(1);
    for (day, due) in days {
        // Rounding up keeps a day with few reviews visible.
        let width = (*due as usize * BAR_WIDTH).div_ceil(most as usize);
        let is_easy = profile.easy_days.contains(&day.weekday().to_monday_one_offset());
        let name = day.strftime("%a %e %b").to_string();
        let name = if is_easy { paint(QUIET, name) } else { name };
        let due = if *due == 0 { String::new() } else { format!(" {due}") };
        say!("{name} {}{due}", paint(GOOD, "█".repeat(width)));
    }
}

/// Settings that a learner may choose. Without any, shows the present ones.
#[derive(Debug, Args)]
struct Set {
    /// The chance of recall at which a review is due, 0.70 to 0.97
    #[arg(long, value_name = "PART", value_parser = parse_retention)]
    retention: Option<f64>,
    /// The memory model: fsrs, sm2, or auto to pick the best predictor every night
    #[arg(long, value_name = "MODEL", value_parser = parse_memory)]
    memory: Option<Choice>,
    /// Discard fitted weights for good
    #[arg(long)]
    usual_weights: bool,
    /// The time zone, such as Europe/Berlin
    #[arg(long, value_name = "ZONE", value_parser = parse_zone)]
    zone: Option<String>,
    /// The hour at which a day begins, 0 to 23
    #[arg(long, value_name = "HOUR", value_parser = clap::value_parser!(i8).range(0..=23))]
    day_starts: Option<i8>,
    /// Days of the week with few reviews, such as sat,sun, or none
    #[arg(long, value_name = "DAYS", value_parser = parse_days)]
    easy_days: Option<Days>,
    /// Move reviews a little so that no day has too many: on or off
    #[arg(long, value_name = "ON|OFF", value_parser = parse_switch)]
    balance: Option<bool>,
    /// Give a good answer some credit for what it builds on: on or off
    #[arg(long, value_name = "ON|OFF", value_parser = parse_switch)]
    credit: Option<bool>,
    /// The learner
    #[arg(long, value_name = "NAME", default_value = ME, value_parser = NonEmptyStringValueParser::new())]
    learner: String,
}

/// The memory model to use.
#[derive(Debug, Clone, Copy)]
enum Choice {
    This(Memory),
    /// The model that predicts best.
    Auto,
}

/// Days of the week, with Monday as 1.
#[derive(Debug, Clone)]
struct Days(Vec<i8>);

impl Set {
    async fn run(self, config: &Config) -> Done {
        let store = config.store().await.map_err(no)?;
        let changes = self.changes();
        let changed = match changes.is_empty() {
            true => profiles::read(&store, &self.learner).await,
            false => {
                let set = |profile: &mut Profile| profile.set_fields(&changes);
                profiles::change(&store, &self.learner, Clock::System.now(), set).await
            }
        };
        store.close().await;
        let profile = changed?;
        output::answer(config, &settings(&profile), |_| show(&profile))
    }

    /// Returns the profile's fields that the command line sets.
    fn changes(&self) -> Map<String, Value> {
        let (memory, chooser) = match self.memory {
            Some(Choice::This(memory)) => (Some(memory), None),
            Some(Choice::Auto) => (None, Some(Chooser::Fit)),
            None => (None, None),
        };
        let usual_weights = self.usual_weights.then_some(Value::Null);
        let given = [
            ("desired_retention", self.retention.map(Value::from)),
            ("memory", memory.map(|memory| json!(memory))),
            ("memory_chosen_by", chooser.map(|chooser| json!(chooser))),
            ("weights", usual_weights),
            ("time_zone", self.zone.clone().map(Value::from)),
            ("day_starts_at", self.day_starts.map(Value::from)),
            ("easy_days", self.easy_days.as_ref().map(|Days(days)| json!(days))),
            ("balances_load", self.balance.map(Value::from)),
            ("gives_implicit_credit", self.credit.map(Value::from)),
        ];
        given.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?))).collect()
    }
}

fn settings(profile: &Profile) -> Value {
    json!({
        "retention": profile.desired_retention,
        "memory": profile.memory,
        "memory_chosen_by": profile.memory_chosen_by,
        "has_fitted_weights": profile.weights.is_some(),
        "zone": profile.time_zone,
        "day_starts": profile.day_starts_at,
        "easy_days": day_names(&profile.easy_days),
        "balance": profile.balances_load,
        "credit": profile.gives_implicit_credit,
    })
}

fn show(profile: &Profile) {
    let switch = |is_on: bool| if is_on { "on" } else { "off" };
    let memory = match (profile.memory, &profile.weights) {
        (Memory::Sm2, _) => "sm2",
        (Memory::Fsrs, Some(_)) => "fsrs, fitted weights",
        (Memory::Fsrs, None) => "fsrs, usual weights",
    };
    let chosen = match profile.memory_chosen_by {
        Chooser::Learner => "chosen by you",
        Chooser::Fit => "auto: every night the one that predicts you best is looked for",
    };
    let easy_days = day_names(&profile.easy_days).join(",");
    let rows = [
        ("retention", format!("{:.2}", profile.desired_retention)),
        ("memory", format!("{memory} ({chosen})")),
        ("zone", profile.time_zone.clone()),
        ("day starts", format!("{}:00", profile.day_starts_at)),
        ("easy days", if easy_days.is_empty() { "none".to_owned() } else { easy_days }),
        ("balance", switch(profile.balances_load).to_owned()),
        ("credit", switch(profile.gives_implicit_credit).to_owned()),
    ];
    for (name, value) in rows {
        say!("{name:<10}  {value}");
    }
}

fn day_names(days: &[i8]) -> Vec<&'static str> {
    days.iter().filter_map(|day| WEEK.get(usize::try_from(*day).ok()?.checked_sub(1)?).copied()).collect()
}

fn parse_retention(text: &str) -> Result<f64, String> {
    let retention: f64 = text.parse().map_err(|_| "write a number such as 0.9".to_owned())?;
    if RETENTION.contains(&retention) {
        return Ok(retention);
    }
    let (least, most) = (RETENTION.start(), RETENTION.end());
    Err(format!(
        "write {least:.2} to {most:.2}: with less most of what you learn is forgotten before it comes back, with more \
         nearly everything comes back every day"
    ))
}

fn parse_memory(text: &str) -> Result<Choice, String> {
    match text {
        "fsrs" => Ok(Choice::This(Memory::Fsrs)),
        "sm2" => Ok(Choice::This(Memory::Sm2)),
        "auto" => Ok(Choice::Auto),
        _ => Err("write fsrs, sm2 or auto".to_owned()),
    }
}

fn parse_zone(text: &str) -> Result<String, String> {
    time_zone(text).map(|_| text.to_owned())
}

fn parse_switch(text: &str) -> Result<bool, String> {
    match text {
        "on" => Ok(true),
        "off" => Ok(false),
        _ => Err("write on or off".to_owned()),
    }
}

fn parse_days(text: &str) -> Result<Days, String> {
    if text == "none" {
        return Ok(Days(Vec::new()));
    }
    let mut days = Vec::new();
    for word in text.split(',') {
        let word = word.trim().to_lowercase();
        let day = WEEK.iter().position(|name| word.starts_with(name));
        let day = day
            .ok_or_else(|| format!("“{word}” is no day: write mon, tue, wed, thu, fri, sat, sun, or none"))?;
        days.push(day as i8 + 1);
    }
    days.sort_unstable();
    days.dedup();
    Ok(Days(days))
}
