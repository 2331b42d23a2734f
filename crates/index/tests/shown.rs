//! What terminals showed, in the index.

#![allow(clippy::unwrap_used, reason = "helpers of tests, where a panic is a failed test")]

use belfry_index::{Index, Line, MOST_LINES, Run, Shown};
use belfry_protocol::search::{Hit, HitPlace, Role, Search, ShownLine};
use belfry_protocol::{RunId, SessionId};
use jiff::Timestamp;

struct World {
    _folder: tempfile::TempDir,
    index: Index,
    session: SessionId,
    run: RunId,
}

impl World {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let (index, _) = Index::open(&folder.path().join("index.db")).unwrap();
        Self { _folder: folder, index, session: SessionId::at(1), run: RunId::at(1) }
    }

    fn show(&mut self, shown: &Shown<'_>) {
        let run = Run { session: self.session, run: self.run, agent: "shell", cwd: "/p/app" };
        self.index.show(&run, shown).unwrap();
    }

    fn lines(&mut self, lines: &[Line]) {
        self.show(&Shown { lines, ..Shown::default() });
    }

    fn hits(&self, change: impl FnOnce(&mut Search)) -> Vec<Hit> {
        let mut search = Search { scrollback: true, ..Search::default() };
        change(&mut search);
        self.index.search(&search, "2026-11-30T12:00:00Z".parse().unwrap()).unwrap().hits
    }

    fn find(&self, text: &str) -> Vec<String> {
        self.hits(|search| text.clone_into(&mut search.text)).iter().map(text_of).collect()
    }
}

fn line(text: &str, number: u64) -> Line {
    let began: Timestamp = "2026-11-30T10:00:00Z".parse().unwrap();
    Line {
        text: text.to_owned(),
        offset: number * 100,
        at: began.as_millisecond() + number.cast_signed() * 1000,
    }
}

fn text_of(hit: &Hit) -> String {
    hit.text
        .iter()
        .map(|piece| if piece.marked { format!("[{}]", piece.text) } else { piece.text.clone() })
        .collect()
}

fn place(hit: &Hit) -> &ShownLine {
    match &hit.place {
        HitPlace::Line { line } => line,
        HitPlace::Entry { .. } => panic!("{hit:?}"),
    }
}

#[test]
fn a_line_is_found_at_its_place() {
    let mut world = World::new();
    world.lines(&[line("make all", 1), line("warning: unused café", 2), line("done", 3)]);
    assert_eq!(world.find("cafe"), ["warning: unused [café] done"]);
    let hits = world.hits(|search| "unused warn".clone_into(&mut search.text));
    assert_eq!((hits[0].role, hits[0].at.to_string()), (Role::Scrollback, "2026-11-30T10:00:02Z".to_owned()));
    let found = place(&hits[0]);
    assert_eq!((found.session, found.run, found.offset), (world.session, world.run, 200));
    // Words of one question may stand in several lines; far apart they may not.
    assert_eq!(world.find("all done"), ["make [all] warning: unused café [done]"]);
    world.lines(&[line("much later", 500)]);
    assert!(world.find("all later").is_empty());
    // Whoever does not ask for it gets none, nor where it is narrowed to what it is not.
    let none = |change: &dyn Fn(&mut Search)| {
        let hits = world.hits(|search| {
            "cafe".clone_into(&mut search.text);
            change(search);
        });
        assert!(hits.is_empty(), "{hits:?}");
    };
    none(&|search| search.scrollback = false);
    none(&|search| search.roles = vec![Role::Answer]);
    none(&|search| search.file = Some("x".to_owned()));
    none(&|search| search.agents = vec!["claude".to_owned()]);
    none(&|search| search.directory = Some("/p/other".to_owned()));
    none(&|search| search.before = Some("2026-11-30T10:00:00Z".parse().unwrap()));
    let some = world.hits(|search| {
        "cafe".clone_into(&mut search.text);
        search.roles = vec![Role::Scrollback];
        search.directory = Some("/p".to_owned());
        search.since = Some("2026-11-30T10:00:00Z".parse().unwrap());
    });
    assert_eq!(some.len(), 1);
}

#[test]
fn the_screen_takes_the_place_of_the_one_before() {
    let mut world = World::new();
    world.show(&Shown { screen: Some(&[line("half typed", 1)]), state: Some(b"one"), ..Shown::default() });
    assert_eq!(world.find("typed").len(), 1);
    world.show(&Shown { screen: Some(&[line("wholly written", 2)]), ..Shown::default() });
    assert!(world.find("typed").is_empty());
    assert_eq!(world.find("writ"), ["wholly [writ]ten"]);
    assert_eq!(world.index.state_of(world.run).unwrap().as_deref(), Some(b"one".as_slice()));
    world.lines(&[line("wholly", 2), line("gone up", 3)]);
    let mut kept = Vec::new();
    world.index.lines_of(world.run, |line| kept.push(line.to_owned())).unwrap();
    assert_eq!(kept, ["wholly", "gone up"]);
    assert_eq!(world.index.runs().unwrap().get(&world.run), Some(&false));
    world.show(&Shown { screen: Some(&[]), done: true, ..Shown::default() });
    assert_eq!(world.index.runs().unwrap().get(&world.run), Some(&true));
    assert!(world.find("written").is_empty() && world.index.state_of(world.run).unwrap().is_none());
}

#[test]
fn a_run_keeps_as_many_lines_as_its_scrollback() {
    let mut world = World::new();
    for round in 0..5 {
        let lines: Vec<Line> =
            (0..MOST_LINES as u64 / 4).map(|n| line(&format!("r{round}n{n}"), n)).collect();
        world.lines(&lines);
    }
    let mut kept = Vec::new();
    world.index.lines_of(world.run, |line| kept.push(line.to_owned())).unwrap();
    assert!(kept.len() <= MOST_LINES && kept.len() > MOST_LINES - 20, "{}", kept.len());
    assert_eq!(kept.last().unwrap(), "r4n2499");
    assert!(world.find("r0n5 ").is_empty());
    assert_eq!(world.find("r2n5 ").len(), 1);
}

#[test]
fn a_removed_session_leaves_it() {
    let mut world = World::new();
    world.lines(&[line("here", 1)]);
    world.run = RunId::at(2);
    world.lines(&[line("here again", 2)]);
    assert_eq!(world.find("here").len(), 2);
    world.index.forget_run(world.run).unwrap();
    assert_eq!(world.find("here").len(), 1);
    world.index.forget_session(world.session).unwrap();
    assert!(world.find("here").is_empty() && world.index.runs().unwrap().is_empty());
}
