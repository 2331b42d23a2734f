//! A conversation that grows, is cut, is rewritten.

use std::fs;
use std::path::PathBuf;

use belfry_transcripts::{Budget, Found, Place, ReadError, Reader, Stamp, Which, found, page};

use crate::support::{Read, homes};

/// A copy that can be changed.
struct Copy {
    folder: tempfile::TempDir,
    name: PathBuf,
    found: Found,
    bytes: Vec<u8>,
}

impl Copy {
    fn of(found: &Found) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let name = PathBuf::from(found.file().file_name().unwrap());
        Self { folder, name, found: found.clone(), bytes: fs::read(found.file()).unwrap() }
    }

    /// With these bytes in it.
    fn with(&self, bytes: &[u8]) -> Found {
        let path = self.folder.path().join(&self.name);
        fs::write(&path, bytes).unwrap();
        let stamp = Stamp::of(&fs::metadata(&path).unwrap());
        Found { place: Place::File(path), stamp, ..self.found.clone() }
    }
}

fn copies() -> impl Iterator<Item = Copy> {
    found(&homes())
        .into_iter()
        .filter(|found| matches!(found.place, Place::File(_)))
        .map(|found| Copy::of(&found))
}

fn is_whole(copy: &Copy) -> bool {
    copy.name.extension().is_some_and(|end| end == "json")
}

#[test]
#[ntest::timeout(120_000)]
fn any_budget_reads_the_same() {
    for copy in copies() {
        let found = copy.with(&copy.bytes);
        let whole = Read::all(&found);
        for budget in [Budget { bytes: 1, entries: usize::MAX }, Budget { bytes: u64::MAX, entries: 1 }] {
            let mut read = Read::default();
            read.go_on(&found, None, budget);
            assert_eq!(read, whole, "{found:?}");
        }
    }
}

#[test]
#[ntest::timeout(120_000)]
fn a_file_that_grows_reads_the_same() {
    for copy in copies().filter(|copy| !is_whole(copy)) {
        let whole = Read::all(&copy.with(&copy.bytes));
        for piece in [1, 7, 100, 1000] {
            // Byte by byte is slow: only the beginning of it.
            let first = if piece == 1 { copy.bytes.len().saturating_sub(700) } else { 0 };
            let (mut read, mut state, mut end) = (Read::default(), None, first);
            while end < copy.bytes.len() {
                end = (end + piece).min(copy.bytes.len());
                let found = copy.with(&copy.bytes[..end]);
                state = Some(read.go_on(&found, state, Budget::ALL));
            }
            assert_eq!(read.entries, whole.entries, "{piece} {:?}", copy.found);
            assert_eq!(read.used, whole.used);
            assert_eq!(read.summary.prompts, whole.summary.prompts);
            assert_eq!(read.summary, whole.summary, "{piece} {:?}", copy.found);
        }
    }
}

#[test]
#[ntest::timeout(120_000)]
fn a_file_that_is_cut_anywhere_has_what_is_before() {
    for copy in copies() {
        let whole = Read::all(&copy.with(&copy.bytes));
        for end in (0..copy.bytes.len()).step_by(3) {
            let read = Read::all(&copy.with(&copy.bytes[..end]));
            if is_whole(&copy) {
                continue;
            }
            // Lines that are whole are there, as they are in the whole file unless later ones change them.
            let lines_end =
                copy.bytes[..end].iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at as u64 + 1);
            let there = |seq: &u64| read.entries.contains_key(seq);
            let missing = whole.entries.keys().filter(|seq| **seq / 16 < lines_end).find(|seq| !there(seq));
            let changes_later = matches!(copy.found.agent.as_str(), "gemini" | "aider" | "codex");
            assert!(missing.is_none() || changes_later, "{end} {:?} {missing:?}", copy.found);
        }
    }
}

#[test]
fn another_file_is_read_from_its_beginning() {
    for copy in copies() {
        let found = copy.with(&copy.bytes);
        let mut read = Read::default();
        let state = read.go_on(&found, None, Budget::ALL);
        let again = Reader::open(&found, Some(state.clone())).unwrap();
        assert!(!again.restarted(), "it is the same");
        // Shorter; as long, with another end; with another beginning; of another agent.
        let mut other_end = copy.bytes.clone();
        let at = other_end.len() - 5;
        other_end[at] ^= 1;
        let mut other_start = copy.bytes.clone();
        other_start[5] ^= 1;
        other_start.extend(b"\n");
        for bytes in [&copy.bytes[..copy.bytes.len() / 2], &other_end, &other_start, b""] {
            let found = copy.with(bytes);
            // Written within the same tick of the clock it could look the same.
            if found.stamp == state.stamp() {
                continue;
            }
            let reader = Reader::open(&found, Some(state.clone())).unwrap();
            assert!(reader.restarted(), "{} bytes of {:?}", bytes.len(), copy.found);
        }
        let other =
            Found { agent: if copy.found.agent == "codex" { "claude" } else { "codex" }.to_owned(), ..found };
        assert!(Reader::open(&other, Some(state)).unwrap().restarted());
    }
}

#[test]
fn what_is_gone_or_no_file_is_said_so() {
    let copy = copies().next().unwrap();
    let found = copy.with(b"{}\n");
    let state = Read::default().go_on(&found, None, Budget::ALL);
    fs::remove_file(found.file()).unwrap();
    assert!(matches!(Reader::open(&found, Some(state)), Err(ReadError::Gone)));
    let mut fresh = Reader::open(&found, None).unwrap();
    assert!(matches!(fresh.read(Budget::ALL, &mut |_| ()), Err(ReadError::Gone)));
    let folder = Found { place: Place::File(copy.folder.path().to_owned()), ..found.clone() };
    assert!(matches!(
        Reader::open(&folder, None).unwrap().read(Budget::ALL, &mut |_| ()),
        Err(ReadError::Unreadable)
    ));
    let unknown = Found { agent: "nobody".to_owned(), ..found };
    assert!(matches!(Reader::open(&unknown, None), Err(ReadError::Unreadable)));
}

#[test]
#[ntest::timeout(120_000)]
fn pages_are_the_whole_cut_up() {
    for copy in copies() {
        let found = copy.with(&copy.bytes);
        let whole: Vec<_> = Read::all(&found).entries.into_values().map(|entry| entry.seq).collect();
        let seqs =
            |page: &belfry_transcripts::Page| page.entries.iter().map(|entry| entry.seq).collect::<Vec<_>>();
        let (mut from, mut forwards) = (0, Vec::new());
        loop {
            let page = page(&found, Which::From(from), 2).unwrap();
            forwards.extend(seqs(&page));
            assert_eq!(page.later, forwards.len() < whole.len(), "{found:?}");
            if !page.later {
                break;
            }
            from = forwards.last().unwrap() + 1;
        }
        assert_eq!(forwards, whole, "{found:?}");
        let (mut before, mut backwards) = (Which::Last, Vec::new());
        loop {
            let page = page(&found, before, 2).unwrap();
            let mut seqs = seqs(&page);
            seqs.reverse();
            backwards.extend(seqs);
            assert_eq!(page.earlier, backwards.len() < whole.len(), "{found:?}");
            if !page.earlier {
                break;
            }
            before = Which::Before(*backwards.last().unwrap());
        }
        backwards.reverse();
        assert_eq!(backwards, whole, "{found:?}");
    }
}

#[test]
#[ntest::timeout(60_000)]
fn the_end_of_a_large_file_is_read_alone() {
    let copy = copies().find(|copy| copy.found.agent == "claude" && copy.found.subagent.is_none()).unwrap();
    let mut bytes = Vec::new();
    for number in 0..20_000 {
        let text = format!("{number} {}", "x".repeat(100));
        bytes.extend(format!("{{\"type\":\"user\",\"message\":{{\"content\":\"{text}\"}}}}\n").into_bytes());
    }
    let found = copy.with(&bytes);
    let last = page(&found, Which::Last, 3).unwrap();
    let whole: Vec<_> = Read::all(&found).entries.into_values().collect();
    assert_eq!(last.entries, whole[whole.len() - 3..]);
    assert!(last.earlier && !last.later);
    // More than one window of them.
    let many = page(&found, Which::Before(whole[15_000].seq), 10_000).unwrap();
    assert_eq!(many.entries, whole[5000..15_000]);
    assert!(many.earlier && many.later);
}
