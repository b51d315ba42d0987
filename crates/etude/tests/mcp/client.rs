//! A client that speaks plain JSON-RPC on stdio or over HTTP and checks every answer against its schema.

use crate::common::{Folder, Server};
use serde_json::{Value, json};
use std::collections::HashMap;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Stdio};

/// The previous revision; see `protocol.rs` for the present one.
pub const BEFORE: &str = "2025-11-25";

#[derive(Debug)]
pub struct Client {
    line: Line,
    schemas: HashMap<String, Value>,
    last_id: u64,
}

#[derive(Debug)]
enum Line {
    Stdio { child: Child, input: Option<ChildStdin>, output: BufReader<ChildStdout> },
    Http(Server),
}

/// A tool's answer.
#[derive(Debug)]
pub struct Called {
    pub is_error: bool,
    pub structured: Value,
    pub text: String,
}

/// Runs a test once on stdio and once over HTTP, each with data of its own.
pub fn on_both(test: impl Fn(&mut Client)) {
    let folder = Folder::new();
    test(&mut Client::stdio(&folder, &[]));
    let folder = Folder::new();
    test(&mut Client::http(&folder));
}

/// Runs a test on stdio only, which is quicker; for behaviour that does not depend on the transport.
pub fn on_stdio(test: impl Fn(&mut Client)) {
    let folder = Folder::new();
    test(&mut Client::stdio(&folder, &[]));
}

impl Client {
    pub fn stdio(folder: &Folder, arguments: &[&str]) -> Client {
        let mut command = folder.command(&[&["mcp"], arguments].concat());
        let piped = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = piped.spawn().expect("the program starts");
        let input = child.stdin.take();
        let output = BufReader::new(child.stdout.take().expect("it is piped"));
        Client::begin(Line::Stdio { child, input, output })
    }

    pub fn http(folder: &Folder) -> Client {
        Client::begin(Line::Http(folder.serve(&[])))
    }

    fn begin(line: Line) -> Client {
        let mut client = Client { line, schemas: HashMap::new(), last_id: 0 };
        let hello = json!({
            "protocolVersion": BEFORE, "capabilities": {}, "clientInfo": {"name": "test", "version": "1"},
        });
        let info = client.request("initialize", hello).expect("the server says who it is");
        assert_eq!(info["protocolVersion"], BEFORE, "{info}");
        client.notify("notifications/initialized");
        let contract = Folder::new().run(&["mcp", "--contract"]).json();
        for tool in contract["tools"].as_array().expect("a list of tools") {
            let name = tool["name"].as_str().expect("a tool has a name");
            client.schemas.insert(name.to_owned(), tool["outputSchema"].clone());
        }
        client
    }

    /// Sends a request and returns its result or its error.
    pub fn request(&mut self, method: &str, params: Value) -> Result<Value, Value> {
        self.last_id += 1;
        let id = self.last_id;
        let sent = json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params});
        let reply = self.exchange(&sent.to_string(), true).expect("a request is answered");
        assert_eq!(reply["id"], id, "{reply}");
        match reply.get("error") {
            Some(error) => Err(error.clone()),
            None => Ok(reply["result"].clone()),
        }
    }

    pub fn notify(&mut self, method: &str) {
        self.exchange(&json!({"jsonrpc": "2.0", "method": method}).to_string(), false);
    }

    /// Sends a line or a body unchanged.
    pub fn exchange(&mut self, text: &str, is_answered: bool) -> Option<Value> {
        match &mut self.line {
            Line::Stdio { input, output, .. } => {
                let input = input.as_mut().expect("the input is open");
                writeln!(input, "{text}").and_then(|()| input.flush()).expect("the server reads");
                is_answered.then(|| read_line(output))
            }
            Line::Http(server) => {
                let request =
                    server.client.request("POST", "/mcp").header("Content-Type", "application/json");
                let request = request.header("Accept", "application/json, text/event-stream").body(text);
                let reply = server.client.send(&request);
                is_answered.then(|| reply.json())
            }
        }
    }

    /// Reads the next message of a server on stdio.
    pub fn read(&mut self) -> Value {
        match &mut self.line {
            Line::Stdio { output, .. } => read_line(output),
            Line::Http(_) => panic!("over HTTP every answer belongs to a request"),
        }
    }

    /// Calls a tool. A result that is no error must fit the tool's schema.
    pub fn call(&mut self, tool: &str, arguments: Value) -> Called {
        let result = self.request("tools/call", json!({"name": tool, "arguments": arguments}));
        let result = result.unwrap_or_else(|error| panic!("{tool}: {error}"));
        let called = Called {
            is_error: result["isError"].as_bool().unwrap_or(false),
            structured: result["structuredContent"].clone(),
            text: result["content"][0]["text"].as_str().expect("an answer has a text").to_owned(),
        };
        // A program with flows of its own has no contract file.
        if let (false, Some(schema)) = (called.is_error, self.schemas.get(tool)) {
            let valid = jsonschema::validate(schema, &called.structured);
            assert!(valid.is_ok(), "{tool}: {valid:?} in {}", called.structured);
        }
        called
    }

    /// Calls a tool that must succeed, and returns its structured result.
    pub fn get(&mut self, tool: &str, arguments: Value) -> Value {
        let called = self.call(tool, arguments);
        assert!(!called.is_error, "{tool}: {}", called.text);
        called.structured
    }

    /// Calls a tool that must refuse, and returns the code and message of the refusal.
    pub fn refused(&mut self, tool: &str, arguments: Value) -> (String, String) {
        let called = self.call(tool, arguments);
        assert!(called.is_error, "{tool}: {}", called.text);
        let error = &called.structured["error"];
        let text = |name: &str| error[name].as_str().unwrap_or("").to_owned();
        assert!(!text("code").is_empty() && !text("cure").is_empty(), "{error}");
        assert!(called.text.contains(&text("message")), "{}", called.text);
        (text("code"), text("message"))
    }

    /// Closes the input of a server on stdio and returns the exit code.
    pub fn hang_up(mut self) -> Option<i32> {
        match &mut self.line {
            Line::Stdio { child, input, .. } => {
                drop(input.take());
                child.wait().expect("the child is ours").code()
            }
            Line::Http(_) => None,
        }
    }

    pub fn server(&self) -> Option<&Server> {
        match &self.line {
            Line::Http(server) => Some(server),
            Line::Stdio { .. } => None,
        }
    }
}

/// Reads one line as JSON, because standard output may carry only the protocol.
fn read_line(output: &mut impl BufRead) -> Value {
    let mut line = String::new();
    output.read_line(&mut line).expect("the server writes text");
    serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error}: {line:?}"))
}

impl Drop for Client {
    fn drop(&mut self) {
        if let Line::Stdio { child, .. } = &mut self.line {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}
