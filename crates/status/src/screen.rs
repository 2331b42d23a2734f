//! What was read from the screen, over time.

use crate::observation::{DialogSeen, Place, ScreenSays, Trouble};

/// A dialog that was there for less than this, in milliseconds, asked nothing.
const FLEETING: u64 = 150;

/// The last reading that counts.
#[derive(Clone, Debug)]
pub(crate) struct Reading {
    pub(crate) says: ScreenSays,
    pub(crate) at: u64,
    /// When it was last read because it had changed.
    pub(crate) changed: u64,
    /// Since when all readings were of that place.
    pub(crate) place_since: u64,
    /// Since when all readings told of that activity.
    pub(crate) activity_since: u64,
}

/// A dialog that was seen and has not been answered, as far as is known.
#[derive(Clone, Debug)]
pub(crate) struct Open {
    pub(crate) dialog: DialogSeen,
    /// When it was first on the screen.
    pub(crate) opened: u64,
    /// When the dialog was first on the screen in whose place it came, without anything between them.
    before: Option<u64>,
    /// When it was last on the screen.
    pub(crate) seen: u64,
    /// Since when it is not, while nothing shows that it was answered.
    pub(crate) away: Option<u64>,
}

/// A trouble that the screen tells of.
#[derive(Clone, Debug)]
pub(crate) struct Noted {
    pub(crate) trouble: Trouble,
    pub(crate) since: u64,
    /// It is in the last reading.
    shows: bool,
}

/// All that is known of the screen.
#[derive(Clone, Debug, Default)]
pub(crate) struct Screen {
    pub(crate) reading: Option<Reading>,
    pub(crate) open: Option<Open>,
    /// When a dialog was last known to be over.
    pub(crate) closed: Option<u64>,
    /// When that dialog was first on the screen.
    pub(crate) asked: Option<u64>,
    /// The last reading that showed work.
    pub(crate) worked: Option<u64>,
    failed: Option<Noted>,
    blocked: Option<Noted>,
    /// When it was last seen half drawn.
    pub(crate) half_drawn: Option<u64>,
}

impl Screen {
    /// Takes a reading in. `worked` is when the agent last said that it works.
    pub(crate) fn read(&mut self, says: ScreenSays, at: u64, worked: Option<u64>) {
        if !says.settled {
            self.half_drawn = Some(at);
            return;
        }
        if self.reading.as_ref().is_some_and(|last| last.at > at) {
            return;
        }
        match says.place {
            Place::Dialog => {
                let dialog = says.dialog.clone().unwrap_or_else(|| DialogSeen {
                    fingerprint: String::new(),
                    kind: belfry_protocol::ask::AskKind::Choice,
                    summary: "a question is open".to_owned(),
                });
                let same = self.open.as_ref().filter(|open| open.dialog.fingerprint == dialog.fingerprint);
                let opened = same.map_or(at, |open| open.opened);
                let before = match (same, &self.open) {
                    (Some(open), _) => open.before,
                    (None, open) => open.as_ref().map(|open| open.opened),
                };
                self.open = Some(Open { dialog, opened, before, seen: at, away: None });
            }
            Place::Prompt | Place::Working => self.close(at),
            Place::Unknown => {
                if let Some(open) = &mut self.open {
                    open.away.get_or_insert(at);
                }
            }
        }
        if says.place == Place::Working {
            self.worked = Some(at);
        }
        let worked = self.worked.max(worked);
        note(&mut self.failed, says.failed.clone().map(|reason| Trouble { reason, until: None }), at, worked);
        note(&mut self.blocked, says.blocked.clone(), at, worked);
        let last = self.reading.as_ref();
        let place_since =
            last.filter(|last| last.says.place == says.place).map_or(at, |last| last.place_since);
        let activity_since =
            last.filter(|last| last.says.activity == says.activity).map_or(at, |last| last.activity_since);
        self.reading = Some(Reading { says, at, changed: at, place_since, activity_since });
    }

    /// It was read again and says the same.
    pub(crate) fn again(&mut self, at: u64) {
        let Some(reading) = &mut self.reading else { return };
        reading.at = reading.at.max(at);
        if reading.says.place == Place::Working {
            self.worked = self.worked.max(Some(at));
        }
        if let Some(open) = &mut self.open
            && open.away.is_none()
        {
            open.seen = open.seen.max(at);
        }
    }

    /// Its dialog is over.
    pub(crate) fn close(&mut self, at: u64) {
        if let Some(open) = self.open.take() {
            // What was there for a moment only is the one before, half taken off the screen.
            let fleeting = at < open.opened + FLEETING;
            self.asked = Some(open.before.filter(|_| fleeting).unwrap_or(open.opened));
            self.closed = self.closed.max(Some(at));
        }
    }

    /// It cannot be read any more.
    pub(crate) fn forget(&mut self) {
        *self = Self { closed: self.closed, asked: self.asked, ..Self::default() };
    }

    /// When it was last read.
    pub(crate) fn read_at(&self) -> Option<u64> {
        self.reading.as_ref().map(|reading| reading.at)
    }

    pub(crate) fn place(&self) -> Option<Place> {
        self.reading.as_ref().map(|reading| reading.says.place)
    }

    /// The error of the last turn, if the screen shows one.
    pub(crate) fn failed(&self) -> Option<&Noted> {
        self.failed.as_ref().filter(|noted| noted.shows)
    }

    /// Why it cannot go on, if the screen says so.
    pub(crate) fn blocked(&self) -> Option<&Noted> {
        self.blocked.as_ref().filter(|noted| noted.shows)
    }
}

/// The same text is the same trouble, also after something covered it, until the agent has worked since.
fn note(noted: &mut Option<Noted>, now: Option<Trouble>, at: u64, worked: Option<u64>) {
    match (noted.as_mut(), now) {
        (Some(noted), None) => noted.shows = false,
        (None, None) => {}
        (Some(same), Some(now)) if same.trouble.reason == now.reason && worked <= Some(same.since) => {
            same.trouble = now;
            same.shows = true;
        }
        (_, Some(trouble)) => *noted = Some(Noted { trouble, since: at, shows: true }),
    }
}
