//! Expands the wordings of a problem: `a | b + c` asks for a or b together with c, in any order.

/// The greatest number of wordings from one entry. An entry that a person would write has fewer.
const MAX_WORDINGS: usize = 64;

/// Returns a written entry as wordings of [`grade`](crate::grade): one for each way to choose among alternatives
/// of several words. Alternatives of one word stay together.
pub(super) fn wordings(written: &str) -> Vec<String> {
    let mut found = vec![String::new()];
    for group in written.split('+') {
        let alternatives: Vec<&str> =
            group.split('|').map(str::trim).filter(|words| !words.is_empty()).collect();
        let (single, several): (Vec<&str>, Vec<&str>) =
            alternatives.into_iter().partition(|words| !words.contains(char::is_whitespace));
        let single = Some(single.join("/")).filter(|words| !words.is_empty());
        let ways: Vec<String> = single.into_iter().chain(several.into_iter().map(str::to_owned)).collect();
        if !ways.is_empty() {
            found = found.iter().flat_map(|begun| ways.iter().map(move |way| joined(begun, way))).collect();
        }
        found.truncate(MAX_WORDINGS);
    }
    found.retain(|wording| !wording.is_empty());
    found
}

fn joined(begun: &str, way: &str) -> String {
    if begun.is_empty() { way.to_owned() } else { format!("{begun} {way}") }
}

#[cfg(test)]
mod tests {
    use super::wordings;

    #[test]
    fn alternatives_and_combinations() {
        for (written, expected) in [
            ("positions | indices + return | give", &["positions/indices return/give"][..]),
            ("every pair | two loops | brute", &["brute", "every pair", "two loops"]),
            ("a | b c + d", &["a d", "b c d"]),
            ("  ", &[]),
        ] {
            assert_eq!(wordings(written), expected, "{written}");
        }
    }
}
