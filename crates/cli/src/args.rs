//! The command line's grammar. Kept stable: commands, flags and exit codes are relied on by scripts.

mod changes;
mod conversations;
mod figures;
mod launch;
mod library;
mod pull;
mod settings;
mod text;
mod tree;
mod worktree;

use std::path::PathBuf;
use std::time::Duration;

use belfry_protocol::session::StatusFilter;
use clap::{Args, Parser, Subcommand};

pub(crate) use changes::{CheckpointAction, CheckpointArgs, DiffArgs};
pub(crate) use conversations::{ForkArgs, RestartArgs, ResumeArgs};
pub(crate) use figures::{By, HibernateArgs, TopArgs, UsageArgs};
pub(crate) use launch::{NewArgs, TrustArgs};
pub(crate) use library::{ImportArgs, Kind, SearchArgs};
pub(crate) use pull::{PrAction, PrArgs, PrCreateArgs};
pub(crate) use settings::{SettingsAction, SettingsArgs};
pub(crate) use tree::{
    ColorOrNone, Defaults, FocusArgs, GroupAction, GroupArgs, MarkArgs, OneGroup, ProjectAction, ProjectArgs,
    SnoozeArgs,
};
pub(crate) use worktree::{WorktreeAction, WorktreeArgs};

/// Watches over terminal sessions with coding agents, and keeps them alive whatever happens around them.
#[derive(Debug, Parser)]
#[command(name = "belfry", version, after_help = MORE)]
pub(crate) struct Arguments {
    /// Print JSON for programs instead of text for people.
    #[arg(long, global = true)]
    pub json: bool,
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

const MORE: &str = "\
Examples:
  belfry new --agent claude --prompt 'Fix the failing test'   start a session, print its id
  belfry new -- htop                                          any other program
  belfry ls                                                   what they all do
  belfry attach SESSION                                       work in one; C-\\ leaves it
  belfry answer SESSION                                       what it asks; with a choice, answer it
  belfry wait SESSION --until attention                       until it does not go on by itself

SESSION is an id, any unique prefix of one, or a name.

Exit codes: 0 done, 1 failed, 2 usage, 3 no such session, 4 refused (would lose something, or \
what was checked has changed), 5 no daemon, 124 timeout.

BELFRY_HOME=DIR moves configuration, state and sockets under DIR. NO_COLOR turns colours off.";

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Start a session and print its id.
    New(Box<NewArgs>),
    /// List sessions, dead ones included.
    #[command(visible_alias = "list")]
    Ls(ListArgs),
    /// Show everything that is known of a session.
    Show(OneSession),
    /// Print a session's screen as text.
    Screen(ScreenArgs),
    /// Make this terminal a view of a session.
    Attach(AttachArgs),
    /// Send a message; it waits until the session can take it.
    Send(SendArgs),
    /// Press keys: Enter, Esc, Tab, Up, C-c, M-x, F5, or text.
    Keys(KeysArgs),
    /// Answer the question that a session asks. Without an answer, only show it.
    Answer(AnswerArgs),
    /// Say why a session's status is what it is.
    Explain(OneSession),
    /// Wait until a session is in one of some statuses.
    Wait(WaitArgs),
    /// Print what happens, one JSON object a line, for ever.
    Events(EventsArgs),
    /// Make a pane of tmux a session; its program goes on where it is.
    Adopt(AdoptArgs),
    /// End an agent that was started elsewhere, so that it can go on here.
    End(EndArgs),
    /// Give a session another name.
    Rename(RenameArgs),
    /// Move a session to a project or group.
    Move(MoveArgs),
    /// Put a session in the archive, or take it out.
    Archive(ArchiveArgs),
    /// Keep a session at the top of the window's list.
    Pin(MarkArgs),
    /// Let a session call nobody: no notification, no sound.
    Mute(MarkArgs),
    /// Let a session call nobody for a while.
    Snooze(SnoozeArgs),
    /// Start a session like another, without its conversation, and print its id.
    Duplicate(OneSession),
    /// End a session's program; the record and the last screen stay.
    Kill(OneSession),
    /// Put idle sessions to sleep; a message or `resume` wakes them.
    Hibernate(HibernateArgs),
    /// Show what sessions take of the machine: memory, CPU, processes.
    Top(TopArgs),
    /// Show tokens, costs and times by session, project or day.
    Usage(UsageArgs),
    /// Run a command of a session's workspace beside it; without NAME, list them.
    Run(RunArgs),
    /// Start a session's program again, in its conversation where that can go on.
    Restart(RestartArgs),
    /// Go on with sessions that have ended, or in any conversation of this machine.
    Resume(ResumeArgs),
    /// Start a session that knows all that was said in another one, and print its id.
    Fork(ForkArgs),
    /// Read the conversations that agents have had on this machine, and list them.
    Import(ImportArgs),
    /// Search the conversations of all agents, and what terminals showed.
    Search(SearchArgs),
    /// Move a session to the trash, where it stays for a day.
    Rm(RemoveArgs),
    /// Take a session out of the trash.
    Restore(OneSession),
    /// Bring the open window to the front, at a session that needs you.
    Focus(FocusArgs),
    /// Add, list and change projects: directories that sessions belong to.
    Project(ProjectArgs),
    /// Add, list and change groups: folders of sessions in a project.
    Group(GroupArgs),
    /// Show, make and merge the pull request of a session's branch.
    Pr(Box<PrArgs>),
    /// Read the scripts that a repository brings, and allow them to run in its workspaces.
    Trust(TrustArgs),
    /// List workspaces, remove them without losing work, and bring them back.
    Worktree(WorktreeArgs),
    /// Show what is changed in a session's directory; piped, as a patch.
    Diff(DiffArgs),
    /// List and make checkpoints of a session's files, and go back to one.
    Checkpoint(CheckpointArgs),
    /// Write a session's recording or conversation to a file.
    Export(ExportArgs),
    /// Play a session's recording in this terminal.
    Replay(ReplayArgs),
    /// Show and change settings, and find their file.
    Settings(SettingsArgs),
    /// Start, stop or look at the daemon.
    Daemon(DaemonArgs),
    /// Check that this machine has all that Belfry needs.
    Doctor,
    /// Serve the window to a browser on this machine.
    Serve(ServeArgs),
    /// Tell what an agent does; its hooks call this. The payload is read from standard input.
    #[command(hide = true)]
    Hook {
        /// The hook's name, in the agent's words; for an agent of your own: working, asking, idle, done or failed.
        name: String,
    },
    /// Carry a pane of tmux; the program of an adopted session.
    #[command(hide = true)]
    TmuxBridge(crate::bridge::BridgeArgs),
    /// Print a completion script for a shell.
    Completions {
        /// The shell.
        shell: clap_complete::Shell,
    },
    /// What the completion scripts ask: the words that can stand at a place of a command line.
    #[command(hide = true, disable_help_flag = true)]
    Complete(CompleteArgs),
}

#[derive(Debug, Args)]
pub(crate) struct OneSession {
    /// Id, unique prefix of an id, or name.
    #[arg(value_name = "SESSION", value_parser = text::said)]
    pub session: String,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  belfry run shop                              what can be run there, and what runs
  dev=$(belfry run shop dev)                   start it and print its id
  belfry attach $dev; belfry kill $dev         what it prints; end it

Commands come from the project's settings and from `[run]` in `.belfry.toml`.")]
pub(crate) struct RunArgs {
    #[command(flatten)]
    pub which: OneSession,
    /// The command's name.
    pub name: Option<String>,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  belfry ls --status waiting,blocked      those that need you
  belfry ls --json | jq -r '.[].name'")]
pub(crate) struct ListArgs {
    /// Only sessions in this status; may be given several times. `done` is idle and not looked at yet.
    #[arg(long, value_name = "STATUS", value_delimiter = ',')]
    pub status: Vec<StatusFilter>,
    /// Archived, trashed and local ones too.
    #[arg(long)]
    pub all: bool,
}

#[derive(Debug, Args)]
pub(crate) struct ScreenArgs {
    #[command(flatten)]
    pub which: OneSession,
    /// Keep colours and styles as escape sequences.
    #[arg(long)]
    pub ansi: bool,
    /// That many lines of scrollback before the screen; of more than about 170 KB the newest.
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = text::lines)]
    pub scrollback: u32,
}

#[derive(Debug, Args)]
pub(crate) struct AttachArgs {
    #[command(flatten)]
    pub which: OneSession,
    /// The key that detaches, as in C-\ or C-]; `none` for no key at all.
    #[arg(long, value_name = "KEY", env = "BELFRY_DETACH_KEY", default_value = "C-\\")]
    pub detach_key: crate::attach::DetachKey,
}

#[derive(Debug, Args)]
#[command(
    override_usage = "belfry send <SESSION> <TEXT> [--now]\n       belfry send <SESSION> --list\n       \
                            belfry send [SESSION] --cancel <MESSAGE>"
)]
pub(crate) struct SendArgs {
    /// Id, unique prefix of an id, or name.
    #[arg(value_name = "SESSION", required_unless_present = "cancel")]
    pub session: Option<String>,
    /// The text; `-` reads it from the standard input.
    #[arg(allow_hyphen_values = true, required_unless_present_any = ["list", "cancel"])]
    pub text: Option<String>,
    /// Do not wait until its turn is over. An open question and a half-typed line are waited for all the same.
    #[arg(long)]
    pub now: bool,
    /// Show the messages that wait, and the last ones that were sent, instead of sending one.
    #[arg(long, conflicts_with_all = ["text", "now", "cancel"])]
    pub list: bool,
    /// Take back a message that still waits: its id, or with SESSION a unique prefix of it.
    #[arg(long, value_name = "MESSAGE", conflicts_with_all = ["text", "now"])]
    pub cancel: Option<String>,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  belfry keys shop Esc Esc
  belfry keys shop C-c
  belfry keys --text shop 'q!' && belfry keys shop Enter")]
pub(crate) struct KeysArgs {
    #[command(flatten)]
    pub which: OneSession,
    /// Type the words as they are, without pressing any key; goes before SESSION.
    #[arg(long)]
    pub text: bool,
    /// Keys in order: a key's name, a character, or text. A word that only looks like a key's name (`Entr`, `F99`, `Ctrl-C`)
    /// is refused; text that has a space or begins in lower case is typed.
    #[arg(required = true, value_name = "KEY", allow_hyphen_values = true)]
    pub keys: Vec<String>,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Exit codes: 0 answered, or shown where no answer was given; 2 no such choice, 3 no such session, 4 refused: nothing is asked, \
the question is another one by now, or its dialog did not close.

The dialog is read again before anything is typed, and must still be the same.")]
pub(crate) struct AnswerArgs {
    #[command(flatten)]
    pub which: OneSession,
    /// A choice's key, else its exact label; where several can be chosen, all of them with commas (`1,3`, or `2,` for one).
    #[arg(value_name = "CHOICE")]
    pub choice: Option<String>,
    /// An answer in words; with CHOICE, the text that this choice takes.
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    pub text: Option<String>,
    /// Answer only this question: the `fingerprint` that --json shows of it.
    #[arg(long, value_name = "FINGERPRINT")]
    pub fingerprint: Option<String>,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  belfry wait shop --until idle,dead --timeout 600
  id=$(belfry new --agent claude --prompt 'Fix it') && belfry wait $id --until attention")]
pub(crate) struct WaitArgs {
    #[command(flatten)]
    pub which: OneSession,
    /// Statuses to wait for, separated by commas: starting, running, waiting, blocked, idle, done, dead, unknown; `attention`
    /// is waiting, blocked, idle or dead, so all in which it does not go on by itself.
    #[arg(long, value_name = "STATUS", value_delimiter = ',', required = true)]
    pub until: Vec<Until>,
    /// Give up after that many seconds, with exit code 124.
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub timeout: Option<Duration>,
}

/// What is waited for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Until {
    /// It does not go on by itself.
    Attention,
    /// It is in that status.
    Is(StatusFilter),
}

impl std::str::FromStr for Until {
    type Err = String;

    fn from_str(word: &str) -> Result<Self, Self::Err> {
        if word == "attention" {
            return Ok(Self::Attention);
        }
        word.parse().map(Self::Is).map_err(|error: String| format!("{error}, nor `attention`"))
    }
}

#[derive(Debug, Args)]
pub(crate) struct EventsArgs {
    /// Only events of this session.
    #[arg(long, value_name = "SESSION", value_parser = text::said)]
    pub session: Option<String>,
}

#[derive(Debug, Args)]
pub(crate) struct AdoptArgs {
    /// A session that was found, or a pane as tmux names it: %5, main:1.0, with SOCKET: in front where it is needed.
    #[arg(value_name = "TARGET")]
    pub target: String,
}

#[derive(Debug, Args)]
pub(crate) struct EndArgs {
    #[command(flatten)]
    pub which: OneSession,
    /// The process that is meant, as `show` names it. Without it, the one that is there.
    #[arg(long, value_name = "PID")]
    pub pid: Option<u32>,
}

#[derive(Debug, Args)]
pub(crate) struct RenameArgs {
    #[command(flatten)]
    pub which: OneSession,
    /// The new name.
    #[arg(allow_hyphen_values = true, value_parser = text::name)]
    pub name: String,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  belfry move SESSION --project shop --group checkout
  belfry move SESSION                                  out of its project")]
pub(crate) struct MoveArgs {
    #[command(flatten)]
    pub which: OneSession,
    /// A project's name or id; without it, the session leaves its project.
    #[arg(long, value_name = "PROJECT", value_parser = text::said)]
    pub project: Option<String>,
    /// A group in that project, nested ones as in `a/b`.
    #[arg(long, value_name = "GROUP", requires = "project", value_parser = text::said)]
    pub group: Option<String>,
}

#[derive(Debug, Args)]
pub(crate) struct ArchiveArgs {
    #[command(flatten)]
    pub which: OneSession,
    /// Take it out of the archive.
    #[arg(long)]
    pub off: bool,
}

#[derive(Debug, Args)]
pub(crate) struct RemoveArgs {
    #[command(flatten)]
    pub which: OneSession,
    /// For good, with its recording, at once.
    #[arg(long)]
    pub now: bool,
    /// End its program first; without this a live session is refused.
    #[arg(long)]
    pub kill: bool,
}

#[derive(Debug, Args)]
#[command(group = clap::ArgGroup::new("format").required(true))]
#[command(
    after_help = "A conversation is written as its agent has kept it, the session's earlier ones too: what was asked and answered, \
                        tools and what they gave in short, changes as diffs."
)]
pub(crate) struct ExportArgs {
    #[command(flatten)]
    pub which: OneSession,
    /// Any conversation of this agent on this machine, by its id in place of a session's.
    #[arg(long, value_name = "AGENT", conflicts_with = "asciicast")]
    pub agent: Option<String>,
    /// As a terminal recording (asciicast, version 2).
    #[arg(long, group = "format")]
    pub asciicast: bool,
    /// The conversation, as Markdown.
    #[arg(long, group = "format")]
    pub markdown: bool,
    /// Replace a file that is there already.
    #[arg(long)]
    pub force: bool,
    /// Where to; `-` is the standard output.
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
}

#[derive(Debug, Args)]
#[command(
    after_help = "Keys: space pauses, arrows go 10 seconds, n and p to the next and the last question or turn, + and - \
                        change the speed, i keeps or cuts pauses, q leaves. With --json: what there is, and its marks."
)]
pub(crate) struct ReplayArgs {
    #[command(flatten)]
    pub which: OneSession,
    /// Where to begin: seconds, or minutes and seconds (1:30), of the recording's own time.
    #[arg(long, value_name = "TIME", value_parser = recorded_time)]
    pub from: Option<u64>,
    /// How many times as fast.
    #[arg(long, value_name = "TIMES", default_value_t = 1.0, value_parser = speed)]
    pub speed: f64,
    /// Cut longer pauses to so many seconds; 0 keeps them.
    #[arg(long, value_name = "SECONDS", default_value_t = 2.0, value_parser = pause)]
    pub idle: f64,
}

/// A place in a recording, in milliseconds.
fn recorded_time(text: &str) -> Result<u64, String> {
    let number = |part: &str| part.parse::<u64>().ok().filter(|_| part.len() < 9);
    let parts: Option<Vec<u64>> = text.split(':').map(number).collect();
    match parts.as_deref() {
        Some([seconds]) => Ok(seconds * 1000),
        Some([minutes, seconds @ 0..60]) => Ok((minutes * 60 + seconds) * 1000),
        Some([hours, minutes @ 0..60, seconds @ 0..60]) => Ok((hours * 3600 + minutes * 60 + seconds) * 1000),
        _ => Err("write it as seconds, as 1:30 or as 1:02:03".to_owned()),
    }
}

fn speed(text: &str) -> Result<f64, String> {
    let number = text.trim_end_matches(['x', '×']).parse::<f64>().ok();
    number
        .filter(|times| (0.125..=256.0).contains(times))
        .ok_or_else(|| "give a number from 0.125 to 256".to_owned())
}

fn pause(text: &str) -> Result<f64, String> {
    let number = text.parse::<f64>().ok();
    number
        .filter(|seconds| (0.0..=86_400.0).contains(seconds))
        .ok_or_else(|| "give seconds, from 0".to_owned())
}

#[derive(Debug, Args)]
pub(crate) struct CompleteArgs {
    /// How the answer is written.
    #[arg(value_enum)]
    pub shell: crate::completion::Dialect,
    /// For bash: the line, where the cursor is in it, and the shell's word breaks. Else: the words up to the cursor.
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    pub words: Vec<std::ffi::OsString>,
}

#[derive(Debug, Args)]
pub(crate) struct DaemonArgs {
    #[command(subcommand)]
    pub action: DaemonAction,
}

#[derive(Debug, Clone, Copy, Subcommand)]
pub(crate) enum DaemonAction {
    /// Start it, if it does not run yet.
    Start,
    /// End it; sessions go on.
    Stop,
    /// Whether it runs, and what it says of itself. Never starts it.
    Status,
    /// Be the daemon, in the foreground.
    Run,
}

#[derive(Debug, Args)]
pub(crate) struct ServeArgs {
    /// Port on 127.0.0.1; 0 lets the system choose.
    #[arg(long, default_value_t = 0, value_parser = text::port)]
    pub port: u16,
}

fn seconds(text: &str) -> Result<Duration, String> {
    let seconds: f64 = text.parse().map_err(|_| format!("`{text}` is no number of seconds"))?;
    Duration::try_from_secs_f64(seconds).map_err(|_| format!("`{text}` is no number of seconds to wait"))
}

#[cfg(test)]
mod tests;
