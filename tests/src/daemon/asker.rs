//! A small program that asks as agents do: it draws a dialog, reads keys, and notes what was chosen.

use std::path::Path;

use belfry_protocol::Session;
use belfry_protocol::launch::NewSession;

use super::TestDaemon;

/// Draws its dialogs. What it does with keys is its first argument; what was chosen goes to `chosen`, lines typed at its
/// prompt to `typed`.
pub(crate) const PROGRAM: &str = r#"#!/bin/sh
stty raw -echo
line='────────────────────────────────────────'
key() { dd bs=1 count=1 2>/dev/null; }
report() { printf '\033]7501;state=%s:app=asker\033\\' "$1"; }
prompt() {
  printf '\033[?2026h\033[2J\033[H%s\r\n> \r\n%s\033[2;3H\033[?2026l' "$line" "$line"
}
option() {
  if [ "$mark" = "$1" ]; then printf ' ❯ %s. %s\r\n' "$1" "$2"; else printf '   %s. %s\r\n' "$1" "$2"; fi
}
dialog() {
  printf '\033[?2026h\033[2J\033[H%s\r\n Run command\r\n\r\n   %s\r\n\r\n Do you want to proceed?\r\n' "$line" "$command"
  option 1 Yes
  option 2 'Yes, and always'
  if [ "$how" = text ] || [ "$how" = drafted ]; then option 3 "Type something$text"; else option 3 No; fi
  printf '\r\n Enter to confirm\033[?2026l'
}
how=$1 command='touch x' mark=1 text=
case $how in pieces | risky | nameless) command= ;; esac
printf '\033]0;asker\007'
mkfifo go 2>/dev/null
ask() {
  mark=1
  [ "$how" = signal ] || dialog
  report blocked
  case $how in
    key) choice=$(key); echo "$choice" >>chosen ;;
    # What it is about is drawn after the rest, and only where somebody lets it.
    pieces | risky)
      read -r _ <go
      if [ "$how" = pieces ]; then command='touch x'; else command='rm -rf /'; fi
      dialog; choice=$(key); echo "$choice" >>chosen ;;
    nameless) choice=$(key); echo "$choice" >>chosen ;;
    # It asks the same again, at once or after some work, until it is refused.
    again | works) while :; do
        choice=$(key); echo "$choice" >>chosen
        [ "$choice" = 3 ] && break
        report working
        if [ "$how" = works ]; then prompt; printf '\033[4;1H esc to interrupt'; fi
        dialog; report blocked
      done ;;
    deaf) while :; do key >/dev/null; done ;;
    dies) key >/dev/null; exit 7 ;;
    signal) read -r _ <go ;;
    forges) read -r _ <go; report idle; touch forged_now; key >/dev/null ;;
    swaps) read -r _ <go; command='rm -rf /'; dialog; choice=$(key); echo "$choice" >>chosen ;;
    scrolls) read -r _ <go; printf '\033[24;1H'; for n in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28; do printf 'line %s\r\n' $n; done ;;
    restless)
      # Several, as one alone stands still for a moment on a busy machine.
      read -r _ <go
      for n in 1 2 3; do (while :; do printf '\033[1;1H%s' "$line"; done) & done
      while :; do printf '\033[1;1H%s' "$line"; done ;;
    # What is half typed in its input box is there again once the dialog is gone.
    drafted)
      choice=$(key); echo "$choice" >>chosen
      printf '\033[?2026h\033[2J\033[H%s\r\n> half\r\n%s\033[2;7H\033[?2026l' "$line" "$line"
      key >/dev/null; echo more >>chosen ;;
    # Another dialog takes its place while the mark is moved.
    walk | turns) while :; do
        case $(key) in
          A) [ $mark -gt 1 ] && mark=$((mark - 1)); dialog ;;
          B) [ "$how" = turns ] && command='rm -rf /'
            [ $mark -lt 3 ] && mark=$((mark + 1)); dialog ;;
          "$cr") break ;;
        esac
      done
      echo "$mark" >>chosen ;;
    text)
      choice=$(key)
      if [ "$choice" = 3 ]; then
        mark=3; dialog
        while :; do
          k=$(key)
          if [ "$k" = "$cr" ]; then break; fi
          text=$text$k
          dialog
        done
      fi
      echo "$choice$text" >>chosen ;;
  esac
}
cr=$(printf '\r')
report working
case $how in draft | prompts) ;; *) ask ;; esac
prompt
if [ "$how" = draft ]; then printf 1; fi
report idle
stty -raw -echo
if [ "$how" = draft ]; then read -r _ <go; prompt; report idle; fi
while IFS= read -r l; do
  [ "$l" = quit ] && exit 0
  echo "$l" >>typed
  report working
  prompt
  report idle
done
"#;

/// What its screen says.
const RULES: &str = r#"
name = "Asker"
[screen]
starts_with = ["title"]
dialog_top = '/^─{20,}/'
[screen.composer]
marker = ">"
above = '/^─{8,}/'
below = '/^─{8,}$/'
[[screen.busy]]
name = "hint"
where = "footer"
find = "esc to interrupt"
[[screen.dialog]]
name = "command or text"
kind = "approval"
approves = "command"
offers = ["Type something"]
all = ["Do you want to proceed?"]
question = "Do you want to proceed?"
answer = "ANSWER"
takes_text = ["Type something"]
detail.command = ['/^\s*((?:touch|rm) .*)/']
[[screen.dialog]]
name = "command"
kind = "approval"
approves = "command"
all = ["Do you want to proceed?"]
question = "Do you want to proceed?"
answer = "ANSWER"
detail.command = ['/^\s*((?:touch|rm) .*)/']
[[sign]]
name = "works"
source = "program"
app = "asker"
state = "working"
says = "working"
[[sign]]
name = "asks"
source = "program"
app = "asker"
state = "blocked"
says = "asking"
[[sign]]
name = "idle"
source = "program"
app = "asker"
state = "idle"
says = "idle"
[trust]
program = { rank = 1 }
screen = { rank = 2 }
output = { rank = 3 }
"#;

/// Makes the program an agent by a file in the configuration's folder.
pub(crate) fn install(program: &Path, config: &Path, answer: &str) -> std::io::Result<()> {
    let agents = config.join("agents");
    std::fs::create_dir_all(&agents)?;
    let rules = RULES.replace("ANSWER", answer);
    std::fs::write(
        agents.join("asker.toml"),
        format!("programs = [{:?}]\n{rules}", program.to_string_lossy()),
    )
}

impl TestDaemon {
    /// Makes the asker an agent of this home. Before the daemon is started.
    pub fn add_asker(&self, answer: &str) {
        let program = self.cli().script("asker", PROGRAM);
        install(Path::new(&program), self.home().config_dir(), answer).expect("its rules");
    }

    /// Starts it.
    pub async fn asker(&self, how: &str) -> Session {
        self.new_session(self.asker_request(how)).await
    }

    /// What it is started with.
    pub fn asker_request(&self, how: &str) -> NewSession {
        NewSession { agent: "asker".to_owned(), ..self.shell_request(&[how]) }
    }

    /// Lets it go on where it waits for that.
    pub fn let_go(&self) {
        std::fs::write(self.person().join("go"), "go\n").expect("the asker listens");
    }

    /// Lines of a file that it wrote.
    pub fn lines_of(&self, name: &str) -> Vec<String> {
        let text = std::fs::read_to_string(self.person().join(name)).unwrap_or_default();
        text.lines().map(str::to_owned).collect()
    }
}
