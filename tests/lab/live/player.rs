//! How each agent is played.

/// The keys and words of an agent.
#[derive(Debug)]
pub(super) struct Player {
    pub(super) agent: &'static str,
    pub(super) args: &'static [&'static str],
    /// Allows what is asked about, once.
    pub(super) approve: &'static [&'static str],
    pub(super) refuse: &'static [&'static str],
    /// Ends a turn, one key after the other.
    pub(super) interrupt: &'static [&'static str],
    /// Typed at its prompt, it ends the program.
    pub(super) leave: &'static str,
    /// It asks before it runs commands.
    pub(super) asks_command: bool,
    /// It asks before it writes files.
    pub(super) asks_edit: bool,
    /// It has a tool for questions.
    pub(super) asks_questions: bool,
    /// It says that it is refused for the rate of requests, or that it waits for that; others do not within minutes.
    pub(super) tells_limits: bool,
    /// It has subagents.
    pub(super) subagents: bool,
}

const COMMON: Player = Player {
    agent: "",
    args: &[],
    approve: &["Enter"],
    refuse: &["Esc"],
    interrupt: &["Esc"],
    leave: "/exit",
    asks_command: true,
    asks_edit: true,
    asks_questions: true,
    tells_limits: false,
    subagents: false,
};

impl Player {
    pub(super) fn of(agent: &str) -> Option<Self> {
        Some(match agent {
            "claude" => Self {
                agent: "claude",
                args: &["--permission-mode", "default"],
                approve: &["1"],
                tells_limits: true,
                subagents: true,
                ..COMMON
            },
            "codex" => Self {
                agent: "codex",
                args: &["-a", "on-request", "-s", "read-only"],
                approve: &["y"],
                leave: "/quit",
                asks_edit: false,
                asks_questions: false,
                tells_limits: true,
                ..COMMON
            },
            "opencode" => Self {
                agent: "opencode",
                interrupt: &["Esc", "Esc"],
                tells_limits: true,
                subagents: true,
                ..COMMON
            },
            "gemini" => Self { agent: "gemini", leave: "/quit", ..COMMON },
            "aider" => Self {
                agent: "aider",
                approve: &["y", "Enter"],
                refuse: &["n", "Enter"],
                interrupt: &["C-c"],
                asks_command: false,
                asks_questions: false,
                ..COMMON
            },
            _ => return None,
        })
    }
}
