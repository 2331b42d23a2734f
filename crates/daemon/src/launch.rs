//! Starting a run: where, with which environment, by which keeper.

mod duplicate;
mod environment;
mod keeper;
mod login_shell;
mod meta;
mod name;
mod new;
mod texts;

pub(crate) use duplicate::duplicate;
pub(crate) use login_shell::LoginShell;
pub(crate) use meta::Meta;
pub(crate) use name::cleaned as cleaned_name;
pub(crate) use new::{new_session, restart};
pub(crate) use texts::{FirstPrompt, LaunchFile};
