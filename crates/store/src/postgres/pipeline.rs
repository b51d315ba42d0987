//! Runs many statements on one connection without waiting in between.

use std::future::{Future, poll_fn};
use std::pin::Pin;
use std::task::Poll;

use futures_util::future::{MaybeDone, join_all, maybe_done};

/// Statements that are on their way.
pub(super) struct Sent<F: Future>(Vec<Pin<Box<MaybeDone<F>>>>);

/// Sends statements in their order and returns without waiting for answers, so that anything sent next comes after
/// all of them. Joining the futures is not enough: with many of them, a join may yield before it has polled the
/// last one.
pub(super) async fn set_off<F: Future>(statements: impl Iterator<Item = F>) -> Sent<F> {
    let mut sent: Vec<_> = statements.map(|statement| Box::pin(maybe_done(statement))).collect();
    poll_fn(|context| {
        for statement in &mut sent {
            // It is polled again when its answer is awaited.
            let _ = statement.as_mut().poll(context);
        }
        Poll::Ready(())
    })
    .await;
    Sent(sent)
}

impl<F: Future> Sent<F> {
    /// Waits for all answers and returns them in the order of the statements.
    pub(super) async fn answers(mut self) -> Vec<F::Output> {
        join_all(self.0.iter_mut().map(Pin::as_mut)).await;
        let answers = self.0.iter_mut().map(|statement| statement.as_mut().take_output());
        answers.map(|answer| answer.expect("all of them are done")).collect()
    }
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;

    use super::*;

    /// Is pending once, and woken at once, as if by another thread.
    async fn pause() {
        let mut is_second = false;
        poll_fn(|context| {
            context.waker().wake_by_ref();
            if std::mem::replace(&mut is_second, true) { Poll::Ready(()) } else { Poll::Pending }
        })
        .await;
    }

    /// With 200 statements, a join would yield in between.
    #[tokio::test]
    async fn all_are_sent_in_order_before_the_next() {
        let sent = RefCell::new(Vec::new());
        let statements = (0..200).map(async |number: usize| {
            sent.borrow_mut().push(number);
            pause().await;
            number
        });
        let (answers, ()) = {
            let under_way = set_off(statements).await;
            let next = async { sent.borrow_mut().push(200) };
            tokio::join!(biased; under_way.answers(), next)
        };
        assert_eq!(sent.into_inner(), (0..=200).collect::<Vec<_>>());
        assert_eq!(answers, (0..200).collect::<Vec<_>>());
    }
}
