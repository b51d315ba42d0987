//! Tests of finding the node that a question is about.

use crate::teach_map::{id, map};
use coaching::curriculum::Curriculum;
use coaching::map::Node;
use std::path::Path;

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
fn a_common_word_names_a_node_only_as_the_subject() {
    let labels = [
        "WHERE: choosing rows",
        "ORDER BY and LIMIT",
        "IN and EXISTS",
        "HAVING: filtering groups",
        "Average",
    ];
    let map = map(&labels, &[]);
    let mean = vec!["mean".to_owned()];
    let check = |question: &str, expected: Option<&str>| {
        let also = |node: &Node| if node.label == "Average" { mean.as_slice() } else { &[] };
        let found = map.asked_about(question, also).map(|node| map.node(node).label.as_str());
        assert_eq!(found, expected, "{question}");
    };
    let [r#where, order, r#in, having, average] = labels.map(Some);
    check("how is that different from WHERE", r#where);
    check("how does where work", r#where);
    check("what is where", r#where);
    check("WHERE", r#where);
    check("where is the mistake", None);
    check("WHERE IS THE MISTAKE", None);
    check("tell me where", None);
    check("how do I use ORDER BY", order);
    check("what is the limit of rows", order);
    check("what is IN", r#in);
    check("why is it in exists", None);
    check("what is in it", None);
    check("difference between having and where", having);
    check("I am having trouble", None);
    check("what does at least mean", None);
    check("what do you mean", None);
    check("what does the mean mean", average);
    check("what is a mean", average);
}

#[test]
fn the_first_node_of_equal_names_is_meant() {
    let map = map(&["Loops", "Loops"], &[(1, 0)]);
    assert_eq!(map.asked_about("loops", |_| &[]), map.find(id(1)).ok());
}

/// Authors refer to a concept by its id; learners know it by the part of its title before the colon.
#[test]
fn every_shipped_concept_is_found_by_its_id_and_the_head_of_its_title() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../packs/curricula");
    let mut missed = Vec::new();
    for file in std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap()) {
        let name = file.file_name().into_string().unwrap();
        let curriculum = Curriculum::read(&std::fs::read(file.path()).unwrap(), &name).unwrap();
        let titles: Vec<&str> = curriculum.concepts.iter().map(|concept| concept.title.as_str()).collect();
        let map = map(&titles, &[]);
        for concept in &curriculum.concepts {
            let also = |node: &Node| {
                let found = curriculum.concepts.iter().find(|concept| concept.title == node.label);
                found.unwrap().also.as_slice()
            };
            let head = concept.title.split(':').next().unwrap().to_owned();
            for name in [concept.id.replace('-', " "), head] {
                let found = map.asked_about(&format!("what is {name}"), also);
                if found.map(|node| map.node(node).label.as_str()) != Some(&concept.title) {
                    missed.push(format!("{}: {name}", curriculum.id));
                }
            }
        }
    }
    assert!(missed.is_empty(), "{missed:#?}");
}
