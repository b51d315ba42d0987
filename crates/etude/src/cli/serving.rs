//! `etude serve`: the server, its worker, and a graceful shutdown.

use super::backup;
use super::config::Config;
use super::laws::{MigrationFile, shown};
use super::output::{self, Done, QUIET, STRONG, Stop, no, paint, say, unreadable};
use super::settings::RetentionSettings;
use clap::Args;
use flow::Migration;
use metrics_exporter_prometheus::{Matcher, PrometheusBuilder, PrometheusHandle};
use outside::sink::Sink;
use shell::builtin;
use shell::chat;
use shell::effects::{self, Outside};
use shell::engine::app::{App, DEFAULT_LEASE_MS};
use shell::engine::clock::Clock;
use shell::engine::flows::{Flows, bundled};
use shell::engine::takeover;
use shell::http;
use shell::learners::retention;
use shell::rounds;
use shell::voice::talking::Booth;
use std::collections::BTreeSet;
use std::fs::OpenOptions;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;
use store::StoreError;
use tokio::sync::watch;
use tokio::task::AbortHandle;

#[derive(Debug, Args)]
pub(crate) struct Serve {
    /// Where to listen; only this machine by default
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:7300")]
    address: SocketAddr,
    /// Allow an address that other machines can reach, over HTTP without encryption
    #[arg(long)]
    allow_remote: bool,
    /// Also answer under this host name, for example that of a proxy
    #[arg(long, value_name = "NAME")]
    host: Vec<String>,
    /// Also serve the law in this file
    #[arg(long, value_name = "FILE")]
    law: Vec<PathBuf>,
    /// Migrate open flows to a changed law with this file
    #[arg(long, value_name = "FILE")]
    migration: Vec<PathBuf>,
    /// Deliver the actions of these laws to this URL
    #[arg(long, value_name = "URL", value_parser = parse_sink)]
    sink: Option<String>,
    /// How long an effect belongs to the process that wrote it
    #[arg(long, value_name = "MS", default_value_t = DEFAULT_LEASE_MS, hide = true)]
    lease_ms: i64,
    /// Where the engines of the voice are [default: `voice` in the data folder]
    #[arg(long, value_name = "DIR", env = "ETUDE_VOICE_MODELS")]
    models: Option<PathBuf>,
    /// How long one voice connection may last
    #[arg(long, value_name = "SECONDS", default_value_t = 3600, hide = true)]
    longest_talk: u64,
    /// Print the OpenAPI contract and exit
    #[arg(long)]
    openapi: bool,
}

fn parse_sink(text: &str) -> Result<String, String> {
    let scheme = text.split_once("://").map(|(scheme, _)| scheme.to_lowercase());
    match scheme.as_deref() {
        Some("http" | "https") => Ok(text.to_owned()),
        _ => Err("write an address that begins with http:// or https://".into()),
    }
}

/// Returns the owner's token, which the server makes at its first start.
pub(crate) fn token(config: &Config) -> Result<String, Stop> {
    let path = config.token_path();
    http::token(&path).map_err(|error| no(format!("{}: {error}", path.display())))
}

impl Serve {
    pub(crate) async fn run(self, config: &Config) -> Done {
        if self.openapi {
            return output::json(&http::openapi(&(config.flows)(None)));
        }
        let retention = config.retention().map_err(unreadable)?;
        let (app, options) = self.prepare(config).await?;
        serve(app, options, retention).await
    }

    /// Refuses an address that other machines can reach, unless a flag allows it: without encryption, the token
    /// and all text can be read on the way.
    fn mind_the_network(&self) -> Result<(), String> {
        let address = self.address;
        if address.ip().is_loopback() {
            return Ok(());
        }
        if !self.allow_remote {
            return Err(format!(
                "other machines could reach the server at {address}, and HTTP hides neither the token nor what is \
                 said. Let a proxy with TLS pass requests on to 127.0.0.1 and give its name with --host, or add \
                 --allow-remote in a network that you trust"
            ));
        }
        tracing::warn!(
            "other machines can reach {address}, and HTTP hides neither the token nor what is said"
        );
        if self.host.is_empty() {
            tracing::warn!("requests from there are refused until --host says under which name they come");
        }
        Ok(())
    }

    async fn prepare(self, config: &Config) -> Result<(Arc<App>, http::Options), Stop> {
        self.mind_the_network().map_err(unreadable)?;
        let sink = self.sink.as_deref().map(Sink::new).transpose().map_err(unreadable)?;
        let asker = config.asker().map_err(unreadable)?;
        let tester = config.asker().map_err(unreadable)?;
        let desk = config.desk().map_err(unreadable)?;
        // Agents have their own channels to their humans, so that a slow learner's mail does not hold them up.
        let desk = desk.with_channels(config.channels().map_err(unreadable)?.0);
        let (notifier, bot) = config.channels().map_err(unreadable)?;
        for left in builtin::read_packs(Some(config.packs_folder())).1 {
            tracing::warn!("{left}");
        }
        let mut flows = config.flows();
        for path in &self.law {
            let source =
                std::fs::read_to_string(path).map_err(|e| unreadable(format!("{}: {e}", path.display())))?;
            let folder = path.parent().unwrap_or(Path::new(""));
            let added = bundled(&source, folder).and_then(|source| flows.add_law(&source, sink.is_some()));
            added.map_err(|unproved| {
                let file = path.display().to_string();
                no(format!("{file} may not run:\n{}", shown(&file, &source, &unproved.problems, false)))
            })?;
        }
        for path in &self.migration {
            let migration = MigrationFile::read(path).map_err(unreadable)?.migration;
            leads_to_a_law(&migration, &flows)
                .map_err(|message| unreadable(format!("{}: {message}", path.display())))?;
            flows.add_migration(migration);
        }
        config.make_data_folder().map_err(no)?;
        let laws = config.packs_folder().with_file_name("laws");
        serve_kept(&flows, &laws);
        let token = token(config)?;
        let store = config.store().await.map_err(no)?;
        let bench = Some(config.bench().map_err(unreadable)?);
        let outside = Outside { asker, bench, sink, notifier: Some(notifier.unwrap_or_default()) };
        let mut app = effects::app(store, flows, Clock::System, outside);
        app.lease_ms = self.lease_ms;
        app.openings = config.openings().map_err(unreadable)?;
        app.bystander = Some(desk.bystander(&app.clock));
        bring_up_to_date(&app).await;
        let models = self.models.unwrap_or_else(|| config.data.join("voice"));
        let options = http::Options {
            address: self.address,
            hosts: self.host,
            token,
            desk,
            bot,
            tester,
            laws,
            booth: Booth::new(::voice::packages::Folder(models)),
            packs: config.packs_folder(),
            longest_talk: Duration::from_secs(self.longest_talk),
        };
        Ok((Arc::new(app), options))
    }
}

/// Serves the laws that were sent to the server before. A law that no longer proves stays in its folder and
/// does not run.
fn serve_kept(flows: &Flows, folder: &Path) {
    for (file, source) in builtin::own_sources(folder) {
        if let Err(unproved) = flows.serve(&String::from_utf8_lossy(&source)) {
            let first = unproved.problems.first().map(|problem| problem.message.as_str()).unwrap_or_default();
            tracing::warn!("{} may not run and is left out: {first}", folder.join(file).display());
        }
    }
}

fn leads_to_a_law(migration: &Migration, flows: &Flows) -> Result<(), String> {
    let Migration { session, to, .. } = migration;
    match flows.entries().find(|entry| entry.law.session.name == *session) {
        Some(entry) if entry.law.version == *to => Ok(()),
        Some(entry) => {
            Err(format!("the migration is to {to}, but the law of `{session}` here is {}", entry.law.version))
        }
        None => {
            let known = flows.entries().map(|entry| entry.law.session.name.as_str());
            let cure = match flow::nearest(session, known) {
                Some(near) => format!("did you mean `{near}`?"),
                None => "give the law too, with --law".into(),
            };
            Err(format!("the migration is for `{session}`, and no law here is called so; {cure}"))
        }
    }
}

/// Moves flows under way to the present laws. Warns at the start about those that cannot continue, rather than
/// when their learner comes back.
async fn bring_up_to_date(app: &App) {
    if let Err(failure) = takeover::announce(app).await {
        tracing::warn!(%failure, "the laws served here could not be announced to other programs");
    }
    let looked_at = match warn_of_idle_migrations(app).await {
        Ok(()) => takeover::take_all_over(app).await.map(drop),
        Err(error) => Err(error),
    };
    if let Err(error) = looked_at {
        tracing::warn!(%error, "flows under older laws could not all be looked at; they go over when next used");
    }
}

/// Warns of migrations from a version that no open flow has. Such a migration may have done its work already,
/// but may also be a slip of the pen.
async fn warn_of_idle_migrations(app: &App) -> Result<(), store::StoreError> {
    let in_use = app.store.laws_in_use().await?;
    for Migration { session, from, to, .. } in app.flows.migrations() {
        let is_its = |flow: &str| app.flows.get(flow).is_some_and(|entry| entry.law.session.name == *session);
        let at: BTreeSet<&str> =
            in_use.iter().filter(|law| is_its(&law.flow)).map(|law| law.version.as_str()).collect();
        if !at.contains(from.as_str()) && at.iter().any(|version| version != to) {
            let at = at.into_iter().collect::<Vec<_>>().join(", ");
            tracing::warn!("the migration of `{session}` is from {from}, but its open flows are at {at}");
        }
    }
    Ok(())
}

/// How often old logs are looked for after the start.
const PRUNED_EVERY: Duration = Duration::from_secs(6 * 3600);

/// Deletes old logs as the settings say, until the server ends. A deletion that is cut off is finished later.
async fn prune(app: Arc<App>, retention: RetentionSettings) {
    let Some(logs) = retention.logs else { return };
    loop {
        let before = app.clock.now().plus_ms(-logs.ms);
        let pruned = match &retention.archive {
            None => retention::prune(&app, before, None).await,
            Some(path) => match backup::private(path, OpenOptions::new().append(true)) {
                Ok(mut archive) => retention::prune(&app, before, Some(&mut archive)).await,
                Err(error) => Err(StoreError::Io(format!("{}: {error}", path.display())).into()),
            },
        };
        match pruned {
            Ok(pruned) if pruned.flows > 0 => {
                tracing::info!(flows = pruned.flows, entries = pruned.entries, "old logs are deleted")
            }
            Ok(_) => {}
            Err(failure) => {
                tracing::warn!(%failure, "old logs could not be deleted; they are looked at again")
            }
        }
        tokio::time::sleep(PRUNED_EVERY).await;
    }
}

async fn serve(app: Arc<App>, options: http::Options, retention: RetentionSettings) -> Done {
    let metrics = recorder().map_err(no)?;
    let (stop, stopped) = watch::channel(false);
    tokio::spawn(async move {
        wait_for_signal().await;
        anstream::eprintln!("{}", paint(QUIET, "stopping; open requests may finish"));
        let _ = stop.send(true);
    });
    let pruning = tokio::spawn(prune(app.clone(), retention));
    let worker = tokio::spawn(rounds::run(app.clone(), stopped.clone()));
    let ears = tokio::spawn(chat::listen(app.clone(), options.bot.clone(), stopped.clone()));
    let served = http::serve(app.clone(), options, metrics, stopped, |address, code| {
        say!("Etude listens on {}", paint(STRONG, format!("http://{address}")));
        say!("This lets your browser in, once: http://{address}/open?code={code}");
    });
    let served = served.await;
    // A server that failed to start has nothing to wait for.
    let patience = if served.is_ok() { http::DRAIN_TIMEOUT } else { Duration::ZERO };
    pruning.abort();
    let ends = [worker.abort_handle(), ears.abort_handle()];
    // Interrupted work was recorded before it began and will be repeated.
    if tokio::time::timeout(patience, async { tokio::join!(worker, ears) }).await.is_err() {
        ends.iter().for_each(AbortHandle::abort);
    }
    app.store.close().await;
    served.map(|()| ExitCode::SUCCESS).map_err(|error| {
        let cure = "is another server running there? Choose another address with --address";
        no(format!("the server cannot listen: {error}; {cure}"))
    })
}

fn recorder() -> Result<PrometheusHandle, String> {
    const BUCKETS: &[f64] = &[0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.5, 1.0, 5.0];
    PrometheusBuilder::new()
        .set_buckets_for_metric(Matcher::Suffix("_seconds".into()), BUCKETS)
        .and_then(|builder| builder.install_recorder())
        .map_err(|error| format!("the metrics cannot start: {error}"))
}

async fn wait_for_signal() {
    let interrupted = tokio::signal::ctrl_c();
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        if let Ok(mut terminated) = signal(SignalKind::terminate()) {
            tokio::select! {
                _ = interrupted => {}
                _ = terminated.recv() => {}
            }
            return;
        }
    }
    let _ = interrupted.await;
}
