//! Serves Etude as a Wyoming handler: one utterance in, one answer out, each in a separate run.

use crate::engine::app::App;
use crate::engine::failure::Failure;
use crate::engine::turn::{self, Opening, Request};
use crate::engine::view::View;
use ::voice::Trouble;
use ::voice::wyoming::Service;
use coaching::turn::{Flow, Source};
use coaching::voice::{VoiceLoop, VoiceMore, words};
use coaching::words::Text;
use serde_json::{Value, json};
use std::sync::Arc;
use tokio::runtime::Handle;

/// The coach of one learner.
#[derive(Debug)]
pub struct Coach {
    pub app: Arc<App>,
    pub learner: String,
    pub language: String,
    pub handle: Handle,
}

impl Service for Coach {
    fn info(&self) -> Value {
        let about = json!({"name": "Etude", "url": ""});
        let languages: Vec<&str> = coaching::voice::intent::languages().collect();
        let model = json!({
            "name": "etude", "languages": languages, "attribution": about, "installed": true,
            "description": "Answers what a coach can answer", "version": env!("CARGO_PKG_VERSION"),
        });
        let program = json!({
            "name": "etude", "attribution": about, "installed": true, "description": "A coach",
            "version": env!("CARGO_PKG_VERSION"), "models": [model], "supports_handled_streaming": false,
            "supports_home_control": false,
        });
        json!({"asr": [], "tts": [], "handle": [program], "intent": [], "wake": [], "mic": [], "snd": []})
    }

    fn handle(&self, text: &str, language: Option<&str>) -> Result<String, Trouble> {
        let answered = self.handle.block_on(self.answer(text, language.unwrap_or(&self.language)));
        answered.map_err(|failure| Trouble::new(failure.to_string(), failure.cure()))
    }
}

impl Coach {
    async fn answer(&self, text: &str, language: &str) -> Result<String, Failure> {
        let app = &*self.app;
        let opening = Opening {
            flow: VoiceLoop::FACE.name.to_owned(),
            learner: self.learner.clone(),
            opening: json!({"language": language}),
            ..Opening::default()
        };
        let id = turn::open(app, opening).await?.view.id;
        let said = Request { payload: json!({"text": text}), ..Request::new(&id, "said", Source::User) };
        let answer = turn::take(app, said).await?;
        let spoken = app.words.choose([language]).to_owned();
        let lines: Vec<String> = match elsewhere(&answer.view) {
            Some(instead) => vec![app.words.say(&spoken, &instead)],
            None => answer.said.iter().map(|line| app.words.say(&spoken, &line.say)).collect(),
        };
        if answer.view.outcome.is_none() {
            turn::take(app, Request::new(&id, "leave", Source::System)).await?;
        }
        Ok(lines.join(" "))
    }
}

/// Returns the sentence that replaces an answer with a follow-up, a drill: one utterance cannot have one.
fn elsewhere(view: &View) -> Option<Text> {
    view.more::<VoiceMore>().next.map(|_| words::elsewhere())
}
