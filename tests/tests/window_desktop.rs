//! What the page asks of the desktop: a directory, the clipboard, a link outside.

#![cfg(target_os = "linux")]

use anyhow::Result;
use belfry_tests::window::{Desk, Driven, until};
use serde_json::{Value, json};

/// Calls a command of the shell and keeps its answer in `window.answer`.
async fn call(window: &Driven, command: &str, arguments: Value) -> Result<()> {
    let script = "window.answer = undefined;
        window.__TAURI_INTERNALS__.invoke(arguments[0], arguments[1])
            .then((value) => { window.answer = { value } }, (error) => { window.answer = { error } })";
    window.eval_with(script, vec![json!(command), arguments]).await.map(drop)
}

async fn answer(window: &Driven) -> Result<Value> {
    until("answer", async || {
        let answer = window.eval("return window.answer ?? null").await?;
        Ok((!answer.is_null()).then_some(answer))
    })
    .await
}

#[tokio::test]
#[ntest::timeout(120000)]
async fn the_directory_dialog_is_the_desktops_own() -> Result<()> {
    let desk = Desk::new("directory").await?;
    let inside = desk.home().join("a directory with spaces");
    std::fs::create_dir(&inside)?;
    let window = desk.open_bare().await?;
    let dialog = "Choose a directory";

    call(&window, "pick_directory", json!({ "start": inside })).await?;
    until("dialog", async || Ok(desk.active_window().ok().filter(|title| title == dialog))).await?;
    desk.screenshot("dialog");
    desk.press(&["Escape"])?;
    assert_eq!(answer(&window).await?, json!({ "value": null }), "closed without a choice");
    // It answers before it is gone, and would take the keys that are meant for the next one.
    until("end of the dialog", async || Ok(desk.active_window().ok().filter(|title| title != dialog)))
        .await?;

    call(&window, "pick_directory", json!({ "start": inside })).await?;
    until("dialog", async || Ok(desk.active_window().ok().filter(|title| title == dialog))).await?;
    // GTK's key for a field that takes a typed path.
    desk.press(&["ctrl+l", "ctrl+a"])?;
    desk.type_line(&inside.to_string_lossy())?;
    assert_eq!(answer(&window).await?, json!({ "value": inside }));
    Ok(())
}

#[tokio::test]
#[ntest::timeout(120000)]
async fn the_clipboard_goes_both_ways() -> Result<()> {
    let desk = Desk::new("clipboard").await?;
    let window = desk.open_bare().await?;
    for primary in [false, true] {
        let text = format!("ünïcode \u{1f514}\nand a second line, primary: {primary}");
        call(&window, "write_clipboard", json!({ "text": text, "primary": primary })).await?;
        answer(&window).await?;
        call(&window, "read_clipboard", json!({ "primary": primary })).await?;
        assert_eq!(answer(&window).await?, json!({ "value": text }));
    }
    Ok(())
}

#[tokio::test]
#[ntest::timeout(120000)]
async fn a_link_reaches_the_browser_as_one_argument() -> Result<()> {
    let desk = Desk::new("link").await?;
    desk.replace_program(
        "xdg-open",
        "printf '%s\\n' \"$#\" \"$@\" > \"$HOME/opened.part\"; mv \"$HOME/opened.part\" \"$HOME/opened\"",
    )?;
    let window = desk.open_bare().await?;
    call(&window, "open_link", json!({ "url": "https://example.org/a;b?c=$(touch x)#d e" })).await?;
    assert_eq!(answer(&window).await?, json!({ "value": null }));
    let opened = desk.home().join("opened");
    let opened = until("opened link", async || Ok(std::fs::read_to_string(&opened).ok())).await?;
    assert_eq!(opened, "1\nhttps://example.org/a;b?c=$(touch%20x)#d%20e\n");
    Ok(())
}

/// Types a path into GTK's dialog of that title, which is in front.
async fn type_path(desk: &Desk, title: &str, path: &std::path::Path) -> Result<()> {
    until("dialog", async || Ok(desk.active_window().ok().filter(|shown| shown == title))).await?;
    // GTK's key for a field that takes a typed path; in a dialog that saves, the field is there already.
    desk.press(&["ctrl+l", "ctrl+a"])?;
    desk.type_line(&path.to_string_lossy())?;
    until("end of the dialog", async || Ok(desk.active_window().ok().filter(|shown| shown != title))).await?;
    Ok(())
}

#[tokio::test]
#[ntest::timeout(120000)]
async fn a_file_is_saved_where_the_person_says() -> Result<()> {
    let desk = Desk::new("save").await?;
    let window = desk.open_bare().await?;
    let save = "window.answer = undefined;
        const bytes = new Uint8Array(70000).map((_, at) => at % 251);
        window.__TAURI_INTERNALS__.invoke('save_file', bytes, { headers: { 'belfry-name': 'a%20story.cast' } })
            .then((value) => { window.answer = { value } }, (error) => { window.answer = { error } })";
    window.eval(save).await?;
    until("dialog", async || Ok(desk.active_window().ok().filter(|title| title == "Save"))).await?;
    desk.screenshot("dialog");
    desk.press(&["Escape"])?;
    assert_eq!(answer(&window).await?, json!({ "value": null }), "closed without a choice");
    until("end of the dialog", async || Ok(desk.active_window().ok().filter(|title| title != "Save")))
        .await?;

    let path = desk.home().join("mine.cast");
    window.eval(save).await?;
    type_path(&desk, "Save", &path).await?;
    assert_eq!(answer(&window).await?, json!({ "value": path }));
    let bytes = std::fs::read(&path)?;
    assert_eq!(bytes.len(), 70000);
    assert!(bytes.iter().enumerate().all(|(at, byte)| usize::from(*byte) == at % 251));

    let nowhere = desk.home().join("no such directory/mine.cast");
    window.eval(save).await?;
    until("dialog", async || Ok(desk.active_window().ok().filter(|title| title == "Save"))).await?;
    desk.press(&["ctrl+l", "ctrl+a"])?;
    desk.type_line(&nowhere.to_string_lossy())?;
    desk.screenshot("nowhere");
    desk.press(&["Escape", "Escape"])?;
    answer(&window).await?;
    assert!(!nowhere.exists());
    Ok(())
}

#[tokio::test]
#[ntest::timeout(120000)]
async fn a_directory_is_shown_by_the_desktop_and_a_file_is_not() -> Result<()> {
    let desk = Desk::new("folder").await?;
    desk.replace_program(
        "xdg-open",
        "printf '%s\\n' \"$#\" \"$@\" > \"$HOME/opened.part\"; mv \"$HOME/opened.part\" \"$HOME/opened\"",
    )?;
    let inside = desk.home().join("a directory; $(touch x)");
    std::fs::create_dir(&inside)?;
    std::fs::write(desk.home().join("file"), "")?;
    let window = desk.open_bare().await?;
    for wrong in [desk.home().join("file"), desk.home().join("none"), "relative".into()] {
        call(&window, "open_directory", json!({ "path": wrong })).await?;
        assert_eq!(answer(&window).await?["error"]["code"], "bad_request", "{}", wrong.display());
    }
    call(&window, "open_directory", json!({ "path": inside })).await?;
    assert_eq!(answer(&window).await?, json!({ "value": null }));
    let opened = desk.home().join("opened");
    let opened = until("opened directory", async || Ok(std::fs::read_to_string(&opened).ok())).await?;
    assert_eq!(opened, format!("1\n{}\n", inside.display()));
    Ok(())
}

#[tokio::test]
#[ntest::timeout(120000)]
async fn a_theme_comes_from_a_file() -> Result<()> {
    let desk = Desk::new("theme-file").await?;
    let file = desk.home().join("Night sky");
    let colours: Vec<String> = (0..16).map(|number| format!("palette = {number}=#1020{number:02}")).collect();
    std::fs::write(&file, format!("background = #000010\nforeground = #f0f0ff\n{}\n", colours.join("\n")))?;
    desk.configure("[appearance]\ntheme = \"dark\"\n")?;
    let window = desk.open_driven().await?;
    window.click("open-settings").await?;
    let button = window.middle_of(&desk, "[data-testid=import-theme]").await?;
    window.close(&desk).await?;

    // The web view shows a driver no dialog.
    let _window = desk.open_by_hand().await?;
    desk.window_log("the window is linked to the daemon").await?;
    let chosen =
        || std::fs::read_to_string(desk.belfry_home().join("config/settings.toml")).unwrap_or_default();
    let title = "Select File";
    let shown = || desk.active_window().is_ok_and(|shown| shown == title);
    // Nothing tells from outside when the page takes keys, nor what of it is in front.
    until("dialog", async || {
        desk.press(&["Escape", "ctrl+comma"])?;
        desk.click_at(button, None)?;
        until_soon(shown).await;
        Ok(shown().then_some(()))
    })
    .await?;
    desk.screenshot("dialog");
    desk.press(&["ctrl+l", "ctrl+a"])?;
    desk.type_text(&file.to_string_lossy())?;
    until("end of the dialog", async || {
        desk.press(&["Return"])?;
        Ok((!shown()).then_some(()))
    })
    .await?;
    until("chosen theme", async || Ok(chosen().contains("night-sky").then_some(()))).await?;
    desk.screenshot("taken");
    Ok(())
}

/// Waits a moment for what may come.
async fn until_soon(there: impl Fn() -> bool) {
    let look = async {
        while !there() {
            tokio::time::sleep(std::time::Duration::from_millis(20)).await;
        }
    };
    tokio::time::timeout(std::time::Duration::from_secs(2), look).await.ok();
}
