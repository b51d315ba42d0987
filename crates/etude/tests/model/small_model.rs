//! The whole way once with a real, very small model: from HTTP through the turn loop and the wire and back. What
//! such a model says is hardly ever fit to be said, so only the way is judged. Skipped, and saying so, where the
//! model cannot be installed.

use crate::common::text;
use crate::model::place::{Drill, KEY, settings};
use serde_json::json;
use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};

/// `EX_UNAVAILABLE` of the script.
const UNAVAILABLE: i32 = 69;
const TURNS: usize = 2;

/// The process ends when its standard input closes, that is, with this value.
struct SmallModel {
    port: u16,
    _process: Child,
}

#[test]
fn a_real_model_takes_part() {
    let Some(model) = start() else {
        eprintln!("SKIPPED: the small model is not available here: it could not be installed");
        return;
    };
    let folder = crate::common::Folder::new();
    let content =
        settings(model.port, "temperature = 0.0\ntimeout_ms = 60000").replace("\"tiny\"", "\"smollm2\"");
    let path = folder.write("config.toml", content);
    let server = folder.serve(&["--config", &path]);
    let drill = Drill::open(&server.client, json!({}));
    drill.start();
    for _ in 0..TURNS {
        let prompt = drill.last_prompt();
        assert!(["model", "rules"].contains(&text(&prompt, "/source")), "{prompt}");
        assert!(prompt.pointer("/payload/model").is_some(), "{prompt}");
        let (answer, _) = drill.say("Hallo");
        assert!(["WAIT_STUDENT", "SESSION_DONE"].contains(&text(&answer, "/state")), "{answer}");
    }
    let metrics = server.client.get("/metrics").body;
    let outcome = |name: &str| metrics.contains(&format!("etude_model_calls_total{{outcome=\"{name}\"}}"));
    assert!(["answered", "timed_out", "bad_reply"].into_iter().any(outcome), "{metrics}");
    for broken in ["unreachable", "unauthorized", "misconfigured", "too_long"] {
        assert!(!outcome(broken), "{metrics}");
    }
    assert!(!server.log().contains(KEY));
}

fn start() -> Option<SmallModel> {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/../../scripts/small-model");
    let mut command = Command::new(script);
    let spawned = command.arg(KEY).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn();
    let mut process = spawned.unwrap_or_else(|error| panic!("{script} cannot be started: {error}"));
    let mut line = String::new();
    let stdout = process.stdout.take().expect("it is piped");
    BufReader::new(stdout).read_line(&mut line).expect("the script writes text");
    match line.trim().rsplit_once(':').and_then(|(_, port)| port.parse().ok()) {
        Some(port) => Some(SmallModel { port, _process: process }),
        None => {
            let status = process.wait().expect("the script ends");
            assert_eq!(
                status.code(),
                Some(UNAVAILABLE),
                "the small model broke instead of being unavailable"
            );
            None
        }
    }
}
