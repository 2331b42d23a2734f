//! `belfry answer`.

use belfry_client::Connection;
use belfry_protocol::ask::Ask;
use belfry_protocol::{ErrorCode, Request, Session};
use jiff::Timestamp;

use crate::args::AnswerArgs;
use crate::context::{Context, session};
use crate::failure::{Exit, Failure};
use crate::print::{Sheet, brief, choices, describe, doing, label, plain, shape};

pub(crate) async fn run(context: &Context, args: AnswerArgs) -> Result<(), Failure> {
    let AnswerArgs { which, choice, text, fingerprint } = args;
    if choice.is_none() && text.is_none() {
        return show(context, which.session).await;
    }
    let connection = context.connect().await?;
    let before = session(connection.request(Request::ShowSession { session: which.session }).await?)?;
    let Some(ask) = &before.ask else { return Err(no_question(&before)) };
    if let Some(choice) = &choice {
        known(ask, choice)?;
    }
    let request = Request::AnswerAsk {
        session: before.id.to_string(),
        choice: choice.clone(),
        text,
        // What was looked at here, unless the caller looked before.
        fingerprint: fingerprint.or_else(|| Some(ask.fingerprint.clone())),
    };
    match connection.request(request).await {
        Ok(reply) => {
            let after = session(reply)?;
            Ok(context.printer.session(&after, |after| answered(ask, choice.as_deref(), after))?)
        }
        Err(error) => Err(refused(&connection, &before, error.into()).await),
    }
}

/// Without an answer: the question, if there is one.
async fn show(context: &Context, wanted: String) -> Result<(), Failure> {
    let connection = context.connect().await?;
    let session = session(connection.request(Request::ShowSession { session: wanted }).await?)?;
    let Some(ask) = &session.ask else { return Err(no_question(&session)) };
    if context.printer.json {
        return Ok(crate::print::value(ask)?);
    }
    let style = context.printer.style;
    let mut sheet = Sheet::new(style);
    sheet.head(plain(&session.name));
    describe(&mut sheet, ask, style, Timestamp::now(), &format!("belfry answer {}", session.id));
    Ok(crate::print::line(&sheet.text())?)
}

fn no_question(session: &Session) -> Failure {
    let doing = doing(session);
    let now = if doing.is_empty() { String::new() } else { format!(", {doing}") };
    let text = format!("{} asks nothing; it is {}{now}.", plain(&session.name), shape(session).1);
    Failure::new(Exit::Refused, "no_question", text).kept("Nothing was typed.")
}

/// Only what is a choice is sent: a mistyped key is told with those that there are.
fn known(ask: &Ask, choice: &str) -> Result<(), Failure> {
    let is_one = |word: &str| ask.choices.iter().any(|one| one.key == word || one.label == word);
    let several = ask.choices.iter().any(|one| one.ticked.is_some()) && choice.contains(',');
    let all = || choice.split(',').map(str::trim).all(|word| word.is_empty() || is_one(word));
    if ask.choices.is_empty() || is_one(choice) || (several && all()) {
        return Ok(());
    }
    let words = " `--text TEXT` answers in words.";
    let keys: Vec<String> =
        ask.choices.iter().map(|one| format!("{} ({})", brief(&one.key, 8), brief(&one.label, 40))).collect();
    Err(Failure::usage(format!("`{}` is no choice of this question; nothing was typed.", brief(choice, 80)))
        .next(format!("Its choices: {}.{}", keys.join(", "), if ask.takes_text { words } else { "" })))
}

fn answered(ask: &Ask, choice: Option<&str>, after: &Session) -> String {
    let chosen =
        ask.choices.iter().find(|one| Some(one.key.as_str()) == choice || Some(one.label.as_str()) == choice);
    let what = match (chosen, choice) {
        (Some(one), _) => format!("“{}”", label(one)),
        // The question was drawn only after it was asked about.
        (None, Some(choice)) => format!("“{}”", brief(choice, 80)),
        (None, None) => "your text".to_owned(),
    };
    let doing = doing(after);
    let now = if doing.is_empty() { String::new() } else { format!(": {doing}") };
    format!("Answered with {what}. {} is {}{now}.", plain(&after.name), shape(after).1)
}

/// Why it was refused, and what the session shows now.
async fn refused(connection: &Connection, before: &Session, failure: Failure) -> Failure {
    let mut failure = failure;
    // That the question is gone is the same to whoever answers, whichever of us saw it first.
    if failure.is(ErrorCode::NotFound) {
        failure.exit = Exit::Refused;
    }
    if failure.exit != Exit::Refused || failure.is(ErrorCode::Forbidden) || failure.next.is_some() {
        return failure;
    }
    let show = Request::ShowSession { session: before.id.to_string() };
    let Ok(now) = connection.request(show).await.map_err(Failure::from).and_then(session) else {
        return failure;
    };
    let next = if let Some(ask) = &now.ask {
        let choices = choices(ask, crate::print::Style { on: false });
        let wants = doing(&now);
        format!("Now it wants: {}. Choices: {}.", wants.trim_end_matches('.'), choices.join("; "))
    } else {
        let now = format!("Now it is {} {}", shape(&now).1, doing(&now));
        now.trim_end_matches(['.', ' ']).to_owned() + "."
    };
    failure.next(next)
}
