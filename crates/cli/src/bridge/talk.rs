//! The conversation with tmux: a client of its own in control mode, as a child.

use std::collections::VecDeque;
use std::process::Stdio;

use belfry_tmux::control::{Event, Parser};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::process::{Child, ChildStdin, ChildStdout};

use super::{BridgeArgs, Failed, pane};

/// Seconds after which tmux stops to keep output for us that we do not read; it then says so, and the screen is drawn anew.
const PAUSE_AFTER: u32 = 5;

/// Bytes that are read at once.
const PIECE: usize = 64 * 1024;

/// What a command's answer is for.
#[derive(Clone, Copy, Debug)]
pub(super) enum Asked {
    /// For nothing.
    Nothing,
    /// Where the pane is.
    Where,
    /// Its state, upon which its rows follow.
    State {
        /// With those of the scrollback.
        whole: bool,
    },
    /// The scrollback's rows.
    History,
    /// The screen's.
    Screen,
    /// What the pane has received of a sequence that is not whole.
    Pending,
    /// Its title.
    Title,
}

pub(super) struct Talk {
    /// Kept so that it ends with us.
    _child: Child,
    stdin: ChildStdin,
    stdout: ChildStdout,
    parser: Parser,
    asked: VecDeque<Asked>,
    session: String,
    out: Vec<u8>,
    piece: Vec<u8>,
}

impl Talk {
    pub(super) fn begin(args: &BridgeArgs, session: &str) -> Result<Self, Failed> {
        let mut command = pane::tmux(args);
        command.args([
            "-C",
            "attach-session",
            "-f",
            &format!("ignore-size,pause-after={PAUSE_AFTER}"),
            "-t",
            session,
        ]);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).kill_on_drop(true);
        let mut child =
            command.spawn().map_err(|error| Failed::new(format!("tmux cannot be run: {error}")))?;
        let (Some(stdin), Some(stdout)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(Failed::new("tmux has no input or output"));
        };
        let parser = Parser::default();
        Ok(Self {
            _child: child,
            stdin,
            stdout,
            parser,
            asked: VecDeque::new(),
            session: session.to_owned(),
            out: Vec::new(),
            piece: vec![0; PIECE],
        })
    }

    /// Gives a command; `certain` is how many lines its answer has for certain.
    pub(super) fn say(&mut self, command: &str, asked: Asked, certain: usize) {
        debug_assert!(!command.contains('\n'), "one command is one line");
        self.out.extend_from_slice(command.as_bytes());
        self.out.push(b'\n');
        self.parser.asked(certain);
        self.asked.push_back(asked);
    }

    /// What the answer that has just come is for.
    pub(super) fn answered(&mut self) -> Asked {
        self.asked.pop_front().unwrap_or(Asked::Nothing)
    }

    /// The pane is in that session, and so are we.
    pub(super) fn follow(&mut self, session: &str) {
        if self.session != session {
            session.clone_into(&mut self.session);
            self.say(&format!("switch-client -t '{session}'"), Asked::Nothing, 0);
        }
    }

    /// The answer that is `at` answers away has so many lines.
    pub(super) fn announce(&mut self, at: usize, lines: usize) {
        self.parser.announce(at, lines);
    }

    /// Sends what was said. All of it at once, so that tmux does all of it before it reads what panes print.
    pub(super) async fn flush(&mut self) -> Result<(), Failed> {
        if !self.out.is_empty() {
            let out = std::mem::take(&mut self.out);
            // Where it is gone, its output ends, which is seen.
            let _ = self.stdin.write_all(&out).await;
            let _ = self.stdin.flush().await;
        }
        Ok(())
    }

    /// Waits for more; false at the end.
    pub(super) async fn read(&mut self) -> Result<bool, Failed> {
        let count = self.stdout.read(&mut self.piece).await?;
        self.parser.feed(&self.piece[..count]);
        Ok(count > 0)
    }

    pub(super) fn next(&mut self) -> Result<Option<Event>, Failed> {
        self.parser.next_event().map_err(|_| Failed::new("what tmux says is not understood"))
    }
}
