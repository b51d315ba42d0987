//! Tests of measuring a user's own labelled messages.

use crate::common::{Folder, number, text};

const LABELLED: &str = "# label and message\n\
    question\tThe tests pass.\\n\\nShould I merge it?\n\
    status\tNow let me run the tests:\n\
    {\"label\": \"error\", \"message\": \"API Error: 500 Internal server error\"}\n\
    {\"label\": \"completion\", \"text\": \"Fixed it; 12 passed, 0 failed, commit 3f2a1bc.\"}\n\
    \n\
    status\tAPI Error: Request timed out.\n";

#[test]
fn a_users_own_messages_are_measured() {
    let folder = Folder::new();
    let file = folder.write("messages.tsv", LABELLED);
    let measured = folder.run(&["agent", "evaluate", &file, "--json"]).json();
    assert_eq!(number(&measured, "/messages"), 5, "{measured}");
    assert_eq!(number(&measured, "/matrix/1/4"), 1, "the last line is labelled wrongly: {measured}");
    assert_eq!(number(&measured, "/costs/stopped/count"), 1, "{measured}");
    assert_eq!(
        (number(&measured, "/costs/continued/count"), number(&measured, "/costs/continued/of")),
        (0, 2)
    );
    assert_eq!(text(&measured, "/kinds/4/kind"), "error");
    let right: u64 = (0..5).map(|kind| number(&measured, &format!("/matrix/{kind}/{kind}"))).sum();
    assert_eq!(right, 4, "{measured}");
    let banded: u64 =
        (measured["reliability"].as_array().unwrap().iter()).map(|band| number(band, "/messages")).sum();
    assert_eq!(banded, 5, "{measured}");
    let shown = folder.run(&["agent", "evaluate", &file]).stdout;
    for part in [
        "5 messages, 80.0 % read right",
        "precision",
        "unfinished work stopped: 1 of 2 (50.0 %)",
        "confidence",
    ] {
        assert!(shown.contains(part), "{part}: {shown}");
    }
    let piped = folder.run_with(&["agent", "evaluate", "-", "--json"], LABELLED.as_bytes()).json();
    assert_eq!(piped, measured);
}

#[test]
fn wrong_lines_are_named_and_nothing_is_measured() {
    let folder = Folder::new();
    let file = folder.write(
        "wrong.tsv",
        "status\tLet me see:\nmaybe\tHm.\nno tab here\nerror\t \n{\"label\": \"status\"}\n",
    );
    let refused = folder.run(&["agent", "evaluate", &file]);
    assert_eq!((refused.code, refused.stdout.as_str()), (Some(2), ""), "{}", refused.stderr);
    for part in [
        "wrong.tsv",
        "line 2: “maybe” is not a label",
        "line 3: there is no tab",
        "line 4: the message is empty",
        "line 5: ",
    ] {
        assert!(refused.stderr.contains(part), "{part}: {}", refused.stderr);
    }
    let many = folder.write("many.tsv", "x\n".repeat(100));
    assert!(folder.run(&["agent", "evaluate", &many]).stderr.contains("and 80 more lines"));
    let empty = folder.write("empty.tsv", "# nothing\n");
    assert_eq!(folder.run(&["agent", "evaluate", &empty]).code, Some(1));
    assert_eq!(folder.run(&["agent", "evaluate", "nowhere.tsv"]).code, Some(2));
}
