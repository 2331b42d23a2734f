//! The rules, each in a sentence for `explain`.

/// The rule by which a status was decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Rule {
    /// The process is gone.
    Gone,
    /// What was printed before the daemon was there is still being read.
    CatchingUp,
    /// A dialog is on the screen.
    Dialog,
    /// A dialog was on the screen, is covered or scrolled away, and nothing shows that it was answered.
    DialogAway,
    /// A question has left the screen, and what comes of it is about to show.
    JustAnswered,
    /// A source says that the turn is over, and the screen is looked at first: it could hide a question.
    Looking,
    /// A program sleeps in a read of the terminal, behind what looks like a question.
    TerminalRead,
    /// A source of the agent's own says that a question is open.
    Asked,
    /// A program that nobody has described has the terminal.
    InFront,
    /// The most trusted source that speaks.
    Leader,
    /// A newer word of a source that tells what the leading one misses.
    Newer,
    /// Two other sources agree against the leading one.
    TwoAgree,
    /// The screen has shown work for some time, against a word of idleness.
    ScreenWorks,
    /// The person gave it something to do, and the screen shows work, against an older word of idleness.
    GivenWork,
    /// The screen shows the prompt and nothing moves, against a word of work.
    NothingMoves,
    /// The person interrupted, and the screen shows the prompt.
    Interrupted,
    /// The turn is over, and subagents live.
    Subagents,
    /// The last turn ended with an error.
    Failed,
    /// It says that it cannot go on.
    CannotGoOn,
    /// The prompt has not been reached.
    Starting,
    /// The prompt has not been reached for long, and nothing says why.
    StartOverdue,
    /// All that speaks would say the same at an open question.
    Ambiguous,
    /// Nothing speaks any more; what was known last stands for a while.
    LastWord,
    /// Nothing that can be trusted is left.
    NothingLeft,
}

impl Rule {
    /// The rule in a sentence.
    pub fn sentence(self) -> &'static str {
        match self {
            Self::Gone => "The process is gone.",
            Self::CatchingUp => {
                "Belfry still reads what was printed while it was away; until then the last status stands."
            }
            Self::Dialog => "A question on the screen counts at once, whatever else is said.",
            Self::DialogAway => "The question is no longer in sight, but nothing shows that it was answered.",
            Self::JustAnswered => {
                "The question has just left the screen, and what comes of it is about to show."
            }
            Self::Looking => {
                "The turn is called over by a source that could overlook a question; the screen is looked at first."
            }
            Self::TerminalRead => "The program waits for input behind a line that looks like a question.",
            Self::Asked => "The agent itself says that a question is open.",
            Self::InFront => {
                "A program without rules of its own runs for as long as it has the terminal, whatever it prints; \
                 it is idle where it waits for a line at its prompt, and waiting where it asks something."
            }
            Self::Leader => "The most trusted source that speaks decides.",
            Self::Newer => {
                "A newer word overrules the most trusted source, which is known to miss such changes."
            }
            Self::TwoAgree => {
                "Two other sources have agreed against the most trusted one for a second or more."
            }
            Self::ScreenWorks => "The screen goes on showing work, against a word that the turn is over.",
            Self::GivenWork => {
                "You gave it something to do since it was last called idle, and its screen shows work."
            }
            Self::NothingMoves => {
                "The screen shows the prompt and has stood still for ten seconds, against a word of work."
            }
            Self::Interrupted => "You interrupted the agent, and its screen shows the prompt.",
            Self::Subagents => "A turn is not over while its subagents live.",
            Self::Failed => "The last turn ended with an error; that stands until you type or a turn begins.",
            Self::CannotGoOn => {
                "The agent says that it cannot go on; that stands until you type or a turn begins."
            }
            Self::Starting => "The program runs and has not reached its prompt.",
            Self::StartOverdue => {
                "The program has been running for half a minute, and nothing that Belfry knows has appeared."
            }
            Self::Ambiguous => {
                "All that speaks says the same at the prompt and at an open question, and the screen does not tell."
            }
            Self::LastWord => "Nothing speaks at the moment; the last status stands for a while.",
            Self::NothingLeft => "No source that can be trusted speaks any more.",
        }
    }
}
