//! Who a client speaks for.
//!
//! An agent is not the person: its shell could run `belfry answer` on itself. A peer that descends from a keeper has the
//! authority of that keeper's session and no more, whatever command it uses. The session of a shell is the person's own,
//! unless an agent stands between, or the shell does not: what it left behind belongs to whoever started it, and nobody can
//! say any more whether that was an agent. The subreaper keeps what double-forks below its keeper; what leaves it by other
//! ways (docker, systemd-run) is outside this boundary. A peer whose ancestors cannot be told is nobody.

use belfry_agents::{Agents, Process};
use belfry_platform::process::{self, Identity};
use belfry_protocol::{ErrorCode, Request, SessionId, WireError};

/// What a client may do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Authority {
    /// Everything.
    Person,
    /// What an agent may: look at its own session.
    Session(SessionId),
}

/// A run's keeper and whose it is.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Keeper {
    pub(crate) pid: u32,
    pub(crate) session: SessionId,
    /// The session is a shell, which the person types in.
    pub(crate) shell: bool,
    /// The process that the run started, directly below the keeper.
    pub(crate) program: Option<u32>,
    /// The run goes on. Otherwise the keeper may be busy with what the program left, or gone and its id somebody else's.
    pub(crate) alive: bool,
}

/// Judges a peer by its ancestors, nearest first. None where one of them is a keeper that is not among these, but for those
/// that are above ourselves as well: Belfry inside a session of another Belfry.
pub(crate) fn judge(chain: &[Identity], keepers: &[Keeper], agents: &Agents) -> Option<Authority> {
    let above_us = process::ancestry(std::process::id()).unwrap_or_default();
    let is_keeper = |identity: Identity| process::name(identity.pid).as_deref() == Some("belfry-keeper");
    judge_chain(chain, keepers, &above_us, |identity| is_agent(identity, agents), is_keeper)
}

fn judge_chain(
    chain: &[Identity],
    keepers: &[Keeper],
    above_us: &[Identity],
    mut is_agent: impl FnMut(Identity) -> bool,
    mut is_keeper: impl FnMut(Identity) -> bool,
) -> Option<Authority> {
    for (depth, identity) in chain.iter().enumerate() {
        let known = keepers.iter().filter(|keeper| keeper.pid == identity.pid);
        // An id may have been used before, and the run that goes on has it now.
        let known = known.max_by_key(|keeper| keeper.alive);
        let Some(keeper) = known.filter(|keeper| keeper.alive || is_keeper(*identity)) else {
            // The peer itself may be called as it likes.
            if depth > 0 && is_keeper(*identity) && !above_us.contains(identity) {
                return None;
            }
            continue;
        };
        // The nearest keeper decides: a daemon that was started inside a session has its keepers below that one.
        let below = &chain[..depth];
        let orphaned = keeper.program.is_none() || below.last().map(|below| below.pid) != keeper.program;
        let person = keeper.shell && keeper.alive && !orphaned && !below.iter().any(|id| is_agent(*id));
        return Some(if person { Authority::Person } else { Authority::Session(keeper.session) });
    }
    Some(Authority::Person)
}

/// Whether a process is an agent.
pub(crate) fn is_agent(identity: Identity, agents: &Agents) -> bool {
    let name = process::name(identity.pid).unwrap_or_default();
    let argv = process::arguments(identity.pid);
    agents.recognise(Process { name: &name, argv: &argv }).is_some()
}

impl Authority {
    /// Whether the request is within it, as far as can be told without knowing which session is meant.
    pub(crate) fn allows(self, request: &Request) -> Result<(), WireError> {
        let Self::Session(_) = self else { return Ok(()) };
        match request {
            Request::Ping
            | Request::ShowSession { .. }
            | Request::ListLedger { .. }
            | Request::ReadScreen { .. }
            // Bound to its session by the secret in it.
            | Request::HookEvent { .. } => Ok(()),
            _ => Err(forbidden()),
        }
    }

    /// Whether that session is within it.
    pub(crate) fn reaches(self, session: SessionId) -> Result<(), WireError> {
        match self {
            Self::Session(own) if own != session => Err(forbidden()),
            _ => Ok(()),
        }
    }
}

fn forbidden() -> WireError {
    WireError::new(
        ErrorCode::Forbidden,
        "this command runs inside an agent's session and has only that session's authority: it may look at itself",
    )
    .next("run it from a terminal that is not an agent's")
}

#[cfg(test)]
mod tests {
    use belfry_protocol::StreamId;
    use belfry_protocol::conversation::{ForkSession, ResumeConversation};
    use belfry_protocol::transcript::ReadTranscript;

    use super::*;

    fn chain(pids: &[u32]) -> Vec<Identity> {
        pids.iter().map(|pid| Identity { pid: *pid, start: 1 }).collect()
    }

    #[test]
    fn the_nearest_keeper_and_what_stands_between_decide() {
        let (agent, shell) = (SessionId::at(1), SessionId::at(2));
        let keeper =
            |pid, session, alive| Keeper { pid, session, shell: session == shell, program: Some(4), alive };
        let keepers = [
            keeper(10, agent, true),
            keeper(20, shell, true),
            keeper(30, agent, false),
            keeper(99, agent, false),
            keeper(97, shell, false),
            Keeper { program: None, ..keeper(21, shell, true) },
        ];
        let judged = |pids: &[u32], agents: &[u32]| {
            let is_agent = |identity: Identity| agents.contains(&identity.pid);
            let is_keeper = |identity: Identity| [96, 97, 98, 99].contains(&identity.pid);
            judge_chain(&chain(pids), &keepers, &chain(&[50, 96, 1]), is_agent, is_keeper)
        };
        let person = Some(Authority::Person);
        let in_shell = Some(Authority::Session(shell));
        assert_eq!(judged(&[5, 4, 1], &[4]), person, "outside of every session");
        assert_eq!(judged(&[5, 4, 10, 1], &[]), Some(Authority::Session(agent)), "an agent's own session");
        assert_eq!(judged(&[5, 4, 20, 1], &[]), person, "the person's shell");
        assert_eq!(judged(&[5, 3, 4, 20, 1], &[3]), in_shell, "an agent in the person's shell");
        assert_eq!(judged(&[5, 3, 20, 1], &[]), in_shell, "what was left to the keeper");
        assert_eq!(judged(&[5, 4, 21, 1], &[]), in_shell, "a program that is not known");
        assert_eq!(judged(&[5, 4, 20, 3, 10, 1], &[3]), person, "a keeper below another");
        assert_eq!(judged(&[5, 99, 1], &[]), Some(Authority::Session(agent)), "what a dead session left");
        assert_eq!(judged(&[5, 4, 97, 1], &[]), in_shell, "what an earlier run of a shell left");
        assert_eq!(judged(&[5, 30, 1], &[]), person, "an id that is another's by now");
        assert_eq!(judged(&[5, 98, 1], &[]), None, "a keeper that is not known");
        assert_eq!(judged(&[5, 96, 1], &[]), person, "a keeper that is above ourselves");
        assert_eq!(judged(&[98, 1], &[]), person, "one that only calls itself so");
    }

    #[test]
    fn an_agent_may_only_look_at_itself() {
        let (own, other) = (SessionId::at(1), SessionId::at(2));
        let authority = Authority::Session(own);
        assert!(authority.allows(&Request::ShowSession { session: "x".into() }).is_ok());
        assert!(authority.allows(&Request::StopDaemon).is_err());
        assert!(authority.allows(&Request::Subscribe).is_err());
        let text = || "x".to_owned();
        let (base_env, cwd, name, at) = (None, None, None, None);
        let others = [
            Request::ResumeSession { session: text(), cwd: None, base_env: None },
            Request::ResumeAll { sessions: None, base_env: None },
            Request::ResumeConversation(Box::new(ResumeConversation {
                agent: text(),
                id: text(),
                cwd,
                name,
                fork: true,
                handover: true,
                base_env,
            })),
            Request::ForkSession(Box::new(ForkSession {
                session: text(),
                name: None,
                at,
                handover: true,
                base_env: None,
            })),
            Request::RestartSession { session: text(), anew: false, base_env: None },
            Request::HibernateSession { session: text() },
            Request::MeasureSessions { sessions: None },
            Request::MeasureSessions { sessions: Some(vec![own]) },
            Request::ReadUsage(Box::default()),
            Request::AdoptSession { target: text() },
            Request::EndLocal { session: text(), pid: 1 },
            Request::ListConversations(Box::default()),
            Request::SearchText(Box::default()),
            Request::HideConversation { agent: text(), id: text(), hidden: true },
            Request::ReadTranscript(Box::new(ReadTranscript {
                agent: text(),
                id: text(),
                subagent: None,
                from: None,
                before: None,
                limit: 1,
            })),
            Request::ShowRecording { session: text() },
            Request::ReadRecording { session: text(), from: 0, picture: true, bytes: 1, stream: StreamId(1) },
            Request::ExportAsciicast { session: text(), stream: StreamId(1) },
            Request::ExportMarkdown { session: text(), stream: StreamId(1) },
            Request::ExportConversation { agent: text(), id: text(), stream: StreamId(1) },
        ];
        for other in others {
            let refused = authority.allows(&other).expect_err("not an agent's to ask");
            assert_eq!(refused.code, ErrorCode::Forbidden, "{other:?}");
            assert!(Authority::Person.allows(&other).is_ok());
        }
        assert!(authority.reaches(own).is_ok());
        assert!(authority.reaches(other).is_err());
        assert!(Authority::Person.reaches(other).is_ok());
    }
}
