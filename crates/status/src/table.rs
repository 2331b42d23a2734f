//! How far an agent's sources are trusted.

use belfry_protocol::signal::Source;

/// Which open questions a source would tell of: whether its word that the agent is idle rules them out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Questions {
    /// None: at a question it says the same as at the prompt (Claude Code's title, Aider's terminal modes).
    None,
    /// Most, but some kind is known to be missed (Codex's report calls an open plan done).
    Most,
    /// Each.
    All,
}

/// How far one source is trusted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Trust {
    /// Its place in the order of trust: 0 is trusted first.
    pub rank: u8,
    /// How long what it says stays true without being said again, in milliseconds; none for ever.
    pub keeps_ms: Option<u64>,
    /// While the agent works, it says so again at least this often, in milliseconds: after a longer silence its word of
    /// work is no longer known to hold. None for a source that speaks at changes only.
    pub repeats_ms: Option<u64>,
    /// By how much it is known to be late, in milliseconds; more than 0 also marks a source with holes (hooks: an Esc fires
    /// none), whose word is overruled by a newer one of another structured source.
    pub lag_ms: u64,
    /// It is the agent's own word in a form made for programs, not the look of something made for people.
    pub structured: bool,
    /// It tells a state, which stands until the next one, and no event. A state that still stands some time after another
    /// source's word speaks against it, an event that was before it does not.
    pub level: bool,
    /// Which open questions it would tell of.
    pub questions: Questions,
    /// It calls the agent busy for as long as subagents live.
    pub sees_subagents: bool,
    /// It calls the end of a turn done, and idle only one that the person cut short.
    pub tells_done: bool,
}

impl Trust {
    /// What is true of a source whatever the agent, at a place in the order of trust.
    pub fn of(source: Source, rank: u8) -> Self {
        let (structured, level, questions, lag_ms) = match source {
            Source::Program | Source::Registry | Source::Title => (true, true, Questions::Most, 0),
            Source::Api | Source::Shell => (true, true, Questions::All, 0),
            // It is looked at some time after the shell's own marks.
            Source::Foreground => (true, true, Questions::All, 300),
            Source::Hook => (true, false, Questions::Most, 500),
            Source::Modes => (true, true, Questions::None, 0),
            Source::Screen => (false, true, Questions::All, 0),
            Source::Progress | Source::Output => (false, true, Questions::None, 0),
            Source::Transcript => (false, false, Questions::None, 1000),
            Source::Process | Source::Notification | Source::Report => (false, false, Questions::None, 0),
        };
        let sees_subagents = matches!(source, Source::Registry | Source::Api);
        Self {
            rank,
            keeps_ms: None,
            repeats_ms: None,
            lag_ms,
            structured,
            level,
            questions,
            sees_subagents,
            tells_done: source == Source::Program,
        }
    }

    /// With how long its word stays true, in milliseconds.
    #[must_use]
    pub fn keeps(mut self, ms: u64) -> Self {
        self.keeps_ms = Some(ms);
        self
    }

    /// With how often it repeats that the agent works, in milliseconds.
    #[must_use]
    pub fn repeats(mut self, ms: u64) -> Self {
        self.repeats_ms = Some(ms);
        self
    }

    /// With how late it is, in milliseconds.
    #[must_use]
    pub fn lag(mut self, ms: u64) -> Self {
        self.lag_ms = ms;
        self
    }

    /// With which open questions it would tell of.
    #[must_use]
    pub fn questions(mut self, questions: Questions) -> Self {
        self.questions = questions;
        self
    }
}

/// An agent's sources and what is peculiar to the agent, as its rules say for its version.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Table {
    trust: [Option<Trust>; Source::ALL.len()],
    /// It has rules for its screen.
    pub screen_rules: bool,
    /// Whenever it works, its screen shows a mark of it, so that a prompt without one is idle. Not so for Codex, which
    /// shows none while text streams.
    pub screen_shows_work: bool,
    /// Whenever it works, something on its screen moves, so that a screen that stands still is no work. Measured for all
    /// five built-in agents: a stalled model, too, keeps the spinner moving.
    pub work_moves: bool,
    /// Nothing else tells: output is work and quiet is idle.
    pub quiet_is_idle: bool,
}

impl Table {
    /// Nothing is trusted, but output that looks like work, and quiet after it.
    pub fn of_any_program() -> Self {
        let mut table = Self { quiet_is_idle: true, ..Self::default() };
        table.set(Source::Output, Trust::of(Source::Output, u8::MAX));
        table
    }

    /// Trusts a source so far.
    pub fn set(&mut self, source: Source, trust: Trust) {
        self.trust[source as usize] = Some(trust);
    }

    /// How far a source is trusted; none where its word does not count for this agent.
    pub fn get(&self, source: Source) -> Option<&Trust> {
        self.trust[source as usize].as_ref()
    }
}

impl FromIterator<(Source, Trust)> for Table {
    fn from_iter<I: IntoIterator<Item = (Source, Trust)>>(sources: I) -> Self {
        let mut table = Self::default();
        for (source, trust) in sources {
            table.set(source, trust);
        }
        table
    }
}
