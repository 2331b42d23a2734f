//! Plays a table of observations and looks at what follows.

use belfry_protocol::Status;
use belfry_protocol::signal::Source;
use belfry_status::{Arbiter, Observation, Rule, Table};

/// One line of a scenario.
#[derive(Clone, Debug)]
pub enum Do {
    /// That is observed.
    See(Observation),
    /// That is observed, but was so at another time.
    Dated(u64, Observation),
    /// That is shown.
    Is(Status),
    /// That is shown from here until then, without a break.
    Stays(u64, Status),
    /// That rule decided.
    By(Rule),
    /// That source decided.
    From(Source),
    /// That activity is shown.
    Does(Option<&'static str>),
    /// That reason is shown.
    Because(&'static str),
    /// Whether the last change was a turn's end that the person wants to know of.
    Over(bool),
    /// Whether text can be typed.
    Takes(bool),
}

/// Plays a scenario; each line has its time.
pub fn play(name: &str, table: Table, lines: Vec<(u64, Do)>) -> Arbiter {
    play_on(name, Arbiter::new(table, 0), lines)
}

pub fn play_on(name: &str, mut arbiter: Arbiter, lines: Vec<(u64, Do)>) -> Arbiter {
    let mut last = arbiter.verdict(0).status;
    let mut over = false;
    let mut follow = |arbiter: &Arbiter, now: u64| {
        let status = arbiter.verdict(now).status;
        if status != last {
            over = arbiter.turn_over(last, status);
            last = status;
        }
        (status, over)
    };
    let mut before = 0;
    for (index, (now, line)) in lines.into_iter().enumerate() {
        // What changes by waiting is seen in between.
        while let Some(next) = arbiter.verdict(before).again_at.filter(|next| *next < now) {
            before = next;
            follow(&arbiter, before);
        }
        before = now;
        let at = format!("{name}, line {index} at {now}: {line:?}");
        let verdict = arbiter.verdict(now);
        match line {
            Do::See(observation) => arbiter.observe(observation, now),
            Do::Dated(time, observation) => arbiter.observe_dated(observation, time, now),
            Do::Is(status) => {
                let (shown, _) = follow(&arbiter, now);
                assert_eq!(shown, status, "{at}\n{verdict:#?}\n{:#?}", arbiter.evidence(now));
            }
            Do::Stays(until, status) => {
                for time in (now..=until).step_by(10) {
                    let (shown, _) = follow(&arbiter, time);
                    assert_eq!(shown, status, "{at}, at {time}\n{:#?}", arbiter.evidence(time));
                }
                before = until;
            }
            Do::By(rule) => assert_eq!(verdict.rule, rule, "{at}\n{verdict:#?}"),
            Do::From(source) => assert_eq!(verdict.source, source, "{at}\n{verdict:#?}"),
            Do::Does(words) => {
                let doing = verdict.activity.map(|activity| activity.doing.words());
                assert_eq!(doing.as_deref(), words, "{at}");
            }
            Do::Because(reason) => assert_eq!(verdict.reason.as_deref(), Some(reason), "{at}"),
            Do::Over(expected) => assert_eq!(follow(&arbiter, now).1, expected, "{at}"),
            Do::Takes(expected) => {
                let takes = arbiter.takes_text(now);
                assert_eq!(takes.is_ok(), expected, "{at}: {takes:?}");
            }
        }
    }
    arbiter
}
