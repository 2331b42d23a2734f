//! One agent.

use std::path::PathBuf;
use std::sync::Arc;

use belfry_protocol::agent::{AgentCan, AgentInfo, AgentTakes};

use belfry_protocol::signal::Source;

use crate::launch::{Conversation, LaunchInput, LaunchPlan, LaunchRefused, PromptDelivery};
use crate::overlay::{ByVersion, number};
use crate::prompt::{AtPrompt, Look};
use crate::recognise::Process;
use crate::rules::Rules;
use crate::screen::{Reading, ScreenView};
use crate::sign::{Emitted, Sign};
use crate::trust::{Trust, by_rank};
use crate::{SearchIn, Typing, Versions};

/// An agent's own part of a launch.
pub(crate) type Launch = fn(&Rules, &LaunchInput<'_>) -> Result<LaunchPlan, LaunchRefused>;

/// A kind of program that Belfry knows how to start.
#[derive(Clone, Debug)]
pub struct Agent {
    id: String,
    rules: Rules,
    watched: Arc<ByVersion>,
    launch: Launch,
}

impl Agent {
    /// From its file, its keys complete.
    pub(crate) fn new(id: String, file: toml::Table, launch: Launch) -> Result<Self, toml::de::Error> {
        let watched = Arc::new(ByVersion::of(&file)?);
        let rules: Rules = file.try_into()?;
        if rules.name.is_empty() {
            return Err(serde::de::Error::custom("`name` is missing"));
        }
        Ok(Self { id, rules, watched, launch })
    }

    /// Its id: `claude`, …
    pub fn id(&self) -> &str {
        &self.id
    }

    /// Its shown name: `Claude Code`, …
    pub fn name(&self) -> &str {
        &self.rules.name
    }

    /// The command that installs it.
    pub fn install(&self) -> Option<&str> {
        self.rules.install.as_deref()
    }

    /// What a launch can be given.
    pub fn takes(&self) -> AgentTakes {
        self.rules.takes.into()
    }

    /// What can be done with its conversations.
    pub fn can(&self) -> AgentCan {
        self.rules.can()
    }

    /// Why it refused to start, as far as the last rows that it printed tell.
    pub fn refusal(&self, rows: &[String]) -> Option<&str> {
        // A narrow terminal wraps it anywhere.
        let joined: String = rows.iter().map(|row| row.trim_end()).collect();
        let said = |refusal: &&crate::rules::Refusal| {
            joined.contains(&refusal.find) || rows.iter().any(|row| row.contains(&refusal.find))
        };
        self.rules.refusals.iter().find(said).map(|refusal| refusal.say.as_str())
    }

    /// Where its program is, as an absolute path. For `shell`, the person's shell.
    pub fn find(&self, search: SearchIn<'_>) -> Option<PathBuf> {
        if self.id == "shell" {
            return crate::shell::find(search);
        }
        self.rules.programs.iter().find_map(|name| search.program(name, &self.rules.places))
    }

    /// Arguments that make it print its version.
    pub fn version_args(&self) -> &[String] {
        &self.rules.version
    }

    /// How to start it. Extra arguments come last; a model or a system prompt for an agent that takes none is refused.
    pub fn launch(&self, input: &LaunchInput<'_>) -> Result<LaunchPlan, LaunchRefused> {
        let takes = self.takes();
        let refuse = |what| Err(LaunchRefused::Takes { agent: self.rules.name.clone(), what });
        let given = |text: &Option<String>| text.as_deref().is_some_and(|text| !text.trim().is_empty());
        if given(&input.new.model) && !takes.model {
            return refuse("model");
        }
        if given(&input.new.system_prompt) && !takes.system_prompt {
            return refuse("system prompt");
        }
        if given(&input.new.prompt) && !takes.prompt {
            return refuse("prompt");
        }
        if let Conversation::Fork { at, .. } = input.conversation {
            let can = self.can();
            if !can.fork || (at.is_some() && !can.fork_earlier) {
                return Err(LaunchRefused::Fork { agent: self.rules.name.clone() });
            }
        }
        // A model is the only free text among the arguments: it must not be read as a flag.
        if let Some(model) = input.new.model.as_deref()
            && (model.starts_with('-') || model.contains(|c: char| c.is_control() || c.is_whitespace()))
        {
            return Err(LaunchRefused::Value {
                agent: self.rules.name.clone(),
                what: "model",
                value: model.to_owned(),
            });
        }
        let mut plan = (self.launch)(&self.rules, input)?;
        plan.link_hooks(&self.rules, input)?;
        let own = self.rules.env.iter().map(|(name, value)| (name.clone(), value.clone()));
        plan.env = own.chain(plan.env).collect();
        if let Some(prompt) = input.new.prompt.clone().filter(|prompt| !prompt.trim().is_empty()) {
            plan.prompt = PromptDelivery::TypeWhenReady(prompt);
        }
        Ok(plan)
    }

    /// What its screen says. The version is that of its program, where it is known.
    pub fn read(&self, version: Option<&str>, view: &ScreenView<'_>) -> Reading {
        self.watched.of_version(version).screen.read(view)
    }

    /// Whether [`ScreenView::highlights`] is looked at, which is not for nothing.
    pub fn wants_highlights(&self) -> bool {
        self.watched.of_version(None).screen.highlights
    }

    /// What something means that it told its terminal; none where no rule knows it. A title or a mode says the same for as
    /// long as it is set.
    pub fn sign(&self, version: Option<&str>, emitted: Emitted<'_>) -> Option<Sign> {
        crate::sign::read(&self.watched.of_version(version).sign, emitted)
    }

    /// Whether its screen shows a mark whenever it works, so that a prompt without one is idle.
    pub fn screen_shows_work(&self, version: Option<&str>) -> bool {
        let screen = &self.watched.of_version(version).screen;
        screen.composer.known() && !screen.silent
    }

    /// Its sources and how far each is to be trusted, the first to be asked first.
    pub fn trust(&self, version: Option<&str>) -> Vec<(Source, Trust)> {
        by_rank(&self.watched.of_version(version).trust)
    }

    /// Whether the rules were made with this version: none where the file does not say which they were made with, no for
    /// versions before the oldest and after the newest.
    pub fn measured(&self, version: &str) -> Option<bool> {
        let measured = &self.watched.of_version(Some(version)).screen.measured;
        let (oldest, newest) = (measured.first()?, measured.last()?);
        let version = number(version);
        Some(version >= number(oldest) && version <= number(newest))
    }

    /// Whether it waits at its prompt.
    pub fn at_prompt(&self, look: Look<'_>) -> AtPrompt {
        look.at_prompt(&self.watched.of_version(None).screen)
    }

    /// Whether its input box holds the text, not yet submitted. No also where that cannot be told, and where a dialog is
    /// open: a further Enter would answer it.
    pub fn holds(&self, look: Look<'_>, text: &str) -> bool {
        look.holds(&self.watched.of_version(None).screen, text)
    }

    /// Whether [`Agent::holds`] can ever say yes.
    pub fn shows_what_it_holds(&self) -> bool {
        self.watched.of_version(None).screen.composer.known()
    }

    /// How to type a text to it; `bracketed_paste` is whether its terminal has that mode on.
    pub fn typing(&self, text: &str, bracketed_paste: bool) -> Typing {
        Typing::new(text, bracketed_paste, &self.rules.typing)
    }

    /// Whether a process is this agent.
    pub fn is(&self, process: Process<'_>) -> bool {
        self.rules.is(process)
    }

    /// What a form shows.
    pub fn info(&self, search: SearchIn<'_>, versions: &Versions) -> AgentInfo {
        let program = self.find(search);
        AgentInfo {
            id: self.id.clone(),
            name: self.rules.name.clone(),
            version: program.as_deref().and_then(|program| versions.known(program)),
            program: program.map(|program| program.to_string_lossy().into_owned()),
            install: self.rules.install.clone(),
            takes: self.takes(),
            can: self.can(),
        }
    }
}
