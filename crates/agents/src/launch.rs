//! What the daemon gives an agent's module, and what it gets back.

use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use belfry_protocol::launch::NewSession;

use crate::hooks::{HOOK_FILE, HOOK_FILE_ENV};
use crate::rules::Rules;

/// How the name of every link begins.
pub(crate) const LINK_PREFIX: &str = "belfry-";

/// Everything that a launch depends on.
#[derive(Clone, Copy, Debug)]
pub struct LaunchInput<'a> {
    /// The program, as [`crate::Agent::find`] found it.
    pub program: &'a Path,
    /// Its version as [`crate::Versions`] read it, where that is known.
    pub version: Option<&'a str>,
    /// What the person asked for.
    pub new: &'a NewSession,
    /// The directory that the program starts in, absolute.
    pub cwd: &'a Path,
    /// A directory of the run's own, 0700 (memory-backed for a private session), where files with texts are put.
    pub texts: &'a Path,
    /// A directory of the session's own, 0700, that outlives the run: for what belongs to the conversation and not to the run.
    pub keep: &'a Path,
    /// A text that the first prompt has the agent read, where there is one: alone in a directory outside of the one that the
    /// agent works in.
    pub handover: Option<&'a Path>,
    /// The environment that the program will have, before the plan's own variables: some agents are told more through a
    /// variable that the person may use already.
    pub env: &'a [(String, String)],
    /// Which of the agent's conversations the run begins with.
    pub conversation: Conversation<'a>,
    /// How the agent's hooks reach Belfry; without it the launch sets none up.
    pub hooks: Option<HookLink<'a>>,
}

/// How an agent's hooks reach Belfry.
#[derive(Clone, Copy)]
pub struct HookLink<'a> {
    /// The `belfry` program, absolute.
    pub program: &'a Path,
    /// Binds what a hook says to its run. It goes into a private file and nowhere else.
    pub secret: &'a str,
}

impl std::fmt::Debug for HookLink<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}", self.program.display())
    }
}

/// The agent's own thread that a run begins with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Conversation<'a> {
    /// A new one. The id is a fresh UUID that the agent is told to use, where it can be told.
    New {
        /// The id.
        id: uuid::Uuid,
    },
    /// Go on with this one, by the agent's own id. Agents without resume start a new one.
    Resume {
        /// The id.
        id: &'a str,
    },
    /// A copy of one, which stays as it is. Agents without fork refuse.
    Fork {
        /// The id of the one that is copied.
        from: &'a str,
        /// The last entry that is copied, by the agent's own id; none: all are.
        at: Option<&'a str>,
        /// The copy's id, where the agent can be told.
        id: uuid::Uuid,
    },
}

/// How to start an agent.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LaunchPlan {
    /// Program and arguments. No prompt, system prompt or secret is ever among them: every user of the machine can read
    /// them.
    pub argv: Vec<String>,
    /// Variables to set; they win over the base environment and lose to what the person set for the session.
    pub env: Vec<(String, String)>,
    /// Files to write before the start, with [`LaunchPlan::write_files`].
    pub files: Vec<PrivateFile>,
    /// Symbolic links to such files, made by the same call, in a folder where the agent looks for them by name.
    pub links: Vec<Link>,
    /// How the first prompt gets to the program.
    pub prompt: PromptDelivery,
    /// The id of the conversation, where the agent takes the one it is given.
    pub conversation_id: Option<String>,
    /// The agent will call hooks.
    pub hooks: bool,
}

/// A text that an agent reads from a file; 0600.
#[derive(Clone, PartialEq, Eq)]
pub struct PrivateFile {
    /// Where it goes, under [`LaunchInput::texts`].
    pub path: PathBuf,
    /// What is in it.
    pub contents: String,
}

impl std::fmt::Debug for PrivateFile {
    // The text may be confidential, and Debug output can reach a log.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} ({} bytes)", self.path.display(), self.contents.len())
    }
}

/// A symbolic link to a file of the run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Link {
    /// Where the link is. Its name begins with `belfry-`, and its folder is the agent's own.
    pub at: PathBuf,
    /// What it points to, under [`LaunchInput::texts`].
    pub to: PathBuf,
}

/// How the first prompt gets to the program.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum PromptDelivery {
    /// There is none, or the agent takes none.
    #[default]
    None,
    /// Typed, with [`crate::Agent::typing`], once [`crate::Agent::at_prompt`] says so.
    TypeWhenReady(String),
}

/// Why a launch cannot be.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LaunchRefused {
    /// The agent cannot take something that was asked for.
    #[error("{agent} takes no {what} at launch")]
    Takes {
        /// The agent's name.
        agent: String,
        /// What was given.
        what: &'static str,
    },
    /// The agent can take it, and would not under these circumstances.
    #[error("{agent} takes no {what} here: {why}")]
    Here {
        /// The agent's name.
        agent: String,
        /// What was given.
        what: &'static str,
        /// Why not, and what to do.
        why: &'static str,
    },
    /// The agent cannot begin with a copy of a conversation, or not with one that ends there.
    #[error("{agent} has no fork")]
    Fork {
        /// The agent's name.
        agent: String,
    },
    /// A value would be read as something else.
    #[error("the {what} `{value}` cannot be given to {agent}")]
    Value {
        /// The agent's name.
        agent: String,
        /// What was given.
        what: &'static str,
        /// The value.
        value: String,
    },
    /// A path is not UTF-8, and the agent's configuration has to be.
    #[error("the path {} is not UTF-8, and {agent} needs it to be", path.display())]
    Path {
        /// The agent's name.
        agent: String,
        /// The path.
        path: PathBuf,
    },
}

impl LaunchInput<'_> {
    /// The system prompt, where there is one.
    pub(crate) fn system_prompt(&self) -> Option<&str> {
        self.new.system_prompt.as_deref().filter(|text| !text.trim().is_empty())
    }

    /// A variable of the program's environment.
    pub(crate) fn var(&self, name: &str) -> Option<&str> {
        self.env.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    /// The `belfry` program, where this launch has hooks and its path can be written.
    pub(crate) fn hook_program(&self) -> Option<&str> {
        self.hooks?.program.to_str()
    }

    /// Where a file with that name goes.
    pub(crate) fn text_file(&self, name: &str, contents: &str) -> PrivateFile {
        PrivateFile { path: self.texts.join(name), contents: contents.to_owned() }
    }
}

/// The program and the arguments of every launch.
pub(crate) fn begin(rules: &Rules, input: &LaunchInput<'_>) -> Result<Vec<String>, LaunchRefused> {
    Ok(std::iter::once(utf8(rules, input.program)?).chain(rules.args.iter().cloned()).collect())
}

/// Names the conversation with `--session-id` or `--resume`. In a new one, the person's own choice with any of the flags `own`
/// among the extra arguments wins: with both, agents refuse to start.
pub(crate) fn name_conversation(plan: &mut LaunchPlan, input: &LaunchInput<'_>, own: &[(&str, Follows)]) {
    let id = match input.conversation {
        Conversation::New { .. } if input.new.args.iter().any(|argument| is_one_of(argument, own)) => return,
        Conversation::New { id } => {
            plan.argv.extend(["--session-id".to_owned(), id.to_string()]);
            id.to_string()
        }
        Conversation::Resume { id } => {
            plan.argv.extend(["--resume".to_owned(), id.to_owned()]);
            id.to_owned()
        }
        Conversation::Fork { from, at, id } => {
            plan.argv.extend(["--resume".to_owned(), from.to_owned(), "--fork-session".to_owned()]);
            plan.argv.extend(["--session-id".to_owned(), id.to_string()]);
            if let Some(at) = at {
                plan.argv.extend(["--resume-session-at".to_owned(), at.to_owned()]);
            }
            id.to_string()
        }
    };
    plan.conversation_id = Some(id);
}

/// What follows on a flag.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Follows {
    /// Another argument.
    Nothing,
    /// A value, unless that looks like a flag.
    Maybe,
    /// A value.
    Value,
}

fn is_one_of(argument: &str, flags: &[(&str, Follows)]) -> bool {
    let name = argument.split('=').next().unwrap_or_default();
    flags.iter().any(|(flag, _)| *flag == name)
}

/// The person's extra arguments. Where it is settled which conversation it is, without those that choose another: what they
/// meant at the first start is not what a later one is to do.
pub(crate) fn extra_args(input: &LaunchInput<'_>, own: &[(&str, Follows)]) -> Vec<String> {
    let all = &input.new.args;
    if matches!(input.conversation, Conversation::New { .. }) {
        return all.clone();
    }
    let mut kept = Vec::new();
    let mut at = 0;
    while let Some(argument) = all.get(at) {
        if argument == "--" {
            kept.extend(all[at..].iter().cloned());
            break;
        }
        at += 1;
        if !is_one_of(argument, own) {
            kept.push(argument.clone());
            continue;
        }
        let follows = own.iter().find(|(flag, _)| flag == argument).map_or(Follows::Nothing, |(_, f)| *f);
        let value = match follows {
            Follows::Nothing => false,
            Follows::Maybe => all.get(at).is_some_and(|next| !next.starts_with('-')),
            Follows::Value => true,
        };
        at += usize::from(value);
    }
    kept
}

/// The path as text for an argument or a configuration.
pub(crate) fn utf8(rules: &Rules, path: &Path) -> Result<String, LaunchRefused> {
    path.to_str()
        .map(str::to_owned)
        .ok_or_else(|| LaunchRefused::Path { agent: rules.name.clone(), path: path.to_owned() })
}

impl LaunchPlan {
    /// Lets the agent's hooks find their way: the secret in a file, and the file's name in the environment.
    pub(crate) fn link_hooks(&mut self, rules: &Rules, input: &LaunchInput<'_>) -> Result<(), LaunchRefused> {
        if let (true, Some(link)) = (self.hooks, input.hooks) {
            let file = input.text_file(HOOK_FILE, link.secret);
            self.env.push((HOOK_FILE_ENV.to_owned(), utf8(rules, &file.path)?));
            self.files.push(file);
        }
        Ok(())
    }

    /// Writes the files, 0600, replacing what an earlier try left, and makes the links. Links of earlier runs whose files
    /// are gone are removed from the same folders.
    pub fn write_files(&self) -> io::Result<()> {
        self.files.iter().try_for_each(|file| write_private(&file.path, file.contents.as_bytes()))?;
        for link in &self.links {
            if let Some(folder) = link.at.parent() {
                // An agent that has never run has no folder yet.
                create_folder(folder)?;
                remove_dangling(folder);
            }
            remove(&link.at)?;
            #[cfg(unix)]
            std::os::unix::fs::symlink(&link.to, &link.at)?;
            // Windows: links need a privilege there; a copy that is removed at the end of the run takes its place.
            #[cfg(not(unix))]
            std::fs::copy(&link.to, &link.at)?;
        }
        Ok(())
    }

    /// Removes the links, once the run is over. The files go with the run's own directory.
    pub fn remove_links(&self) {
        for link in &self.links {
            let _ = remove(&link.at);
        }
    }
}

fn remove(path: &Path) -> io::Result<()> {
    match std::fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

/// Removes links named `belfry-…` that point nowhere. Only links: a file of that name is not ours.
fn remove_dangling(folder: &Path) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let ours = entry.file_name().to_str().is_some_and(|name| name.starts_with(LINK_PREFIX));
        let link = entry.file_type().is_ok_and(|kind| kind.is_symlink());
        if ours && link && std::fs::metadata(entry.path()).is_err() {
            let _ = std::fs::remove_file(entry.path());
        }
    }
}

/// Makes a folder that only the person can read; one that is there stays as it is.
fn create_folder(folder: &Path) -> io::Result<()> {
    let mut builder = std::fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder)
}

fn write_private(path: &Path, contents: &[u8]) -> io::Result<()> {
    if let Some(folder) = path.parent() {
        create_folder(folder)?;
    }
    remove(path)?;
    let mut options = std::fs::OpenOptions::new();
    options.write(true).create_new(true);
    // Windows: the directory's access list is inherited, which is the person's alone.
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)?.write_all(contents)
}
