//! Tests of a learner's numbers, computed from courses that are written down here.

use coaching::learner::{Calendar, Profile, Quality};
use coaching::map::MasteryStatus;
use coaching::map::{Draft, Edge, EdgeType, MapId, MindMap, Node, NodeId};
use coaching::teach::Response;
use coaching::teach::analytics::{Analytics, PartOfDay, Studied, of_course, over_all};
use coaching::teach::progress::{Progress, ResponseType};
use jiff::{SignedDuration, Timestamp};
use std::collections::HashMap;
use uuid::Uuid;

const NOW: &str = "2026-09-22T10:00:00Z";

fn now() -> Timestamp {
    NOW.parse().unwrap()
}

fn ago(days: f64) -> Timestamp {
    now() - SignedDuration::from_secs((days * 86_400.0) as i64)
}

fn node(name: &str) -> NodeId {
    NodeId::new(Uuid::new_v5(&Uuid::NAMESPACE_OID, name.as_bytes()))
}

/// A map with these concepts and these needs between them.
fn map(nodes: &[&str], edges: &[(&str, &str)]) -> MindMap {
    let mut draft =
        Draft::new(MapId::new(Uuid::new_v5(&Uuid::NAMESPACE_OID, nodes.join("/").as_bytes())), "A map");
    draft.nodes = nodes
        .iter()
        .map(|name| Node {
            node_id: node(name),
            concept: None,
            label: (*name).to_owned(),
            description: None,
            effort_minutes: None,
            depth: 0,
            sequence: 0,
        })
        .collect();
    let edge = |(parent, child): &(&str, &str)| Edge {
        parent_node_id: node(parent),
        child_node_id: node(child),
        edge_type: EdgeType::Prerequisite,
    };
    draft.edges = edges.iter().map(edge).collect();
    MindMap::new(draft).unwrap()
}

fn known(status: MasteryStatus, score: f64, mastered_days_ago: Option<f64>) -> Progress {
    Progress {
        mastery_status: status,
        mastery_score: score,
        mastered_at_us: mastered_days_ago.map(|days| ago(days).as_microsecond()),
        ..Progress::default()
    }
}

fn answer(kind: ResponseType, quality: u8, at: Timestamp) -> Response {
    Response {
        node_id: node("a"),
        mind_map_id: MapId::new(Uuid::nil()),
        question_text: "?".into(),
        user_answer: "!".into(),
        quality: Quality::new(quality).unwrap(),
        response_type: kind,
        responded_at: at,
        marked: None,
    }
}

struct Course {
    map: MindMap,
    progress: HashMap<NodeId, Progress>,
    responses: Vec<Response>,
    started_days_ago: f64,
}

impl Course {
    fn new(nodes: &[&str], edges: &[(&str, &str)], known: &[(&str, Progress)]) -> Course {
        let progress = known.iter().map(|(name, progress)| (node(name), progress.clone())).collect();
        Course { map: map(nodes, edges), progress, responses: Vec::new(), started_days_ago: 100.0 }
    }

    fn studied(&self) -> Studied<'_> {
        Studied {
            map: &self.map,
            progress: &self.progress,
            responses: &self.responses,
            sessions: 3,
            started_at: ago(self.started_days_ago),
        }
    }

    fn numbers(&self) -> Analytics {
        of_course(&self.studied(), &calendar("UTC"), now())
    }
}

fn calendar(zone: &str) -> Calendar {
    Calendar::of(&Profile { time_zone: zone.to_owned(), ..Profile::default() })
}

use MasteryStatus::{Diagnosed, Learning, Mastered, Reviewing};

#[test]
fn nothing_gives_no_numbers() {
    let numbers = over_all(&[], &calendar("UTC"), now());
    assert_eq!((numbers.nodes, numbers.mastery_pct, numbers.velocity_per_week), (0, 0.0, 0.0));
    assert_eq!((numbers.retention_7d, numbers.estimated_completion_at), (None, None));
    let json = serde_json::to_value(&numbers).unwrap();
    assert!(json["estimated_completion_at"].is_null() && json["retention_30d"].is_null(), "{json}");
}

#[test]
fn mastery_velocity_and_completion_follow_from_mastered_concepts() {
    let mastered = |days: f64| known(Mastered, 0.9, Some(days));
    /// Days since each concept was mastered, days since the start, the mastery, the velocity, and the weeks to the
    /// end.
    type Row = (&'static [f64], f64, f64, f64, Option<f64>);
    let rows: &[Row] = &[
        (&[], 100.0, 0.0, 0.0, None),
        (&[1.0, 8.0], 100.0, 0.5, 0.5, Some(4.0)),
        (&[1.0, 40.0], 100.0, 0.5, 0.25, Some(8.0)),
        (&[40.0], 100.0, 0.25, 0.0, None),
        // A course of two days counts as a week and is too young for a forecast.
        (&[1.0], 2.0, 0.25, 1.0, None),
        (&[1.0, 2.0], 14.0, 0.5, 1.0, Some(2.0)),
        (&[1.0, 2.0, 3.0, 4.0], 100.0, 1.0, 1.0, None),
    ];
    for (days, started, mastery, velocity, weeks) in rows {
        let names = ["a", "b", "c", "d"];
        let known: Vec<(&str, Progress)> =
            names.into_iter().zip(days.iter().map(|days| mastered(*days))).collect();
        let course = Course { started_days_ago: *started, ..Course::new(&names, &[], &known) };
        let numbers = course.numbers();
        assert_eq!((numbers.mastery_pct, numbers.velocity_per_week), (*mastery, *velocity), "{days:?}");
        let expected = weeks.map(|weeks| ago(-7.0 * weeks));
        assert_eq!(numbers.estimated_completion_at, expected, "{days:?}");
    }
    let course = Course::new(&["a", "b"], &[], &[("a", mastered(1.0)), ("b", mastered(15.0))]);
    assert_eq!(course.numbers().mastered_by_week, [0, 0, 0, 0, 0, 1, 0, 1]);
}

#[test]
fn only_reviews_measure_retention() {
    use ResponseType::{Diagnostic, Review, Teach};
    let mut course = Course::new(&["a"], &[], &[]);
    course.responses = vec![
        answer(Review, 5, ago(1.0)),
        answer(Review, 2, ago(7.0)),
        answer(Review, 3, ago(8.0)),
        answer(Review, 0, ago(30.0)),
        answer(Review, 5, ago(31.0)),
        answer(Teach, 0, ago(1.0)),
        answer(Diagnostic, 0, ago(1.0)),
    ];
    let numbers = course.numbers();
    assert_eq!((numbers.retention_7d, numbers.retention_30d), (Some(0.5), Some(0.5)));
    assert_eq!((numbers.answers, numbers.answers_7d), (7, 4));
}

#[test]
fn the_strongest_area_is_the_part_of_the_map_with_the_highest_mean() {
    let edges =
        [("root", "left"), ("root", "right"), ("left", "left leaf"), ("right", "both"), ("left", "both")];
    let nodes = ["root", "left", "right", "left leaf", "both"];
    // Everything depends on the only root, so the areas are the concepts that need it directly.
    type Row = (&'static [(&'static str, f64)], Option<(&'static str, usize)>);
    let rows: &[Row] = &[
        (&[], None),
        (&[("root", 1.0)], None),
        (&[("right", 0.4)], Some(("right", 1))),
        (&[("left", 0.9), ("left leaf", 0.1), ("right", 0.6)], Some(("right", 1))),
        (&[("left", 0.9), ("both", 0.8), ("right", 0.2)], Some(("left", 2))),
    ];
    for (scores, expected) in rows {
        let known: Vec<(&str, Progress)> =
            scores.iter().map(|(name, score)| (*name, known(Reviewing, *score, None))).collect();
        let area = Course::new(&nodes, &edges, &known).numbers().strongest_area;
        let found = area.as_ref().map(|area| (area.label.as_str(), area.concepts));
        assert_eq!(found, *expected, "{scores:?}");
    }
    let two_roots = Course::new(&["a", "b"], &[], &[("b", known(Diagnosed, 0.5, None))]);
    assert_eq!(two_roots.numbers().strongest_area.map(|area| area.label), Some("b".to_owned()));
}

#[test]
fn hard_concepts_are_named_weakest_first() {
    let poor = |score: f64, qualities: [u8; 3]| Progress {
        qualities: qualities.into_iter().filter_map(Quality::new).collect(),
        ..known(Learning, score, None)
    };
    let course = Course::new(
        &["a", "b", "c"],
        &[],
        &[("a", poor(0.3, [2, 1, 2])), ("b", poor(0.2, [4, 3, 2])), ("c", poor(0.1, [1, 1, 4]))],
    );
    let hard: Vec<String> = course.numbers().struggling.into_iter().map(|known| known.label).collect();
    assert_eq!(hard, ["b", "a"]);
}

#[test]
fn the_best_time_of_day_follows_the_learners_clock() {
    let at = |hour: u8| format!("2026-09-20T{hour:02}:30:00Z").parse::<Timestamp>().unwrap();
    let mut course = Course::new(&["a"], &[], &[]);
    for _ in 0..5 {
        course.responses.push(answer(ResponseType::Teach, 5, at(20)));
        course.responses.push(answer(ResponseType::Teach, 2, at(9)));
    }
    // Four answers are too few to tell anything, however good they are.
    course.responses.extend((0..4).map(|_| answer(ResponseType::Review, 5, at(14))));
    for (zone, expected) in [("UTC", PartOfDay::Evening), ("America/Los_Angeles", PartOfDay::Afternoon)] {
        let numbers = of_course(&course.studied(), &calendar(zone), now());
        assert_eq!(numbers.best_time_of_day, Some(expected), "{zone}");
    }
}

#[test]
fn all_courses_add_up() {
    let first = Course::new(&["a", "b"], &[], &[("a", known(Mastered, 0.9, Some(1.0)))]);
    let second = Course::new(&["c", "d"], &[], &[("z", known(Mastered, 1.0, Some(1.0)))]);
    let numbers = over_all(&[first.studied(), second.studied()], &calendar("UTC"), now());
    assert_eq!(
        (numbers.nodes, numbers.mastered, numbers.sessions),
        (4, 1, 6),
        "a concept of no map counts nowhere"
    );
    assert_eq!((numbers.mind_map_id, numbers.velocity_per_week), (None, 0.25));
    let read: Analytics = serde_json::from_value(serde_json::to_value(&numbers).unwrap()).unwrap();
    assert_eq!(read, numbers);
}
