//! A test of the whole way with a real, very small model: from HTTP through the turn loop and the wire and back.
//! Replies of such a model are rarely fit to be said, so only the way is judged.

use crate::common::text;
use crate::model::place::{Drill, KEY, settings};
use crate::peers::{Serving, found, script};
use serde_json::json;

const TURNS: usize = 2;

#[test]
fn a_real_model_takes_part() {
    let Some(model) = found(Serving::start(script("small-model").arg(KEY))) else { return };
    let port = model.line.trim().rsplit_once(':').and_then(|(_, port)| port.parse().ok()).expect("a port");
    let folder = crate::common::Folder::new();
    let content = settings(port, "temperature = 0.0\ntimeout_ms = 60000").replace("\"tiny\"", "\"smollm2\"");
    let path = folder.write("config.toml", content);
    let server = folder.serve(&["--config", &path]);
    let drill = Drill::open(&server.client, json!({}));
    drill.start();
    for turn in 0..TURNS {
        let prompt = drill.last_prompt();
        // A model that was too slow once is not asked again.
        let sources: &[&str] = if turn == 0 { &["model", "rules"] } else { &["model", "rules", "system"] };
        assert!(sources.contains(&text(&prompt, "/source")), "{prompt}");
        assert!(turn > 0 || prompt.pointer("/payload/model").is_some(), "{prompt}");
        let answer = drill.say("Hallo");
        assert!(
            ["WAIT_STUDENT", "WAIT_RECALL", "SESSION_DONE"].contains(&text(&answer, "/state")),
            "{answer}"
        );
    }
    let metrics = server.client.get("/metrics").body;
    let outcome = |name: &str| metrics.contains(&format!("etude_model_calls_total{{outcome=\"{name}\"}}"));
    assert!(["answered", "timed_out", "bad_reply"].into_iter().any(outcome), "{metrics}");
    for broken in ["unreachable", "unauthorized", "misconfigured", "too_long"] {
        assert!(!outcome(broken), "{metrics}");
    }
    assert!(!server.log().contains(KEY));
}
