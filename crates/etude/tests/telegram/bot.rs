//! The Bot API as a process, and people who write to the bot.

use crate::common::{Client, Folder, built_example, eventually};
use outside::model::Secret;
use outside::notify::{Notifier, Telegram, TelegramConfig};
use serde_json::{Value, json};
use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::LazyLock;

/// A server of the Bot API, killed at the end of its test.
#[derive(Debug)]
pub struct BotApi {
    child: Child,
    control: Client,
    url: String,
    token: String,
}

impl BotApi {
    pub fn start() -> BotApi {
        let mut child = Command::new(PROGRAM.as_path())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the Bot API starts");
        let mut lines = BufReader::new(child.stdout.take().expect("it is piped")).lines();
        let mut after = |mark: &str| {
            let line = lines.next().expect("it says where it is").expect("text");
            line.strip_prefix(mark).unwrap_or_else(|| panic!("{line}")).to_owned()
        };
        let (url, token) = (after("listening on "), after("token "));
        let control = Client::new(url.trim_start_matches("http://"), None);
        BotApi { child, control, url, token }
    }

    /// Writes settings for a server of Etude that uses this bot, with no one-second wait between two messages.
    pub fn configure(&self, folder: &Folder, more: &str) {
        std::fs::create_dir_all(folder.data()).expect("a data folder");
        let (url, token) = (&self.url, &self.token);
        let settings = format!(
            "[telegram]\ntoken = \"{token}\"\nbase_url = \"{url}\"\nlimits.chat_interval_ms = 5\n{more}\n"
        );
        std::fs::write(folder.data().join("config.toml"), settings).expect("settings");
    }

    /// A notifier that sends through this bot, without a server of Etude.
    pub fn notifier(&self) -> Notifier {
        let config = TelegramConfig {
            token: Secret::new(&self.token),
            base_url: self.url.clone(),
            ..TelegramConfig::default()
        };
        Notifier { telegram: Some(Telegram::new(&config).expect("a bot")), mail: None }
    }

    pub fn control(&self, command: Value) -> Value {
        let reply = self.control.post("/__control", &command);
        assert_eq!(reply.status, 200, "{command}: {reply:?}");
        reply.json()
    }

    /// Sends a person's message and returns its number.
    pub fn say(&self, chat_id: i64, text: &str) -> i64 {
        let said = self.control(json!({"do": "say", "chat_id": chat_id, "text": text}));
        said["message_id"].as_i64().expect("a number")
    }

    /// Sends a person's reply to a message of the bot.
    pub fn reply(&self, chat_id: i64, to: i64, text: &str) {
        self.control(json!({"do": "say", "chat_id": chat_id, "text": text, "reply_to": to}));
    }

    /// Returns the number of the bot's last message that fits.
    pub fn last(&self, chat_id: i64, fits: impl Fn(&str) -> bool) -> i64 {
        let report = self.report();
        let mut sent = report["sent"].as_array().expect("a list").iter().rev();
        let is_it = |message: &&Value| {
            message["chat"]["id"] == chat_id && fits(message["text"].as_str().unwrap_or_default())
        };
        sent.find(is_it).and_then(|message| message["message_id"].as_i64()).expect("such a message")
    }

    /// Makes the next calls of a method fail without being performed.
    pub fn accident(&self, method: &str, times: u32, accident: Value) {
        self.control(json!({"do": "accident", "method": method, "times": times, "accident": accident}));
    }

    pub fn report(&self) -> Value {
        self.control.get("/__control").json()
    }

    /// Returns the bot's messages in a chat, in order.
    pub fn said(&self, chat_id: i64) -> Vec<String> {
        let report = self.report();
        let sent = report["sent"].as_array().expect("a list").iter();
        let here = sent.filter(|message| message["chat"]["id"] == chat_id);
        here.map(|message| message["text"].as_str().unwrap_or_default().to_owned()).collect()
    }

    /// Waits for a fitting message of the bot after the first `after` messages, and returns all of its messages so
    /// far.
    pub fn hear(&self, chat_id: i64, after: usize, what: &str, fits: impl Fn(&str) -> bool) -> Vec<String> {
        eventually(what, || {
            let said = self.said(chat_id);
            said.iter().skip(after).any(|text| fits(text)).then_some(said)
        })
    }
}

impl Drop for BotApi {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

static PROGRAM: LazyLock<PathBuf> = LazyLock::new(|| built_example("bot_api"));

/// Links a chat to a learner, and returns the words that linked it.
pub fn link(folder: &Folder, bot: &BotApi, learner: &str, chat_id: i64) -> String {
    let printed = folder.run(&["learner", "link", learner]).stdout;
    let start =
        printed.lines().find(|line| line.starts_with("/start ")).unwrap_or_else(|| panic!("{printed}"));
    let before = bot.said(chat_id).len();
    bot.say(chat_id, start);
    bot.hear(chat_id, before, "the chat is linked", |text| text.contains("chat is linked"));
    start.to_owned()
}
