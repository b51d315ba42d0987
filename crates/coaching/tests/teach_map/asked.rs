//! Which node a question is about.

use crate::{id, map};
use coaching::teach::map::Node;

#[test]
fn a_question_finds_its_node() {
    let labels = ["Lists", "List comprehensions", "Recursion", "TCP/IP", "C++", "Büchereien", "再帰"];
    let map = map(&labels, &[]);
    let names = vec!["calls itself".to_owned(), "!!!".to_owned()];
    let check = |question: &str, expected: Option<&str>| {
        let also = |node: &Node| if node.label == "Recursion" { names.as_slice() } else { &[] };
        let found = map.asked_about(question, also).map(|node| map.node(node).label.as_str());
        assert_eq!(found, expected, "{question}");
    };
    check("I don't understand recursion", Some("Recursion"));
    check("RECURSION???", Some("Recursion"));
    check("what is it when a function calls itself", Some("Recursion"));
    check("recursoin is hard", Some("Recursion"));
    check("how do list comprehensions differ from lists", Some("List comprehensions"));
    check("are lists slow", Some("Lists"));
    check("is a list slow", Some("Lists"));
    check("I am lost", None);
    check("what is a recession", None);
    check("recurssion", Some("Recursion"));
    check("recursin", Some("Recursion"));
    check("recurtion", Some("Recursion"));
    check("comprehenshuns", None);
    check("what does tcp/ip do", Some("TCP/IP"));
    check("wozu sind buchereien da", Some("Büchereien"));
    check("再帰がわかりません", Some("再帰"));
    check("what is the capital of France", None);
    check("", None);
    check("👋 !!!", None);
    check(&"recursion ".repeat(200_000), Some("Recursion"));
}

#[test]
fn of_equal_names_the_first_to_learn_is_meant() {
    let map = map(&["Loops", "Loops"], &[(1, 0)]);
    assert_eq!(map.asked_about("loops", |_| &[]), map.find(id(1)).ok());
}
