//! What a program tells its terminal, and what a person types, as observations.

use belfry_agents::{Bar, Emitted, Sign, SubKind};
use belfry_protocol::signal::{Says, Source};
use belfry_status::{Doing, Observation, Task, TaskKind, Word};
use belfry_terminal::{EventKind, Modes, ProgramStatus, Progress};

/// What an event is to an agent's rules; `before` are the modes until then.
pub(super) fn emitted<'a>(event: &'a EventKind, before: &Modes) -> Vec<Emitted<'a>> {
    match event {
        EventKind::Title(title) => vec![Emitted::Title(title)],
        EventKind::ProgramStatus(status) => vec![Emitted::Program(&status.pairs)],
        EventKind::Progress(progress) => vec![Emitted::Progress(match progress {
            Progress::None => Bar::None,
            Progress::Normal(_) => Bar::Normal,
            Progress::Error(_) => Bar::Error,
            Progress::Indeterminate => Bar::Indeterminate,
            Progress::Paused(_) => Bar::Paused,
        })],
        EventKind::Notify { title, body } => vec![Emitted::Notification { title, body }],
        EventKind::Bell => vec![Emitted::Bell],
        EventKind::ModeChange(modes) => {
            let paste = Emitted::BracketedPaste(modes.bracketed_paste);
            let alternate = Emitted::Alternate(modes.alternate_screen);
            [
                (modes.bracketed_paste != before.bracketed_paste).then_some(paste),
                (modes.alternate_screen != before.alternate_screen).then_some(alternate),
            ]
            .into_iter()
            .flatten()
            .collect()
        }
        _ => Vec::new(),
    }
}

fn source(emitted: Emitted<'_>) -> Source {
    match emitted {
        Emitted::Title(_) => Source::Title,
        Emitted::Program(_) => Source::Program,
        Emitted::Progress(_) => Source::Progress,
        Emitted::Notification { .. } | Emitted::Bell => Source::Notification,
        Emitted::BracketedPaste(_) | Emitted::Alternate(_) => Source::Modes,
    }
}

/// What a sign says.
pub(super) fn observations(emitted: Emitted<'_>, sign: Sign) -> Vec<Observation> {
    let source = source(emitted);
    let task = sign.sub.map(|sub| {
        Observation::Task(Task {
            source,
            id: sub.id,
            kind: match sub.kind {
                SubKind::Subagent => TaskKind::Agent,
                SubKind::Background => TaskKind::Shell,
                SubKind::Unknown => TaskKind::Unknown,
            },
            lives: sub.alive,
        })
    });
    let word = sign.says.map(|says| {
        let (doing, detail) = match (says, sign.activity) {
            (Says::Asking | Says::Failed | Says::Blocked, text) => (None, text),
            (Says::Working, text) => (text.map(Doing::Tool), None),
            _ => (None, None),
        };
        let doing = sign.background.map(Doing::Background).or(doing);
        Observation::Word(Word::new(source, says, sign.note).doing(doing).detail(detail))
    });
    task.into_iter().chain(word).collect()
}

/// A title that says nothing any more.
pub(super) fn untitled() -> Observation {
    Observation::Word(Word::new(Source::Title, None, "a title that says nothing"))
}

/// Whether a program takes back what it said of itself, when it last did so by that name.
pub(super) fn withdraws(status: &ProgramStatus, reported: Option<&str>) -> bool {
    let clear = status.get("state") == Some("clear") && status.get("id").is_none();
    clear && reported.is_some_and(|name| status.get("app").is_none_or(|app| app == name))
}

/// It says nothing of itself any more.
pub(super) fn withdrawn() -> Observation {
    Observation::Word(Word::new(Source::Program, None, "it has withdrawn its report"))
}

/// What is typed. Reports of the focus are no keys.
pub(super) fn keys(bytes: &[u8]) -> Vec<Observation> {
    match bytes {
        [] => Vec::new(),
        b"\x1b[I" | b"\x1b[O" => vec![Observation::Touched],
        b"\x1b" | b"\x03" => vec![Observation::Typed, Observation::Interrupted],
        _ if bytes.contains(&b'\r') => vec![Observation::Submitted],
        _ => vec![Observation::Typed],
    }
}
