//! Tests with a webhook: Telegram delivers messages itself, and no one else can.

use crate::common::{Client, Folder, eventually};
use crate::telegram::bot::{BotApi, link};
use serde_json::json;
use std::net::TcpListener;

#[test]
fn messages_come_by_webhook_with_its_secret() {
    let (folder, bot) = (Folder::new(), BotApi::start());
    // The settings need the address before the server starts.
    let port = TcpListener::bind("127.0.0.1:0").expect("a port").local_addr().expect("bound").port();
    let url = format!("http://127.0.0.1:{port}/telegram");
    bot.configure(&folder, &format!("webhook_url = \"{url}\""));
    let server = folder.serve_at(&format!("127.0.0.1:{port}"), &[]);
    eventually("the webhook is set", || (bot.report()["webhook"] == url).then_some(()));
    link(&folder, &bot, "ada", 42);
    let calls = bot.report()["calls"].to_string();
    assert!(!calls.contains("getupdates"), "{calls}");

    let update = json!({"update_id": 1, "message": {"message_id": 9, "chat": {"id": 42, "type": "private"}, "text": "/help"}});
    let stranger = Client::new(&server.client.address, None);
    assert_eq!(stranger.post("/telegram", &update).status, 401);
    let forged = stranger
        .request("POST", "/telegram")
        .json(&update)
        .header("X-Telegram-Bot-Api-Secret-Token", "guess");
    assert_eq!(stranger.send(&forged).status, 401);
    assert_eq!(stranger.get("/telegram").status, 401, "everything else needs the token of the server");
    assert!(bot.said(42).iter().all(|text| !text.contains("/learn:")), "a forged update is not taken");
}
