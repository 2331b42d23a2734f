//! What each agent's sources say, with the holes and the delays that were measured.

use belfry_protocol::signal::{Says, Source};
use belfry_status::{Observation, Place, ScreenSays, Table, TaskKind};

use crate::history::{End, Phase, Record, Span};
use crate::support::tables;
use crate::support::words::*;

/// An agent: its table, and what its sources say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Agent {
    Claude332,
    Claude197,
    Codex,
    OpenCode,
    Gemini,
    Aider,
    Shell,
}

impl Agent {
    pub(crate) const ALL: [Self; 7] = [
        Self::Claude332,
        Self::Claude197,
        Self::Codex,
        Self::OpenCode,
        Self::Gemini,
        Self::Aider,
        Self::Shell,
    ];

    pub(crate) fn table(self) -> Table {
        match self {
            Self::Claude332 => tables::claude_332(),
            Self::Claude197 => tables::claude_197(),
            Self::Codex => tables::codex(),
            Self::OpenCode => tables::opencode(),
            Self::Gemini => tables::gemini(),
            Self::Aider => tables::aider(),
            Self::Shell => tables::shell(),
        }
    }

    pub(crate) fn sources(self) -> &'static [Source] {
        use Source::{Api, Foreground, Hook, Modes, Output, Program, Registry, Screen, Shell, Title};
        match self {
            Self::Claude332 => &[Program, Registry, Hook, Screen, Output],
            Self::Claude197 => &[Registry, Hook, Title, Screen, Output],
            Self::Codex => &[Program, Title, Screen, Output],
            Self::OpenCode => &[Api, Hook, Screen, Output],
            Self::Gemini => &[Title, Hook, Screen, Output],
            Self::Aider => &[Modes, Hook, Screen, Output],
            Self::Shell => &[Foreground, Shell, Output],
        }
    }

    /// Whether it ever is so.
    pub(crate) fn knows(self, phase: Phase) -> bool {
        match phase {
            Phase::Subagent => matches!(self, Self::Claude332 | Self::Claude197 | Self::OpenCode),
            Phase::Plan => matches!(self, Self::Claude332 | Self::Claude197 | Self::Codex | Self::Gemini),
            _ => true,
        }
    }

    /// All that is said of a history, from 1000 on; before, it starts.
    pub(crate) fn says(self, spans: &[Span]) -> Record {
        let mut record = Record::default();
        record.person(0, Observation::Started);
        let mut at = 1000;
        let mut before = None;
        for span in spans {
            self.begins(&mut record, at, before, span);
            for beat in (at + 100..at + span.length).step_by(480) {
                self.beats(&mut record, beat, span.phase, at);
            }
            at += span.length;
            before = Some(*span);
        }
        record
    }

    fn begins(self, record: &mut Record, at: u64, before: Option<Span>, now: &Span) {
        let cut = before.is_some_and(|before| before.end == End::Cut);
        let from = before.map_or(Phase::Idle, |before| before.phase);
        if before.is_some() {
            match (from, now.phase) {
                (Phase::Idle, _) => record.person(at - 20, Observation::Submitted),
                (_, Phase::Idle) if cut => record.person(at - 20, Observation::Interrupted),
                (from, _) if from.asks() => record.person(at - 20, Observation::Typed),
                _ => {}
            }
        }
        for source in self.sources() {
            self.source_begins(record, *source, at, from, now.phase, cut);
        }
    }

    fn source_begins(self, record: &mut Record, source: Source, at: u64, from: Phase, to: Phase, cut: bool) {
        let rest = if cut || from == Phase::Idle { Says::Idle } else { Says::Done };
        let says = match to {
            Phase::Idle => rest,
            Phase::Streams | Phase::Tool => Says::Working,
            Phase::Permission | Phase::Plan => Says::Asking,
            Phase::Subagent => Says::Done,
        };
        match source {
            // Codex calls an open plan done.
            Source::Program if self == Self::Codex && to == Phase::Plan => {
                record.add(at, source, program(Says::Done));
            }
            Source::Program => record.add(at, source, program(says)),
            Source::Registry => {
                let says = match to {
                    Phase::Idle => Says::Idle,
                    Phase::Subagent => Says::Working,
                    _ => says,
                };
                record.add(at + 50, source, registry(says));
            }
            Source::Api => {
                record.add(at + 5, source, api(says));
                Self::task(record, source, at, from, to);
            }
            Source::Hook => self.hook_begins(record, at, from, to, cut),
            Source::Title => {
                let says = match (self, to) {
                    (Self::Claude197, Phase::Permission | Phase::Plan)
                    | (Self::Codex, Phase::Plan)
                    | (_, Phase::Idle | Phase::Subagent) => Says::Idle,
                    _ => says,
                };
                let delay = if self == Self::Codex && says == Says::Asking { 700 } else { 10 };
                record.add(at + delay, source, title(says));
            }
            Source::Modes => {
                let says = if to.works() { Says::Working } else { Says::Idle };
                if from.asks() && says == Says::Idle {
                    // From Enter on, until the next line is waited for.
                    record.add(at - 18, source, modes(Says::Working));
                }
                record.add(at + 2, source, modes(says));
            }
            Source::Foreground => record.add(
                at + 100,
                source,
                match to {
                    Phase::Idle => own(),
                    Phase::Permission | Phase::Plan => asks("sudo", None, true),
                    _ => command("make"),
                },
            ),
            Source::Shell => {
                let says = if to == Phase::Idle { Says::Idle } else { Says::Working };
                record.add(at + 3, source, word(source, says));
            }
            Source::Output => record.add(at + 1, source, Observation::Output(900)),
            Source::Screen => record.add(at + 40, source, self.screen(to)),
            _ => {}
        }
    }

    /// Its hooks, or its plugin, or its notification command.
    fn hook_begins(self, record: &mut Record, at: u64, from: Phase, to: Phase, cut: bool) {
        let source = Source::Hook;
        let says = match self {
            // It runs whenever a line is waited for.
            Self::Aider => (!to.works()).then_some(Says::Idle),
            // Its plugin hears all that its interface tells.
            Self::OpenCode => Some(match to {
                Phase::Idle | Phase::Subagent => Says::Done,
                Phase::Permission | Phase::Plan => Says::Asking,
                _ => Says::Working,
            }),
            _ => match (from, to) {
                // Neither an answer nor an Escape fires any.
                (Phase::Idle, Phase::Idle) => None,
                (_, Phase::Idle) if cut => None,
                (from, Phase::Idle) if from.asks() => None,
                (_, Phase::Idle | Phase::Subagent) => Some(Says::Done),
                (_, Phase::Permission | Phase::Plan) => Some(Says::Asking),
                (from, _) if from.asks() => None,
                _ => Some(Says::Working),
            },
        };
        if let Some(says) = says {
            record.add(at + 8, source, hook(says));
        }
        Self::task(record, source, at, from, to);
    }

    fn task(record: &mut Record, source: Source, at: u64, from: Phase, to: Phase) {
        if to == Phase::Subagent {
            record.add(
                at.saturating_sub(200),
                source,
                task(source, &format!("sub {at}"), TaskKind::Agent, true),
            );
        }
        if from == Phase::Subagent {
            // All that lived have ended.
            for said in 0..record.0.len() {
                if let Observation::Task(task) = record.0[said].observation.clone()
                    && task.lives
                    && task.source == source
                {
                    let over = belfry_status::Task { lives: false, ..task };
                    record.add(at, source, Observation::Task(over));
                }
            }
        }
    }

    fn screen(self, phase: Phase) -> Observation {
        match phase {
            Phase::Idle => prompt(),
            // No mark while text streams.
            Phase::Streams if self == Self::Codex => prompt(),
            Phase::Streams | Phase::Tool => works(),
            Phase::Permission => dialog("permission"),
            Phase::Plan => dialog("plan"),
            Phase::Subagent => Observation::Screen(ScreenSays { subagents: 1, ..says(Place::Prompt) }),
        }
    }

    /// What goes on while a phase lasts.
    fn beats(self, record: &mut Record, at: u64, phase: Phase, begun: u64) {
        // A command of a shell can be silent.
        let moves = phase.works() && self != Self::Shell;
        if moves {
            record.add(at, Source::Output, Observation::Output(120));
            record.add(at + 1, Source::Screen, self.screen(phase));
        }
        let spins = matches!(phase, Phase::Streams | Phase::Tool);
        match self {
            Self::Claude197 | Self::Codex if spins => record.add(at, Source::Title, title(Says::Working)),
            Self::Codex if phase == Phase::Permission && at >= begun + 700 => {
                record.add(at, Source::Title, title(Says::Asking));
                record.add(at, Source::Output, Observation::Output(60));
            }
            _ => {}
        }
    }
}
