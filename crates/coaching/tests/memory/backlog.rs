//! What comes first after a break.

use coaching::learner::{Memory, MemoryState, Model, Overdue, plan_backlog};

fn fsrs(stability: f32, difficulty: f32, elapsed_days: f64) -> Overdue {
    Overdue { state: MemoryState::Fsrs { stability, difficulty }, elapsed_days }
}

#[test]
fn what_is_most_worth_saving_comes_first() {
    let model = Model::new(Memory::Fsrs, None);
    let check = |due: &[Overdue], per_day: usize, expected: &[&[usize]]| {
        let plan = plan_backlog(&model, due, per_day);
        assert_eq!(plan, expected.iter().map(|day| day.to_vec()).collect::<Vec<_>>(), "{due:?}");
    };
    // Long forgotten, still safe, and slipping right now.
    check(&[fsrs(0.5, 5.0, 300.0), fsrs(500.0, 5.0, 20.0), fsrs(8.0, 5.0, 10.0)], 1, &[&[2], &[1], &[0]]);
    // Among equals the hard one, then the one that waits longer, then the first.
    check(&[fsrs(8.0, 3.0, 9.0), fsrs(8.0, 9.0, 9.0)], 5, &[&[1, 0]]);
    check(&[fsrs(8.0, 3.0, 9.0), fsrs(8.0, 3.0, 9.0), fsrs(8.0, 3.0, 9.0)], 2, &[&[0, 1], &[2]]);
    check(&[], 20, &[]);
    // A day has room for one at least, and what makes no sense waits.
    check(&[fsrs(8.0, 5.0, f64::NAN), fsrs(8.0, 5.0, 9.0)], 0, &[&[1], &[0]]);
}

#[test]
fn classic_states_have_their_place_too() {
    let model = Model::new(Memory::Sm2, None);
    let sm2 = |ease: f64, interval_days: f64, elapsed_days: f64| Overdue {
        state: MemoryState::Sm2 { ease, repetitions: 3, interval_days },
        elapsed_days,
    };
    let plan = plan_backlog(&model, &[sm2(2.5, 10.0, 12.0), sm2(1.4, 10.0, 12.0), sm2(2.5, 1.0, 400.0)], 2);
    assert_eq!(plan, [vec![1, 0], vec![2]]);
}
