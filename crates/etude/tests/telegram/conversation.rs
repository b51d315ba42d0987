//! Tests with polling: a course from `/learn` to its quiz, strangers, commands, and a server that is killed again
//! and again.

use crate::common::stored::{instances, stored};
use crate::common::{Client, Folder, PATIENCE, Server, eventually, text};
use crate::telegram::bot::{BotApi, link};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::net::TcpListener;
use std::time::Duration;

const ADA: i64 = 42;

fn is_probe(text: &str) -> bool {
    !text.contains("First a few questions") && !text.contains("Your map has")
}

#[test]
fn a_stranger_is_answered_once_and_linked_by_a_code() {
    let (folder, bot) = (Folder::new(), BotApi::start());
    bot.configure(&folder, "");
    let server = folder.serve(&[]);
    let doctor = folder.run(&["doctor"]);
    assert!(doctor.stdout.contains("Telegram knows the bot @etude_test_bot"), "{doctor:?}");
    for text in ["hello", "/learn sql", "/start WRONGCODE2"] {
        bot.say(ADA, text);
    }
    let said = bot.hear(ADA, 0, "a bad code is refused", |text| text.contains("wrong or has expired"));
    assert_eq!(said.len(), 2, "one welcome: {said:?}");
    let start = link(&folder, &bot, "ada", ADA);
    let profile = folder.run(&["learner", "show", "ada"]).json();
    assert_eq!((&profile["telegram_chat"], &profile["preferred_channel"]), (&json!(ADA), &json!("telegram")));
    // A code works once.
    bot.say(7, &start);
    bot.hear(7, 0, "a used code is refused", |text| text.contains("wrong or has expired"));

    for (text, expected) in [
        ("/help", "/learn:"),
        ("/list", "You have no open course"),
        ("/review", "You have no open course"),
        ("/stop", "Nothing that you have open takes /stop"),
        ("/plan", "Nothing that you have open takes /plan"),
        ("/why", "marked an answer of yours"),
        ("what now", "not waiting for an answer"),
        ("/learn", "Tell me what"),
        ("/learn the history of buttons", "sql"),
    ] {
        let before = bot.said(ADA).len();
        bot.say(ADA, text);
        let said = bot.hear(ADA, before, text, |_| true);
        assert!(
            said[before].to_lowercase().contains(&expected.to_lowercase()),
            "{text}: {:?}",
            &said[before..]
        );
    }
    let before = bot.said(ADA).len();
    bot.control(json!({"do": "say", "chat_id": ADA}));
    bot.hear(ADA, before, "a voice message", |text| text.contains("only read text"));

    // The messages to a chat belong to its learner.
    eventually("all is noted", || (server.client.pending() == 0).then_some(()));
    let exported = folder.run(&["learner", "export", "ada"]).stdout;
    assert!(exported.contains("chat is linked") && exported.contains("42/"), "{exported}");
    assert_eq!(folder.run(&["learner", "delete", "ada", "--yes"]).code, Some(0));
    for owner in ["", "ada"] {
        let left = stored(folder.data(), async |store| store.all_records(owner, ("", ""), 1_000).await);
        let left = left.expect("documents are read");
        assert!(
            !left.iter().any(|left| left.key.starts_with("42") || left.scope.ends_with("/42")),
            "{left:?}"
        );
    }
}

/// A model that never answers delays the chat that needs it, and no other.
#[test]
fn a_slow_model_holds_up_one_chat_only() {
    let (folder, bot, bob) = (Folder::new(), BotApi::start(), 43);
    // This model server accepts connections and stays silent.
    let silent = TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = silent.local_addr().expect("bound").port();
    bot.configure(
        &folder,
        &format!(
            "[model]\npreset = \"openai-compatible\"\nbase_url = \"http://127.0.0.1:{port}/v1\"\nmodel = \"tiny\"\n\
             api_key = \"key\"\ntimeout_ms = {}",
            2 * PATIENCE.as_millis()
        ),
    );
    let _server = folder.serve(&[]);
    link(&folder, &bot, "ada", ADA);
    link(&folder, &bot, "bob", bob);
    bot.say(ADA, "/learn the history of buttons");
    let _asked = silent.accept().expect("the model is asked");
    let before = bot.said(bob).len();
    bot.say(bob, "/help");
    // The model is still silent: its timeout is twice as long as any test waits.
    bot.hear(bob, before, "help", |text| text.contains("/learn:"));
}

/// The whole way, while Telegram refuses, breaks and limits calls, and the server is killed after messages.
#[test]
fn a_course_survives_accidents_and_kills() {
    let (folder, bot) = (Folder::new(), BotApi::start());
    bot.configure(&folder, "");
    let lease = ["--lease-ms", "1000"];
    let mut server = Some(folder.serve(&lease));
    link(&folder, &bot, "ada", ADA);
    bot.accident("sendMessage", 1, json!({"kind": "refuse", "code": 429, "description": "Too Many Requests: retry after 1", "parameters": {"retry_after": 1}}));
    bot.accident("sendMessage", 1, json!({"kind": "page", "status": 502}));
    bot.accident("getUpdates", 2, json!({"kind": "page", "status": 502}));
    let heard = bot.said(ADA).len();
    bot.say(ADA, "/learn sql");
    let said = bot.hear(ADA, heard, "the first probe", is_probe);
    assert!(said[heard].contains("First a few questions"), "{said:?}");

    let (mut answers, mut nods, mut kills) = (0, 0, 0);
    for turn in 0..14 {
        match state(client(&server)).as_str() {
            "questioning" => {
                bot.say(ADA, "ok");
                nods += 1;
            }
            "diagnosing" | "evaluating" | "quizzing" => {
                bot.say(ADA, "I don't know");
                answers += 1;
            }
            other => panic!("the course is {other}"),
        }
        if turn % 3 == 0 {
            // Kills the server anywhere between the poll and the confirmation.
            std::thread::sleep(Duration::from_millis(15 * (turn % 7)));
            drop(server.take());
            server = Some(folder.serve(&lease));
            kills += 1;
        }
        if turn == 5 {
            bot.accident("sendMessage", 2, json!({"kind": "page", "status": 500}));
        }
        // The server has answered once everything is delivered and a new question or explanation was sent.
        eventually("all is delivered", || {
            let client = client(&server);
            let taken = happened(client, "answered") + happened(client, "go_on");
            (taken == answers + nods && client.pending() == 0).then_some(())
        });
    }
    println!("{answers} answers, {nods} nods, {kills} kills");
    assert!(nods >= 2 && answers >= 6, "the course came to questions and a quiz: {answers} {nods}");

    let client = client(&server);
    let taken = (happened(client, "answered"), happened(client, "go_on"));
    assert_eq!(taken, (answers, nods), "everything said is taken once");
    assert_eq!(client.get("/api/dead").json()["effects"], json!([]));
    let responses = stored(folder.data(), async |store| store.records("ada", "quiz_response", 1_000).await);
    assert_eq!(responses.expect("answers are read").len(), answers);

    in_order(&folder, &bot, kills);
}

fn client(server: &Option<Server>) -> &Client {
    &server.as_ref().expect("it runs").client
}

/// Checks that every stored message was sent in its order. Only a kill during sending may send a message twice.
fn in_order(folder: &Folder, bot: &BotApi, kills: usize) {
    let mut effects = stored(folder.data(), async |store| {
        let mut effects = Vec::new();
        for instance in instances(store).await {
            effects.extend(store.effects(&instance.id).await.expect("effects are read"));
        }
        effects
    });
    effects.retain(|effect| effect.kind == "notify");
    effects.sort_by_key(|effect| (effect.created_at, effect.key.len(), effect.key.clone()));
    let beginning = |text: &str| text.trim().chars().take(40).collect::<String>();
    let written = effects.iter().filter_map(|effect| {
        let payload: Value = serde_json::from_str(&effect.payload).expect("JSON");
        let part = |name: &str| payload[name].as_str().unwrap_or_default();
        let text = format!("{}\n\n{}", part("heading"), part("text"));
        let text = text.trim().replace("**", "").replace('`', "");
        (!text.is_empty()).then(|| beginning(&text))
    });
    let written: Vec<String> = written.collect();
    let said: Vec<String> = bot.said(ADA).iter().map(|text| beginning(text)).collect();
    let mut at = 0;
    for text in &written {
        let found = said[at..].iter().position(|said| said == text);
        at += found.unwrap_or_else(|| panic!("{text:?} is not said in its order: {said:#?}")) + 1;
    }
    let count = |all: &[String], text: &String| all.iter().filter(|one| *one == text).count();
    let distinct: BTreeSet<&String> = written.iter().collect();
    let repeated: usize = distinct.iter().map(|text| count(&said, text) - count(&written, text)).sum();
    println!("{} messages, {repeated} of them twice", written.len());
    assert!(repeated <= kills, "{repeated} were said twice after {kills} kills");
}

/// Returns the state of the only course.
fn state(client: &Client) -> String {
    text(&client.flows("teach")[0], "/state").to_owned()
}

/// Counts how often an event has happened in all courses.
fn happened(client: &Client, event: &str) -> usize {
    client.flows("teach").iter().map(|row| client.count(text(row, "/id"), event)).sum()
}

#[test]
fn questions_reviews_and_stops_find_their_flow() {
    let (folder, bot) = (Folder::new(), BotApi::start());
    bot.configure(&folder, "");
    let server = folder.serve(&[]);
    let client = &server.client;
    link(&folder, &bot, "ada", ADA);
    let ask = |text: &str, what: &str, part: &str| {
        let before = bot.said(ADA).len();
        bot.say(ADA, text);
        bot.hear(ADA, before, what, |said| said.contains(part))
    };
    ask("/learn sql", "the first probe", "First a few questions");
    for _ in 0..7 {
        if state(client) == "diagnosing" {
            let before = happened(client, "answered");
            bot.say(ADA, "I don't know");
            eventually("the answer is taken", || (happened(client, "answered") > before).then_some(()));
        }
    }
    assert_eq!(state(client), "questioning");
    let said =
        bot.hear(ADA, 0, "the lesson says what to do", |said| said.contains("Say “ok” when you are ready"));
    // A phone wraps lines as it needs, not where a curriculum's file does.
    assert!(said.iter().any(|text| text.contains("a note beside the total, a yellow cell")), "{said:?}");
    // The learner's own question moves nothing.
    ask("What is a table?", "the question is answered", "About");
    assert_eq!(happened(client, "asks"), 1);
    // Probes bring no feedback; a later answer does.
    ask("I don't know", "the answer is marked", "No answer, and that is fine");
    ask("/why", "the mark is told", "of 5");
    ask("/list", "the list", "mastered");
    ask("/stop", "it asks first", "/stop yes");
    assert_eq!(state(client), "questioning");
    ask("/stop yes", "it is put aside", "put it aside");
    assert_eq!(state(client), "abandoned");
    ask("another answer", "nothing waits", "not waiting for an answer");
}

/// A command that ends a drill is no answer in it. The drill ends at once, because nothing is lost.
#[test]
fn a_drill_ends_on_request() {
    let (folder, bot) = (Folder::new(), BotApi::start());
    bot.configure(&folder, "");
    let server = folder.serve(&[]);
    link(&folder, &bot, "ada", ADA);
    let ask = |text: &str, part: &str| {
        let before = bot.said(ADA).len();
        bot.say(ADA, text);
        bot.hear(ADA, before, text, |said| said.contains(part));
    };
    let endings = ["/leave", "/stop", "/stop yes"];
    for ending in endings {
        ask("/drill german-first-words", "Hallo");
        ask(ending, "put it aside");
    }
    let drills = server.client.flows("drill");
    assert_eq!(drills.len(), endings.len());
    for drill in drills {
        let answers = server.client.count(text(&drill, "/id"), "asr_result");
        assert_eq!((&drill["outcome"], answers), (&json!("user"), 0), "{drill}");
    }
    ask("/leave", "Nothing that you have open takes /leave");
    // Beside a course, the drill is what ends.
    ask("/learn sql", "First a few questions");
    ask("/drill german-first-words", "Hallo");
    ask("/leave", "put it aside");
    ask("/stop", "Put “");
    assert_eq!(state(&server.client), "diagnosing");
}

/// An attempt's steps are forms and programs, which belong on the page and in the terminal.
#[test]
fn attempts_are_not_for_chats() {
    let (folder, bot) = (Folder::new(), BotApi::start());
    bot.configure(&folder, "");
    let server = folder.serve(&[]);
    link(&folder, &bot, "ada", ADA);
    let opened = server.client.post("/api/attempts", &json!({"problemId": "two-sum", "learner": "ada"}));
    assert_eq!(opened.status, 201, "{opened:?}");
    for (typed, expected) in [
        ("/attempt two-sum", "/learn:"),
        ("Two of the numbers make the sum.", "not waiting for an answer"),
        ("/stop", "Nothing that you have open takes /stop"),
    ] {
        let before = bot.said(ADA).len();
        bot.say(ADA, typed);
        let said = bot.hear(ADA, before, typed, |said| said.contains(expected));
        assert!(!said[before].contains("/attempt"), "{said:?}");
    }
    let attempt = server.client.get(&format!("/api/instances/{}", text(&opened.json(), "/id"))).json();
    assert_eq!(attempt["version"], opened.json()["version"], "{attempt}");
}

#[test]
fn a_test_message_is_in_the_learners_language() {
    let (folder, bot) = (Folder::new(), BotApi::start());
    bot.configure(&folder, "");
    let server = folder.serve(&[]);
    link(&folder, &bot, "ada", ADA);
    for (language, expected) in [("en", "This is a test"), ("de", "Das ist ein Test")] {
        let changed = server.client.post("/api/learners/ada", &json!({ "language": language }));
        assert_eq!(changed.status, 200, "{changed:?}");
        let before = bot.said(ADA).len();
        let tested = server.client.post("/api/learners/ada/test-message", &json!({"channel": "telegram"}));
        assert_eq!(tested.json()["ok"], true, "{tested:?}");
        bot.hear(ADA, before, "the test", |said| said.contains(expected));
    }
}

/// A later question does not hide the open sitting.
#[test]
fn an_open_review_is_repeated_on_request() {
    let (folder, bot) = (Folder::new(), BotApi::start());
    bot.configure(&folder, "");
    let server = folder.serve(&[]);
    link(&folder, &bot, "ada", ADA);
    let node = "00000000-0000-7000-8000-000000000001";
    let map = json!({"mind_map_id": node, "title": "Tea", "nodes": [{"node_id": node, "label": "Water"}]});
    let course =
        server.client.post("/api/courses", &json!({"map": map, "tutor": "outside", "learner": "ada"}));
    let id = course.json()["id"].as_str().expect("a course").to_owned();
    let view = server.client.get(&format!("/api/courses/{id}/map")).json();
    let recall = json!({
        "node_id": view["nodes"][0]["node_id"], "question_text": "?", "user_answer": "!", "quality": 4,
        "response_type": "review",
    });
    let recorded = json!({"event": "recorded", "payload": recall});
    assert_eq!(server.client.post(&format!("/api/instances/{id}/events"), &recorded).status, 200);
    for (text, expected) in
        [("/review", "Water"), ("/learn sql", "First a few questions"), ("/review", "Water")]
    {
        let before = bot.said(ADA).len();
        bot.say(ADA, text);
        bot.hear(ADA, before, text, |said| said.contains(expected));
    }
    assert_eq!(server.client.flows("review").len(), 1);
    // The learner's own question is answered and counts for nothing.
    let before = bot.said(ADA).len();
    bot.reply(ADA, bot.last(ADA, |text| text.contains("Water")), "I don't understand water");
    bot.hear(ADA, before, "it is explained", |said| said.contains("Back to the question"));
    // The repeated question is answered like any other.
    let before = bot.said(ADA).len();
    bot.say(ADA, "/review");
    bot.hear(ADA, before, "the question once more", |said| said.contains("Water"));
    let again = bot.last(ADA, |text| text.contains("Water"));
    let before = bot.said(ADA).len();
    bot.reply(ADA, again, "4 it is wet");
    bot.hear(ADA, before, "the answer is taken", |said| said.contains("1 of 1 recalled"));
}

/// A sitting moves its course. Feedback on the answer comes first, even if Telegram is in trouble just then. `/why`
/// refers to that answer, although the course has gone on since.
#[test]
fn feedback_comes_before_the_next_lesson() {
    let (folder, bot) = (Folder::new(), BotApi::start());
    bot.configure(&folder, "");
    let server = folder.serve(&[]);
    link(&folder, &bot, "ada", ADA);
    let node = |nth: u8| format!("00000000-0000-7000-8000-00000000000{nth}");
    let nodes =
        [json!({"node_id": node(1), "label": "Water"}), json!({"node_id": node(2), "label": "Leaves"})];
    let edges = [json!({"parent_node_id": node(1), "child_node_id": node(2), "edge_type": "prerequisite"})];
    let map = json!({"mind_map_id": node(0), "title": "Tea", "nodes": nodes, "edges": edges});
    let client = &server.client;
    let post = |path: &str, body: Value| {
        let reply = client.post(path, &body);
        assert!(reply.status < 300, "{path}: {reply:?}");
        reply.json()
    };
    let id = text(&post("/api/courses", json!({"map": map, "gate": "mastered", "learner": "ada"})), "/id")
        .to_owned();
    let answer = |id: &str, words: &str| post(&format!("/api/courses/{id}/answer"), json!({"text": words}));
    (0..2).for_each(|_| drop(answer(&id, "0 no idea")));
    post(&format!("/api/courses/{id}/go-on"), json!({}));
    (0..2).for_each(|_| drop(answer(&id, "5 it is wet")));
    for _ in 0..2 {
        let sitting = post(&format!("/api/courses/{id}/review"), json!({"ahead": true}));
        answer(text(&sitting, "/id"), "5 it is wet");
    }
    let before = bot.said(ADA).len();
    bot.say(ADA, "/review");
    bot.hear(ADA, before, "the question", |said| said.contains("Water"));
    let before = bot.said(ADA).len();
    bot.accident("sendMessage", 1, json!({"kind": "page", "status": 500}));
    bot.say(ADA, "5 it is wet");
    let said = bot.hear(ADA, before, "the next lesson", |said| said.contains("Leaves"));
    let at = |part: &str| said[before..].iter().position(|text| text.contains(part));
    assert!(
        at("1 of 1 recalled").is_some_and(|feedback| Some(feedback) < at("Leaves")),
        "{:#?}",
        &said[before..]
    );
    let before = bot.said(ADA).len();
    bot.say(ADA, "/why");
    bot.hear(ADA, before, "the mark of the recall", |said| said.contains("5 of 5"));
}

/// A reply says which of several questions in a chat it answers.
#[test]
fn a_reply_answers_the_question_that_it_replies_to() {
    let (folder, bot) = (Folder::new(), BotApi::start());
    bot.configure(&folder, "");
    let server = folder.serve(&[]);
    link(&folder, &bot, "ada", ADA);
    let answered = || happened(&server.client, "answered");
    let wait_for = |count: usize| {
        eventually("the answer is taken and all is said", || {
            (answered() == count && server.client.pending() == 0).then_some(())
        });
    };
    let is_question = |text: &str| is_probe(text) && text.contains('?');
    let heard = bot.said(ADA).len();
    bot.say(ADA, "/learn sql");
    bot.hear(ADA, heard, "the first probe", is_question);
    let first = bot.last(ADA, is_question);
    bot.reply(ADA, first, "I don't know");
    wait_for(1);

    let before = bot.said(ADA).len();
    bot.reply(ADA, first, "I still don't know");
    bot.hear(ADA, before, "it is over", |said| said.contains("That question is closed. My question now:"));
    assert_eq!(answered(), 1, "an answer to an old question is none to the present one");
    bot.reply(ADA, bot.last(ADA, |text| text.contains("My question now")), "I don't know");
    wait_for(2);
    assert!(!bot.said(ADA).iter().any(|said| said.contains("wasn't a question")), "{:?}", bot.said(ADA));
}

#[test]
fn a_forum_topic_belongs_to_its_course() {
    let (folder, bot, group) = (Folder::new(), BotApi::start(), -1001);
    bot.configure(&folder, "limits.group_per_minute = 1000");
    let server = folder.serve(&[]);
    bot.control(json!({"do": "chat", "chat_id": group, "is_forum": true}));
    link(&folder, &bot, "ada", group);
    let topics: Vec<i64> = (0..2)
        .map(|_| bot.control(json!({"do": "topic", "chat_id": group})).as_i64().expect("a number"))
        .collect();
    let say = |topic: i64, text: &str| {
        let before = bot.said(group).len();
        bot.control(json!({"do": "say", "chat_id": group, "text": text, "thread_id": topic}));
        bot.hear(group, before, text, |_| true)
    };
    say(topics[0], "/learn sql");
    say(topics[1], "/learn probability");
    // The second course asked last, but this message is in the topic of the first.
    say(topics[0], "I don't know");
    let answered = eventually("the answer is taken", || {
        let mut courses = server.client.flows("teach");
        courses.retain(|course| server.client.count(text(course, "/id"), "answered") > 0);
        (!courses.is_empty()).then_some(courses)
    });
    let map = server.client.get(&format!("/api/courses/{}/map", text(&answered[0], "/id"))).body;
    assert!(answered.len() == 1 && map.contains("SQL"), "{answered:?}: {map}");
    eventually("answers stay in their topic", || {
        let report = bot.report();
        let sent = report["sent"].as_array().expect("a list").iter();
        let threads: Vec<i64> = sent.filter_map(|message| message["message_thread_id"].as_i64()).collect();
        topics.iter().all(|topic| threads.contains(topic)).then_some(())
    });
}
