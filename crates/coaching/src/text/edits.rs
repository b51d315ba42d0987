//! Counts the edits between two words.

/// The most letters of a word whose edits are counted. Longer words must match exactly: that bounds the work, and
/// no language needs more.
const MAX_LETTERS: usize = 64;

/// The fewest letters of a word that need not match exactly. One edit of a shorter word makes another word.
const MIN_FUZZY_LETTERS: usize = 4;

/// Returns the number of edits (insert, delete, replace, swap of neighbours) from `a` to `b`, or `None` above
/// `limit`.
pub(super) fn edits_within(a: &str, b: &str, limit: usize) -> Option<usize> {
    if a.is_ascii() && b.is_ascii() {
        return distance(a.as_bytes(), b.as_bytes(), limit);
    }
    let (mut a_chars, mut b_chars) = (['\0'; MAX_LETTERS], ['\0'; MAX_LETTERS]);
    distance(spread(a, &mut a_chars)?, spread(b, &mut b_chars)?, limit)
}

/// Returns how many edits a heard word may be away from the target's word and still count. Digits cannot be
/// misspelt, so a word with a digit must match exactly.
pub(super) fn tolerance(letters: &str) -> usize {
    let count = letters.chars().count();
    if count < MIN_FUZZY_LETTERS || letters.chars().any(char::is_numeric) { 0 } else { (count / 4).max(1) }
}

/// Whether two words differ by a typing slip, even if they are short. For suggestions only.
pub fn is_slip(a: &str, b: &str) -> bool {
    a != b && edits_within(a, b, 1).is_some()
}

fn spread<'a>(word: &str, into: &'a mut [char; MAX_LETTERS]) -> Option<&'a [char]> {
    let mut count = 0;
    for c in word.chars() {
        *into.get_mut(count)? = c;
        count += 1;
    }
    Some(&into[..count])
}

/// Computes the optimal string alignment with three rolling rows. Stops as soon as a whole row is above the limit.
fn distance<T: PartialEq>(a: &[T], b: &[T], limit: usize) -> Option<usize> {
    if a.len().abs_diff(b.len()) > limit || a.len() > MAX_LETTERS || b.len() > MAX_LETTERS {
        return None;
    }
    let mut before = [0u8; MAX_LETTERS + 1];
    let mut above: [u8; MAX_LETTERS + 1] = std::array::from_fn(|column| column as u8);
    for i in 1..=a.len() {
        let mut row = [0u8; MAX_LETTERS + 1];
        row[0] = i as u8;
        let mut best = row[0];
        for j in 1..=b.len() {
            let replaced = above[j - 1] + u8::from(a[i - 1] != b[j - 1]);
            let mut edits = replaced.min(above[j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                edits = edits.min(before[j - 2] + 1);
            }
            row[j] = edits;
            best = best.min(edits);
        }
        if usize::from(best) > limit {
            return None;
        }
        (before, above) = (above, row);
    }
    let edits = usize::from(above[b.len()]);
    (edits <= limit).then_some(edits)
}
