//! `belfry new`.

use std::io::Read;
use std::path::{Path, PathBuf};

use belfry_protocol::launch::{EnvVar, NewSession};
use belfry_protocol::session::{Project, WorkspaceKind};
use belfry_protocol::{ErrorCode, Request};

use super::place;
use crate::args::NewArgs;
use crate::context::Context;
use crate::failure::Failure;
use crate::print::plain;

/// A prompt that is longer is most likely the wrong file.
const LONGEST_PROMPT: u64 = 512 * 1024;

pub(crate) async fn run(context: &Context, args: NewArgs) -> Result<(), Failure> {
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
    let project = place.project.clone();
    let begins = place.project.as_ref().map(|project| project.defaults.clone()).unwrap_or_default();
    let agent = args.agent.or(begins.agent.clone()).unwrap_or_else(|| "shell".to_owned());
    // A shell has no model, and would run a prompt as a command; a model is one of an agent's own.
    let same = begins.agent.as_ref().is_none_or(|other| *other == agent);
    let model = begins.model.filter(|_| same && agent != "shell");
    // What is given empty takes away what the project begins with.
    let prompt =
        prompt.or(begins.prompt.filter(|_| agent != "shell")).filter(|prompt| !prompt.trim().is_empty());
    let model = args.model.or(model).filter(|model| !model.trim().is_empty());
    let given = args.worktree.is_some() || args.clone || args.scratch;
    let workspace = match (&args.worktree, args.clone, args.scratch) {
        (Some(_), ..) => WorkspaceKind::Worktree,
        (None, true, _) => WorkspaceKind::Clone,
        (None, false, true) => WorkspaceKind::Scratch,
        (None, false, false) => begins.workspace.unwrap_or_default(),
    };
    let new = NewSession {
        agent,
        cwd: Some(cwd),
        name: args.name,
        project: place.project_id(),
        group: place.group,
        workspace,
        branch: args.worktree,
        model,
        system_prompt: args.system_prompt.filter(|text| !text.trim().is_empty()),
        prompt,
        args: args.args,
        env: args.env,
        base_env: Some(own_environment()),
        size: args.size,
        private: args.private,
        started_by: None,
        ..NewSession::default()
    };
    let started = context.ask_session(Request::NewSession(Box::new(new))).await;
    let session = started.map_err(|failure| match project {
        // Nobody asked for it just now, and the project may be from another version.
        Some(project) if failure.is(ErrorCode::Unsupported) && !given => failure.next(format!(
            "The project begins with it: `belfry project set {} --workspace directory` changes that.",
            place::quoted(&plain(&project.name))
        )),
        _ => failure,
    })?;
    Ok(context.printer.session(&session, |session| session.id.to_string())?)
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
