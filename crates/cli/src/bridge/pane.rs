//! The pane that is carried: where it is, how it is drawn, and what is asked of it.

use std::path::PathBuf;
use std::process::Stdio;
use std::time::Duration;

use belfry_platform::process;
use belfry_tmux::PaneId;
use belfry_tmux::control::{self, Event};
use belfry_tmux::paint::{self, State};
use belfry_tmux::raw::Raw;
use tokio::io::AsyncWriteExt as _;
use tokio::process::Command;

use super::talk::{Asked, Talk};
use super::terminal::Terminal;
use super::{BridgeArgs, Failed};

/// How long tmux may take to answer a command of its own client.
const PATIENCE: Duration = Duration::from_secs(5);

/// What is asked of the pane when something has changed: whether it is there, where, how large, and how it ended.
const WHERE: &str = "#{pane_id} #{session_id} #{pane_width} #{pane_height} #{pane_dead} #{pane_dead_status}";

/// How often it is looked whether a pane is gone whose process is.
const LOOKS: u32 = 20;

/// Put before a title, which could otherwise look like something of tmux's own.
const TITLE: &str = "title: ";

/// tmux, of the version that the server is of, spoken to at its socket. It starts no server.
pub(super) fn tmux(args: &BridgeArgs) -> Command {
    let own = process::system_program(args.server_pid, "tmux");
    let mut command = Command::new(own.unwrap_or_else(|| PathBuf::from("tmux")));
    command.args(["-u", "-N", "-S", &args.socket]);
    command.env_remove("TMUX").env_remove("TMUX_PANE").current_dir("/");
    command
}

/// Where a pane is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Located {
    pub(super) session: String,
    cols: u16,
    rows: u16,
    /// Its process has ended, and it is kept.
    pub(super) dead: bool,
    /// With what that left.
    pub(super) exit: u8,
}

fn located(line: &str, pane: PaneId) -> Option<Located> {
    let mut fields = line.split(' ');
    let id = belfry_tmux::pane_id(fields.next()?)?;
    let session = fields.next()?.to_owned();
    let (cols, rows) = (fields.next()?.parse().ok()?, fields.next()?.parse().ok()?);
    let dead = fields.next()? == "1";
    let exit = fields.next().and_then(|code| code.parse().ok()).unwrap_or(0);
    let whole = session.strip_prefix('$').is_some_and(|id| id.bytes().all(|byte| byte.is_ascii_digit()));
    (id == pane && whole).then_some(Located { session, cols, rows, dead, exit })
}

/// Where the pane is now; none where it is gone, or its server is.
pub(super) async fn locate(args: &BridgeArgs) -> Result<Option<Located>, Failed> {
    if process::start_time(args.server_pid) != Some(args.server_start) {
        return Ok(None);
    }
    let mut command = tmux(args);
    command.args(["display-message", "-p", "-t", &format!("%{}", args.pane), WHERE]);
    command.stdin(Stdio::null()).stderr(Stdio::null()).kill_on_drop(true);
    let output = tokio::time::timeout(PATIENCE, command.output()).await;
    let output = output.map_err(|_| Failed::new("the tmux server does not answer"))?;
    let output = output.map_err(|error| Failed::new(format!("tmux cannot be run: {error}")))?;
    let said = String::from_utf8_lossy(&output.stdout);
    Ok(said.lines().next().and_then(|line| located(line, args.pane)))
}

/// Pastes a text as tmux does: marked where the program wants pastes to be marked.
pub(super) async fn paste(args: &BridgeArgs, text: &[u8], talk: &mut Talk) -> Result<(), Failed> {
    let buffer = format!("belfry-{}", std::process::id());
    let mut command = tmux(args);
    command.args(["load-buffer", "-b", &buffer, "-"]);
    command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null()).kill_on_drop(true);
    let mut child = command.spawn()?;
    let loaded = async {
        if let Some(mut stdin) = child.stdin.take() {
            stdin.write_all(text).await?;
        }
        child.wait().await
    };
    if let Ok(Ok(status)) = tokio::time::timeout(PATIENCE, loaded).await
        && status.success()
    {
        talk.say(&format!("paste-buffer -p -r -d -b {buffer} -t %{}", args.pane), Asked::Nothing, 0);
        return talk.flush().await;
    }
    for command in belfry_tmux::typing::send_keys(args.pane, text) {
        talk.say(&command, Asked::Nothing, 0);
    }
    Ok(())
}

/// What is being drawn anew.
struct Drawing {
    state: State,
    history: Vec<Vec<u8>>,
    screen: Vec<Vec<u8>>,
}

pub(super) struct Carried {
    pane: PaneId,
    raw: Raw,
    drawing: Option<Drawing>,
    /// Pictures that are asked for: what is printed meanwhile is in them, and is not passed on.
    asked: u32,
    /// Somebody may look back in the pane.
    in_mode: bool,
    gone: Option<u8>,
    /// The pane's process has ended, and the pane was there when it was looked: so often that is looked again.
    uncertain: u32,
}

impl Carried {
    pub(super) fn new(pane: PaneId) -> Self {
        Self { pane, raw: Raw::default(), drawing: None, asked: 0, in_mode: false, gone: None, uncertain: 0 }
    }

    /// How the pane's process left, once the pane is gone.
    pub(super) fn gone(&self) -> Option<u8> {
        self.gone
    }

    pub(super) fn is_uncertain(&self) -> bool {
        self.uncertain > 0
    }

    /// The pane's process has ended.
    pub(super) fn process_ended(&mut self, talk: &mut Talk) {
        self.uncertain = LOOKS;
        self.ask(talk);
    }

    /// Where the pane is, and whether it is.
    pub(super) fn ask(&mut self, talk: &mut Talk) {
        self.uncertain = self.uncertain.saturating_sub(1);
        talk.say(&format!("display-message -p -t %{} '{WHERE}'", self.pane), Asked::Where, 0);
    }

    /// Draws the screen as tmux has it; with the scrollback above it where that is not there yet.
    pub(super) fn draw_anew(&mut self, talk: &mut Talk, whole: bool) {
        self.asked += 1;
        let pane = self.pane;
        talk.say(&format!("display-message -p -t %{pane} '{}'", paint::FORMAT), Asked::State { whole }, 0);
        if whole {
            talk.say(
                &format!("capture-pane -p -e -N -S -{} -E -1 -t %{pane}", paint::HISTORY),
                Asked::History,
                0,
            );
        }
        talk.say(&format!("capture-pane -p -e -N -t %{pane}"), Asked::Screen, 0);
        talk.say(&format!("capture-pane -p -P -C -t %{pane}"), Asked::Pending, 0);
        talk.say(&format!("display-message -p -t %{pane} '{TITLE}#{{pane_title}}'"), Asked::Title, 0);
    }

    /// Keys reach the program again.
    pub(super) fn leave_mode(&mut self, talk: &mut Talk) {
        if std::mem::take(&mut self.in_mode) {
            talk.say(&format!("send-keys -X -t %{} cancel", self.pane), Asked::Nothing, 0);
        }
    }

    pub(super) fn event(
        &mut self,
        event: Event,
        talk: &mut Talk,
        terminal: &mut Terminal,
    ) -> Result<(), Failed> {
        match event {
            Event::Output { pane, bytes } if pane == self.pane && self.asked == 0 => {
                let bytes = self.raw.printed(&bytes);
                terminal.print(&bytes)?;
                if self.raw.left_the_alternate_screen() {
                    self.draw_anew(talk, false);
                }
            }
            // It is in the picture that comes; what it says of the pane's modes is not.
            Event::Output { pane, bytes } if pane == self.pane => {
                self.raw.printed(&bytes);
            }
            Event::Paused { pane } if pane == self.pane => {
                talk.say(&format!("refresh-client -A '%{pane}:continue'"), Asked::Nothing, 0);
                self.draw_anew(talk, false);
            }
            Event::Mode { pane } if pane == self.pane => self.in_mode = true,
            Event::Changed => self.ask(talk),
            Event::Answer { ok, lines } => {
                let asked = talk.answered();
                self.answer(asked, ok, lines, talk, terminal)?;
            }
            _ => {}
        }
        Ok(())
    }

    fn answer(
        &mut self,
        asked: Asked,
        ok: bool,
        lines: Vec<Vec<u8>>,
        talk: &mut Talk,
        terminal: &mut Terminal,
    ) -> Result<(), Failed> {
        let first = lines.first().map(Vec::as_slice).unwrap_or_default();
        match asked {
            Asked::Nothing => {}
            Asked::Where => {
                let found = located(&String::from_utf8_lossy(first), self.pane).filter(|_| ok);
                self.is_at(found, talk, terminal);
            }
            Asked::State { whole } => {
                let state = State::parse(first).filter(|_| ok);
                if let Some(state) = &state {
                    let screen = usize::from(whole);
                    talk.announce(screen, usize::from(state.rows));
                    if whole {
                        talk.announce(0, state.history_rows());
                    }
                    self.in_mode |= state.in_mode;
                    terminal.resize(state.cols, state.rows);
                }
                self.drawing = state.map(|state| Drawing { state, history: Vec::new(), screen: Vec::new() });
            }
            Asked::History => {
                if let Some(drawing) = self.drawing.as_mut().filter(|_| ok) {
                    drawing.history = lines;
                }
            }
            Asked::Screen => {
                if let Some(drawing) = self.drawing.as_mut().filter(|_| ok) {
                    drawing.screen = lines;
                }
            }
            Asked::Pending => {
                self.asked = self.asked.saturating_sub(1);
                match self.drawing.take() {
                    Some(drawing) => {
                        // tmux does not tell what the program wants before that is seen; pastes go through tmux, which knows.
                        let marked = self.raw.bracketed_paste().unwrap_or(true);
                        terminal.print(&drawing.state.paint(&drawing.history, &drawing.screen, marked))?;
                    }
                    None => self.ask(talk),
                }
                self.raw.forget();
                let pending = control::unescaped(first);
                terminal.print(&self.raw.printed(&pending))?;
            }
            Asked::Title => {
                let title = first.strip_prefix(TITLE.as_bytes()).filter(|_| ok).unwrap_or_default();
                let title: String =
                    String::from_utf8_lossy(title).chars().filter(|c| !c.is_control()).collect();
                if !title.is_empty() && self.asked == 0 {
                    terminal.print(format!("\x1b]2;{title}\x1b\\").as_bytes())?;
                }
            }
        }
        Ok(())
    }

    fn is_at(&mut self, located: Option<Located>, talk: &mut Talk, terminal: &Terminal) {
        let Some(located) = located else {
            self.gone = Some(0);
            return;
        };
        if located.dead {
            self.gone = Some(located.exit);
            return;
        }
        talk.follow(&located.session);
        if terminal.size() != Some((located.cols, located.rows)) {
            self.draw_anew(talk, false);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pane_is_located() {
        let here = located("%5 $2 80 24 0 ", 5).unwrap();
        assert_eq!((here.session.as_str(), here.cols, here.rows, here.dead), ("$2", 80, 24, false));
        assert_eq!(located("%5 $2 80 24 1 3", 5).map(|here| (here.dead, here.exit)), Some((true, 3)));
        for odd in ["", "  0 0  ", "%6 $2 80 24 0 ", "%5 2 80 24 0 ", "%5 $2;x 80 24 0 "] {
            assert_eq!(located(odd, 5), None, "{odd}");
        }
    }
}
