fn main() -> std::process::ExitCode {
    etude::cli::main()
}
