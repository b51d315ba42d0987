//! Calls one function of the learner's, once for each line of arguments. Lines come on descriptor 3, answers go to descriptor 4.
//! A library of its own, because compiling it takes longer than compiling a learner's program.
#![allow(dead_code, unused, clippy::all)]

use std::collections::{BTreeMap, HashMap};
use std::fs::File;
use std::hash::Hash;
use std::io::{BufRead, BufReader, Read, Write};
use std::os::fd::FromRawFd;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;

#[derive(Debug, Clone)]
pub enum Json {
    Null,
    Bool(bool),
    Number(String),
    Text(String),
    List(Vec<Json>),
    Object(Vec<(String, Json)>),
}

/// A type of an argument of the learner's function. Borrowed arguments are leaked: the process ends with the tests.
pub trait Take: Sized {
    fn take(json: Json) -> Result<Self, String>;
}

/// A type that the learner's function returns.
pub trait Give {
    fn give(&self, into: &mut String);
}

static WHERE: Mutex<Option<u32>> = Mutex::new(None);

pub fn drive(arity: usize, call: &dyn Fn(Vec<Json>) -> Result<String, String>) {
    std::panic::set_hook(Box::new(|info| {
        let line = info.location().filter(|at| at.file().ends_with("solution.rs")).map(|at| at.line());
        *WHERE.lock().unwrap() = line;
    }));
    // Both descriptors were opened for this process, and nothing else in it owns them.
    let (input, mut output) = unsafe { (File::from_raw_fd(3), File::from_raw_fd(4)) };
    let mut say = |text: String| output.write_all(text.as_bytes()).unwrap_or_else(|_| std::process::exit(3));
    say("{\"ready\":null}\n".into());
    for line in BufReader::new(input).lines() {
        let Ok(line) = line else { return };
        let args = match Reader::read(&line) {
            Some(Json::List(args)) if args.len() == arity => args,
            Some(Json::List(args)) => {
                let message = format!("the test has {} arguments, the function takes {arity}", args.len());
                say(failure(&message, None));
                continue;
            }
            _ => {
                say(failure("the arguments cannot be read", None));
                continue;
            }
        };
        *WHERE.lock().unwrap_or_else(|broken| broken.into_inner()) = None;
        let told = match catch_unwind(AssertUnwindSafe(|| call(args))) {
            Ok(Ok(value)) => format!("{{\"value\":{value}}}\n"),
            Ok(Err(message)) => failure(&message, None),
            Err(payload) => {
                let text = payload.downcast_ref::<&str>().map(|text| text.to_string());
                let text = text.or_else(|| payload.downcast_ref::<String>().cloned()).unwrap_or_default();
                let line = *WHERE.lock().unwrap_or_else(|broken| broken.into_inner());
                failure(&format!("panicked: {text}"), line)
            }
        };
        let _ = std::io::stdout().flush();
        say(told);
    }
}

fn failure(message: &str, line: Option<u32>) -> String {
    let mut quoted = String::new();
    message.give(&mut quoted);
    let line = line.map_or("null".to_owned(), |line| line.to_string());
    format!("{{\"error\":{{\"kind\":\"runtime\",\"message\":{quoted},\"line\":{line}}}}}\n")
}

fn told<R: Give>(value: R) -> Result<String, String> {
    let mut text = String::new();
    value.give(&mut text);
    Ok(text)
}

fn next<A: Take>(args: &mut std::vec::IntoIter<Json>, at: usize) -> Result<A, String> {
    let json = args.next().unwrap_or(Json::Null);
    A::take(json).map_err(|why| format!("argument {at} does not fit the function's parameter: {why}"))
}

macro_rules! calls {
    ($($name:ident($($at:literal $kind:ident),*);)*) => { $(
        pub fn $name<$($kind: Take,)* R: Give>(function: impl Fn($($kind),*) -> R, args: Vec<Json>) -> Result<String, String> {
            let mut args = args.into_iter();
            told(function($(next::<$kind>(&mut args, $at)?),*))
        }
    )* };
}

calls! {
    call0();
    call1(1 A);
    call2(1 A, 2 B);
    call3(1 A, 2 B, 3 C);
    call4(1 A, 2 B, 3 C, 4 D);
    call5(1 A, 2 B, 3 C, 4 D, 5 E);
    call6(1 A, 2 B, 3 C, 4 D, 5 E, 6 F);
    call7(1 A, 2 B, 3 C, 4 D, 5 E, 6 F, 7 G);
    call8(1 A, 2 B, 3 C, 4 D, 5 E, 6 F, 7 G, 8 H);
}

fn wrong<T>(wanted: &str, json: Json) -> Result<T, String> {
    let given = match json {
        Json::Null => "null".to_owned(),
        Json::Bool(value) => value.to_string(),
        Json::Number(digits) => digits,
        Json::Text(text) => format!("{text:?}"),
        Json::List(_) => "a list".to_owned(),
        Json::Object(_) => "an object".to_owned(),
    };
    Err(format!("{given} is not {wanted}"))
}

macro_rules! integers {
    ($($kind:ident)*) => { $(
        impl Take for $kind {
            fn take(json: Json) -> Result<Self, String> {
                match json {
                    Json::Number(digits) => digits.parse().map_err(|_| format!("{digits} is not of type {}", stringify!($kind))),
                    other => wrong("an integer", other),
                }
            }
        }
        impl Give for $kind {
            fn give(&self, into: &mut String) {
                into.push_str(&self.to_string());
            }
        }
    )* };
}
integers!(i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize);

macro_rules! floats {
    ($($kind:ident)*) => { $(
        impl Take for $kind {
            fn take(json: Json) -> Result<Self, String> {
                match json {
                    Json::Number(digits) => digits.parse().map_err(|_| format!("{digits} is not a number")),
                    Json::Object(pairs) if pairs.len() == 1 && pairs[0].0 == "$float" => match &pairs[0].1 {
                        Json::Text(name) => name.parse().map_err(|_| format!("{name} is not a number")),
                        other => wrong("a number", other.clone()),
                    },
                    other => wrong("a number", other),
                }
            }
        }
        impl Give for $kind {
            fn give(&self, into: &mut String) {
                if self.is_nan() {
                    into.push_str("{\"$float\":\"nan\"}");
                } else if self.is_infinite() {
                    into.push_str(if *self > 0.0 { "{\"$float\":\"inf\"}" } else { "{\"$float\":\"-inf\"}" });
                } else {
                    into.push_str(&format!("{self:?}"));
                }
            }
        }
    )* };
}
floats!(f32 f64);

impl Take for bool {
    fn take(json: Json) -> Result<Self, String> {
        match json {
            Json::Bool(value) => Ok(value),
            other => wrong("true or false", other),
        }
    }
}
impl Give for bool {
    fn give(&self, into: &mut String) {
        into.push_str(if *self { "true" } else { "false" });
    }
}

impl Take for String {
    fn take(json: Json) -> Result<Self, String> {
        match json {
            Json::Text(text) => Ok(text),
            other => wrong("a text", other),
        }
    }
}
impl Take for &'static str {
    fn take(json: Json) -> Result<Self, String> {
        String::take(json).map(|text| &*text.leak())
    }
}
impl Take for &'static String {
    fn take(json: Json) -> Result<Self, String> {
        String::take(json).map(|text| &*Box::leak(Box::new(text)))
    }
}
impl Give for str {
    fn give(&self, into: &mut String) {
        into.push('"');
        for letter in self.chars() {
            match letter {
                '"' => into.push_str("\\\""),
                '\\' => into.push_str("\\\\"),
                control if (control as u32) < 32 => into.push_str(&format!("\\u{:04x}", control as u32)),
                other => into.push(other),
            }
        }
        into.push('"');
    }
}
impl Give for String {
    fn give(&self, into: &mut String) {
        self.as_str().give(into);
    }
}

impl Take for char {
    fn take(json: Json) -> Result<Self, String> {
        match json {
            Json::Text(text) if text.chars().count() == 1 => Ok(text.chars().next().unwrap()),
            other => wrong("one character", other),
        }
    }
}
impl Give for char {
    fn give(&self, into: &mut String) {
        self.to_string().give(into);
    }
}

impl<T: Take> Take for Vec<T> {
    fn take(json: Json) -> Result<Self, String> {
        match json {
            Json::List(items) => items.into_iter().map(T::take).collect(),
            other => wrong("a list", other),
        }
    }
}
impl<T: Take> Take for &'static [T] {
    fn take(json: Json) -> Result<Self, String> {
        Vec::take(json).map(|items| &*items.leak())
    }
}
impl<T: Take> Take for &'static mut [T] {
    fn take(json: Json) -> Result<Self, String> {
        Vec::take(json).map(|items| items.leak())
    }
}
impl<T: Take> Take for &'static Vec<T> {
    fn take(json: Json) -> Result<Self, String> {
        Vec::take(json).map(|items| &*Box::leak(Box::new(items)))
    }
}
impl<T: Take> Take for &'static mut Vec<T> {
    fn take(json: Json) -> Result<Self, String> {
        Vec::take(json).map(|items| Box::leak(Box::new(items)))
    }
}
impl<T: Give> Give for [T] {
    fn give(&self, into: &mut String) {
        into.push('[');
        for (at, item) in self.iter().enumerate() {
            into.push_str(if at == 0 { "" } else { "," });
            item.give(into);
        }
        into.push(']');
    }
}
impl<T: Give> Give for Vec<T> {
    fn give(&self, into: &mut String) {
        self.as_slice().give(into);
    }
}
impl<T: Give, const N: usize> Give for [T; N] {
    fn give(&self, into: &mut String) {
        self.as_slice().give(into);
    }
}
impl<T: Take, const N: usize> Take for [T; N] {
    fn take(json: Json) -> Result<Self, String> {
        let items: Vec<T> = Vec::take(json)?;
        items.try_into().map_err(|items: Vec<T>| format!("a list of {} is not one of {N}", items.len()))
    }
}

impl<T: Give + ?Sized> Give for &T {
    fn give(&self, into: &mut String) {
        (**self).give(into);
    }
}
impl<T: Give + ?Sized> Give for Box<T> {
    fn give(&self, into: &mut String) {
        (**self).give(into);
    }
}
impl<T: Take> Take for Box<T> {
    fn take(json: Json) -> Result<Self, String> {
        T::take(json).map(Box::new)
    }
}
impl Give for () {
    fn give(&self, into: &mut String) {
        into.push_str("null");
    }
}

impl<T: Take> Take for Option<T> {
    fn take(json: Json) -> Result<Self, String> {
        match json {
            Json::Null => Ok(None),
            other => T::take(other).map(Some),
        }
    }
}
impl<T: Give> Give for Option<T> {
    fn give(&self, into: &mut String) {
        match self {
            Some(value) => value.give(into),
            None => into.push_str("null"),
        }
    }
}

macro_rules! maps {
    ($($map:ident: $($bound:path),*;)*) => { $(
        impl<T: Take> Take for $map<String, T> {
            fn take(json: Json) -> Result<Self, String> {
                match json {
                    Json::Object(pairs) => pairs.into_iter().map(|(key, item)| Ok((key, T::take(item)?))).collect(),
                    other => wrong("an object", other),
                }
            }
        }
        impl<K: std::fmt::Display $(+ $bound)*, T: Give> Give for $map<K, T> {
            fn give(&self, into: &mut String) {
                into.push('{');
                for (at, (key, item)) in self.iter().enumerate() {
                    into.push_str(if at == 0 { "" } else { "," });
                    key.to_string().give(into);
                    into.push(':');
                    item.give(into);
                }
                into.push('}');
            }
        }
    )* };
}
maps! { HashMap: Eq, Hash; BTreeMap: Ord; }

macro_rules! tuples {
    ($($size:literal: $($kind:ident $at:tt),*;)*) => { $(
        impl<$($kind: Take),*> Take for ($($kind,)*) {
            fn take(json: Json) -> Result<Self, String> {
                match json {
                    Json::List(items) if items.len() == $size => {
                        let mut items = items.into_iter();
                        Ok(($($kind::take(items.next().unwrap_or(Json::Null))?,)*))
                    }
                    other => wrong(concat!("a list of ", $size), other),
                }
            }
        }
        impl<$($kind: Give),*> Give for ($($kind,)*) {
            fn give(&self, into: &mut String) {
                into.push('[');
                $(
                    into.push_str(if $at == 0 { "" } else { "," });
                    self.$at.give(into);
                )*
                into.push(']');
            }
        }
    )* };
}
tuples! { 2: A 0, B 1; 3: A 0, B 1, C 2; 4: A 0, B 1, C 2, D 3; }

struct Reader<'a> {
    text: &'a [u8],
    at: usize,
}

impl Reader<'_> {
    fn read(text: &str) -> Option<Json> {
        Reader { text: text.as_bytes(), at: 0 }.value()
    }

    fn peek(&mut self) -> Option<u8> {
        while self.text.get(self.at).is_some_and(u8::is_ascii_whitespace) {
            self.at += 1;
        }
        self.text.get(self.at).copied()
    }

    fn word(&mut self, word: &str, json: Json) -> Option<Json> {
        let is_here = self.text[self.at..].starts_with(word.as_bytes());
        self.at += word.len();
        is_here.then_some(json)
    }

    fn value(&mut self) -> Option<Json> {
        match self.peek()? {
            b'n' => self.word("null", Json::Null),
            b't' => self.word("true", Json::Bool(true)),
            b'f' => self.word("false", Json::Bool(false)),
            b'"' => self.text().map(Json::Text),
            b'[' => self.list(),
            b'{' => self.object(),
            _ => self.number(),
        }
    }

    fn number(&mut self) -> Option<Json> {
        let begin = self.at;
        let is_part = |byte: &u8| byte.is_ascii_digit() || b"+-.eE".contains(byte);
        while self.text.get(self.at).is_some_and(is_part) {
            self.at += 1;
        }
        let digits = std::str::from_utf8(&self.text[begin..self.at]).ok()?;
        (!digits.is_empty()).then(|| Json::Number(digits.to_owned()))
    }

    fn text(&mut self) -> Option<String> {
        let mut bytes = Vec::new();
        self.at += 1;
        loop {
            match *self.text.get(self.at)? {
                b'"' => break,
                b'\\' => {
                    self.at += 1;
                    let letter = match *self.text.get(self.at)? {
                        b'n' => '\n',
                        b't' => '\t',
                        b'r' => '\r',
                        b'b' => '\u{8}',
                        b'f' => '\u{c}',
                        b'u' => {
                            let digits = std::str::from_utf8(self.text.get(self.at + 1..self.at + 5)?).ok()?;
                            self.at += 4;
                            char::from_u32(u32::from_str_radix(digits, 16).ok()?)?
                        }
                        other => other as char,
                    };
                    bytes.extend(letter.to_string().as_bytes());
                }
                other => bytes.push(other),
            }
            self.at += 1;
        }
        self.at += 1;
        String::from_utf8(bytes).ok()
    }

    fn list(&mut self) -> Option<Json> {
        let mut items = Vec::new();
        self.at += 1;
        while self.peek()? != b']' {
            items.push(self.value()?);
            if self.peek()? == b',' {
                self.at += 1;
            }
        }
        self.at += 1;
        Some(Json::List(items))
    }

    fn object(&mut self) -> Option<Json> {
        let mut pairs = Vec::new();
        self.at += 1;
        while self.peek()? != b'}' {
            let key = self.text()?;
            if self.peek()? != b':' {
                return None;
            }
            self.at += 1;
            pairs.push((key, self.value()?));
            if self.peek()? == b',' {
                self.at += 1;
            }
        }
        self.at += 1;
        Some(Json::Object(pairs))
    }
}
