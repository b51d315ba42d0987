//! Bytes of a stream into frames: server-sent events or one JSON object per line.
//!
//! Bytes arrive cut anywhere, also within a character or a line end, so lines are put together as bytes and
//! read as text only when they are whole.

/// How a wire separates the pieces of a stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Framing {
    ServerSentEvents,
    JsonLines,
}

#[derive(Debug)]
pub(super) struct Frames {
    framing: Framing,
    line: Vec<u8>,
    after_return: bool,
    data: Option<String>,
}

/// A line that is not text.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct NotUtf8;

impl Frames {
    pub(super) fn new(framing: Framing) -> Self {
        Self { framing, line: Vec::new(), after_return: false, data: None }
    }

    /// The frames that these bytes complete.
    pub(super) fn feed(&mut self, bytes: &[u8]) -> Result<Vec<String>, NotUtf8> {
        let mut frames = Vec::new();
        for &byte in bytes {
            let second_half = byte == b'\n' && self.after_return;
            self.after_return = byte == b'\r';
            match byte {
                b'\n' if second_half => {}
                b'\n' | b'\r' => frames.extend(self.end_line()?),
                _ => self.line.push(byte),
            }
        }
        Ok(frames)
    }

    /// What is left when the stream ends without a last line end.
    pub(super) fn finish(mut self) -> Result<Vec<String>, NotUtf8> {
        let last_line = self.end_line()?;
        Ok(last_line.into_iter().chain(self.data.take()).collect())
    }

    fn end_line(&mut self) -> Result<Option<String>, NotUtf8> {
        let line = String::from_utf8(std::mem::take(&mut self.line)).map_err(|_| NotUtf8)?;
        Ok(match self.framing {
            Framing::JsonLines => (!line.trim().is_empty()).then_some(line),
            Framing::ServerSentEvents if line.is_empty() => self.data.take(),
            Framing::ServerSentEvents => {
                self.add_field(&line);
                None
            }
        })
    }

    /// Comments and fields other than data carry nothing that the wires need.
    fn add_field(&mut self, line: &str) {
        let Some(value) = line.strip_prefix("data:") else { return };
        let value = value.strip_prefix(' ').unwrap_or(value);
        match &mut self.data {
            Some(data) => {
                data.push('\n');
                data.push_str(value);
            }
            None => self.data = Some(value.to_owned()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The frames must be the same however the bytes are cut.
    fn check(framing: Framing, bytes: &[u8], expected: Result<&[&str], NotUtf8>) {
        for size in 1..=bytes.len() {
            let mut frames = Frames::new(framing);
            let read = bytes.chunks(size).try_fold(Vec::new(), |mut all, chunk| {
                all.extend(frames.feed(chunk)?);
                Ok(all)
            });
            let read = read.and_then(|mut all| {
                all.extend(frames.finish()?);
                Ok(all)
            });
            let expected =
                expected.as_ref().map(|frames| frames.iter().map(|f| f.to_string()).collect::<Vec<_>>());
            assert_eq!(
                read.as_ref(),
                expected.as_ref().map_err(|error| *error),
                "{bytes:?} in pieces of {size}"
            );
        }
    }

    #[test]
    fn frames_are_found_however_the_bytes_are_cut() {
        use Framing::{JsonLines, ServerSentEvents as Sse};
        check(Sse, b"data: a\n\ndata:b\n\n", Ok(&["a", "b"]));
        check(Sse, b"data: a\r\n\r\ndata: b\r\rdata: c\n\n", Ok(&["a", "b", "c"]));
        check(Sse, b": ping\nevent: x\nid: 3\ndata: a\n\n\n\n", Ok(&["a"]));
        check(Sse, b"data: a\ndata: b\n\n", Ok(&["a\nb"]));
        check(Sse, b"data: a\n\ndata: last", Ok(&["a", "last"]));
        check(Sse, "data: gr\u{fc}\u{df}e \u{1f600}\n\n".as_bytes(), Ok(&["gr\u{fc}\u{df}e \u{1f600}"]));
        check(Sse, b"data: \xff\xfe\n\n", Err(NotUtf8));
        check(Sse, b"<html>\n\n", Ok(&[]));
        check(JsonLines, b"{}\n\n{\"a\":1}\r\n{\"b\":2}", Ok(&["{}", "{\"a\":1}", "{\"b\":2}"]));
    }
}
