//! How far each agent's sources are trusted, in the order that was measured.

use belfry_protocol::signal::Source;
use belfry_status::{Questions, Table, Trust};

/// What is peculiar to a source of this agent.
type Peculiar = fn(Trust) -> Trust;

fn ranked(sources: &[(Source, Peculiar)]) -> Table {
    let mut table: Table = sources
        .iter()
        .enumerate()
        .map(|(rank, (source, with))| (*source, with(Trust::of(*source, rank as u8))))
        .collect();
    table.set(Source::Output, Trust::of(Source::Output, u8::MAX));
    (table.screen_rules, table.work_moves) = (true, true);
    table
}

fn plain(trust: Trust) -> Trust {
    trust
}

/// Its title shows a spinner once a second while it works, and the same at the prompt and at a question.
fn spinner(trust: Trust) -> Trust {
    trust.questions(Questions::None).repeats(3000)
}

pub fn claude_332() -> Table {
    let mut table = ranked(&[
        (Source::Program, |trust| trust.questions(Questions::All)),
        (Source::Registry, plain),
        (Source::Hook, plain),
        (Source::Title, spinner),
        (Source::Progress, plain),
        (Source::Screen, plain),
        (Source::Transcript, plain),
        (Source::Notification, |trust| trust.keeps(30_000)),
        (Source::Report, plain),
    ]);
    table.screen_shows_work = true;
    table
}

pub fn claude_197() -> Table {
    let mut table = ranked(&[
        (Source::Registry, plain),
        (Source::Hook, plain),
        (Source::Title, spinner),
        (Source::Screen, plain),
        (Source::Transcript, plain),
        (Source::Notification, |trust| trust.keeps(30_000)),
    ]);
    table.screen_shows_work = true;
    table
}

/// Calls an open plan done, and shows no mark of work while text streams.
pub fn codex() -> Table {
    ranked(&[
        (Source::Program, plain),
        (Source::Title, |trust| trust.repeats(2000)),
        (Source::Hook, plain),
        (Source::Screen, plain),
        (Source::Transcript, plain),
    ])
}

pub fn opencode() -> Table {
    let mut table = ranked(&[(Source::Api, plain), (Source::Hook, plain), (Source::Screen, plain)]);
    table.screen_shows_work = true;
    table
}

/// Its title says that it is ready while the dialogs of the start-up are open.
pub fn gemini() -> Table {
    let mut table = ranked(&[(Source::Title, plain), (Source::Hook, plain), (Source::Screen, plain)]);
    table.screen_shows_work = true;
    table
}

/// Bracketed paste is on at its prompt and at its questions; its notification command runs at both.
pub fn aider() -> Table {
    ranked(&[
        (Source::Modes, plain),
        (Source::Hook, |trust| trust.questions(Questions::None)),
        (Source::Screen, plain),
    ])
}

pub fn shell() -> Table {
    let mut table: Table = [
        (Source::Foreground, Trust::of(Source::Foreground, 0)),
        (Source::Shell, Trust::of(Source::Shell, 1)),
        (Source::Output, Trust::of(Source::Output, u8::MAX)),
    ]
    .into_iter()
    .collect();
    table.quiet_is_idle = false;
    table
}

/// An agent's screen and output alone.
pub fn screens_only(table: &Table) -> Table {
    let mut only: Table = [Source::Screen, Source::Output]
        .into_iter()
        .filter_map(|source| Some((source, *table.get(source)?)))
        .collect();
    only.screen_rules = table.screen_rules;
    only.screen_shows_work = table.screen_shows_work;
    only.work_moves = table.work_moves;
    only
}
