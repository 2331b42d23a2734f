//! The key that works in the whole desktop.

#![cfg(target_os = "linux")]

use std::process::Stdio;

use anyhow::Result;
use belfry_tests::window::{Desk, until};

async fn in_front(desk: &Desk) -> Result<()> {
    until("window in front", async || Ok(desk.active_window().ok().filter(|title| title == "Belfry")))
        .await?;
    Ok(())
}

async fn out_of_sight(desk: &Desk) -> Result<()> {
    until("window out of sight", async || Ok(desk.window_size("Belfry").err())).await?;
    Ok(())
}

#[tokio::test]
#[ntest::timeout(180000)]
async fn it_shows_the_window_at_the_oldest_question_and_hides_it_again() -> Result<()> {
    let desk = Desk::new("shortcut").await?;
    desk.add_asker()?;
    let _window = desk.open_by_hand().await?;
    desk.window_follows().await?;
    let size = desk.window_size("Belfry")?;
    desk.press(&["ctrl+alt+b"])?;
    out_of_sight(&desk).await?;

    let (older, _) = desk.start_asker("older")?;
    desk.status(&older, "waiting").await?;
    let (newer, _) = desk.start_asker("newer")?;
    desk.status(&newer, "waiting").await?;
    desk.press(&["ctrl+alt+b"])?;
    in_front(&desk).await?;
    until("view", async || Ok((desk.session(&older)?["views"] == 1).then_some(()))).await?;
    assert_eq!(desk.session(&newer)?["views"], 0);
    assert_eq!(desk.window_size("Belfry")?, size, "as large as before");
    desk.screenshot("oldest");
    desk.press(&["ctrl+alt+b"])?;
    out_of_sight(&desk).await
}

#[tokio::test]
#[ntest::timeout(180000)]
async fn it_can_be_another_key_at_any_time() -> Result<()> {
    let desk = Desk::new("shortcut-change").await?;
    let _window = desk.open_by_hand().await?;
    desk.window_follows().await?;
    desk.configure("[shortcut]\nshow = \"Super+F7\"\n")?;
    desk.window_log("Super+F7").await?;
    // The old one is free again: it goes to whoever has the keyboard.
    desk.press(&["ctrl+alt+b"])?;
    desk.press(&["super+F7"])?;
    out_of_sight(&desk).await?;
    desk.press(&["super+F7"])?;
    in_front(&desk).await
}

#[tokio::test]
#[ntest::timeout(180000)]
async fn where_another_program_has_it_the_window_goes_without() -> Result<()> {
    let desk = Desk::new("shortcut-taken").await?;
    let _first = desk.open_by_hand().await?;
    desk.window_follows().await?;
    // Another home is another application.
    let other = desk.home().join("other");
    let mut second = desk
        .program("belfry-desktop")?
        .env("BELFRY_HOME", &other)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()?;
    let log = other.join("state/log/belfry-desktop.log");
    let told = until("what became of the key", async || {
        Ok(std::fs::read_to_string(&log).ok().filter(|log| log.contains("Taken")))
    })
    .await;
    second.kill()?;
    second.wait()?;
    desk.program("belfry")?.env("BELFRY_HOME", &other).args(["daemon", "stop"]).status()?;
    told.map(drop)
}

#[tokio::test]
#[ntest::timeout(180000)]
async fn the_command_line_brings_the_window_to_who_needs_the_person() -> Result<()> {
    let desk = Desk::new("focus-next").await?;
    desk.add_asker()?;
    let _window = desk.open_by_hand().await?;
    desk.window_follows().await?;
    let (id, _) = desk.start_asker("story")?;
    desk.status(&id, "waiting").await?;
    desk.minimise_window("Belfry")?;
    desk.belfry(&["focus", "--next"])?;
    in_front(&desk).await?;
    until("view", async || Ok((desk.session(&id)?["views"] == 1).then_some(()))).await
}
