//! Starting a run: where, with which environment, by which keeper.

pub(crate) mod adopted;
mod again;
mod duplicate;
mod environment;
mod keeper;
mod login_shell;
mod meta;
mod name;
mod new;
mod prepared;
mod start;
mod texts;

pub(crate) use again::{Again, Earlier, asked_for, began, run_again};
pub(crate) use duplicate::{duplicate, like};
pub(crate) use environment::Environment;
pub(crate) use login_shell::{LoginShell, ask_login_shell, follow_login_shell, login_environment};
pub(crate) use meta::Meta;
pub(crate) use name::{
    cleaned as cleaned_name, from_prompt as name_from_prompt, given as given_name, of as name_of,
};
pub(crate) use new::{Origin, agent, directory, new_session, new_session_from, new_session_marked, remember};
pub(crate) use prepared::not_prepared;
pub(crate) use start::{Begin, surroundings};
pub(crate) use texts::{FirstPrompt, LaunchFile};
