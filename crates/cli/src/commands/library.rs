//! `belfry import` and `belfry search`: the conversations of this machine.

use std::io::{IsTerminal as _, Write as _};
use std::path::Path;
use std::time::Duration;

use belfry_client::Connection;
use belfry_protocol::search::{Found, Hit, HitPlace, Indexing, List, Role, Search};
use belfry_protocol::transcript::Conversation;
use belfry_protocol::{Reply, Request};
use jiff::Timestamp;

use crate::args::{ImportArgs, Kind, SearchArgs};
use crate::context::{Context, unexpected};
use crate::failure::Failure;
use crate::print::{Color, Style, Table, ago, plain, short_path};

/// How often it is asked how far reading is.
const AGAIN: Duration = Duration::from_millis(100);
/// How long a search waits for what is new: looking for that takes a moment, reading it may take minutes.
const MOMENT: Duration = Duration::from_secs(3);

pub(super) async fn import(context: &Context, args: ImportArgs) -> Result<(), Failure> {
    let connection = context.connect().await?;
    if let Some(id) = args.hide.as_ref().or(args.show.as_ref()) {
        return hide(&connection, id, args.hide.is_some()).await;
    }
    let list = List {
        agents: args.which.agent,
        directory: args.which.dir.as_deref().map(absolute).transpose()?,
        text: Some(args.words.join(" ")),
        hidden: args.which.hidden,
        limit: args.limit,
        ..List::default()
    };
    let (conversations, total) = all(&connection, &list).await?;
    if context.printer.json {
        return Ok(crate::print::value(&conversations)?);
    }
    if conversations.is_empty() {
        return Ok(crate::print::line("No conversations.")?);
    }
    let home = &connection.welcome().home;
    for line in table(&conversations, home).lines(context.printer.style, crate::print::width()) {
        crate::print::line(&line)?;
    }
    if total > conversations.len() as u64 {
        crate::print::line(&format!("{} of {total}; --limit shows more.", conversations.len()))?;
    }
    Ok(())
}

/// All of them, once all is read. How far that is stands on the terminal meanwhile.
async fn all(connection: &Connection, list: &List) -> Result<(Vec<Conversation>, u64), Failure> {
    let shown = std::io::stderr().is_terminal();
    let mut tick = tokio::time::interval(AGAIN);
    loop {
        tick.tick().await;
        match connection.request(Request::ListConversations(Box::new(list.clone()))).await? {
            Reply::Conversations { indexing, .. } if indexing.busy => {
                if shown && indexing.total > 0 {
                    progress(indexing);
                }
            }
            Reply::Conversations { conversations, total, .. } => {
                if shown {
                    let _ = write!(std::io::stderr(), "\r\x1b[K");
                }
                return pages(connection, list, conversations, total).await;
            }
            other => return Err(unexpected(&other)),
        }
    }
}

fn progress(indexing: Indexing) {
    let _ = write!(std::io::stderr(), "\r\x1b[KRead {} of {}", indexing.done, indexing.total);
}

/// As many as are wanted: an answer has as many as fit in a message.
async fn pages(
    connection: &Connection,
    list: &List,
    mut all: Vec<Conversation>,
    total: u64,
) -> Result<(Vec<Conversation>, u64), Failure> {
    while (all.len() as u64) < total.min(u64::from(list.limit)) {
        let got = u32::try_from(all.len()).unwrap_or(u32::MAX);
        let next = List { skip: got, limit: list.limit - got, ..list.clone() };
        match connection.request(Request::ListConversations(Box::new(next))).await? {
            Reply::Conversations { conversations, .. } if conversations.is_empty() => break,
            Reply::Conversations { conversations, .. } => all.extend(conversations),
            other => return Err(unexpected(&other)),
        }
    }
    Ok((all, total))
}

async fn hide(connection: &Connection, id: &str, hidden: bool) -> Result<(), Failure> {
    let list = List { hidden: true, limit: u32::MAX, ..List::default() };
    let (conversations, _) = all(connection, &list).await?;
    let mut fitting = conversations.iter().filter(|conversation| conversation.id.starts_with(id));
    let (one, other) = (fitting.next(), fitting.next());
    let (Some(one), None) = (one, other) else {
        let what = if other.is_some() { "several conversations have" } else { "no conversation has" };
        return Err(Failure::failed(format!("{what} an id that begins with `{}`.", plain(id))));
    };
    let request = Request::HideConversation { agent: one.agent.clone(), id: one.id.clone(), hidden };
    match connection.request(request).await? {
        Reply::Done => Ok(()),
        other => Err(unexpected(&other)),
    }
}

/// The daemon has another working directory.
fn absolute(directory: &Path) -> Result<String, Failure> {
    let absolute = std::path::absolute(directory).map_err(|error| Failure::failed(error.to_string()))?;
    Ok(absolute.to_string_lossy().into_owned())
}

const TITLE: usize = 3;
const DIRECTORY: usize = 4;

fn table(conversations: &[Conversation], home: &str) -> Table {
    let head = ["AGENT", "LAST", "PROMPTS", "TITLE", "DIRECTORY", "CONVERSATION"];
    let mut table = Table::new(&head, &[(TITLE, 24), (DIRECTORY, 14)]).spare(DIRECTORY);
    let now = Timestamp::now();
    for conversation in conversations {
        let mut title = plain(&conversation.title);
        for (mark, is) in [("hidden", conversation.hidden), ("goes on", conversation.live.is_some())] {
            if is {
                title = format!("{title} ({mark})");
            }
        }
        table.row(vec![
            (plain(&conversation.agent), None),
            (ago(conversation.updated_at, now), Some(Color::Faint)),
            (conversation.prompts.to_string(), None),
            (title, Some(Color::Bold)),
            (short_path(conversation.cwd.as_deref().unwrap_or_default(), home), None),
            (plain(&conversation.id), Some(Color::Faint)),
        ]);
    }
    table
}

pub(super) async fn search(context: &Context, args: SearchArgs) -> Result<(), Failure> {
    let connection = context.connect().await?;
    let search = Search {
        text: args.words.join(" "),
        agents: args.which.agent,
        directory: args.which.dir.as_deref().map(absolute).transpose()?,
        roles: args.only.into_iter().map(role).collect(),
        scrollback: true,
        file: args.file,
        hidden: args.which.hidden,
        limit: args.limit,
        ..Search::default()
    };
    let (found, indexing) = hits(&connection, &search).await?;
    if context.printer.json {
        return Ok(crate::print::value(&found)?);
    }
    let home = &connection.welcome().home;
    let now = Timestamp::now();
    for hit in &found.hits {
        for line in lines(hit, home, context.printer.style, now) {
            crate::print::line(&line)?;
        }
    }
    if found.hits.is_empty() {
        crate::print::line("Nothing was found.")?;
    } else if found.total > found.hits.len() as u64 {
        crate::print::line(&format!("{} of {}; --limit shows more.", found.hits.len(), found.total))?;
    }
    if indexing.busy {
        let (done, total) = (indexing.done, indexing.total);
        crate::print::line(&format!(
            "Only {done} of {total} conversations and terminals have been read so far."
        ))?;
    }
    Ok(())
}

async fn hits(connection: &Connection, search: &Search) -> Result<(Found, Indexing), Failure> {
    let asked = async {
        let mut tick = tokio::time::interval(AGAIN);
        loop {
            tick.tick().await;
            let (found, indexing) = once(connection, search).await?;
            if !indexing.busy {
                return Ok::<_, Failure>((found, indexing));
            }
        }
    };
    match tokio::time::timeout(MOMENT, asked).await {
        Ok(found) => found,
        Err(_) => once(connection, search).await,
    }
}

async fn once(connection: &Connection, search: &Search) -> Result<(Found, Indexing), Failure> {
    match connection.request(Request::SearchText(Box::new(search.clone()))).await? {
        Reply::Hits { found, indexing } => Ok((*found, indexing)),
        other => Err(unexpected(&other)),
    }
}

fn lines(hit: &Hit, home: &str, style: Style, now: Timestamp) -> [String; 2] {
    let (name, agent, cwd, id) = match &hit.place {
        HitPlace::Entry { conversation, .. } => {
            let cwd = conversation.cwd.as_deref().unwrap_or_default();
            (&conversation.title, &conversation.agent, cwd, conversation.id.clone())
        }
        HitPlace::Line { line } => (&line.name, &line.agent, line.cwd.as_str(), line.session.to_string()),
    };
    let head =
        format!("{}  {}  {}", style.paint(&plain(name), Color::Bold), plain(agent), short_path(cwd, home));
    let id = style.paint(&plain(&id), Color::Faint);
    let text: String = hit
        .text
        .iter()
        .map(|piece| {
            let text = plain(&piece.text);
            if piece.marked { style.paint(&text, Color::Bold) } else { text }
        })
        .collect();
    let more = if hit.more > 0 { format!(" ({} more in it)", hit.more) } else { String::new() };
    let what = format!("{} {}", word(hit.role), ago(hit.at, now));
    [format!("{head}  {id}"), format!("   {}  {text}{more}", style.paint(&what, Color::Faint))]
}

fn word(role: Role) -> &'static str {
    match role {
        Role::Title => "title",
        Role::Prompt => "asked",
        Role::Answer => "answered",
        Role::Thought => "thought",
        Role::Tool => "tool",
        Role::Result => "result",
        Role::Scrollback => "shown",
    }
}

fn role(kind: Kind) -> Role {
    match kind {
        Kind::Title => Role::Title,
        Kind::Prompt => Role::Prompt,
        Kind::Answer => Role::Answer,
        Kind::Thought => Role::Thought,
        Kind::Tool => Role::Tool,
        Kind::Result => Role::Result,
        Kind::Shown => Role::Scrollback,
    }
}
