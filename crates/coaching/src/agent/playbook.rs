//! Holds everything about the coach that a user can replace with a file: skills, phrases, templates and the model's
//! prompt.

use super::phrases::Phrases;
use super::reply::CLASSIFIER_PROMPT;
use super::skills::{Skill, shipped_skills};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::sync::LazyLock;

const MAX_TEMPLATE_CHARS: usize = 600;
pub const MAX_PLAYBOOK_FILE_BYTES: usize = 256 << 10;

#[derive(Debug, Clone)]
pub struct Playbook {
    pub skills: Vec<Skill>,
    pub phrases: Phrases,
    pub templates: Templates,
    /// The instructions for a model that judges.
    pub prompt: String,
}

impl Playbook {
    pub fn shipped() -> Playbook {
        Playbook {
            skills: shipped_skills(),
            phrases: Phrases::shipped(),
            templates: Templates::shipped(),
            prompt: CLASSIFIER_PROMPT.to_owned(),
        }
    }
}

/// The language that has every template.
const FIRST_LANGUAGE: &str = "en";

/// The texts for the agent, by language and name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Templates(BTreeMap<String, BTreeMap<String, String>>);

/// An entry of a user's file: a language with its templates, as in the shipped file, or one template for every
/// language.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
enum Given {
    Text(String),
    Language(BTreeMap<String, String>),
}

static SHIPPED: LazyLock<Templates> = LazyLock::new(|| {
    Templates(
        serde_saphyr::from_str(include_str!("templates.yaml"))
            .expect("the shipped templates are read in every test"),
    )
});

impl Templates {
    pub fn shipped() -> Templates {
        SHIPPED.clone()
    }

    /// Returns the shipped templates, replaced by those of a user's file where it has any. Refuses an unknown name
    /// or brace, which is a typing error.
    pub fn read(source: &str) -> Result<Templates, String> {
        if source.len() > MAX_PLAYBOOK_FILE_BYTES {
            return Err(format!("the file has more than {MAX_PLAYBOOK_FILE_BYTES} bytes"));
        }
        let own: BTreeMap<String, Given> = serde_saphyr::from_str(source)
            .map_err(|error| error.to_string().lines().next().unwrap_or_default().to_owned())?;
        let mut templates = Templates::shipped();
        // A text for one language counts for more than a text for all of them.
        let (of_all, of_one): (Vec<_>, Vec<_>) =
            own.into_iter().partition(|(_, given)| matches!(given, Given::Text(_)));
        for (name, given) in of_all.into_iter().chain(of_one) {
            match given {
                Given::Text(text) => {
                    let languages: Vec<String> = templates.0.keys().cloned().collect();
                    languages.iter().try_for_each(|language| templates.set(language, &name, &text))?;
                }
                Given::Language(texts) => {
                    texts.iter().try_for_each(|(template, text)| templates.set(&name, template, text))?;
                }
            }
        }
        Ok(templates)
    }

    fn set(&mut self, language: &str, name: &str, text: &str) -> Result<(), String> {
        let known = &self.0[FIRST_LANGUAGE];
        let Some(shipped) = known.get(name) else {
            let known = known.keys().map(String::as_str).collect::<Vec<_>>().join(", ");
            return Err(format!("there is no template {name}; there are {known}"));
        };
        if let Some(brace) = braces(text).find(|brace| !braces(shipped).any(|known| known == *brace)) {
            return Err(format!("the template {name} has no {{{brace}}}"));
        }
        if text.chars().count() > MAX_TEMPLATE_CHARS {
            return Err(format!("the template {name} has more than {MAX_TEMPLATE_CHARS} characters"));
        }
        self.0.entry(language.to_owned()).or_default().insert(name.to_owned(), text.to_owned());
        Ok(())
    }

    /// Returns the templates of a language, with English ones for those it lacks.
    pub(super) fn of(&self, language: Option<&str>) -> Sayings<'_> {
        let first = &self.0[FIRST_LANGUAGE];
        Sayings { own: language.and_then(|language| self.0.get(language)).unwrap_or(first), first }
    }
}

/// The templates of one language.
#[derive(Debug, Clone, Copy)]
pub(super) struct Sayings<'t> {
    own: &'t BTreeMap<String, String>,
    first: &'t BTreeMap<String, String>,
}

impl Sayings<'_> {
    /// Fills in a template. Braces inside the values stay as they are.
    pub(super) fn fill(&self, name: &str, values: &[(&str, &str)]) -> String {
        let Some(template) = self.own.get(name).or_else(|| self.first.get(name)) else {
            return String::new();
        };
        let mut filled = String::new();
        let mut rest = template.as_str();
        while let Some((before, after)) = rest.split_once('{') {
            filled.push_str(before);
            let Some((brace, after)) = after.split_once('}') else {
                return filled + "{" + after;
            };
            filled.push_str(values.iter().find(|(known, _)| *known == brace).map_or("", |(_, value)| value));
            rest = after;
        }
        filled + rest
    }
}

fn braces(text: &str) -> impl Iterator<Item = &str> {
    text.split('{').skip(1).filter_map(|part| Some(part.split_once('}')?.0))
}
