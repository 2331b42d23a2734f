//! GitLab, by `glab api`: one GraphQL call says all that is wanted of many branches.
//!
//! Only fields that every edition has are asked for: one that is not known makes the whole answer empty. A query may cost 300
//! points, so what reviewers wrote is asked for of one branch at a time.

use belfry_protocol::pull_request::{MergeHow, PullRequest, PullState, Review, ReviewComment};
use jiff::Timestamp;
use serde_json::{Value, json};

use super::error::ForgeError;
use super::github::{LONGEST_COMMENT, MOST_COMMENTS};
use super::pages::encoded;
use super::read::{Checks, block, branch, date, line, own_page};
use super::tool::{Tool, Tools};
use super::{Depth, Forge, Found, Looked, New};

const ROW: &str = "iid webUrl title state draft sourceBranch targetBranch conflicts detailedMergeStatus mergedAt \
     approvedBy{nodes{username}} headPipeline{status jobs(first:50){nodes{name status webPath allowFailure}}}";

const THREADS: &str = " discussions(first:60){nodes{resolvable resolved notes(first:10){nodes{system body \
     author{username} position{filePath newLine oldLine}}}}}";

pub(super) fn look(
    forge: &Forge,
    tools: &Tools,
    branches: &[String],
    depth: Depth,
    now: Timestamp,
) -> Result<Looked, ForgeError> {
    let threads = if depth == Depth::Full && branches.len() == 1 { THREADS } else { "" };
    let asked = if branches.is_empty() {
        String::new()
    } else {
        format!(
            "mergeRequests(sourceBranches:$branches,sort:CREATED_DESC,first:50){{nodes{{{ROW}{threads}}}}}"
        )
    };
    let declared = if branches.is_empty() { "" } else { ",$branches:[String!]" };
    let query =
        format!("query($path:ID!{declared}){{project(fullPath:$path){{repository{{rootRef}} {asked}}}}}");
    let variables = json!({ "path": forge.path, "branches": branches });
    let body = json!({ "query": query, "variables": variables }).to_string();
    let answer = call(forge, tools, "graphql", "POST", Some(body))?;
    let project = &answer["data"]["project"];
    if project.is_null() {
        return Err(match answer["errors"][0]["message"].as_str() {
            Some(said) => ForgeError::Refused(line(said, 600)),
            None => ForgeError::NotFound { host: forge.host.clone() },
        });
    }
    let nodes = project["mergeRequests"]["nodes"].as_array().cloned().unwrap_or_default();
    let found = branches.iter().map(|wanted| {
        let ours: Vec<&Value> = nodes.iter().filter(|node| node["sourceBranch"] == json!(wanted)).collect();
        let open = ours.iter().find(|node| matches!(node["state"].as_str(), Some("opened" | "locked")));
        open.or_else(|| ours.first()).and_then(|node| pull_of(forge, node, now))
    });
    Ok(Looked {
        found: found.collect(),
        default_branch: branch(&project["repository"]["rootRef"]),
        parent: None,
    })
}

fn pull_of(forge: &Forge, node: &Value, now: Timestamp) -> Option<Found> {
    let state = match node["state"].as_str()? {
        "merged" => PullState::Merged,
        "closed" => PullState::Closed,
        _ if node["draft"] == json!(true) => PullState::Draft,
        _ => PullState::Open,
    };
    let checks = checks(forge, &node["headPipeline"]);
    let status = node["detailedMergeStatus"].as_str().unwrap_or_default();
    let approved = node["approvedBy"]["nodes"].as_array().is_some_and(|all| !all.is_empty());
    let review = match status {
        "REQUESTED_CHANGES" => Some(Review::ChangesRequested),
        "NOT_APPROVED" => Some(Review::Required),
        _ if approved => Some(Review::Approved),
        _ => None,
    };
    let mergeable = match status {
        _ if node["conflicts"] == json!(true) => Some(false),
        "MERGEABLE" => Some(true),
        "CONFLICT" | "NEED_REBASE" => Some(false),
        _ => None,
    };
    let pull = PullRequest {
        number: number(&node["iid"])?,
        url: own_page(forge, &node["webUrl"])?,
        title: line(node["title"].as_str()?, 300),
        state,
        base: branch(&node["targetBranch"]).unwrap_or_default(),
        checks_passed: checks.passed,
        checks_pending: checks.pending,
        failed: checks.failed,
        review,
        comments: comments(&node["discussions"]),
        mergeable,
        fetched_at: now,
    };
    // When one was closed is nowhere said; a closed one is only shown where it was known as open.
    Some(Found { pull, ended_at: date(&node["mergedAt"]) })
}

/// GraphQL has it as a text, the rest of the API as a number.
fn number(value: &Value) -> Option<u64> {
    value.as_u64().or_else(|| value.as_str()?.parse().ok())
}

fn checks(forge: &Forge, pipeline: &Value) -> Checks {
    let mut checks = Checks::default();
    for job in pipeline["jobs"]["nodes"].as_array().into_iter().flatten() {
        match job["status"].as_str() {
            Some("FAILED" | "CANCELED") if job["allowFailure"] == json!(true) => checks.passed += 1,
            Some("FAILED" | "CANCELED") => {
                let path = job["webPath"].as_str().unwrap_or_default();
                let url = json!(format!("https://{}{path}", forge.host));
                checks.fails(job["name"].as_str().unwrap_or("job"), &url);
            }
            Some("SUCCESS" | "SKIPPED" | "MANUAL") => checks.passed += 1,
            _ => checks.pending += 1,
        }
    }
    checks
}

fn comments(discussions: &Value) -> Vec<ReviewComment> {
    let mut all = Vec::new();
    for thread in discussions["nodes"].as_array().into_iter().flatten() {
        if thread["resolvable"] != json!(true) || thread["resolved"] == json!(true) {
            continue;
        }
        for note in thread["notes"]["nodes"].as_array().into_iter().flatten() {
            let text = block(note["body"].as_str().unwrap_or_default(), LONGEST_COMMENT);
            if note["system"] == json!(true) || text.is_empty() {
                continue;
            }
            let at = note["position"]["newLine"].as_u64().or_else(|| note["position"]["oldLine"].as_u64());
            all.push(ReviewComment {
                author: line(note["author"]["username"].as_str().unwrap_or("somebody"), 80),
                path: note["position"]["filePath"].as_str().map(|path| line(path, 300)),
                line: at.and_then(|at| u32::try_from(at).ok()),
                text,
            });
        }
    }
    all.truncate(MOST_COMMENTS);
    all
}

fn call(
    forge: &Forge,
    tools: &Tools,
    endpoint: &str,
    method: &str,
    body: Option<String>,
) -> Result<Value, ForgeError> {
    let mut args = vec!["api", endpoint, "--hostname", &forge.host, "--method", method];
    if body.is_some() {
        args.extend(["--header", "Content-Type: application/json", "--input", "-"]);
    }
    let answer = tools.run(Tool::Glab, &forge.host, &args, body.map(String::into_bytes))?;
    serde_json::from_slice(&answer)
        .map_err(|_| ForgeError::Garbled { tool: Tool::Glab, what: "it is no JSON".to_owned() })
}

pub(super) fn create(
    forge: &Forge,
    tools: &Tools,
    new: New<'_>,
    now: Timestamp,
) -> Result<PullRequest, ForgeError> {
    // GitLab knows a draft by its title.
    let title = if new.draft { format!("Draft: {}", new.title) } else { new.title.to_owned() };
    let body = json!({
        "source_branch": new.head, "target_branch": new.base, "title": title, "description": new.body,
    });
    let endpoint = format!("projects/{}/merge_requests", encoded(&forge.path, ""));
    let answer = call(forge, tools, &endpoint, "POST", Some(body.to_string()))?;
    let garbled = |what: &str| ForgeError::Garbled { tool: Tool::Glab, what: format!("it has no {what}") };
    Ok(PullRequest {
        number: number(&answer["iid"]).ok_or_else(|| garbled("number"))?,
        url: own_page(forge, &answer["web_url"]).ok_or_else(|| garbled("address of its own"))?,
        title: line(answer["title"].as_str().unwrap_or(&title), 300),
        state: if new.draft { PullState::Draft } else { PullState::Open },
        base: branch(&answer["target_branch"]).unwrap_or_else(|| new.base.to_owned()),
        checks_passed: 0,
        checks_pending: 0,
        failed: Vec::new(),
        review: None,
        comments: Vec::new(),
        mergeable: None,
        fetched_at: now,
    })
}

pub(super) fn merge(forge: &Forge, tools: &Tools, url: &str, how: MergeHow) -> Result<(), ForgeError> {
    let squash = match how {
        MergeHow::Merge => false,
        MergeHow::Squash => true,
        MergeHow::Rebase => {
            let why = "GitLab merges as the project says, and rebases only then; ask for a merge or a squash";
            return Err(ForgeError::Refused(why.to_owned()));
        }
    };
    let elsewhere = || ForgeError::Refused("the merge request is at another forge".to_owned());
    let url = own_page(forge, &json!(url)).ok_or_else(elsewhere)?;
    let rest = url.strip_prefix(&format!("https://{}/", forge.host)).ok_or_else(elsewhere)?;
    let (path, number) = rest.split_once("/-/merge_requests/").ok_or_else(elsewhere)?;
    let number: u64 = number.parse().map_err(|_| elsewhere())?;
    let endpoint = format!("projects/{}/merge_requests/{number}/merge", encoded(path, ""));
    call(forge, tools, &endpoint, "PUT", Some(json!({ "squash": squash }).to_string())).map(drop)
}

/// `https://HOST/GROUP/NAME/-/jobs/JOB`.
pub(super) fn log(forge: &Forge, tools: &Tools, check: &str) -> Option<Result<String, ForgeError>> {
    let rest = check.strip_prefix("https://")?.strip_prefix(forge.host.as_str())?.strip_prefix('/')?;
    let (path, job) = rest.split_once("/-/jobs/")?;
    let job: u64 = job.split(['?', '#', '/']).next()?.parse().ok()?;
    let endpoint = format!("projects/{}/jobs/{job}/trace", encoded(path, ""));
    let args = ["api", &endpoint, "--hostname", &forge.host];
    let log = tools.run(Tool::Glab, &forge.host, &args, None);
    Some(log.map(|log| String::from_utf8_lossy(&log).into_owned()))
}
