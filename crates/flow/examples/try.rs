use flow::*;
fn main() {
    let path = std::env::args().nth(1).unwrap();
    let source = std::fs::read_to_string(&path).unwrap();
    let v = Vocabulary { session: "DialogueSession", actions: "coach_introduce_word coach_explain_word coach_example_sentence coach_prompt_dialogue evaluate_usage coach_slow_repeat reset_failures_counter add_word_to_learned_pool coach_positive_reinforce pick_next_new_word reset_counters".split(' ').collect(),
      events: vec![("start", Origin::Learner),("tts_done",Origin::Machine),("asr_result",Origin::Learner),("timeout",Origin::Silence),("usage_correct",Origin::Machine),("usage_incorrect",Origin::Machine),("done",Origin::Machine),("next_word_available",Origin::Machine),("no_more_words",Origin::Machine)], facts: vec![], constants: vec![], implied: vec![
        Implied{cause: Cause::Event("usage_correct"), count:&["usage"], reset:&[]},
        Implied{cause: Cause::Event("usage_incorrect"), count:&["failures"], reset:&[]},
        Implied{cause: Cause::Action("reset_failures_counter"), count:&[], reset:&["failures"]},
        Implied{cause: Cause::Action("reset_counters"), count:&[], reset:&["failures","usage"]},
      ]};
    let mut set = Overrides::new();
    for a in std::env::args().skip(2) {
        if let Some((k, x)) = a.split_once('=') {
            set.insert(k.into(), x.parse().unwrap());
        }
    }
    let open = std::env::args().any(|a| a == "open");
    let r = Law::read(&source)
        .and_then(|l| check(&l, if open { None } else { Some(&v) }, &set, Bounds::default()));
    match r {
        Ok(r) => {
            println!("{} configs", r.configurations);
            for p in &r.problems {
                println!("{}\n", p.render(&path, &source, false));
            }
        }
        Err(ps) => {
            for p in ps {
                println!("{}\n", p.render(&path, &source, false));
            }
        }
    }
}
