//! Bare `etude`: shows what is due, what to continue, and the one command to type next.

use super::attempt;
use super::config::Config;
use super::context::with_app;
use super::desk;
use super::drill;
use super::output::{self, Done, STRONG, paint, say};
use super::screen::columns;
use super::screen::layout::{Span, clean, columns_of, hanging};
use super::teach;
use super::words::{self, Now, Voice};
use anstyle::Style;
use coaching::attempt::AttemptV2;
use coaching::words::{Lexicon, Text};
use serde_json::json;
use shell::builtin;
use shell::engine::app::App;
use shell::engine::failure::Failure;
use shell::learners::command_line::{ME, typed};
use shell::learners::profiles;
use std::process::ExitCode;

/// The number of steps shown. `etude drill` and `etude teach` list the others.
const MAX_STEPS: usize = 8;

/// A suggestion, and the command for it.
struct Step {
    what: Text,
    command: String,
}

pub(crate) async fn greet(config: &Config) -> Done {
    // A first visit creates no database. An unreadable folder does not count as a first visit.
    if config.database.is_none() && matches!(config.data.join("etude.db").try_exists(), Ok(false)) {
        let lexicon = Lexicon::new(words::FILES.iter().copied());
        let language = lexicon.choose([config.locale.as_str()]).to_owned();
        return welcome(&Voice::new(&lexicon, &language), config);
    }
    with_app(config, async |app| {
        let voice = Voice::of(app, config, ME, None, None).await?;
        let steps = steps(app, config).await?;
        if steps.is_empty() && !is_known(app).await? {
            return welcome(&voice, config);
        }
        if config.json {
            let step = |step: &Step| json!({"what": voice.say(&step.what), "command": step.command});
            return output::json(&steps.iter().map(step).collect::<Vec<_>>());
        }
        welcome_back(app, &steps, &voice).await
    })
    .await
}

/// Greets a new learner with a few commands to try first.
fn welcome(voice: &Voice<'_>, config: &Config) -> Done {
    let step = |what: Text, command: &str| Step { what, command: command.to_owned() };
    let steps = [
        step(words::first_teach(), "etude teach sql"),
        step(words::first_drill(), "etude drill"),
        step(words::first_attempt(), "etude attempt"),
        step(words::first_agent(), "etude agent install claude-code"),
    ];
    output::answer(config, &json!([]), |_| {
        say!("{}\n\n{}\n", voice.say(&words::hello()), voice.say(&words::first_steps()));
        list(&steps, voice);
        say!("\n{}", voice.say(&words::more_help()));
    })
}

async fn welcome_back(app: &App, steps: &[Step], voice: &Voice<'_>) -> Done {
    let name = profiles::read(&app.store, ME).await?.name;
    say!(
        "{}\n",
        paint(STRONG, clean(&voice.say(&words::hello_again(name.unwrap_or_else(|| "none".to_owned())))))
    );
    list(steps, voice);
    let courses = teach::rows(app, ME).await?;
    let next = match steps.first() {
        Some(step) => words::next_step(step.command.as_str()),
        None if courses.is_empty() => words::next_step("etude drill"),
        None => words::next_step("etude teach"),
    };
    if steps.is_empty() {
        let now = Now::of(app, ME).await?;
        let next_us = courses.iter().filter_map(|row| row.next_due_us).min();
        let later = next_us.map_or_else(words::greet_nothing, |at_us| words::greet_later(now.until(at_us)));
        say!("{}", voice.say(&later));
    }
    say!("\n{}", voice.say(&next));
    Ok(ExitCode::SUCCESS)
}

fn list(steps: &[Step], voice: &Voice<'_>) {
    let widest = steps.iter().map(|step| columns_of(&step.command)).max().unwrap_or(0);
    for Step { what, command } in steps.iter().take(MAX_STEPS) {
        let gap = " ".repeat(widest - columns_of(command) + 3);
        let first = format!("  {}{gap}", paint(STRONG, clean(command)));
        let what = Span::new(Style::new(), voice.say(what));
        say!("{}", hanging(&first, &" ".repeat(widest + 5), &[what], columns()).trim_end());
    }
}

/// Lists the steps: first what is due, then what is open.
async fn steps(app: &App, config: &Config) -> Result<Vec<Step>, Failure> {
    let courses = teach::rows(app, ME).await?;
    let (packs, _) = builtin::read_packs(Some(config.packs_folder()));
    let packs = drill::rows(app, ME, packs).await?;
    let due: usize = courses.iter().map(|row| row.due).sum();
    let reviews =
        (due > 0).then(|| Step { what: words::greet_reviews(due), command: teach::review_command(ME, None) });
    let words = packs
        .iter()
        .filter(|row| row.due > 0)
        .map(|row| Step { what: words::greet_words(row.due, row.title.as_str()), command: row.command(ME) });
    let now = Now::of(app, ME).await?;
    let going = courses
        .iter()
        .filter_map(|row| Some(Step { what: row.goes_on(&now)?, command: row.command.clone() }));
    let open = packs
        .iter()
        .filter(|row| row.is_open && row.due == 0)
        .map(|row| Step { what: words::greet_session(row.title.as_str()), command: row.command(ME) });
    let mut steps: Vec<Step> = reviews.into_iter().chain(words).chain(open).chain(going).collect();
    let practice = attempt::practice(app, ME).await?;
    if practice.due > 0 {
        steps.push(Step { what: words::greet_patterns(practice.due), command: typed(&["attempt"], ME) });
    }
    let attempts = desk::open_flows(app, ME, attempt::FLOW).await?.0;
    if let Some(next) = practice.next.filter(|_| practice.solved > 0 && attempts.is_empty()) {
        steps.push(Step { what: words::greet_problem(next.title), command: attempt::command(&next.id, ME) });
    }
    for view in attempts {
        let Some(AttemptV2 { title, problem_id, .. }) = attempt::shown(&view) else { continue };
        let what = words::greet_attempt(title);
        steps.push(Step { what, command: attempt::command(&problem_id, ME) });
    }
    for face in super::own_faces(config.flows) {
        if !desk::open_flows(app, ME, face.name).await?.0.is_empty() {
            steps.push(Step { what: words::greet_flow(face.name), command: typed(&[face.name], ME) });
        }
    }
    let waiting = teach::count_inbox(app, ME).await?;
    if waiting > 0 {
        steps.push(Step { what: words::greet_inbox(waiting), command: typed(&["teach", "inbox"], ME) });
    }
    Ok(steps)
}

/// Whether the learner has ever opened a flow.
async fn is_known(app: &App) -> Result<bool, Failure> {
    Ok(!app.store.list(&store::Filter::of_learner(ME), None, 1).await?.instances.is_empty())
}
