//! `belfry new`.

mod prepared;

use std::io::Read;
use std::path::{Path, PathBuf};

use belfry_protocol::launch::{EnvVar, NewSession};
use belfry_protocol::session::{Project, WorkspaceKind};
use belfry_protocol::workspace::WorkspaceRequest;
use belfry_protocol::{Reply, Request};

use super::place;
use crate::args::NewArgs;
use crate::context::{Context, unexpected};
use crate::failure::Failure;

/// A prompt that is longer is most likely the wrong file.
const LONGEST_PROMPT: u64 = 512 * 1024;

pub(crate) async fn run(context: &Context, args: NewArgs) -> Result<(), Failure> {
    let given = given_kind(&args);
    let prompt = match (args.prompt, args.prompt_file) {
        (Some(prompt), _) => Some(prompt),
        (None, Some(file)) => Some(read_prompt(&file)?),
        (None, None) => None,
    };
    let place = place::find(context, args.project.as_deref(), args.group.as_deref()).await?;
    let cwd = match &place.project {
        Some(project) if args.cwd.is_none() => in_project(project)?,
        _ => directory(args.cwd.as_deref())?,
    };
    let begins = place.project.as_ref().map(|project| project.defaults.clone()).unwrap_or_default();
    let agent = args.agent.or(begins.agent.clone()).unwrap_or_else(|| "shell".to_owned());
    // A shell has no model, and would run a prompt as a command; a model is one of an agent's own.
    let same = begins.agent.as_ref().is_none_or(|other| *other == agent);
    let model = begins.model.filter(|_| same && agent != "shell");
    // What is given empty takes away what the project begins with.
    let prompt =
        prompt.or(begins.prompt.filter(|_| agent != "shell")).filter(|prompt| !prompt.trim().is_empty());
    let model = args.model.or(model).filter(|model| !model.trim().is_empty());
    let workspace = match given {
        Some(kind) => kind,
        // What has no agent in it trips over nobody.
        None if agent == "shell" => begins.workspace.unwrap_or_default(),
        None => match begins.workspace {
            Some(kind) => kind,
            None => usual_kind(context, &cwd).await?,
        },
    };
    let branch = args.worktree.or(args.clone).filter(|name| !name.is_empty());
    let plain_one = branch.is_none() && args.base.is_none() && args.pr.is_none();
    let new = NewSession {
        agent,
        cwd: Some(cwd),
        name: args.name,
        project: place.project_id(),
        group: place.group,
        workspace,
        warm: plain_one && workspace != WorkspaceKind::Directory,
        branch,
        base: args.base,
        pull_request: args.pr,
        model,
        system_prompt: args.system_prompt.filter(|text| !text.trim().is_empty()),
        prompt,
        args: args.args,
        env: args.env,
        base_env: Some(own_environment()),
        size: args.size,
        private: args.private,
        started_by: None,
    };
    let session = context.ask_session(Request::NewSession(Box::new(new))).await?;
    let session = prepared::wait(context, session).await?;
    Ok(context.printer.session(&session, |session| session.id.to_string())?)
}

/// How its directory is made, as far as the person says.
fn given_kind(args: &NewArgs) -> Option<WorkspaceKind> {
    if args.clone.is_some() {
        Some(WorkspaceKind::Clone)
    } else if args.worktree.is_some() || args.pr.is_some() || args.base.is_some() {
        Some(WorkspaceKind::Worktree)
    } else if args.scratch {
        Some(WorkspaceKind::Scratch)
    } else {
        args.directory.then_some(WorkspaceKind::Directory)
    }
}

/// As the settings say, where that can be: a directory of no repository is worked in as it is.
async fn usual_kind(context: &Context, cwd: &str) -> Result<WorkspaceKind, Failure> {
    let kind = match context.ask(Request::GetSettings).await? {
        Reply::Settings(state) => state.settings.workspaces.kind,
        other => return Err(unexpected(&other)),
    };
    if !matches!(kind, WorkspaceKind::Worktree | WorkspaceKind::Clone) {
        return Ok(kind);
    }
    let asked = WorkspaceRequest::Branches { directory: cwd.to_owned() };
    let fits = match context.ask(Request::Workspace(Box::new(asked))).await {
        Ok(Reply::Branches(branches)) => branches.repository.is_some() && branches.refused.is_none(),
        // The one that starts the session says what is wrong.
        _ => false,
    };
    Ok(if fits { kind } else { WorkspaceKind::Directory })
}

/// The environment of this process, which a new program starts from. Variables that are not UTF-8 stay behind.
pub(crate) fn own_environment() -> Vec<EnvVar> {
    std::env::vars_os()
        .filter_map(|(name, value)| {
            Some(EnvVar { name: name.into_string().ok()?, value: value.into_string().ok()? })
        })
        .collect()
}

/// Where the person is, where that is in the project; else the project's own directory.
fn in_project(project: &Project) -> Result<String, Failure> {
    let real = std::env::current_dir().and_then(std::fs::canonicalize);
    if real.is_ok_and(|here| here.starts_with(&project.path)) {
        return directory(None);
    }
    Ok(project.path.clone())
}

/// Absolute, but not resolved: a person who works under a symbolic link sees that path.
pub(super) fn directory(given: Option<&Path>) -> Result<String, Failure> {
    let given = given.unwrap_or(Path::new("."));
    let shell_s = || {
        // The shell's own idea of where it is keeps symbolic links; it counts only while it is the same directory.
        let pwd = PathBuf::from(std::env::var_os("PWD")?);
        let same = std::fs::canonicalize(&pwd).ok()? == std::env::current_dir().ok()?;
        (pwd.is_absolute() && same).then_some(pwd)
    };
    let absolute = if given.is_absolute() {
        given.to_owned()
    } else {
        let here = match shell_s() {
            Some(here) => here,
            None => std::env::current_dir().map_err(|error| {
                Failure::failed(format!("The current directory cannot be had: {error}."))
                    .next("Change to a directory that exists, or give one with --cwd.")
            })?,
        };
        if given == Path::new(".") { here } else { here.join(given) }
    };
    absolute.into_os_string().into_string().map_err(|path| {
        Failure::failed(format!("The directory {} has a name that is not UTF-8.", path.to_string_lossy()))
    })
}

fn read_prompt(file: &Path) -> Result<String, Failure> {
    let failed = |error: std::io::Error| {
        Failure::failed(format!("The prompt cannot be read from {}: {error}.", file.display()))
    };
    let mut text = String::new();
    let read = if file == Path::new("-") {
        std::io::stdin().lock().take(LONGEST_PROMPT + 1).read_to_string(&mut text)
    } else {
        std::fs::File::open(file).map_err(failed)?.take(LONGEST_PROMPT + 1).read_to_string(&mut text)
    };
    if read.map_err(failed)? as u64 > LONGEST_PROMPT {
        return Err(Failure::failed(format!("The prompt in {} is longer than 512 KB.", file.display())));
    }
    Ok(text.trim_end_matches('\n').to_owned())
}
