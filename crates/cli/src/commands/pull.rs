//! `belfry pr`.

use std::io::{IsTerminal, Read};
use std::process::{Command, Stdio};

use belfry_protocol::changes::ChangesRequest;
use belfry_protocol::pull_request::{
    PullDraft, PullRequest, PullRequestRequest as Wanted, PullState, Review, ReviewComment,
};
use belfry_protocol::{Reply, Request};

use super::send;
use crate::args::{PrAction, PrArgs, PrCreateArgs};
use crate::context::{Context, sentence, unexpected};
use crate::failure::{Exit, Failure};
use crate::print::{Sheet, brief, plain};

/// More of a comment is not read in a list, in characters.
const COMMENT: usize = 300;

/// Longest text that is read from the standard input, in bytes: the forge's own limit.
const LONGEST_BODY: u64 = 60_000;

pub(crate) async fn run(context: &Context, args: PrArgs) -> Result<(), Failure> {
    match (args.action, args.session) {
        (Some(PrAction::Create(create)), _) => make(context, create).await,
        (Some(PrAction::Merge { which, how }), _) => {
            let merged = pull(context, Wanted::Merge { session: which.session, how: how.into() }).await?;
            done(context, &merged, |pull| match pull.state {
                PullState::Merged => format!("Pull request #{} is merged.", pull.number),
                _ => format!("Pull request #{} is to be merged by {}.", pull.number, plain(&pull.url)),
            })
        }
        (Some(PrAction::Send { which, what }), _) => {
            let wanted = Wanted::SendFindings { session: which.session, what: what.into() };
            send::told(context, ask(context, wanted).await?)
        }
        (None, Some(session)) => {
            let shown = pull(context, Wanted::Refresh { session }).await?;
            done(context, &shown, |pull| sheet(context, pull))
        }
        (None, None) => Err(Failure::usage("Which session is meant?").next("`belfry pr SESSION`")),
    }
}

async fn ask(context: &Context, wanted: Wanted) -> Result<Reply, Failure> {
    context.ask(Request::PullRequest(Box::new(wanted))).await
}

async fn pull(context: &Context, wanted: Wanted) -> Result<PullRequest, Failure> {
    match ask(context, wanted).await? {
        Reply::PullRequest(pull) => Ok(*pull),
        other => Err(unexpected(&other)),
    }
}

fn done(
    context: &Context,
    pull: &PullRequest,
    text: impl FnOnce(&PullRequest) -> String,
) -> Result<(), Failure> {
    let printed =
        if context.printer.json { crate::print::value(pull) } else { crate::print::line(&text(pull)) };
    Ok(printed?)
}

async fn make(context: &Context, args: PrCreateArgs) -> Result<(), Failure> {
    let PrCreateArgs { which, title, body, draft, base, web } = args;
    let body = match body {
        Some(body) if body == "-" => Some(from_stdin()?),
        body => body,
    };
    let session = which.session;
    let begin = if web || title.is_none() || body.is_none() {
        match ask(context, Wanted::Draft { session: session.clone() }).await? {
            Reply::PullDraft(begin) => *begin,
            other => return Err(unexpected(&other)),
        }
    } else {
        PullDraft::default()
    };
    if begin.uncommitted > 0 && !context.printer.json {
        let files = if begin.uncommitted == 1 { "file is" } else { "files are" };
        eprintln!("{} {files} not committed, and not in it.", begin.uncommitted);
    }
    if web {
        return by_hand(context, session, &begin, base).await;
    }
    let title = title.unwrap_or(begin.title);
    let body = body.unwrap_or(begin.body);
    let made = pull(context, Wanted::Create { session, title, body, base, draft }).await?;
    done(context, &made, |pull| pull.url.clone())
}

/// Pushes, and opens the forge's own page.
async fn by_hand(
    context: &Context,
    session: String,
    begin: &PullDraft,
    base: Option<String>,
) -> Result<(), Failure> {
    let Some(page) = &begin.compare else {
        let why =
            begin.problem.clone().unwrap_or_else(|| "the remote is at no forge that is known".to_owned());
        return Err(Failure::new(Exit::Failed, "unsupported", sentence(&plain(&why))));
    };
    let page = match base {
        // The page has a place for it, and its own way to write it.
        Some(base) if base != begin.base => {
            let why = format!("The page begins with {}.", plain(&begin.base));
            return Err(Failure::new(Exit::Failed, "unsupported", why)
                .next(format!("Leave --base out, and choose {} on the page.", plain(&base))));
        }
        _ => page,
    };
    context.ask(Request::Changes(Box::new(ChangesRequest::Push { session, force: false }))).await?;
    if std::io::stdout().is_terminal() && !context.printer.json {
        open(page);
    }
    let printed = if context.printer.json {
        crate::print::value(&serde_json::json!({ "compare": page }))
    } else {
        crate::print::line(&plain(page))
    };
    Ok(printed?)
}

/// In the person's browser, where there is one; the address is printed in any case.
fn open(page: &str) {
    let program = if cfg!(target_os = "macos") { "open" } else { "xdg-open" };
    let _ = Command::new(program)
        .arg(page)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn();
}

fn from_stdin() -> Result<String, Failure> {
    let mut text = String::new();
    let read = std::io::stdin().lock().take(LONGEST_BODY + 1).read_to_string(&mut text);
    let read = read.map_err(|error| Failure::failed(format!("The text cannot be read: {error}.")))?;
    if read as u64 > LONGEST_BODY {
        return Err(Failure::new(Exit::Failed, "too_much", "The text is longer than 60,000 bytes.")
            .kept("Nothing was made."));
    }
    Ok(text.trim_end().to_owned())
}

fn sheet(context: &Context, pull: &PullRequest) -> String {
    let mut sheet = Sheet::new(context.printer.style);
    sheet.head(format!("#{} {} ({})", pull.number, plain(&pull.title), state(pull.state)));
    sheet.add("page", plain(&pull.url));
    sheet.add("into", plain(&pull.base));
    sheet.add("checks", checks(pull));
    sheet.add_all(
        "failed",
        pull.failed.iter().map(|check| match &check.url {
            Some(url) => format!("{}  {}", plain(&check.name), plain(url)),
            None => plain(&check.name),
        }),
    );
    sheet.add("review", pull.review.map(review).unwrap_or_default());
    sheet.add("mergeable", if pull.mergeable == Some(false) { "no: it conflicts" } else { "" });
    sheet.add_all("comments", pull.comments.iter().map(comment));
    sheet.text()
}

fn state(state: PullState) -> &'static str {
    match state {
        PullState::Draft => "draft",
        PullState::Open => "open",
        PullState::Merged => "merged",
        PullState::Closed => "closed",
    }
}

fn review(review: Review) -> &'static str {
    match review {
        Review::Required => "needed",
        Review::Approved => "approved",
        Review::ChangesRequested => "changes requested",
    }
}

fn checks(pull: &PullRequest) -> String {
    let counts = [
        (pull.failed.len(), "failed"),
        (pull.checks_pending as usize, "running"),
        (pull.checks_passed as usize, "passed"),
    ];
    let told = counts.iter().filter(|(count, _)| *count > 0).map(|(count, what)| format!("{count} {what}"));
    told.collect::<Vec<_>>().join(", ")
}

fn comment(comment: &ReviewComment) -> String {
    let ReviewComment { author, path, line, text } = comment;
    let place = match (path, line) {
        (Some(path), Some(line)) => format!(" at {}:{line}", plain(path)),
        (Some(path), None) => format!(" at {}", plain(path)),
        (None, _) => String::new(),
    };
    format!("{}{place}: {}", plain(author), brief(text, COMMENT))
}
