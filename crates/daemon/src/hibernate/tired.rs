//! Whether a session may be put to sleep, by what its record says and by what its agent can.

use std::sync::Arc;

use belfry_protocol::launch::EnvVar;
use belfry_protocol::session::Kind;
use belfry_protocol::{ErrorCode, Session, Status, WireError};

use super::{By, refused};
use crate::Daemon;
use crate::conversations;
use crate::local::bridge::Bridge;
use crate::session::Entry;

/// Why its record speaks against it.
pub(super) fn by_record(session: &Session, by: By) -> Result<(), String> {
    let why = if session.private {
        "nothing of a private session is kept for its way back"
    } else if session.kind != Kind::Managed || Bridge::of(session).is_some() {
        "its program is not Belfry's to start again"
    } else if session.conversation_id.is_none() {
        "it is in no conversation that it could go on with"
    } else if session.ask.is_some() || session.status == Status::Waiting {
        "it asks something"
    } else if session.status != Status::Idle {
        "it is not idle"
    } else if let Some(activity) = &session.activity {
        return Err(format!("something goes on in it ({activity})"));
    } else if session.queued > 0 {
        "a message waits for it"
    } else if session.guest.is_some() {
        "an agent that was started by hand has its terminal"
    } else if by == By::Itself && session.pinned {
        "it is pinned"
    } else if by == By::Itself && session.views > 0 {
        "somebody looks at it"
    } else {
        return Ok(());
    };
    Err(why.to_owned())
}

/// Refuses where its agent can never go on where it was.
pub(super) fn by_table(daemon: &Daemon, session: &Session) -> Result<(), WireError> {
    if daemon.agents().get(&session.agent).is_some_and(|agent| agent.can().resume) {
        return Ok(());
    }
    let why = "its program cannot go on where it was, so it is not put to sleep";
    Err(WireError::new(ErrorCode::Unsupported, why).kept("the session goes on"))
}

/// Refuses where its agent could not go on now with all that was said.
pub(super) async fn by_agent(
    daemon: &Arc<Daemon>,
    entry: &Entry,
    session: &Session,
    env: Vec<EnvVar>,
) -> Result<(), WireError> {
    let agents = daemon.agents();
    let Some(agent) = agents.get(&session.agent) else { return by_table(daemon, session) };
    conversations::resumable(daemon, entry, agent, env).await.map_err(|why| refused(&why))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn idle() -> Session {
        let mut session = crate::session::fresh(
            belfry_protocol::SessionId::at(1),
            "name".to_owned(),
            "claude".to_owned(),
            "/".to_owned(),
            jiff::Timestamp::UNIX_EPOCH,
        );
        session.status = Status::Idle;
        session.conversation_id = Some("c".to_owned());
        session
    }

    #[test]
    fn what_could_lose_something_stays_awake() {
        assert_eq!(by_record(&idle(), By::Itself), Ok(()));
        let against: [fn(&mut Session); 9] = [
            |session| session.private = true,
            |session| session.kind = Kind::Local,
            |session| session.conversation_id = None,
            |session| session.status = Status::Running,
            |session| session.status = Status::Unknown,
            |session| session.status = Status::Blocked,
            |session| session.activity = Some("1 background shell".to_owned()),
            |session| session.queued = 1,
            |session| session.guest = Some("codex".to_owned()),
        ];
        for change in against {
            let mut session = idle();
            change(&mut session);
            assert!(by_record(&session, By::Person).is_err(), "{session:?}");
            assert!(by_record(&session, By::Itself).is_err(), "{session:?}");
        }
        // The person may say so of what they see.
        let changes: [fn(&mut Session); 2] = [|session| session.pinned = true, |session| session.views = 1];
        for change in changes {
            let mut session = idle();
            change(&mut session);
            assert!(by_record(&session, By::Person).is_ok() && by_record(&session, By::Itself).is_err());
        }
    }
}
