//! One session that was found: what is known of it, and its record.

use belfry_agents::{Agents, Told};
use belfry_platform::process::{self, Identity};
use belfry_protocol::explain::{Explanation, Missing};
use belfry_protocol::local::{Control, Local, Place};
use belfry_protocol::session::{Exit, Kind};
use belfry_protocol::{Session, SessionId, Source, Status};
use belfry_status::{Arbiter, Observation, Rule, Silence, Verdict};
use belfry_terminal::{Options, Size, Terminal};
use jiff::Timestamp;

use super::scan::Found;
use super::tmux::Reached;
use super::{arguments, picture};
use crate::clock;
use crate::session::{clean, fresh};
use crate::sources::{Alive, SourceSignal, Watching, observations};
use crate::watch::{Known as Rules, Watch, table};

/// Beside `idle`, where only an agent's files tell of it.
const BLIND: &str = "as far as its own files tell";

/// Longest texts of a record, in characters.
const WORDS: usize = 200;

/// Arguments of a record's command: a prompt or a list of files may be among them.
const ARGUMENTS: usize = 16;

/// A process that is younger than this is taken to be starting, in milliseconds.
const YOUNG: u64 = 20_000;

/// A session that was found.
pub(super) struct Known {
    pub(super) found: Found,
    /// The pane that it is in.
    pub(super) pane: Option<Reached>,
    pub(super) session: Session,
    /// Kept to be dropped with it.
    pub(super) watching: Option<Watching>,
    /// When its process was seen to have ended, by the daemon's clock.
    pub(super) ended: Option<u64>,
    watch: Watch,
    subagents: Alive,
    terminal: Option<Terminal>,
    /// What its pane showed last.
    shown: Option<picture::Picture>,
}

/// An id that is the same for as long as the process lives, whoever looks: made of when it started, and which it is.
fn id(boot: &str, process: Identity, started_ms: u64) -> SessionId {
    // FNV-1a: it need only tell processes apart.
    let mix = |seed: u64, text: &[u8]| {
        text.iter().fold(seed, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3))
    };
    // The system reckons the moment anew each time, and is a second off now and then.
    let started_ms = started_ms / 60_000 * 60_000;
    let seed = mix(0xcbf2_9ce4_8422_2325, boot.as_bytes());
    let low = mix(mix(seed, &process.pid.to_le_bytes()), &process.start.to_le_bytes());
    let high = mix(low, b"local");
    let mut bytes = [0; 16];
    bytes[..6].copy_from_slice(&started_ms.to_be_bytes()[2..]);
    bytes[6..8].copy_from_slice(&high.to_be_bytes()[..2]);
    bytes[8..].copy_from_slice(&low.to_be_bytes());
    bytes[6] = (bytes[6] & 0x0f) | 0x70;
    bytes[8] = (bytes[8] & 0x3f) | 0x80;
    SessionId(uuid::Uuid::from_bytes(bytes))
}

impl Known {
    /// The id of that process's session.
    pub(super) fn id_of(boot: &str, process: Identity) -> Option<SessionId> {
        Some(id(boot, process, process::started_at(process)?))
    }

    pub(super) fn new(found: Found, boot: &str, agents: &Agents, now: u64) -> Self {
        let wall = clock::wall();
        let started_ms = process::started_at(found.process);
        let wall_ms = u64::try_from(wall.as_millisecond()).unwrap_or(0);
        let started_ms = started_ms.unwrap_or(wall_ms).min(wall_ms);
        let started = i64::try_from(started_ms)
            .ok()
            .and_then(|at| Timestamp::from_millisecond(at).ok())
            .unwrap_or(wall);
        let rules = agents.get(&found.agent).map(|agent| Rules { agent, version: None });
        let age = wall_ms.saturating_sub(started_ms);
        let mut arbiter = if age < YOUNG {
            Arbiter::new(table(rules), now.saturating_sub(age))
        } else {
            Arbiter::resumed(table(rules), Status::Unknown, Source::Process, now)
        };
        for silence in crate::sources::silent(&found.agent, false) {
            arbiter.observe(silence, now);
        }
        arbiter.observe(Observation::CaughtUp, now);
        let session = Session {
            kind: Kind::Local,
            status: Status::Unknown,
            conversation_id: arguments::conversation(&found.agent, &found.argv),
            pid: Some(found.process.pid),
            // Until its pane is known, if it has one.
            cols: 80,
            rows: 24,
            command: found.argv.iter().take(ARGUMENTS).map(|argument| clean::line(argument, WORDS)).collect(),
            created_at: started,
            ..fresh(
                id(boot, found.process, started_ms),
                name(&found),
                found.agent.clone(),
                found.cwd.clone(),
                wall,
            )
        };
        let mut known = Self {
            found,
            pane: None,
            session,
            watching: None,
            ended: None,
            watch: Watch::new(arbiter),
            subagents: Alive::new(),
            terminal: None,
            shown: None,
        };
        known.place(None, now);
        known
    }

    /// Where it is, as far as is known now.
    pub(super) fn place(&mut self, pane: Option<Reached>, now: u64) {
        let found = &self.found;
        let tty = found.tty.clone();
        let (place, at, can) = match (&pane, found.editor) {
            (Some(reached), _) => {
                let place = format!("tmux {}", reached.pane.place());
                (place, Place::Tmux(reached.at.clone()), vec![Control::Screen, Control::Adopt, Control::End])
            }
            (None, Some(editor)) => {
                (format!("editor: {editor}"), Place::Editor { name: editor.to_owned() }, vec![Control::End])
            }
            (None, None) => match &tty {
                Some(tty) => (format!("another terminal ({tty})"), Place::Terminal, vec![Control::End]),
                None => ("no terminal".to_owned(), Place::Background, vec![Control::End]),
            },
        };
        if pane.is_none() && (self.session.local.is_none() || self.pane.is_some()) {
            let silence = Silence {
                source: Source::Screen,
                why: "it is in a terminal that Belfry does not see".to_owned(),
                costs: "its questions are known only as far as its own files tell of them".to_owned(),
            };
            self.watch.arbiter().observe(Observation::Missing(silence), now);
        }
        self.session.local = Some(Box::new(Local { place: clean::line(&place, WORDS), at, tty, can }));
        if let Some(reached) = &pane {
            (self.session.cols, self.session.rows) = (reached.pane.cols, reached.pane.rows);
            let title = clean::line(&reached.pane.title, WORDS);
            self.session.title = Some(title).filter(|title| !title.is_empty());
            if self.session.conversation_id.is_none() {
                self.session.conversation_id = arguments::named(&self.found.agent, &reached.pane.session);
            }
        }
        self.pane = pane;
    }

    /// One of the agent's files tells something.
    pub(super) fn told(&mut self, signal: &SourceSignal, now: u64) {
        let Told { conversation, .. } = &signal.told;
        if let Some(conversation) = conversation {
            self.session.conversation_id = Some(conversation.clone());
        }
        for observation in observations(signal, &mut self.subagents) {
            self.watch.arbiter().observe_dated(observation, signal.at, now);
        }
    }

    /// What its pane shows.
    pub(super) fn shows(&mut self, picture: picture::Picture, agents: &Agents, now: u64) {
        let Some(agent) = agents.get(&self.found.agent) else { return };
        let size = Size::new(picture.state.cols, picture.state.rows).clamped();
        let changed = self.shown.as_ref() != Some(&picture);
        let terminal = self.terminal.get_or_insert_with(|| Terminal::new(size, Options::default()));
        if changed {
            if terminal.size() != size {
                terminal.resize(size);
            }
            let at = terminal.offset();
            terminal.feed(&picture.drawn(), at);
            self.shown = Some(picture);
        }
        self.watch.shown(terminal, Rules { agent, version: None }, now);
    }

    /// What follows from all that is known, and when to look again although nothing happened. True where the record has
    /// changed.
    pub(super) fn judge(&mut self, now: u64) -> (bool, Option<u64>) {
        if self.ended.is_some() {
            return (false, None);
        }
        let verdict = self.watch.verdict(now);
        let before = self.session.clone();
        let moment = |ms: u64| {
            let ago = jiff::SignedDuration::from_millis(i64::try_from(ms).unwrap_or(0));
            clock::wall().checked_sub(ago).ok()
        };
        let status = self.without_eyes(&verdict);
        let session = &mut self.session;
        if session.status != status {
            session.status = status;
            session.since = moment(verdict.for_ms).unwrap_or(session.since).max(session.created_at);
            session.last_activity_at = clock::wall();
        }
        session.reason = match (status, verdict.reason.as_deref()) {
            (Status::Idle, _) if verdict.status != Status::Idle => Some(BLIND.to_owned()),
            (Status::Unknown, _) => Some("nothing that can be trusted tells what it does".to_owned()),
            (_, reason) => reason.map(|reason| clean::line(reason, WORDS)),
        };
        let activity = verdict.activity.as_ref().map(|activity| clean::line(&activity.doing.words(), WORDS));
        if session.activity != activity {
            session.activity_since = verdict.activity.as_ref().and_then(|activity| moment(activity.for_ms));
            session.activity = activity;
        }
        verdict.source.word().clone_into(&mut session.source);
        (*session != before, verdict.again_at)
    }

    /// Its own files say that it is at its prompt, and would say the same at some questions; its screen nobody here will ever
    /// see. Better what is most likely, with what is missing said, than nothing for as long as it lives.
    fn without_eyes(&self, verdict: &Verdict) -> Status {
        let at_rest = verdict.rule == Rule::Ambiguous && verdict.source == Source::Registry;
        if at_rest && self.pane.is_none() { Status::Idle } else { verdict.status }
    }

    /// Its process has ended.
    pub(super) fn end(&mut self, now: u64) {
        self.ended = Some(now);
        self.watching = None;
        let session = &mut self.session;
        session.status = Status::Dead;
        session.since = clock::wall();
        session.reason = Some("its process has ended".to_owned());
        (session.activity, session.activity_since) = (None, None);
        Source::Process.word().clone_into(&mut session.source);
        session.pid = None;
        // Nobody but its parent is told how it ended.
        session.exit = None::<Exit>;
        if let Some(local) = &mut session.local {
            local.can.clear();
        }
    }

    /// Why the status is what it is.
    pub(super) fn explain(&mut self, now: u64) -> Explanation {
        let verdict = self.watch.verdict(now);
        let clean = |text: &str| clean::line(text, 300);
        let evidence = self.watch.arbiter().evidence(now).into_iter().map(|mut evidence| {
            evidence.what = clean(&evidence.what);
            evidence.why = evidence.why.as_deref().map(clean);
            evidence
        });
        let evidence = evidence.collect();
        let missing = self.watch.arbiter().missing().iter();
        let missing =
            missing.map(|missing| Missing { why: clean(&missing.why), ..missing.clone() }).collect();
        let session = &self.session;
        Explanation {
            name: session.name.clone(),
            agent: session.agent.clone(),
            version: None,
            status: session.status,
            reason: session.reason.clone().or_else(|| session.activity.clone()),
            for_ms: clock::since(session.since),
            activity_since: session.activity_since,
            rule: verdict.rule.sentence().to_owned(),
            evidence,
            missing,
            history: Vec::new(),
        }
    }
}

fn name(found: &Found) -> String {
    let directory = found.cwd.rsplit('/').find(|part| !part.is_empty()).unwrap_or("/");
    clean::line(&format!("{} in {directory}", found.agent), WORDS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_is_the_process_s_for_as_long_as_it_lives() {
        let process = Identity { pid: 7, start: 99 };
        let one = id("boot", process, 1_700_000_000_000);
        assert_eq!(one, id("boot", process, 1_700_000_000_000));
        assert_ne!(one, id("boot", Identity { start: 100, ..process }, 1_700_000_000_000));
        assert_ne!(one, id("other", process, 1_700_000_000_000));
        assert_eq!(one.0.get_version_num(), 7);
        assert!(one < id("boot", process, 1_700_000_060_000), "later ones come later");
    }
}
