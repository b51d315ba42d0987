//! Builds the web page with Node and writes a table of its files. If Node or the packages are missing, the
//! table is empty and gives the reason, and the next build tries again.

use std::error::Error;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs, io};

type Done = Result<(), Box<dyn Error>>;

/// The sources of the page, below `web/`.
const SOURCES: [&str; 8] = [
    "src",
    "public",
    "index.html",
    "package.json",
    "package-lock.json",
    "svelte.config.js",
    "tsconfig.json",
    "vite.config.ts",
];

#[expect(clippy::disallowed_methods, reason = "cargo tells a build script where to write in the environment")]
fn main() -> Done {
    let web = fs::canonicalize("../../web")?;
    let out = PathBuf::from(env::var_os("OUT_DIR").ok_or("cargo names the folder")?);
    for source in SOURCES {
        println!("cargo::rerun-if-changed={}", web.join(source).display());
    }
    let table = match fetch_packages(&web) {
        Ok(()) => {
            build(&web, &out.join("dist"))?;
            table(&out.join("dist"))?
        }
        Err(why) => {
            println!("cargo::warning=the web page is left out: {why}");
            // A file that never exists makes cargo run this script again.
            println!("cargo::rerun-if-changed={}", out.join("missing").display());
            format!(
                "/// Why there is no page.\npub const WHY_NONE: &str = {why:?};\npub const FILES: &[File] = &[];\n"
            )
        }
    };
    Ok(fs::write(out.join("files.rs"), table)?)
}

/// Fetches the packages if the lockfile has changed since the last time.
fn fetch_packages(web: &Path) -> Result<(), String> {
    let cure =
        "install Node 20.19 or newer with npm, then build again; everything but the page works without it";
    npm(web, &["--version"]).map_err(|error| format!("npm cannot be started ({error}); {cure}"))?;
    let lock =
        fs::read(web.join("package-lock.json")).map_err(|error| format!("web/package-lock.json: {error}"))?;
    let stamp = web.join("node_modules/.fetched-lock");
    if fs::read(&stamp).is_ok_and(|fetched| fetched == lock) {
        return Ok(());
    }
    npm(web, &["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"])
        .map_err(|error| format!("npm could not fetch the packages of web/ ({error}); {cure}"))?;
    fs::write(&stamp, lock).map_err(|error| format!("{}: {error}", stamp.display()))
}

fn build(web: &Path, into: &Path) -> Done {
    let into = into.display().to_string();
    npm(web, &["run", "--silent", "build", "--", "--outDir", &into, "--emptyOutDir", "--logLevel", "warn"])
        .map_err(|error| format!("the web page does not build: {error}").into())
}

fn npm(web: &Path, arguments: &[&str]) -> io::Result<()> {
    let output = Command::new("npm").args(arguments).current_dir(web).output()?;
    if output.status.success() {
        return Ok(());
    }
    let said = String::from_utf8_lossy(&output.stderr);
    let last: Vec<&str> = said.lines().filter(|line| !line.trim().is_empty()).rev().take(8).collect();
    Err(io::Error::other(last.into_iter().rev().collect::<Vec<_>>().join(" | ")))
}

/// Writes the table of files as Rust code. A compressed file lies beside its original.
fn table(dist: &Path) -> Result<String, Box<dyn Error>> {
    let mut paths = Vec::new();
    list(dist, &mut paths)?;
    paths.sort();
    let mut table = String::from(
        "/// Why there is no page.\npub const WHY_NONE: &str = \"\";\npub const FILES: &[File] = &[\n",
    );
    for path in paths.iter().filter(|path| path.extension().is_none_or(|ending| ending != "gz")) {
        let name = path.strip_prefix(dist)?.to_string_lossy().replace('\\', "/");
        let gzip = PathBuf::from(format!("{}.gz", path.display()));
        let gzip = if gzip.exists() { format!("Some(include_bytes!({gzip:?}))") } else { "None".to_owned() };
        writeln!(
            table,
            "    File {{ path: {:?}, content_type: {:?}, bytes: include_bytes!({path:?}), gzip: {gzip}, is_immutable: {} }},",
            format!("/{name}"),
            content_type(&name),
            name.starts_with("assets/"),
        )?;
    }
    table.push_str("];\n");
    Ok(table)
}

fn list(folder: &Path, into: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() { list(&path, into)? } else { into.push(path) }
    }
    Ok(())
}

fn content_type(name: &str) -> &'static str {
    match name.rsplit('.').next().unwrap_or_default() {
        "html" => "text/html; charset=utf-8",
        "js" | "mjs" => "text/javascript; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "svg" => "image/svg+xml",
        "json" | "webmanifest" => "application/json",
        "woff2" => "font/woff2",
        "ftl" | "txt" => "text/plain; charset=utf-8",
        _ => "application/octet-stream",
    }
}
