//! Releases reword their dialogs and hints. The recordings are replayed with words changed for others of the same length,
//! so that the screens stay as they are drawn: questions are seen all the same, and nothing is taken for one.

use std::fmt::Write as _;

use anyhow::Result;
use belfry_agents::Agents;
use belfry_tests::status_score::{Chunks, Happening, Options, Recording, Score, corpus, replay};

/// A release's new words: each in the place of another.
struct Release {
    name: &'static str,
    words: &'static [(&'static str, &'static str)],
    /// Words that must be found, or nothing is tested.
    least: usize,
}

const RELEASES: &[Release] = &[
    Release {
        name: "questions",
        words: &[
            ("proceed", "advance"),
            ("following", "mentioned"),
            ("execution", "operation"),
            ("Apply", "Merge"),
            ("create", "author"),
            ("change?", "update?"),
            ("trust", "admit"),
            ("required", "demanded"),
            ("Implement", "Carry out"),
        ],
        least: 40,
    },
    Release {
        name: "answers",
        words: &[
            ("Yes", "Yep"),
            ("Allow", "Grant"),
            ("always", "onward"),
            ("Reject", "Refuse"),
            ("suggest", "propose"),
            ("session", "sitting"),
        ],
        least: 40,
    },
    Release {
        name: "hints of dialogs",
        words: &[
            ("confirm", "approve"),
            ("navigate", "traverse"),
            ("amend", "alter"),
            ("dismiss", "decline"),
        ],
        least: 20,
    },
    Release {
        name: "hints of work",
        words: &[
            ("interrupt", "terminate"),
            ("Thinking", "Weighing"),
            ("Working", "Toiling"),
            ("shortcuts", "keystroke"),
        ],
        least: 100,
    },
    Release {
        name: "ends",
        words: &[("Worked", "Lasted"), ("Baked", "Fried"), ("Interrupted", "Broken off!")],
        least: 20,
    },
];

/// Longest recording that is replayed, in milliseconds: the others show nothing else.
const LONGEST: u64 = 60_000;

impl Release {
    /// The recording with its words, and how many there were.
    fn applied(&self, recording: &Recording) -> (Recording, usize) {
        let mut changed = 0;
        let mut recording = recording.clone();
        for (_, happening) in &mut recording.happenings {
            let Happening::Output(bytes) = happening else { continue };
            for (old, new) in self.words {
                assert_eq!(old.len(), new.len(), "{old}");
                let mut from = 0;
                while let Some(at) =
                    bytes[from..].windows(old.len()).position(|window| window == old.as_bytes())
                {
                    bytes[from + at..from + at + old.len()].copy_from_slice(new.as_bytes());
                    (from, changed) = (from + at + old.len(), changed + 1);
                }
            }
        }
        (recording, changed)
    }
}

/// What is wrong with a release's words.
fn faults(release: &Release, screens_only: bool) -> Result<String> {
    let agents = Agents::built_in();
    let (mut score, mut changed) = (Score::default(), 0);
    let mut out = String::new();
    for case in corpus(None)?.into_iter().filter(|case| case.labels.ends() < LONGEST) {
        let agent = agents.get(&case.labels.agent).expect("an agent of ours");
        let (recording, words) = release.applied(&case.recording()?);
        changed += words;
        let how = Options { chunks: Chunks::Recorded, screens_only };
        let (timeline, asks) = replay(&recording, &case.labels, agent, how);
        for ask in asks.iter().filter(|ask| ask.dialog.is_none()) {
            let _ = writeln!(out, "{}: no dialog at {} ms", case.name, ask.at);
        }
        score.add(&case.name, &case.labels, &timeline, &asks);
    }
    let mut kinds = vec![("missed waiting", &score.missed_waiting)];
    if !screens_only {
        kinds.extend([("false waiting", &score.false_waiting), ("false idle", &score.false_idle)]);
    }
    for (kind, slips) in kinds {
        for slip in slips {
            let _ = writeln!(out, "{kind}: {} at {} ms: {}", slip.case, slip.from, slip.said.why);
        }
    }
    if changed < release.least {
        let _ = writeln!(out, "only {changed} words were changed");
    }
    Ok(out)
}

fn tolerated(screens_only: bool) {
    for release in RELEASES {
        let faults = faults(release, screens_only).expect("the recordings can be replayed");
        assert!(faults.is_empty(), "{}:\n{faults}", release.name);
    }
}

#[test]
#[ntest::timeout(300_000)]
fn other_words_change_nothing() {
    tolerated(false);
}

#[test]
#[ntest::timeout(300_000)]
fn nor_where_there_is_only_the_screen() {
    tolerated(true);
}
