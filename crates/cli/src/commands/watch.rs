//! Events for as long as they are wanted: a daemon that ends is found again, and what changed meanwhile is told.

use std::collections::HashMap;
use std::time::Duration;

use belfry_client::{ClientError, Incoming, IncomingStream, Requests};
use belfry_protocol::{Event, Request, Session, SessionId};

use crate::context::Context;
use crate::failure::Failure;

/// Daemons that end one after the other before this is given up.
const ATTEMPTS: usize = 10;
/// Between them.
const PAUSE: Duration = Duration::from_millis(50);

/// A subscription.
#[derive(Debug)]
pub(crate) struct Watch {
    context: Context,
    /// Also kept since the connection ends with its last asking side.
    requests: Requests,
    incoming: IncomingStream,
    known: HashMap<SessionId, Session>,
    /// Told before anything that arrives.
    ahead: std::collections::VecDeque<Event>,
}

impl Watch {
    /// Subscribes. `known` has every session as it is at this moment, and no later change is missed.
    pub(crate) async fn start(context: &Context) -> Result<Self, Failure> {
        let (requests, incoming, known) = subscribed(context).await?;
        let ahead = std::collections::VecDeque::new();
        Ok(Self { context: context.clone(), requests, incoming, known, ahead })
    }

    /// A session as it is known now.
    pub(crate) fn session(&self, id: SessionId) -> Option<&Session> {
        self.known.get(&id)
    }

    /// The next event.
    pub(crate) async fn next(&mut self) -> Result<Event, Failure> {
        loop {
            if let Some(event) = self.ahead.pop_front() {
                return Ok(event);
            }
            match self.incoming.next().await {
                Some(Incoming::Event(event)) => {
                    match &*event {
                        Event::Session { session } => {
                            self.known.insert(session.id, (**session).clone());
                        }
                        Event::SessionRemoved { id } => {
                            self.known.remove(id);
                        }
                        _ => {}
                    }
                    return Ok(*event);
                }
                Some(_) => {}
                None => self.again().await?,
            }
        }
    }

    /// Connects anew, and tells what is different from what was known.
    async fn again(&mut self) -> Result<(), Failure> {
        // A daemon that somebody stops on purpose is still on its way out; the short pause keeps us from a busy loop
        // should each new one end at once.
        tokio::time::sleep(PAUSE).await;
        let (requests, incoming, mut now) = subscribed(&self.context).await?;
        (self.requests, self.incoming) = (requests, incoming);
        for (id, session) in &now {
            if self.known.get(id) != Some(session) {
                self.ahead.push_back(Event::Session { session: Box::new(session.clone()) });
            }
        }
        let gone = self.known.keys().filter(|id| !now.contains_key(id));
        self.ahead.extend(gone.map(|id| Event::SessionRemoved { id: *id }));
        std::mem::swap(&mut self.known, &mut now);
        Ok(())
    }

    /// The session that a person means by `text`.
    pub(crate) async fn resolve(&mut self, text: &str) -> Result<SessionId, Failure> {
        for _ in 0..ATTEMPTS {
            match self.requests.request(Request::ShowSession { session: text.to_owned() }).await {
                Err(ClientError::Lost) => self.again().await?,
                reply => return Ok(crate::context::session(reply?)?.id),
            }
        }
        Err(ClientError::Lost.into())
    }
}

type Subscribed = (Requests, IncomingStream, HashMap<SessionId, Session>);

/// Connects and subscribes; a daemon that ends meanwhile is found again.
async fn subscribed(context: &Context) -> Result<Subscribed, Failure> {
    for _ in 0..ATTEMPTS {
        let (requests, mut incoming) = context.connect().await?.split();
        match incoming.subscribe(&requests).await {
            Ok(all) => {
                let known = all.sessions.into_iter().map(|one| (one.id, one)).collect();
                return Ok((requests, incoming, known));
            }
            Err(ClientError::Lost) => tokio::time::sleep(PAUSE).await,
            Err(error) => return Err(error.into()),
        }
    }
    Err(ClientError::Lost.into())
}
