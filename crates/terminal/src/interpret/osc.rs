//! Operating system commands: titles, colours, links, and what programs tell about themselves.

use std::fmt::Write;

use base64::Engine;
use base64::engine::general_purpose::{STANDARD, STANDARD_NO_PAD};

use super::{COLOR_FOREGROUND, Interpreter};
use crate::event::{EventKind, ProgramStatus, Progress, PromptMark};
use crate::grid::{Extra, MAX_URI};
use crate::options::Rgb;
use crate::scan::Verdict;

/// Longest text of a notification and longest path.
const MAX_TEXT: usize = 4096;
/// Largest text that a program may offer to the clipboard.
const MAX_CLIPBOARD: usize = 100 * 1024;
/// Pairs and sizes of OSC 7501; the agents that send it use at most five short pairs.
const MAX_PAIRS: usize = 16;
const MAX_KEY: usize = 32;

impl Interpreter {
    pub(super) fn command(&mut self, text: &str, bell: bool, offset: u64) -> Verdict {
        let (command, rest) = text.split_once(';').unwrap_or((text, ""));
        match command {
            "0" | "2" => {
                self.set_title(rest, offset);
                return Verdict::Keep;
            }
            "4" => return self.palette(rest, bell, offset),
            "10" | "11" | "12" => return self.special_colors(command, rest, bell, offset),
            "104" => {
                if rest.is_empty() {
                    self.palette.retain(|&index, _| index >= COLOR_FOREGROUND);
                } else {
                    for index in rest.split(';').filter_map(|i| i.parse::<u16>().ok()).filter(|&i| i < 256) {
                        self.palette.remove(&index);
                    }
                }
                return Verdict::Keep;
            }
            "110" | "111" | "112" => {
                let index = command.parse::<u16>().unwrap_or(110) - 110 + COLOR_FOREGROUND;
                self.palette.remove(&index);
                return Verdict::Keep;
            }
            "8" => return self.hyperlink(rest),
            "7" => self.directory(rest, offset),
            "9" => self.conemu(rest, offset),
            "777" => self.notify_777(rest, offset),
            "99" => self.notify_99(rest, offset),
            "52" => self.clipboard(rest, offset),
            "133" => self.prompt_mark(rest, offset),
            "7501" => self.program_status(rest, offset),
            _ => (),
        }
        Verdict::Drop
    }

    /// OSC 4: pairs of index and colour. Views get those that set something.
    fn palette(&mut self, rest: &str, bell: bool, offset: u64) -> Verdict {
        let mut sets = String::new();
        let mut slots = rest.split(';');
        while let (Some(index), Some(color)) = (slots.next(), slots.next()) {
            let Some(index) = index.parse::<u16>().ok().filter(|&i| i < 256) else { continue };
            if color == "?" {
                self.report_color(&format!("4;{index}"), index, bell, offset);
            } else if let Some(color) = parse_color(color) {
                self.palette.insert(index, color);
                let _ = write!(sets, ";{index};{}", color_spec(color));
            }
        }
        if sets.is_empty() {
            Verdict::Drop
        } else {
            Verdict::Replace(format!("\x1b]4{sets}\x1b\\").into_bytes())
        }
    }

    /// OSC 10, 11 and 12; further values belong to the next ones.
    fn special_colors(&mut self, command: &str, rest: &str, bell: bool, offset: u64) -> Verdict {
        let first = command.parse::<u16>().unwrap_or(10);
        let mut out = Vec::new();
        for (number, color) in (first..=12).zip(rest.split(';')) {
            let index = number - 10 + COLOR_FOREGROUND;
            if color == "?" {
                self.report_color(&number.to_string(), index, bell, offset);
            } else if let Some(color) = parse_color(color) {
                self.palette.insert(index, color);
                out.extend(format!("\x1b]{number};{}\x1b\\", color_spec(color)).into_bytes());
            }
        }
        if out.is_empty() { Verdict::Drop } else { Verdict::Replace(out) }
    }

    fn hyperlink(&mut self, rest: &str) -> Verdict {
        let Some((attributes, uri)) = rest.split_once(';') else { return Verdict::Drop };
        let id = attributes.split(':').find_map(|a| a.trim().strip_prefix("id=")).unwrap_or("");
        let link = if uri.is_empty() || uri.len() > MAX_URI || id.len() > MAX_URI {
            0
        } else {
            self.screen.tables.link(id, uri)
        };
        let extra = self.screen.tables.get_extra(self.screen.pen.ext);
        self.screen.pen.ext = self.screen.tables.extra(Extra { link, ..extra });
        let plain = match self.screen.tables.get_link(link) {
            None => "8;;".to_owned(),
            Some(link) if link.id.is_empty() => format!("8;;{uri}"),
            Some(link) => format!("8;id={};{uri}", link.id),
        };
        if plain.strip_prefix("8;") == Some(rest) {
            Verdict::Keep
        } else {
            Verdict::Replace(format!("\x1b]{plain}\x1b\\").into_bytes())
        }
    }

    fn directory(&mut self, url: &str, offset: u64) {
        let Some(rest) = url.strip_prefix("file://").or_else(|| url.strip_prefix("kitty-shell-cwd://"))
        else {
            return;
        };
        let (host, path) = rest.find('/').map_or((rest, ""), |at| rest.split_at(at));
        self.cwd(host, &percent_decode(path), offset);
    }

    fn cwd(&mut self, host: &str, path: &str, offset: u64) {
        let path = bounded(path);
        if !path.is_empty() {
            self.event(offset, EventKind::Cwd { host: bounded(host), path });
        }
    }

    /// OSC 9: a notification, or one of ConEmu's numbered commands.
    fn conemu(&mut self, rest: &str, offset: u64) {
        let mut parts = rest.splitn(3, ';');
        match (parts.next(), parts.next(), parts.next()) {
            (Some("4"), Some(state), value) => {
                let percent = || value.and_then(|v| v.parse::<u16>().ok()).unwrap_or(0).min(100) as u8;
                let progress = match state {
                    "0" => Progress::None,
                    "1" => Progress::Normal(percent()),
                    "2" => Progress::Error(percent()),
                    "3" => Progress::Indeterminate,
                    "4" => Progress::Paused(percent()),
                    _ => return,
                };
                self.event(offset, EventKind::Progress(progress));
            }
            (Some("9"), Some(path), _) => self.cwd("", path.trim_matches('"'), offset),
            (Some(number), Some(_), _) if number.parse::<u8>().is_ok() => (),
            _ => self.notify("", rest, offset),
        }
    }

    fn notify_777(&mut self, rest: &str, offset: u64) {
        let mut parts = rest.splitn(3, ';');
        if let (Some("notify"), Some(title), body) = (parts.next(), parts.next(), parts.next()) {
            self.notify(title, body.unwrap_or(""), offset);
        }
    }

    /// OSC 99 in its plain form: one piece, as text or base64. Queries and pieces to be put together are ignored.
    fn notify_99(&mut self, rest: &str, offset: u64) {
        let Some((attributes, payload)) = rest.split_once(';') else { return };
        let attribute =
            |key: &str| attributes.split(':').find_map(|a| a.strip_prefix(key)?.strip_prefix('='));
        let text = if attribute("e") == Some("1") {
            decode_base64(payload, MAX_TEXT).unwrap_or_default()
        } else {
            payload.to_owned()
        };
        match attribute("p").unwrap_or("title") {
            "title" => self.notify(&text, "", offset),
            "body" => self.notify("", &text, offset),
            _ => (),
        }
    }

    fn notify(&mut self, title: &str, body: &str, offset: u64) {
        let (title, body) = (bounded(title), bounded(body));
        if !title.is_empty() || !body.is_empty() {
            self.event(offset, EventKind::Notify { title, body });
        }
    }

    /// OSC 52. Reading is never answered.
    fn clipboard(&mut self, rest: &str, offset: u64) {
        let Some((selection, data)) = rest.split_once(';') else { return };
        if data == "?" {
            return;
        }
        let Some(text) = decode_base64(data, MAX_CLIPBOARD) else { return };
        let text = text.chars().filter(|&c| !c.is_control() || c == '\n' || c == '\t').collect();
        let primary = selection.starts_with('p') || selection.starts_with('s');
        self.event(offset, EventKind::ClipboardWrite { primary, text });
    }

    fn prompt_mark(&mut self, rest: &str, offset: u64) {
        let mut parts = rest.split(';');
        let mark = match parts.next() {
            Some("A" | "N") => PromptMark::PromptStart,
            Some("B" | "I") => PromptMark::CommandStart,
            Some("C") => PromptMark::OutputStart,
            Some("D") => PromptMark::CommandEnd(parts.next().and_then(|code| code.parse().ok())),
            _ => return,
        };
        self.event(offset, EventKind::PromptMark(mark));
    }

    fn program_status(&mut self, rest: &str, offset: u64) {
        if rest.starts_with('?') {
            self.reply(offset, *b"\x1b]7501;?1\x1b\\");
            return;
        }
        let pairs = rest
            .split(':')
            .take(MAX_PAIRS)
            .filter_map(|pair| pair.split_once('='))
            .filter(|(key, value)| key.len() <= MAX_KEY && value.len() <= MAX_TEXT)
            .map(|(key, value)| {
                let value = match key {
                    "title" | "msg" => decode_base64(value, MAX_TEXT).unwrap_or_default(),
                    _ => value.to_owned(),
                };
                (key.to_owned(), value.chars().filter(|c| !c.is_control()).collect())
            })
            .collect::<Vec<_>>();
        if !pairs.is_empty() {
            self.event(offset, EventKind::ProgramStatus(ProgramStatus { pairs }));
        }
    }
}

/// Base64, with or without padding, of UTF-8 text of at most `limit` bytes.
fn decode_base64(data: &str, limit: usize) -> Option<String> {
    if data.len() / 4 * 3 > limit + 2 {
        return None;
    }
    let bytes = STANDARD.decode(data).or_else(|_| STANDARD_NO_PAD.decode(data)).ok()?;
    let text = String::from_utf8_lossy(&bytes).into_owned();
    (text.len() <= limit).then_some(text)
}

fn bounded(text: &str) -> String {
    text.chars()
        .filter(|c| !c.is_control())
        .scan(0, |size, c| {
            *size += c.len_utf8();
            (*size <= MAX_TEXT).then_some(c)
        })
        .collect()
}

fn percent_decode(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut out = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        let hex = bytes.get(at + 1..at + 3).and_then(|h| std::str::from_utf8(h).ok());
        let byte = hex.and_then(|h| u8::from_str_radix(h, 16).ok()).filter(|_| bytes[at] == b'%');
        out.push(byte.unwrap_or(bytes[at]));
        at += if byte.is_some() { 3 } else { 1 };
    }
    String::from_utf8_lossy(&out).into_owned()
}

/// `rgb:r/g/b` with one to four digits each, or `#rgb` with one to four each.
fn parse_color(spec: &str) -> Option<Rgb> {
    let channel = |digits: &str| {
        if digits.is_empty() || digits.len() > 4 || !digits.bytes().all(|b| b.is_ascii_hexdigit()) {
            return None;
        }
        let max = (1_u32 << (4 * digits.len())) - 1;
        let value = u32::from_str_radix(digits, 16).ok()?;
        u8::try_from((value * 255 + max / 2) / max).ok()
    };
    if let Some(rest) = spec.strip_prefix("rgb:") {
        let mut parts = rest.split('/');
        let color =
            Rgb { r: channel(parts.next()?)?, g: channel(parts.next()?)?, b: channel(parts.next()?)? };
        return parts.next().is_none().then_some(color);
    }
    let digits = spec.strip_prefix('#')?;
    if !digits.is_ascii() || digits.is_empty() || digits.len() % 3 != 0 || digits.len() > 12 {
        return None;
    }
    let size = digits.len() / 3;
    Some(Rgb {
        r: channel(&digits[..size])?,
        g: channel(&digits[size..2 * size])?,
        b: channel(&digits[2 * size..])?,
    })
}

pub(crate) fn color_spec(color: Rgb) -> String {
    format!("rgb:{:02x}/{:02x}/{:02x}", color.r, color.g, color.b)
}
