//! What a mail says beside what the coach says: which course it is about, and what to type, because nobody can answer it.

use super::Part;
use crate::engine::app::App;
use crate::engine::failure::Failure;
use crate::engine::records;
use crate::engine::setting::scope_of;
use crate::learners::command_line::{name_of, typed};
use coaching::teach::{Header, MAP_KIND, review};
use coaching::turn::Turned;
use outside::notify::{Channel, Message};

/// A mail with everything that was said in a turn; `None` when nothing was.
pub(super) async fn of_turn(
    app: &App,
    learner: &str,
    address: &str,
    instance: &str,
    turned: &Turned,
) -> Result<Option<Message>, Failure> {
    let mut parts = super::parts(&turned.said);
    let Some(first) = parts.first_mut() else { return Ok(None) };
    let heading = first.heading.take();
    let (subject, closing) = about(app, learner, instance, turned, &parts).await?;
    let said = parts.iter().map(Part::whole).filter(|text| !text.is_empty());
    let text: Vec<String> = said.chain([closing, exit(learner)]).collect();
    let mail = Message::send(Channel::Email, address, text.join("\n\n"));
    Ok(Some(Message { heading, subject: Some(subject), ..mail }))
}

/// How to get no more of them.
pub(super) fn exit(learner: &str) -> String {
    let command = typed(&["learner", "set", "preferred_channel", "inbox"], learner);
    format!("No more mails like this one: `{command}` keeps them in Etude.")
}

/// The subject, and what to do now.
async fn about(
    app: &App,
    learner: &str,
    instance: &str,
    turned: &Turned,
    parts: &[Part],
) -> Result<(String, String), Failure> {
    let course = scope_of(instance);
    let header: Option<Header> = records::read(&app.store, learner, MAP_KIND, course).await?;
    let title = header.as_ref().map_or("your course", |header| header.title.as_str());
    let name = header.as_ref().map_or_else(|| course.to_owned(), name_of);
    let asks = parts.iter().any(|part| part.question.is_some());
    let is_review = instance != course;
    let review = typed(&["teach", "review", &name], learner);
    Ok(match (is_review, turned.outcome.as_deref()) {
        (true, _) if asks => {
            let count = concepts(left(turned));
            (
                format!("Time to recall: {title}"),
                format!("To recall of “{title}”: {count}. `{review}` asks for them."),
            )
        }
        (true, _) => (format!("Reviews of {title}"), format!("`{review}` asks for what is due.")),
        (false, Some("timeout")) => {
            let resume = typed(&["teach", "resume", course], learner);
            (format!("{title} was put aside"), format!("To take it up again: `{resume}`."))
        }
        (false, _) => {
            let go_on = typed(&["teach", &name], learner);
            (format!("{title} goes on"), format!("To go on: `{go_on}`."))
        }
    })
}

/// How many concepts a sitting still asks for.
fn left(turned: &Turned) -> usize {
    serde_json::from_str::<review::Data>(&turned.data).map_or(0, |data| data.due.len())
}

fn concepts(count: usize) -> String {
    if count == 1 { "one concept".to_owned() } else { format!("{count} concepts") }
}
