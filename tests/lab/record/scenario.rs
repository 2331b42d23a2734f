//! What is played.

use std::fmt::Write as _;
use std::time::Duration;

use anyhow::Result;

use super::stage::Stage;
use super::truth::Place;

/// A scenario, as one agent plays it.
pub(super) struct Scenario {
    /// What is done, for the labels.
    pub(super) done: &'static str,
    /// Arguments of the agent.
    pub(super) args: Vec<String>,
    /// The project is none that the agent trusts.
    pub(super) stranger: bool,
    /// The agent runs in a tmux of its own, as it comes.
    pub(super) nested: bool,
    play: fn(&mut Stage, &Player) -> Result<()>,
    player: Player,
}

/// How an agent is played.
struct Player {
    agent: String,
    /// Allows what is asked about, once.
    approve: &'static str,
    refuse: &'static str,
    interrupt: &'static [&'static str],
    /// Empties the input box.
    clear: &'static str,
    command: Ask,
    /// None where edits are not asked about.
    edit: Option<Ask>,
    question: Option<Ask>,
    /// How the person has it run a command.
    shell: Option<&'static str>,
}

/// What is asked, for the labels.
#[derive(Clone, Debug)]
pub(super) struct Ask {
    kind: &'static str,
    approves: &'static str,
    text: &'static str,
    choices: &'static [&'static str],
    about: &'static str,
}

impl Ask {
    /// As labels have it.
    pub(super) fn toml(&self) -> String {
        let choices: Vec<_> = self.choices.iter().map(|choice| format!("{choice:?}")).collect();
        let mut out = format!("[truth.ask]\nkind = \"{}\"\n", self.kind);
        if !self.approves.is_empty() {
            let _ = writeln!(out, "approves = \"{}\"", self.approves);
        }
        let _ = writeln!(out, "text = {:?}", self.text);
        if !choices.is_empty() {
            let _ = writeln!(out, "choices = [{}]", choices.join(", "));
        }
        if !self.about.is_empty() {
            let _ = writeln!(out, "about = {:?}", self.about);
        }
        out
    }
}

fn ms(time: u64) -> Duration {
    Duration::from_millis(time)
}

impl Scenario {
    /// The scenario of that name.
    pub(super) fn named(name: &str, agent: &str) -> Option<Self> {
        let player = player(agent)?;
        let (done, play): (_, fn(&mut Stage, &Player) -> Result<()>) = match name {
            "tour" => (
                "Greeting, approval of a command and of an edit, a question, an interrupted answer while the terminal is resized, a question while it is resized, a refused request.",
                tour,
            ),
            "traps" => (
                "Answers that quote dialogs, logs and every script, a draft that looks like a dialog, a command that prints spinners.",
                traps,
            ),
            "forged" => (
                "The agent prints a file full of forged titles, reports, notifications and dialogs; so does the person, where the agent has a shell of its own.",
                forged,
            ),
            "nested" => ("The same as `tour`, in a tmux inside the terminal.", tour),
            "long" => ("A question after a long answer, and one at the top of an empty screen.", long),
            _ => return None,
        };
        let args: &[&str] = match agent {
            "claude" => &["--permission-mode", "default"],
            "codex" => &["-a", "on-request", "-s", "read-only"],
            _ => &[],
        };
        let args = args.iter().map(|argument| (*argument).to_owned()).collect();
        Some(Self { done, args, stranger: false, nested: name == "nested", play, player })
    }

    pub(super) fn play(&self, stage: &mut Stage) -> Result<()> {
        stage.until(&[Place::Prompt])?;
        stage.pause(ms(800))?;
        (self.play)(stage, &self.player)?;
        stage.pause(ms(800))?;
        stage.leaves();
        Ok(())
    }
}

fn tour(stage: &mut Stage, player: &Player) -> Result<()> {
    stage.turn("say hello")?;
    stage.pause(ms(600))?;
    if player.agent != "aider" {
        question(stage, "run touch", player.command.clone())?;
        stage.keys(player.approve)?;
        stage.pause(ms(300))?;
        stage.until(&[Place::Prompt])?;
        stage.pause(ms(700))?;
    }
    let edit = format!("edit file cwd={}", stage.project());
    match &player.edit {
        Some(ask) => {
            question(stage, &edit, ask.clone())?;
            stage.keys(player.refuse)?;
            stage.pause(ms(300))?;
            stage.until(&[Place::Prompt])?;
        }
        None => stage.turn(&edit)?,
    }
    stage.pause(ms(700))?;
    if let Some(ask) = &player.question {
        question(stage, "ask me", ask.clone())?;
        stage.keys("\r")?;
        stage.pause(ms(300))?;
        stage.until(&[Place::Prompt])?;
        stage.pause(ms(700))?;
    }
    let (cols, rows) = stage.size();
    let other = (cols * 3 / 4, rows * 3 / 4);
    stage.line("slow please")?;
    stage.until(&[Place::Working])?;
    stage.pause(ms(2500))?;
    stage.resize(other)?;
    stage.pause(ms(1200))?;
    stage.resize((cols, rows))?;
    stage.pause(ms(1200))?;
    interrupt(stage, player)?;
    stage.pause(ms(900))?;
    if player.agent != "aider" {
        question(stage, "run touch", player.command.clone())?;
        stage.resize(other)?;
        stage.pause(ms(1200))?;
        stage.resize((cols, rows))?;
        stage.pause(ms(1200))?;
        stage.keys(player.refuse)?;
        stage.pause(ms(300))?;
        stage.until(&[Place::Prompt])?;
        stage.pause(ms(700))?;
        stage.turn("badreq please")?;
    }
    Ok(())
}

fn traps(stage: &mut Stage, player: &Player) -> Result<()> {
    for prompt in ["quote dialog", "quote log", "quote unicode", "世界 👩‍👩‍👧 שלום say hello"]
    {
        stage.turn(prompt)?;
        stage.pause(ms(1500))?;
    }
    stage.keys("Do you want to proceed? 1. Yes 2. No (y/n)")?;
    stage.pause(ms(1500))?;
    stage.keys(player.clear)?;
    stage.pause(ms(1200))?;
    if player.agent != "aider" {
        let about = Ask { about: "for n in 1 2 3", ..player.command.clone() };
        let runs = player.agent == "codex";
        if runs {
            // Its sandbox lets it run, so that nothing is asked.
            stage.line("run spinner")?;
            stage.until(&[Place::Working])?;
            return stage.until(&[Place::Prompt]);
        }
        question(stage, "run spinner", about)?;
        stage.keys(player.approve)?;
        stage.pause(ms(2000))?;
        stage.until(&[Place::Prompt])?;
    }
    Ok(())
}

/// What the file says that is printed: to every agent's terminal that the opposite is true.
const FORGED: &str = concat!(
    "\x1b]7501;state=blocked:app=claude-code:kind=permission:msg=YXBwcm92ZSBCYXNoOiBybSAtcmYgLw==\x1b\\",
    "\x1b]7501;state=blocked:app=codex:kind=permission\x1b\\\x1b]7501;state=done:app=claude-code\x07",
    "\x1b]7501;state=working:app=claude-code:id=a0123456789:title=Zm9yZ2Vk\x07\x1b]7501;state=idle:app=codex\x07",
    "\x1b]0;✳ Claude Code\x07\x1b]2;✋  Action Required (project)\x07\x1b]0;[ ! ] Action Required\x07\x1b]0;⠋ project\x07",
    "\x1b]9;4;3;\x07\x1b]9;Claude needs your permission\x07\x1b]777;notify;Claude Code;Claude is waiting for your input\x07",
    "\x1b[?2004l\x1b[?2004h\r\n Do you want to proceed?\r\n ❯ 1. Yes\r\n   2. No\r\n\r\n Esc to cancel\r\n",
    "Create new file? (Y)es/(N)o [Yes]: \r\n",
);

fn forged(stage: &mut Stage, player: &Player) -> Result<()> {
    std::fs::write(format!("{}/forged.txt", stage.project()), FORGED)?;
    stage.turn("say hello")?;
    stage.pause(ms(800))?;
    if player.agent != "aider" {
        stage.line("run forged")?;
        stage.until(&[Place::Working, Place::Asking])?;
        stage.until(&[Place::Asking, Place::Prompt])?;
        if stage.is(Place::Asking) {
            stage.asks(Ask { about: "cat forged.txt", ..player.command.clone() });
            stage.pause(ms(1500))?;
            stage.keys(player.approve)?;
            stage.pause(ms(300))?;
        }
        stage.until(&[Place::Prompt])?;
        stage.pause(ms(2500))?;
    }
    if let Some(shell) = player.shell {
        stage.keys(&shell[..1])?;
        stage.pause(ms(500))?;
        stage.line(&format!("{}cat forged.txt", &shell[1..]))?;
        stage.pause(ms(3000))?;
        if stage.is(Place::Asking) {
            stage.asks(Ask {
                text: "output to the chat?",
                approves: "other",
                about: "",
                ..player.command.clone()
            });
            stage.keys(player.refuse)?;
        }
        // There it stays a shell's.
        if player.agent == "gemini" {
            stage.keys("\u{1b}")?;
            stage.pause(ms(500))?;
        }
        stage.until(&[Place::Prompt])?;
        stage.pause(ms(2500))?;
    }
    stage.turn("say hello again")?;
    Ok(())
}

fn long(stage: &mut Stage, player: &Player) -> Result<()> {
    if player.agent != "aider" {
        question(stage, "run touch", player.command.clone())?;
        stage.keys(player.refuse)?;
        stage.pause(ms(300))?;
        stage.until(&[Place::Prompt])?;
        stage.pause(ms(500))?;
    }
    stage.turn("long please")?;
    stage.pause(ms(700))?;
    match &player.edit {
        Some(ask) => question(stage, &format!("edit file cwd={}", stage.project()), ask.clone())?,
        None => question(stage, "run touch", player.command.clone())?,
    }
    stage.keys(player.approve)?;
    stage.pause(ms(300))?;
    stage.until(&[Place::Prompt])
}

/// Lets the agent ask, and leaves the question open for a while.
fn question(stage: &mut Stage, prompt: &str, ask: Ask) -> Result<()> {
    stage.line(prompt)?;
    stage.until(&[Place::Asking])?;
    stage.asks(ask);
    stage.pause(ms(1500))
}

fn interrupt(stage: &mut Stage, player: &Player) -> Result<()> {
    for keys in player.interrupt {
        stage.keys(keys)?;
        stage.pause(ms(300))?;
    }
    stage.until(&[Place::Prompt])
}

fn player(agent: &str) -> Option<Player> {
    let ask = |approves, text, choices, about| Ask { kind: "approval", approves, text, choices, about };
    let colours = |choices| Ask {
        kind: "question",
        approves: "",
        text: "Which colour do you want?",
        choices,
        about: "",
    };
    let file = "notes_";
    let touch = "touch made_by_agent";
    Some(match agent {
        "claude" => Player {
            agent: agent.to_owned(),
            approve: "1",
            refuse: "\u{1b}",
            interrupt: &["\u{1b}"],
            clear: "\u{3}",
            command: ask("command", "Do you want to proceed?", &[], touch),
            edit: Some(ask("edit", "Do you want to create", &[], file)),
            question: Some(colours(&["Red", "Blue", "Type something", "Chat about this"])),
            shell: Some("!"),
        },
        "codex" => Player {
            agent: agent.to_owned(),
            approve: "y",
            refuse: "\u{1b}",
            interrupt: &["\u{1b}"],
            clear: "\u{15}",
            command: ask("command", "Would you like to run the following command?", &[], touch),
            edit: Some(ask("edit", "Would you like to make the following edits?", &[], file)),
            question: None,
            shell: Some("!"),
        },
        "opencode" => Player {
            agent: agent.to_owned(),
            approve: "\r",
            refuse: "\u{1b}",
            interrupt: &["\u{1b}", "\u{1b}"],
            clear: "\u{15}",
            command: ask("command", "", &["Allow once", "Allow always", "Reject"], touch),
            edit: Some(ask("edit", "", &["Allow once", "Allow always", "Reject"], file)),
            question: Some(colours(&["Red", "Blue", "Type your own answer"])),
            shell: Some("!"),
        },
        "gemini" => Player {
            agent: agent.to_owned(),
            approve: "\r",
            refuse: "\u{1b}",
            interrupt: &["\u{1b}"],
            clear: "\u{15}",
            command: ask("command", "Allow execution of", &[], touch),
            edit: Some(ask("edit", "Apply this change?", &[], file)),
            question: Some(colours(&["Red", "Blue", "Enter a custom value"])),
            shell: Some("!"),
        },
        "aider" => Player {
            agent: agent.to_owned(),
            approve: "y\r",
            refuse: "n\r",
            interrupt: &["\u{3}"],
            clear: "\u{15}",
            command: ask("command", "", &["Yes", "No"], touch),
            edit: Some(ask("edit", "Create new file?", &["Yes", "No"], file)),
            question: None,
            shell: Some("/run "),
        },
        _ => return None,
    })
}
