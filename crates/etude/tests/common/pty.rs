//! A real terminal, through tmux: keys go in, the screen comes out.

use super::PATIENCE;
use super::learner::{Learner, PROGRAM};
use crate::peers::{found, program, run};
use std::time::{Duration, Instant};

/// A window of a tmux server of its own; dropping the window ends the server.
#[derive(Debug)]
pub struct Terminal {
    socket: String,
}

impl Terminal {
    /// Runs the program in a new window. Returns `None` if there is no tmux and tests may be skipped.
    pub fn open(learner: &Learner, args: &str) -> Option<Terminal> {
        found(run(program("tmux").arg("-V")))?;
        let terminal = Terminal { socket: learner.data().join("tmux").display().to_string() };
        let data = learner.data().display();
        let variables = "LC_ALL=C.UTF-8 TERM=screen-256color";
        let program = format!(
            "env -u NO_COLOR {variables} ETUDE_DATA='{data}' {PROGRAM} {args}; echo ended with $?; cat"
        );
        terminal.tmux(&[
            "-u",
            "-f",
            "/dev/null",
            "new-session",
            "-d",
            "-s",
            "window",
            "-x",
            "80",
            "-y",
            "50",
            &program,
        ]);
        Some(terminal)
    }

    pub fn keys(&mut self, keys: &[&str]) {
        self.tmux(&[&["send-keys", "-t", "window"], keys].concat());
    }

    pub fn resize(&mut self, columns: u16) {
        self.tmux(&["resize-window", "-t", "window", "-x", &columns.to_string()]);
    }

    pub fn shrink(&mut self, rows: u16) {
        self.tmux(&["resize-window", "-t", "window", "-y", &rows.to_string()]);
    }

    /// Waits until the screen shows all of these texts in this order.
    pub fn wait_for(&mut self, expected: &[&str]) {
        let until = Instant::now() + PATIENCE;
        loop {
            let screen = self.tmux(&["capture-pane", "-p", "-t", "window"]);
            let rest = expected.iter().try_fold(screen.as_str(), |rest, text| Some(rest.split_once(text)?.1));
            match rest {
                Some(_) => return,
                None if Instant::now() > until => panic!("{expected:?} did not come:\n{screen}"),
                None => std::thread::sleep(Duration::from_millis(50)),
            }
        }
    }

    /// The screen with its escape sequences.
    pub fn colours(&self) -> String {
        self.tmux(&["capture-pane", "-p", "-e", "-t", "window"])
    }

    fn tmux(&self, args: &[&str]) -> String {
        let output = program("tmux").args(["-S", &self.socket]).args(args).output().expect("tmux starts");
        assert!(output.status.success(), "tmux {args:?}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8_lossy(&output.stdout).into_owned()
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        let _ = program("tmux").args(["-S", &self.socket, "kill-server"]).output();
    }
}
