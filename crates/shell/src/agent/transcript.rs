//! Reads an agent's own record: its last message, the human's request, and the work done since.
//!
//! Transcripts are JSON lines and can be large, so only the end is read, from the last line back to the human's
//! last words. Agents keep things in different places and move them, so this module looks in several places and
//! skips lines that it cannot use.

use super::desk::split;
use super::turn::ToolUse;
use coaching::agent::{
    MAX_RUNS, Run, Todo, Watched, Work, changed_by, human_words, is_prose, preview, redact, without_escapes,
};
use serde_json::{Value, json};
use std::collections::HashMap;
use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::Path;

/// The most bytes read from the end and from the beginning. The part between them stays unread.
const MAX_TAIL_BYTES: u64 = 2 << 20;
const MAX_HEAD_BYTES: u64 = 64 << 10;
const MAX_FILES: usize = 20;
const MAX_TODOS: usize = 50;
/// The most records searched for tests that ran before the human last spoke.
const MAX_RECORDS_BACK: usize = 400;
/// The most calls that may wait for their results.
const MAX_WAITING: usize = 200;
const MAX_COMMAND_CHARS: usize = 300;
/// The most bytes read of a command.
const MAX_COMMAND_BYTES: usize = 16 << 10;
const MAX_ITEM_CHARS: usize = 200;
const MAX_PLAN_BYTES: usize = 64 << 10;
/// The most bytes read of an output. The end of a long output tells how it went.
const MAX_OUTPUT_BYTES: usize = 16 << 10;
/// Prompts that only let the agent go on. After such a prompt, its to-do list still counts.
const GO_ON: &[&str] = &[
    "continue",
    "go on",
    "go ahead",
    "yes",
    "y",
    "yes please",
    "sure",
    "do it",
    "please continue",
    "oui",
    "continue please",
    "ok",
    "okay",
    "proceed",
    "keep going",
    "weiter",
    "ja",
    "mach weiter",
    "继续",
    "好",
];

/// The agent's last message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Last {
    pub text: String,
    /// Whether this is not a message but an error that the agent's program put there.
    pub is_error: bool,
}

/// The facts about a stop that a transcript holds.
#[derive(Debug, Clone, Default)]
pub struct Account {
    pub last: Option<Last>,
    pub work: Work,
    /// The id that the record gives to the human's last prompt.
    pub prompt_id: Option<String>,
    /// Commands and tasks in the background that have not ended.
    pub in_background: usize,
}

/// Reads what has happened since the human last spoke.
pub fn read(path: &Path) -> Result<Account, String> {
    let failed = |error: std::io::Error| format!("the transcript cannot be read: {error}");
    // Opening a pipe would wait for a writer.
    let about = std::fs::metadata(path).map_err(failed)?;
    if !about.is_file() {
        return Err("the transcript cannot be read: it is not a file".to_owned());
    }
    let mut file = File::open(path).map_err(failed)?;
    let tail =
        piece(&mut file, about.len().saturating_sub(MAX_TAIL_BYTES), MAX_TAIL_BYTES).map_err(failed)?;
    let document = serde_json::from_str::<Value>(&tail).ok();
    let mut account = match document.as_ref().and_then(|document| document["messages"].as_array()) {
        Some(messages) => told_by(messages.iter().rev().cloned()),
        None => told_by(tail.lines().rev().filter_map(|line| serde_json::from_str(line.trim()).ok())),
    };
    if document.is_none() && !tail.trim().is_empty() && !tail.lines().any(is_record) {
        return Err("the transcript cannot be read: it has no records".to_owned());
    }
    let head = piece(&mut file, 0, MAX_HEAD_BYTES).map_err(failed)?;
    let records = head.lines().filter_map(|line| serde_json::from_str(line.trim()).ok());
    account.work.task = first_prompt(records).or(account.work.prompt.clone());
    Ok(account)
}

fn is_record(line: &str) -> bool {
    serde_json::from_str::<Value>(line.trim()).is_ok_and(|record| record.is_object())
}

/// Like [`read`], from records that an agent's plugin sends.
pub fn of_records(records: &[Value]) -> Account {
    let mut account = told_by(records.iter().rev().cloned());
    account.work.task = first_prompt(records.iter().cloned()).or(account.work.prompt.clone());
    account
}

fn piece(file: &mut File, start: u64, length: u64) -> std::io::Result<String> {
    file.seek(SeekFrom::Start(start))?;
    let mut bytes = Vec::new();
    file.take(length).read_to_end(&mut bytes)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

fn first_prompt(records: impl Iterator<Item = Value>) -> Option<String> {
    let prompts = records.flat_map(|record| items(&record)).filter_map(|item| match item {
        Item::Human { text, .. } | Item::Aside { text, .. } => human_words(&text),
        _ => None,
    });
    prompts.map(|text| redact(&text)).next()
}

/// One item of a record.
#[derive(Debug)]
enum Item {
    Human {
        text: String,
        id: Option<String>,
    },
    /// Words that the human says while the agent works: its turn goes on.
    Aside {
        text: String,
        id: Option<String>,
    },
    Agent(Last),
    Call {
        id: String,
        name: String,
        input: Value,
    },
    Result {
        id: String,
        is_error: Option<bool>,
        text: String,
    },
}

impl Item {
    fn seen(&self) -> Option<Watched> {
        match self {
            Item::Call { name, input, .. } => {
                Some(ToolUse { name: name.clone(), input: input.clone(), is_error: None }.seen())
            }
            Item::Result { is_error, .. } => Some(Watched { is_error: *is_error, ..Watched::default() }),
            Item::Human { .. } | Item::Aside { .. } | Item::Agent(_) => None,
        }
    }
}

/// Returns what has happened since the human last spoke. The records come in reverse order.
fn told_by(mut records: impl Iterator<Item = Value>) -> Account {
    let (items, before) = since_prompt(&mut records);
    let mut account = fold(items);
    if !account.work.has_changed_code() {
        let earlier = records.take(MAX_RECORDS_BACK).flat_map(|record| items_back(&record));
        account.work.tested_before = last_test(before.into_iter().chain(earlier));
    }
    account
}

fn items_back(record: &Value) -> std::iter::Rev<std::vec::IntoIter<Item>> {
    items(record).into_iter().rev()
}

/// Returns the last test run, if it passed and nothing has changed since. The items come in reverse order.
fn last_test(items: impl Iterator<Item = Item>) -> Option<Run> {
    let mut results: HashMap<String, Item> = HashMap::new();
    for item in items {
        match item {
            Item::Result { ref id, .. } => _ = results.insert(id.clone(), item),
            Item::Call { ref id, .. } => {
                let Some(result) = results.remove(id) else { continue };
                let mut story = Story::default();
                story.take(item);
                story.take(result);
                let mut work = story.account.work;
                if work.has_changed_code() {
                    return None;
                }
                if let Some(run) = work.runs.pop().filter(|run| run.is_test) {
                    return Some(run).filter(|run| run.has_failed == Some(false));
                }
            }
            _ => {}
        }
    }
    None
}

/// Returns the items since the human last spoke, in order, including that prompt. If the prompt only said to go on,
/// the second list has the calls before it, last one first.
fn since_prompt(records: impl Iterator<Item = Value>) -> (Vec<Item>, Vec<Item>) {
    let mut found = Vec::new();
    let mut before = Vec::new();
    let mut only_todos = false;
    for record in records {
        for item in items_back(&record) {
            let is_todo = matches!(&item, Item::Call { name, .. } if is_list(name));
            match &item {
                Item::Human { text, .. } => match human_words(text) {
                    // The list from before the human's last words counts only if those words were "go on".
                    Some(_) if only_todos => return (reversed(found), before),
                    Some(words) => {
                        let is_go_on = GO_ON.contains(
                            &words.trim().trim_end_matches(['.', '!', '。']).to_lowercase().as_str(),
                        );
                        found.push(item);
                        if !is_go_on {
                            return (reversed(found), before);
                        }
                        only_todos = true;
                    }
                    None => found.push(item),
                },
                _ if !only_todos || is_todo => found.push(item),
                _ => before.push(item),
            }
        }
    }
    (reversed(found), before)
}

fn reversed(mut items: Vec<Item>) -> Vec<Item> {
    items.reverse();
    items
}

/// Returns the items of a record, wherever its agent keeps them.
fn items(record: &Value) -> Vec<Item> {
    let is = |field: &str| record.get(field).and_then(Value::as_bool) == Some(true);
    if is("isSidechain") || is("isMeta") || is("isCompactSummary") {
        return Vec::new();
    }
    let kind = record["type"].as_str().unwrap_or_default();
    match kind {
        "response_item" => of_codex(&record["payload"]),
        "attachment" => said_meanwhile(record).into_iter().collect(),
        "event_msg" | "session_meta" | "turn_context" | "summary" | "progress" => Vec::new(),
        "tool.execution_start" => {
            let data = &record["data"];
            vec![Item::Call {
                id: text(&data["toolCallId"]),
                name: text(&data["toolName"]),
                input: data["arguments"].clone(),
            }]
        }
        "item.completed" | "item.updated" => of_codex_item(&record["item"]),
        "tool_use" | "tool_result" | "tool_call" => of_stream(record),
        "tool.execution_complete" => {
            let data = &record["data"];
            let is_error = data["success"].as_bool().map(|success| !success);
            vec![Item::Result {
                id: text(&data["toolCallId"]),
                is_error,
                text: words_of(&data["result"]["content"]),
            }]
        }
        _ => of_message(record),
    }
}

/// Returns words that the human typed while Claude Code worked. It attaches them to the turn under way. Programs'
/// messages are queued in this way too, and are skipped.
fn said_meanwhile(record: &Value) -> Option<Item> {
    let queued = &record["attachment"];
    let is_human = queued["commandMode"].is_null() || queued["commandMode"] == "prompt";
    let text = words_of(&queued["prompt"]);
    let is_said = queued["type"] == "queued_command" && is_human && !text.is_empty();
    is_said.then(|| Item::Aside { text, id: id_of(record) })
}

fn id_of(record: &Value) -> Option<String> {
    ["uuid", "id", "timestamp"].iter().find_map(|field| record[*field].as_str()).map(str::to_owned)
}

/// Reads a message with blocks: text, calls and results.
fn of_message(record: &Value) -> Vec<Item> {
    let Some(role) = role(record) else { return Vec::new() };
    let id = id_of(record);
    let places = ["/message/content", "/data/content", "/content", "/text"];
    let content = places.iter().find_map(|place| record.pointer(place)).unwrap_or(&Value::Null);
    let mut items = Vec::new();
    let words = words_of(content);
    if !words.is_empty() {
        items.push(match role {
            Role::Human => Item::Human { text: words, id },
            Role::Agent => {
                let is_error = record.get("isApiErrorMessage").and_then(Value::as_bool) == Some(true);
                Item::Agent(Last { text: words, is_error })
            }
        });
    }
    for block in content.as_array().into_iter().flatten() {
        match block["type"].as_str() {
            Some("tool_use") => {
                items.push(Item::Call {
                    id: text(&block["id"]),
                    name: text(&block["name"]),
                    input: block["input"].clone(),
                });
            }
            Some("tool_result") => {
                let is_error = Some(block["is_error"].as_bool().unwrap_or(false));
                items.push(Item::Result {
                    id: text(&block["tool_use_id"]),
                    is_error,
                    text: words_of(&block["content"]),
                });
            }
            _ => {}
        }
    }
    for call in record["toolCalls"].as_array().into_iter().flatten() {
        let id = text(&call["id"]);
        let said = ["resultDisplay", "result"]
            .iter()
            .map(|field| words_of(&call[*field]))
            .find(|said| !said.is_empty());
        let is_error = call["status"].as_str().map(|status| status != "success");
        let refused = if call["status"] == "cancelled" { "cancelled by the user" } else { "" };
        items.push(Item::Call { id: id.clone(), name: text(&call["name"]), input: call["args"].clone() });
        items.push(Item::Result { id, is_error, text: said.unwrap_or_default() + refused });
    }
    items
}

fn of_codex(payload: &Value) -> Vec<Item> {
    let id = text(&payload["call_id"]);
    let input = |field: &str| match &payload[field] {
        Value::String(written) => {
            serde_json::from_str(written).unwrap_or_else(|_| Value::String(written.clone()))
        }
        given => given.clone(),
    };
    match payload["type"].as_str() {
        Some("message") => of_message(payload),
        Some("function_call") => {
            vec![Item::Call { id, name: text(&payload["name"]), input: input("arguments") }]
        }
        Some("custom_tool_call") => {
            vec![Item::Call { id, name: text(&payload["name"]), input: input("input") }]
        }
        Some("local_shell_call") => {
            vec![Item::Call { id, name: "shell".to_owned(), input: payload["action"].clone() }]
        }
        Some("function_call_output" | "custom_tool_call_output") => {
            let output = input("output");
            let said = if output["output"].is_string() { text(&output["output"]) } else { words_of(&output) };
            let code = output.pointer("/metadata/exit_code").and_then(Value::as_i64);
            vec![Item::Result { id, is_error: code.map(|code| code != 0), text: said }]
        }
        _ => Vec::new(),
    }
}

/// Reads a call with its result, which Codex prints together once the call is over.
fn of_codex_item(item: &Value) -> Vec<Item> {
    let id = text(&item["id"]);
    let called = |name: &str, input: Value, is_error: Option<bool>, said: String| {
        let call = Item::Call { id: id.clone(), name: name.to_owned(), input };
        vec![call, Item::Result { id: id.clone(), is_error, text: said }]
    };
    let has_failed = item["status"] == "failed";
    match item["type"].as_str() {
        Some("command_execution") => {
            let code = item["exit_code"].as_i64().map(|code| code != 0);
            let input = json!({"command": unwrapped(item["command"].as_str().unwrap_or_default())});
            called("shell", input, code.or(Some(has_failed)), text(&item["aggregated_output"]))
        }
        Some("file_change") => {
            let changes = item["changes"].as_array().into_iter().flatten();
            // The id of the item makes a second change of a file another call.
            let changed = |change: &Value| {
                let input = json!({"path": change["path"], "item": id});
                called("edit", input, Some(has_failed), String::new())
            };
            changes.flat_map(changed).collect()
        }
        Some("todo_list") => {
            let status = |item: &Value| if item["completed"] == true { "completed" } else { "pending" };
            let items = item["items"].as_array().into_iter().flatten();
            let items: Vec<Value> =
                items.map(|item| json!({"text": item["text"], "status": status(item)})).collect();
            called("update_plan", json!({ "items": items }), Some(false), String::new())
        }
        Some("mcp_tool_call") => {
            called(&text(&item["tool"]), item["arguments"].clone(), Some(has_failed), String::new())
        }
        _ => Vec::new(),
    }
}

/// Returns the line inside `bash -lc 'make test'`.
fn unwrapped(command: &str) -> String {
    match split(command).unwrap_or_default().as_slice() {
        [_, flag, line] if flag.starts_with('-') && flag.ends_with('c') => line.clone(),
        _ => command.to_owned(),
    }
}

/// Reads calls and results as Gemini, OpenCode and Cursor print them.
fn of_stream(event: &Value) -> Vec<Item> {
    let part = &event["part"];
    if part.is_object() {
        let (id, state) = (text(&part["callID"]), &part["state"]);
        let code = state.pointer("/metadata/exit").and_then(Value::as_i64);
        let has_failed = state["status"] == "error" || code.is_some_and(|code| code != 0);
        let call = Item::Call { id: id.clone(), name: text(&part["tool"]), input: state["input"].clone() };
        return vec![call, Item::Result { id, is_error: Some(has_failed), text: text(&state["output"]) }];
    }
    let id = text(&event["tool_id"]);
    match event["type"].as_str() {
        Some("tool_use") => {
            vec![Item::Call { id, name: text(&event["tool_name"]), input: event["parameters"].clone() }]
        }
        Some("tool_result") => {
            vec![Item::Result {
                id,
                is_error: Some(event["status"] == "error"),
                text: text(&event["output"]),
            }]
        }
        _ => of_cursor(event),
    }
}

/// Reads a call of Cursor, which names it by the field that holds it, such as `shellToolCall`.
fn of_cursor(event: &Value) -> Vec<Item> {
    let id = text(&event["call_id"]);
    let Some((name, call)) = event["tool_call"].as_object().and_then(|calls| calls.iter().next()) else {
        return Vec::new();
    };
    let name = name.strip_suffix("ToolCall").unwrap_or(name).to_owned();
    if event["subtype"] != "completed" {
        return vec![Item::Call { id, name, input: call["args"].clone() }];
    }
    let result = &call["result"];
    let inside = result.as_object().and_then(|result| result.values().next()).unwrap_or(&Value::Null);
    let code = inside["exitCode"].as_i64().map(|code| code != 0);
    let said = ["stdout", "stderr"].map(|field| text(&inside[field])).join("\n");
    let has_failed = code.unwrap_or(!result["success"].is_object());
    vec![Item::Result { id, is_error: Some(has_failed), text: said }]
}

#[derive(Debug, PartialEq, Eq)]
enum Role {
    Human,
    Agent,
}

/// Returns the role in `{"type": "assistant"}`, `{"type": "assistant.message"}`, `{"role": "assistant"}`, or one of
/// these inside `message`.
fn role(record: &Value) -> Option<Role> {
    let places = ["/message/role", "/role", "/type"];
    let names = places.iter().filter_map(|place| record.pointer(place)?.as_str());
    let known = |name: &str| match name.split('.').next()? {
        "assistant" | "agent" | "model" | "gemini" if !name.ends_with("_delta") => Some(Role::Agent),
        "user" | "human" => Some(Role::Human),
        _ => None,
    };
    names.into_iter().find_map(known)
}

/// Returns a string, or the joined text blocks.
fn words_of(content: &Value) -> String {
    match content {
        Value::String(text) => text.trim().to_owned(),
        Value::Array(blocks) => {
            let is_text = |block: &&Value| {
                matches!(block["type"].as_str(), Some("text" | "input_text" | "output_text"))
                    || block["type"].is_null()
            };
            let texts = blocks.iter().filter(is_text).filter_map(|block| block.get("text")?.as_str());
            texts.collect::<Vec<_>>().join("\n").trim().to_owned()
        }
        _ => String::new(),
    }
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

/// Turns the items into an account of what happened.
fn fold(items: Vec<Item>) -> Account {
    let mut story = Story::default();
    for item in items {
        story.take(item);
    }
    story.end()
}

/// An account in the making, which takes one item after the other.
#[derive(Debug, Clone, Default)]
pub struct Story {
    account: Account,
    /// Calls whose results have not been seen.
    waiting: Vec<(String, String, Value)>,
    /// The ids of tasks in the order of the to-do list.
    tasks: Vec<String>,
    /// Everything that runs in the background: its id, and its command if it is one.
    background: Vec<(String, Option<String>)>,
}

impl Story {
    /// Takes in a record, or an event that a running agent prints. Returns the calls and results that the watchdog
    /// counts. A subagent's runs and changes count as work; its words, its list and its calls are its own.
    pub fn take_record(&mut self, record: &Value) -> Vec<Watched> {
        let is_subagent = record["parent_tool_use_id"].is_string();
        let mut seen = Vec::new();
        for item in items(record) {
            seen.extend(item.seen().filter(|_| !is_subagent));
            let is_work = match &item {
                Item::Call { name, .. } => !is_list(name),
                Item::Result { .. } => true,
                Item::Human { .. } | Item::Aside { .. } | Item::Agent(_) => false,
            };
            if is_work || !is_subagent {
                self.take(item);
            }
        }
        seen
    }

    /// Returns the work so far.
    pub fn work(&self) -> Work {
        self.clone().end().work
    }

    fn take(&mut self, item: Item) {
        match item {
            Item::Human { text, id } => self.heard(&text, id),
            Item::Aside { text, id } => self.heard_meanwhile(&text, id),
            Item::Agent(last) => self.account.last = Some(last),
            Item::Call { id, name, input } => self.called(id, name, input),
            Item::Result { id, is_error, text } => self.returned(&id, is_error, &text),
        }
    }

    fn heard(&mut self, text: &str, id: Option<String>) {
        match human_words(text) {
            Some(words) => {
                let todos = std::mem::take(&mut self.account.work.todos);
                self.account = Account { prompt_id: id, ..Account::default() };
                self.account.work.prompt = Some(redact(&words));
                self.account.work.todos = todos;
            }
            None if text.contains("Request interrupted by user") => self.account.work.was_interrupted = true,
            None => self.background.retain(|(task, _)| !text.contains(task.as_str())),
        }
    }

    /// Adds words to the prompt of the turn under way.
    fn heard_meanwhile(&mut self, text: &str, id: Option<String>) {
        let Some(words) = human_words(text) else { return };
        let work = &mut self.account.work;
        let before = work.prompt.take().map(|prompt| prompt + "\n\n").unwrap_or_default();
        work.prompt = Some(before + &redact(&words));
        self.account.prompt_id = id.or(self.account.prompt_id.take());
    }

    fn called(&mut self, id: String, name: String, input: Value) {
        let work = &mut self.account.work;
        work.calls = work.calls.saturating_add(1);
        (work.was_interrupted, self.account.last) = (false, None);
        match name.as_str() {
            name if is_list(name) => self.listed(name, &input),
            "ExitPlanMode" | "exit_plan_mode" => {
                let plan = text(&input["plan"]);
                work.plan = Some(redact(&plan[..plan.floor_char_boundary(MAX_PLAN_BYTES)]))
                    .filter(|plan| !plan.is_empty());
            }
            "KillShell" | "KillBash" | "TaskStop" => {
                let ended =
                    ["shell_id", "task_id", "bash_id"].iter().find_map(|field| input[*field].as_str());
                self.background.retain(|(task, _)| Some(task.as_str()) != ended);
            }
            _ => {}
        }
        if self.waiting.len() == MAX_WAITING {
            self.waiting.remove(0);
        }
        self.waiting.push((id, name, input));
    }

    fn returned(&mut self, id: &str, is_error: Option<bool>, said: &str) {
        let Some(at) = self.waiting.iter().position(|(known, ..)| known == id) else { return };
        let (id, name, input) = self.waiting.swap_remove(at);
        let work = &mut self.account.work;
        let is_refused = is_refusal(said) && is_error != Some(false);
        work.was_refused = is_refused || (work.was_refused && is_error == Some(true));
        if is_refused {
            return;
        }
        if name == "AskUserQuestion" && is_error != Some(true) {
            self.heard_meanwhile(&answers(said), Some(id));
        } else if input["run_in_background"] == true {
            self.background.push((task_name(said).unwrap_or(id), command(&name, &input)));
        } else if let Some(command) = command(&name, &input) {
            self.ran(&command, has_failed(is_error, said), said);
        } else if is_change(&name) && is_error != Some(true) {
            files(&input).into_iter().for_each(|file| self.changed(file));
        } else if matches!(name.as_str(), "BashOutput" | "TaskOutput") && said.contains("completed") {
            let ended = ["bash_id", "task_id"].iter().find_map(|field| input[*field].as_str());
            let at = self.background.iter().position(|(task, _)| Some(task.as_str()) == ended);
            if let Some((_, Some(command))) = at.map(|at| self.background.remove(at)) {
                self.ran(&command, has_failed(is_error, said), said);
            }
        } else if is_error != Some(true) && reports_tests(&name, said) {
            self.ran(&name, Some(false), said);
        } else if name == "TaskCreate" {
            let number = said
                .split('#')
                .nth(1)
                .map(|rest| rest.chars().take_while(char::is_ascii_digit).collect::<String>());
            if let (Some(number), Some(last)) =
                (number.filter(|number| !number.is_empty()), self.tasks.last_mut())
            {
                *last = number;
            }
        }
    }

    fn ran(&mut self, command: &str, failed: Option<bool>, said: &str) {
        let end = &said[said.ceil_char_boundary(said.len().saturating_sub(MAX_OUTPUT_BYTES))..];
        let end = redact(&without_escapes(end));
        // The lines of a command tell what it does, so it is shortened only after it has been read.
        let command = &command[..command.floor_char_boundary(MAX_COMMAND_BYTES)];
        let run = Run::of(command, failed, &end);
        let run = Run { command: preview(command, MAX_COMMAND_CHARS), ..run };
        if let Some(file) = changed_by(command).filter(|_| !run.is_check) {
            self.changed(preview(&file, MAX_ITEM_CHARS));
        }
        let runs = &mut self.account.work.runs;
        if runs.len() == MAX_RUNS {
            runs.remove(0);
        }
        runs.push(run);
    }

    fn changed(&mut self, file: String) {
        let work = &mut self.account.work;
        if !is_prose(&file) {
            work.runs.iter_mut().for_each(|run| run.is_after_change = false);
        }
        work.changed.retain(|known| *known != file);
        if work.changed.len() == MAX_FILES {
            work.changed.remove(0);
        }
        work.changed.push(file);
    }

    /// Takes in a to-do list. Some agents write it whole, others task by task.
    fn listed(&mut self, name: &str, input: &Value) {
        let todos = &mut self.account.work.todos;
        match name {
            "TaskCreate" if todos.len() < MAX_TODOS => {
                todos.push(todo(&input["subject"], "pending"));
                self.tasks.push((self.tasks.len() + 1).to_string());
            }
            "TaskCreate" => {}
            "TaskUpdate" => {
                let number = input["taskId"]
                    .as_str()
                    .map(str::to_owned)
                    .or_else(|| Some(input["taskId"].as_u64()?.to_string()));
                let at = self.tasks.iter().position(|known| Some(known) == number.as_ref());
                if let (Some(todo), Some(status)) =
                    (at.and_then(|at| todos.get_mut(at)), input["status"].as_str())
                {
                    (todo.is_done, todo.is_begun) = (is_done(status), status == "in_progress");
                }
            }
            _ => {
                let list = ["todos", "plan", "items"].iter().find_map(|field| input[*field].as_array());
                let of_item = |item: &Value| {
                    let names = ["content", "step", "description", "text", "title", "subject"];
                    let said = names
                        .iter()
                        .map(|name| &item[*name])
                        .find(|said| said.is_string())
                        .unwrap_or(&Value::Null);
                    todo(said, item["status"].as_str().unwrap_or_default())
                };
                *todos = list.into_iter().flatten().take(MAX_TODOS).map(of_item).collect();
                self.tasks.clear();
            }
        }
    }

    fn end(mut self) -> Account {
        self.account.work.todos.retain(|todo| !todo.text.is_empty());
        self.account.in_background = self.background.len();
        self.account
    }
}

fn todo(said: &Value, status: &str) -> Todo {
    let text = preview(said.as_str().unwrap_or_default(), MAX_ITEM_CHARS);
    Todo { text, is_done: is_done(status), is_begun: status == "in_progress" }
}

fn is_done(status: &str) -> bool {
    matches!(status, "completed" | "done" | "cancelled" | "canceled" | "deleted")
}

fn is_list(name: &str) -> bool {
    matches!(
        name,
        "TodoWrite"
            | "todo_write"
            | "write_todos"
            | "update_plan"
            | "todowrite"
            | "TaskCreate"
            | "TaskUpdate"
    )
}

fn is_change(name: &str) -> bool {
    let known = [
        "Edit",
        "Write",
        "MultiEdit",
        "NotebookEdit",
        "apply_patch",
        "replace",
        "write_file",
        "edit_file",
        "create_file",
        "str_replace",
        "str_replace_editor",
        "str_replace_based_edit_tool",
        "edit",
        "write",
        "create",
        "search_replace",
    ];
    // The tool of a server is recognised by a verb in its name: `mcp__serena__replace_symbol`.
    let verbs =
        ["edit", "write", "replace", "insert", "create", "delete", "rename", "patch", "move", "update"];
    let is_verb = |tool: &str| tool.split('_').any(|word| verbs.contains(&word));
    known.contains(&name)
        || name.strip_prefix("mcp__").and_then(|rest| rest.rsplit("__").next()).is_some_and(is_verb)
}

/// Returns the files that a change names: in a field, or in the headings of a patch.
fn files(input: &Value) -> Vec<String> {
    let fields = [
        "file_path",
        "path",
        "filePath",
        "notebook_path",
        "absolute_path",
        "target_file",
        "relative_path",
        "file",
    ];
    if let Some(path) = fields.iter().find_map(|field| input[*field].as_str()) {
        return vec![preview(path, MAX_ITEM_CHARS)];
    }
    let patch = input
        .as_str()
        .or_else(|| input["input"].as_str())
        .or_else(|| input["patch"].as_str())
        .unwrap_or_default();
    let heads = ["*** Update File: ", "*** Add File: ", "*** Delete File: "];
    let named = patch.lines().filter_map(|line| heads.iter().find_map(|head| line.strip_prefix(head)));
    named.map(|path| preview(path, MAX_ITEM_CHARS)).collect()
}

/// Returns the command of a call that runs one. In `["bash", "-lc", "make test"]` that is the last word.
fn command(name: &str, input: &Value) -> Option<String> {
    let known = [
        "Bash",
        "bash",
        "shell",
        "exec_command",
        "local_shell",
        "run_shell_command",
        "run_terminal_cmd",
        "execute_command",
        "shell_command",
    ];
    if !known.contains(&name) {
        return None;
    }
    let given = ["command", "cmd"].iter().map(|field| &input[*field]).find(|given| !given.is_null())?;
    match given {
        Value::String(line) => Some(line.clone()),
        Value::Array(words) => {
            let words: Vec<&str> = words.iter().filter_map(Value::as_str).collect();
            let is_shell = words.len() == 3 && words[1].starts_with('-') && words[1].ends_with('c');
            Some(if is_shell { words[2].to_owned() } else { words.join(" ") })
        }
        _ => None,
    }
}

/// Whether a subagent or a server reports passed tests. Only the counts in its report show that it ran them.
fn reports_tests(name: &str, said: &str) -> bool {
    let tests = |tool: &str| tool.to_lowercase().contains("test");
    let is_delegated = matches!(name, "Task" | "Agent") || name.strip_prefix("mcp__").is_some_and(tests);
    let run = Run::of(name, Some(false), said);
    is_delegated && run.is_test && run.has_failed == Some(false)
}

fn has_failed(is_error: Option<bool>, said: &str) -> Option<bool> {
    is_error.filter(|failed| *failed).or_else(|| exit_code(said).map(|code| code != 0)).or(is_error)
}

/// Whether a human refused a call.
fn is_refusal(said: &str) -> bool {
    let said: String = said.chars().take(400).flat_map(char::to_lowercase).collect();
    let marks = [
        "user doesn't want to proceed",
        "tool use was rejected",
        "user rejected",
        "rejected by user",
        "denied by the user",
        "denied by user",
        "cancelled by the user",
        "has been denied",
        "user declined",
        "user denied",
    ];
    marks.iter().any(|mark| said.contains(mark))
}

/// Returns the number in "Exit code 1", "exited with code 1" or "Exit code: 1".
fn exit_code(said: &str) -> Option<i64> {
    let lower = said.to_lowercase();
    let edges = [
        &lower[..lower.floor_char_boundary(200)],
        &lower[lower.ceil_char_boundary(lower.len().saturating_sub(200))..],
    ];
    let marks = ["exit code: ", "exit code ", "exited with code ", "exit_code\":", "<exit_code>"];
    let after = edges.iter().find_map(|edge| marks.iter().find_map(|mark| edge.split(mark).nth(1)))?;
    after.trim_start().chars().take_while(char::is_ascii_digit).collect::<String>().parse().ok()
}

/// Returns the human's answers in the result of Claude Code's tool for questions: `"question"="answer", …`.
fn answers(said: &str) -> String {
    let answer = |after: &str| {
        let ended = after.split_once("\". You can now").or_else(|| after.rsplit_once("\", \""));
        ended.map_or(after.trim_end_matches(['.', '"']), |(answer, _)| answer).to_owned()
    };
    said.split("\"=\"").skip(1).map(answer).collect::<Vec<_>>().join("\n")
}

/// Returns the id that a background call was given.
fn task_name(said: &str) -> Option<String> {
    let after = ["with ID: ", "ID: ", "agentId: "].iter().find_map(|mark| said.split(mark).nth(1))?;
    let name: String = after.chars().take_while(|c| c.is_alphanumeric() || *c == '_' || *c == '-').collect();
    (!name.is_empty()).then_some(name)
}
