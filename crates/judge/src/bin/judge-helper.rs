//! Runs the judge's helper as a separate program, for programs and tests that cannot be their own helper.

fn main() {
    judge::inner();
    eprintln!("This program is started by the judge and does nothing else.");
    std::process::exit(2);
}
