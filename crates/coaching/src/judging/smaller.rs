//! Makes smaller inputs for a test, simplest first. The problem does not allow most of them; the author's `valid`
//! says which it does.

use serde_json::Value;

/// The greatest number of smaller inputs that are made from one input.
const MOST: usize = 48;
/// The length of lists and texts up to which single elements are removed as well.
const SINGLES: usize = 16;
/// The number of a list's first elements that are made smaller themselves.
const INNER: usize = 8;

/// The size of an input: first its elements and letters, then its numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Size {
    pub elements: usize,
    numbers: u128,
}

pub fn size(args: &[Value]) -> Size {
    let add = |sum: Size, value: &Value| {
        let of = size_of(value);
        Size { elements: sum.elements + of.elements, numbers: sum.numbers + of.numbers }
    };
    args.iter().fold(Size { elements: 0, numbers: 0 }, add)
}

fn size_of(value: &Value) -> Size {
    match value {
        Value::Array(list) => {
            let inner = size(list);
            Size { elements: inner.elements + list.len(), ..inner }
        }
        Value::String(text) => Size { elements: text.chars().count(), numbers: 0 },
        // A negative number is less simple than its positive counterpart.
        Value::Number(number) => {
            let sign = u128::from(number.as_f64().is_some_and(|number| number < 0.0));
            let amount = number.as_i64().map_or(u128::MAX >> 64, |number| u128::from(number.unsigned_abs()));
            Size { elements: 0, numbers: 2 * amount + sign }
        }
        _ => Size { elements: 0, numbers: 0 },
    }
}

/// Returns inputs that are smaller than this one, the smallest first.
pub fn smaller(args: &[Value]) -> Vec<Vec<Value>> {
    let mut found = fewer_things(args);
    for (at, value) in args.iter().enumerate() {
        for less in smaller_values(value) {
            found.push(with(args, at, less));
        }
    }
    let before = size(args);
    found.retain(|args| size(args) < before);
    found.sort_by_key(|args| size(args));
    found.dedup();
    spread(found)
}

/// Thins out too many inputs evenly, so that both small and large steps are tried.
fn spread(found: Vec<Vec<Value>>) -> Vec<Vec<Value>> {
    let every = found.len().div_ceil(MOST).max(1);
    found.into_iter().step_by(every).collect()
}

fn with(args: &[Value], at: usize, value: Value) -> Vec<Value> {
    let mut args = args.to_vec();
    args[at] = value;
    args
}

fn smaller_values(value: &Value) -> Vec<Value> {
    match value {
        Value::Array(list) => {
            let shorter = shorter(list).into_iter().map(Value::Array);
            shorter.chain(narrower(list)).chain(inner(list)).collect()
        }
        Value::String(text) => {
            let letters: Vec<char> = text.chars().collect();
            shorter(&letters)
                .into_iter()
                .map(|letters| Value::String(letters.into_iter().collect()))
                .collect()
        }
        Value::Number(number) => number.as_i64().map(smaller_numbers).unwrap_or_default(),
        _ => Vec::new(),
    }
}

fn smaller_numbers(number: i64) -> Vec<Value> {
    let step = number.signum();
    let mut less = vec![0, step, number / 2, number - number / 8, number - step];
    less.extend(number.checked_neg().filter(|_| number < 0));
    less.retain(|less| *less != number);
    less.into_iter().map(Value::from).collect()
}

/// Returns the list without one half, one quarter and so on; short lists also without each single element.
fn shorter<T: Clone>(list: &[T]) -> Vec<Vec<T>> {
    let mut found = Vec::new();
    let mut part = list.len();
    let least = if list.len() <= SINGLES { 1 } else { list.len() / SINGLES };
    while part >= least && part > 0 {
        for start in (0..list.len()).step_by(part) {
            let end = (start + part).min(list.len());
            found.push([&list[..start], &list[end..]].concat());
        }
        part /= 2;
    }
    found
}

/// Returns a grid of rows of equal length without one column, and without one row and its column, so that a
/// square grid stays square.
fn narrower(list: &[Value]) -> Vec<Value> {
    let rows: Option<Vec<Vec<char>>> =
        list.iter().map(|row| row.as_str().map(|row| row.chars().collect())).collect();
    let Some(rows) = rows.filter(|rows| rows.iter().all(|row| row.len() == rows[0].len())) else {
        return Vec::new();
    };
    let columns = rows.first().map_or(0, Vec::len).min(SINGLES);
    let without = |rows: &[Vec<char>], column: usize| {
        let row = |row: &Vec<char>| {
            let left = row.iter().enumerate().filter(|(at, _)| *at != column);
            Value::String(left.map(|(_, letter)| *letter).collect())
        };
        Value::Array(rows.iter().map(row).collect())
    };
    let narrow = (0..columns).map(|column| without(&rows, column));
    let square = |at: usize| without(&[&rows[..at], &rows[at + 1..]].concat(), at);
    let squares = (0..columns.min(rows.len())).map(square);
    narrow.chain(squares).collect()
}

fn inner(list: &[Value]) -> Vec<Value> {
    let mut found = Vec::new();
    for (at, value) in list.iter().enumerate().take(INNER) {
        found.extend(smaller_values(value).into_iter().map(|less| Value::Array(with(list, at, less))));
    }
    found
}

/// Returns arguments with fewer things, for rows that refer to things by number. Only the rows that refer to the
/// remaining things are kept.
fn fewer_things(args: &[Value]) -> Vec<Vec<Value>> {
    let mut found = Vec::new();
    for (at, value) in args.iter().enumerate() {
        let count = match value {
            Value::Array(list) if list.iter().all(Value::is_number) => list.len() as u64,
            value => value.as_u64().unwrap_or(0),
        };
        for left in [count / 2, count.saturating_sub(1)] {
            let mut fewer: Vec<Value> = args.iter().map(|value| naming(value, left)).collect();
            fewer[at] = match value {
                Value::Array(list) => Value::from(list[..left as usize].to_vec()),
                _ => Value::from(left),
            };
            found.push(fewer);
        }
    }
    found
}

fn naming(value: &Value, below: u64) -> Value {
    let is_named = |row: &&Value| {
        let mut ends = row.as_array().into_iter().flatten().take(2);
        ends.all(|end| end.as_u64().is_some_and(|end| end < below))
    };
    match value {
        Value::Array(rows) if rows.iter().all(Value::is_array) => {
            Value::Array(rows.iter().filter(is_named).cloned().collect())
        }
        other => other.clone(),
    }
}
