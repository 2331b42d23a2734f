//! Short words for observations.

use belfry_protocol::ask::AskKind;
use belfry_protocol::signal::{Says, Source};
use belfry_status::{
    DialogSeen, Doing, Foreground, Observation, Place, ScreenSays, Silence, Task, TaskKind, Word,
};

pub fn word(source: Source, says: impl Into<Option<Says>>) -> Observation {
    let says = says.into();
    let what = says.map_or_else(|| "nothing".to_owned(), |says| format!("says {}", says.word()));
    Observation::Word(Word::new(source, says, what))
}

pub fn program(says: impl Into<Option<Says>>) -> Observation {
    word(Source::Program, says)
}

pub fn registry(says: impl Into<Option<Says>>) -> Observation {
    word(Source::Registry, says)
}

pub fn hook(says: impl Into<Option<Says>>) -> Observation {
    word(Source::Hook, says)
}

pub fn title(says: impl Into<Option<Says>>) -> Observation {
    word(Source::Title, says)
}

pub fn modes(says: impl Into<Option<Says>>) -> Observation {
    word(Source::Modes, says)
}

pub fn api(says: impl Into<Option<Says>>) -> Observation {
    word(Source::Api, says)
}

pub fn tool(source: Source, text: &str) -> Observation {
    Observation::Word(Word::new(source, Says::Working, "a tool").doing(Doing::Tool(text.to_owned())))
}

pub fn failed(source: Source, text: &str) -> Observation {
    Observation::Word(Word::new(source, Says::Failed, "an error").detail(text.to_owned()))
}

pub fn screen(place: Place) -> Observation {
    Observation::Screen(says(place))
}

pub fn says(place: Place) -> ScreenSays {
    ScreenSays { settled: true, place, ..ScreenSays::default() }
}

pub fn prompt() -> Observation {
    screen(Place::Prompt)
}

pub fn works() -> Observation {
    screen(Place::Working)
}

pub fn nothing_known() -> Observation {
    screen(Place::Unknown)
}

pub fn dialog(fingerprint: &str) -> Observation {
    let seen = DialogSeen {
        fingerprint: fingerprint.to_owned(),
        kind: AskKind::Approval,
        summary: format!("approve {fingerprint}"),
    };
    Observation::Screen(ScreenSays { dialog: Some(seen), ..says(Place::Dialog) })
}

pub fn unsettled(place: Place) -> Observation {
    Observation::Screen(ScreenSays { settled: false, ..says(place) })
}

pub fn task(source: Source, id: &str, kind: TaskKind, lives: bool) -> Observation {
    Observation::Task(Task { source, id: id.to_owned(), kind, lives })
}

pub fn lost(source: Source) -> Observation {
    Observation::Lost(Silence { source, why: "it is gone".to_owned(), costs: "the exact moment".to_owned() })
}

pub fn command(name: &str) -> Observation {
    Observation::Foreground(Foreground {
        runs: true,
        command: Some(name.to_owned()),
        ..Foreground::default()
    })
}

pub fn open(name: &str) -> Observation {
    Observation::Foreground(Foreground {
        runs: true,
        keys: true,
        command: Some(name.to_owned()),
        ..Foreground::default()
    })
}

pub fn asks(name: &str, question: Option<&str>, echo_off: bool) -> Observation {
    Observation::Foreground(Foreground {
        runs: true,
        command: Some(name.to_owned()),
        reads_terminal: true,
        question: question.map(str::to_owned),
        echo_off,
        ..Foreground::default()
    })
}

pub fn own() -> Observation {
    Observation::Foreground(Foreground { reads_terminal: true, ..Foreground::default() })
}
