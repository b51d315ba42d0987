//! Checks drill packs: `cargo run -p coaching --example pack_check packs/*.yaml`.
//!
//! Prints every problem with its place, and one line per file. The exit code is 1 when a pack is refused.

use std::process::ExitCode;

use coaching::pack::{self, Pack, Severity};

fn main() -> ExitCode {
    let paths: Vec<String> = std::env::args().skip(1).collect();
    if paths.is_empty() {
        eprintln!("give the paths of the packs to check");
        return ExitCode::from(2);
    }
    let refused = paths.iter().filter(|path| !is_fine(path)).count();
    if refused == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn is_fine(path: &str) -> bool {
    let source = match std::fs::read(path) {
        Ok(source) => source,
        Err(error) => {
            println!("{path}: cannot be read: {error}");
            return false;
        }
    };
    let problems = pack::check(&source, path);
    for problem in &problems {
        println!("{path}:{problem}");
    }
    let errors = problems.iter().filter(|problem| problem.severity == Severity::Error).count();
    let items = Pack::read(&source, path).map_or(0, |pack| pack.items.len());
    println!("{path}: {items} items, {errors} errors, {} warnings", problems.len() - errors);
    errors == 0
}
