//! A connection that reconnects. While the server is away, callers fail at once instead of waiting one by one.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::Mutex;
use tokio::time::{Instant, timeout};

use super::address::Address;
use super::session::Session;
use crate::StoreError;
use crate::statement::{Answer, Statement};

const FIRST_PAUSE: Duration = Duration::from_millis(50);
const LONGEST_PAUSE: Duration = Duration::from_secs(1);
/// The time that an answer may take. It is longer than the server allows a statement, so it is reached only if the
/// network swallows the answer.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(10);

#[derive(Debug)]
pub(super) struct Link {
    address: Address,
    state: Mutex<State>,
}

#[derive(Debug)]
enum State {
    Up(Arc<Session>),
    Down { why: StoreError, pause: Duration, try_again_at: Instant, connections: usize },
    Untried,
}

impl Link {
    pub(super) fn new(address: Address) -> Self {
        Self { address, state: Mutex::new(State::Untried) }
    }

    /// Returns the live session. Connects if there is none and the last failure was long enough ago, or another
    /// link has reached the server since: a server that is ready for one link is ready for all.
    pub(super) async fn session(&self) -> Result<Arc<Session>, StoreError> {
        let mut state = self.state.lock().await;
        let pause = match &*state {
            State::Up(session) if !session.is_closed() => return Ok(session.clone()),
            State::Down { why, try_again_at, connections, .. }
                if Instant::now() < *try_again_at && self.address.connections() == *connections =>
            {
                return Err(why.clone());
            }
            State::Down { pause, .. } => (*pause * 2).min(LONGEST_PAUSE),
            State::Up(_) | State::Untried => FIRST_PAUSE,
        };
        let connections = self.address.connections();
        match Session::open(&self.address).await {
            Ok(session) => {
                let session = Arc::new(session);
                *state = State::Up(session.clone());
                Ok(session)
            }
            Err(why) => {
                let try_again_at = Instant::now() + pause;
                *state = State::Down { why: why.clone(), pause, try_again_at, connections };
                Err(why)
            }
        }
    }

    /// Drops the present session, so that the next caller connects anew.
    pub(super) async fn abandon(&self) {
        *self.state.lock().await = State::Untried;
    }

    /// Runs one statement. If the connection turns out to be dead, runs it once more on a new one. A
    /// compare-and-set that had arrived before the connection died then finds its own change and reports that it
    /// came too late.
    pub(super) async fn run(&self, statement: &Statement) -> Result<Answer, StoreError> {
        match self.attempt(statement).await {
            Err(StoreError::Unavailable(_) | StoreError::ReadOnly(_)) => self.attempt(statement).await,
            answered => answered,
        }
    }

    async fn attempt(&self, statement: &Statement) -> Result<Answer, StoreError> {
        let session = self.session().await?;
        match timeout(ANSWER_TIMEOUT, session.run(statement)).await {
            // The host no longer accepts writes: another one does by now, or will soon.
            Ok(Err(StoreError::ReadOnly(why))) => {
                self.abandon().await;
                Err(StoreError::ReadOnly(why))
            }
            Ok(answered) => answered,
            Err(_) => {
                self.abandon().await;
                Err(StoreError::Unavailable(format!("no answer within {} s", ANSWER_TIMEOUT.as_secs())))
            }
        }
    }
}
