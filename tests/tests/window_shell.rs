//! The window as the desktop sees it: one of it, remembered, and hard to lose.

#![cfg(target_os = "linux")]

use std::process::Stdio;

use anyhow::{Result, ensure};
use belfry_tests::window::{Desk, until};

#[tokio::test]
#[ntest::timeout(120000)]
async fn a_second_launch_shows_the_first_window() -> Result<()> {
    let desk = Desk::new("single-instance").await?;
    let mut first = desk.open_by_hand().await?;
    desk.minimise_window("Belfry")?;
    until("minimised window", async || Ok(desk.active_window().err())).await?;

    let mut second = desk.program("belfry-desktop")?;
    let status = second.stdout(Stdio::null()).stderr(Stdio::null()).status()?;
    ensure!(status.success(), "the second launch ended with {status}");
    until("window in front again", async || Ok(desk.active_window().ok().filter(|title| title == "Belfry")))
        .await?;
    assert!(first.process().is_alive());

    desk.close_focused_window()?;
    assert_eq!(first.ended().await?, Some(0), "closing the window ends its program");
    Ok(())
}

#[tokio::test]
#[ntest::timeout(120000)]
async fn the_window_comes_back_with_its_size() -> Result<()> {
    let desk = Desk::new("window-state").await?;
    let mut window = desk.open_by_hand().await?;
    desk.resize_window("Belfry", 1010, 640)?;
    until("new size", async || Ok((desk.window_size("Belfry")? == (1010, 640)).then_some(()))).await?;
    desk.close_focused_window()?;
    window.ended().await?;

    let _window = desk.open_by_hand().await?;
    until("remembered size", async || Ok((desk.window_size("Belfry")? == (1010, 640)).then_some(()))).await?;
    Ok(())
}

#[tokio::test]
#[ntest::timeout(120000)]
async fn a_killed_page_comes_back() -> Result<()> {
    let desk = Desk::new("killed-page").await?;
    let window = desk.open_by_hand().await?;
    // Asked for by the page, so it runs.
    desk.window_log("the window is linked to the daemon").await?;
    let page = async || Ok(desk.processes("WebKitWebProcess").into_iter().next());
    let first = until("process of the page", page).await?;
    first.kill();
    let second = until("new process of the page", async || {
        Ok(desk.processes("WebKitWebProcess").into_iter().find(|process| *process != first))
    })
    .await?;
    assert!(second.is_alive() && window.process().is_alive());
    desk.screenshot("after");
    Ok(())
}

#[tokio::test]
#[ntest::timeout(120000)]
async fn a_page_that_is_killed_before_it_was_there_comes_back() -> Result<()> {
    let desk = Desk::new("killed-early").await?;
    let mut window = desk.program("belfry-desktop")?;
    let mut window = window.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn()?;
    let mut killed = Vec::new();
    // The second one is the first that is loaded anew.
    while killed.len() < 2 {
        let page = until("process of the page", async || {
            let mut pages = desk.processes("WebKitWebProcess").into_iter();
            // WebKit itself gives up where one ends before it has said who it is, which this thread follows on.
            Ok(pages.find(|page| !killed.contains(page) && page.has_thread("ReceiveQueue")))
        })
        .await?;
        page.kill();
        killed.push(page);
    }
    let came = desk.window_log("the window is linked to the daemon").await;
    desk.screenshot("after");
    window.kill()?;
    window.wait()?;
    came
}
