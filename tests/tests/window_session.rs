//! Working in the window: a session from the dialog, keys and their echo, paste, sizes, several sessions.

#![cfg(target_os = "linux")]

use anyhow::{Context, Result, ensure};
use belfry_tests::window::{Desk, row, until};
use fantoccini::key::Key;
use serde_json::json;

#[tokio::test]
#[ntest::timeout(180000)]
async fn a_session_from_the_dialog_echoes_what_is_typed() -> Result<()> {
    let desk = Desk::new("session").await?;
    let window = desk.open_driven().await?;
    window.screenshot(&desk, "empty").await;
    window.click("new-session").await?;
    window.element("agent-shell").await?;
    window.screenshot(&desk, "dialog").await;
    window.element("name").await?.send_keys(&String::from(char::from(Key::Escape))).await?;
    until("closed dialog", async || Ok(window.maybe("new-session-dialog").await?.is_none().then_some(())))
        .await?;

    let id = window.start_shell(&desk, "first").await?;
    window.enter(&id, "echo told-$((20+3))").await?;
    window.session_shows(&id, "told-23").await?;
    window.screenshot(&desk, "echo").await;

    let session = desk.session(&id)?;
    assert_eq!(session["agent"], "shell");
    assert_eq!(session["cwd"].as_str(), desk.home().to_str());
    ensure!(desk.screen_shows(&id, "told-23").await?.contains("told-23"));
    Ok(())
}

#[tokio::test]
#[ntest::timeout(180000)]
async fn a_megabyte_is_pasted_whole() -> Result<()> {
    let desk = Desk::new("paste").await?;
    let window = desk.open_driven().await?;
    let id = window.start_shell(&desk, "paste").await?;
    window.enter(&id, "stty -echo; cat > pasted; echo saved").await?;
    desk.screen_shows(&id, "cat > pasted").await?;

    let mut text = String::new();
    while text.len() < 1_000_000 {
        text.push_str("the quick brown fox jumps over the lazy dog, line after line\n");
    }
    let script = "const done = arguments[1];
        window.__TAURI_INTERNALS__.invoke('write_clipboard', { text: arguments[0] }).then(() => done('ok'), done)";
    assert_eq!(window.eval_async(script, vec![json!(text)]).await?, json!("ok"));
    until("focused window", async || Ok(desk.active_window().ok().filter(|title| title == "Belfry"))).await?;
    desk.press(&["ctrl+shift+v"])?;
    // The program does not mark pastes, so several lines are asked about.
    window.click("question-agree").await?;
    let pasted = desk.home().join("pasted");
    until("whole paste", async || {
        let length = std::fs::metadata(&pasted)?.len();
        Ok((length >= text.len() as u64).then_some(()))
    })
    .await?;
    window.enter(&id, "").await?;
    window.control(&id, 'd').await?;
    desk.screen_shows(&id, "saved").await?;
    let saved = std::fs::read_to_string(&pasted)?;
    ensure!(saved.trim_end() == text.trim_end(), "what was saved differs from what was pasted");
    Ok(())
}

#[tokio::test]
#[ntest::timeout(180000)]
async fn a_new_size_reaches_the_program() -> Result<()> {
    let desk = Desk::new("resize").await?;
    let window = desk.open_driven().await?;
    let id = window.start_shell(&desk, "size").await?;
    let size = || -> Result<(u64, u64)> {
        let session = desk.session(&id)?;
        let number = |name: &str| session[name].as_u64().with_context(|| format!("no {name}"));
        Ok((number("cols")?, number("rows")?))
    };
    let before = size()?;
    desk.resize_window("Belfry", 900, 500)?;
    let after = until("smaller terminal", async || {
        let now = size()?;
        Ok((now.0 < before.0 && now.1 < before.1).then_some(now))
    })
    .await?;
    window.enter(&id, "echo size $(stty size) is").await?;
    window.session_shows(&id, &format!("size {} {} is", after.1, after.0)).await?;
    window.screenshot(&desk, "small").await;
    Ok(())
}

#[tokio::test]
#[ntest::timeout(180000)]
async fn sessions_are_switched_and_seen_side_by_side() -> Result<()> {
    let desk = Desk::new("switch").await?;
    let window = desk.open_driven().await?;
    let first = window.start_shell(&desk, "first").await?;
    window.enter(&first, "echo this is number $((0+1))").await?;
    window.session_shows(&first, "number 1").await?;
    let second = window.start_shell(&desk, "second").await?;
    window.enter(&second, "echo this is number $((1+1))").await?;
    window.session_shows(&second, "number 2").await?;

    window.show(&first).await?;
    window.session_shows(&first, "number 1").await?;
    ensure!(
        window.session_text(&second).await?.is_empty(),
        "a session that is not shown has no live terminal on the page"
    );
    window.show(&second).await?;
    window.session_shows(&second, "number 2").await?;

    let click = "document.querySelector(arguments[0]).dispatchEvent(new MouseEvent('click', { bubbles: true, ctrlKey: true }))";
    window.eval_with(click, vec![json!(row(&first))]).await?;
    window.session_shows(&first, "number 1").await?;
    window.session_shows(&second, "number 2").await?;
    until("two panes", async || Ok((window.count("[data-testid=pane]").await? == 2).then_some(()))).await?;
    for id in [&first, &second] {
        until("size of half a window", async || {
            Ok(desk.session(id)?["cols"].as_u64().filter(|cols| *cols < 80))
        })
        .await?;
    }
    window.screenshot(&desk, "beside").await;
    Ok(())
}
