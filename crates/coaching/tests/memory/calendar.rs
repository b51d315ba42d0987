//! Tests of the learner's days, with every trick that clocks play.

use coaching::learner::{
    Calendar, Load, Memory, Profile, after_days_us, leeway_days, next_due_us, time_zone,
};
use jiff::Timestamp;
use jiff::civil::Date;
use proptest::prelude::*;

const DAY_US: i64 = 86_400_000_000;

fn at_us(text: &str) -> i64 {
    text.parse::<Timestamp>().unwrap_or_else(|error| panic!("{text}: {error}")).as_microsecond()
}

fn in_zone(time_zone: &str, day_starts_at: i8) -> Profile {
    Profile { time_zone: time_zone.into(), day_starts_at, balances_load: false, ..Profile::default() }
}

/// Each row: the zone, the hour at which the day starts, the time of the review, the interval in days, and the due
/// time.
#[test]
fn a_review_is_due_when_the_day_begins() {
    let check = |zone: &str, hour: i8, now: &str, days: f64, due: &str| {
        let found = next_due_us(&in_zone(zone, hour), at_us(now), days, &|_| 0);
        let found = Timestamp::from_microsecond(found).unwrap();
        assert_eq!(found, due.parse().unwrap(), "{zone} from {hour}: {days} days after {now}");
    };
    check("UTC", 4, "2024-05-10T20:00:00Z", 1.0, "2024-05-11T04:00:00Z");
    check("UTC", 4, "2024-05-10T20:00:00Z", 3.4, "2024-05-13T04:00:00Z");
    check("UTC", 0, "2024-05-10T20:00:00Z", 3.6, "2024-05-14T00:00:00Z");
    // Two in the morning still belongs to the previous day.
    check("UTC", 4, "2024-05-11T02:00:00Z", 1.0, "2024-05-11T04:00:00Z");
    // An interval of less than a day stays exact.
    check("UTC", 4, "2024-05-10T20:00:00Z", 0.25, "2024-05-11T02:00:00Z");
    // Spring forward in Berlin, 31 March 2024 from 2 to 3: the day is 23 hours long.
    check("Europe/Berlin", 4, "2024-03-30T18:00:00Z", 1.0, "2024-03-31T02:00:00Z");
    check("Europe/Berlin", 4, "2024-03-30T18:00:00Z", 2.0, "2024-04-01T02:00:00Z");
    check("Europe/Berlin", 2, "2024-03-30T18:00:00Z", 1.0, "2024-03-31T01:00:00Z");
    // Fall back, 27 October 2024 from 3 to 2: an hour that occurs twice begins at its first occurrence.
    check("Europe/Berlin", 2, "2024-10-26T18:00:00Z", 1.0, "2024-10-27T00:00:00Z");
    check("Europe/Berlin", 4, "2024-10-26T18:00:00Z", 1.0, "2024-10-27T03:00:00Z");
    // Two in the morning on 10 March 2024 in New York does not exist; one on 3 November occurs twice.
    check("America/New_York", 2, "2024-03-09T17:00:00Z", 1.0, "2024-03-10T07:00:00Z");
    check("America/New_York", 1, "2024-11-02T17:00:00Z", 1.0, "2024-11-03T05:00:00Z");
    // A midnight that does not exist: Havana, 10 March 2024.
    check("America/Havana", 0, "2024-03-09T17:00:00Z", 1.0, "2024-03-10T05:00:00Z");
    // Leap days, the end of a year, half hours, the other side of the date line, and after 2038.
    check("UTC", 4, "2024-02-28T12:00:00Z", 1.0, "2024-02-29T04:00:00Z");
    check("UTC", 4, "2023-02-28T12:00:00Z", 1.0, "2023-03-01T04:00:00Z");
    check("UTC", 4, "2024-02-29T12:00:00Z", 365.0, "2025-02-28T04:00:00Z");
    check("UTC", 4, "2024-12-31T12:00:00Z", 1.0, "2025-01-01T04:00:00Z");
    check("Asia/Kathmandu", 4, "2024-05-10T12:00:00Z", 1.0, "2024-05-10T22:15:00Z");
    check("Pacific/Kiritimati", 4, "2024-05-10T12:00:00Z", 1.0, "2024-05-10T14:00:00Z");
    check("Europe/Berlin", 4, "2038-03-27T12:00:00Z", 1.0, "2038-03-28T02:00:00Z");
    check("Europe/Berlin", 4, "2050-07-01T12:00:00Z", 36_500.0, "2150-06-07T02:00:00Z");
    // An unknown zone counts as UTC.
    check("Mars/Olympus", 4, "2024-05-10T20:00:00Z", 1.0, "2024-05-11T04:00:00Z");
}

#[test]
fn a_message_waits_for_the_learners_hour() {
    let check = |zone: &str, hour: i8, now: &str, then: &str| {
        let wait_us = Calendar::of(&in_zone(zone, 4)).until_hour_us(at_us(now), hour);
        let found = Timestamp::from_microsecond(at_us(now) + wait_us).unwrap();
        assert_eq!(found, then.parse().unwrap(), "{zone} from {hour}: {now}");
    };
    check("UTC", 9, "2024-05-10T04:00:00Z", "2024-05-10T09:00:00Z");
    check("UTC", 9, "2024-05-10T00:00:00Z", "2024-05-10T09:00:00Z");
    check("UTC", 9, "2024-05-10T09:00:00Z", "2024-05-10T09:00:00Z");
    check("UTC", 9, "2024-05-10T23:59:59Z", "2024-05-10T23:59:59Z");
    check("UTC", 0, "2024-05-10T00:00:01Z", "2024-05-10T00:00:01Z");
    check("Asia/Kathmandu", 9, "2024-05-09T22:15:00Z", "2024-05-10T03:15:00Z");
    // The clock goes forward and back during the night, once over the hour itself.
    check("Europe/Berlin", 9, "2024-03-31T00:30:00Z", "2024-03-31T07:00:00Z");
    check("Europe/Berlin", 9, "2024-10-26T23:30:00Z", "2024-10-27T08:00:00Z");
    check("Europe/Berlin", 2, "2024-03-31T00:30:00Z", "2024-03-31T01:00:00Z");
}

#[test]
fn an_unknown_zone_is_reported() {
    let calendar = Calendar::of(&in_zone("Mars/Olympus", 4));
    assert!(calendar.note().is_some_and(|note| note.contains("Mars/Olympus") && note.contains("UTC")));
    assert_eq!(Calendar::of(&in_zone("Europe/Berlin", 4)).note(), None);
    assert!(time_zone("").is_err() && time_zone("Europe/Berlin").is_ok());
}

#[test]
fn an_evening_and_the_next_morning_are_a_day_apart() {
    let check = |zone: &str, from: &str, to: &str, days: u32| {
        let found = Calendar::of(&in_zone(zone, 4)).days_between(at_us(from), at_us(to));
        assert_eq!(found, days, "{zone}: {from} to {to}");
    };
    check("UTC", "2024-05-10T22:00:00Z", "2024-05-11T06:00:00Z", 1);
    check("UTC", "2024-05-10T22:00:00Z", "2024-05-11T03:00:00Z", 0);
    check("UTC", "2024-05-10T05:00:00Z", "2024-05-10T23:00:00Z", 0);
    check("UTC", "2024-05-12T05:00:00Z", "2024-05-10T23:00:00Z", 0);
    check("Europe/Berlin", "2024-03-30T12:00:00Z", "2024-04-30T12:00:00Z", 31);
    check("Europe/Berlin", "2024-10-26T12:00:00Z", "2024-10-27T12:00:00Z", 1);
}

#[test]
fn unbalanced_classic_intervals_stay_exact() {
    let profile = Profile { memory: Memory::Sm2, ..in_zone("Europe/Berlin", 4) };
    for days in [1.0, 6.0, 15.0, 37.5, 93.75] {
        let now_us = at_us("2024-03-30T18:23:45Z");
        assert_eq!(next_due_us(&profile, now_us, days, &|_| 0), after_days_us(now_us, days), "{days}");
    }
    let balanced = Profile { balances_load: true, ..profile };
    let due = next_due_us(&balanced, at_us("2024-05-10T20:00:00Z"), 1.0, &|_| 0);
    assert_eq!(due, at_us("2024-05-11T02:00:00Z"));
}

#[test]
fn leeway_matches_anki() {
    for (days, expected) in [
        (1.0, (1, 1)),
        (2.0, (2, 2)),
        (2.4, (2, 2)),
        (2.5, (2, 4)),
        (3.0, (2, 4)),
        (7.0, (5, 9)),
        (15.0, (13, 17)),
        (37.5, (34, 41)),
        (100.0, (93, 107)),
        (365.0, (345, 385)),
    ] {
        assert_eq!(leeway_days(days), expected, "{days}");
    }
}

#[test]
fn a_review_takes_the_emptiest_day_near_its_own() {
    let now_us = at_us("2024-05-10T12:00:00Z"); // A Friday.
    let day = |days: i64| at_us("2024-05-10T04:00:00Z") + days * DAY_US;
    let check = |easy_days: &[i8], busy: &[i64], days: f64, expected: i64| {
        let profile = Profile { easy_days: easy_days.to_vec(), ..Profile::default() };
        let load = Load::of(busy.iter().map(|days| (day(*days), 1)), &Calendar::of(&profile));
        let found = next_due_us(&profile, now_us, days, &|day| load.on(day));
        assert_eq!((found - day(0)) / DAY_US, expected, "easy {easy_days:?}, busy {busy:?}, {days} days");
    };
    // With no other reviews it takes its own day.
    check(&[], &[], 7.0, 7);
    // Days 5 to 9 are allowed.
    check(&[], &[7], 7.0, 6);
    check(&[], &[7, 6], 7.0, 8);
    check(&[], &[5, 6, 7, 8], 7.0, 9);
    check(&[], &[5, 6, 7, 8, 9], 7.0, 7);
    check(&[], &[5, 5, 6, 6, 7, 7, 8, 9, 9], 7.0, 8);
    // An interval of two days cannot move.
    check(&[], &[2, 2, 2], 2.0, 2);
    // Day 8 is a Saturday, day 9 a Sunday: other days are taken until they have four times as many reviews.
    check(&[6, 7], &[], 8.0, 7);
    check(&[6, 7], &[6, 7, 10], 8.0, 7);
    check(&[6, 7], &[6, 6, 6, 6, 7, 7, 7, 7, 10, 10, 10, 10], 8.0, 8);
    // If every day is easy, none is.
    check(&[1, 2, 3, 4, 5, 6, 7], &[7], 7.0, 6);
}

#[test]
fn balanced_reviews_spread_and_easy_days_get_few() {
    let profile = Profile { easy_days: vec![7], ..Profile::default() };
    let calendar = Calendar::of(&profile);
    let now_us = at_us("2024-05-10T12:00:00Z");
    let mut due: Vec<i64> = Vec::new();
    for _ in 0..300 {
        let load = Load::of(due.iter().map(|at_us| (*at_us, 1)), &calendar);
        due.push(next_due_us(&profile, now_us, 30.0, &|day| load.on(day)));
    }
    let counts = calendar.forecast(&due, now_us, 40);
    assert_eq!(counts.iter().sum::<u32>(), 300);
    let (least, most) = leeway_days(30.0);
    let weekday = |days: i64| (5 + days - 1) % 7 + 1;
    for days in least..=most {
        let count = counts[days as usize];
        if weekday(days) == 7 {
            assert!((5..=15).contains(&count), "day {days}: {count}");
        } else {
            assert!((30..=50).contains(&count), "day {days}: {count}");
        }
    }
}

#[test]
fn a_forecast_counts_overdue_reviews_today() {
    let calendar = Calendar::of(&in_zone("UTC", 4));
    let now_us = at_us("2024-05-10T12:00:00Z");
    let due = [
        "2020-01-01T00:00:00Z",
        "2024-05-10T23:00:00Z",
        "2024-05-11T03:59:00Z",
        "2024-05-11T04:00:00Z",
        "2024-05-13T12:00:00Z",
        "2024-06-13T12:00:00Z",
    ];
    assert_eq!(calendar.forecast(&due.map(at_us), now_us, 4), [3, 1, 0, 1]);
    assert_eq!(calendar.forecast(&[], now_us, 0), Vec::<u32>::new());
}

const ZONES: [&str; 9] = [
    "UTC",
    "Europe/Berlin",
    "America/New_York",
    "America/Havana",
    "America/Sao_Paulo",
    "Australia/Lord_Howe",
    "Asia/Kathmandu",
    "Africa/Casablanca",
    "Pacific/Kiritimati",
];

proptest! {
    /// Every time in the next century lies between the start of its day and the start of the next.
    #[test]
    fn days_have_no_holes(zone in 0..ZONES.len(), hour in 0i8..24, at_s in 1_000_000_000i64..5_000_000_000) {
        let calendar = Calendar::of(&in_zone(ZONES[zone], hour));
        let at_us = at_s * 1_000_000;
        let day: Date = calendar.day(at_us).unwrap();
        let (start, next) = (calendar.start_us(day).unwrap(), calendar.start_us(day.tomorrow().unwrap()).unwrap());
        prop_assert!(start <= at_us && at_us < next, "{} {hour}: {day} {start} {at_us} {next}", ZONES[zone]);
    }

    /// A review due in n days is due n of the learner's days later, or within the leeway if it moves.
    #[test]
    fn a_due_review_keeps_its_promise(
        zone in 0..ZONES.len(),
        hour in 0i8..24,
        at_s in 1_000_000_000i64..5_000_000_000,
        days in 1.0f64..3_000.0,
        balances_load: bool,
        easy_days in prop::collection::vec(1i8..=7, 0..7),
        seed: u32,
    ) {
        let profile = Profile { balances_load, easy_days, ..in_zone(ZONES[zone], hour) };
        let now_us = at_s * 1_000_000;
        let load = |day: Date| (day.day() as u32).wrapping_mul(seed) % 17;
        let due_us = next_due_us(&profile, now_us, days, &load);
        prop_assert_eq!(due_us, next_due_us(&profile, now_us, days, &load));
        let found = i64::from(Calendar::of(&profile).days_between(now_us, due_us));
        let (least, most) = if balances_load { leeway_days(days) } else { (days.round() as i64, days.round() as i64) };
        prop_assert!((least..=most).contains(&found) && due_us > now_us, "{days} became {found}");
    }

    /// Senseless clocks and profiles do no harm.
    #[test]
    fn nothing_breaks_it(now_us: i64, days in prop::num::f64::ANY, hour: i8, easy: i8) {
        let profile = Profile { day_starts_at: hour, easy_days: vec![easy], ..Profile::default() };
        let _ = next_due_us(&profile, now_us, days, &|_| u32::MAX);
        let calendar = Calendar::of(&profile);
        let _ = calendar.forecast(&[now_us, i64::MIN, i64::MAX], now_us, 10);
    }
}
