use belfry_journal::{Gap, GapReason, Stamp};

use super::*;

/// A journal in the making.
struct Run {
    sight: Sight,
    offset: u64,
    seconds: u64,
}

impl Run {
    fn new() -> Self {
        let mut sight = Sight::new(&Options::default());
        sight.resize(Size::new(20, 4));
        Self { sight, offset: 0, seconds: 0 }
    }

    fn tell(&mut self, what: What<'_>) {
        let micros = (1000 + self.seconds) * 1_000_000;
        let entry = Entry { stamp: Stamp { mono: micros, wall: micros }, offset: self.offset, what };
        self.sight.entry(&entry);
    }

    /// Two seconds later the program prints.
    fn print(&mut self, text: &str) {
        self.seconds += 2;
        self.tell(What::Output(text.as_bytes()));
        self.offset += text.len() as u64;
    }

    fn left(&mut self) -> Vec<String> {
        self.sight.take_fresh().into_iter().map(|line| line.text).collect()
    }

    fn screen(&mut self) -> Vec<String> {
        self.sight.screen().into_iter().map(|line| line.text).collect()
    }
}

#[test]
fn a_line_has_the_place_where_it_came_to_stand() {
    let mut run = Run::new();
    run.print("$ make\r\n");
    let built = run.offset + 10;
    run.print("built it\r\n");
    run.seconds += 5000;
    run.print("$ next\r\n\r\n\r\n\r\n");
    let lines = run.sight.take_fresh();
    let texts: Vec<_> = lines.iter().map(|line| line.text.as_str()).collect();
    assert_eq!(texts, ["$ make", "built it", "$ next"]);
    // In the two seconds in which it was printed, and not when it left the screen.
    assert_eq!((lines[1].offset, lines[1].at), (built, 1_004_000));
    assert_eq!(lines[2].at, 6_006_000);
}

#[test]
fn what_is_drawn_over_itself_is_one_line() {
    let mut run = Run::new();
    for number in 0..50 {
        run.print(&format!("\rworking {number} s"));
    }
    assert_eq!(run.screen(), ["working 49 s"]);
    run.print("\r\x1b[Kdone\r\n");
    assert_eq!((run.left(), run.screen()), (vec![], vec!["done".to_owned()]));
    // A program that draws all of it anew.
    for _ in 0..10 {
        run.print("\x1b[2J\x1b[3J\x1b[H");
        for number in 0..8 {
            run.print(&format!("turn number {number}\r\n"));
        }
    }
    let left = run.left();
    assert_eq!(left, (0..5).map(|number| format!("turn number {number}")).collect::<Vec<_>>());
    assert_eq!(run.screen(), ["turn number 5", "turn number 6", "turn number 7"]);
}

#[test]
fn wrapped_rows_are_one_line_wherever_they_are_cut() {
    let mut run = Run::new();
    run.print("a long line that the terminal wraps to three rows\r\nshort\r\n");
    assert_eq!(run.left(), [""; 0]);
    assert_eq!(run.screen(), ["a long line that the terminal wraps to three rows", "short"]);
    run.print("one more\r\ntwo more\r\n");
    assert_eq!(run.left(), ["a long line that the terminal wraps to three rows"]);
}

#[test]
fn another_size_and_a_gap_lose_nothing() {
    let mut run = Run::new();
    run.print("first\r\nsecond\r\nthird\r\n$ ");
    run.tell(What::Resize { cols: 20, rows: 2 });
    assert_eq!(run.left(), ["first", "second"]);
    run.tell(What::Resize { cols: 20, rows: 4 });
    run.print("more\r\n\r\n\r\n\r\n");
    assert_eq!(run.left(), ["third", "$ more"]);
    run.print("before the gap");
    let gap = Gap { from: run.offset, to: 9000, reason: GapReason::Dropped, size: (20, 4) };
    run.tell(What::Gap(gap));
    run.offset = 9000;
    run.print("after it");
    assert_eq!((run.left(), run.screen()), (vec!["before the gap".to_owned()], vec!["after it".to_owned()]));
}

#[test]
fn a_reset_begins_anew() {
    let mut run = Run::new();
    run.print("one\r\ntwo\r\nthree\r\nfour\r\nfive\r\nsix");
    run.print("\x1bcafter\r\nthat\r\nthere\r\nis\r\nmore");
    assert_eq!(run.left(), ["one", "two", "after"]);
    assert_eq!(run.screen(), ["that", "there", "is", "more"]);
}

#[test]
fn the_alternate_screen_gives_what_stood_on_it() {
    let mut run = Run::new();
    run.print("one\r\ntwo\r\nthree\r\nfour\r\nfive");
    run.print("\x1b[?1049h\x1b[Hall of it\r\n1\r\n2\r\n3\r\n4\r\nlast line");
    assert_eq!(run.left(), ["one"]);
    assert_eq!(run.screen(), ["last line"]);
    // What stands long enough is taken when it goes, numbers and what is gone at once are not.
    run.print("\x1b[2J\x1b[H10 % used\r\nto read");
    run.print("\x1b[1;1H20 % used");
    run.print("\x1b[1;1H30 % used");
    run.print("\x1b[2J\x1b[Hlast");
    assert_eq!(run.left(), ["last line", "10 % used", "to read"]);
    run.print("\x1b[?1049l\r\nsix");
    assert_eq!(
        (run.left(), run.screen()),
        (
            vec!["last".to_owned(), "two".to_owned()],
            vec!["three".into(), "four".into(), "five".into(), "six".into()]
        )
    );
}

#[test]
fn it_goes_on_where_it_was_kept() {
    let mut run = Run::new();
    run.print("one\r\ntwo\r\nthree\r\nfour\r\nfive");
    let lines = run.left();
    let (kept, live, offset) = run.sight.keep();
    assert_eq!(offset, run.offset);
    let text = serde_json::to_string(&kept).expect("written");
    let kept = serde_json::from_str(&text).expect("read");
    run.sight = Sight::restored(&Options::default(), kept, &live).expect("as it was kept");
    for line in &lines {
        run.sight.knows(line);
    }
    run.print("\r\nsix\r\none\r\n\r\n\r\n\r\n\r\n");
    let left = run.sight.take_fresh();
    let texts: Vec<_> = left.iter().map(|line| line.text.as_str()).collect();
    assert_eq!(texts, ["two", "three", "four", "five", "six"]);
    assert_eq!((left[0].at, left[4].at), (1_002_000, 1_004_000));
}

/// A recording of a real agent: how often it drew something, and the lines that were found.
fn recorded(name: &str) -> (usize, Vec<String>) {
    let file = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/corpus/agents").join(name);
    let text = std::fs::read_to_string(file).expect("a recording");
    let mut lines = text.lines();
    let head: serde_json::Value = serde_json::from_str(lines.next().expect("a head")).expect("JSON");
    let number =
        |value: &serde_json::Value| u16::try_from(value.as_u64().expect("a number")).expect("a size");
    let mut run = Run::new();
    run.tell(What::Resize { cols: number(&head["width"]), rows: number(&head["height"]) });
    let mut outputs = 0;
    for line in lines {
        let event: (f64, String, String) = serde_json::from_str(line).expect("an event");
        run.seconds = event.0 as u64;
        match event.1.as_str() {
            "o" => {
                outputs += 1;
                run.tell(What::Output(event.2.as_bytes()));
                run.offset += event.2.len() as u64;
            }
            "r" => {
                let (cols, rows) = event.2.split_once('x').expect("a size");
                let number = |text: &str| text.parse().expect("a number");
                run.tell(What::Resize { cols: number(cols), rows: number(rows) });
            }
            _ => {}
        }
    }
    let mut found = run.left();
    found.extend(run.screen());
    (outputs, found)
}

#[test]
fn agents_that_draw_all_the_time_are_not_multiplied() {
    let of = |name: &str| {
        let (outputs, lines) = recorded(name);
        let once: HashSet<&str> = lines.iter().map(String::as_str).collect();
        assert_eq!(once.len(), lines.len(), "{name}");
        assert!(lines.len() * 2 < outputs, "{name}: {} lines", lines.len());
        lines
    };
    let has = |lines: &[String], words: &str| lines.iter().any(|line| line.contains(words));
    let claude = of("claude-2.1.332/s2_full.cast");
    for words in
        ["❯ say hello", "line 0 of the long answer", "line 99 of the long answer", "touch made_by_agent"]
    {
        assert!(has(&claude, words), "{words} in {claude:#?}");
    }
    // What works is drawn over and over.
    assert!(claude.iter().filter(|line| line.contains("esc to interrupt")).count() <= 1, "{claude:#?}");
    // It has a screen of its own, from which everything goes.
    let codex = of("codex/s2_full.cast");
    for words in ["› say hello", "of the long answer", "› badreq please"] {
        assert!(has(&codex, words), "{words} in {codex:#?}");
    }
    assert!(codex.len() < 400, "{codex:#?}");
}
