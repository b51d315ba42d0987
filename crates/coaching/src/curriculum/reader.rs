//! Reads a curriculum and notes every problem on the way.
//!
//! The reader also grades the author's own answers: learners would lose trust in the coach if one did not earn
//! full marks, or matched a misconception.

use std::collections::HashMap;

use super::bounds::{self, LINE_CHARS, PAGE_CHARS, PROSE_CHARS};
use super::graph::{self, Wanted};
use super::{
    Choice, Cloze, Concept, Curriculum, Form, Free, Idea, Misconception, Number, Offer, Order, Program,
    Query, Question,
};
use crate::authored::{At, Fields, Node, PackProblem, ProblemCode, Problems, WORD_CHARS, values};
use crate::grade::{MAX_WORDING_SLOTS, Wording, ideas_in, loose_wordings, misconceptions_in, number_value};
use crate::judging::Test;
use crate::text::TargetError;

/// Returns the curriculum, if the file has the shape of one, and every problem in the order of the file.
pub(super) fn read(source: &[u8], file_name: &str) -> (Option<Curriculum>, Vec<PackProblem>) {
    crate::authored::read(source, |problems, root| Reader::new(problems).curriculum(root, file_name))
}

/// Reads like [`read`], without grading the author's answers, which takes most of the time.
pub(super) fn read_shipped(source: &[u8], file_name: &str) -> (Option<Curriculum>, Vec<PackProblem>) {
    crate::authored::read(source, |problems, root| {
        Reader { is_graded: false, ..Reader::new(problems) }.curriculum(root, file_name)
    })
}

/// Reads one concept by itself. Does not check whether its needs exist.
pub(super) fn read_concept(node: &At<Node>) -> (Option<Concept>, Vec<PackProblem>) {
    let problems = Problems::default();
    let concept = Reader::new(&problems).concept(node);
    (concept, problems.into_inner())
}

/// Reads one question by itself.
pub(super) fn read_question(node: &At<Node>) -> (Option<Question>, Vec<PackProblem>) {
    let problems = Problems::default();
    let question = Reader::new(&problems).question(node);
    (question, problems.into_inner())
}

struct Reader<'p> {
    problems: &'p Problems,
    /// Whether the author's answers are graded.
    is_graded: bool,
    /// The ids met so far, with the line of each.
    ids: HashMap<String, u64>,
    /// The needs and related concepts, which are checked at the end, because they may come later in the file.
    wanted: Vec<Wanted>,
}

const CURRICULUM_KEYS: &[&str] = &["curriculum", "title", "language", "about", "also", "concepts"];
const CONCEPT_KEYS: &[&str] =
    &["id", "title", "also", "needs", "related", "minutes", "explain", "example", "again", "questions"];
const FREE_KEYS: &[&str] = &["form", "ask", "ideas", "misconceptions", "answer"];
const IDEA_KEYS: &[&str] = &["idea", "of", "any"];
const MISCONCEPTION_KEYS: &[&str] = &["any", "says"];
const CHOICE_KEYS: &[&str] = &["form", "ask", "options"];
const OPTION_KEYS: &[&str] = &["text", "right", "says"];
const CLOZE_KEYS: &[&str] = &["form", "ask", "text", "blanks"];
const ORDER_KEYS: &[&str] = &["form", "ask", "steps"];
const NUMBER_KEYS: &[&str] = &["form", "ask", "answer", "tolerance", "unit", "explain"];
const QUERY_KEYS: &[&str] = &["form", "ask", "tables", "others", "answer", "then", "ordered", "explain"];
const PROGRAM_KEYS: &[&str] =
    &["form", "ask", "language", "function", "tests", "starter", "answer", "explain"];
const TEST_KEYS: &[&str] = &["args", "expected"];

impl<'p> Reader<'p> {
    fn new(problems: &'p Problems) -> Reader<'p> {
        Reader { problems, is_graded: true, ids: HashMap::new(), wanted: Vec::new() }
    }

    fn curriculum(mut self, root: &At<Node>, file_name: &str) -> Option<Curriculum> {
        let fields = self.problems.fields(root, "a curriculum", CURRICULUM_KEYS)?;
        let nodes = fields.list("concepts", bounds::CONCEPTS);
        let concepts: Vec<Concept> = nodes.iter().filter_map(|node| self.concept(node)).collect();
        graph::check(self.problems, &concepts, &self.wanted);
        Some(Curriculum {
            id: fields.file_id("curriculum", file_name),
            title: fields.text("title", LINE_CHARS).value,
            language: fields.language("language"),
            about: fields.text("about", PROSE_CHARS).value,
            also: values(fields.texts("also", bounds::NAMES, LINE_CHARS)),
            concepts,
        })
    }

    fn concept(&mut self, node: &At<Node>) -> Option<Concept> {
        let fields = self.problems.fields(node, "a concept", CONCEPT_KEYS)?;
        let id = fields.own_id(&mut self.ids);
        let needs = self.wanted(&fields, "needs", &id);
        let related = self.wanted(&fields, "related", &id);
        let nodes = fields.list("questions", bounds::QUESTIONS);
        let questions: Vec<Question> = nodes.iter().filter_map(|node| self.question(node)).collect();
        // Unreadable values were reported already.
        if questions.len() == nodes.len() {
            self.check_variety(&fields, &id, &questions);
        }
        Some(Concept {
            id,
            title: fields.text("title", LINE_CHARS).value,
            also: values(fields.texts("also", bounds::NAMES, LINE_CHARS)),
            needs,
            related,
            minutes: fields.whole("minutes", bounds::MINUTES) as u32,
            explain: fields.text("explain", PAGE_CHARS).value,
            example: fields.text("example", PAGE_CHARS).value,
            again: fields.optional_text("again", PROSE_CHARS),
            questions,
        })
    }

    fn wanted(&mut self, fields: &Fields, key: &'static str, concept: &str) -> Vec<String> {
        let ids = fields.texts(key, bounds::NEEDS, WORD_CHARS);
        let wanted = |id: &At<String>| Wanted { concept: concept.to_owned(), id: id.clone(), by: key };
        self.wanted.extend(ids.iter().map(wanted));
        values(ids)
    }

    fn question(&self, node: &At<Node>) -> Option<Question> {
        let Node::Map(entries) = &node.value else {
            self.problems.fields(node, "a question", FREE_KEYS);
            return None;
        };
        let form = entries.iter().find(|(key, _)| key.value == "form").map(|(_, node)| node);
        match form.map(|node| &node.value) {
            Some(Node::Text(form)) if form == "free" => self.free(node).map(Question::Free),
            Some(Node::Text(form)) if form == "choice" => self.choice(node).map(Question::Choice),
            Some(Node::Text(form)) if form == "cloze" => self.cloze(node).map(Question::Cloze),
            Some(Node::Text(form)) if form == "order" => self.order(node).map(Question::Order),
            Some(Node::Text(form)) if form == "number" => self.number(node).map(Question::Number),
            Some(Node::Text(form)) if form == "query" => self.query(node).map(Question::Query),
            Some(Node::Text(form)) if form == "program" => self.program(node).map(Question::Program),
            _ => {
                let message = match form {
                    Some(At { value: Node::Text(form), .. }) => format!("there is no form “{form}”"),
                    Some(_) => "“form” must be text".to_owned(),
                    None => "a question has no “form”".to_owned(),
                };
                let place = form.unwrap_or(node).place();
                let cure = "write form: free, choice, cloze, order, number, query or program";
                self.problems.note(ProblemCode::UnknownForm, place, message, cure);
                None
            }
        }
    }
}

/// The readers of each form of question.
impl Reader<'_> {
    fn free(&self, node: &At<Node>) -> Option<Free> {
        let fields = self.problems.fields(node, "a free question", FREE_KEYS)?;
        let ideas = fields.each("ideas", bounds::IDEAS, "an idea", IDEA_KEYS);
        let wrong =
            fields.each("misconceptions", bounds::MISCONCEPTIONS, "a misconception", MISCONCEPTION_KEYS);
        let idea = |fields: &Fields| Idea {
            idea: fields.text("idea", LINE_CHARS).value,
            of: fields.optional_text("of", LINE_CHARS),
            any: self.wordings(fields),
        };
        let misconception = |fields: &Fields| Misconception {
            any: self.wordings(fields),
            says: fields.text("says", PROSE_CHARS).value,
        };
        let free = Free {
            ask: fields.text("ask", PROSE_CHARS).value,
            ideas: ideas.iter().map(idea).collect(),
            misconceptions: wrong.iter().map(misconception).collect(),
            answer: fields.text("answer", PROSE_CHARS).value,
        };
        if self.is_graded {
            self.check_looseness(&free, &ideas);
        }
        if self.is_graded && !free.answer.is_empty() {
            self.check_ideas(&free, &ideas);
            self.check_misconceptions(&free, &wrong);
        }
        Some(free)
    }

    fn choice(&self, node: &At<Node>) -> Option<Choice> {
        let fields = self.problems.fields(node, "a choice", CHOICE_KEYS)?;
        let ask = fields.text("ask", PROSE_CHARS).value;
        let mut options = Vec::new();
        let mut texts = Vec::new();
        for fields in fields.each("options", bounds::OPTIONS, "an option", OPTION_KEYS) {
            let text = fields.text("text", PROSE_CHARS);
            let right = fields.truth("right");
            let says = fields.optional_text("says", PROSE_CHARS);
            options.push(Offer { text: text.value.clone(), right, says });
            texts.push(text);
        }
        self.check_distinct(&texts);
        let right = options.iter().filter(|option| option.right).count();
        if right != 1 && options.len() > 1 {
            let message = format!("{right} options are right instead of one");
            let cure = "write right: true in one option";
            self.problems.note(ProblemCode::RightOptionCount, fields.place_of("options"), message, cure);
        }
        Some(Choice { ask, options })
    }

    fn cloze(&self, node: &At<Node>) -> Option<Cloze> {
        let fields = self.problems.fields(node, "a cloze", CLOZE_KEYS)?;
        let ask = fields.optional_text("ask", PROSE_CHARS);
        let text = fields.text("text", PROSE_CHARS);
        let nodes = fields.list("blanks", bounds::BLANKS);
        let blanks: Vec<Vec<String>> = nodes.iter().map(|node| self.blank(node)).collect();
        let cloze = Cloze { ask, text: text.value.clone(), blanks };
        let (gaps, blanks) = (cloze.gaps(), cloze.blanks.len());
        if gaps != blanks && !cloze.text.is_empty() {
            let message = format!("the text has {gaps} gaps and there are {blanks} blanks");
            let cure = "write one list in blanks for each ___ of the text";
            self.problems.note(ProblemCode::BlankCount, text.place(), message, cure);
        }
        Some(cloze)
    }

    fn blank(&self, node: &At<Node>) -> Vec<String> {
        let nodes = self.problems.list(node, "blanks", "a gap", bounds::WORDINGS);
        let texts = self.problems.texts(nodes, "blanks", LINE_CHARS);
        self.check_wordings(&texts);
        values(texts)
    }

    fn order(&self, node: &At<Node>) -> Option<Order> {
        let fields = self.problems.fields(node, "an order", ORDER_KEYS)?;
        let ask = fields.text("ask", PROSE_CHARS).value;
        let steps = fields.texts("steps", bounds::STEPS, PROSE_CHARS);
        self.check_distinct(&steps);
        Some(Order { ask, steps: values(steps) })
    }

    fn number(&self, node: &At<Node>) -> Option<Number> {
        let fields = self.problems.fields(node, "a number question", NUMBER_KEYS)?;
        let number = Number {
            ask: fields.text("ask", PROSE_CHARS).value,
            answer: fields.text("answer", LINE_CHARS).value,
            tolerance: fields.optional_text("tolerance", LINE_CHARS),
            unit: fields.optional_text("unit", LINE_CHARS),
            explain: fields.optional_text("explain", PROSE_CHARS).unwrap_or_default(),
        };
        let written = [("answer", Some(&number.answer)), ("tolerance", number.tolerance.as_ref())];
        for (key, text) in written {
            if text.is_some_and(|text| !text.is_empty() && number_value(text).is_none()) {
                let message = format!("“{}” is no number", text.map_or("", String::as_str));
                let cure = "write a fraction, a decimal or an expression in quotes, such as \"1/6\"";
                self.problems.note(ProblemCode::BadNumber, fields.place_of(key), message, cure);
            }
        }
        Some(number)
    }

    fn query(&self, node: &At<Node>) -> Option<Query> {
        let fields = self.problems.fields(node, "a query", QUERY_KEYS)?;
        Some(Query {
            ask: fields.text("ask", PROSE_CHARS).value,
            tables: fields.text("tables", PAGE_CHARS).value,
            others: fields.optional_text("others", PAGE_CHARS),
            answer: fields.text("answer", PROSE_CHARS).value,
            then: fields.optional_text("then", PROSE_CHARS),
            ordered: fields.truth("ordered"),
            explain: fields.optional_text("explain", PROSE_CHARS).unwrap_or_default(),
        })
    }

    fn program(&self, node: &At<Node>) -> Option<Program> {
        let fields = self.problems.fields(node, "a program", PROGRAM_KEYS)?;
        let tests = fields.each("tests", bounds::TESTS, "a test", TEST_KEYS);
        Some(Program {
            ask: fields.text("ask", PROSE_CHARS).value,
            language: fields.text("language", WORD_CHARS).value,
            function: fields.text("function", WORD_CHARS).value,
            tests: tests.iter().filter_map(|test| self.test(test)).collect(),
            starter: fields.optional_text("starter", PAGE_CHARS).unwrap_or_default(),
            answer: fields.text("answer", PAGE_CHARS).value,
            explain: fields.optional_text("explain", PROSE_CHARS).unwrap_or_default(),
        })
    }

    fn test(&self, fields: &Fields) -> Option<Test> {
        let json = |key: &str| fields.get(key).and_then(|node| node.value.json());
        let args = json("args").and_then(|args| args.as_array().cloned());
        match (args, json("expected")) {
            (Some(args), Some(expected)) => {
                Some(Test { args: Some(args), stdin: None, expected, hidden: false })
            }
            _ => {
                let cure = "write {args: [one, two], expected: three}";
                let message = "a test needs a list of arguments and an expected value".to_owned();
                self.problems.note(ProblemCode::BadNumber, fields.place, message, cure);
                None
            }
        }
    }

    fn wordings(&self, fields: &Fields) -> Vec<String> {
        let texts = fields.texts("any", bounds::WORDINGS, LINE_CHARS);
        self.check_wordings(&texts);
        values(texts)
    }
}

/// The checks of the rules.
impl Reader<'_> {
    fn check_ideas(&self, free: &Free, written: &[Fields]) {
        let found = ideas_in(free, &free.answer);
        for ((idea, fields), hit) in free.ideas.iter().zip(written).zip(found) {
            let is_said = hit.is_some_and(|has_typo| !has_typo);
            if !is_said && !idea.any.is_empty() {
                let message = format!("the answer does not say “{}” in any of its wordings", idea.idea);
                let cure = "add a wording that the answer uses, or say the idea in the answer";
                self.problems.note(ProblemCode::AnswerMissesIdea, fields.place, message, cure);
            }
        }
    }

    fn check_looseness(&self, free: &Free, written: &[Fields]) {
        for (idea, fields) in free.ideas.iter().zip(written) {
            for wording in loose_wordings(&free.ask, &idea.any) {
                let message = format!("“{wording}” is one ordinary word, which wrong answers have too");
                let cure = format!(
                    "combine it: “{wording} a/b” asks for a or b beside it, “{wording} +” for any other word of the idea"
                );
                self.problems.note(ProblemCode::LooseWording, fields.place, message, cure);
            }
        }
    }

    fn check_misconceptions(&self, free: &Free, written: &[Fields]) {
        let found = misconceptions_in(free, &free.answer);
        for (words, fields) in found.iter().zip(written) {
            if let Some(words) = words {
                let message = format!("the right answer says this misconception: “{words}”");
                let cure = "make the wording narrower, or say the answer in other words";
                self.problems.note(ProblemCode::AnswerHoldsMisconception, fields.place, message, cure);
            }
        }
    }

    fn check_wordings(&self, texts: &[At<String>]) {
        for text in texts {
            let slots = text.value.matches(super::GAP).count();
            let cure = match Wording::parse(&text.value) {
                Err(TargetError::TooManyReadings) => continue,
                Err(error) => error.to_string(),
                Ok(_) if slots > MAX_WORDING_SLOTS => format!("use at most {MAX_WORDING_SLOTS} slots"),
                Ok(_) => continue,
            };
            let message = format!("“{}” cannot be listened for", text.value);
            self.problems.note(ProblemCode::NoTarget, text.place(), message, cure);
        }
    }

    /// Checks that texts that are shown together differ. Otherwise an answer could mean either.
    fn check_distinct(&self, texts: &[At<String>]) {
        for (at, text) in texts.iter().enumerate() {
            if !text.value.is_empty() && texts[..at].iter().any(|other| other.value == text.value) {
                let message = format!("“{}” appears twice", text.value);
                self.problems.note(ProblemCode::DuplicateText, text.place(), message, "keep one of the two");
            }
        }
    }

    fn check_variety(&self, fields: &Fields, id: &str, questions: &[Question]) {
        let forms = Form::AUTHORED.iter().filter(|form| questions.iter().any(|q| q.form() == **form)).count();
        let (few, same) = (questions.len() < bounds::GOOD_QUESTIONS, forms < bounds::GOOD_FORMS);
        if !questions.is_empty() && (few || same) {
            let message = format!("{id} has {} questions in {forms} forms", questions.len());
            let cure = format!(
                "write {} questions in {} forms, so that a review is not a repetition",
                bounds::GOOD_QUESTIONS,
                bounds::GOOD_FORMS
            );
            self.problems.note(ProblemCode::FewQuestions, fields.place_of("questions"), message, cure);
        }
    }
}
