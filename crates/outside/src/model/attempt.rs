//! The attempts of one ask: wait out a busy server, send again after a cut, tell the model once what was
//! wrong with its reply, shorten a prompt once. Each attempt pays for itself; the ask's time is one.

use std::time::Duration;

use tokio::time::{Instant, sleep};

use super::ask::{Answer, Ask, Finish, Message, Role, Usage};
use super::config::ModelConfig;
use super::handle::{Entry, OnText, Shared};
use super::structure::Schema;
use super::trouble::{AskClock, Charge, Failed, Next, Trouble};
use super::wire::{Gathered, Prompt};
use super::{ModelError, Spend};

const PROMPT_MAX_BYTES: usize = 1 << 20;
/// How much of a bad reply the model is shown again.
const REPAIR_REPLY_MAX_CHARS: usize = 4_000;
/// The first pause when a server does not say how long; it doubles each time.
const BACK_OFF_MS: u64 = 250;

pub(super) struct Attempts<'a> {
    shared: &'a Shared,
    ask: Ask,
    schema: Option<Schema>,
    clock: AskClock,
    deadline: Instant,
    on_text: Option<OnText<'a>>,
    /// The learner has seen words of this ask; starting over would show them twice.
    has_spoken: bool,
    waits: u32,
    may_resend: bool,
    may_repair: bool,
    may_shrink: bool,
}

impl<'a> Attempts<'a> {
    pub(super) fn new(
        shared: &'a Shared,
        mut ask: Ask,
        deadline: Instant,
        on_text: Option<OnText<'a>>,
    ) -> Result<Self, ModelError> {
        if ask.messages.is_empty() {
            return Err(ModelError::Misconfigured {
                what: format!("the ask {:?} has no message", ask.name),
                cure: "give it at least one".to_owned(),
            });
        }
        let schema = ask.schema.take().map(Schema::new).transpose()?;
        let clock = AskClock { asked_at: ask.now, started: Instant::now() };
        // A structured answer is of no use to anybody before it is whole and checked.
        let on_text = on_text.filter(|_| schema.is_none());
        Ok(Self {
            shared,
            ask,
            schema,
            clock,
            deadline,
            on_text,
            has_spoken: false,
            waits: 0,
            may_resend: true,
            may_repair: true,
            may_shrink: true,
        })
    }

    pub(super) async fn run(mut self, entry: &mut Entry<'_>) -> Result<(Answer, Finish), ModelError> {
        loop {
            match self.attempt(entry).await {
                Ok(done) => return Ok(done),
                Err(trouble) => self.prepare_next(trouble).await?,
            }
        }
    }

    async fn attempt(&mut self, entry: &mut Entry<'_>) -> Result<(Answer, Finish), Trouble> {
        let shared = self.shared;
        // The slots are never closed, and waiting for one counts as waiting for the model.
        let _slot = shared.slots.acquire().await;
        let body = self.body()?;
        let worst = self.worst_case(&body);
        let (flow, now) = (&self.ask.flow, self.ask.now);
        let budget = &shared.config.budget;
        let reservation = shared
            .with_ledger(|ledger| ledger.reserve(budget, flow, shared.config.spend(worst), now))
            .map_err(|over| hopeless(over.into()))?;
        entry.begin_attempt(worst);
        let result = self.exchange(body).await;
        let (usage, spend) = bill(&shared.config, charge(&result), worst);
        shared.with_ledger(|ledger| ledger.settle(reservation, spend));
        entry.settle_attempt(usage);
        self.judge(result.map_err(|failed| failed.trouble)?)
    }

    async fn exchange(&mut self, body: String) -> Result<Gathered, Failed> {
        let has_spoken = &mut self.has_spoken;
        match self.on_text.as_deref_mut() {
            None => self.shared.exchange.chat(body, self.clock, None).await,
            Some(on_text) => {
                let mut speak = |text: &str| {
                    *has_spoken |= !text.is_empty();
                    on_text(text);
                };
                self.shared.exchange.chat(body, self.clock, Some(&mut speak)).await
            }
        }
    }

    fn body(&self) -> Result<String, Trouble> {
        let config = &self.shared.config;
        let prompt = Prompt {
            config,
            system: &self.ask.system,
            messages: &self.ask.messages,
            schema: self.schema.as_ref().map(|schema| &schema.json),
            max_output_tokens: self.max_output_tokens(),
            stream: self.on_text.is_some(),
        };
        let body = config.wire.body(&prompt).to_string();
        if body.len() <= PROMPT_MAX_BYTES {
            return Ok(body);
        }
        let why = format!("it has {} bytes, at most {PROMPT_MAX_BYTES} are sent", body.len());
        Err(Trouble { error: ModelError::TooLong { why }, next: Next::Shrink })
    }

    /// A token is at least one byte, so no server can count more input than this.
    fn worst_case(&self, body: &str) -> Usage {
        Usage { input_tokens: body.len() as u64, output_tokens: u64::from(self.max_output_tokens()) }
    }

    fn max_output_tokens(&self) -> u32 {
        self.ask.max_output_tokens.unwrap_or(u32::MAX).min(self.shared.config.max_output_tokens).max(1)
    }

    /// Whether a reply that arrived is an answer.
    fn judge(&self, reply: Gathered) -> Result<(Answer, Finish), Trouble> {
        let preview = |text: &str| self.shared.exchange.preview(text.as_bytes());
        if let Some(why) = reply.refusal {
            return Err(hopeless(ModelError::Refused { why: preview(&why) }));
        }
        let finish = reply.finish.unwrap_or(Finish::Complete);
        let bad = |why: String, next| {
            let error = ModelError::BadReply { why, preview: preview(&reply.text) };
            Trouble { error, next }
        };
        match &self.schema {
            None if reply.text.trim().is_empty() => Err(bad("it is empty".to_owned(), Next::Resend)),
            None => Ok((Answer::Text(reply.text), finish)),
            Some(schema) => match schema.read(&reply.text) {
                Ok(value) => Ok((Answer::Value(value), finish)),
                Err(why) => Err(bad(self.explain(why, finish), Next::Repair { reply: reply.text.clone() })),
            },
        }
    }

    fn explain(&self, why: String, finish: Finish) -> String {
        match finish {
            Finish::Complete => why,
            Finish::Cut => format!("it was cut off at {} tokens; be shorter", self.max_output_tokens()),
        }
    }

    /// Makes the next attempt different enough to be worth it, or gives up with the trouble's error.
    async fn prepare_next(&mut self, trouble: Trouble) -> Result<(), ModelError> {
        match trouble.next {
            Next::Wait { after_ms } if self.may_wait(after_ms) => {
                sleep(Duration::from_millis(self.pause_ms(after_ms))).await;
                self.waits += 1;
                Ok(())
            }
            Next::Resend if !self.has_spoken && std::mem::take(&mut self.may_resend) => Ok(()),
            Next::Repair { ref reply } if std::mem::take(&mut self.may_repair) => {
                self.tell_what_was_wrong(reply, &trouble.error);
                Ok(())
            }
            Next::Shrink
                if std::mem::take(&mut self.may_shrink) && drop_older_half(&mut self.ask.messages) =>
            {
                Ok(())
            }
            _ => Err(trouble.error),
        }
    }

    fn may_wait(&self, after_ms: Option<u64>) -> bool {
        let left = self.deadline.saturating_duration_since(Instant::now());
        let fits = Duration::from_millis(self.pause_ms(after_ms)) < left;
        fits && !self.has_spoken && self.waits < self.shared.config.retries
    }

    fn pause_ms(&self, after_ms: Option<u64>) -> u64 {
        after_ms.unwrap_or(BACK_OFF_MS << self.waits)
    }

    fn tell_what_was_wrong(&mut self, reply: &str, error: &ModelError) {
        let why = match error {
            ModelError::BadReply { why, .. } => why.clone(),
            other => other.to_string(),
        };
        let shown: String = reply.chars().take(REPAIR_REPLY_MAX_CHARS).collect();
        // Servers refuse empty messages.
        let shown = if shown.trim().is_empty() { "(nothing)".to_owned() } else { shown };
        let request = include_str!("prompts/repair.md").replace("{why}", &why);
        self.ask.messages.extend([Message::assistant(shown), Message::user(request)]);
    }
}

/// Drops the older half of all messages but the last. What is left begins with the user, as servers demand.
fn drop_older_half(messages: &mut Vec<Message>) -> bool {
    let earlier = messages.len() - 1;
    let start = (earlier.div_ceil(2)..messages.len()).find(|&index| messages[index].role == Role::User);
    match start {
        Some(start) if start > 0 => {
            messages.drain(..start);
            true
        }
        _ => false,
    }
}

fn charge(result: &Result<Gathered, Failed>) -> Charge {
    match result {
        Ok(Gathered { usage: Some(usage), .. }) => Charge::Tokens(*usage),
        Ok(_) => Charge::Unknown,
        Err(failed) => failed.charge,
    }
}

fn bill(config: &ModelConfig, charge: Charge, worst: Usage) -> (Usage, Spend) {
    let usage = match charge {
        Charge::Nothing => return (Usage::default(), Spend::default()),
        Charge::Call => Usage::default(),
        Charge::Tokens(usage) => usage,
        Charge::Unknown => worst,
    };
    (usage, config.spend(usage))
}

fn hopeless(error: ModelError) -> Trouble {
    Trouble { error, next: Next::GiveUp }
}
