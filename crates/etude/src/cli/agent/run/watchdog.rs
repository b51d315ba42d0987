//! Watches an agent's process for long silence, long work and repetition.

use coaching::agent::{Trouble, Watch, Watched};
use coaching::words::Text;
use shell::agent::AgentSettings;
use std::time::Duration;
use tokio::time::Instant;

const MAX_TICK: Duration = Duration::from_secs(5);
const MIN_TICK: Duration = Duration::from_millis(100);

#[derive(Debug)]
pub(super) struct Watchdog {
    settings: AgentSettings,
    begun: Instant,
    heard: Instant,
    counted: Watch,
    told: Vec<Trouble>,
}

impl Watchdog {
    pub(super) fn new(settings: AgentSettings, now: Instant) -> Watchdog {
        Watchdog { settings, begun: now, heard: now, counted: Watch::default(), told: Vec::new() }
    }

    /// Starts to watch a new call or turn. Repetitions in the one before no longer count.
    pub(super) fn begin_call(&mut self, now: Instant) {
        self.heard = now;
        self.counted = Watch::default();
    }

    pub(super) fn heard(&mut self, now: Instant) {
        self.heard = now;
    }

    pub(super) fn count(&mut self, seen: &Watched) {
        self.counted.count(seen);
    }

    /// Sleeps until the next look is due.
    pub(super) async fn tick(&self) {
        let shortest_s = self.settings.silence_s.min(self.settings.duration_s);
        tokio::time::sleep((Duration::from_secs(shortest_s) / 4).clamp(MIN_TICK, MAX_TICK)).await;
    }

    /// Returns the current counts if there is a new trouble to report.
    pub(super) fn look(&mut self, now: Instant) -> Option<Watched> {
        let seen = self.counted.counted(Watched {
            silent_s: (now - self.heard).as_secs(),
            running_s: (now - self.begun).as_secs(),
            ..Watched::default()
        });
        let troubles = self.counted.troubles(&seen, &self.settings.thresholds());
        let known = self.told.len();
        for (trouble, _) in troubles {
            if !self.told.contains(&trouble) {
                self.told.push(trouble);
            }
        }
        (self.told.len() > known).then_some(seen)
    }

    /// Returns the reason to end the agent, if the settings ask for that.
    pub(super) fn why_end(&self, seen: &Watched) -> Option<Text> {
        let AgentSettings { end_when_silent, end_when_long, .. } = self.settings;
        let troubles = self.counted.troubles(seen, &self.settings.thresholds());
        let ends = |trouble: &Trouble| match trouble {
            Trouble::Silence => end_when_silent,
            Trouble::Duration => end_when_long,
            Trouble::SameCalls | Trouble::Errors => false,
        };
        let found = troubles.into_iter().find(|(trouble, _)| ends(trouble));
        found.map(|(trouble, amount)| trouble.told(amount))
    }
}
