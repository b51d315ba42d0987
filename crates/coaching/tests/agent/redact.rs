//! Tests of redaction: secrets go, everything else stays.

use coaching::agent::{preview, redact};

/// Meaningless letters and digits. Secrets are assembled at run time so that no scanner takes this file for one.
const RANDOM: &str = "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8s9T0";

#[test]
fn secrets_are_hidden() {
    let upper = &RANDOM.to_uppercase()[..16];
    let jwt = format!("eyJ{RANDOM}.eyJ{RANDOM}.{RANDOM}");
    for secret in [
        format!("sk-{RANDOM}"),
        format!("sk-ant-api03-{RANDOM}"),
        format!("sk-proj-{RANDOM}"),
        format!("ghp_{RANDOM}"),
        format!("github_pat_{RANDOM}"),
        format!("glpat-{}", &RANDOM[..20]),
        format!("xoxb-123456789012-{RANDOM}"),
        format!("AKIA{upper}"),
        format!("ASIA{upper}"),
        format!("AIza{}", &RANDOM[..35]),
        format!("npm_{RANDOM}"),
        format!("hf_{RANDOM}"),
        format!("sk_live_{RANDOM}"),
        format!("whsec_{RANDOM}"),
        format!("SG.{RANDOM}.{RANDOM}"),
        format!("ya29.{RANDOM}"),
        format!("pypi-{RANDOM}{RANDOM}"),
        jwt,
    ] {
        for text in [secret.clone(), format!("the key is {secret}."), format!("export X=\"{secret}\"; ls")] {
            let shown = redact(&text);
            assert!(!shown.contains(&secret) && shown.contains("[redacted]"), "{text} became {shown}");
        }
    }
}

#[test]
fn secrets_are_known_by_their_place() {
    for (text, expected) in [
        ("Authorization: Bearer a1b2c3d4e5f6g7h8", "Authorization: Bearer [redacted]"),
        ("curl -H 'Authorization: Basic dXNlcjpwYXNzd29yZDE='", "curl -H 'Authorization: Basic [redacted]'"),
        ("x-api-key: 9f8e7d6c5b4a", "x-api-key: [redacted]"),
        ("postgres://app:s3cret@db:5432/x", "postgres://app:[redacted]@db:5432/x"),
        ("https://me:tok%40en9@example.org/r.git", "https://me:[redacted]@example.org/r.git"),
        ("DB_PASSWORD=hunter2", "DB_PASSWORD=[redacted]"),
        ("SECRET_KEY=correcthorse", "SECRET_KEY=[redacted]"),
        ("export API_TOKEN='abc def'", "export API_TOKEN='[redacted]'"),
        ("aws_secret_access_key = wJalrXUtnFEMI/K7MDENG", "aws_secret_access_key = [redacted]"),
        (r#"{"clientSecret": "not-so-random"}"#, r#"{"clientSecret": "[redacted]"}"#),
        ("password: \"open sesame\"", "password: \"[redacted]\""),
        ("password: p4ssw0rd!", "password: [redacted]"),
        ("mysql --password hunter2 -u me", "mysql --password [redacted] -u me"),
        ("tool --api-key=9f8e7d6c5b4a run", "tool --api-key=[redacted] run"),
        ("Server=x;Password=p4ssw0rd;Database=y", "Server=x;Password=[redacted];Database=y"),
        ("-----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY-----\nok", "[redacted]\nok"),
        ("-----BEGIN PRIVATE KEY-----\nMIIEv", "[redacted]"),
    ] {
        assert_eq!(redact(text), expected, "{text:?}");
    }
}

#[test]
fn harmless_text_stays() {
    for text in [
        "commit 3f2a1bc9d8e7f60512ab34cd56ef7890a1b2c3d4",
        "All 42 tests passed, committed abc1234",
        "max_tokens=4096",
        "token_count: 1234567",
        "The token is refreshed before it expires.",
        "token: string",
        "password: required",
        "the password: please type it in",
        "const token = getToken()",
        "let password = config.database.password",
        "API_KEY=${API_KEY}",
        "API_KEY=<your key>",
        "PASSWORD=your-password-here",
        "SECRET=process.env.SECRET",
        "password=********",
        "https://example.org/a:b@c",
        "https://example.org:8080/path?x=1",
        "git@github.com:acme/web.git",
        "sk-learn is a library",
        "the bearer of good news",
        "-----BEGIN CERTIFICATE-----\nMIIC\n-----END CERTIFICATE-----",
        "src/auth/token.ts:88",
        "See issue #123 and https://github.com/acme/web/pull/482",
        "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
        "Tests: 71 passed, 71 total",
    ] {
        assert_eq!(redact(text), text);
    }
}

#[test]
fn a_preview_is_one_short_line_without_secrets() {
    for (text, max_chars, expected) in [
        ("one\n  two\tthree", 40, "one two three"),
        ("one two three", 7, "one tw…"),
        ("one two", 7, "one two"),
        ("\u{1B}[31mred\u{1B}[0m text", 40, "red text"),
        ("DB_PASSWORD=hunter2 rest", 40, "DB_PASSWORD=[redacted] rest"),
        ("", 10, ""),
        ("abc", 0, ""),
        ("äöü äöü", 4, "äöü…"),
    ] {
        assert_eq!(preview(text, max_chars), expected, "{text:?}");
    }
    let long = format!("ghp_{}", "a1".repeat(40));
    assert!(!preview(&long, 20).contains("a1a1"));
}
