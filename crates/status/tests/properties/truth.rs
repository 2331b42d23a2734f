//! Truthful histories: what is shown is what is so, and without any one source it is still never wrongly idle.

use belfry_protocol::Status;
use belfry_protocol::signal::Source;
use belfry_status::Arbiter;
use proptest::collection::vec;
use proptest::prelude::*;

use crate::history::{End, Phase, Said, Span};
use crate::models::Agent;
use crate::support::cases;
use crate::support::words::lost;

/// How long after a change all is shown as it is, with every source there, in milliseconds.
const AT_ONCE: u64 = 250;

/// The same for no wrong idle where a source is missing: quiet for 2 seconds and the screen have to tell.
const LATER: u64 = 2600;

/// After so long at the prompt nothing may say any more that it works, whichever source is missing.
const AT_REST: u64 = 13_500;

fn spans() -> impl Strategy<Value = Vec<Span>> {
    let phase = prop::sample::select(vec![
        Phase::Idle,
        Phase::Streams,
        Phase::Tool,
        Phase::Permission,
        Phase::Plan,
        Phase::Subagent,
    ]);
    let end = prop::sample::select(vec![End::Done, End::Cut]);
    vec((phase, 3000_u64..20_000, end).prop_map(|(phase, length, end)| Span { phase, length, end }), 1..8)
}

/// Makes a history of it that can be: it begins and ends at the prompt, an agent is asked before it asks, and it is at the
/// prompt only once at a time.
fn possible(agent: Agent, spans: Vec<Span>) -> Vec<Span> {
    let idle = |length| Span { phase: Phase::Idle, length, end: End::Done };
    let mut history = vec![idle(4000)];
    for mut span in spans {
        if !agent.knows(span.phase) {
            span.phase = Phase::Tool;
        }
        let last = history[history.len() - 1].phase;
        let again = last == span.phase || (last.asks() && span.phase.asks());
        let asks_first = last == Phase::Idle && (span.phase.asks() || span.phase == Phase::Subagent);
        // A subagent outlives a turn, and what comes then is the prompt or another turn.
        let after_dialog = last.asks() && span.phase == Phase::Subagent;
        let after_subagent = last == Phase::Subagent && span.phase.asks();
        if asks_first {
            history.push(Span { phase: Phase::Tool, length: 4000, end: End::Done });
        }
        if !again && !after_dialog && !after_subagent {
            history.push(span);
        }
    }
    history.push(idle(20_000));
    for index in 1..history.len() {
        // A question ends at the prompt only where the person says no.
        if history[index].phase == Phase::Idle && history[index - 1].phase.asks() {
            history[index - 1].end = End::Cut;
        }
        // Nobody interrupts a subagent.
        if history[index - 1].phase == Phase::Subagent {
            history[index - 1].end = End::Done;
        }
    }
    history.dedup_by_key(|span| span.phase);
    history
}

/// What is really so at a time, and since when.
fn truth(history: &[Span], at: u64) -> Option<(Phase, u64)> {
    let mut from = 1000;
    for span in history {
        if at >= from && at < from + span.length {
            return Some((span.phase, from));
        }
        from += span.length;
    }
    None
}

/// How a source goes missing.
#[derive(Clone, Copy, Debug)]
enum Without {
    Nothing,
    /// It never speaks.
    Never(usize),
    /// It is lost at that part of the history.
    Lost(usize, f64),
    /// It falls silent there, and nobody notices.
    Silent(usize, f64),
}

fn play(agent: Agent, history: &[Span], without: Without, mut each: impl FnMut(&Arbiter, u64, Phase, u64)) {
    let length: u64 = history.iter().map(|span| span.length).sum();
    let source = |index: usize| agent.sources()[index % agent.sources().len()];
    let part = |part: f64| 1000 + (length as f64 * part) as u64;
    let (gone, from, told): (Option<Source>, u64, bool) = match without {
        Without::Nothing => (None, 0, false),
        Without::Never(index) => (Some(source(index)), 0, false),
        Without::Lost(index, at) => (Some(source(index)), part(at), true),
        Without::Silent(index, at) => (Some(source(index)), part(at), false),
    };
    let mut said = agent.says(history).in_order();
    said.retain(|said| said.by.is_none() || said.by != gone || said.at < from);
    if let Some(gone) = gone.filter(|_| told) {
        said.push(Said { at: from, by: None, observation: lost(gone) });
        said.sort_by_key(|said| said.at);
    }
    let mut arbiter = Arbiter::new(agent.table(), 0);
    let mut said = said.into_iter().peekable();
    for now in (0..1000 + length).step_by(50) {
        while let Some(next) = said.next_if(|said| said.at <= now) {
            arbiter.observe(next.observation, next.at);
        }
        if let Some((phase, since)) = truth(history, now) {
            each(&arbiter, now, phase, since);
        }
    }
}

fn expected(agent: Agent, phase: Phase) -> Status {
    let _ = agent;
    match phase {
        Phase::Idle => Status::Idle,
        Phase::Streams | Phase::Tool | Phase::Subagent => Status::Running,
        Phase::Permission | Phase::Plan => Status::Waiting,
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: cases(100), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn with_all_sources_it_is_right(agent in prop::sample::select(Agent::ALL.to_vec()), spans in spans()) {
        let history = possible(agent, spans);
        play(agent, &history, Without::Nothing, |arbiter, now, phase, since| {
            if now >= since + AT_ONCE {
                let verdict = arbiter.verdict(now);
                assert_eq!(
                    verdict.status,
                    expected(agent, phase),
                    "{agent:?} {phase:?} since {since}, at {now}: {verdict:#?}\n{:#?}\n{history:?}",
                    arbiter.evidence(now)
                );
            }
        });
    }

    #[test]
    fn without_any_one_source_it_is_never_wrongly_idle(
        agent in prop::sample::select(Agent::ALL.to_vec()),
        spans in spans(),
        without in prop_oneof![
            (0_usize..5).prop_map(Without::Never),
            (0_usize..5, 0.0_f64..1.0).prop_map(|(source, at)| Without::Lost(source, at)),
        ],
    ) {
        let history = possible(agent, spans);
        play(agent, &history, without, |arbiter, now, phase, since| {
            if now < since + LATER {
                return;
            }
            let verdict = arbiter.verdict(now);
            let at = || format!(
                "{agent:?} {without:?} {phase:?} since {since}, at {now}: {verdict:#?}\n{:#?}\n{history:?}",
                arbiter.evidence(now)
            );
            if phase == Phase::Idle {
                let stuck = now >= since + AT_REST && !matches!(verdict.status, Status::Idle | Status::Unknown);
                assert!(!stuck || since == 1000, "stuck: {}", at());
            } else {
                assert!(verdict.status != Status::Idle, "{}", at());
                assert!(arbiter.takes_text(now).is_err(), "{}", at());
            }
        });
    }

    #[test]
    fn nor_where_one_falls_silent_unnoticed_and_the_screen_is_there(
        agent in prop::sample::select(vec![Agent::Claude332, Agent::Claude197, Agent::Codex, Agent::OpenCode]),
        spans in spans(),
        index in 0_usize..5,
        part in 0.0_f64..1.0,
    ) {
        // The screen is the daemon's own: it does not fall silent.
        prop_assume!(agent.sources()[index % agent.sources().len()] != Source::Screen);
        let history = possible(agent, spans);
        let without = Without::Silent(index, part);
        play(agent, &history, without, |arbiter, now, phase, since| {
            let verdict = arbiter.verdict(now);
            if now >= since + LATER && phase.asks() {
                assert_eq!(verdict.status, Status::Waiting, "{agent:?} {without:?} since {since} at {now}\n{:#?}\n{history:?}", arbiter.evidence(now));
            }
        });
    }
}
