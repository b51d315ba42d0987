//! Tests of the server as a process: how it starts, who gets in, which changes it announces, how it ends.

use crate::common::{Client, Folder, eventually, example, law, number, text};
use std::io::{Read, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

#[test]
fn a_change_is_announced() {
    let folder = Folder::new();
    let server = folder.serve(&["--law", &example("turnstile.yaml")]);
    let client = &server.client;
    let id = client.open("Turnstile");
    let mut one = client.watch(&format!("/api/instances/{id}/changes"));
    let standing = one.next().expect("a watcher is first told where the flow stands");
    assert_eq!((text(&standing, "/id"), number(&standing, "/version")), (id.as_str(), 1));
    let mut all = client.watch("/api/changes");
    for version in 2..=3 {
        assert_eq!(client.event(&id, "push").status, 200);
        for watch in [&mut one, &mut all] {
            let change = watch.next().expect("the stream is open");
            assert_eq!((text(&change, "/id"), number(&change, "/version")), (id.as_str(), version));
        }
    }
}

/// The server gets no notice of changes by other processes, and other requests keep it busy meanwhile.
#[test]
fn a_change_by_another_process_is_seen_on_a_busy_server() {
    let folder = Folder::new();
    let law = example("turnstile.yaml");
    let server = folder.serve(&["--law", &law]);
    let client = &server.client;
    let watched = client.open("Turnstile");
    let mut watch = client.watch(&format!("/api/instances/{watched}/changes"));
    watch.next().expect("a watcher is first told where the flow stands");
    let is_seen = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let busy = scope.spawn(|| {
            for _ in 0..50 {
                if is_seen.load(Ordering::Relaxed) {
                    return true;
                }
                client.open("Turnstile");
                std::thread::sleep(Duration::from_millis(200));
            }
            false
        });
        let sent = folder.run(&["send", &watched, "push"]);
        assert_eq!(sent.code, Some(0), "{sent:?}");
        let change = watch.next().expect("the stream is open");
        is_seen.store(true, Ordering::Relaxed);
        assert_eq!(number(&change, "/version"), 2);
        assert!(busy.join().expect("the others end well"), "it was seen only when the others had gone");
    });
}

#[test]
fn the_address_for_the_browser_works_once() {
    let folder = Folder::new();
    let server = folder.serve(&["--law", &example("turnstile.yaml")]);
    let stranger = Client::new(&server.client.address, None);
    assert_eq!(stranger.get("/api/home").status, 401);
    assert_eq!(stranger.get("/open?code=0123").status, 403);
    assert_eq!(stranger.get("/open").status, 403);
    let reply = stranger.get(&server.once);
    assert_eq!((reply.status, reply.header("location")), (303, "/"), "{reply:?}");
    let parts: Vec<&str> = reply.header("set-cookie").split("; ").collect();
    assert!(parts.contains(&"HttpOnly") && parts.contains(&"SameSite=Strict"), "{parts:?}");
    let home = stranger.send(&stranger.request("GET", "/api/home").header("Cookie", parts[0]));
    assert_eq!(home.status, 200, "{home:?}");
    let again = stranger.get(&server.once);
    assert_eq!((again.status, text(&again.json(), "/code")), (403, "code_used"), "{again:?}");
    assert_eq!(again.header("set-cookie"), "");
}

#[cfg(unix)]
#[test]
fn only_its_owner_can_read_the_token() {
    use std::os::unix::fs::PermissionsExt;
    let folder = Folder::new();
    let server = folder.serve(&[]);
    let mode =
        |path: &std::path::Path| std::fs::metadata(path).expect("it is there").permissions().mode() & 0o777;
    for file in ["token", "etude.db", "etude.db-wal"] {
        assert_eq!(mode(&folder.data().join(file)), 0o600, "{file}");
    }
    assert_eq!(mode(&folder.data()), 0o700);
    let printed = folder.run(&["token"]);
    assert_eq!(Some(printed.stdout.trim()), server.client.token.as_deref());
}

#[test]
fn servers_that_start_together_agree_on_the_token() {
    for _ in 0..5 {
        let folder = Folder::new();
        let tokens: Vec<String> = std::thread::scope(|scope| {
            let one = || scope.spawn(|| folder.run(&["token"]).stdout.trim().to_owned());
            let threads: Vec<_> = (0..8).map(|_| one()).collect();
            threads.into_iter().map(|thread| thread.join().expect("no panic")).collect()
        });
        assert!(tokens[0].len() >= 32 && tokens.iter().all(|token| *token == tokens[0]), "{tokens:?}");
    }
}

#[test]
fn the_server_ends_on_request_despite_watchers() {
    let folder = Folder::new();
    let server = folder.serve(&["--law", &example("turnstile.yaml")]);
    let id = server.client.open("Turnstile");
    let mut watch = server.client.watch(&format!("/api/instances/{id}/changes"));
    let mut all = server.client.watch("/api/changes");
    watch.next().expect("the stream is open");
    let status = server.terminate().expect("it ends in time");
    assert_eq!(status.code(), Some(0));
    assert_eq!((watch.next(), all.next()), (None, None));
    let server = folder.serve(&["--law", &example("turnstile.yaml")]);
    assert_eq!(text(&server.client.view(&id), "/state"), "LOCKED");
}

/// Takes ten seconds, because the server waits that long for the head of a request. It is the only test that has to
/// wait for a clock which it cannot set.
#[test]
fn an_endless_request_is_cut_off() {
    let folder = Folder::new();
    let server = folder.serve(&[]);
    let mut stream = server.client.connect();
    stream.set_read_timeout(Some(Duration::from_millis(250))).expect("a socket has a time-out");
    // Each byte comes a quarter of a second after the previous one.
    let mut bytes = 0;
    eventually("the end of the connection", || {
        let wrote = stream.write_all(b"x");
        bytes += 1;
        let mut byte = [0];
        let is_over = match stream.read(&mut byte) {
            Ok(read) => read == 0,
            Err(error) => error.kind() != std::io::ErrorKind::WouldBlock,
        };
        (is_over || wrote.is_err()).then_some(())
    });
    assert!(bytes > 4, "a slow network deserves more than {bytes} bytes");
    assert_eq!(server.client.get("/healthz").status, 200);
}

#[test]
fn an_unproved_law_is_not_served() {
    let folder = Folder::new();
    let stuck = folder.write("stuck.yaml", "session: S\nversion: 1\nstates:\n  A: {on: {timeout: A}}\n");
    for path in [law("drill-0.2.yaml"), stuck] {
        let outcome = folder.run(&["serve", "--address", "127.0.0.1:0", "--law", &path]);
        assert_eq!(outcome.code, Some(1), "{outcome:?}");
        for part in ["may not run", "error[F0", "= help: "] {
            assert!(outcome.stderr.contains(part), "no `{part}` in {outcome:?}");
        }
        assert!(!outcome.stdout.contains("listens"), "{outcome:?}");
    }
}

#[test]
fn a_taken_address_is_reported_with_a_cure() {
    let folder = Folder::new();
    let server = folder.serve(&[]);
    let outcome = folder.run(&["serve", "--address", &server.client.address]);
    assert_eq!(outcome.code, Some(1), "{outcome:?}");
    assert!(outcome.stderr.contains("--address"), "{outcome:?}");
}

const PATIENT: &str = "\
session: Patient
version: 1
context: {most: 2}
counters: {silences: 0}
states:
  WAITING:
    after: {300ms: timeout}
    on:
      timeout: {target: ENOUGH, count: silences}
      heard: {target: GONE, outcome: heard}
  ENOUGH:
    guard: silences >= most
    on_true: {target: GONE, outcome: left}
    on_false: WAITING
  GONE:
    type: final
    outcomes: [heard, left]
";

#[test]
fn time_moves_a_flow_by_itself() {
    let folder = Folder::new();
    let server = folder.serve(&["--law", &folder.write("patient.yaml", PATIENT)]);
    let client = &server.client;
    let (left, heard) = (client.open("Patient"), client.open("Patient"));
    assert_eq!(client.event(&heard, "heard").status, 200);
    let view = eventually("the end", || {
        let view = client.view(&left);
        view.get("outcome").is_some().then_some(view)
    });
    assert_eq!((text(&view, "/outcome"), number(&view, "/version")), ("left", 3));
    let log = client.get(&format!("/api/instances/{left}/log")).json();
    assert_eq!((text(&log, "/entries/1/event"), text(&log, "/entries/1/source")), ("timeout", "timer"));
    assert_eq!(
        (text(&client.view(&heard), "/outcome"), number(&client.view(&heard), "/version")),
        ("heard", 2)
    );
}

/// Strangers can send any method before they are asked for a token; the metrics keep none of their names.
#[test]
fn invented_methods_are_not_counted_by_name() {
    let folder = Folder::new();
    let server = folder.serve(&[]);
    let stranger = Client::new(&server.client.address, None);
    for number in 0..20 {
        assert_eq!(stranger.send(&stranger.request(&format!("MADE{number}"), "/")).status, 401);
    }
    let metrics = server.client.get("/metrics").body;
    assert!(!metrics.contains("MADE"), "{metrics}");
    assert!(metrics.contains(r#"method="other""#), "{metrics}");
}

/// A client that requests much and reads nothing loses its connection, although it never closes it.
#[test]
fn a_client_that_never_reads_is_disconnected() {
    let folder = Folder::new();
    let server = folder.serve(&[]);
    let mut stranger = server.client.connect();
    let request = format!("GET /openapi.json HTTP/1.1\r\nHost: {}\r\n\r\n", server.client.address);
    stranger.set_write_timeout(Some(Duration::from_secs(1))).expect("it is set");
    let mut attempts = 0;
    let is_over = |error: &std::io::Error| {
        !matches!(error.kind(), std::io::ErrorKind::WouldBlock | std::io::ErrorKind::TimedOut)
    };
    eventually("the end of the connection", || {
        attempts += 1;
        stranger.write_all(request.repeat(100).as_bytes()).err().filter(is_over)
    });
    assert!(attempts > 4, "it was given time for {attempts} attempts of a second each");
}

/// A client that sends too large a body receives the refusal, even if it sends everything before it reads.
#[test]
fn a_sender_of_too_much_is_told() {
    let folder = Folder::new();
    let server = folder.serve(&[]);
    let client = &server.client;
    let token = std::fs::read_to_string(folder.data().join("token")).expect("there is a token");
    let head = |framing: &str| {
        let (host, token) = (&client.address, token.trim());
        format!(
            "POST /api/instances HTTP/1.1\r\nHost: {host}\r\nAuthorization: Bearer {token}\r\n{framing}\r\n\r\n"
        )
    };
    let large = [head("Content-Length: 10485760").into_bytes(), vec![b' '; 10 << 20]].concat();
    let rows = [
        (large, "HTTP/1.1 413", "body_too_large"),
        (format!("{}ZZ\r\n", head("Transfer-Encoding: chunked")).into_bytes(), "HTTP/1.1 400", "bad_body"),
    ];
    for (request, status, code) in rows {
        let mut stream = client.connect();
        stream.write_all(&request).expect("it can be sent whole");
        let mut answer = vec![0; 4096];
        let length = stream.read(&mut answer).expect("it is answered");
        let answer = String::from_utf8_lossy(&answer[..length]).into_owned();
        assert!(answer.starts_with(status) && answer.contains(code), "{answer}");
    }
}

#[test]
fn a_server_answers_where_it_listens() {
    let folder = Folder::new();
    let server = folder.serve_at("127.0.0.2:0", &[]);
    assert_eq!(server.client.get("/healthz").status, 200);
}
