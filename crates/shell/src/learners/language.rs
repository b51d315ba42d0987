//! Chooses the language in which Etude speaks to a learner: the one they chose, or else the flow's preference, or
//! else the wish of the channel.

use crate::engine::app::App;
use crate::engine::failure::Failure;
use crate::engine::view::Answer;
use crate::learners::profiles;
use coaching::words::Text;

/// Translates everything that an answer says into the learner's language. `wish` is the channel's suggestion, such
/// as a header `Accept-Language` or a locale.
pub async fn translate(app: &App, answer: &mut Answer, wish: Option<&str>) -> Result<(), Failure> {
    if has_sentence(answer) || answer.view.desk.is_some() {
        let language = of(app, &answer.view.learner, own_language(answer), wish).await?;
        app.words.translate(&language, answer);
        app.words.translate_json(&language, &mut answer.view.data);
    }
    Ok(())
}

/// Translates a failure into the learner's language.
pub async fn told(app: &App, failure: Failure, learner: &str, wish: Option<&str>) -> Failure {
    let Failure::Rejected(mut rejected) = failure else { return failure };
    if let Ok(language) = of(app, learner, None, wish).await {
        app.words.translate(&language, &mut rejected);
    }
    Failure::Rejected(rejected)
}

pub async fn of(app: &App, learner: &str, own: Option<&str>, wish: Option<&str>) -> Result<String, Failure> {
    let chosen = match profiles::read(&app.store, learner).await {
        Ok(profile) => profile.language,
        Err(Failure::Store(error)) => return Err(error.into()),
        // A learner whose profile cannot be read still gets an answer.
        Err(_) => None,
    };
    let wishes = [chosen.as_deref(), own].into_iter().flatten().chain(wish.into_iter().flat_map(wishes));
    Ok(app.words.choose(wishes).to_owned())
}

/// Splits a header such as `de-AT,de;q=0.9,en;q=0.8` into its languages, in its order.
fn wishes(header: &str) -> impl Iterator<Item = &str> {
    header.split(',').filter_map(|part| part.split(';').next()).map(str::trim)
}

fn own_language(answer: &Answer) -> Option<&str> {
    answer.view.desk.as_ref()?.language.as_deref()
}

fn has_sentence(answer: &Answer) -> bool {
    answer.said.iter().any(|line| matches!(line.say, Text::Sentence(_)))
}
