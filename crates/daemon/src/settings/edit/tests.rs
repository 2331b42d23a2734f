use serde_json::json;

use super::super::names::KnownNames;
use super::super::{known, read as reading};
use super::*;

fn read(text: &str) -> Result<(belfry_protocol::Settings, usize), belfry_protocol::settings::SettingsFault> {
    reading::read(text, &KnownNames::default()).map(|(settings, warnings)| (settings, warnings.len()))
}

fn changed(text: &str, path: &str, json: &serde_json::Value) -> String {
    let parts = parts(path).expect("a path");
    let parts: Vec<&str> = parts.iter().map(String::as_str).collect();
    let new = (!json.is_null()).then(|| value(json).expect("a value"));
    let changed = change(text, &parts, new.as_ref()).expect("it can be changed");
    read(&changed).expect("it is valid");
    changed
}

/// The lines that are only in the one, and those that are only in the other.
fn differ(one: &str, other: &str) -> (Vec<String>, Vec<String>) {
    let only = |one: &str, other: &str| {
        one.lines().filter(|line| !other.lines().any(|same| same == *line)).map(str::to_owned).collect()
    };
    (only(one, other), only(other, one))
}

#[test]
fn in_the_file_that_is_made_one_line_changes_and_changes_back() {
    let made = known::file();
    let dark = changed(&made, "appearance.theme", &json!("dark"));
    let (gone, new) = differ(&made, &dark);
    assert_eq!((gone, new), (vec!["#theme = \"system\"".to_owned()], vec!["theme = \"dark\"".to_owned()]));
    let light = changed(&dark, "appearance.theme", &json!("light"));
    assert_eq!(differ(&dark, &light).1, ["theme = \"light\""]);
    assert_eq!(changed(&light, "appearance.theme", &json!(null)), made);
    let quiet = changed(&made, "notifications.quiet_hours", &json!({"from": "23:00", "to": "06:30"}));
    assert_eq!(differ(&made, &quiet).1, ["quiet_hours = { from = \"23:00\", to = \"06:30\" }"]);
    // The same name in two sections.
    let tray = changed(&made, "tray.show", &json!(false));
    assert_eq!(differ(&made, &tray).1, ["show = false"]);
    assert_eq!(read(&tray).expect("valid").0.shortcut.show, "Ctrl+Alt+B");
}

#[test]
fn names_of_the_persons_own_come_to_their_tables() {
    let made = known::file();
    let keys = changed(&made, "keys.pane.split", &json!(["Ctrl+D", "Alt+Enter"]));
    assert_eq!(read(&keys).expect("valid").0.keys["pane.split"], ["Ctrl+D", "Alt+Enter"]);
    assert_eq!(differ(&made, &keys).1, ["\"pane.split\" = [\"Ctrl+D\", \"Alt+Enter\"]"]);
    assert_eq!(changed(&keys, "keys.\"pane.split\"", &json!(null)), made);

    let agent = changed(&made, "agents.claude.args", &json!(["--verbose"]));
    let agent = changed(&agent, "agents.claude.env.EDITOR", &json!("vi"));
    assert_eq!(
        differ(&made, &agent).1,
        ["[agents.claude]", "args = [\"--verbose\"]", "env = { EDITOR = \"vi\" }"]
    );
    let agent = changed(&agent, "agents.claude.env.EDITOR", &json!(null));
    assert!(read(&agent).expect("valid").0.agents["claude"].env.is_empty());
    let none = changed(&agent, "agents.claude", &json!(null));
    assert!(read(&none).expect("valid").0.agents.is_empty());
}

#[test]
fn what_the_person_wrote_stays() {
    let own = "# mine\nfonts = { size = 14 } # small\n\n[notifications]\n  # why\n  sounds  =  true   # loud\nodd = 1\n\
               [notifications.quiet_hours]\nfrom = \"22:00\"\nto = \"06:00\"\n# the end\n";
    let quiet = changed(own, "notifications.sounds", &json!(false));
    assert_eq!(quiet, own.replace("sounds  =  true ", "sounds  =  false "));
    let large = changed(own, "fonts.size", &json!(20));
    assert_eq!(large, own.replace("14", "20"));
    assert_eq!(changed(own, "fonts.size", &json!(null)), own.replace("{ size = 14 }", "{}"));
    let later = changed(own, "notifications.quiet_hours.to", &json!("07:00"));
    assert_eq!(later, own.replace("06:00", "07:00"));
    let never = changed(own, "notifications.quiet_hours", &json!(null));
    assert!(!never.contains("22:00") && never.contains("sounds  =  true   # loud"), "{never}");
    let tray = changed(own, "tray.show", &json!(false));
    assert!(tray.ends_with("# the end\n\n[tray]\nshow = false\n"), "{tray}");
    let aider = changed(own, "agents.aider.path", &json!("/bin/aider"));
    assert!(aider.ends_with("# the end\n\n[agents.aider]\npath = \"/bin/aider\"\n"), "{aider}");
    assert_eq!(changed(own, "tray.show", &json!(null)), own, "nothing to take out");
    assert_eq!(changed("", "tray.show", &json!(true)).trim(), "[tray]\nshow = true");
}

#[test]
fn a_text_that_looks_like_a_comment_is_none() {
    let own = "[agents.x]\nargs = ['''\n[tray]\n#show = true\n''']\n";
    let shown = changed(own, "tray.show", &json!(false));
    assert_eq!(shown, format!("{own}\n[tray]\nshow = false\n"));
}

#[test]
fn what_is_no_path_and_no_value_is_refused() {
    assert!(matches!(parts("a b"), Err(NotChanged::Path(_))));
    assert!(matches!(parts(""), Err(NotChanged::Path(_))));
    assert!(matches!(value(&json!([null])), Err(NotChanged::Value(_))));
    let size = value(&json!(1)).expect("a value");
    assert_eq!(
        change("fonts = 1", &["fonts", "size"], Some(&size)),
        Err(NotChanged::Shape("fonts.size".to_owned()))
    );
}
