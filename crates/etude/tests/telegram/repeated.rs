//! The same update again, as after a crash: whatever it was, it happens once.

use etude::app::App;
use etude::clock::Clock;
use etude::flows::Flows;
use etude::telegram::{link_code, take};
use outside::notify::{Incoming, Said, Update};
use store::{At, Filter, Store};

const CHAT: i64 = 42;

fn update(update_id: i64, text: &str) -> Update {
    let message = Incoming {
        chat_id: CHAT,
        is_private: true,
        thread_id: None,
        message_id: update_id * 10,
        reply_to_message_id: None,
        from: None,
        said: Said::Text(text.to_owned()),
    };
    Update { update_id, message: Some(message) }
}

async fn open(app: &App, flow: &str) -> Vec<String> {
    let filter = Filter { flow: Some(flow.into()), ..Filter::default() };
    let page = app.store.list(&filter, None, 100).await.expect("flows are read");
    page.instances.into_iter().map(|row| row.id).collect()
}

async fn answers(app: &App) -> usize {
    let mut count = 0;
    for id in open(app, "teach").await {
        let log = app.store.log(&id, 0, 1_000).await.expect("the log is read");
        count += log.iter().filter(|entry| entry.event == "answered").count();
    }
    count
}

#[tokio::test]
async fn an_update_that_comes_again_changes_nothing() {
    let store = Store::open("sqlite::memory:").await.expect("the store opens");
    let clock = Clock::set_to(At(1_790_071_200_000_000));
    let app = App::new(store, Flows::built_in(None), clock, None, 30_000);
    let code = link_code(&app, "ada", [7; 10]).await.expect("a code");
    let conversation = [
        (1, format!("/start {code}"), 0, 0),
        (2, "/learn sql".to_owned(), 1, 0),
        (3, "I don't know".to_owned(), 1, 1),
        // Now another course has asked last; an old answer must not be taken for its own.
        (4, "/learn probability".to_owned(), 2, 1),
        (3, "I don't know".to_owned(), 2, 1),
        (5, "no idea".to_owned(), 2, 2),
        (6, "/review".to_owned(), 2, 2),
    ];
    for (update_id, text, courses, answered) in conversation {
        for _ in 0..2 {
            take(&app, &update(update_id, &text)).await.expect("it is taken");
            app.clock.pass_ms(1);
            let found = (open(&app, "teach").await.len(), answers(&app).await);
            assert_eq!(found, (courses, answered), "{update_id} {text}");
        }
    }
    assert_eq!(open(&app, "review").await.len(), 1);
    let told = app.store.effects(&format!("chat/{CHAT}")).await.expect("effects are read");
    assert_eq!(told.len(), 1, "the link is confirmed once");
}
