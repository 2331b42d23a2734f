//! The tray: how sessions are at a glance, the way to who needs the person, and the way out.

#![cfg(target_os = "linux")]

use anyhow::{Result, ensure};
use belfry_tests::window::{Desk, until};

/// The menu where nothing needs the person.
const QUIET: [&str; 7] =
    ["Nothing needs you", "", "New session…", "Show window", "Do not disturb", "", "Quit"];

#[tokio::test]
#[ntest::timeout(180000)]
async fn it_shows_who_needs_the_person_and_leads_there() -> Result<()> {
    let desk = Desk::new("tray").await?;
    let panel = desk.panel()?;
    desk.add_asker()?;
    let _window = desk.open_by_hand().await?;
    let menu = async |wanted: &[&str]| {
        let what = format!("menu {wanted:?}");
        until(&what, async || Ok((desk.tray_menu()? == wanted).then_some(()))).await
    };
    menu(&QUIET).await?;
    let quiet = desk.tray_item()?;
    assert_eq!(quiet["Status"], "Active");
    assert_eq!(quiet["Title"], "Belfry");
    ensure!(quiet["ToolTip"].to_string().contains("Nothing is going on"), "{}", quiet["ToolTip"]);

    let (id, asked_in) = desk.start_asker("with_one")?;
    desk.status(&id, "waiting").await?;
    let mut waiting = QUIET;
    // Two underscores are one to a menu.
    waiting[0] = "with__one: touch x";
    menu(&waiting).await?;
    let item = desk.tray_item()?;
    assert_eq!(item["Status"], "NeedsAttention");
    ensure!(item["ToolTip"].to_string().contains("1 waiting"), "{}", item["ToolTip"]);
    ensure!(item["IconPixmap"] != quiet["IconPixmap"], "another icon");

    desk.minimise_window("Belfry")?;
    desk.click_tray("with__one: touch x")?;
    until("window in front", async || Ok(desk.active_window().ok().filter(|title| title == "Belfry")))
        .await?;
    until("view", async || Ok((desk.session(&id)?["views"] == 1).then_some(()))).await?;
    // Its terminal has the keyboard.
    desk.press(&["1"])?;
    desk.screenshot("answered");
    until("answer", async || Ok(std::fs::read_to_string(asked_in.join("chosen")).ok())).await?;
    menu(&QUIET).await?;

    desk.click_tray("Do not disturb")?;
    until("setting", async || {
        let menu = desk.tray_item()?["ToolTip"].to_string();
        Ok(menu.contains("do not disturb").then_some(()))
    })
    .await?;
    let file = std::fs::read_to_string(desk.belfry_home().join("config/settings.toml"))?;
    ensure!(file.contains("do_not_disturb = true"), "{file}");

    // A desktop that is started anew gets its icon again.
    drop(panel);
    let _panel = desk.panel()?;
    menu(&QUIET).await
}

#[tokio::test]
#[ntest::timeout(180000)]
async fn the_window_goes_there_where_that_is_set_and_only_while_there_is_one() -> Result<()> {
    let desk = Desk::new("tray-close").await?;
    let panel = desk.panel()?;
    desk.configure("[tray]\nclose_to_tray = true\n")?;
    let mut window = desk.open_by_hand().await?;
    until("tray", async || Ok(desk.tray_menu().ok())).await?;

    desk.close_focused_window()?;
    until("window out of sight", async || Ok(desk.window_size("Belfry").err())).await?;
    ensure!(window.process().is_alive(), "it goes on without its window");
    desk.activate_tray()?;
    until("window in front", async || Ok(desk.active_window().ok().filter(|title| title == "Belfry")))
        .await?;

    drop(panel);
    desk.window_log("no panel shows the tray").await?;
    desk.close_focused_window()?;
    assert_eq!(window.ended().await?, Some(0), "nobody would find it again");
    Ok(())
}

#[tokio::test]
#[ntest::timeout(180000)]
async fn quitting_leaves_sessions_running_unless_the_person_says_otherwise() -> Result<()> {
    let desk = Desk::new("tray-quit").await?;
    let _panel = desk.panel()?;
    let id = desk.start_shell("story")?;
    let asked = async |desk: &Desk| {
        // The tray knows the session once it counts it.
        until("counted session", async || {
            let tip = desk.tray_item()?["ToolTip"].to_string();
            Ok(["running", "idle", "done"].iter().any(|word| tip.contains(word)).then_some(()))
        })
        .await?;
        desk.click_tray("Quit")?;
        let title = "Quit Belfry?";
        until("question", async || Ok(desk.active_window().ok().filter(|active| active == title))).await
    };
    let mut window = desk.open_by_hand().await?;
    asked(&desk).await?;
    desk.screenshot("question");
    desk.press(&["Escape"])?;
    until("window in front", async || Ok(desk.active_window().ok().filter(|title| title == "Belfry")))
        .await?;
    ensure!(window.process().is_alive());

    asked(&desk).await?;
    desk.press(&["Return"])?;
    assert_eq!(window.ended().await?, Some(0));
    ensure!(desk.session(&id)?["status"] != "dead", "the session goes on");

    let mut window = desk.open_by_hand().await?;
    asked(&desk).await?;
    desk.press(&["Left", "Return"])?;
    assert_eq!(window.ended().await?, Some(0));
    assert_eq!(desk.session(&id)?["status"], "dead");
    Ok(())
}
