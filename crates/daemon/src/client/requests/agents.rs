//! Requests about agents, and the colours that programs are told.

use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::Arc;

use belfry_agents::SearchIn;
use belfry_protocol::{ErrorCode, Reply, WireError};
use belfry_terminal::{Colors, Rgb};

use super::Outcome;
use crate::Daemon;
use crate::launch::ask_login_shell;
use crate::settings::Own;

/// What a form shows. With `refresh` the login shell is asked again where programs are, and each program is asked for its version, which takes seconds the first time.
pub(super) async fn list(daemon: &Arc<Daemon>, refresh: bool) -> Outcome {
    let env = if refresh { ask_login_shell(daemon).await } else { daemon.login_shell.known() };
    let daemon = Arc::clone(daemon);
    let settings = daemon.settings();
    let infos = tokio::task::spawn_blocking(move || {
        let var = |name: &str| env.iter().find(|(known, _)| known == name).map(|(_, value)| value.clone());
        let (path, home, shell) = (var("PATH"), var("HOME").map(PathBuf::from), var("SHELL"));
        let search = SearchIn { path: path.as_deref(), home: home.as_deref(), shell: shell.as_deref() };
        if refresh {
            let _one_at_a_time = daemon.asking_versions.lock();
            let text = |text: &OsString| text.to_str().map(str::to_owned);
            let env: Vec<_> =
                env.iter().filter_map(|(name, value)| Some((text(name)?, text(value)?))).collect();
            for agent in daemon.agents().iter() {
                if let Some(program) = Own::of(&settings.settings, agent).program(search, &daemon.person_home)
                {
                    // One at a time: each keeps a core busy for a second. Not under the lock of what is known, which others
                    // want meanwhile.
                    let asked = daemon.versions.lock().to_ask(&program);
                    if let Some(changed) = asked {
                        let version = belfry_agents::ask_version(agent, &program, &env);
                        daemon.versions.lock().learn(&program, changed, version);
                    }
                }
            }
        }
        let agents = daemon.agents();
        let versions = daemon.versions.lock();
        let mut infos = agents.infos(search, &versions);
        for info in &mut infos {
            if let Some(agent) = agents.get(&info.id) {
                let own = Own::of(&settings.settings, agent);
                own.correct(info, &daemon.person_home, |program| versions.known(program));
            }
        }
        infos
    });
    infos.await.map(Reply::Agents).map_err(|error| WireError::new(ErrorCode::Internal, error.to_string()))
}

pub(super) fn colors(daemon: &Daemon, three: [&str; 3], ansi: &[String], dark: bool) -> Outcome {
    let bad = || WireError::new(ErrorCode::BadRequest, "colours are `#rrggbb`, sixteen of them in `ansi`");
    let [foreground, background, cursor] = three.map(color);
    let ansi: Option<Vec<Rgb>> = ansi.iter().map(|text| color(text)).collect();
    let ansi: [Rgb; 16] = ansi.and_then(|ansi| ansi.try_into().ok()).ok_or_else(bad)?;
    daemon.set_colors(Colors {
        foreground: foreground.ok_or_else(bad)?,
        background: background.ok_or_else(bad)?,
        cursor: cursor.ok_or_else(bad)?,
        ansi,
        dark,
    });
    Ok(Reply::Done)
}

fn color(text: &str) -> Option<Rgb> {
    let digits = text.strip_prefix('#').filter(|digits| digits.len() == 6)?;
    u32::from_str_radix(digits, 16).ok().map(Rgb::hex)
}
