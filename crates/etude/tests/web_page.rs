//! Runs the tests in `web/tests` in a real browser, with the program, the browser and a time limit.

use crate::common::{Client, Folder, built_example, example, text};
use crate::peers::{found, program, run};

/// The folder where the build's `npm ci` has put the packages.
pub const WEB: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../web");

#[test]
fn the_page_works_in_a_browser() {
    let Some(browser) = found(built().and_then(|()| browser())) else { return };
    let mut tests = program("node");
    tests.arg("tests/run.mjs").current_dir(WEB);
    tests
        .env("PROGRAM", built_example("guess"))
        .env("LAWS", example("turnstile.yaml"))
        .env("CHROMIUM", browser);
    let printed = run(&mut tests).unwrap_or_else(|failed| panic!("{failed}"));
    assert!(printed.lines().filter(|line| line.starts_with("ok ")).count() > 20, "{printed}");
}

#[test]
fn the_pages_types_are_correct() {
    if found(built()).is_some() {
        run(program("npm").args(["run", "--silent", "check"]).current_dir(WEB))
            .unwrap_or_else(|failed| panic!("{failed}"));
    }
}

/// Returns an error if the program was built without its page.
pub fn built() -> Result<(), String> {
    ui::index().map(drop).ok_or_else(|| ui::WHY_NONE.to_owned())
}

/// Returns the path of a browser that starts.
pub fn browser() -> Result<String, String> {
    let names = ["chromium-headless-shell", "chromium"];
    let starts = |name: &&str| run(program(name).arg("--version")).is_ok();
    let name = names.into_iter().find(starts).ok_or("there is no Chromium on the PATH")?;
    run(program("sh").args(["-c", &format!("command -v {name}")])).map(|path| path.trim().to_owned())
}

#[test]
fn the_pages_files_need_no_token_and_load_nothing_foreign() {
    let folder = Folder::new();
    let server = folder.serve(&[]);
    let stranger = Client::new(&server.client.address, None);
    for path in ["/", "/today", "/at/anything", "/inside/drill"] {
        let page = stranger.get(path);
        assert!(page.header("content-type").starts_with("text/html"), "{path}: {page:?}");
        let policy = page.header("content-security-policy");
        assert!(policy.contains("default-src 'none'") && !policy.contains("unsafe"), "{policy}");
        assert_eq!(page.header("referrer-policy"), "no-referrer", "the code of the address stays here");
    }
    for (path, status) in [("/assets/nothing.js", 401), ("/api/home", 401)] {
        assert_eq!(stranger.get(path).status, status, "{path}");
    }
}

#[test]
fn the_token_signs_a_browser_in() {
    let folder = Folder::new();
    let server = folder.serve(&[]);
    let stranger = Client::new(&server.client.address, None);
    let body = |token: &str| serde_json::json!({ "token": token });
    let refused = stranger.post("/sign-in", &body("0123456789abcdef"));
    assert_eq!((refused.status, text(&refused.json(), "/code")), (403, "wrong_token"), "{refused:?}");
    let token = server.client.token.clone().expect("the server has one");
    let let_in = stranger.post("/sign-in", &body(&token));
    let cookie = let_in.header("set-cookie");
    assert!(
        let_in.status == 204 && cookie.contains("HttpOnly") && cookie.contains("SameSite=Strict"),
        "{let_in:?}"
    );
}
