//! The budget, and the ledger of what is spent of it.
//!
//! A call is paid for before it is made: [`Ledger::reserve`] books the worst case, [`Ledger::settle`] corrects
//! it to what the call really cost. Because the worst case counts at once, calls in flight cannot add up to
//! more than the limit plus one call. A call that vanishes (a crash, a dropped connection) simply stays
//! booked at its worst case.

use std::collections::BTreeMap;

use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use serde::{Deserialize, Serialize};

use super::{ErrorKind, ModelError};

/// The number of flows that a ledger remembers. Beyond it, the flow that paid longest ago is forgotten.
const FLOWS_MAX: usize = 10_000;

/// Limits for one day (UTC) over all flows, and for one flow over its whole life.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Budget {
    pub per_day: Limits,
    pub per_flow: Limits,
}

/// The limits on each unit. A unit without a limit may be spent freely.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Limits {
    pub calls: Option<u64>,
    /// The limit on input and output tokens together.
    pub tokens: Option<u64>,
    pub usd: Option<f64>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Spend {
    pub calls: u64,
    pub tokens: u64,
    /// Millionths of a US dollar.
    pub microusd: u64,
}

/// The spend that this process knows of.
#[derive(Clone, Debug, Default)]
pub(super) struct Ledger {
    day: Date,
    today: Spend,
    /// The time of each flow's last payment, and its whole spend.
    flows: BTreeMap<String, (Timestamp, Spend)>,
}

/// A call that is booked and not yet settled.
#[derive(Debug)]
#[must_use = "a reservation that is not settled stays booked at its worst case"]
pub(super) struct Reservation {
    flow: String,
    day: Date,
    worst: Spend,
}

impl Ledger {
    /// Books the worst case of one call, or returns the error that names the limit already reached.
    pub(super) fn reserve(
        &mut self,
        budget: &Budget,
        flow: &str,
        worst: Spend,
        now: Timestamp,
    ) -> Result<Reservation, ModelError> {
        self.turn_day(now);
        let used_up = |what: String| ModelError::new(ErrorKind::OverBudget, what);
        if let Some(unit) = budget.per_day.reached(self.today) {
            let opens = self.day.tomorrow().unwrap_or(self.day);
            let cure = format!("it opens again on {opens} (UTC), or raise the daily limit");
            return Err(used_up(format!("the {unit} of this day")).with_cure(cure));
        }
        if let Some(unit) = budget.per_flow.reached(self.spent_by(flow)) {
            let cure = "start a new flow, or raise the limit per flow";
            return Err(used_up(format!("the {unit} of this flow")).with_cure(cure));
        }
        self.today = self.today.plus(worst);
        let of_flow = self.of_flow(flow, now);
        *of_flow = of_flow.plus(worst);
        Ok(Reservation { flow: flow.to_owned(), day: self.day, worst })
    }

    /// Replaces the worst case of a call by its real cost.
    pub(super) fn settle(&mut self, reservation: Reservation, actual: Spend) {
        let Reservation { flow, day, worst } = reservation;
        let settled = |spend: Spend| spend.with(worst, u64::saturating_sub).plus(actual);
        if day == self.day {
            self.today = settled(self.today);
        }
        if let Some((_, spend)) = self.flows.get_mut(&flow) {
            *spend = settled(*spend);
        }
    }

    /// Learns the spend of all processes together, on the day of `now` and by one flow. Nothing is counted twice:
    /// if this ledger knows of more, such as a call in flight, it stays as it is.
    pub(super) fn learn(&mut self, flow: &str, on_day: Spend, by_flow: Spend, now: Timestamp) {
        self.turn_day(now);
        self.today = self.today.with(on_day, u64::max);
        if by_flow != Spend::default() {
            let of_flow = self.of_flow(flow, now);
            *of_flow = of_flow.with(by_flow, u64::max);
        }
    }

    pub(super) fn spent_by(&self, flow: &str) -> Spend {
        self.flows.get(flow).map_or_else(Spend::default, |(_, spend)| *spend)
    }

    /// Starts a new budget if a later day has begun. A clock that runs backwards must not open yesterday's again.
    fn turn_day(&mut self, now: Timestamp) {
        let day = utc_day(now);
        if day > self.day || self.today == Spend::default() {
            (self.day, self.today) = (day, Spend::default());
        }
    }

    /// Returns the spend of a flow that pays now, to be added to.
    fn of_flow(&mut self, flow: &str, now: Timestamp) -> &mut Spend {
        if !self.flows.contains_key(flow) && self.flows.len() >= FLOWS_MAX {
            let oldest = self.flows.iter().min_by_key(|(_, (last, _))| *last).map(|(name, _)| name.clone());
            oldest.and_then(|name| self.flows.remove(&name));
        }
        let (last, spend) = self.flows.entry(flow.to_owned()).or_default();
        *last = now;
        spend
    }
}

impl Limits {
    fn reached(&self, spent: Spend) -> Option<&'static str> {
        let rows = [
            (self.calls.is_some_and(|limit| spent.calls >= limit), "calls"),
            (self.tokens.is_some_and(|limit| spent.tokens >= limit), "tokens"),
            (self.usd.is_some_and(|usd| spent.microusd as f64 >= usd * 1e6), "US dollars"),
        ];
        rows.into_iter().find(|(is_reached, _)| *is_reached).map(|(_, unit)| unit)
    }
}

impl Spend {
    pub fn plus(self, other: Spend) -> Spend {
        self.with(other, u64::saturating_add)
    }

    fn with(self, other: Spend, join: fn(u64, u64) -> u64) -> Spend {
        Spend {
            calls: join(self.calls, other.calls),
            tokens: join(self.tokens, other.tokens),
            microusd: join(self.microusd, other.microusd),
        }
    }
}

fn utc_day(now: Timestamp) -> Date {
    now.to_zoned(TimeZone::UTC).date()
}

#[cfg(test)]
mod tests {
    use jiff::ToSpan;

    use super::*;

    const MORNING: &str = "2026-03-01T08:00:00Z";
    const NEXT_DAY: &str = "2026-03-02T00:00:00Z";

    /// A step of a test: a flow reserves its worst case at a time, then settles unless the call is still in flight;
    /// or the limit that is used up refuses it.
    type Step = (&'static str, &'static str, u64, Result<Option<u64>, &'static str>);

    fn check(name: &str, budget: Budget, steps: &[Step]) {
        let mut ledger = Ledger::default();
        for (index, (flow, at, worst, expected)) in steps.iter().enumerate() {
            let spend = |tokens| Spend { calls: 1, tokens, microusd: tokens };
            let reserved = ledger.reserve(&budget, flow, spend(*worst), at.parse().unwrap());
            match (reserved, expected) {
                (Ok(reservation), Ok(Some(actual))) => ledger.settle(reservation, spend(*actual)),
                (Ok(_), Ok(None)) => {}
                (Err(over), Err(limit)) if over.what.ends_with(limit) => {}
                (reserved, _) => panic!("{name}, step {index}: {reserved:?}, expected {expected:?}"),
            }
        }
    }

    fn limits(calls: Option<u64>, tokens: Option<u64>, usd: Option<f64>) -> Limits {
        Limits { calls, tokens, usd }
    }

    #[test]
    fn limits_hold() {
        let day = |limits| Budget { per_day: limits, per_flow: Limits::default() };
        let flow = |limits| Budget { per_day: Limits::default(), per_flow: limits };
        check(
            "calls of a day come back the next day",
            day(limits(Some(2), None, None)),
            &[
                ("a", MORNING, 1, Ok(Some(1))),
                ("b", MORNING, 1, Ok(Some(1))),
                ("c", MORNING, 1, Err("the calls of this day")),
                ("c", NEXT_DAY, 1, Ok(Some(1))),
            ],
        );
        check(
            "a clock that runs backwards opens nothing",
            day(limits(Some(1), None, None)),
            &[("a", NEXT_DAY, 1, Ok(Some(1))), ("a", MORNING, 1, Err("the calls of this day"))],
        );
        check(
            "calls of a flow never come back",
            flow(limits(Some(1), None, None)),
            &[
                ("a", MORNING, 1, Ok(Some(1))),
                ("a", NEXT_DAY, 1, Err("the calls of this flow")),
                ("b", NEXT_DAY, 1, Ok(Some(1))),
            ],
        );
        check(
            "tokens in flight count at their worst",
            day(limits(None, Some(100), None)),
            &[("a", MORNING, 100, Ok(None)), ("a", MORNING, 1, Err("the tokens of this day"))],
        );
        check(
            "settling gives back what was not needed",
            day(limits(None, Some(100), None)),
            &[
                ("a", MORNING, 100, Ok(Some(60))),
                ("a", MORNING, 100, Ok(Some(60))),
                ("a", MORNING, 1, Err("the tokens of this day")),
            ],
        );
        check(
            "money",
            flow(limits(None, None, Some(0.000_1))),
            &[("a", MORNING, 100, Ok(Some(100))), ("a", MORNING, 1, Err("the US dollars of this flow"))],
        );
    }

    #[test]
    fn what_others_spent_counts_once() {
        let budget = Budget { per_day: limits(Some(5), None, None), per_flow: limits(Some(3), None, None) };
        let (mut ledger, now) = (Ledger::default(), MORNING.parse().unwrap());
        let calls = |calls| Spend { calls, tokens: 0, microusd: 0 };
        let own = ledger.reserve(&budget, "a", calls(1), now).unwrap();
        ledger.learn("a", calls(4), calls(2), now);
        ledger.learn("a", calls(4), calls(2), now);
        ledger.learn("b", calls(1), calls(0), now);
        assert_eq!((ledger.today, ledger.spent_by("a")), (calls(4), calls(2)));
        ledger.settle(own, calls(1));
        assert!(ledger.reserve(&budget, "a", calls(1), now).is_ok());
        let over = ledger.reserve(&budget, "b", calls(1), now).unwrap_err();
        assert!(over.what.ends_with("the calls of this day"), "{over}");
        ledger.learn("c", calls(0), calls(3), NEXT_DAY.parse().unwrap());
        let over = ledger.reserve(&budget, "c", calls(1), NEXT_DAY.parse().unwrap()).unwrap_err();
        assert!(over.what.ends_with("the calls of this flow"), "{over}");
    }

    #[test]
    fn settling_after_midnight_leaves_the_new_day_alone() {
        let (budget, mut ledger) = (Budget::default(), Ledger::default());
        let (before, after) = (MORNING.parse().unwrap(), NEXT_DAY.parse().unwrap());
        let spend = Spend { calls: 1, tokens: 10, microusd: 0 };
        let late = ledger.reserve(&budget, "a", spend, before).unwrap();
        let _in_flight = ledger.reserve(&budget, "b", spend, after).unwrap();
        ledger.settle(late, Spend::default());
        assert_eq!(ledger.today, spend);
        assert_eq!(ledger.spent_by("a"), Spend::default());
    }

    #[test]
    fn remembers_a_bounded_number_of_flows() {
        let (budget, mut ledger) = (Budget::default(), Ledger::default());
        let start: Timestamp = MORNING.parse().unwrap();
        for index in 0..=FLOWS_MAX {
            let now = start + (index as i64).seconds();
            let reservation = ledger.reserve(&budget, &index.to_string(), Spend::default(), now).unwrap();
            ledger.settle(reservation, Spend { calls: 1, tokens: 0, microusd: 0 });
        }
        assert_eq!(ledger.flows.len(), FLOWS_MAX);
        assert_eq!(ledger.spent_by("0"), Spend::default(), "the oldest is forgotten");
        assert_eq!(ledger.spent_by("1").calls, 1);
    }
}
