//! Commands on flows under way: new, show, list, send, log, replay, dead.

use super::config::Config;
use super::context::{on_app, with_app};
use super::output::{self, BAD, Done, GOOD, QUIET, STRONG, no, paint, say, unreadable};
use super::{NO, laws};
use clap::Args;
use coaching::rejected::Rejected;
use coaching::turn::Source;
use serde_json::{Value, json};
use shell::engine::app::App;
use shell::engine::failure::Failure;
use shell::engine::flows::bundled;
use shell::engine::turn::{self, Opening, Request};
use shell::engine::view::{self, Answer, View};
use std::path::Path;
use std::process::ExitCode;
use store::{Cursor, Filter, LogEntry};

fn parse_json(text: &str) -> Result<Value, String> {
    serde_json::from_str(text).map_err(|error| format!("this is not JSON: {error}"))
}

/// Completes an id. Refuses a beginning that several flows share.
async fn full_id(app: &App, given: &str) -> Result<String, Failure> {
    let unknown = || Failure::UnknownInstance { id: given.to_owned() };
    if app.store.load(given).await?.is_some() {
        return Ok(given.to_owned());
    }
    if given.len() < SHORTEST_ID {
        return Err(unknown());
    }
    let (mut found, mut cursor) = (Vec::new(), None);
    for _ in 0..ID_PAGES {
        let page = app.store.list(&Filter::default(), cursor.as_ref(), ID_PAGE).await?;
        found.extend(page.instances.into_iter().map(|row| row.id).filter(|id| id.starts_with(given)));
        cursor = page.next;
        if cursor.is_none() {
            break;
        }
    }
    match found.as_slice() {
        [] => Err(unknown()),
        [id] => Ok(id.clone()),
        several => Err(Failure::Rejected(Rejected {
            code: "ambiguous_id",
            message: format!("{} flows have an id that begins with `{given}`", several.len()).into(),
            cure: format!("give more of one of: {}", several[..several.len().min(10)].join(", ")).into(),
        })),
    }
}

/// The shortest beginning of an id that is looked up, among the newest ten thousand flows.
const SHORTEST_ID: usize = 8;
const ID_PAGE: usize = 500;
const ID_PAGES: usize = 20;

fn at_least_one(text: &str) -> Result<usize, String> {
    text.parse().ok().filter(|number| *number > 0).ok_or_else(|| "write a whole number from 1 on".into())
}

#[derive(Debug, Args)]
pub(crate) struct New {
    /// A flow such as `drill`, or a law file
    flow: String,
    /// The learner
    #[arg(long, default_value = "me")]
    learner: String,
    /// The opening, as JSON
    #[arg(long, value_name = "JSON", value_parser = parse_json)]
    with: Option<Value>,
    /// A fact that holds when the flow opens, for your own law
    #[arg(long, value_name = "NAME")]
    fact: Vec<String>,
    /// Override a constant of the law
    #[arg(long, value_name = "NAME=NUMBER", value_parser = laws::parse_set)]
    set: Vec<(String, i64)>,
    /// Print only the id
    #[arg(long, short, conflicts_with = "json")]
    quiet: bool,
}

impl New {
    pub(crate) async fn run(self, config: &Config) -> Done {
        let mut flows = config.flows();
        let mut name = self.flow.clone();
        if flows.get(&name).is_none() && (Path::new(&name).exists() || looks_like_a_file(&name)) {
            let source = std::fs::read_to_string(&name);
            let source = source.map_err(|error| unreadable(format!("{name}: {error}")))?;
            let folder = Path::new(&name).parent().unwrap_or(Path::new(""));
            let added = bundled(&source, folder).and_then(|source| flows.add_law(&source, false));
            let entry = added.map_err(|unproved| {
                output::aside(&laws::shown(&name, &source, &unproved.problems, output::colours()));
                no("this law may not run")
            })?;
            name.clone_from(&entry.name);
        }
        let opening = Opening {
            flow: name,
            learner: self.learner,
            opening: self.with.unwrap_or(Value::Null),
            facts: self.fact,
            set: self.set.into_iter().collect(),
            ..Opening::default()
        };
        on_app(config, config.asking_app(flows).await, None, async |app| {
            let answer = turn::open(app, opening).await?;
            if self.quiet {
                say!("{}", answer.view.id);
                return Ok(ExitCode::SUCCESS);
            }
            output::answer(config, &answer, show_answer)
        })
        .await
    }
}

/// Whether a name must mean a file, even a missing one, because no flow can have it.
fn looks_like_a_file(name: &str) -> bool {
    name.contains('/') || name.ends_with(".yaml") || name.ends_with(".yml")
}

#[derive(Debug, Args)]
pub(crate) struct Show {
    /// The flow's id, or the beginning of it
    id: String,
}

impl Show {
    pub(crate) async fn run(self, config: &Config) -> Done {
        with_app(config, async |app| {
            let row = app.row(&full_id(app, &self.id).await?).await?;
            let view = turn::look(app, row).await?;
            output::answer(config, &view, show_view)
        })
        .await
    }
}

#[derive(Debug, Args)]
pub(crate) struct Send {
    /// The flow's id, or the beginning of it
    id: String,
    /// The event; `etude show ID` lists those that are allowed
    event: String,
    /// The payload, as JSON
    #[arg(long, value_name = "JSON", value_parser = parse_json)]
    with: Option<Value>,
    /// A fact that holds
    #[arg(long, value_name = "NAME")]
    fact: Vec<String>,
    /// Refuse if the flow is not at this version
    #[arg(long, value_name = "VERSION")]
    expect: Option<u64>,
    /// Perform requests with this key only once
    #[arg(long, value_name = "KEY")]
    key: Option<String>,
}

impl Send {
    pub(crate) async fn run(self, config: &Config) -> Done {
        on_app(config, config.asking_app(config.flows()).await, None, async |app| {
            let id = full_id(app, &self.id).await?;
            let request = Request {
                payload: self.with.unwrap_or(Value::Null),
                facts: self.fact,
                expect_version: self.expect,
                request: self.key,
                ..Request::new(&id, &self.event, Source::User)
            };
            let answer = turn::take(app, request).await?;
            output::answer(config, &answer, show_answer)
        })
        .await
    }
}

fn show_answer(answer: &Answer) {
    for line in &answer.said {
        let means = line.means.as_ref().map(|means| paint(QUIET, format!("  ({means})"))).unwrap_or_default();
        say!("{}{means}", line.say);
    }
    if !answer.actions.is_empty() {
        say!("{}", paint(QUIET, format!("did: {}", answer.actions.join(", "))));
    }
    show_view(&answer.view);
}

fn show_view(view: &View) {
    let state = match &view.outcome {
        Some(outcome) => {
            format!("{} {}", paint(STRONG, &view.state), paint(GOOD, format!("ended: {outcome}")))
        }
        None => paint(STRONG, &view.state),
    };
    say!("{} {} {state}", view.id, paint(QUIET, format!("{} v{}", view.flow, view.version)));
    let counters: Vec<String> = view.counters.iter().map(|(name, value)| format!("{name} {value}")).collect();
    if !counters.is_empty() {
        say!("  {}", counters.join(", "));
    }
    if !view.allowed.is_empty() {
        say!("  next: {}", view.allowed.join(", "));
    }
    if let Some(refused) = &view.refused {
        say!("  {}", paint(BAD, refused));
    }
}

#[derive(Debug, Args)]
pub(crate) struct List {
    /// Only flows of this kind
    #[arg(long, value_name = "NAME")]
    flow: Option<String>,
    /// Only flows in this state
    #[arg(long, value_name = "NAME")]
    state: Option<String>,
    /// Only flows of this learner
    #[arg(long, value_name = "NAME")]
    learner: Option<String>,
    /// Only flows that have not ended
    #[arg(long)]
    open: bool,
    /// At most this many
    #[arg(long, value_name = "NUMBER", default_value_t = 20, value_parser = at_least_one)]
    limit: usize,
    /// Continue after this cursor
    #[arg(long)]
    cursor: Option<String>,
}

impl List {
    pub(crate) async fn run(self, config: &Config) -> Done {
        let cursor = self.cursor.as_deref().map(str::parse::<Cursor>).transpose().map_err(unreadable)?;
        let filter = Filter {
            flow: self.flow,
            state: self.state,
            learner: self.learner,
            open: self.open.then_some(true),
        };
        with_app(config, async |app| {
            let page = app.store.list(&filter, cursor.as_ref(), self.limit).await?;
            let rows = view::Rows {
                instances: page.instances.iter().map(view::row).collect(),
                next: page.next.map(|cursor| cursor.to_string()),
            };
            output::answer(config, &rows, show_rows)
        })
        .await
    }
}

fn show_rows(rows: &view::Rows) {
    if rows.instances.is_empty() {
        say!("{}", paint(QUIET, "nothing here yet; `etude new` opens a flow"));
    }
    for row in &rows.instances {
        let standing = row.outcome.as_ref().map_or(row.state.clone(), |o| format!("{} ({o})", row.state));
        say!("{}  {:<16} {:<12} {standing}", row.id, row.flow, row.learner);
    }
    if let Some(next) = &rows.next {
        say!("{}", paint(QUIET, format!("more: --cursor {next}")));
    }
}

#[derive(Debug, Args)]
pub(crate) struct Log {
    /// The flow's id, or the beginning of it
    id: String,
    /// Only transitions after this version
    #[arg(long, default_value_t = 0)]
    after: u64,
    /// At most this many; all if left out
    #[arg(long, value_name = "NUMBER", value_parser = at_least_one)]
    limit: Option<usize>,
}

/// The number of entries read from a log at a time.
const PAGE: usize = 1000;

impl Log {
    pub(crate) async fn run(self, config: &Config) -> Done {
        with_app(config, async |app| {
            let id = full_id(app, &self.id).await?;
            let (entries, is_more) = self.entries(app, &id).await?;
            let log = view::Log { entries: entries.iter().map(view::entry).collect() };
            output::answer(config, &log, |log| {
                log.entries.iter().for_each(show_entry);
                let last = log.entries.last().map_or(self.after, |entry| entry.version);
                if is_more {
                    say!("{}", paint(QUIET, format!("more: --after {last}")));
                }
            })
        })
        .await
    }
}

impl Log {
    /// Returns the wanted entries, and whether more follow.
    async fn entries(&self, app: &App, id: &str) -> Result<(Vec<LogEntry>, bool), Failure> {
        let most = self.limit.unwrap_or(usize::MAX);
        let mut entries: Vec<LogEntry> = Vec::new();
        loop {
            let after = entries.last().map_or(self.after, |entry| entry.version);
            let wanted = PAGE.min((most - entries.len()).saturating_add(1));
            let page = app.store.log(id, after, wanted).await?;
            let is_last = page.len() < wanted;
            entries.extend(page);
            if is_last || entries.len() > most {
                let is_more = entries.len() > most;
                entries.truncate(most);
                return Ok((entries, is_more));
            }
        }
    }
}

fn show_entry(entry: &view::Entry) {
    let at = entry.at.parse::<jiff::Timestamp>();
    // Columns line up only if all moments have the same length.
    let at = at.map_or_else(|_| entry.at.clone(), |moment| format!("{moment:.3}"));
    let steps = format!("{} → {}", entry.from, entry.to);
    let line = format!("{:>5}  {at}  {:<20} {steps:<40} {:<6}", entry.version, entry.event, entry.source);
    match details(entry) {
        details if details.is_empty() => say!("{}", line.trim_end()),
        details => say!("{line} {}", paint(QUIET, details)),
    }
}

/// Describes the changes of the counters, and the facts that held.
fn details(entry: &view::Entry) -> String {
    let change = |(name, pair): (&String, &Value)| format!("{name} {}→{}", pair[0], pair[1]);
    let changes = entry.changes.as_object().into_iter().flatten().map(change);
    let facts = entry.facts.as_array().into_iter().flatten().filter_map(Value::as_str).map(str::to_owned);
    changes.chain(facts).collect::<Vec<_>>().join(", ")
}

#[derive(Debug, Args)]
pub(crate) struct Replay {
    /// The flow's id, or the beginning of it
    id: String,
}

impl Replay {
    pub(crate) async fn run(self, config: &Config) -> Done {
        with_app(config, async |app| {
            let replay = shell::engine::replay::replay(app, &full_id(app, &self.id).await?).await?;
            output::answer(config, &replay, |replay| match &replay.difference {
                None => say!(
                    "{} {} transitions lead to {} as stored",
                    paint(GOOD, "✓"),
                    replay.transitions,
                    replay.state
                ),
                Some(difference) => say!("{} {difference}", paint(BAD, "✗")),
            })?;
            Ok(ExitCode::from(if replay.same { 0 } else { NO }))
        })
        .await
    }
}

#[derive(Debug, Args)]
pub(crate) struct Dead {
    /// Retry this effect
    #[arg(long, value_name = "KEY")]
    revive: Option<String>,
}

impl Dead {
    pub(crate) async fn run(self, config: &Config) -> Done {
        with_app(config, async |app| {
            if let Some(key) = &self.revive {
                if !app.store.revive_effect(key, app.clock.now()).await? {
                    return Err(no(format!("no dead effect has the key `{key}`")));
                }
                say!("{key} will be tried again by the server");
                return Ok(ExitCode::SUCCESS);
            }
            let effects = app.store.dead_effects(500).await?;
            let row = |e: &store::Effect| {
                json!({"key": e.key, "kind": e.kind, "attempts": e.attempts, "reason": e.last_error})
            };
            output::answer(config, &effects.iter().map(row).collect::<Vec<_>>(), |_| {
                for effect in &effects {
                    let reason = effect.last_error.as_deref().unwrap_or("");
                    let tries = if effect.attempts == 1 { "try" } else { "tries" };
                    say!("{}  {} {tries}  {reason}", effect.key, effect.attempts);
                }
                if effects.is_empty() {
                    say!("{}", paint(QUIET, "nothing was given up"));
                }
            })
        })
        .await
    }
}
