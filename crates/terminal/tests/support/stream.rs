//! Random terminal output: everything that changes a terminal's state, in odd orders, and some that is malformed.

use super::chance::Chance;

const WORDS: [&str; 24] = [
    "hello",
    " ",
    "  ",
    "world",
    "wide 世界",
    "日本",
    "é",
    "e\u{301}",
    "a\u{308}\u{323}",
    "🙂",
    "👩‍👩‍👧",
    "\u{301}",
    "─│┌┐",
    "~",
    "long-word-that-is-longer-than-others-so-that-lines-wrap",
    "x",
    "\u{fe0f}",
    "❤\u{fe0f}",
    "ｗｉｄｅ",
    "#",
    "q",
    "\t",
    "한국어",
    "\u{200d}",
];

/// `count` random elements for a terminal of this size.
pub fn random(chance: &mut Chance, cols: u16, rows: u16, count: usize) -> Vec<Vec<u8>> {
    (0..count)
        .map(|_| {
            let mut out = Vec::new();
            element(chance, usize::from(cols), usize::from(rows), &mut out);
            out
        })
        .collect()
}

/// The elements that are needed to make `fails` fail.
pub fn minimise(mut elements: Vec<Vec<u8>>, fails: &mut dyn FnMut(&[Vec<u8>]) -> bool) -> Vec<Vec<u8>> {
    let mut step = elements.len() / 2;
    while step > 0 {
        let mut at = 0;
        while at < elements.len() {
            let mut fewer = elements.clone();
            fewer.drain(at..(at + step).min(elements.len()));
            if fails(&fewer) {
                elements = fewer;
            } else {
                at += step;
            }
        }
        step /= 2;
    }
    elements
}

fn element(c: &mut Chance, cols: usize, rows: usize, out: &mut Vec<u8>) {
    let text = match c.below(100) {
        0..=34 => c.pick(&WORDS).to_owned(),
        35..=44 => "\r\n".to_owned(),
        45..=47 => {
            c.pick(&["\r", "\n", "\x08", "\t", "\x0b", "\x0c", "\x0e", "\x0f", "\x00", "\x7f"]).to_owned()
        }
        48..=57 => format!("\x1b[{}m", sgr(c)),
        58..=65 => moves(c, cols, rows),
        66..=72 => edits(c, cols, rows),
        73..=76 => modes(c),
        77..=78 => c
            .pick(&["\x1b[?1049h", "\x1b[?1049l", "\x1b[?47h", "\x1b[?47l", "\x1b[?1047h", "\x1b[?1047l"])
            .to_owned(),
        79..=80 => c.pick(&["\x1b7", "\x1b8", "\x1b[s", "\x1b[u", "\x1b[?1048h", "\x1b[?1048l"]).to_owned(),
        81..=82 => {
            c.pick(&["\x1bD", "\x1bE", "\x1bM", "\x1bH", "\x1b[g", "\x1b[3g", "\x1b[2I", "\x1b[Z"]).to_owned()
        }
        83..=84 => {
            let top = 1 + c.below(rows);
            let bottom = c.below(rows + 2);
            if c.one_in(3) { "\x1b[r".to_owned() } else { format!("\x1b[{top};{bottom}r") }
        }
        85..=86 => c
            .pick(&[
                "\x1b(0", "\x1b(B", "\x1b)0", "\x1b)B", "\x1b(A", "\x1bn", "\x1bo", "\x1b*0", "\x1b+A",
                "\x1b%G",
            ])
            .to_owned(),
        87..=89 => osc(c),
        90..=91 => queries(c),
        92 => "\x1b[3b".to_owned(),
        93 => c
            .pick(&[
                "\x1b[>1u",
                "\x1b[<u",
                "\x1b[=3;2u",
                "\x1b[>4;2m",
                "\x1b[>5u",
                "\x1b[22;2t",
                "\x1b[23;2t",
                "\x1b[2 q",
                "\x1b[5 q",
                "\x1b[0 q",
            ])
            .to_owned(),
        94 => malformed(c),
        95 => "plain text line after line\r\n".repeat(c.below(8)),
        96 => "y\r\n".repeat(c.below(rows * 3)),
        97 if c.one_in(6) => c.pick(&["\x1bc", "\x1b[!p", "\x1b#8"]).to_owned(),
        _ => "abc".to_owned(),
    };
    out.extend_from_slice(text.as_bytes());
    if c.one_in(200) {
        out.extend((0..c.below(6)).map(|_| 0x80 | c.below(128) as u8));
    }
}

fn sgr(c: &mut Chance) -> String {
    let one = |c: &mut Chance| match c.below(12) {
        1 => (30 + c.below(8)).to_string(),
        2 => (40 + c.below(8)).to_string(),
        3 => format!("38;5;{}", c.below(256)),
        4 => format!("48;2;{};{};{}", c.below(256), c.below(256), c.below(256)),
        5 => c.pick(&["90", "97", "101", "39", "49", ""]).to_owned(),
        6 => c.pick(&["1", "2", "3", "7", "8", "9", "53", "5"]).to_owned(),
        7 => c.pick(&["22", "23", "24", "25", "27", "28", "29", "55"]).to_owned(),
        8 => c.pick(&["4", "21", "4:3", "4:4", "4:5", "4:0", "4:"]).to_owned(),
        9 => c.pick(&["58:5:9", "58:2::10:20:30", "59", "58;5;3"]).to_owned(),
        10 => c.pick(&["38:2::1:2:3", "38:5:7", "48:2:4:5:6", "38;9;1", "38", "38;5"]).to_owned(),
        _ => "0".to_owned(),
    };
    (0..=c.below(2)).map(|_| one(c)).collect::<Vec<_>>().join(";")
}

fn moves(c: &mut Chance, cols: usize, rows: usize) -> String {
    let (x, y) = (1 + c.below(cols + 1), 1 + c.below(rows + 1));
    match c.below(12) {
        0..=3 => format!("\x1b[{y};{x}H"),
        4 => format!("\x1b[{x}G"),
        5 => format!("\x1b[{y}d"),
        6 => format!("\x1b[{y}A"),
        7 => format!("\x1b[{y}B"),
        8 => format!("\x1b[{x}C"),
        9 => format!("\x1b[{x}D"),
        10 => format!("\x1b[{}{}", c.below(3), c.pick(&["E", "F", "a", "e", "`"])),
        // To the last column, where a character leaves the wrap pending.
        _ => format!("\x1b[{cols}Gz"),
    }
}

fn edits(c: &mut Chance, cols: usize, rows: usize) -> String {
    let (x, y) = (c.below(cols + 2), c.below(rows + 2));
    match c.below(14) {
        0..=2 => format!("\x1b[{}J", c.pick(&["", "0", "1", "2", "3", "?"])),
        3..=5 => format!("\x1b[{}K", c.pick(&["", "0", "1", "2", "?1"])),
        6 => format!("\x1b[{x}X"),
        7 => format!("\x1b[{x}@"),
        8 => format!("\x1b[{x}P"),
        9 => format!("\x1b[{y}L"),
        10 => format!("\x1b[{y}M"),
        11 => format!("\x1b[{y}S"),
        12 => format!("\x1b[{y}T"),
        _ => format!("\x1b[{}{}", 1 + c.below(3), c.pick(&[" @", " A", "'}", "'~"])),
    }
}

fn modes(c: &mut Chance) -> String {
    let which = c.pick(&[
        "?1", "?6", "?25", "?12", "?1000", "?1002", "?1003", "?1006", "?1016", "?1004", "?2004", "?9", "4",
        "20", "?2026", "?45", "?1;2004", "?3;2004", "?66", "?2031", "?1007",
    ]);
    if c.one_in(16) {
        // Without wrapping. Wide characters are left out: in the last columns xterm.js leaves halves of them.
        return format!("\x1b[?7l{}\x1b[?7h", "narrow".repeat(c.below(30)));
    }
    // Insert and origin mode garble all that follows, so they are mostly switched off.
    let on = if matches!(which, "4" | "?6" | "20") { c.one_in(4) } else { c.one_in(2) };
    format!("\x1b[{which}{}", if on { 'h' } else { 'l' })
}

fn osc(c: &mut Chance) -> String {
    let command = c.pick(&[
        "0;title",
        "2;another title",
        "2;",
        "8;;https://example.org/",
        "8;;",
        "8;id=a;https://example.org/a",
        "4;1;rgb:11/22/33",
        "4;1;?",
        "4;200;#abcdef;3;?",
        "10;rgb:ffff/0000/1111",
        "11;#123",
        "12;?",
        "104;1",
        "104",
        "110",
        "111",
        "7;file://host/tmp",
        "9;done",
        "9;4;1;50",
        "777;notify;a;b",
        "52;c;aGVsbG8=",
        "52;c;?",
        "133;A",
        "7501;state=working:app=codex",
        "7501;?",
        "1337;x=y",
    ]);
    format!("\x1b]{command}{}", c.pick(&["\x07", "\x1b\\", "\x1b\\"]))
}

fn queries(c: &mut Chance) -> String {
    c.pick(&[
        "\x1b[c",
        "\x1b[>c",
        "\x1b[5n",
        "\x1b[6n",
        "\x1b[?6n",
        "\x1b[?2026$p",
        "\x1b[4$p",
        "\x1b[>q",
        "\x1b[?u",
        "\x1b[14t",
        "\x1b[18t",
        "\x1b[21t",
        "\x1b[?996n",
        "\x05",
        "\x1bP$qm\x1b\\",
        "\x1bP+q544e\x1b\\",
        "\x1b_Gi=1,a=q;AAAA\x1b\\",
        "\x1bZ",
    ])
    .to_owned()
}

fn malformed(c: &mut Chance) -> String {
    c.pick(&[
        "\x1b[1;\n2H",
        "\x1b[\x1b[1m",
        "\x1b]2;cut\x1b[31m",
        "\x1b[12\x18",
        "\x1bP never\x1a",
        "\x1b[1;2;3",
        "\u{9b}5n",
        "\u{85}",
        "\x1b[<5m",
        "\x1b[?1$",
        "\x1b]",
        "\x1b[1\u{e9}",
        "\x1b[1\x7f;2H",
        "\x1b]2;a\x01b\x07",
        "\x1b]8;;x\u{9c}y\x07",
        "\x1b#",
        "\x1b[ 1q",
    ])
    .to_owned()
}
