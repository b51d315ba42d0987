//! Keeps secrets out of logs, previews and prompts.
//!
//! Finders mark the secrets. Where a name says "password", a finder prefers to hide too much. Where only the shape
//! of a value suggests a secret, it prefers to show too much, because a commit hash looks like a key and has to
//! stay.

use std::ops::Range;

const HIDDEN: &str = "[redacted]";
/// The maximum size of a text. A longer one is cut before it is searched.
const MAX_BYTES: usize = 1 << 20;

/// Returns the text with every secret replaced.
pub fn redact(text: &str) -> String {
    let text = &text[..text.floor_char_boundary(MAX_BYTES)];
    let mut ranges = Vec::new();
    for find in [key_blocks, url_passwords, headers, assignments, flags, known_shapes] {
        find(text, &mut ranges);
    }
    ranges.sort_by_key(|range| (range.start, std::cmp::Reverse(range.end)));
    let mut shown = String::with_capacity(text.len());
    let mut at = 0;
    for range in ranges.into_iter().filter(|range| !range.is_empty()) {
        if range.start >= at {
            shown.push_str(&text[at..range.start]);
            shown.push_str(HIDDEN);
        }
        at = at.max(range.end);
    }
    shown.push_str(&text[at..]);
    shown
}

/// Returns the beginning of a text on one line, for a log: no secrets, no escape sequences, at most `max_chars`.
pub fn preview(text: &str, max_chars: usize) -> String {
    // More than `max_chars` is searched, because a secret that the preview would cut is recognised only as a whole.
    let enough = text.floor_char_boundary(max_chars.saturating_mul(8).saturating_add(4_096));
    let plain = super::message::without_escapes(&redact(&text[..enough]));
    let line = plain.split_whitespace().collect::<Vec<_>>().join(" ");
    let is_cut = enough < text.len() || line.chars().count() > max_chars;
    let kept = if is_cut { max_chars.saturating_sub(1) } else { max_chars };
    let mut shown: String = line.chars().take(kept).collect();
    if is_cut && max_chars > 0 {
        shown.push('…');
    }
    shown
}

type Ranges = Vec<Range<usize>>;

/// Marks `-----BEGIN … PRIVATE KEY-----` up to its end, or to the end of the text if the key was cut off.
fn key_blocks(text: &str, ranges: &mut Ranges) {
    let mut from = 0;
    while let Some(at) = text[from..].find("-----BEGIN ").map(|at| from + at) {
        let label = text[at..].lines().next().unwrap_or_default();
        from = at + "-----BEGIN ".len();
        if !label.contains("PRIVATE KEY") {
            continue;
        }
        let end = text[from..].find("-----END ").map_or(text.len(), |end| {
            let end = from + end + "-----END ".len();
            text[end..].find("-----").map_or(text.len(), |dashes| end + dashes + 5)
        });
        ranges.push(at..end);
        from = end;
    }
}

/// Marks the password in `scheme://user:password@host`.
fn url_passwords(text: &str, ranges: &mut Ranges) {
    for (at, _) in text.match_indices("://") {
        let start = at + 3;
        let end = text[start..].find(|c: char| c.is_whitespace() || "/\"'`<>?#".contains(c));
        let authority = &text[start..end.map_or(text.len(), |end| start + end)];
        let Some(host) = authority.rfind('@') else { continue };
        let Some(colon) = authority[..host].find(':') else { continue };
        if !is_placeholder(&authority[colon + 1..host]) {
            ranges.push(start + colon + 1..start + host);
        }
    }
}

/// Marks the value after `Bearer`, `Basic` or `Token`, if it looks like a credential and not like prose.
fn headers(text: &str, ranges: &mut Ranges) {
    for (word, next) in pairs(text) {
        let scheme = text[word].trim_matches(|c: char| !c.is_alphanumeric());
        let is_scheme = ["bearer", "basic", "token"].iter().any(|name| scheme.eq_ignore_ascii_case(name));
        let value = value_range(text, next);
        if is_scheme && value.len() >= 12 && looks_random(&text[value.clone()]) {
            ranges.push(value);
        }
    }
}

/// Marks the value in `NAME=value`, `name: value`, `"name": "value"`, where the name says that the value is secret.
fn assignments(text: &str, ranges: &mut Ranges) {
    for (at, sign) in text.char_indices().filter(|(_, c)| *c == '=' || *c == ':') {
        let name = name_before(&text[..at]);
        if !is_secret_name(name) {
            continue;
        }
        let after = &text[at + 1..];
        let gap = after.len() - after.trim_start_matches([' ', '\t', ':', '=', '>']).len();
        let value = value_range(text, at + 1 + gap..text.len());
        let is_env = sign == '=' && gap == 0 && !name.contains(|c: char| c.is_lowercase());
        let is_quoted = text[..value.start].ends_with(['"', '\'']);
        let written = &text[value.clone()];
        let is_value = is_env || is_quoted || (looks_random(written) && written.len() >= 6);
        if is_value && !is_placeholder(written) && !is_code(written, is_quoted) {
            ranges.push(value);
        }
    }
}

/// Marks the value in `--password value`.
fn flags(text: &str, ranges: &mut Ranges) {
    for (word, next) in pairs(text) {
        let word = &text[word];
        let value = value_range(text, next);
        if word.starts_with("--") && is_secret_name(&word[2..]) && !is_placeholder(&text[value.clone()]) {
            ranges.push(value);
        }
    }
}

/// Credentials that their issuer's format gives away: a minimum length, and the possible prefixes.
const SHAPES: &[(usize, &[&str])] = &[
    (
        20,
        &[
            "AKIA", "ASIA", "gho_", "ghp_", "ghr_", "ghs_", "ghu_", "glpat-", "rk_live_", "sk-", "sk_live_",
            "sk_test_",
        ],
    ),
    (20, &["whsec_", "xapp-", "xoxa-", "xoxb-", "xoxp-", "xoxr-", "xoxs-", "ya29."]),
    (30, &["figd_", "glsa_", "hf_", "lin_api_", "npm_", "sbp_", "shpat_"]),
    (30, &["AGE-SECRET-KEY-1", "github_pat_"]),
    (35, &["AIza"]),
    (40, &["SG.", "dop_v1_", "eyJ", "pypi-"]),
];

fn known_shapes(text: &str, ranges: &mut Ranges) {
    let is_inside = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
    let mut rest = 0;
    while let Some(start) = text[rest..].find(is_inside).map(|at| rest + at) {
        let end = text[start..].find(|c| !is_inside(c)).map_or(text.len(), |at| start + at);
        let piece = text[start..end].trim_end_matches('.');
        let long_enough = SHAPES.iter().filter(|(least, _)| piece.len() >= *least);
        let mut openings = long_enough.flat_map(|(_, openings)| *openings);
        // A JWT has three parts; "eyJ" alone begins every piece of base64 that holds JSON.
        let is_whole = |opening: &str| opening != "eyJ" || piece.matches('.').count() == 2;
        let is_shaped = openings.any(|&opening| piece.starts_with(opening) && is_whole(opening));
        if is_shaped && piece.bytes().any(|byte| byte.is_ascii_digit()) {
            ranges.push(start..start + piece.len());
        }
        rest = end;
    }
}

/// Returns every word, with the text that follows it.
fn pairs(text: &str) -> impl Iterator<Item = (Range<usize>, Range<usize>)> {
    text.split_whitespace().filter_map(move |word| {
        let start = word.as_ptr() as usize - text.as_ptr() as usize;
        let end = start + word.len();
        let next = end + text[end..].find(|c: char| c != ' ' && c != '\t')?;
        Some((start..end, next..text.len()))
    })
}

/// Returns the name that ends the text, without quotes.
fn name_before(text: &str) -> &str {
    let text = text.trim_end_matches(['"', '\'', ' ', '`']);
    let start = text.rfind(|c: char| !(c.is_ascii_alphanumeric() || c == '_' || c == '-' || c == '.'));
    &text[start.map_or(0, |at| text.ceil_char_boundary(at + 1))..]
}

/// Returns the value at the beginning of a range: up to its closing quote or, without quotes, to the next gap.
fn value_range(text: &str, rest: Range<usize>) -> Range<usize> {
    let written = &text[rest.clone()];
    let quote = written.chars().next().filter(|c| *c == '"' || *c == '\'');
    let start = rest.start + quote.map_or(0, char::len_utf8);
    let ends = |c: char| match quote {
        Some(quote) => c == quote || c == '\n',
        None => c.is_whitespace() || ",;\"'`&)}]".contains(c),
    };
    start..text[start..].find(ends).map_or(text.len(), |end| start + end)
}

/// Whether the last words of a name are those of a secret: `DB_PASSWORD`, `clientSecret`, `x-api-key`.
fn is_secret_name(name: &str) -> bool {
    const SINGLE: &[&str] =
        &["password", "passwd", "pwd", "secret", "token", "passphrase", "apikey", "credential"];
    const DOUBLE: &[(&str, &str)] = &[
        ("api", "key"),
        ("access", "key"),
        ("private", "key"),
        ("secret", "key"),
        ("auth", "key"),
        ("signing", "key"),
        ("encryption", "key"),
        ("account", "key"),
    ];
    let words = name_words(name);
    let last = words.last().map(String::as_str).unwrap_or_default();
    let before = words.len().checked_sub(2).map(|at| words[at].as_str()).unwrap_or_default();
    SINGLE.contains(&last) || DOUBLE.contains(&(before, last))
}

/// Splits a name into lower-case words, at `_`, `-`, `.` and where capitals begin.
fn name_words(name: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut was_lower = false;
    for c in name.chars() {
        let is_cut = !c.is_ascii_alphanumeric();
        if is_cut || (was_lower && c.is_ascii_uppercase()) {
            words.push(String::new());
        }
        if let (false, Some(word)) = (is_cut, words.last_mut()) {
            word.push(c.to_ascii_lowercase());
        }
        was_lower = c.is_ascii_lowercase();
    }
    words.retain(|word| !word.is_empty());
    words
}

/// Whether a value mixes letters with digits or, if it is long, small letters with capitals, unlike prose.
fn looks_random(value: &str) -> bool {
    let has = |is: fn(&u8) -> bool| value.bytes().any(|byte| is(&byte));
    has(u8::is_ascii_digit) && has(u8::is_ascii_alphabetic) && !value.contains(' ')
        || (value.len() >= 16
            && has(u8::is_ascii_uppercase)
            && has(u8::is_ascii_lowercase)
            && !value.contains(' '))
}

/// Whether a value is a placeholder for a secret.
fn is_placeholder(value: &str) -> bool {
    const WORDS: &[&str] =
        &["true", "false", "null", "none", "nil", "undefined", "string", "changeme", "required"];
    let lower = value.to_ascii_lowercase();
    let is_same = value.chars().next().is_some_and(|first| value.chars().all(|c| c == first));
    value.len() < 3
        || is_same
        || WORDS.contains(&lower.as_str())
        || value.starts_with(['$', '<', '{', '%', '['])
        || lower.starts_with("your")
        || lower.starts_with("process.env")
        || lower.starts_with("os.environ")
        || lower.starts_with("env.")
}

/// Whether a value is a call, a path through objects, or a plain number: `get_token()`, `config.password`, `4096`.
fn is_code(value: &str, is_quoted: bool) -> bool {
    let is_name =
        |part: &str| part.bytes().all(|byte| byte.is_ascii_alphabetic() || byte == b'_') && !part.is_empty();
    !is_quoted
        && (value.contains(['(', '[', '{'])
            || (value.contains('.') && value.split('.').all(is_name))
            || (value.len() < 7 && value.bytes().all(|byte| byte.is_ascii_digit())))
}
