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
