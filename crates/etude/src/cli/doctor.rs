//! `etude doctor`: reports what works and what does not, each with a cure.

use super::NO;
use super::config::Config;
use super::output::{self, BAD, CAREFUL, Done, GOOD, QUIET, STRONG, paint, say};
use super::screen::columns;
use super::screen::layout::{Span, hanging, paragraph};
use anstyle::Style;
use flow::Overrides;
use outside::{Finding, Level, model};
use serde::Serialize;
use shell::builtin;
use shell::effects::asking::Asker;
use shell::effects::{self, Outside};
use shell::engine::app::App;
use shell::engine::clock::{Clock, iso, timestamp};
use shell::engine::failure::counted;
use std::path::Path;
use std::process::ExitCode;

/// The free space in megabytes below which the doctor warns, and below which it sees a problem: a database can
/// hardly grow.
const ROOM_WARNING_MB: u64 = 500;
const ROOM_PROBLEM_MB: u64 = 50;
/// The record in which the check notes its last write. It belongs to no learner.
const WRITTEN: (&str, &str, &str) = ("", "doctor", "written");

/// The indent of a finding's further lines.
const FINDING: &str = "           ";

#[derive(Debug, Serialize)]
struct Report {
    /// Whether no check found a problem.
    ok: bool,
    checks: Vec<Check>,
}

#[derive(Debug, Serialize)]
struct Check {
    area: &'static str,
    #[serde(flatten)]
    finding: Finding,
}

pub(crate) async fn run(config: &Config) -> Done {
    let checks = examine(config).await;
    let ok = checks.iter().all(|check| check.finding.level != Level::Problem);
    output::answer(config, &Report { ok, checks }, |report| report.checks.iter().for_each(show))?;
    Ok(ExitCode::from(if ok { 0 } else { NO }))
}

fn show(Check { area, finding }: &Check) {
    let mark = match finding.level {
        Level::Fine => paint(GOOD, "✓"),
        Level::Warning => paint(CAREFUL, "!"),
        Level::Problem => paint(BAD, "✗"),
    };
    let first = format!("{mark} {} ", paint(QUIET, format!("{area:<8}")));
    let what = hanging(&first, FINDING, &[Span::new(Style::new(), &finding.what)], columns());
    say!("{}", what.trim_end());
    if !finding.cure.is_empty() {
        let cure = [Span::new(STRONG, "do:"), Span::new(Style::new(), format!(" {}", finding.cure))];
        say!("{}", paragraph(FINDING, &cure, columns()).trim_end());
    }
}

/// Runs all checks, each after those that it depends on.
async fn examine(config: &Config) -> Vec<Check> {
    let mut checks = Vec::new();
    let mut note = |area, findings: Vec<Finding>| {
        checks.extend(findings.into_iter().map(|finding| Check { area, finding }));
    };
    note("folder", folder(config));
    note("disk", disk(&config.data));
    note("token", token(config));
    note("packs", packs(config));
    note("courses", curricula(config));
    let (asker, of_model) = configured_model(config);
    match config.store().await {
        Ok(store) => {
            let app = effects::app(store, config.flows(), Clock::System, Outside::default());
            note("database", database(&app).await);
            note("database", damage(&app).await);
            note("laws", laws(&app).await);
            note("model", of_model);
            note("model", answering_model(&app, asker.as_ref()).await);
            app.store.close().await;
        }
        Err(message) => {
            let cure = "correct the address or the permissions, or free the file";
            note("database", vec![Finding::problem(message, cure)]);
            note("model", of_model);
        }
    }
    note("agents", super::agent::findings(config));
    note("channels", channels(config).await);
    note("judge", programs(config));
    note("terminal", terminal(config));
    checks
}

fn folder(config: &Config) -> Vec<Finding> {
    let path = config.data.display();
    if let Err(message) = config.make_data_folder() {
        return vec![Finding::problem(
            message,
            "choose another folder with --data, or correct its permissions",
        )];
    }
    let probe = config.data.join(".doctor");
    let written = std::fs::write(&probe, "").and_then(|()| std::fs::remove_file(&probe));
    let mut findings = vec![match written {
        Ok(()) => Finding::fine(format!("{path} can be written")),
        Err(error) => Finding::problem(
            format!("{path} cannot be written: {error}"),
            "correct its owner and permissions, or choose another folder with --data",
        ),
    }];
    if is_open_to_others(&config.data) {
        let what = format!("{path} can be looked into by other users of this machine");
        findings.push(Finding::warning(what, format!("chmod 700 {path}")));
    }
    findings
}

fn token(config: &Config) -> Vec<Finding> {
    let path = config.token_path();
    if !path.exists() {
        return vec![Finding::fine("there is no token yet; the server makes one when it starts")];
    }
    vec![match is_open_to_others(&path) {
        true => Finding::problem(
            format!("{} can be read by other users of this machine", path.display()),
            format!("chmod 600 {}, or delete it and start the server for a new one", path.display()),
        ),
        false => Finding::fine("only you can read the token of the server"),
    }]
}

#[cfg(unix)]
fn is_open_to_others(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    std::fs::metadata(path).is_ok_and(|metadata| metadata.permissions().mode() & 0o077 != 0)
}

#[cfg(not(unix))]
fn is_open_to_others(_: &Path) -> bool {
    false
}

#[cfg(unix)]
fn disk(path: &Path) -> Vec<Finding> {
    let Ok(space) = rustix::fs::statvfs(path) else { return Vec::new() };
    let free_mb = space.f_bavail.saturating_mul(space.f_frsize) >> 20;
    let what = format!("{free_mb} MB are free for the data");
    let cure = "free some space, or move the data with --data";
    vec![match free_mb {
        0..ROOM_PROBLEM_MB => Finding::problem(what, cure),
        ROOM_PROBLEM_MB..ROOM_WARNING_MB => Finding::warning(what, cure),
        _ => Finding::fine(what),
    }]
}

#[cfg(not(unix))]
fn disk(_: &Path) -> Vec<Finding> {
    Vec::new()
}

fn packs(config: &Config) -> Vec<Finding> {
    let (packs, left_out) = builtin::read_packs(Some(config.packs_folder()));
    let mut findings = vec![Finding::fine(format!("{} packs can be used", packs.len()))];
    let cure = format!("correct or remove it in {}", config.packs_folder().display());
    findings.extend(left_out.into_iter().map(|why| Finding::warning(why.to_string(), cure.clone())));
    findings
}

fn curricula(config: &Config) -> Vec<Finding> {
    let folder = config.curricula_folder();
    let (curricula, left_out) = builtin::read_curricula(Some(&folder));
    let mut findings = vec![Finding::fine(format!("{} curricula can be taught", curricula.len()))];
    let cure = format!("correct or remove it in {}", folder.display());
    findings.extend(left_out.into_iter().map(|why| Finding::warning(why.to_string(), cure.clone())));
    findings
}

async fn database(app: &App) -> Vec<Finding> {
    let failed = |error: store::StoreError| vec![Finding::problem(error.to_string(), "see the message")];
    if let Err(error) = write(app).await {
        return failed(error);
    }
    let version = match app.store.schema_version().await {
        Ok(version) => version,
        Err(error) => return failed(error),
    };
    let mut findings =
        vec![Finding::fine(format!("the database can be written; its schema has version {version}"))];
    match app.store.counts(app.clock.now()).await {
        Ok(counts) if counts.effects_dead > 0 => findings.push(Finding::warning(
            format!("{} effects were given up", counts.effects_dead),
            "`etude dead` lists them and can try them again",
        )),
        Ok(_) => {}
        Err(error) => return failed(error),
    }
    findings
}

/// Checks that the file is whole and that every log leads to its flow's present state.
async fn damage(app: &App) -> Vec<Finding> {
    let cure = "stop the server, keep a copy of the database, and bring a backup back with `etude restore`";
    match app.store.find_damage().await {
        Ok(found) if found.is_empty() => {
            vec![Finding::fine("no damage was found; every log reaches its flow")]
        }
        Ok(found) => found.into_iter().map(|what| Finding::problem(what, cure)).collect(),
        Err(error) => vec![Finding::problem(error.to_string(), cure)],
    }
}

async fn write(app: &App) -> Result<(), store::StoreError> {
    let before = app.store.record(WRITTEN.0, WRITTEN.1, WRITTEN.2).await?.map(|record| record.body);
    let now = app.clock.now();
    app.store.swap_record(WRITTEN, before.as_deref(), (&iso(now), None), now).await.map(drop)
}

async fn laws(app: &App) -> Vec<Finding> {
    let mut findings = Vec::new();
    for entry in app.flows.entries() {
        findings.push(match app.flows.machine(entry, &Overrides::new()) {
            Ok(machine) => {
                Finding::fine(format!("the law of `{}` {} is proved", entry.name, machine.version()))
            }
            Err(unproved) => Finding::problem(
                format!("the law of `{}` has {}", entry.name, counted(unproved.problems.len(), "problem")),
                format!("`etude check {}` shows them", entry.name),
            ),
        });
    }
    for law in app.store.laws_in_use().await.unwrap_or_default() {
        if let Err(reason) = app.present_hash(&law.hash, &law.flow).await {
            let open = counted(law.open as usize, "open flow");
            let what = format!("{open} of `{}` {} cannot go on: {reason}", law.flow, law.version);
            findings
                .push(Finding::warning(what, "run the program version that has their law, or leave them"));
        }
    }
    findings
}

/// Checks the model's settings without asking the model.
fn configured_model(config: &Config) -> (Option<Asker>, Vec<Finding>) {
    let path = config.settings_path();
    let mut findings = Vec::new();
    let model = match config.model() {
        Ok(Some(model)) => model,
        Ok(None) => {
            let what = "no model is configured; the coach works with its packs and rules";
            let cure = format!(
                "to have one, write `[model]` with `preset = \"ollama\"` and `model = \"…\"` into {} (docs/model.md)",
                path.display()
            );
            return (None, vec![Finding { cure, ..Finding::fine(what) }]);
        }
        Err(message) => {
            let cure = format!("correct {} or the flags", path.display());
            return (None, vec![Finding::problem(message, cure)]);
        }
    };
    if model.api_key.is_some() && is_open_to_others(&path) {
        let what = format!("{} can be read by other users of this machine", path.display());
        findings.push(Finding::warning(what, format!("chmod 600 {}", path.display())));
    }
    findings.extend(model.check());
    match Asker::new(model) {
        Ok(asker) => (Some(asker), findings),
        // The check has already reported the reason.
        Err(_) if findings.iter().any(|finding| finding.level == Level::Problem) => (None, findings),
        Err(error) => {
            findings.push(Finding::problem(error.to_string(), "correct the settings of the model"));
            (None, findings)
        }
    }
}

async fn answering_model(app: &App, asker: Option<&Asker>) -> Vec<Finding> {
    let Some(asker) = asker else { return Vec::new() };
    let findings = model::probe(asker.model(), timestamp(app.clock.now())).await;
    asker.save_books(app).await;
    findings
}

/// Checks the channels without sending a message.
async fn channels(config: &Config) -> Vec<Finding> {
    let path = config.settings_path();
    let notifier = match config.channels() {
        Ok((Some(notifier), _)) => notifier,
        Ok((None, _)) => {
            let what = "no channel is configured; messages wait in the inbox";
            let cure = format!(
                "to have one, write `[telegram]` or `[mail]` into {} (docs/notify.md)",
                path.display()
            );
            return vec![Finding { cure, ..Finding::fine(what) }];
        }
        Err(message) => {
            return vec![Finding::problem(message, format!("correct {} or the environment", path.display()))];
        }
    };
    let mut findings = Vec::new();
    if let Some(telegram) = &notifier.telegram {
        let cure = "correct the token or the address in [telegram], or look at the network";
        findings.push(match telegram.bot_name().await {
            Ok(name) => Finding::fine(format!("Telegram knows the bot @{name}")),
            Err(trouble) => Finding::problem(trouble.to_string(), cure),
        });
    }
    if let Some(mail) = &notifier.mail {
        findings.push(match mail.greet().await {
            Ok(()) => Finding::fine("the mail server lets us in"),
            Err(trouble) => Finding::problem(trouble.to_string(), "correct [mail], or start the mail server"),
        });
    }
    findings
}

/// Reports how well learners' programs are isolated, and which languages are available.
fn programs(config: &Config) -> Vec<Finding> {
    let judge = match config.judge() {
        Ok(judge) => judge,
        Err(message) => {
            let cure = format!("correct [judge] in {}", config.settings_path().display());
            return vec![Finding::problem(message, cure)];
        }
    };
    let isolation = judge.isolation();
    let lacking: Vec<String> = isolation.layers.iter().filter(|layer| !layer.works).map(described).collect();
    let lacking = if lacking.is_empty() { String::new() } else { format!(" ({})", lacking.join("; ")) };
    let what = format!("programs are shut in at level `{}`{lacking}", isolation.level);
    let cure = isolation.cure.clone().unwrap_or_default();
    let level = match isolation.level {
        judge::Level::Full => Finding::fine(what),
        judge::Level::Lite => Finding::warning(what, cure),
        judge::Level::None => Finding::warning(format!("no program is run: {what}"), cure),
    };
    let (there, missing): (Vec<&str>, Vec<&str>) =
        judge.languages().partition(|name| judge.missing(name).is_none());
    let languages = Finding::fine(format!("programs can be in: {}", there.join(", ")));
    let cures = missing.iter().filter_map(|name| judge.missing(name)).collect::<Vec<_>>().join("; ");
    vec![level, Finding { cure: cures, ..languages }]
}

fn described(layer: &judge::Layer) -> String {
    format!("{}: {}", layer.name, layer.note)
}

fn terminal(config: &Config) -> Vec<Finding> {
    let encoding = config.encoding.to_ascii_lowercase();
    let is_utf8 = encoding.contains("utf-8") || encoding.contains("utf8");
    let text = match is_utf8 {
        true => Finding::fine(format!("the terminal writes UTF-8 ({})", config.encoding)),
        false => Finding::warning(
            "the locale does not say UTF-8; letters such as ä or ñ may be shown wrong",
            "set LANG to a UTF-8 locale, such as C.UTF-8",
        ),
    };
    let kind = (config.terminal.is_empty() || config.terminal == "dumb").then(|| {
        Finding::warning(
            "the terminal says nothing about itself, so there are no colours and no line editing",
            "set TERM, or use --plain for a session without them",
        )
    });
    [Some(text), kind].into_iter().flatten().collect()
}
