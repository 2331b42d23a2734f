//! Observations without sense, late, twice, out of order and by clocks that jump.

use belfry_protocol::Status;
use belfry_protocol::explain::Weight;
use belfry_protocol::signal::{Says, Source};
use belfry_status::{Arbiter, Observation, Place, ScreenSays, Table, TaskKind, Trouble, Verdict};
use proptest::collection::vec;
use proptest::prelude::*;

use crate::support::words;
use crate::support::{cases, tables};

/// Longest time for which a question may be shown after the last sign of it: it went out of sight (10 s), and then nothing
/// confirmed anything (10 s).
const GONE_QUESTION: u64 = 20_500;

/// What is observed, when after the observation before, and how long before that it was so.
#[derive(Clone, Debug)]
struct Step {
    after: u64,
    late: u64,
    observation: Observation,
}

/// A table that prints its agent's name alone.
#[derive(Clone)]
struct Named(&'static str, Table);

impl std::fmt::Debug for Named {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.0)
    }
}

fn table() -> impl Strategy<Value = Named> {
    prop::sample::select(vec![
        Named("claude 2.1.332", tables::claude_332()),
        Named("claude 2.1.197", tables::claude_197()),
        Named("codex", tables::codex()),
        Named("opencode", tables::opencode()),
        Named("gemini", tables::gemini()),
        Named("aider", tables::aider()),
        Named("shell", tables::shell()),
        Named("screens alone", tables::screens_only(&tables::codex())),
        Named("any program", Table::of_any_program()),
    ])
}

fn source() -> impl Strategy<Value = Source> {
    prop::sample::select(Source::ALL.to_vec())
}

fn says() -> impl Strategy<Value = Option<Says>> {
    prop_oneof![
        4 => Just(Some(Says::Working)),
        4 => Just(Some(Says::Idle)),
        3 => Just(Some(Says::Asking)),
        2 => Just(Some(Says::Done)),
        1 => Just(Some(Says::Failed)),
        1 => Just(Some(Says::Blocked)),
        1 => Just(Some(Says::Starting)),
        1 => Just(Some(Says::Gone)),
        1 => Just(None),
    ]
}

fn reading() -> impl Strategy<Value = Observation> {
    let place = prop_oneof![
        3 => Just(Place::Prompt),
        3 => Just(Place::Working),
        1 => Just(Place::Unknown),
    ];
    let read = (place, any::<bool>(), 0_u32..3, any::<bool>(), any::<bool>()).prop_map(
        |(place, settled, subagents, failed, blocked)| {
            Observation::Screen(ScreenSays {
                settled,
                subagents: subagents.saturating_sub(1),
                failed: failed.then(|| "API Error".to_owned()),
                blocked: (failed && blocked)
                    .then(|| Trouble { reason: "usage limit".to_owned(), until: None }),
                ..words::says(place)
            })
        },
    );
    prop_oneof![4 => read, 1 => prop::sample::select(vec!["a", "b"]).prop_map(words::dialog)]
}

fn observation() -> impl Strategy<Value = Observation> {
    let kinds = prop::sample::select(vec![TaskKind::Agent, TaskKind::Shell, TaskKind::Unknown]);
    let ids = prop::sample::select(vec!["x", "y", "z"]);
    prop_oneof![
        8 => (source(), says()).prop_map(|(source, says)| words::word(source, says)),
        6 => reading(),
        2 => (1_usize..20_000).prop_map(Observation::Output),
        1 => Just(Observation::Looked),
        1 => (source(), ids, kinds, any::<bool>())
            .prop_map(|(source, id, kind, lives)| words::task(source, id, kind, lives)),
        1 => prop_oneof![
            Just(words::own()),
            Just(words::command("make")),
            Just(words::asks("sudo", None, true)),
            Just(words::asks("apt", Some("[Y/n]"), false)),
        ],
        2 => prop_oneof![
            Just(Observation::Typed),
            Just(Observation::Submitted),
            Just(Observation::Interrupted),
            Just(Observation::Touched),
            Just(Observation::CaughtUp),
        ],
        1 => source().prop_map(words::lost),
    ]
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let after = prop_oneof![2 => Just(0_u64), 6 => 1_u64..400, 3 => 400_u64..3000, 1 => 3000_u64..40_000];
    let late = prop_oneof![8 => Just(0_u64), 1 => 1_u64..5000];
    vec(
        (after, late, observation()).prop_map(|(after, late, observation)| Step { after, late, observation }),
        1..60,
    )
}

/// What the test itself knows of signs of a question.
#[derive(Default)]
struct Signs {
    words: std::collections::BTreeMap<Source, (u64, Option<Says>)>,
    dialog: bool,
    terminal: bool,
    /// When there was one last.
    last: Option<u64>,
}

impl Signs {
    fn see(&mut self, step: &mut Step, now: u64) {
        if matches!(step.observation, Observation::Screen(_) | Observation::Foreground(_)) {
            // The daemon's own looks are never late.
            step.late = 0;
        }
        self.now(now);
        match &step.observation {
            Observation::Word(word) => {
                let at = now - step.late.min(now);
                let newer = self.words.get(&word.source).is_none_or(|(last, _)| *last <= at);
                if newer {
                    self.words.insert(word.source, (at, word.says));
                }
            }
            Observation::Screen(says) if says.settled => self.dialog = says.place == Place::Dialog,
            Observation::Foreground(front) => {
                self.terminal = front.reads_terminal && (front.question.is_some() || front.echo_off);
            }
            Observation::Lost(silence) => {
                self.words.remove(&silence.source);
                self.dialog &= silence.source != Source::Screen;
                self.terminal &= silence.source != Source::Foreground;
            }
            _ => {}
        }
        self.now(now);
    }

    fn now(&mut self, now: u64) {
        if self.dialog || self.terminal || self.words.values().any(|(_, says)| *says == Some(Says::Asking)) {
            self.last = Some(now);
        }
    }
}

/// What does not change by mere waiting.
fn essence(verdict: &Verdict) -> (Status, Source, belfry_status::Rule, Option<String>, Option<String>) {
    let doing = verdict.activity.as_ref().map(|activity| activity.doing.words());
    (verdict.status, verdict.source, verdict.rule, verdict.reason.clone(), doing)
}

/// Goes through all moments at which something changes by itself, up to a time.
fn walk(arbiter: &Arbiter, from: u64, to: u64, mut each: impl FnMut(u64, Verdict)) {
    let mut now = from;
    loop {
        let verdict = arbiter.verdict(now);
        let next = verdict.again_at;
        each(now, verdict);
        match next {
            Some(next) if next <= to => {
                assert!(next > now, "asked again at once");
                now = next;
            }
            _ => return,
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: cases(300), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_question_is_shown_without_a_sign_of_one(table in table(), steps in steps()) {
        let mut arbiter = Arbiter::new(table.1, 0);
        let (mut now, mut signs) = (0, Signs::default());
        for mut step in steps {
            walk(&arbiter, now, now + step.after, |at, verdict| {
                signs.now(at);
                if verdict.status == Status::Waiting {
                    let last = signs.last;
                    assert!(last.is_some_and(|last| at <= last + GONE_QUESTION), "{last:?} {verdict:#?}");
                }
            });
            now += step.after;
            signs.see(&mut step, now);
            arbiter.observe_dated(step.observation, now - step.late.min(now), now);
        }
        let last = signs.last;
        walk(&arbiter, now, now + 200_000, |at, verdict| {
            signs.now(at);
            let asked = signs.last;
            assert!(verdict.status != Status::Waiting || asked.is_some_and(|asked| at <= asked + GONE_QUESTION), "{last:?}");
        });
    }

    #[test]
    fn what_decided_never_says_something_else(table in table(), steps in steps()) {
        let mut arbiter = Arbiter::new(table.1, 0);
        let mut now = 0;
        for step in steps {
            now += step.after;
            arbiter.observe_dated(step.observation, now - step.late.min(now), now);
            for at in [now, now + 400, now + 20_000] {
                let status = arbiter.verdict(at).status;
                for one in arbiter.evidence(at).iter().filter(|one| one.weight == Weight::Decided) {
                    let fits = match one.says {
                        None => true,
                        _ if status == Status::Unknown => true,
                        Some(Says::Starting) => status == Status::Starting,
                        Some(Says::Working) => status == Status::Running,
                        Some(Says::Asking) => status == Status::Waiting,
                        Some(Says::Gone) => status == Status::Dead,
                        Some(Says::Idle | Says::Done | Says::Failed | Says::Blocked) => {
                            matches!(status, Status::Idle | Status::Blocked)
                        }
                    };
                    prop_assert!(fits, "{:?} of {:?}", one, status);
                }
            }
        }
    }

    #[test]
    fn a_dialog_on_the_screen_is_always_shown(table in table(), steps in steps()) {
        let mut arbiter = Arbiter::new(table.1, 0);
        let mut now = 0;
        let mut signs = Signs::default();
        for mut step in steps {
            now += step.after;
            signs.see(&mut step, now);
            arbiter.observe_dated(step.observation, now - step.late.min(now), now);
            if signs.dialog {
                prop_assert_eq!(arbiter.verdict(now).status, Status::Waiting);
                prop_assert_eq!(arbiter.verdict(now + 3_000_000).status, Status::Waiting);
                prop_assert!(arbiter.takes_text(now).is_err());
            }
        }
    }

    #[test]
    fn dead_is_final(table in table(), before in steps(), after in steps()) {
        let mut arbiter = Arbiter::new(table.1, 0);
        let mut now = 0;
        for step in before {
            now += step.after;
            arbiter.observe(step.observation, now);
        }
        arbiter.observe(Observation::Ended, now);
        for step in after {
            prop_assert_eq!(arbiter.verdict(now).status, Status::Dead);
            prop_assert_eq!(arbiter.verdict(now).again_at, None);
            now += step.after;
            arbiter.observe_dated(step.observation, now - step.late.min(now), now);
            arbiter.observe(Observation::Started, now);
        }
        prop_assert_eq!(arbiter.verdict(now).status, Status::Dead);
        prop_assert!(arbiter.takes_text(now).is_err());
    }

    #[test]
    fn changes_keep_their_distance(table in table(), steps in steps()) {
        let mut arbiter = Arbiter::new(table.1, 0);
        let mut now = 0;
        let mut shown = arbiter.verdict(0).status;
        let mut changed: Option<u64> = None;
        let mut submitted: Option<u64> = None;
        let mut see = |at: u64, verdict: &Verdict, submitted: Option<u64>| {
            let status = verdict.status;
            if status == shown {
                return;
            }
            let question = status == Status::Waiting || shown == Status::Waiting;
            let explains = (shown, status) == (Status::Idle, Status::Blocked);
            let own = matches!(verdict.source, Source::Program | Source::Api | Source::Registry);
            let over = own && shown == Status::Running && matches!(status, Status::Idle | Status::Blocked);
            let given = status == Status::Running && submitted >= changed;
            let calm = changed.is_none_or(|changed| at >= changed + 300);
            assert!(
                question || explains || over || given || calm,
                "{shown:?} to {status:?} at {at}, after {changed:?}: {verdict:#?}"
            );
            (shown, changed) = (status, Some(at));
        };
        for step in steps {
            // What holds within one millisecond is never shown.
            if step.after > 0 {
                walk(&arbiter, now, now + step.after - 1, |at, verdict| see(at, &verdict, submitted));
            }
            now += step.after;
            if step.observation == Observation::Submitted {
                submitted = submitted.max(Some(now - step.late.min(now)));
            }
            arbiter.observe_dated(step.observation, now - step.late.min(now), now);
        }
        walk(&arbiter, now, now + 100_000, |at, verdict| see(at, &verdict, submitted));
    }

    #[test]
    fn it_does_not_matter_how_often_one_asks(
        table in table(),
        steps in steps(),
        asks in vec(0_u64..3000, 0..8),
    ) {
        let mut seldom = Arbiter::new(table.1.clone(), 0);
        let mut often = Arbiter::new(table.1.clone(), 0);
        let mut now = 0;
        for step in steps {
            for ask in &asks {
                if *ask < step.after {
                    // Follows what is shown up to then, and is no observation.
                    often.set_table(table.1.clone(), now + ask);
                    let _ = often.verdict(now + ask);
                }
            }
            now += step.after;
            let at = now - step.late.min(now);
            seldom.observe_dated(step.observation.clone(), at, now);
            often.observe_dated(step.observation, at, now);
        }
        for later in [0, 1, 299, 300, 1000, 5000, 100_000] {
            prop_assert_eq!(seldom.verdict(now + later), often.verdict(now + later));
            prop_assert_eq!(seldom.verdict(now + later), seldom.verdict(now + later));
        }
    }

    #[test]
    fn nothing_changes_before_it_says_so(table in table(), steps in steps(), part in 0.0_f64..1.0) {
        let mut arbiter = Arbiter::new(table.1, 0);
        let mut now = 0;
        for step in steps {
            now += step.after;
            arbiter.observe_dated(step.observation, now - step.late.min(now), now);
            let verdict = arbiter.verdict(now);
            let later = match verdict.again_at {
                Some(again) => now + ((again - now - 1) as f64 * part) as u64,
                None => now + (10_000_000.0 * part) as u64,
            };
            prop_assert_eq!(essence(&verdict), essence(&arbiter.verdict(later)));
            prop_assert_eq!(arbiter.takes_text(now), arbiter.takes_text(later));
            if let Some(again) = verdict.again_at {
                // Asked there, it is what it stays.
                let there = arbiter.verdict(again);
                prop_assert_eq!(&there, &arbiter.verdict(again));
                prop_assert!(there.again_at.is_none_or(|next| next > again));
            }
        }
    }

    #[test]
    fn no_clock_breaks_it(table in table(), steps in vec((any::<u64>(), any::<u64>(), observation()), 1..30)) {
        let mut arbiter = Arbiter::new(table.1, u64::MAX / 2);
        for (now, at, observation) in steps {
            arbiter.observe_dated(observation, at, now);
            let _ = (arbiter.verdict(now), arbiter.verdict(0), arbiter.verdict(u64::MAX));
            let _ = (arbiter.evidence(now), arbiter.takes_text(at));
        }
    }
}
