//! `belfry settings`.

use std::io::Write as _;

use belfry_daemon::{knows_setting, setting_meant, setting_path, typed_setting};
use belfry_protocol::settings::SettingsState;
use belfry_protocol::{Reply, Request};
use serde_json::Value;

use crate::args::SettingsAction;
use crate::context::{Context, unexpected};
use crate::failure::{Exit, Failure};
use crate::print::{harmless, line, plain};

pub(crate) async fn run(context: &Context, action: Option<SettingsAction>) -> Result<(), Failure> {
    match action {
        None => get(context, None).await,
        Some(SettingsAction::Get { name }) => get(context, name.as_deref()).await,
        Some(SettingsAction::Set { name, value }) => {
            // As the setting is written, so that nobody has to quote for two programs. A name that is none is the daemon's
            // to refuse: it may be a newer one.
            let path = setting_path(&name).unwrap_or_default();
            let value = typed_setting(&path, &value);
            change(context, name, value).await
        }
        Some(SettingsAction::Reset { name }) => change(context, name, Value::Null).await,
        Some(SettingsAction::Path) => path(context),
        Some(SettingsAction::Check) => check(context).await,
    }
}

async fn state(context: &Context, request: Request) -> Result<SettingsState, Failure> {
    match context.ask(request).await? {
        Reply::Settings(state) => Ok(*state),
        other => Err(unexpected(&other)),
    }
}

async fn get(context: &Context, name: Option<&str>) -> Result<(), Failure> {
    let state = state(context, Request::GetSettings).await?;
    let all = serde_json::to_value(&state.settings).map_err(std::io::Error::other)?;
    let found = match name {
        Some(name) => within(&all, name).map_or_else(|| unset(name), Ok)?,
        None => &all,
    };
    say_error(&state);
    if context.printer.json {
        return Ok(crate::print::value(found)?);
    }
    let mut lines = Vec::new();
    leaves(name.unwrap_or_default(), found, &mut lines);
    for (path, value) in lines {
        match name {
            Some(name) if name == path => line(&harmless(&value))?,
            _ => line(&harmless(&format!("{path} = {value}")))?,
        }
    }
    Ok(())
}

/// What a dotted name names. A command's name may have dots in it.
fn within<'a>(all: &'a Value, name: &str) -> Option<&'a Value> {
    setting_path(name)?.iter().try_fold(all, |value, part| value.get(part))
}

/// A setting that has no value: of an agent, say, for which nothing is set.
fn unset(name: &str) -> Result<&'static Value, Failure> {
    let path = setting_path(name).unwrap_or_default();
    if !path.is_empty() && knows_setting(&path) {
        return Ok(&Value::Null);
    }
    let meant = setting_meant(&path).map(|meant| format!("Did you mean `{}`? ", plain(&meant)));
    Err(Failure::usage(format!("There is no setting `{}`.", plain(name)))
        .next(meant.unwrap_or_default() + "`belfry settings` lists them."))
}

/// What is shown is not what the file says: beside the output, which programs may read.
fn say_error(state: &SettingsState) {
    if let Some(error) = &state.error {
        let text = format!("belfry: {}, {error}; {}.", state.file, state.in_force());
        let _ = writeln!(std::io::stderr(), "{}", plain(&text));
    }
}

/// All values, one a line. Tables that have nothing in them are not there.
fn leaves(path: &str, value: &Value, lines: &mut Vec<(String, String)>) {
    match value {
        Value::Object(fields) => {
            for (name, value) in fields {
                let path = if path.is_empty() { name.clone() } else { format!("{path}.{name}") };
                leaves(&path, value, lines);
            }
        }
        Value::Null => lines.push((path.to_owned(), "(none)".to_owned())),
        Value::String(text) => lines.push((path.to_owned(), text.clone())),
        other => lines.push((path.to_owned(), other.to_string())),
    }
}

async fn change(context: &Context, name: String, value: Value) -> Result<(), Failure> {
    let state = state(context, Request::ChangeSetting { path: name.clone(), value }).await?;
    if context.printer.json {
        return Ok(crate::print::value(&state)?);
    }
    let all = serde_json::to_value(&state.settings).map_err(std::io::Error::other)?;
    let mut lines = Vec::new();
    if let Some(value) = within(&all, &name) {
        leaves(&name, value, &mut lines);
    }
    for (path, value) in lines {
        line(&harmless(&format!("{path} = {value}")))?;
    }
    Ok(())
}

fn path(context: &Context) -> Result<(), Failure> {
    context.home.prepare().map_err(|error| Failure::failed(crate::context::sentence(&error)))?;
    let path = belfry_daemon::make_settings_file(&context.home)
        .map_err(|error| Failure::failed(format!("The settings' file cannot be made: {error}.")))?;
    let path = path.display().to_string();
    if context.printer.json {
        return Ok(crate::print::value(&serde_json::json!({ "file": path }))?);
    }
    Ok(line(&harmless(&path))?)
}

async fn check(context: &Context) -> Result<(), Failure> {
    let state = state(context, Request::GetSettings).await?;
    if context.printer.json {
        crate::print::value(&state)?;
    } else {
        for warning in &state.warnings {
            line(&plain(&format!("{}, {warning}", state.file)))?;
        }
    }
    match &state.error {
        Some(error) => Err(Failure::new(Exit::Failed, "bad_settings", format!("{}, {error}.", state.file))
            .kept(crate::context::sentence(&state.in_force()))
            .next("Mend the file; it is read again by itself.")),
        None if context.printer.json => Ok(()),
        None if !std::path::Path::new(&state.file).exists() => {
            Ok(line(&plain(&format!("There is no {}: the defaults are in force.", state.file)))?)
        }
        None => Ok(line(&plain(&format!("{} is in force.", state.file)))?),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn values_are_found_by_their_names() {
        let all = json!({ "fonts": { "family": null, "size": 13 }, "keys": { "pane.split": ["Ctrl+D"] }, "agents": {} });
        assert_eq!(within(&all, "fonts.size"), Some(&json!(13)));
        assert_eq!(within(&all, "keys.pane.split"), Some(&json!(["Ctrl+D"])));
        assert_eq!(within(&all, "fonts.sise"), None);
        assert_eq!(unset("agents.claude.path").ok(), Some(&Value::Null));
        let none = unset("fonts.sise").expect_err("there is none");
        assert!(none.next.is_some_and(|next| next.contains("`fonts.size`")));
        let mut lines = Vec::new();
        leaves("", &all, &mut lines);
        let lines: Vec<String> = lines.into_iter().map(|(path, value)| format!("{path} = {value}")).collect();
        assert_eq!(lines, ["fonts.family = (none)", "fonts.size = 13", "keys.pane.split = [\"Ctrl+D\"]"]);
    }
}
