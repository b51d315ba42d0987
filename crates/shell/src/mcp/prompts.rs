//! Offers prompts: how an assistant leads a course, a review or the making of a plan with these tools.

use super::tool::Caller;
use crate::engine::failure::Failure;
use crate::engine::look::look;
use coaching::curriculum::MIN_NODES;
use coaching::map::{MAX_PLANNED_DEPTH, MAX_PLANNED_NODES};
use coaching::teach::{COURSE, looks};
use flow::{Constant, Overrides};
use rmcp::ErrorData;
use rmcp::model::{GetPromptResult, JsonObject, Prompt, PromptArgument, PromptMessage, Role};
use serde_json::Value;

/// The most characters of an argument.
const MAX_ARGUMENT_CHARS: usize = 2_000;

pub fn list() -> Vec<Prompt> {
    let course = || {
        PromptArgument::new("mind_map_id")
            .with_description("The course; without it, one is chosen or started")
    };
    vec![
        prompt(
            "tutor",
            "Lead a course",
            "How to lead a course with these tools, and where it stands",
            vec![course()],
        ),
        prompt(
            "review",
            "Review what was learned",
            "How to let the learner recall what is due",
            vec![course()],
        ),
        prompt(
            "plan",
            "Plan a course",
            "How to lay out a map of concepts for a topic",
            vec![
                PromptArgument::new("topic").with_description("What to learn").with_required(true),
                PromptArgument::new("goal").with_description("What the learner wants to be able to do"),
            ],
        ),
    ]
}

fn prompt(name: &str, title: &str, about: &str, arguments: Vec<PromptArgument>) -> Prompt {
    Prompt::new(name, Some(about), Some(arguments)).with_title(title)
}

pub async fn get(caller: &Caller, name: &str, given: &JsonObject) -> Result<GetPromptResult, ErrorData> {
    let text = match name {
        "tutor" => {
            let text = bounded(caller, include_str!("prompts/tutor.md"));
            text.replace("{context}", &context(caller, given).await?)
        }
        "review" => include_str!("prompts/review.md").replace("{context}", &context(caller, given).await?),
        "plan" => {
            let topic =
                argument(given, "topic")?.ok_or_else(|| invalid("the prompt `plan` needs a topic"))?;
            let goal = argument(given, "goal")?.unwrap_or_else(|| "not said yet".to_owned());
            // The goal comes first, so that a `{goal}` inside the learner's topic stays as it is.
            let text = bounded(caller, include_str!("prompts/plan.md"));
            text.replace("{goal}", &goal).replacen("{topic}", &topic, 1)
        }
        _ => return Err(invalid("there is no such prompt; `prompts/list` shows those there are")),
    };
    Ok(GetPromptResult::new(vec![PromptMessage::new_text(Role::User, text)]))
}

/// Fills in the numbers of the law of courses, and those of a planned map.
fn bounded(caller: &Caller, text: &str) -> String {
    let law = caller.app.flows.get(COURSE).and_then(|entry| entry.bind(&Overrides::new()).ok());
    let constants = law.iter().flat_map(|law| law.constants());
    let of_law = constants.filter_map(|(name, constant)| match constant {
        Constant::Number(number) => Some((name.as_str(), number.to_string())),
        Constant::Duration(_) | Constant::Text(_) => None,
    });
    let of_plan = [
        ("min_concepts", MIN_NODES.to_string()),
        ("max_concepts", MAX_PLANNED_NODES.to_string()),
        ("max_depth", MAX_PLANNED_DEPTH.to_string()),
    ];
    of_law
        .chain(of_plan)
        .fold(text.to_owned(), |text, (name, number)| text.replace(&format!("{{{name}}}"), &number))
}

/// Describes where the course stands, if one was named.
async fn context(caller: &Caller, given: &JsonObject) -> Result<String, ErrorData> {
    let Some(id) = argument(given, "mind_map_id")? else {
        return Ok("No course was named: call `teaching_flow_list` and ask the learner.".to_owned());
    };
    let context = look(&caller.app, caller.access.usual(), |shelf| looks::context(shelf, &id))
        .await
        .map_err(|failure| match failure {
            Failure::UnknownInstance { .. } => {
                invalid("there is no such course; `teaching_flow_list` shows those there are")
            }
            failure => ErrorData::internal_error(failure.to_string(), None),
        })?;
    Ok(context.text())
}

fn argument(given: &JsonObject, name: &str) -> Result<Option<String>, ErrorData> {
    match given.get(name) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(text)) if text.trim().is_empty() => Ok(None),
        Some(Value::String(text)) if text.chars().count() <= MAX_ARGUMENT_CHARS => Ok(Some(text.clone())),
        Some(_) => Err(invalid("an argument of a prompt is a text of at most 2000 characters")),
    }
}

fn invalid(message: &'static str) -> ErrorData {
    ErrorData::invalid_params(message, None)
}
