//! `belfry settings`.

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
            // What is no JSON is a text, so that nobody has to quote for two programs.
            let value = serde_json::from_str(&value).unwrap_or(Value::String(value));
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
        Some(name) => within(&all, name).ok_or_else(|| {
            Failure::usage(format!("There is no setting `{}`.", plain(name)))
                .next("`belfry settings` lists them.")
        })?,
        None => &all,
    };
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
    if let Some(command) = name.strip_prefix("keys.") {
        return all.get("keys")?.get(command.trim_matches('"'));
    }
    name.split('.').try_fold(all, |value, part| value.get(part))
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
    match state.error {
        Some(error) => Err(Failure::new(Exit::Failed, "bad_settings", format!("{}, {error}.", state.file))
            .kept("What was in force before it stays in force.")
            .next("Mend the file; it is read again by itself.")),
        None if context.printer.json => Ok(()),
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
        let mut lines = Vec::new();
        leaves("", &all, &mut lines);
        let lines: Vec<String> = lines.into_iter().map(|(path, value)| format!("{path} = {value}")).collect();
        assert_eq!(lines, ["fonts.family = (none)", "fonts.size = 13", "keys.pane.split = [\"Ctrl+D\"]"]);
    }
}
