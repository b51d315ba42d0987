#[test]
fn smoke() {
    println!("{:#?}", crate::judge().isolation());
    for (language, source) in [
        ("python", "def f(x):\n    return sorted(set(x))"),
        ("javascript", "function f(x) { return [...new Set(x)].sort((a, b) => a - b) }"),
        ("rust", "fn f(mut x: Vec<i64>) -> Vec<i64> { x.sort(); x.dedup(); x }"),
    ] {
        let began = std::time::Instant::now();
        let report = crate::run(
            language,
            source,
            r#"{"function": "f", "tests": [{"args": [[3,1,3]], "expected": [1,3]}, {"args": [[]], "expected": [1]}]}"#,
        );
        println!("{:?} {:?} {:?}", began.elapsed(), report.verdict, report.message);
    }
    let args = [serde_json::json!([3, 1])];
    println!("{:#?}", crate::judge().trace("python", "def g(y):\n  z = y * 2\n  return z\ndef f(x):\n  t = 0\n  for a in x:\n    t += g(a)\n  return t", "f", &args, &judge::Limits::default()));
    println!("{:?}", crate::judge().trace("javascript", "function g(y){\n const z = y*2;\n return z\n}\nfunction f(x) {\n let t = 0;\n for (const a of x) t += g(a);\n return t }", "f", &args, &judge::Limits::default()));
}
