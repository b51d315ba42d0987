//! Tests of problems in the channels' settings that are found without a server.

use outside::notify::{MailConfig, Security, TelegramConfig};
use outside::{Finding, Level};
use serde_json::{Value, json};

fn check_mail(settings: Value, expected: &[(Level, &str)]) {
    let config: MailConfig = serde_json::from_value(settings.clone()).unwrap();
    check(settings, config.check(), expected);
}

fn check_telegram(settings: Value, expected: &[(Level, &str)]) {
    let config: TelegramConfig = serde_json::from_value(settings.clone()).unwrap();
    check(settings, config.check(), expected);
}

/// `expected` lists the level and a word of each finding.
fn check(settings: Value, findings: Vec<Finding>, expected: &[(Level, &str)]) {
    assert_eq!(findings.len(), expected.len(), "{settings}: {findings:?}");
    for (finding, (level, word)) in findings.iter().zip(expected) {
        assert!(finding.level == *level && finding.what.contains(word), "{settings}: {finding:?}");
        assert!(!finding.cure.is_empty(), "{settings}: {finding:?}");
    }
}

#[test]
fn settings_of_mail_are_judged() {
    use Level::{Problem, Warning};
    check_mail(json!({"host": "mail.example"}), &[]);
    check_mail(json!({}), &[(Problem, "no mail server")]);
    check_mail(json!({"host": "m", "user": "u"}), &[(Problem, "password")]);
    check_mail(json!({"host": "m", "user": "u", "password": "p"}), &[]);
    let clear = json!({"host": "m", "user": "u", "password": "p", "security": "none"});
    check_mail(clear, &[(Problem, "unencrypted")]);
    check_mail(json!({"host": "m", "security": "none"}), &[(Warning, "unencrypted")]);
    check_mail(json!({"host": "127.0.0.1", "security": "none"}), &[]);
    check_mail(json!({"host": "m", "timeout_ms": 0}), &[(Problem, "time-out")]);
    check_mail(json!({"host": "m", "concurrent_mails": 0}), &[(Problem, "concurrent_mails")]);
}

#[test]
fn settings_of_telegram_are_judged() {
    use Level::{Problem, Warning};
    let token = "123456:ABC-def_9";
    check_telegram(json!({"token": token}), &[]);
    check_telegram(json!({"token": token, "base_url": "http://127.0.0.1:8081"}), &[]);
    check_telegram(json!({"token": token, "base_url": "http://bots.example"}), &[(Warning, "unencrypted")]);
    check_telegram(json!({"token": token, "base_url": "file:///x"}), &[(Problem, "base_url")]);
    for token in ["", "123456", "123456:", ":abc", "12:a b", "12:a/../b", "bot12:abc", "12:a\n"] {
        check_telegram(json!({"token": token}), &[(Problem, "token")]);
    }
    check_telegram(json!({"token": token, "timeout_ms": 0}), &[(Problem, "timeout_ms")]);
    check_telegram(json!({"token": token, "timeout_ms": 30_000}), &[(Problem, "timeout_ms")]);
    check_telegram(json!({"token": token, "limits": {"group_per_minute": 0}}), &[(Problem, "limit")]);
}

#[test]
fn the_port_follows_the_security() {
    for (security, port) in [(Security::None, 25), (Security::Starttls, 587), (Security::Tls, 465)] {
        assert_eq!(MailConfig { security, ..MailConfig::default() }.port(), port);
    }
}
