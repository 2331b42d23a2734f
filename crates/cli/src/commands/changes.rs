//! `belfry diff` and `belfry checkpoint`.

use std::io::{IsTerminal as _, Write as _};

use belfry_client::{ClientError, Incoming};
use belfry_protocol::changes::{Between, ChangeKind, ChangedFile, Changes, ChangesRequest, Checkpoint};
use belfry_protocol::{Event, Reply, Request, StreamId};

use crate::args::{CheckpointAction, DiffArgs};
use crate::context::{Context, unexpected};
use crate::failure::{Exit, Failure};
use crate::print::{Color, Style, ago, line, plain, value};

const STREAM: StreamId = StreamId(1);

/// Digits of an id that people are shown.
const SHORT: usize = 10;

fn between(args: &DiffArgs) -> Between {
    match (&args.commit, &args.since) {
        (Some(id), _) => Between::Commit { id: id.clone() },
        (_, Some(from)) => Between::Points { from: from.clone(), to: args.until.clone() },
        _ if args.uncommitted => Between::Uncommitted,
        _ if args.staged => Between::Staged,
        _ if args.unstaged => Between::Unstaged,
        _ => Between::Base,
    }
}

pub(crate) async fn diff(context: &Context, args: DiffArgs) -> Result<(), Failure> {
    let between = between(&args);
    let session = args.which.session;
    if args.stat || context.printer.json {
        let request = Request::Changes(Box::new(ChangesRequest::Files { session, between }));
        let files = match context.ask(request).await? {
            Reply::ChangedFiles(files) => files,
            other => return Err(unexpected(&other)),
        };
        let printed = if context.printer.json { value(&files) } else { stat(&files, context.printer.style) };
        return Ok(printed?);
    }
    let mut connection = context.connect().await?;
    let request = ChangesRequest::Patch { session, between, stream: STREAM };
    connection.request(Request::Changes(Box::new(request))).await?;
    let mut out = Output::new(context.printer.style);
    loop {
        match connection.next().await {
            Some(Incoming::Blob { stream: STREAM, bytes }) if bytes.is_empty() => break,
            Some(Incoming::Blob { stream: STREAM, bytes }) => out.piece(&bytes)?,
            Some(Incoming::Event(event)) => {
                if let Event::StreamFailed { stream: STREAM, error } = *event {
                    return Err(error.into());
                }
            }
            Some(_) => {}
            None => return Err(ClientError::Lost.into()),
        }
    }
    Ok(out.finish()?)
}

/// A patch on its way out: for a program byte for byte, on a terminal by lines, in colours and without control characters.
struct Output {
    style: Style,
    terminal: bool,
    rest: Vec<u8>,
}

impl Output {
    fn new(style: Style) -> Self {
        Self { style, terminal: std::io::stdout().is_terminal(), rest: Vec::new() }
    }

    fn piece(&mut self, bytes: &[u8]) -> std::io::Result<()> {
        if !self.terminal {
            return std::io::stdout().lock().write_all(bytes);
        }
        self.rest.extend_from_slice(bytes);
        let Some(end) = self.rest.iter().rposition(|byte| *byte == b'\n') else { return Ok(()) };
        let whole: Vec<u8> = self.rest.drain(..=end).collect();
        let mut text = String::new();
        for line in whole.split_inclusive(|byte| *byte == b'\n') {
            text.push_str(&painted(line, self.style));
            text.push('\n');
        }
        std::io::stdout().lock().write_all(text.as_bytes())
    }

    fn finish(mut self) -> std::io::Result<()> {
        if !self.rest.is_empty() {
            self.piece(b"\n")?;
        }
        std::io::stdout().lock().flush()
    }
}

fn painted(line: &[u8], style: Style) -> String {
    let text = String::from_utf8_lossy(line);
    // Tabs are what they are in a file.
    let parts: Vec<String> = text.trim_end_matches(['\n', '\r']).split('\t').map(kept).collect();
    let text = parts.join("\t");
    let color = match line {
        _ if line.starts_with(b"+++ ") || line.starts_with(b"--- ") => Color::Bold,
        _ if line.starts_with(b"diff --git ") || line.starts_with(b"index ") => Color::Bold,
        [b'+', ..] => Color::Green,
        [b'-', ..] => Color::Red,
        [b'@', ..] => Color::Blue,
        _ => return text,
    };
    style.paint(&text, color)
}

/// Without characters that would act on the terminal or hide a part; runs of spaces stay.
fn kept(text: &str) -> String {
    text.chars().filter(|letter| !crate::print::is_hostile(*letter)).collect()
}

fn stat(files: &[ChangedFile], style: Style) -> std::io::Result<()> {
    let name = |file: &ChangedFile| match &file.old_path {
        Some(old) => format!("{} → {}", plain(old), plain(&file.path)),
        None => plain(&file.path),
    };
    let count =
        |lines: Option<u32>, sign: char| lines.map_or_else(String::new, |lines| format!("{sign}{lines}"));
    let width = files.iter().map(|file| count(file.added, '+').len().max(1)).max().unwrap_or(0);
    let removed_width = files.iter().map(|file| count(file.removed, '-').len()).max().unwrap_or(0);
    for file in files {
        let (sign, color) = match file.kind {
            ChangeKind::Added => ('A', Color::Green),
            ChangeKind::Untracked => ('?', Color::Green),
            ChangeKind::Deleted => ('D', Color::Red),
            ChangeKind::Renamed => ('R', Color::Blue),
            ChangeKind::Retyped => ('T', Color::Yellow),
            ChangeKind::Conflicted => ('U', Color::Red),
            ChangeKind::Modified => ('M', Color::Yellow),
        };
        let added = format!("{:>width$}", count(file.added, '+'));
        let removed = format!("{:>removed_width$}", count(file.removed, '-'));
        line(&format!(
            "{} {} {}  {}",
            style.paint(&sign.to_string(), color),
            style.paint(&added, Color::Green),
            style.paint(&removed, Color::Red),
            name(file)
        ))?;
    }
    let total = |of: fn(&ChangedFile) -> Option<u32>| files.iter().filter_map(of).map(u64::from).sum::<u64>();
    let (added, removed) = (total(|file| file.added), total(|file| file.removed));
    let files = if files.len() == 1 { "1 file".to_owned() } else { format!("{} files", files.len()) };
    line(&style.paint(&format!("{files}, +{added} -{removed}"), Color::Faint))
}

async fn ask(context: &Context, request: ChangesRequest) -> Result<Changes, Failure> {
    match context.ask(Request::Changes(Box::new(request))).await? {
        Reply::Changes(changes) => Ok(*changes),
        other => Err(unexpected(&other)),
    }
}

pub(crate) async fn checkpoint(context: &Context, action: CheckpointAction) -> Result<(), Failure> {
    match action {
        CheckpointAction::Ls(which) => {
            let changes = ask(context, ChangesRequest::Show { session: which.session }).await?;
            if context.printer.json {
                return Ok(value(&changes.checkpoints)?);
            }
            let now = jiff::Timestamp::now();
            for one in &changes.checkpoints {
                line(&shown(one, now, context.printer.style))?;
            }
            Ok(())
        }
        CheckpointAction::Make { which, label } => {
            let changes =
                ask(context, ChangesRequest::MakeCheckpoint { session: which.session, label }).await?;
            if let Some(made) = changes.checkpoints.first() {
                told(context, without("Left out", made));
            }
            newest(context, &changes)
        }
        CheckpointAction::Go { which, checkpoint } => {
            let session = which.session;
            let known = ask(context, ChangesRequest::Show { session: session.clone() }).await?.checkpoints;
            let fitting: Vec<_> = known.iter().filter(|one| one.id.starts_with(&checkpoint)).collect();
            let to = match fitting.as_slice() {
                [one] => *one,
                [] => {
                    let none = format!("There is no checkpoint `{}`.", plain(&checkpoint));
                    return Err(Failure::new(Exit::Failed, "not_found", none)
                        .next("`belfry checkpoint ls SESSION` lists them."));
                }
                // The same files twice have two names and may have one id.
                [first, rest @ ..] if rest.iter().all(|one| one.id == first.id) => *first,
                _ => return Err(Failure::usage("That fits several checkpoints.").next("Give more digits.")),
            };
            let changes = ask(context, ChangesRequest::GoTo { session, checkpoint: to.id.clone() }).await?;
            told(context, without("Not in that checkpoint, and as before", to));
            newest(context, &changes)
        }
    }
}

fn shown(one: &Checkpoint, now: jiff::Timestamp, style: Style) -> String {
    let id = style.paint(one.id.get(..SHORT).unwrap_or(&one.id), Color::Yellow);
    let lacks = without("left out", one).map_or_else(String::new, |lacks| format!("  ({lacks})"));
    format!("{id}  {:>8}  {}{lacks}", ago(one.at, now), plain(&one.label))
}

/// What a checkpoint has not, where there is something.
fn without(said: &str, one: &Checkpoint) -> Option<String> {
    let names = one.left_out.iter().map(|name| plain(name)).collect::<Vec<_>>().join(", ");
    (!names.is_empty()).then(|| format!("{said}: {names}"))
}

/// Beside the answer, which a script reads; JSON has it in the answer.
fn told(context: &Context, notice: Option<String>) {
    if let Some(notice) = notice.filter(|_| !context.printer.json) {
        let _ = writeln!(std::io::stderr(), "{notice}.");
    }
}

/// The checkpoint that was made just now: a script goes back to it by that.
fn newest(context: &Context, changes: &Changes) -> Result<(), Failure> {
    let Some(newest) = changes.checkpoints.first() else { return Ok(()) };
    let printed = if context.printer.json { value(newest) } else { line(&newest.id) };
    Ok(printed?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_checkpoint_has_not_is_told() {
        let whole = Checkpoint {
            id: "0123456789abcdef".to_owned(),
            label: "fix".to_owned(),
            at: jiff::Timestamp::UNIX_EPOCH,
            left_out: Vec::new(),
        };
        let part = Checkpoint {
            left_out: vec!["huge (150 MB)".to_owned(), "ne\x1b[2Jst/".to_owned()],
            ..whole.clone()
        };
        assert_eq!(without("Left out", &whole), None);
        assert_eq!(without("Left out", &part).as_deref(), Some("Left out: huge (150 MB), ne[2Jst/"));
        let line = shown(&part, jiff::Timestamp::UNIX_EPOCH, Style { on: false });
        assert!(line.ends_with("fix  (left out: huge (150 MB), ne[2Jst/)"), "{line}");
    }

    #[test]
    fn lines_of_a_patch_cannot_act_on_the_terminal() {
        let on = Style { on: true };
        assert_eq!(painted(b"+\tif x {\x1b]0;evil\x07\n", on), "\x1b[32m+\tif x {]0;evil\x1b[0m");
        assert_eq!(painted(b" two  spaces\r\n", Style { on: false }), " two  spaces");
        assert_eq!(painted(b"--- a/x\n", on), "\x1b[1m--- a/x\x1b[0m");
    }
}
