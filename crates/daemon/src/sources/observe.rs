//! What is told, as the arbiter observes it.

use std::collections::BTreeSet;

use belfry_agents::{Activity, Subagents};
use belfry_protocol::Source;
use belfry_status::{Doing, Observation, Silence, Task, TaskKind, Word};

use super::SourceSignal;

/// Subagents that were told of and have not ended, of one run.
pub(crate) type Alive = BTreeSet<String>;

/// The observations that a signal is, all made when it was. What says nothing of the status takes nothing back either: it
/// only adds to the picture.
pub(crate) fn observations(signal: &SourceSignal, alive: &mut Alive) -> Vec<Observation> {
    let (source, told) = (signal.source, &signal.told);
    // Whoever tells of the end, the word of the beginning was a hook's.
    let task = |id: String, lives| Task { source: Source::Hook, id, kind: TaskKind::Agent, lives };
    let tasks: Vec<Task> = match &told.subagents {
        Subagents::Same => Vec::new(),
        Subagents::Started(id) => {
            alive.insert(id.clone());
            vec![task(id.clone(), true)]
        }
        Subagents::Ended(id) => {
            alive.remove(id);
            vec![task(id.clone(), false)]
        }
        Subagents::Gone => std::mem::take(alive).into_iter().map(|id| task(id, false)).collect(),
    };
    let word = told.says.map(|says| {
        let doing = match &told.activity {
            Activity::Same | Activity::Over => None,
            Activity::Tool(text) => Some(Doing::Tool(text.clone())),
            Activity::Compacting => Some(Doing::Compacting),
            Activity::Retrying(text) if text.is_empty() => Some(Doing::Tool("Retrying".to_owned())),
            Activity::Retrying(text) => Some(Doing::Retrying(text.clone())),
        };
        Word::new(source, says, told.what.clone())
            .doing(doing)
            .detail(told.reason.clone())
            .until(told.until.clone())
    });
    tasks.into_iter().map(Observation::Task).chain(word.map(Observation::Word)).collect()
}

/// Sources that could speak of a run and have not so far. Each is taken back by its first word.
pub(crate) fn silent(agent: &str, hooked: bool) -> Vec<Observation> {
    let calls_hooks = matches!(agent, "claude" | "gemini" | "opencode" | "aider");
    let hook = calls_hooks.then(|| {
        let why = if hooked { "none has been called so far" } else { "this launch could not set any up" };
        (Source::Hook, why, "what it does between two looks at its screen is known later, or less exactly")
    });
    let costs = "whether it works or waits is read from its terminal alone";
    let registry = (agent == "claude").then_some((
        Source::Registry,
        "its list of live sessions does not name this one so far",
        costs,
    ));
    let silence = |(source, why, costs): (Source, &str, &str)| {
        Observation::Missing(Silence { source, why: why.to_owned(), costs: costs.to_owned() })
    };
    hook.into_iter().chain(registry).map(silence).collect()
}

#[cfg(test)]
mod tests {
    use belfry_agents::Told;
    use belfry_protocol::Says;

    use super::*;

    fn signal(told: Told) -> SourceSignal {
        SourceSignal { source: Source::Hook, told, at: 7 }
    }

    #[test]
    fn what_says_nothing_of_the_status_takes_nothing_back() {
        let mut alive = Alive::new();
        assert!(observations(&signal(Told::default()), &mut alive).is_empty());
        let told = Told {
            says: Some(Says::Working),
            activity: Activity::Retrying("attempt 2 of 10".to_owned()),
            ..Told::default()
        };
        let word =
            Word::new(Source::Hook, Says::Working, "").doing(Doing::Retrying("attempt 2 of 10".to_owned()));
        assert_eq!(observations(&signal(told), &mut alive), [Observation::Word(word)]);
    }

    #[test]
    fn subagents_end_one_by_one_or_with_their_conversation() {
        let mut alive = Alive::new();
        let mut tell = |subagents| {
            let told = observations(&signal(Told { subagents, ..Told::default() }), &mut alive);
            let tasks = told.into_iter().map(|observation| match observation {
                Observation::Task(task) => (task.id, task.lives),
                other => panic!("{other:?}"),
            });
            tasks.collect::<Vec<_>>()
        };
        let id = |id: &str| id.to_owned();
        assert_eq!(tell(Subagents::Started(id("a"))), [(id("a"), true)]);
        assert_eq!(tell(Subagents::Started(id("b"))), [(id("b"), true)]);
        assert_eq!(tell(Subagents::Ended(id("a"))), [(id("a"), false)]);
        assert_eq!(tell(Subagents::Gone), [(id("b"), false)]);
        assert_eq!(tell(Subagents::Gone), []);
    }

    #[test]
    fn silence_is_said_of_what_could_speak() {
        let sources = |agent: &str| {
            let all = silent(agent, true).into_iter().map(|observation| match observation {
                Observation::Missing(silence) => silence.source,
                other => panic!("{other:?}"),
            });
            all.collect::<Vec<_>>()
        };
        assert_eq!(sources("claude"), [Source::Hook, Source::Registry]);
        assert_eq!(sources("opencode"), [Source::Hook]);
        assert!(sources("codex").is_empty() && sources("shell").is_empty());
    }
}
