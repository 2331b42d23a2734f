//! `belfry import` and `belfry search`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

#[derive(Debug, Args)]
#[command(after_help = "\
Reads what Claude Code, Codex, OpenCode, Gemini CLI and Aider keep of their conversations, whoever started them, and lists them, the \
newest first. Nothing of theirs is changed. `belfry resume --agent AGENT CONVERSATION` goes on in one.

The first time this reads all there is, which can take minutes; it goes on in the daemon when this command is interrupted.")]
pub(crate) struct ImportArgs {
    /// Only those with these words in the title, the prompts or the directory.
    #[arg(value_name = "WORD")]
    pub words: Vec<String>,
    #[command(flatten)]
    pub which: Which,
    /// At most so many.
    #[arg(long, value_name = "NUMBER", default_value_t = 50, value_parser = clap::value_parser!(u32).range(1..))]
    pub limit: u32,
    /// Hide the conversation of this id from lists and searches.
    #[arg(long, value_name = "CONVERSATION", conflicts_with_all = ["words", "show"])]
    pub hide: Option<String>,
    /// Show a hidden conversation again.
    #[arg(long, value_name = "CONVERSATION", conflicts_with = "words")]
    pub show: Option<String>,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Every word has to be there; the last one may be the beginning of one, and what is in quotation marks is looked for as it is: \
belfry search 'door \"opens again\"'.")]
pub(crate) struct SearchArgs {
    /// What to look for.
    #[arg(value_name = "WORD", required = true)]
    pub words: Vec<String>,
    #[command(flatten)]
    pub which: Which,
    /// Only in what was asked, answered, thought, in tools and what they gave, or in what terminals showed.
    #[arg(long, value_name = "KIND")]
    pub only: Vec<Kind>,
    /// Only in conversations that changed a file with this in its path.
    #[arg(long, value_name = "PATH")]
    pub file: Option<String>,
    /// At most so many hits.
    #[arg(long, value_name = "NUMBER", default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..))]
    pub limit: u32,
}

/// What both of them can be narrowed by.
#[derive(Debug, Args)]
pub(crate) struct Which {
    /// Only those of this agent.
    #[arg(long, value_name = "AGENT")]
    pub agent: Vec<String>,
    /// Only those in this directory or below it.
    #[arg(long, value_name = "DIR")]
    pub dir: Option<PathBuf>,
    /// Hidden ones too.
    #[arg(long)]
    pub hidden: bool,
}

/// Kinds of entries.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Kind {
    /// Titles of conversations.
    Title,
    /// What was asked.
    Prompt,
    /// What was answered.
    Answer,
    /// What was thought before an answer.
    Thought,
    /// Tools, and what they were given.
    Tool,
    /// What tools gave.
    Result,
    /// What terminals showed.
    Shown,
}
