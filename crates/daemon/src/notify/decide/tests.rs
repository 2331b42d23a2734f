use super::*;

const START: i64 = 1_800_000_000;

fn wall(ms: u64) -> Timestamp {
    Timestamp::from_millisecond(START * 1000 + ms.cast_signed()).expect("a moment")
}

/// A session in that status since so many milliseconds after the start.
pub(in crate::notify) fn session(status: Status, since: u64) -> Session {
    let since = wall(since);
    let run = serde_json::json!({
        "id": uuid::Uuid::from_u128(1), "started_at": since, "ended_at": null, "exit": null, "pid": null, "keeper_pid": null,
    });
    let session = serde_json::json!({
        "id": uuid::Uuid::from_u128(1), "name": "fix the tests", "agent": "claude", "kind": "managed", "status": status,
        "source": "screen", "since": since, "unseen": false, "cwd": "/", "position": 1.0, "workspace": "directory",
        "views": 0, "cols": 80, "rows": 24, "command": [], "env_names": [], "private": false, "runs": [run], "queued": 0,
        "created_at": since, "last_activity_at": since,
    });
    serde_json::from_value(session).expect("a session")
}

fn asks(n: u64, fingerprint: &str) -> Session {
    let ask = serde_json::json!({
        "id": uuid::Uuid::from_u128(u128::from(n)), "kind": "approval", "text": format!("question {n}"), "choices": [],
        "takes_text": false, "detail": {}, "risk": "low", "fingerprint": fingerprint, "answerable": true,
        "opened_at": wall(0),
    });
    let ask = serde_json::from_value(ask).expect("an ask");
    Session { ask: Some(ask), ..session(Status::Waiting, 0) }
}

fn done(since: u64) -> Session {
    Session { unseen: true, ..session(Status::Idle, since) }
}

fn died(exit: Exit) -> Session {
    Session { unseen: true, exit: Some(exit), ..session(Status::Dead, 0) }
}

/// A step of a table: at that time, in milliseconds, the session is so; what comes of it, as words.
struct Step {
    at: u64,
    session: Session,
    looked_at: bool,
    killed: bool,
    vanished: bool,
    comes: &'static str,
}

fn step(at: u64, session: Session, comes: &'static str) -> Step {
    Step { at, session, looked_at: false, killed: false, vanished: false, comes }
}

struct Table {
    decider: Decider,
    set: Notifications,
    calls: u64,
}

impl Table {
    fn new() -> Self {
        Self { decider: Decider::default(), set: Notifications::default(), calls: 0 }
    }

    fn go(mut self, steps: impl IntoIterator<Item = Step>) -> Self {
        for step in steps {
            let Step { at, session, looked_at, killed, vanished, comes } = step;
            let moment = Moment { now: at, wall: wall(at) };
            let seen = Seen { session: &session, looked_at, killed, vanished };
            let mut came = Vec::new();
            for act in self.decider.look(&seen, &self.set, moment) {
                match act {
                    Act::Gone(id) => came.push(format!("gone {}", id.0.as_u128())),
                    Act::Call(call) => {
                        self.calls += 1;
                        self.decider.called(session.id, id(self.calls));
                        came.push(format!("{:?}", call.kind).to_lowercase());
                    }
                }
            }
            assert_eq!(came.join(", "), comes, "at {at}");
        }
        self
    }

    fn next(&self, at: u64) -> Option<u64> {
        self.decider.next(Moment { now: at, wall: wall(at) })
    }
}

fn id(n: u64) -> NotificationId {
    NotificationId(uuid::Uuid::from_u128(u128::from(n)))
}

#[test]
fn a_question_calls_once_after_it_has_held() {
    let table = Table::new().go([step(0, asks(1, "a"), "")]);
    assert_eq!(table.next(0), Some(HOLDS), "it is looked at again");
    let table = table.go([
        step(HOLDS - 1, asks(1, "a"), ""),
        step(HOLDS, asks(1, "a"), "waiting"),
        step(5000, asks(1, "a"), ""),
        // While its dialog is being drawn its fingerprint changes.
        step(6000, asks(1, "b"), ""),
    ]);
    assert_eq!(table.next(6000), None, "no timer while it waits");
    table.go([step(7000, session(Status::Running, 7000), "gone 1")]);
}

#[test]
fn one_that_is_answered_at_once_calls_nobody() {
    Table::new().go([
        step(0, asks(1, "a"), ""),
        step(500, session(Status::Running, 500), ""),
        step(2000, session(Status::Running, 500), ""),
    ]);
}

#[test]
fn each_question_calls_also_where_it_is_worded_like_the_last() {
    Table::new().go([
        step(0, asks(1, "a"), ""),
        step(1000, asks(1, "a"), "waiting"),
        step(2000, session(Status::Running, 2000), "gone 1"),
        step(2500, asks(2, "a"), ""),
        step(3500, asks(2, "a"), "waiting"),
        step(4000, asks(3, "b"), "gone 2"),
        step(5000, asks(3, "b"), "waiting"),
    ]);
}

#[test]
fn a_dialog_that_is_drawn_anew_is_the_same() {
    let vanished = |at, session, comes| Step { vanished: true, ..step(at, session, comes) };
    let table = Table::new().go([
        step(0, asks(1, "a"), ""),
        step(1000, asks(1, "a"), "waiting"),
        vanished(2000, session(Status::Running, 2000), ""),
        vanished(2500, asks(2, "a"), ""),
        vanished(9000, asks(2, "a"), ""),
        vanished(10_000, session(Status::Running, 10_000), ""),
    ]);
    assert_eq!(table.next(10_000), Some(10_000 + VANISHED));
    table.go([
        vanished(10_000 + VANISHED, session(Status::Running, 10_000), "gone 1"),
        vanished(20_000, asks(3, "a"), ""),
        vanished(21_000, asks(3, "a"), "waiting"),
    ]);
}

#[test]
fn who_looks_is_not_called() {
    let looked = |at, session, comes| Step { looked_at: true, ..step(at, session, comes) };
    Table::new().go([
        looked(0, asks(1, "a"), ""),
        // Seen is seen, also where the person has left since.
        step(1000, asks(1, "a"), ""),
        step(60_000, asks(1, "a"), ""),
        step(61_000, session(Status::Running, 61_000), ""),
        step(62_000, asks(2, "b"), ""),
        looked(62_500, asks(2, "b"), ""),
        step(63_000, asks(2, "b"), ""),
        step(64_000, asks(3, "c"), ""),
        step(65_000, asks(3, "c"), "waiting"),
        looked(66_000, asks(3, "c"), "gone 1"),
        step(67_000, asks(3, "c"), ""),
    ]);
}

#[test]
fn muted_is_silent_and_a_snooze_keeps_it_for_later() {
    let muted = |session: Session| Session { muted: true, ..session };
    let snoozed = |session: Session, until| Session { snoozed_until: Some(wall(until)), ..session };
    Table::new().go([
        step(0, muted(asks(1, "a")), ""),
        step(1000, muted(asks(1, "a")), ""),
        step(5000, asks(1, "a"), ""),
        step(9000, asks(1, "a"), ""),
    ]);
    let table = Table::new()
        .go([step(0, snoozed(asks(1, "a"), 600_000), ""), step(1000, snoozed(asks(1, "a"), 600_000), "")]);
    assert_eq!(table.next(1000), Some(61_000), "the wall's clock may have gone on meanwhile");
    assert_eq!(table.next(595_000), Some(600_000));
    table.go([
        step(599_999, snoozed(asks(1, "a"), 600_000), ""),
        step(600_000, snoozed(asks(1, "a"), 600_000), "waiting"),
        step(700_000, snoozed(asks(1, "a"), 600_000), ""),
        // Snoozed once more after it has called.
        step(701_000, snoozed(asks(1, "a"), 800_000), "gone 1"),
        step(800_000, snoozed(asks(1, "a"), 800_000), "waiting"),
        // What is over before the snooze is does not call.
        step(801_000, snoozed(asks(1, "a"), 900_000), "gone 2"),
        step(850_000, snoozed(session(Status::Running, 850_000), 900_000), ""),
        step(900_000, snoozed(session(Status::Running, 850_000), 900_000), ""),
    ]);
}

#[test]
fn only_a_turn_that_took_long_is_told_to_be_over() {
    let running = |since| session(Status::Running, since);
    let table = Table::new().go([
        step(0, running(0), ""),
        step(9999, done(9999), ""),
        step(11_500, done(9999), ""),
        step(20_000, running(20_000), ""),
        // A question within it does not end it.
        step(22_000, asks(1, "a"), ""),
        step(22_500, running(22_500), ""),
        step(30_000, done(30_000), ""),
        step(31_000, done(30_000), "done"),
        step(40_000, session(Status::Idle, 30_000), "gone 1"),
        // The next turn begins before the last one was told.
        step(50_000, running(50_000), ""),
        step(70_000, done(70_000), ""),
        step(70_500, running(70_500), ""),
        step(72_000, running(70_500), ""),
    ]);
    drop(table);
    // It asks at once.
    let asking = Session { since: wall(5000), ..asks(1, "a") };
    Table::new().go([
        step(0, session(Status::Idle, 0), ""),
        step(5000, asking, ""),
        step(5500, session(Status::Running, 5500), ""),
        step(16_000, done(16_000), ""),
        step(17_000, done(16_000), "done"),
    ]);
    // It was never seen to work: a prompt after the start is no end of a turn.
    Table::new().go([
        step(0, session(Status::Starting, 0), ""),
        step(60_000, done(60_000), ""),
        step(62_000, done(60_000), ""),
    ]);
}

#[test]
fn what_is_blocked_calls_and_not_at_every_try() {
    let blocked =
        |since, reason: &str| Session { reason: Some(reason.to_owned()), ..session(Status::Blocked, since) };
    Table::new().go([
        step(0, blocked(0, "no network"), ""),
        step(1000, blocked(0, "no network"), "blocked"),
        step(2000, session(Status::Running, 2000), "gone 1"),
        step(3000, blocked(3000, "no network"), ""),
        step(5000, blocked(3000, "no network"), ""),
        step(6000, blocked(6000, "usage limit"), ""),
        step(7000, blocked(6000, "usage limit"), "blocked"),
        step(8000, session(Status::Running, 8000), "gone 2"),
        step(7000 + BLOCKED_AGAIN, blocked(9000, "usage limit"), ""),
        step(8000 + BLOCKED_AGAIN, blocked(9000, "usage limit"), "blocked"),
    ]);
}

#[test]
fn only_an_end_that_nobody_made_calls() {
    let signal = || Exit::Signal { signal: 9, name: "SIGKILL".to_owned() };
    let shell = |session: Session| Session { agent: "shell".to_owned(), ..session };
    let cases = [
        (died(Exit::Code { code: 1 }), "died"),
        (died(Exit::Code { code: 0 }), "died"),
        (died(signal()), "died"),
        (died(Exit::KeeperLost), "died"),
        (died(Exit::MachineRestarted), ""),
        (died(Exit::LaunchFailed { reason: String::new() }), ""),
        (shell(died(Exit::Code { code: 0 })), ""),
        (shell(died(Exit::Code { code: 2 })), "died"),
        (Session { unseen: false, ..died(signal()) }, ""),
        (Session { archived_at: Some(wall(0)), ..died(signal()) }, ""),
        (Session { trashed_at: Some(wall(0)), ..died(signal()) }, ""),
    ];
    for (session, comes) in cases {
        Table::new().go([step(0, session.clone(), ""), step(1000, session, comes)]);
    }
    let killed = |at| Step { killed: true, ..step(at, died(signal()), "") };
    Table::new().go([killed(0), killed(1000)]);
}

#[test]
fn a_kind_that_is_off_does_not_call_later_either() {
    let mut table = Table::new();
    table.set.waiting = false;
    let mut table = table.go([step(0, asks(1, "a"), ""), step(1000, asks(1, "a"), "")]);
    table.set.waiting = true;
    table.go([
        step(2000, asks(1, "a"), ""),
        step(3000, asks(2, "b"), ""),
        step(4000, asks(2, "b"), "waiting"),
    ]);
}

#[test]
fn a_new_daemon_goes_on_where_the_last_one_was() {
    let ask = asks(1, "a");
    let about = About::Ask(ask.ask.as_ref().expect("an ask").id, String::new()).written();
    let mut table = Table::new();
    assert_eq!(table.decider.begin(&ask, &[(id(9), about)]), Some(id(9)));
    table.go([step(1000, asks(1, "a"), ""), step(2000, session(Status::Running, 0), "gone 9")]);
    // A question of which nobody was told calls; what else there is does not.
    let mut table = Table::new();
    assert_eq!(table.decider.begin(&ask, &[]), None);
    table.go([step(0, asks(1, "a"), ""), step(1000, asks(1, "a"), "waiting")]);
    for old in [done(0), died(Exit::Code { code: 1 })] {
        let mut table = Table::new();
        assert_eq!(table.decider.begin(&old, &[]), None);
        table.go([step(0, old.clone(), ""), step(5000, old, "")]);
    }
}

#[test]
fn what_is_gone_takes_its_call_along() {
    let mut table = Table::new().go([step(0, asks(1, "a"), ""), step(1000, asks(1, "a"), "waiting")]);
    let id = asks(1, "a").id;
    assert_eq!(table.decider.forget(id), Some(Act::Gone(self::id(1))));
    assert_eq!(table.decider.forget(id), None);
}
