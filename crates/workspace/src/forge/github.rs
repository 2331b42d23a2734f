//! GitHub, by `gh api`: one GraphQL call says all that is wanted of many branches.

use std::fmt::Write as _;

use belfry_protocol::pull_request::{MergeHow, PullRequest, PullState, Review, ReviewComment};
use jiff::Timestamp;
use serde_json::{Value, json};

use super::error::ForgeError;
use super::read::{Checks, block, branch, date, line, own_page};
use super::tool::{Tool, Tools};
use super::{Depth, Forge, Found, Looked, New};

/// What a row shows. `contexts` gives at most 100 in one answer.
const PULL: &str = "fragment P on PullRequest{number url title state isDraft baseRefName reviewDecision mergeable closedAt \
     isCrossRepository headRepositoryOwner{login} commits(last:1){nodes{commit{statusCheckRollup{contexts(first:100){nodes{\
     __typename ...on CheckRun{name status conclusion detailsUrl} ...on StatusContext{context state targetUrl}}}}}}}\
     THREADS}";

/// What reviewers wrote: threads that are not settled, and what they said beside.
const THREADS: &str = " latestReviews(first:20){nodes{author{login} state body}} \
     reviewThreads(first:60){nodes{isResolved path line originalLine comments(first:10){nodes{author{login} body}}}}";

/// Most comments, and most characters of one; [`PullRequest::comments`] says so.
pub(super) const MOST_COMMENTS: usize = 100;
pub(super) const LONGEST_COMMENT: usize = 4000;

pub(super) fn look(
    forge: &Forge,
    tools: &Tools,
    branches: &[String],
    depth: Depth,
    now: Timestamp,
) -> Result<Looked, ForgeError> {
    let (owner, name) = forge.path.split_once('/').unwrap_or_default();
    let mut variables = json!({ "owner": owner, "name": name });
    let (mut declared, mut asked) = (String::new(), String::new());
    for (at, branch) in branches.iter().enumerate() {
        variables[format!("h{at}")] = json!(branch);
        let _ = write!(declared, ",$h{at}:String!");
        let _ = write!(
            asked,
            " b{at}:pullRequests(headRefName:$h{at},first:5,orderBy:{{field:CREATED_AT,direction:DESC}}){{nodes{{...P}}}}"
        );
    }
    let pull = match (branches.is_empty(), depth) {
        (true, _) => String::new(),
        (false, Depth::Row) => PULL.replace("THREADS", ""),
        (false, Depth::Full) => PULL.replace("THREADS", THREADS),
    };
    // A fork's pull requests are in what it is a fork of.
    let query = format!(
        "query($owner:String!,$name:String!{declared}){{repository(owner:$owner,name:$name){{...R parent{{...R}}}}}} \
         fragment R on Repository{{nameWithOwner defaultBranchRef{{name}}{asked}}} {pull}"
    );
    let answer = graphql(forge, tools, &json!({ "query": query, "variables": variables }))?;
    let repository = &answer["data"]["repository"];
    if repository.is_null() {
        return Err(ForgeError::NotFound { host: forge.host.clone() });
    }
    let parent = &repository["parent"];
    let found = (0..branches.len()).map(|at| {
        let nodes = |of: &Value| of[format!("b{at}")]["nodes"].as_array().cloned().unwrap_or_default();
        let all = [nodes(parent), nodes(repository)].concat();
        let ours: Vec<&Value> = all.iter().filter(|node| is_ours(node, owner)).collect();
        // An open one, else the newest.
        let open = ours.iter().find(|node| node["state"] == "OPEN").or_else(|| ours.first());
        open.and_then(|node| pull_of(forge, node, now))
    });
    let base = if parent.is_null() { repository } else { parent };
    Ok(Looked {
        found: found.collect(),
        default_branch: branch(&base["defaultBranchRef"]["name"]),
        parent: parent["nameWithOwner"].as_str().filter(|path| is_path(path)).map(str::to_owned),
    })
}

/// Others' forks have branches of the same name.
fn is_ours(node: &Value, owner: &str) -> bool {
    match node["headRepositoryOwner"]["login"].as_str() {
        Some(login) => login.eq_ignore_ascii_case(owner),
        None => node["isCrossRepository"] != json!(true),
    }
}

fn is_path(path: &str) -> bool {
    super::Remote::read(&format!("https://github.com/{path}")).is_some()
}

fn pull_of(forge: &Forge, node: &Value, now: Timestamp) -> Option<Found> {
    let state = match node["state"].as_str()? {
        "MERGED" => PullState::Merged,
        "CLOSED" => PullState::Closed,
        _ if node["isDraft"] == json!(true) => PullState::Draft,
        _ => PullState::Open,
    };
    let checks = checks(&node["commits"]["nodes"][0]["commit"]["statusCheckRollup"]["contexts"]["nodes"]);
    let pull = PullRequest {
        number: node["number"].as_u64()?,
        url: own_page(forge, &node["url"])?,
        title: line(node["title"].as_str()?, 300),
        state,
        base: branch(&node["baseRefName"]).unwrap_or_default(),
        checks_passed: checks.passed,
        checks_pending: checks.pending,
        failed: checks.failed,
        review: match node["reviewDecision"].as_str() {
            Some("APPROVED") => Some(Review::Approved),
            Some("CHANGES_REQUESTED") => Some(Review::ChangesRequested),
            Some("REVIEW_REQUIRED") => Some(Review::Required),
            _ => None,
        },
        comments: comments(node),
        mergeable: match node["mergeable"].as_str() {
            Some("MERGEABLE") => Some(true),
            Some("CONFLICTING") => Some(false),
            _ => None,
        },
        fetched_at: now,
    };
    Some(Found { pull, ended_at: date(&node["closedAt"]) })
}

fn checks(nodes: &Value) -> Checks {
    let mut checks = Checks::default();
    for node in nodes.as_array().into_iter().flatten() {
        if node["__typename"] == "StatusContext" {
            match node["state"].as_str() {
                Some("SUCCESS") => checks.passed += 1,
                Some("FAILURE" | "ERROR") => {
                    checks.fails(node["context"].as_str().unwrap_or("check"), &node["targetUrl"]);
                }
                _ => checks.pending += 1,
            }
            continue;
        }
        match (node["status"].as_str(), node["conclusion"].as_str()) {
            (Some("COMPLETED"), Some("SUCCESS" | "NEUTRAL" | "SKIPPED")) => checks.passed += 1,
            (Some("COMPLETED"), Some("STALE")) => checks.pending += 1,
            (Some("COMPLETED"), _) => {
                checks.fails(node["name"].as_str().unwrap_or("check"), &node["detailsUrl"]);
            }
            _ => checks.pending += 1,
        }
    }
    checks
}

fn comments(node: &Value) -> Vec<ReviewComment> {
    let list = |value: &Value| value["nodes"].as_array().cloned().unwrap_or_default();
    let comment = |of: &Value, path: Option<String>, at: Option<u32>| {
        let text = block(of["body"].as_str()?, LONGEST_COMMENT);
        let author = line(of["author"]["login"].as_str().unwrap_or("somebody"), 80);
        (!text.is_empty()).then_some(ReviewComment { author, path, line: at, text })
    };
    let mut all = Vec::new();
    for review in list(&node["latestReviews"]) {
        if matches!(review["state"].as_str(), Some("CHANGES_REQUESTED" | "COMMENTED")) {
            all.extend(comment(&review, None, None));
        }
    }
    for thread in list(&node["reviewThreads"]) {
        if thread["isResolved"] == json!(true) {
            continue;
        }
        let path = thread["path"].as_str().map(|path| line(path, 300));
        let at = thread["line"].as_u64().or_else(|| thread["originalLine"].as_u64());
        let at = at.and_then(|at| u32::try_from(at).ok());
        all.extend(list(&thread["comments"]).iter().filter_map(|one| comment(one, path.clone(), at)));
    }
    all.truncate(MOST_COMMENTS);
    all
}

fn graphql(forge: &Forge, tools: &Tools, body: &Value) -> Result<Value, ForgeError> {
    let args = ["api", "graphql", "--hostname", &forge.host, "--input", "-"];
    let answer = json_of(&tools.run(Tool::Gh, &forge.host, &args, Some(body.to_string().into_bytes()))?)?;
    // Some of it may be there with an error beside it, such as a check that the person may not see.
    if answer["data"]["repository"].is_null()
        && let Some(error) = answer["errors"][0]["message"].as_str()
    {
        return Err(match answer["errors"][0]["type"].as_str() {
            Some("NOT_FOUND") => ForgeError::NotFound { host: forge.host.clone() },
            Some("RATE_LIMITED") => ForgeError::Limited { host: forge.host.clone() },
            _ => ForgeError::Refused(line(error, 600)),
        });
    }
    Ok(answer)
}

fn json_of(bytes: &[u8]) -> Result<Value, ForgeError> {
    serde_json::from_slice(bytes)
        .map_err(|_| ForgeError::Garbled { tool: Tool::Gh, what: "it is no JSON".to_owned() })
}

pub(super) fn create(
    forge: &Forge,
    tools: &Tools,
    parent: Option<&str>,
    new: New<'_>,
    now: Timestamp,
) -> Result<PullRequest, ForgeError> {
    let head = if parent.is_some() { format!("{}:{}", forge.owner(), new.head) } else { new.head.to_owned() };
    let body = json!({
        "title": new.title, "head": head, "base": new.base, "body": new.body, "draft": new.draft,
    });
    let endpoint = format!("repos/{}/pulls", parent.unwrap_or(&forge.path));
    let args = ["api", &endpoint, "--hostname", &forge.host, "--method", "POST", "--input", "-"];
    let answer = json_of(&tools.run(Tool::Gh, &forge.host, &args, Some(body.to_string().into_bytes()))?)?;
    let garbled = |what: &str| ForgeError::Garbled { tool: Tool::Gh, what: format!("it has no {what}") };
    Ok(PullRequest {
        number: answer["number"].as_u64().ok_or_else(|| garbled("number"))?,
        url: own_page(forge, &answer["html_url"]).ok_or_else(|| garbled("address of its own"))?,
        title: line(answer["title"].as_str().unwrap_or(new.title), 300),
        state: if answer["draft"] == json!(true) { PullState::Draft } else { PullState::Open },
        base: branch(&answer["base"]["ref"]).unwrap_or_else(|| new.base.to_owned()),
        checks_passed: 0,
        checks_pending: 0,
        failed: Vec::new(),
        review: None,
        comments: Vec::new(),
        mergeable: None,
        fetched_at: now,
    })
}

/// By its address, which says where it is; `gh` then looks at no repository of this machine.
pub(super) fn merge(forge: &Forge, tools: &Tools, url: &str, how: MergeHow) -> Result<(), ForgeError> {
    let how = match how {
        MergeHow::Merge => "--merge",
        MergeHow::Squash => "--squash",
        MergeHow::Rebase => "--rebase",
    };
    let url = own_page(forge, &json!(url))
        .ok_or_else(|| ForgeError::Refused("the pull request is at another forge".to_owned()))?;
    tools.run(Tool::Gh, &forge.host, &["pr", "merge", how, &url], None).map(drop)
}

/// `https://HOST/OWNER/NAME/actions/runs/RUN/job/JOB`.
pub(super) fn log(forge: &Forge, tools: &Tools, check: &str) -> Option<Result<String, ForgeError>> {
    let rest = check.strip_prefix("https://")?.strip_prefix(forge.host.as_str())?.strip_prefix('/')?;
    let (path, run) = rest.split_once("/actions/runs/")?;
    let job = run.split_once("/job/")?.1.split(['?', '#', '/']).next()?;
    if !is_path(path) || job.is_empty() || !job.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    let repository = format!("{}/{path}", forge.host);
    let args = ["run", "view", "--job", job, "--log-failed", "--repo", &repository];
    let log = tools.run(Tool::Gh, &forge.host, &args, None);
    Some(log.map(|log| {
        let log = String::from_utf8_lossy(&log);
        // `job<TAB>step<TAB>time text`: only the text tells something new.
        let text = log.lines().map(|line| {
            let text = line.splitn(3, '\t').nth(2).unwrap_or(line).trim_start_matches('\u{feff}');
            match text.split_once(' ') {
                Some((time, text)) if time.len() >= 20 && time.ends_with('Z') => text,
                _ => text,
            }
        });
        text.collect::<Vec<_>>().join("\n")
    }))
}
