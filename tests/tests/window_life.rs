//! Things die around a session, and it is found exactly as it was.

#![cfg(target_os = "linux")]

use anyhow::{Result, ensure};
use belfry_tests::window::{Desk, Process, until};

/// Fills more than a screen, then waits.
const FILL: &str =
    "i=0; while [ $i -lt 300 ]; do echo line-$i-of-the-story; i=$((i+1)); done; echo end-of-$((300-0))";

#[tokio::test]
#[ntest::timeout(180000)]
async fn a_closed_window_opens_as_it_was() -> Result<()> {
    let desk = Desk::new("reopen").await?;
    let window = desk.open_driven().await?;
    let id = window.start_shell(&desk, "story").await?;
    window.enter(&id, FILL).await?;
    let before = window.session_shows(&id, "end-of-300").await?;
    window.screenshot(&desk, "before").await;
    window.close(&desk).await?;
    ensure!(desk.session(&id)?["status"] != "dead", "the session goes on without a window");

    let window = desk.open_driven().await?;
    let after = window.session_shows(&id, "end-of-300").await?;
    assert_eq!(after, before, "the same screen");
    window.screenshot(&desk, "after").await;
    window.enter(&id, "echo still-$((5+6))").await?;
    window.session_shows(&id, "still-11").await?;
    Ok(())
}

#[tokio::test]
#[ntest::timeout(180000)]
async fn a_killed_window_opens_as_it_was() -> Result<()> {
    let desk = Desk::new("killed-window").await?;
    let window = desk.open_driven().await?;
    let id = window.start_shell(&desk, "story").await?;
    window.enter(&id, FILL).await?;
    let before = window.session_shows(&id, "end-of-300").await?;
    let killed = desk.processes("belfry-desktop");
    ensure!(!killed.is_empty(), "the window's process is found");
    killed.iter().for_each(Process::kill);
    until("end of the window", async || Ok((!killed.iter().any(Process::is_alive)).then_some(()))).await?;
    drop(window);

    let window = desk.open_driven().await?;
    assert_eq!(window.session_shows(&id, "end-of-300").await?, before, "the same screen");
    Ok(())
}

#[tokio::test]
#[ntest::timeout(180000)]
async fn a_killed_daemon_loses_nothing_on_the_screen() -> Result<()> {
    let desk = Desk::new("killed-daemon").await?;
    let window = desk.open_driven().await?;
    let id = window.start_shell(&desk, "counter").await?;
    window
        .enter(
            &id,
            "n=0; while [ ! -e stop ]; do n=$((n+1)); echo number-$n; sleep 0.05; done; echo stopped-at-$n",
        )
        .await?;
    window.session_shows(&id, "number-10").await?;
    for round in 1..=3 {
        let daemons = desk.processes("belfry");
        ensure!(daemons.len() == 1, "one daemon: {daemons:?}");
        daemons.iter().for_each(Process::kill);
        until("new daemon", async || {
            Ok(desk.processes("belfry").into_iter().find(|daemon| !daemons.contains(daemon)))
        })
        .await?;
        window.select("[data-testid=connection][data-state=connected]").await?;
        window.screenshot(&desk, &format!("round-{round}")).await;
    }
    std::fs::write(desk.home().join("stop"), "")?;
    let shown = window.session_shows(&id, "stopped-at-").await?;
    let numbers: Vec<u64> =
        shown.lines().filter_map(|line| line.strip_prefix("number-")?.parse().ok()).collect();
    ensure!(numbers.len() > 5, "numbers are to be seen: {shown}");
    ensure!(numbers.windows(2).all(|pair| pair[1] == pair[0] + 1), "none lost, none doubled: {numbers:?}");
    window.enter(&id, "echo back-$((40+2))").await?;
    window.session_shows(&id, "back-42").await?;
    Ok(())
}

#[tokio::test]
#[ntest::timeout(180000)]
async fn a_killed_page_comes_back_with_its_terminals() -> Result<()> {
    let desk = Desk::new("killed-view").await?;
    let id = desk.start_shell("story")?;
    desk.belfry(&["keys", &id, FILL, "Enter"])?;
    desk.screen_shows(&id, "end-of-300").await?;
    let _window = desk.open_by_hand().await?;
    desk.window_follows().await?;
    // Kept until the page is there; then the terminal has the keyboard before its view is asked for.
    desk.belfry(&["focus", &id])?;
    let views = async || Ok(desk.session(&id)?["views"].as_u64().filter(|views| *views == 1));
    until("view of the session", views).await?;
    // The page keeps its layout once that has settled for a moment.
    desk.type_line("sleep 1; echo settled-$((4+4))")?;
    desk.screen_shows(&id, "settled-8").await?;
    desk.screenshot("before");

    desk.processes("WebKitWebProcess").iter().for_each(Process::kill);
    until("end of the view", async || Ok((desk.session(&id)?["views"] == 0).then_some(()))).await?;
    until("new view of the session", views).await?;
    desk.screenshot("after");
    // No click and no other key: a person who was typing goes on.
    desk.type_line("echo typed-$((1+1))")?;
    desk.screen_shows(&id, "typed-2").await?;
    desk.screenshot("typed");
    Ok(())
}
