//! `belfry tmux-bridge`: the program of an adopted session. It carries what a pane of tmux prints to its own terminal, which
//! is a keeper's, and what is typed there to the pane.
//!
//! It is a client of tmux in control mode that nobody sees: it has no size of its own until its session is shown, and never
//! where somebody else looks at the pane with tmux. It ends with the pane, and the pane does not end with it.

mod pane;
mod talk;
mod terminal;

use std::io::Write as _;
use std::process::ExitCode;
use std::time::Duration;

use belfry_tmux::control::Event;
use belfry_tmux::typing::{Pastes, Typed};
use tokio::io::unix::AsyncFd;
use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::mpsc;

use pane::Carried;
use talk::{Asked, Talk};
use terminal::Terminal;

/// Attempts to go on after tmux has ended the conversation, before that is taken for final.
const ATTEMPTS: u32 = 5;

/// How long the rest of a paste, or of a key, is waited for.
const REST: Duration = Duration::from_millis(30);

/// The same in the midst of a paste, whose pieces come one after the other.
const REST_OF_PASTE: Duration = Duration::from_secs(1);

/// How long until it is looked again whether a pane is gone whose process is.
const UNCERTAIN: Duration = Duration::from_millis(150);

/// What it is given.
#[derive(Debug, clap::Args)]
pub(crate) struct BridgeArgs {
    /// Path of the server's socket.
    pub socket: String,
    /// The server's process id.
    pub server_pid: u32,
    /// When the server started, as the system counts it.
    pub server_start: u64,
    /// The pane's number.
    pub pane: u32,
    /// The pane's first process.
    pub pane_pid: u32,
}

/// Carries a pane until it is gone.
pub(crate) fn run(args: &BridgeArgs) -> ExitCode {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let outcome = match runtime {
        Ok(runtime) => {
            let outcome = runtime.block_on(carry(args));
            // A read of the terminal may still wait; it ends with the process.
            runtime.shutdown_background();
            outcome
        }
        Err(error) => Err(error.into()),
    };
    match outcome {
        Ok(code) => ExitCode::from(code),
        Err(failed) => {
            let mut stdout = std::io::stdout().lock();
            let _ = write!(stdout, "\r\n\x1b[0mbelfry: {failed}\r\n").and_then(|()| stdout.flush());
            ExitCode::FAILURE
        }
    }
}

/// Why a pane cannot be carried.
#[derive(Debug)]
pub(crate) struct Failed(String);

impl std::fmt::Display for Failed {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl From<std::io::Error> for Failed {
    fn from(error: std::io::Error) -> Self {
        Self(error.to_string())
    }
}

impl Failed {
    pub(crate) fn new(why: impl Into<String>) -> Self {
        Self(why.into())
    }
}

/// What becomes of the conversation with tmux.
enum Then {
    /// The pane is gone; its process left with this.
    Gone(u8),
    /// tmux has ended it; the pane may be elsewhere.
    Again,
}

struct Bridge<'a> {
    args: &'a BridgeArgs,
    terminal: Terminal,
    typed: mpsc::UnboundedReceiver<Vec<u8>>,
    pastes: Pastes,
    /// The session has been shown: its size is asked for.
    shown: bool,
}

async fn carry(args: &BridgeArgs) -> Result<u8, Failed> {
    let (terminal, typed) = Terminal::take()?;
    let mut bridge = Bridge { args, terminal, typed, pastes: Pastes::default(), shown: false };
    let mut left = ATTEMPTS;
    loop {
        let Some(located) = pane::locate(args).await? else { return Ok(0) };
        if located.dead {
            return Ok(located.exit);
        }
        let began = tokio::time::Instant::now();
        match bridge.converse(&located.session).await? {
            Then::Gone(code) => return Ok(code),
            Then::Again if began.elapsed() > Duration::from_secs(5) => left = ATTEMPTS,
            Then::Again => {
                left -= 1;
                if left == 0 {
                    return Err(Failed::new("tmux ends the conversation again and again"));
                }
                tokio::time::sleep(Duration::from_millis(100)).await;
            }
        }
    }
}

impl Bridge<'_> {
    /// One conversation with tmux, in that session.
    async fn converse(&mut self, session: &str) -> Result<Then, Failed> {
        let mut talk = Talk::begin(self.args, session)?;
        let mut carried = Carried::new(self.args.pane);
        let mut resized = signal(SignalKind::window_change())?;
        let mut end = signal(SignalKind::terminate())?;
        let mut hangup = signal(SignalKind::hangup())?;
        let process = ends(self.args.pane_pid);
        let mut process_ended = process.is_none();
        carried.draw_anew(&mut talk, true);
        if self.shown {
            self.ask_for_size(&mut talk);
        }
        loop {
            while let Some(event) = talk.next()? {
                if let Event::Exit { .. } = event {
                    return Ok(Then::Again);
                }
                carried.event(event, &mut talk, &mut self.terminal)?;
                if let Some(code) = carried.gone() {
                    return Ok(Then::Gone(code));
                }
            }
            talk.flush().await?;
            let rest = if self.pastes.is_pasting() { REST_OF_PASTE } else { REST };
            let waits = self.pastes.waits();
            tokio::select! {
                biased;
                typed = self.typed.recv() => match typed {
                    Some(bytes) => {
                        let typed = self.pastes.typed(&bytes);
                        self.type_all(typed, &mut carried, &mut talk).await?;
                    }
                    // The keeper is gone, and with it whoever looks.
                    None => return Ok(Then::Gone(0)),
                },
                more = talk.read() => if !more? {
                    return Ok(Then::Again);
                },
                _ = resized.recv() => if self.terminal.is_shown_anew() {
                    self.shown = true;
                    self.ask_for_size(&mut talk);
                    carried.draw_anew(&mut talk, false);
                },
                // The pane goes on.
                _ = end.recv() => return Ok(Then::Gone(0)),
                _ = hangup.recv() => return Ok(Then::Gone(0)),
                () = ended(process.as_ref()), if !process_ended => {
                    process_ended = true;
                    carried.process_ended(&mut talk);
                }
                () = tokio::time::sleep(rest), if waits => {
                    let typed = self.pastes.give_up().into_iter().collect();
                    self.type_all(typed, &mut carried, &mut talk).await?;
                }
                () = tokio::time::sleep(UNCERTAIN), if carried.is_uncertain() => carried.ask(&mut talk),
            }
        }
    }

    /// The session's size is tmux's to give: it does where nobody else looks.
    fn ask_for_size(&self, talk: &mut Talk) {
        if let Some((cols, rows)) = self.terminal.size() {
            talk.say(&format!("refresh-client -C {cols}x{rows}"), Asked::Nothing, 0);
        }
    }

    async fn type_all(
        &self,
        typed: Vec<Typed>,
        carried: &mut Carried,
        talk: &mut Talk,
    ) -> Result<(), Failed> {
        for one in typed {
            carried.leave_mode(talk);
            match one {
                Typed::Keys(bytes) => {
                    for command in belfry_tmux::typing::send_keys(self.args.pane, &bytes) {
                        talk.say(&command, Asked::Nothing, 0);
                    }
                }
                Typed::Paste(text) => {
                    talk.flush().await?;
                    pane::paste(self.args, &text, talk).await?;
                }
            }
        }
        Ok(())
    }
}

/// A descriptor that tells when the process ends.
fn ends(pid: u32) -> Option<AsyncFd<std::os::fd::OwnedFd>> {
    #[cfg(target_os = "linux")]
    {
        let fd = belfry_platform::process::pidfd_open(pid).ok()?;
        // SAFETY: the descriptor is owned, and stays open and the same for as long as it is registered.
        unsafe { AsyncFd::register(fd) }.ok()
    }
    #[cfg(not(target_os = "linux"))]
    {
        let _ = pid;
        None
    }
}

async fn ended(process: Option<&AsyncFd<std::os::fd::OwnedFd>>) {
    match process {
        Some(process) => {
            let _ = process.readable().await;
        }
        None => std::future::pending().await,
    }
}
