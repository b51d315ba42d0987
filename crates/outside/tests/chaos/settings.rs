//! Tests of problems in a model's settings that are found without a server.

use outside::Level;
use outside::model::{ModelConfig, Preset};
use serde_json::{Value, json};

/// `expected` lists the level and a word of each finding, or a word of the error.
fn check(settings: Value, expected: &[(Level, &str)]) {
    match ModelConfig::from_settings(&settings) {
        Ok(config) => {
            let findings = config.check();
            assert_eq!(findings.len(), expected.len(), "{settings}: {findings:?}");
            for (finding, (level, word)) in findings.iter().zip(expected) {
                assert_eq!(finding.level, *level, "{settings}: {finding:?}");
                assert!(finding.what.contains(word), "{settings}: {finding:?}");
                assert!(!finding.cure.is_empty(), "{settings}: {finding:?}");
            }
        }
        Err(error) => {
            let text = error.to_string();
            assert!(expected.iter().all(|(_, word)| text.contains(word)), "{settings}: {text}");
            assert!(!expected.is_empty(), "{settings}: {text}");
        }
    }
}

#[test]
fn settings_are_judged() {
    use Level::{Problem, Warning};
    let compatible = |url: &str| json!({"base_url": url, "model": "m", "api_key": "k"});
    check(json!({"preset": "llamacpp"}), &[]);
    check(json!({"preset": "ollama", "model": "qwen3"}), &[]);
    check(json!({"preset": "anthropic", "model": "m", "api_key": "k"}), &[]);
    check(json!({"preset": "openai", "model": "m"}), &[(Problem, "API key")]);
    check(json!({"preset": "ollama"}), &[(Problem, "no model")]);
    check(json!({}), &[(Problem, "base_url"), (Problem, "no model")]);
    check(json!({"preset": "nowhere"}), &[(Problem, "nowhere")]);
    check(json!({"preset": "llamacpp", "timeout": 3}), &[(Problem, "timeout")]);
    check(json!({"preset": "llamacpp", "timeout_ms": 0}), &[(Problem, "time-out")]);
    check(json!({"preset": "llamacpp", "retries": 99}), &[(Problem, "retries")]);
    check(json!({"preset": "llamacpp", "concurrent_calls": 0}), &[(Problem, "concurrent_calls")]);
    check(json!({"preset": "llamacpp", "max_output_tokens": 0}), &[(Problem, "max_output_tokens")]);
    check(compatible("https://models.example/v1"), &[]);
    check(compatible("http://127.0.0.1:1234/v1"), &[]);
    check(compatible("http://[::1]:1234/v1"), &[]);
    check(compatible("http://models.example/v1"), &[(Warning, "unencrypted")]);
    check(compatible("https://u:p@models.example/v1"), &[(Problem, "password")]);
    check(compatible("https://models.example/v1?key=k"), &[(Problem, "query")]);
    check(compatible("file:///etc/passwd"), &[(Problem, "http")]);
    let mut unpriced = compatible("https://models.example/v1");
    unpriced["budget"] = json!({"per_day": {"usd": 1.5}});
    check(unpriced.clone(), &[(Problem, "prices")]);
    unpriced["prices"] = json!({"input_usd_per_million_tokens": 0.5, "output_usd_per_million_tokens": -1});
    check(unpriced, &[(Problem, "amount of money")]);
}

#[test]
fn settings_replace_only_what_they_name() {
    let settings = json!({"preset": "ollama", "model": "m", "budget": {"per_day": {"calls": 7}}});
    let config = ModelConfig::from_settings(&settings).unwrap();
    let mut expected = ModelConfig { model: "m".to_owned(), ..ModelConfig::preset(Preset::Ollama) };
    expected.budget.per_day.calls = Some(7);
    assert_eq!(config, expected);
}
