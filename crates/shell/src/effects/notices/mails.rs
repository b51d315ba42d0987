//! Turns the coach's words into a mail: adds the course that it is about, and the command to type, because mails
//! cannot be answered.

use super::{Part, words};
use crate::engine::app::App;
use crate::engine::failure::Failure;
use crate::engine::records;
use crate::engine::setting::scope_of;
use crate::learners::command_line::typed;
use coaching::teach::{Header, MAP_KIND, review};
use coaching::turn::Turned;
use coaching::words::Text;
use outside::notify::{Channel, Message};

/// Returns a mail with everything said in a turn; `None` if nothing was said.
pub(super) async fn of_turn(
    app: &App,
    (learner, language): (&str, &str),
    address: &str,
    instance: &str,
    turned: &Turned,
) -> Result<Option<Message>, Failure> {
    let mut parts = super::parts(&turned.said);
    let Some(first) = parts.first_mut() else { return Ok(None) };
    let heading = first.heading.take();
    let (subject, closing) = about(app, (learner, language), instance, turned, &parts).await?;
    let said = parts.iter().map(Part::whole).filter(|text| !text.is_empty());
    let text: Vec<String> = said.chain([closing, exit(app, learner, language)]).collect();
    let mail = Message::send(Channel::Email, address, text.join("\n\n"));
    Ok(Some(Message { heading, subject: Some(subject), ..mail }))
}

/// Returns the sentence that says how to stop these mails.
pub(super) fn exit(app: &App, learner: &str, language: &str) -> String {
    let command = typed(&["learner", "set", "preferred_channel", "inbox"], learner);
    app.words.say(language, &words::mail_exit(command))
}

/// Returns the subject, and the sentence that says what to do now.
async fn about(
    app: &App,
    (learner, language): (&str, &str),
    instance: &str,
    turned: &Turned,
    parts: &[Part],
) -> Result<(String, String), Failure> {
    let course = scope_of(instance);
    let header: Option<Header> = records::read(&app.store, learner, MAP_KIND, course).await?;
    let title = header.as_ref().map_or_else(words::mail_your_course, |header| Text::from(&header.title));
    let name = header.as_ref().map_or_else(|| course.to_owned(), Header::name);
    let asks = parts.iter().any(|part| part.question.is_some());
    let is_review = instance != course;
    let review = typed(&["teach", "review", &name], learner);
    let (subject, closing) = match (is_review, turned.outcome.as_deref()) {
        (true, _) if asks => {
            (words::mail_recall_subject(title.clone()), words::mail_recall(title, left(turned), review))
        }
        (true, _) => (words::mail_reviews_subject(title), words::mail_reviews(review)),
        (false, Some("timeout")) => {
            let resume = typed(&["teach", "resume", course], learner);
            (words::mail_aside_subject(title), words::mail_aside(resume))
        }
        (false, _) => {
            let go_on = typed(&["teach", &name], learner);
            (words::mail_goes_on_subject(title), words::mail_goes_on(go_on))
        }
    };
    Ok((app.words.say(language, &subject), app.words.say(language, &closing)))
}

/// Returns the number of concepts that a sitting still asks for.
fn left(turned: &Turned) -> usize {
    serde_json::from_str::<review::Data>(&turned.data).map_or(0, |data| data.due.len())
}
