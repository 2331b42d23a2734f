//! What the person sets: a file that they and the window edit, read again as soon as it changes.
//!
//! A file with an error in it is not used: what was in force before it stays in force, also over a restart of the daemon,
//! and the person is told of the line. The window changes one value in the file's own text. Both are the same file; of the
//! last one without an error a copy is kept.

mod agents;
mod edit;
mod file;
mod kept;
mod keys;
mod kind;
mod known;
mod names;
mod read;
mod typed;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use belfry_protocol::settings::{SettingsFault, SettingsState};
use belfry_protocol::{ErrorCode, Event, Settings, WireError};
use parking_lot::RwLock;

use crate::Daemon;
use crate::changes::Changes;
use kept::Kept;
use known::Names;
use names::KnownNames;

pub(crate) use agents::Own;
pub(crate) use names::unknown;
pub use typed::{knows_setting, setting_meant, setting_path, typed_setting};

/// Time in which the events of one save gather: editors write, rename and set modes.
const GATHER: Duration = Duration::from_millis(50);

/// The file's name in the directory for configuration.
const NAME: &str = "settings.toml";

/// The settings in force and where they come from.
pub(crate) struct SettingsFile {
    path: PathBuf,
    state: RwLock<Arc<SettingsState>>,
    /// What the file held when it was last read, or why it could not be. Held while the file is read or changed.
    held: tokio::sync::Mutex<Held>,
    kept: Arc<Kept>,
}

/// What a file holds; none where it is not there.
type Held = Result<Option<String>, String>;

impl SettingsFile {
    /// Reads the file, or where it has an error the last one without. Names are not looked at before the daemon runs, which
    /// knows them.
    pub(crate) fn load(config: &Path, state: &Path) -> Self {
        let path = config.join(NAME);
        let kept = Kept::within(state);
        let held = file::read(&path);
        let nothing = SettingsState { file: path.display().to_string(), ..SettingsState::default() };
        let mut state = after(&nothing, &held, &KnownNames::default());
        match (&state.error, &held) {
            (None, Ok(text)) => kept.keep(text.as_deref()),
            (None, Err(_)) => {}
            (Some(_), _) => match kept.settings() {
                Some(settings) => state.settings = settings,
                None => state.defaults = true,
            },
        }
        let held = tokio::sync::Mutex::new(held);
        Self { path, state: RwLock::new(Arc::new(state)), held, kept: Arc::new(kept) }
    }

    /// As they are now.
    pub(crate) fn state(&self) -> Arc<SettingsState> {
        Arc::clone(&self.state.read())
    }

    /// What the person should know of the file.
    pub(crate) fn notices(&self) -> Vec<String> {
        let state = self.state();
        let error = state.error.as_ref().map(|error| format!("{NAME}, {error}; {}", state.in_force()));
        error.into_iter().chain(state.warnings.iter().map(|warning| format!("{NAME}, {warning}"))).collect()
    }

    fn put(&self, state: SettingsState) {
        *self.state.write() = Arc::new(state);
    }
}

/// The settings once the file holds that.
fn after(before: &SettingsState, held: &Held, known: &KnownNames) -> SettingsState {
    let file = before.file.clone();
    let read = match held {
        Ok(Some(text)) => read::read(text, known),
        Ok(None) => Ok((Settings::default(), Vec::new())),
        Err(why) => Err(read::whole(why.clone())),
    };
    match read {
        Ok((settings, warnings)) => {
            let warnings = warnings.into_iter().map(|warning| warning.fault).collect();
            SettingsState { settings, file, error: None, warnings, defaults: false }
        }
        Err(error) => SettingsState {
            settings: before.settings.clone(),
            file,
            error: Some(error),
            warnings: Vec::new(),
            // As long as there has been no file without an error.
            defaults: before.defaults,
        },
    }
}

/// A time of day as `HH:MM`, in minutes.
pub(crate) fn minute(text: &str) -> Option<u16> {
    let (hour, minute) = text.split_once(':')?;
    let digits = |part: &str| part.len() == 2 && part.bytes().all(|byte| byte.is_ascii_digit());
    let (hour, minute): (u16, u16) =
        (digits(hour).then(|| hour.parse().ok())??, digits(minute).then(|| minute.parse().ok())??);
    (hour < 24 && minute < 60).then_some(hour * 60 + minute)
}

/// Makes the file where there is none, and says where it is.
pub(crate) fn make(config: &Path) -> std::io::Result<PathBuf> {
    let path = config.join(NAME);
    if !path.try_exists()? {
        file::write(&path, &known::file(), None)?;
    }
    Ok(path)
}

impl Daemon {
    /// The settings as they are now.
    pub(crate) fn settings(&self) -> Arc<SettingsState> {
        self.settings_file.state()
    }

    /// Most bytes of one session's journals.
    pub(crate) fn journal_cap(&self) -> u64 {
        self.journal_cap.unwrap_or_else(|| u64::from(self.settings().settings.privacy.journal_cap_mb) << 20)
    }

    /// The names that values can have just now.
    async fn known_names(&self, held: &Held) -> KnownNames {
        let agents = self.agents().iter().map(|agent| agent.id().to_owned()).collect();
        let text = held.as_ref().ok().and_then(Option::as_deref).unwrap_or_default();
        // A program is run to know them: only where one is set.
        let table: toml::Table = toml::from_str(text).unwrap_or_default();
        let set = table.get("fonts").and_then(|fonts| fonts.get("family")).is_some();
        KnownNames { agents: Some(agents), fonts: if set { names::fonts().await } else { None } }
    }

    /// The file holds that now: it counts, and everybody is told.
    async fn settings_hold(&self, held: &Held) {
        let names = self.known_names(held).await;
        let before = self.settings_file.state();
        let told = self.settings_file.notices();
        let state = after(&before, held, &names);
        if state == *before {
            return;
        }
        if let (None, Ok(text)) = (&state.error, held) {
            let (kept, text) = (Arc::clone(&self.settings_file.kept), text.clone());
            let _ = blocking(move || kept.keep(text.as_deref())).await;
        }
        self.settings_file.put(state.clone());
        self.sleeper.settings_changed();
        let notices = self.settings_file.notices();
        for text in told.iter().filter(|text| !notices.contains(text)) {
            self.withdraw(text);
        }
        for text in notices {
            self.notice(text);
        }
        tracing::info!(good = state.error.is_none(), "the settings were read again");
        self.tell_all(&Event::Settings { state: Box::new(state) });
    }

    /// Makes the file where there is none.
    pub(crate) async fn make_settings(&self) -> Result<Arc<SettingsState>, WireError> {
        let mut held = self.settings_file.held.lock().await;
        let path = self.settings_file.path.clone();
        let config = self.home.config_dir().to_owned();
        let made = blocking(move || make(&config).map(|_| file::read(&path))).await?;
        *held = made.map_err(|error| storage(&error))?;
        self.settings_hold(&held).await;
        Ok(self.settings())
    }

    /// Changes one setting in the file; null takes it out.
    pub(crate) async fn change_setting(
        &self,
        path: &str,
        value: &serde_json::Value,
    ) -> Result<Arc<SettingsState>, WireError> {
        let parts = edit::parts(path).map_err(|error| bad(error.to_string()))?;
        let parts: Vec<&str> = parts.iter().map(String::as_str).collect();
        let new = if value.is_null() {
            None
        } else {
            Some(edit::value(value).map_err(|error| bad(error.to_string()))?)
        };
        match known::names(&parts) {
            Names::Table if new.is_some() => {
                return Err(bad(format!("`{path}` has settings in it; change one of them")));
            }
            Names::Nothing if new.is_some() => return Err(none(path, &parts)),
            // Also what only the file knows can be taken out of it.
            _ => {}
        }
        let mut held = self.settings_file.held.lock().await;
        let file = self.settings_file.path.clone();
        let now = blocking(move || file::read(&file)).await?;
        let text = now.clone().map_err(|why| WireError::new(ErrorCode::Storage, why))?;
        let old = text.clone().unwrap_or_else(known::file);
        read::read(&old, &KnownNames::default()).map_err(|fault| {
            bad(format!("{NAME} has an error in {fault}")).kept("the file is as it was").next("mend the file")
        })?;
        let changed = changed(&old, &parts, new.as_ref()).map_err(|error| bad(error.to_string()))?;
        if known::names(&parts) == Names::Nothing && changed == old {
            return Err(none(path, &parts));
        }
        let names = self.known_names(&Ok(Some(changed.clone()))).await;
        let (_, warnings) = read::read(&changed, &names).map_err(|SettingsFault { text, .. }| bad(text))?;
        // A file may hold what only another Belfry knows; nobody sets it here.
        let about = |path: &[String]| path.iter().zip(&parts).all(|(one, other)| one == other);
        if let Some(warning) = warnings.iter().find(|warning| new.is_some() && about(&warning.path)) {
            return Err(bad(warning.why.clone()));
        }
        if text.as_ref() != Some(&changed) {
            let (file, changed) = (self.settings_file.path.clone(), changed.clone());
            let written = blocking(move || file::write(&file, &changed, text.as_deref())).await?;
            written.map_err(|error| storage(&error))?;
        }
        *held = Ok(Some(changed));
        self.settings_hold(&held).await;
        Ok(self.settings())
    }
}

/// The text with a value changed, or with all that is in a table taken out.
fn changed(text: &str, path: &[&str], new: Option<&toml_edit::Value>) -> Result<String, edit::NotChanged> {
    if known::names(path) == Names::Setting || path.len() > 1 {
        return edit::change(text, path, new);
    }
    let table: toml::Table = toml::from_str(text).unwrap_or_default();
    let inside = path.first().and_then(|section| table.get(*section)?.as_table());
    inside.into_iter().flat_map(toml::Table::keys).try_fold(text.to_owned(), |text, name| {
        let path: Vec<&str> = path.iter().copied().chain([name.as_str()]).collect();
        // What is not known is not ours to take out.
        if known::names(&path) == Names::Nothing { Ok(text) } else { edit::change(&text, &path, None) }
    })
}

fn none(path: &str, parts: &[&str]) -> WireError {
    let meant = known::meant(parts).map(|meant| format!("; did you mean `{meant}`?")).unwrap_or_default();
    bad(format!("there is no setting `{path}`{meant}"))
}

fn bad(text: String) -> WireError {
    WireError::new(ErrorCode::BadRequest, text)
}

fn storage(error: &std::io::Error) -> WireError {
    let code = match error.kind() {
        std::io::ErrorKind::StorageFull => ErrorCode::DiskFull,
        std::io::ErrorKind::ResourceBusy => ErrorCode::Changed,
        _ => ErrorCode::Storage,
    };
    WireError::new(code, format!("{NAME} cannot be written: {error}")).kept("the settings are as they were")
}

async fn blocking<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Result<T, WireError> {
    let done = tokio::task::spawn_blocking(work).await;
    done.map_err(|error| WireError::new(ErrorCode::Internal, error.to_string()))
}

/// Follows the file for as long as the daemon runs.
pub(crate) async fn follow(daemon: Arc<Daemon>) {
    let path = daemon.settings_file.path.clone();
    let folders = move || {
        let target = file::followed(&path);
        [path.parent().map(Path::to_owned), target.parent().map(Path::to_owned)].into_iter().flatten()
    };
    let mut changes = match Changes::of(&[]) {
        Ok(changes) => changes,
        Err(error) => {
            tracing::warn!(%error, "changes of the settings are not noticed until the next start");
            return;
        }
    };
    loop {
        // The file may have become a link to another folder.
        folders().for_each(|folder| changes.watch(&folder));
        // What was changed before the watch began is seen here as well.
        reload(&daemon).await;
        if let Err(error) = changes.next().await {
            tracing::warn!(%error, "changes of the settings are not noticed any more");
            return;
        }
        tokio::time::sleep(GATHER).await;
        changes.drain();
    }
}

/// Reads the file again, and looks at it with the names that there are now.
pub(crate) async fn reload(daemon: &Daemon) {
    let mut held = daemon.settings_file.held.lock().await;
    let path = daemon.settings_file.path.clone();
    if let Ok(now) = blocking(move || file::read(&path)).await {
        *held = now;
        daemon.settings_hold(&held).await;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_of_day_has_two_digits_twice() {
        assert_eq!([minute("00:00"), minute("07:05"), minute("23:59")], [Some(0), Some(425), Some(1439)]);
        for wrong in ["24:00", "12:60", "7:00", "07:0", "0700", "", "+7:00", "07:00:00", "٠٧:٠٠"] {
            assert_eq!(minute(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn an_error_leaves_in_force_what_was_there() {
        let after = |before: &SettingsState, held: &Held| after(before, held, &KnownNames::default());
        let before = after(&SettingsState::default(), &Ok(Some("[fonts]\nsize = 20\n".to_owned())));
        let broken = after(&before, &Ok(Some("[fonts]\nsize = \n".to_owned())));
        assert_eq!(
            (broken.settings.fonts.size, broken.error.as_ref().map(|error| error.line)),
            (20, Some(2))
        );
        let unread = after(&broken, &Err("it cannot be read".to_owned()));
        assert_eq!((unread.settings.fonts.size, unread.error.map(|error| error.line)), (20, Some(0)));
        let gone = after(&broken, &Ok(None));
        assert_eq!((gone.settings, gone.error), (Settings::default(), None));
    }

    #[test]
    fn a_start_with_an_error_goes_by_the_last_file_without_one() {
        let folder = tempfile::tempdir().expect("a folder");
        let (config, state) = (folder.path().join("config"), folder.path().join("state"));
        for path in [&config, &state] {
            std::fs::create_dir(path).expect("a folder");
        }
        let load = |text: &str| {
            std::fs::write(config.join(NAME), text).expect("the file");
            SettingsFile::load(&config, &state).state()
        };
        let none = load("[fonts]\nsize = 1\n");
        assert_eq!((none.settings.fonts.size, none.defaults), (13, true), "there was none before");
        assert!(none.in_force().contains("default"), "{}", none.in_force());
        assert_eq!(load("[fonts]\nsize = 20\n").settings.fonts.size, 20);
        let broken = load("[fonts]\nsize = \n");
        assert_eq!((broken.settings.fonts.size, broken.defaults), (20, false));
        assert!(broken.error.is_some());
        std::fs::remove_file(config.join(NAME)).expect("the file");
        assert_eq!(SettingsFile::load(&config, &state).state().settings.fonts.size, 13);
        assert_eq!(load("[fonts]\nsize = \n").settings.fonts.size, 13, "nor is an older one brought back");
    }

    #[test]
    fn a_whole_table_is_reset() {
        let text = "[keys]\na = []\nb = []\n[tray]\nshow = false\nodd = 1\n[agents.x]\nargs = []\n";
        assert_eq!(
            changed(text, &["keys"], None).as_deref(),
            Ok("[keys]\n[tray]\nshow = false\nodd = 1\n[agents.x]\nargs = []\n")
        );
        let tray = changed(text, &["tray"], None).expect("it is reset");
        assert!(tray.contains("#show = true\nodd = 1"), "{tray}");
        let agents = changed(text, &["agents"], None).expect("it is reset");
        assert!(!agents.contains("agents.x"), "{agents}");
    }
}
