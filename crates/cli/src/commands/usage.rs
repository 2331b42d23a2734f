//! `belfry usage`: tokens, cost, and time, by session, project or day.

use std::time::Duration;

use belfry_client::Connection;
use belfry_protocol::transcript::Usage;
use belfry_protocol::usage::{ReadUsage, UsageBy, UsageReport, UsageRow};
use belfry_protocol::{Reply, Request};

use crate::args::{By, UsageArgs};
use crate::context::{Context, unexpected};
use crate::failure::Failure;
use crate::print::{Color, Table, plain, span};

/// How often a daemon that still reads is asked again.
const AGAIN: Duration = Duration::from_millis(300);

/// How long it is waited for before what is known so far is shown: the first reading of all there is takes minutes.
const PATIENCE: Duration = Duration::from_secs(10);

pub(crate) async fn run(context: &Context, args: UsageArgs) -> Result<(), Failure> {
    let by = match args.by {
        By::Session => UsageBy::Session,
        By::Project => UsageBy::Project,
        By::Day => UsageBy::Day,
    };
    let connection = context.connect().await?;
    let wanted = ReadUsage { by, since: args.since, before: None };
    let report = report(&connection, &wanted).await?;
    if context.printer.json {
        return Ok(crate::print::value(&report)?);
    }
    if report.rows.is_empty() {
        crate::print::line("Nothing was used.")?;
    } else {
        for line in table(&report, args.by).lines(context.printer.style, crate::print::width()) {
            crate::print::line(&line)?;
        }
    }
    if report.indexing.busy {
        let (done, total) = (report.indexing.done, report.indexing.total);
        crate::print::line(&format!(
            "{done} of {total} conversations were read so far; the rest is being read."
        ))?;
    }
    Ok(())
}

async fn report(connection: &Connection, wanted: &ReadUsage) -> Result<UsageReport, Failure> {
    let deadline = tokio::time::Instant::now() + PATIENCE;
    loop {
        let report = match connection.request(Request::ReadUsage(Box::new(wanted.clone()))).await? {
            Reply::Usage(report) => *report,
            other => return Err(unexpected(&other)),
        };
        if !report.indexing.busy || tokio::time::Instant::now() >= deadline {
            return Ok(report);
        }
        tokio::time::sleep(AGAIN).await;
    }
}

fn table(report: &UsageReport, by: By) -> Table {
    let head = match by {
        By::Session => "SESSION",
        By::Project => "PROJECT",
        By::Day => "DAY",
    };
    let head = [head, "IN", "OUT", "CACHED", "COST", "AT WORK", "WAITING"];
    let mut table = Table::new(&head, &[(0, 16)]);
    for row in &report.rows {
        table.row(cells(&name(row, by), &row.usage, (row.working_ms, row.waiting_ms), None));
    }
    if report.rows.len() > 1 {
        let mut all = Usage::default();
        let (mut working, mut waiting) = (0, 0);
        for UsageRow { usage, working_ms, waiting_ms, .. } in &report.rows {
            all.input += usage.input;
            all.output += usage.output;
            all.cache_read += usage.cache_read;
            all.cache_write += usage.cache_write;
            all.estimated |= usage.estimated;
            if let Some(cost) = usage.cost {
                all.cost = Some(all.cost.unwrap_or(0.0) + cost);
            }
            working += working_ms;
            waiting += waiting_ms;
        }
        table.row(cells("all", &all, (working, waiting), Some(Color::Faint)));
    }
    table
}

fn name(row: &UsageRow, by: By) -> String {
    match (by, row.session, row.project) {
        (By::Project, _, None) => "in no project".to_owned(),
        (By::Session, None, _) => format!("{}, in no session", plain(&row.name)),
        _ => plain(&row.name),
    }
}

fn cells(
    name: &str,
    usage: &Usage,
    (working, waiting): (u64, u64),
    color: Option<Color>,
) -> Vec<(String, Option<Color>)> {
    let about = if usage.estimated { "~" } else { "" };
    let count =
        |tokens: u64| if tokens == 0 { String::new() } else { format!("{about}{}", tokens_short(tokens)) };
    let time = |ms: u64| if ms == 0 { String::new() } else { time_short(ms) };
    let texts = [
        name.to_owned(),
        count(usage.input + usage.cache_write),
        count(usage.output),
        count(usage.cache_read),
        usage.cost.map(|cost| format!("{about}${cost:.2}")).unwrap_or_default(),
        time(working),
        time(waiting),
    ];
    texts.into_iter().map(|text| (text, color)).collect()
}

/// Hours are added up here, so that their minutes count.
fn time_short(ms: u64) -> String {
    let minutes = ms / 60_000;
    if minutes < 60 { span(ms) } else { format!("{} h {} min", minutes / 60, minutes % 60) }
}

fn tokens_short(tokens: u64) -> String {
    match tokens {
        0..10_000 => tokens.to_string(),
        10_000..1_000_000 => format!("{} k", (tokens + 500) / 1000),
        _ => format!("{:.1} M", tokens as f64 / 1e6),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_short_and_guesses_are_marked() {
        assert_eq!(tokens_short(9_999), "9999");
        assert_eq!(tokens_short(12_600), "13 k");
        assert_eq!(tokens_short(3_140_000), "3.1 M");
        let usage = Usage { input: 5, estimated: true, cost: Some(0.126), ..Usage::default() };
        let cells = cells("x", &usage, (61_000, 0), None);
        let texts: Vec<&str> = cells.iter().map(|(text, _)| text.as_str()).collect();
        assert_eq!(texts[..5], ["x", "~5", "", "", "~$0.13"]);
        assert_eq!(texts[6], "");
    }
}
