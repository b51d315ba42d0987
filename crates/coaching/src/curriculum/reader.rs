//! From the tree of a file to a curriculum, noting every problem on the way.
//!
//! The reader grades what the author wrote: a model answer that does not earn full marks, or says one of the
//! misconceptions, would teach a learner to distrust the coach.

use std::collections::HashMap;

use super::bounds::{self, LINE_CHARS, PAGE_CHARS, PROSE_CHARS, WORD_CHARS};
use super::graph::{self, Wanted};
use super::shape::{Fields, Shapes};
use super::{Choice, Cloze, Concept, Curriculum, Form, Free, Idea, Misconception, Offer, Order, Question};
use crate::grade::{MAX_WORDING_SLOTS, Wording, ideas_in, misconceptions_in};
use crate::pack::node::{self, At, Node};
use crate::pack::{PackProblem, ProblemCode, rules};

/// The curriculum, if the file has the shape of one, and every problem in the order of the file.
pub(super) fn read(source: &[u8], file_name: &str) -> (Option<Curriculum>, Vec<PackProblem>) {
    let mut reader = Reader::default();
    let curriculum = reader.document(source).and_then(|root| reader.curriculum(&root, file_name));
    reader.shapes.problems.sort_by_key(|problem| (problem.line, problem.column));
    (curriculum, reader.shapes.problems)
}

/// One concept by itself, whose needs are names that somebody else knows.
pub(super) fn read_concept(node: &At<Node>) -> (Option<Concept>, Vec<PackProblem>) {
    let mut reader = Reader::default();
    let concept = reader.concept(node);
    (concept, reader.shapes.problems)
}

#[derive(Default)]
struct Reader {
    shapes: Shapes,
    /// The ids met so far and the line of each.
    ids: HashMap<String, u64>,
    /// Needs and related concepts wait for the end: one may be explained later.
    wanted: Vec<Wanted>,
}

const CURRICULUM_KEYS: &[&str] = &["curriculum", "title", "language", "about", "also", "concepts"];
const CONCEPT_KEYS: &[&str] =
    &["id", "title", "also", "needs", "related", "minutes", "explain", "example", "again", "questions"];
const FREE_KEYS: &[&str] = &["form", "ask", "ideas", "misconceptions", "answer"];
const IDEA_KEYS: &[&str] = &["idea", "any"];
const MISCONCEPTION_KEYS: &[&str] = &["any", "says"];
const CHOICE_KEYS: &[&str] = &["form", "ask", "options"];
const OPTION_KEYS: &[&str] = &["text", "right", "says"];
const CLOZE_KEYS: &[&str] = &["form", "ask", "text", "blanks"];
const ORDER_KEYS: &[&str] = &["form", "ask", "steps"];

impl Reader {
    fn document(&mut self, source: &[u8]) -> Option<At<Node>> {
        let top = At { value: (), line: 0, column: 0 };
        if source.len() > bounds::FILE_BYTES {
            let message = format!("the file has {} bytes, more than {}", source.len(), bounds::FILE_BYTES);
            self.shapes.note(ProblemCode::TooLarge, top, message, "split it into several curricula");
            return None;
        }
        let Ok(source) = std::str::from_utf8(source) else {
            self.shapes.note(ProblemCode::NotUtf8, top, "the file is not UTF-8 text", "save it as UTF-8");
            return None;
        };
        match node::parse(source) {
            Ok(root) => Some(root),
            Err(error) => {
                let place = error.place();
                self.shapes.note(ProblemCode::NotYaml, place, error.value, "correct the YAML at this place");
                None
            }
        }
    }

    fn curriculum(&mut self, root: &At<Node>, file_name: &str) -> Option<Curriculum> {
        let fields = self.shapes.fields(root, "a curriculum", CURRICULUM_KEYS)?;
        let id = self.shapes.text(&fields, "curriculum", WORD_CHARS);
        self.check_id(&id);
        self.check_file_name(&id, file_name);
        let title = self.shapes.text(&fields, "title", LINE_CHARS).value;
        let language = self.language(&fields);
        let about = self.shapes.text(&fields, "about", PROSE_CHARS).value;
        let also = values(self.shapes.texts(&fields, "also", bounds::NAMES, LINE_CHARS));
        let nodes = self.shapes.list(&fields, "concepts", bounds::CONCEPTS);
        let concepts: Vec<Concept> = nodes.iter().filter_map(|node| self.concept(node)).collect();
        graph::check(&mut self.shapes, &concepts, &self.wanted);
        Some(Curriculum { id: id.value, title, language, about, also, concepts })
    }

    fn concept(&mut self, node: &At<Node>) -> Option<Concept> {
        let fields = self.shapes.fields(node, "a concept", CONCEPT_KEYS)?;
        let id = self.shapes.text(&fields, "id", WORD_CHARS);
        self.check_concept_id(&id);
        let title = self.shapes.text(&fields, "title", LINE_CHARS).value;
        let also = values(self.shapes.texts(&fields, "also", bounds::NAMES, LINE_CHARS));
        let needs = self.wanted(&fields, "needs", &id.value);
        let related = self.wanted(&fields, "related", &id.value);
        let minutes = self.shapes.whole(&fields, "minutes", bounds::MINUTES) as u32;
        let explain = self.shapes.text(&fields, "explain", PAGE_CHARS).value;
        let example = self.shapes.text(&fields, "example", PAGE_CHARS).value;
        let again = self.shapes.optional_text(&fields, "again", PROSE_CHARS);
        let nodes = self.shapes.list(&fields, "questions", bounds::QUESTIONS);
        let questions: Vec<Question> = nodes.iter().filter_map(|node| self.question(node)).collect();
        // What could not be read is not blamed a second time.
        if questions.len() == nodes.len() {
            self.check_variety(&fields, &id.value, &questions);
        }
        Some(Concept {
            id: id.value,
            title,
            also,
            needs,
            related,
            minutes,
            explain,
            example,
            again,
            questions,
        })
    }

    fn wanted(&mut self, fields: &Fields, key: &'static str, concept: &str) -> Vec<String> {
        let ids = self.shapes.texts(fields, key, bounds::NEEDS, WORD_CHARS);
        let wanted = |id: &At<String>| Wanted { concept: concept.to_owned(), id: id.clone(), by: key };
        self.wanted.extend(ids.iter().map(wanted));
        values(ids)
    }

    fn question(&mut self, node: &At<Node>) -> Option<Question> {
        let Node::Map(entries) = &node.value else {
            self.shapes.fields(node, "a question", FREE_KEYS);
            return None;
        };
        let form = entries.iter().find(|(key, _)| key.value == "form").map(|(_, node)| node);
        match form.map(|node| &node.value) {
            Some(Node::Text(form)) if form == "free" => self.free(node).map(Question::Free),
            Some(Node::Text(form)) if form == "choice" => self.choice(node).map(Question::Choice),
            Some(Node::Text(form)) if form == "cloze" => self.cloze(node).map(Question::Cloze),
            Some(Node::Text(form)) if form == "order" => self.order(node).map(Question::Order),
            _ => {
                let message = match form {
                    Some(At { value: Node::Text(form), .. }) => format!("there is no form “{form}”"),
                    Some(_) => "“form” must be text".to_owned(),
                    None => "a question has no “form”".to_owned(),
                };
                let place = form.unwrap_or(node).place();
                self.shapes.note(
                    ProblemCode::UnknownForm,
                    place,
                    message,
                    "write form: free, choice, cloze or order",
                );
                None
            }
        }
    }
}

/// The four forms.
impl Reader {
    fn free(&mut self, node: &At<Node>) -> Option<Free> {
        let fields = self.shapes.fields(node, "a free question", FREE_KEYS)?;
        let ask = self.shapes.text(&fields, "ask", PROSE_CHARS).value;
        let ideas = self.ideas(&fields);
        let misconceptions = self.misconceptions(&fields);
        let answer = self.shapes.text(&fields, "answer", PROSE_CHARS);
        let (idea_places, ideas): (Vec<At<()>>, Vec<Idea>) = ideas.into_iter().unzip();
        let (wrong_places, misconceptions): (Vec<At<()>>, Vec<Misconception>) =
            misconceptions.into_iter().unzip();
        let free = Free { ask, ideas, misconceptions, answer: answer.value };
        if !free.answer.is_empty() {
            self.check_ideas(&free, &idea_places);
            self.check_misconceptions(&free, &wrong_places);
        }
        Some(free)
    }

    fn ideas(&mut self, fields: &Fields) -> Vec<(At<()>, Idea)> {
        let mut ideas = Vec::new();
        for node in self.shapes.list(fields, "ideas", bounds::IDEAS) {
            let Some(fields) = self.shapes.fields(node, "an idea", IDEA_KEYS) else { continue };
            let idea = self.shapes.text(&fields, "idea", LINE_CHARS).value;
            let any = self.wordings(&fields, "any");
            ideas.push((fields.place, Idea { idea, any }));
        }
        ideas
    }

    fn misconceptions(&mut self, fields: &Fields) -> Vec<(At<()>, Misconception)> {
        let mut misconceptions = Vec::new();
        for node in self.shapes.list(fields, "misconceptions", bounds::MISCONCEPTIONS) {
            let Some(fields) = self.shapes.fields(node, "a misconception", MISCONCEPTION_KEYS) else {
                continue;
            };
            let any = self.wordings(&fields, "any");
            let says = self.shapes.text(&fields, "says", PROSE_CHARS).value;
            misconceptions.push((fields.place, Misconception { any, says }));
        }
        misconceptions
    }

    fn choice(&mut self, node: &At<Node>) -> Option<Choice> {
        let fields = self.shapes.fields(node, "a choice", CHOICE_KEYS)?;
        let ask = self.shapes.text(&fields, "ask", PROSE_CHARS).value;
        let mut options = Vec::new();
        let mut texts = Vec::new();
        for node in self.shapes.list(&fields, "options", bounds::OPTIONS) {
            let Some(fields) = self.shapes.fields(node, "an option", OPTION_KEYS) else { continue };
            let text = self.shapes.text(&fields, "text", PROSE_CHARS);
            let right = self.shapes.truth(&fields, "right");
            let says = self.shapes.optional_text(&fields, "says", PROSE_CHARS);
            options.push(Offer { text: text.value.clone(), right, says });
            texts.push(text);
        }
        self.check_distinct(&texts);
        let right = options.iter().filter(|option| option.right).count();
        if right != 1 && options.len() > 1 {
            let message = format!("{right} options are right, not exactly one");
            let cure = "write right: true in one option";
            self.shapes.note(ProblemCode::RightOptionCount, fields.place_of("options"), message, cure);
        }
        Some(Choice { ask, options })
    }

    fn cloze(&mut self, node: &At<Node>) -> Option<Cloze> {
        let fields = self.shapes.fields(node, "a cloze", CLOZE_KEYS)?;
        let ask = self.shapes.optional_text(&fields, "ask", PROSE_CHARS);
        let text = self.shapes.text(&fields, "text", PROSE_CHARS);
        let nodes = self.shapes.list(&fields, "blanks", bounds::BLANKS);
        let blanks: Vec<Vec<String>> = nodes.iter().map(|node| self.blank(node)).collect();
        let cloze = Cloze { ask, text: text.value.clone(), blanks };
        let (gaps, blanks) = (cloze.gaps(), cloze.blanks.len());
        if gaps != blanks && !cloze.text.is_empty() {
            let message = format!("the text has {gaps} gaps and there are {blanks} blanks");
            let cure = "write one list in blanks for each ___ of the text";
            self.shapes.note(ProblemCode::BlankCount, text.place(), message, cure);
        }
        Some(cloze)
    }

    fn blank(&mut self, node: &At<Node>) -> Vec<String> {
        let nodes = self.shapes.list_of(node, "blanks", "a gap", bounds::WORDINGS);
        let texts = self.shapes.texts_of(nodes, "blanks", LINE_CHARS);
        self.check_wordings(&texts);
        values(texts)
    }

    fn order(&mut self, node: &At<Node>) -> Option<Order> {
        let fields = self.shapes.fields(node, "an order", ORDER_KEYS)?;
        let ask = self.shapes.text(&fields, "ask", PROSE_CHARS).value;
        let steps = self.shapes.texts(&fields, "steps", bounds::STEPS, PROSE_CHARS);
        self.check_distinct(&steps);
        Some(Order { ask, steps: values(steps) })
    }

    fn wordings(&mut self, fields: &Fields, key: &'static str) -> Vec<String> {
        let texts = self.shapes.texts(fields, key, bounds::WORDINGS, LINE_CHARS);
        self.check_wordings(&texts);
        values(texts)
    }
}

/// The rules.
impl Reader {
    fn check_ideas(&mut self, free: &Free, places: &[At<()>]) {
        let found = ideas_in(free, &free.answer);
        for ((idea, place), hit) in free.ideas.iter().zip(places).zip(found) {
            let is_said = hit.is_some_and(|has_typo| !has_typo);
            if !is_said && !idea.any.is_empty() {
                let message = format!("the answer does not say “{}” in any of its wordings", idea.idea);
                let cure = "add a wording that the answer uses, or say the idea in the answer";
                self.shapes.note(ProblemCode::AnswerMissesIdea, *place, message, cure);
            }
        }
    }

    fn check_misconceptions(&mut self, free: &Free, places: &[At<()>]) {
        let found = misconceptions_in(free, &free.answer);
        for (words, place) in found.iter().zip(places) {
            if let Some(words) = words {
                let message = format!("the right answer says this misconception: “{words}”");
                let cure = "make the wording narrower, or say the answer in other words";
                self.shapes.note(ProblemCode::AnswerHoldsMisconception, *place, message, cure);
            }
        }
    }

    fn check_wordings(&mut self, texts: &[At<String>]) {
        for text in texts {
            let slots = text.value.matches(super::GAP).count();
            let cure = match Wording::parse(&text.value) {
                Err(error) => error.to_string(),
                Ok(_) if slots > MAX_WORDING_SLOTS => format!("use at most {MAX_WORDING_SLOTS} slots"),
                Ok(_) => continue,
            };
            let message = format!("“{}” cannot be listened for", text.value);
            self.shapes.note(ProblemCode::NoTarget, text.place(), message, cure);
        }
    }

    /// What is shown side by side must differ, or an answer could mean either.
    fn check_distinct(&mut self, texts: &[At<String>]) {
        for (at, text) in texts.iter().enumerate() {
            if !text.value.is_empty() && texts[..at].iter().any(|other| other.value == text.value) {
                let message = format!("“{}” stands here twice", text.value);
                self.shapes.note(ProblemCode::DuplicateText, text.place(), message, "keep one of the two");
            }
        }
    }

    fn check_variety(&mut self, fields: &Fields, id: &str, questions: &[Question]) {
        let forms = Form::ALL.iter().filter(|form| questions.iter().any(|q| q.form() == **form)).count();
        let (few, same) = (questions.len() < bounds::GOOD_QUESTIONS, forms < bounds::GOOD_FORMS);
        if !questions.is_empty() && (few || same) {
            let message = format!("{id} has {} questions in {forms} forms", questions.len());
            let cure = format!(
                "write {} questions in {} forms, so that coming back is not a repeat",
                bounds::GOOD_QUESTIONS,
                bounds::GOOD_FORMS
            );
            self.shapes.note(ProblemCode::FewQuestions, fields.place_of("questions"), message, cure);
        }
    }

    fn language(&mut self, fields: &Fields) -> String {
        let tag = self.shapes.text(fields, "language", WORD_CHARS);
        if !tag.value.is_empty() && !rules::is_language_tag(&tag.value) {
            let message = format!("“{}” is no language tag", tag.value);
            let cure = "write a tag such as de, en or pt-BR";
            self.shapes.note(ProblemCode::BadLanguageTag, tag.place(), message, cure);
        }
        tag.value
    }

    fn check_file_name(&mut self, id: &At<String>, file_name: &str) {
        let stem = file_name.rsplit(['/', '\\']).next().unwrap_or_default();
        let stem = stem.strip_suffix(".yaml").or(stem.strip_suffix(".yml")).unwrap_or(stem);
        if !id.value.is_empty() && id.value != stem {
            let message = format!("the curriculum is called {} but its file {stem}", id.value);
            self.shapes.note(ProblemCode::NotTheFileName, id.place(), message, "give both the same name");
        }
    }

    fn check_concept_id(&mut self, id: &At<String>) {
        self.check_id(id);
        if id.value.is_empty() {
            return;
        }
        if let Some(line) = self.ids.insert(id.value.clone(), id.line) {
            let message = format!("the id {} is already used in line {line}", id.value);
            self.shapes.note(ProblemCode::DuplicateId, id.place(), message, "give each concept its own id");
        }
    }

    fn check_id(&mut self, id: &At<String>) {
        if !id.value.is_empty() && !rules::is_id(&id.value) {
            let message = format!("“{}” cannot be an id", id.value);
            let cure = "use lower-case letters a to z, digits and single hyphens";
            self.shapes.note(ProblemCode::BadId, id.place(), message, cure);
        }
    }
}

fn values(texts: Vec<At<String>>) -> Vec<String> {
    texts.into_iter().map(|text| text.value).collect()
}
