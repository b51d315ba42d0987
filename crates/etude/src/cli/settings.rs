//! Reads the settings: the model (flags first, then the environment, then the file), the coaching of agents,
//! the channels to learners, and the other sections of the file.
//!
//! The file may set the fields of [`ModelConfig`], [`AgentSettings`], [`AttemptSettings`], [`TelegramConfig`],
//! [`MailConfig`], [`judge::Options`] and [`RetentionSettings`], and nothing else. An unknown word is an error
//! with its line, because a misspelt limit would limit nothing.

use clap::Args as ClapArgs;
use outside::model::{ModelConfig, Preset};
use outside::notify::{Mail, MailConfig, Notifier, Telegram, TelegramConfig};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use shell::agent::AgentSettings;
use shell::chat::Bot;
use shell::engine::clock::span_ms;
use std::path::{Path, PathBuf};
use toml::de::{DeTable, DeValue};

/// The sections of the file, and the key in the first one that is not a setting: it names the variable with the
/// API key.
const SECTION: &str = "model";
const AGENT_SECTION: &str = "agent";
const ATTEMPT_SECTION: &str = "attempt";
const TELEGRAM_SECTION: &str = "telegram";
const MAIL_SECTION: &str = "mail";
const JUDGE_SECTION: &str = "judge";
const RETENTION_SECTION: &str = "retention";
const KEY_VARIABLE: &str = "api_key_env";
/// The variable with the key for any provider.
const OWN_KEY_VARIABLE: &str = "ETUDE_MODEL_API_KEY";
/// The keys of the channels' sections that are not settings: the names of variables with a secret, and the
/// address to which Telegram brings messages. `OWN_…` are the program's own variables. `TEXTS` lists the keys of
/// all sections that are not settings; the value of each is a text.
const TOKEN_VARIABLE: &str = "token_env";
const OWN_TOKEN_VARIABLE: &str = "ETUDE_TELEGRAM_TOKEN";
const PASSWORD_VARIABLE: &str = "password_env";
const OWN_PASSWORD_VARIABLE: &str = "ETUDE_MAIL_PASSWORD";
const WEBHOOK_URL: &str = "webhook_url";
const TEXTS: [&str; 4] = [KEY_VARIABLE, TOKEN_VARIABLE, PASSWORD_VARIABLE, WEBHOOK_URL];

/// The flags about the model. Keys have no flag, because other users of the machine can see flags.
#[derive(Debug, Clone, Default, ClapArgs)]
pub(crate) struct ModelFlags {
    /// Provider of the model: openai, anthropic, ollama, llamacpp, openai-compatible
    #[arg(long, global = true, env = "ETUDE_MODEL_PRESET", value_name = "PROVIDER")]
    model_preset: Option<String>,
    /// Address of the model server
    #[arg(long, global = true, env = "ETUDE_MODEL_URL", value_name = "URL")]
    model_url: Option<String>,
    /// Name of the model
    #[arg(long, global = true, env = "ETUDE_MODEL", value_name = "NAME")]
    model: Option<String>,
}

/// Returns the model that the file, the flags and the environment configure together, if any.
///
/// A key alone configures nothing: many people have one in their environment for other programs.
pub(crate) fn model(
    file: Option<(&Path, &str)>,
    flags: &ModelFlags,
    variable: impl Fn(&str) -> Option<String>,
) -> Result<Option<ModelConfig>, String> {
    let mut settings = match file {
        Some((path, source)) => section(path, source, SECTION)?,
        None => Map::new(),
    };
    let given = [("preset", &flags.model_preset), ("base_url", &flags.model_url), ("model", &flags.model)];
    for (name, value) in given {
        if let Some(value) = value.as_ref().filter(|value| !value.is_empty()) {
            settings.insert(name.to_owned(), json!(value));
        }
    }
    if settings.is_empty() {
        return Ok(None);
    }
    take_secret(&mut settings, "api_key", KEY_VARIABLE, variable(OWN_KEY_VARIABLE), &variable);
    if let (None, Some(key)) = (settings.get("api_key"), key_of_provider(&settings, &variable)) {
        settings.insert("api_key".to_owned(), json!(key));
    }
    ModelConfig::from_settings(&Value::Object(settings)).map(Some).map_err(|error| error.to_string())
}

/// Reads the file's section on agents.
pub(crate) fn agents(path: &Path, source: &str) -> Result<AgentSettings, String> {
    let said = section(path, source, AGENT_SECTION)?;
    read_section(said, AGENT_SECTION).map_err(|error| format!("{}: {error}", path.display()))
}

/// Reads the file's section on attempts at coding problems.
pub(crate) fn attempts(path: &Path, source: &str) -> Result<AttemptSettings, String> {
    let said = section(path, source, ATTEMPT_SECTION)?;
    read_section(said, ATTEMPT_SECTION).map_err(|error| format!("{}: {error}", path.display()))
}

/// Reads the file's section on old logs.
pub(crate) fn retention(path: &Path, source: &str) -> Result<RetentionSettings, String> {
    let said = section(path, source, RETENTION_SECTION)?;
    read_section(said, RETENTION_SECTION).map_err(|error| format!("{}: {error}", path.display()))
}

/// How long the logs of ended flows are kept. For ever if `logs` is absent.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct RetentionSettings {
    /// The age at which logs are deleted, as in `365d` or `2y`.
    pub logs: Option<Span>,
    /// A file to which logs are appended before they are deleted.
    pub archive: Option<PathBuf>,
}

/// A length of time as people write it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub(crate) struct Span {
    text: String,
    pub ms: i64,
}

impl TryFrom<String> for Span {
    type Error = String;

    fn try_from(text: String) -> Result<Span, String> {
        span_ms(&text).map(|ms| Span { text, ms })
    }
}

impl From<Span> for String {
    fn from(span: Span) -> String {
        span.text
    }
}

/// The defaults for new attempts at coding problems.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct AttemptSettings {
    /// Whether new attempts have five steps. Without this they have three: approach, code, test.
    pub attempt_v2_flow: bool,
    /// Whether learners begin as beginners unless they ask otherwise.
    pub beginner_mode_default: bool,
}

impl Default for AttemptSettings {
    fn default() -> AttemptSettings {
        AttemptSettings { attempt_v2_flow: true, beginner_mode_default: true }
    }
}

impl AttemptSettings {
    /// Returns the settings as part of an opening.
    pub(crate) fn opening(&self) -> Map<String, Value> {
        json!(self).as_object().cloned().unwrap_or_default()
    }
}

/// Reads the file's section on the judge of programs.
pub(crate) fn judge(path: &Path, source: &str, search: &std::ffi::OsStr) -> Result<judge::Settings, String> {
    let said = section(path, source, JUDGE_SECTION)?;
    let options =
        read_section(said, JUDGE_SECTION).map_err(|error| format!("{}: {error}", path.display()))?;
    Ok(judge::Settings { options, ..judge::Settings::new(search) })
}

/// Opens the channels. A channel without settings is absent.
pub(crate) fn channels(
    file: Option<(&Path, &str)>,
    variable: impl Fn(&str) -> Option<String>,
) -> Result<(Option<Notifier>, Option<Bot>), String> {
    let of_file = |name: &str| file.map_or(Ok(Map::new()), |(path, source)| section(path, source, name));
    let (telegram, bot) = match telegram(of_file(TELEGRAM_SECTION)?, &variable)? {
        Some((telegram, bot)) => (Some(telegram), Some(bot)),
        None => (None, None),
    };
    let mail = mail(of_file(MAIL_SECTION)?, &variable)?;
    let notifier = (telegram.is_some() || mail.is_some()).then_some(Notifier { telegram, mail });
    Ok((notifier, bot))
}

fn telegram(
    mut said: Map<String, Value>,
    variable: &impl Fn(&str) -> Option<String>,
) -> Result<Option<(Telegram, Bot)>, String> {
    let webhook_url = said.remove(WEBHOOK_URL).and_then(|url| url.as_str().map(str::to_owned));
    take_secret(&mut said, "token", TOKEN_VARIABLE, variable(OWN_TOKEN_VARIABLE), variable);
    if said.is_empty() {
        return Ok(None);
    }
    let config: TelegramConfig = read_section(said, TELEGRAM_SECTION)?;
    let telegram = Telegram::new(&config).map_err(|error| format!("[telegram]: {error}"))?;
    Ok(Some((telegram, Bot::new(&config.token, webhook_url))))
}

fn mail(
    mut said: Map<String, Value>,
    variable: &impl Fn(&str) -> Option<String>,
) -> Result<Option<Mail>, String> {
    if said.is_empty() {
        return Ok(None);
    }
    take_secret(&mut said, "password", PASSWORD_VARIABLE, variable(OWN_PASSWORD_VARIABLE), variable);
    let config: MailConfig = read_section(said, MAIL_SECTION)?;
    Mail::new(&config).map(Some).map_err(|error| format!("[mail]: {error}"))
}

/// Puts a secret into its section. The program's own variable comes first, then the variable that the file
/// names, then the secret in the file itself.
fn take_secret(
    said: &mut Map<String, Value>,
    name: &str,
    names_variable: &str,
    own: Option<String>,
    variable: &impl Fn(&str) -> Option<String>,
) {
    let named = said.remove(names_variable);
    let of_file = || named.as_ref().and_then(Value::as_str).and_then(variable);
    if let Some(secret) = own.or_else(of_file) {
        said.insert(name.to_owned(), json!(secret));
    }
}

fn read_section<T: DeserializeOwned>(said: Map<String, Value>, name: &str) -> Result<T, String> {
    serde_json::from_value(Value::Object(said)).map_err(|error| format!("[{name}]: {error}"))
}

/// Returns a section of the file. Always checks the whole file, so that mistakes anywhere are reported.
fn section(path: &Path, source: &str, name: &str) -> Result<Map<String, Value>, String> {
    let values = read(source).map_err(|error| format!("{}:{error}", path.display()))?;
    Ok(values.get(name).and_then(Value::as_object).cloned().unwrap_or_default())
}

/// Returns the key in the variable that the provider's own tools use.
fn key_of_provider(
    settings: &Map<String, Value>,
    variable: &impl Fn(&str) -> Option<String>,
) -> Option<String> {
    let preset: Preset = serde_json::from_value(settings.get("preset")?.clone()).ok()?;
    variable(preset.key_variable()?)
}

/// Reads the file and checks every name and value. An error begins with the line.
fn read(source: &str) -> Result<Value, String> {
    let broken = |error: toml::de::Error| {
        let at = error.span().map_or(0, |span| span.start);
        // The text of the line stays out of the message, because it may contain a key.
        format!("{}: this is not TOML: {}", line(source, at), error.message())
    };
    let table = DeTable::parse(source).map_err(broken)?;
    let values: Value = toml::from_str(source).map_err(broken)?;
    let mut leaves = Vec::new();
    check_names(source, table.get_ref(), &shape(), &mut Vec::new(), &mut leaves)?;
    for (path, at) in leaves {
        let section = values.get(&path[0]).and_then(Value::as_object).cloned().unwrap_or_default();
        let checked = match path[0].as_str() {
            _ if TEXTS.contains(&path[1].as_str()) => {
                section[&path[1]].as_str().map(drop).ok_or_else(|| "write a text".to_owned())
            }
            AGENT_SECTION => check::<AgentSettings>(alone(&section, &path[1..])),
            ATTEMPT_SECTION => check::<AttemptSettings>(alone(&section, &path[1..])),
            TELEGRAM_SECTION => check::<TelegramConfig>(alone(&section, &path[1..])),
            JUDGE_SECTION => check::<judge::Options>(alone(&section, &path[1..])),
            RETENTION_SECTION => check::<RetentionSettings>(alone(&section, &path[1..])),
            MAIL_SECTION => check::<MailConfig>(alone(&section, &path[1..])),
            _ => {
                let mut settings = alone(&section, &path[1..]);
                if path[1] != "preset" {
                    settings["preset"] = json!(Preset::Llamacpp);
                }
                ModelConfig::from_settings(&settings).map(drop).map_err(|error| error.to_string())
            }
        };
        checked.map_err(|why| format!("{}: `{}`: {why}", line(source, at), path.join(".")))?;
    }
    Ok(values)
}

/// Returns every allowed name, taken from a configuration with all fields.
fn shape() -> Value {
    let mut section = json!(ModelConfig::preset(Preset::Llamacpp));
    section[KEY_VARIABLE] = Value::Null;
    let mut telegram = json!(TelegramConfig::default());
    (telegram[TOKEN_VARIABLE], telegram[WEBHOOK_URL]) = (Value::Null, Value::Null);
    let mut mail = json!(MailConfig::default());
    mail[PASSWORD_VARIABLE] = Value::Null;
    json!({
        SECTION: section,
        AGENT_SECTION: AgentSettings::default(),
        ATTEMPT_SECTION: AttemptSettings::default(),
        TELEGRAM_SECTION: telegram,
        MAIL_SECTION: mail,
        JUDGE_SECTION: judge::Options::default(),
        RETENTION_SECTION: RetentionSettings::default(),
    })
}

/// Finds unknown names. `leaves` receives the place of every value.
fn check_names(
    source: &str,
    table: &DeTable<'_>,
    shape: &Value,
    path: &mut Vec<String>,
    leaves: &mut Vec<(Vec<String>, usize)>,
) -> Result<(), String> {
    for (name, value) in table {
        let at = name.span().start;
        let known = shape.as_object().map(Map::keys).into_iter().flatten().map(String::as_str);
        let Some(inner) = shape.get(name.get_ref().as_ref()) else {
            return Err(unknown(line(source, at), path, name.get_ref(), known.collect()));
        };
        path.push(name.get_ref().to_string());
        match value.get_ref() {
            DeValue::Table(table) if inner.is_object() => check_names(source, table, inner, path, leaves)?,
            _ if path.len() == 1 => {
                return Err(format!("{0}: `{1}` is a section: write [{1}]", line(source, at), path[0]));
            }
            _ => leaves.push((path.clone(), at)),
        }
        path.pop();
    }
    Ok(())
}

fn unknown(line: usize, path: &[String], name: &str, known: Vec<&str>) -> String {
    let place = if path.is_empty() { "the file".to_owned() } else { format!("[{}]", path.join(".")) };
    let cure = match flow::nearest(name, known.iter().copied()) {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!("it may have: {}", known.join(", ")),
    };
    format!("{line}: {place} has no `{name}`; {cure}")
}

/// Returns a copy of a section with only the value at this path.
fn alone(section: &Map<String, Value>, path: &[String]) -> Value {
    let whole = section.get(&path[0]).unwrap_or(&Value::Null);
    let value = path[1..].iter().try_fold(whole, |value, name| value.get(name)).cloned().unwrap_or_default();
    path.iter().rev().fold(value, |inner, name| json!({ name: inner }))
}

fn check<T: DeserializeOwned>(value: Value) -> Result<(), String> {
    serde_json::from_value::<T>(value).map(drop).map_err(|error| error.to_string())
}

fn line(source: &str, at: usize) -> usize {
    source.bytes().take(at).filter(|byte| *byte == b'\n').count() + 1
}

#[cfg(test)]
mod tests {
    use super::*;
    use outside::model::Wire;

    fn flags(preset: Option<&str>, url: Option<&str>, name: Option<&str>) -> ModelFlags {
        let [model_preset, model_url, model] = [preset, url, name].map(|text| text.map(str::to_owned));
        ModelFlags { model_preset, model_url, model }
    }

    fn resolve(
        source: &str,
        flags: &ModelFlags,
        environment: &[(&str, &str)],
    ) -> Result<Option<ModelConfig>, String> {
        let variable = |name: &str| {
            environment.iter().find(|(known, _)| *known == name).map(|(_, value)| (*value).to_owned())
        };
        model(Some((Path::new("config.toml"), source)), flags, variable)
    }

    #[test]
    fn nothing_and_a_key_alone_configure_nothing() {
        let none = flags(None, None, None);
        assert_eq!(resolve("", &none, &[]), Ok(None));
        assert_eq!(resolve("# nothing yet\n[model]\n", &none, &[("OPENAI_API_KEY", "k")]), Ok(None));
    }

    #[test]
    fn flags_come_before_the_file() {
        let file = "[model]\npreset = \"ollama\"\nmodel = \"a\"\nbudget.per_day.calls = 7\n";
        let config = resolve(file, &flags(None, None, Some("b")), &[]).unwrap().unwrap();
        assert_eq!((config.wire, config.model.as_str()), (Wire::Ollama, "b"));
        assert_eq!(config.budget.per_day.calls, Some(7));
        let moved = resolve(file, &flags(Some("llamacpp"), Some("http://h/v1"), None), &[]).unwrap().unwrap();
        assert_eq!((moved.preset, moved.base_url.as_str()), (Preset::Llamacpp, "http://h/v1"));
    }

    /// Checks the key that is used for a file and an environment.
    fn check_key(file: &str, environment: &[(&str, &str)], expected: Option<&str>) {
        let config = resolve(file, &flags(Some("openai"), None, Some("m")), environment).unwrap().unwrap();
        assert_eq!(config.api_key.as_ref().map(|key| key.reveal()), expected, "{file:?} {environment:?}");
    }

    #[test]
    fn a_key_comes_from_the_nearest_place() {
        let (own, provider) = (("ETUDE_MODEL_API_KEY", "own"), ("OPENAI_API_KEY", "provider"));
        check_key("", &[], None);
        check_key("", &[provider], Some("provider"));
        check_key("[model]\napi_key = \"file\"", &[provider], Some("file"));
        check_key("[model]\napi_key = \"file\"\napi_key_env = \"MINE\"", &[("MINE", "mine")], Some("mine"));
        check_key("[model]\napi_key_env = \"MINE\"", &[provider], Some("provider"));
        check_key("[model]\napi_key = \"file\"", &[provider, own], Some("own"));
    }

    /// Checks that a file is refused, with the beginning of the error and a part of it.
    fn check_error(file: &str, first: &str, part: &str) {
        let error = resolve(file, &flags(None, None, None), &[]).expect_err(file);
        assert!(error.starts_with(first) && error.contains(part), "{file:?}: {error}");
        assert!(!error.contains("sk-secret"), "{error}");
    }

    /// Checks whether a file and an environment configure Telegram, a webhook and mail.
    fn check_channels(file: &str, environment: &[(&str, &str)], expected: Result<(bool, bool, bool), &str>) {
        let variable = |name: &str| {
            environment.iter().find(|(known, _)| *known == name).map(|(_, value)| (*value).to_owned())
        };
        let found = channels(Some((Path::new("config.toml"), file)), variable);
        match (found, expected) {
            (Ok((notifier, bot)), Ok(expected)) => {
                let has = |is: fn(&Notifier) -> bool| notifier.as_ref().is_some_and(is);
                let hooked = bot.as_ref().is_some_and(|bot| bot.webhook_url.is_some());
                let found = (has(|n| n.telegram.is_some()), hooked, has(|n| n.mail.is_some()));
                assert_eq!((found, bot.is_some()), (expected, expected.0), "{file:?}");
            }
            (Err(error), Err(part)) => {
                assert!(error.contains(part) && !error.contains("sk-secret"), "{file:?}: {error}");
            }
            (found, expected) => panic!("{file:?}: {found:?}, not {expected:?}"),
        }
    }

    #[test]
    fn channels_are_configured() {
        let token = ("ETUDE_TELEGRAM_TOKEN", "12:abc");
        check_channels("", &[], Ok((false, false, false)));
        check_channels("", &[token], Ok((true, false, false)));
        check_channels(
            "[telegram]\ntoken = \"12:abc\"\nwebhook_url = \"https://h/telegram\"",
            &[],
            Ok((true, true, false)),
        );
        check_channels("[telegram]\ntoken_env = \"MINE\"", &[("MINE", "12:x")], Ok((true, false, false)));
        check_channels("[telegram]\ntoken_env = \"MINE\"", &[], Ok((false, false, false)));
        let mail = "[mail]\nhost = \"m.example\"\nfrom = \"e@m.example\"\nuser = \"e\"\npassword_env = \"P\"";
        check_channels(mail, &[("P", "sk-secret")], Ok((false, false, true)));
        check_channels(mail, &[], Err("password"));
        check_channels(
            "[mail]\nhost = \"m\"\nsecurity = \"none",
            &[],
            Err("config.toml:3: this is not TOML"),
        );
        check_channels("[mail]\nsecurity = \"some\"", &[], Err("config.toml:2: `mail.security`"));
        check_channels("[telegram]\ntokken = \"sk-secret\"", &[], Err("did you mean `token`?"));
        check_channels(
            "[telegram]\nlimits.chat_interval_ms = \"soon\"",
            &[],
            Err("config.toml:2: `telegram.limits"),
        );
        check_channels("[telegram]\ntoken = \"nonsense\"", &[], Err("token"));
    }

    #[test]
    fn a_mistake_is_shown_with_its_line() {
        check_error(
            "[model]\npreset = \"ollama\"\ntimeout = 3",
            "config.toml:3: [model] has no `timeout`",
            "timeout_ms",
        );
        check_error(
            "[modle]\npreset = \"ollama\"",
            "config.toml:1: the file has no `modle`",
            "did you mean `model`?",
        );
        check_error("model = 3", "config.toml:1:", "write [model]");
        check_error(
            "[model.budget.per_day]\ncals = 3",
            "config.toml:2: [model.budget.per_day] has no `cals`",
            "calls",
        );
        check_error("[model]\npreset = \"nowhere\"", "config.toml:2: `model.preset`", "nowhere");
        check_error("\n[model]\ntimeout_ms = \"soon\"", "config.toml:3: `model.timeout_ms`", "soon");
        check_error("[model]\napi_key_env = 3", "config.toml:2: `model.api_key_env`", "text");
        check_error("[model]\napi_key = sk-secret", "config.toml:2: this is not TOML", "");
        check_error("[model\n", "config.toml:1: this is not TOML", "");
    }
}
