//! Notifications on the desktop, by a server that people have and by one that lets each action be pressed.

#![cfg(target_os = "linux")]

use anyhow::{Result, ensure};
use belfry_tests::window::{Desk, until};

#[tokio::test]
#[ntest::timeout(180000)]
async fn a_click_opens_the_session_and_gives_it_the_keyboard() -> Result<()> {
    let desk = Desk::new("notification").await?;
    let _dunst = desk.dunst().await?;
    desk.add_asker()?;
    let _window = desk.open_by_hand().await?;
    desk.window_follows().await?;
    let (id, asked_in) = desk.start_asker("story")?;
    let displayed = async |number: &str| {
        until(&format!("{number} notifications"), async || {
            Ok((desk.dunstctl(&["count", "displayed"])? == number).then_some(()))
        })
        .await
    };
    displayed("1").await?;
    desk.screenshot("dunst");
    desk.minimise_window("Belfry")?;
    desk.dunstctl(&["action", "0"])?;
    until("window in front", async || Ok(desk.active_window().ok().filter(|title| title == "Belfry")))
        .await?;
    until("view", async || Ok((desk.session(&id)?["views"] == 1).then_some(()))).await?;
    desk.press(&["1"])?;
    until("answer", async || Ok(std::fs::read_to_string(asked_in.join("chosen")).ok())).await?;
    displayed("0").await
}

#[tokio::test]
#[ntest::timeout(180000)]
async fn allow_and_deny_answer_and_what_is_over_is_withdrawn() -> Result<()> {
    let desk = Desk::new("notification-answer").await?;
    let _notices = desk.notices()?;
    desk.add_asker()?;
    let _window = desk.open_by_hand().await?;
    desk.window_follows().await?;
    for (name, action, key) in [("first", "allow", "1"), ("second", "deny", "3")] {
        let (_, asked_in) = desk.start_asker(name)?;
        let notice = desk.notice(name).await?;
        assert_eq!(
            notice["actions"],
            serde_json::json!(["default", "Open", "allow", "Allow", "deny", "Deny"])
        );
        ensure!(notice["body"].as_str().is_some_and(|body| body.contains("touch x")), "{notice}");
        assert_eq!(notice["timeout"], 0, "a question stays while it is open");
        desk.press_notice(&notice, action)?;
        let chosen =
            until("answer", async || Ok(std::fs::read_to_string(asked_in.join("chosen")).ok())).await?;
        assert_eq!(chosen.trim(), key);
    }

    let (id, _) = desk.start_asker("third")?;
    desk.notice("third").await?;
    desk.belfry(&["answer", &id, "1"])?;
    until("withdrawal", async || {
        let third = |notice: &serde_json::Value| {
            notice["summary"].as_str().is_some_and(|s| s.contains("third waits"))
        };
        Ok((!desk.noticed()?.iter().any(third)).then_some(()))
    })
    .await
}

#[tokio::test]
#[ntest::timeout(180000)]
async fn texts_of_programs_are_no_markup() -> Result<()> {
    let desk = Desk::new("notification-text").await?;
    let _notices = desk.notices()?;
    let _window = desk.open_by_hand().await?;
    desk.window_follows().await?;
    let home = desk.home();
    let asks = "printf 'Overwrite <b>all</b> & more? [y/N] '; read -r answer";
    let cwd = home.to_string_lossy();
    desk.belfry(&["new", "--agent", "shell", "--cwd", &cwd, "--name", "hostile", "--", "sh", "-c", asks])?;
    let notice = desk.notice("hostile").await?;
    let body = notice["body"].as_str().unwrap_or_default();
    ensure!(body.contains("Overwrite &lt;b&gt;all&lt;/b&gt; &amp; more?"), "{notice}");
    Ok(())
}

#[tokio::test]
#[ntest::timeout(180000)]
async fn without_a_server_nothing_hangs_and_one_that_comes_later_is_used() -> Result<()> {
    let desk = Desk::new("notification-none").await?;
    desk.add_asker()?;
    desk.replace_program("pw-play", "printf '%s\\n' \"$1\" >> \"$HOME/played\"")?;
    let _window = desk.open_by_hand().await?;
    desk.window_follows().await?;
    let (_, _) = desk.start_asker("early")?;
    desk.window_log("a notification is not shown").await?;
    let played =
        until("sound", async || Ok(std::fs::read_to_string(desk.home().join("played")).ok())).await?;
    ensure!(played.contains("waiting-60.wav"), "{played}");
    let file = std::path::Path::new(played.trim());
    ensure!(std::fs::read(file)?.starts_with(b"RIFF"), "{played}");

    // The next daemon is followed as the first one was.
    for daemon in desk.processes("belfry") {
        daemon.kill();
    }
    let _notices = desk.notices()?;
    let (_, asked_in) = desk.start_asker("late")?;
    let notice = desk.notice("late").await?;
    desk.press_notice(&notice, "allow")?;
    until("answer", async || Ok(std::fs::read_to_string(asked_in.join("chosen")).ok())).await?;
    Ok(())
}

#[tokio::test]
#[ntest::timeout(180000)]
async fn a_session_that_is_looked_at_calls_nobody_until_the_person_looks_elsewhere() -> Result<()> {
    let desk = Desk::new("notification-seen").await?;
    let _notices = desk.notices()?;
    desk.add_asker()?;
    let _window = desk.open_by_hand().await?;
    desk.window_follows().await?;
    let id = desk.start_shell("seen")?;
    desk.belfry(&["focus", &id])?;
    until("view", async || Ok((desk.session(&id)?["views"] == 1).then_some(()))).await?;
    let calls = |text: &str| -> Result<bool> {
        let titles = desk.noticed()?;
        Ok(titles.iter().any(|notice| notice["summary"].as_str().is_some_and(|title| title.contains(text))))
    };

    desk.type_line("printf 'Overwrite? [y/N] '; read answer")?;
    desk.status(&id, "waiting").await?;
    // What comes later and is told shows that this one is not.
    let (other, _) = desk.start_asker("other")?;
    desk.notice("other").await?;
    ensure!(!calls("seen")?, "the person sees it");
    desk.belfry(&["answer", &other, "1"])?;
    desk.type_line("y")?;

    desk.minimise_window("Belfry")?;
    desk.belfry(&["keys", &id, "printf 'Again? [y/N] '; read answer", "Enter"])?;
    desk.notice("seen").await.map(drop)
}

#[tokio::test]
#[ntest::timeout(180000)]
async fn the_bell_lists_what_called_and_answers_it() -> Result<()> {
    let desk = Desk::new("bell").await?;
    let _notices = desk.notices()?;
    desk.add_asker()?;
    let window = desk.open_driven().await?;
    let (_, first) = desk.start_asker("first")?;
    let (_, _) = desk.start_asker("second")?;
    desk.notice("first").await?;
    desk.notice("second").await?;
    let unread = async || {
        window.eval("return document.querySelector('[data-testid=bell-unread]')?.textContent ?? null").await
    };
    until("two unread", async || Ok((unread().await? == "2").then_some(()))).await?;

    window.click("bell").await?;
    until("two in the list", async || {
        Ok((window.count("[data-testid=notification]").await? == 2).then_some(()))
    })
    .await?;
    window.screenshot(&desk, "light").await;
    window.eval("document.documentElement.dataset.theme = 'dark'").await?;
    window.screenshot(&desk, "dark").await;
    let press = "[...document.querySelectorAll('[data-testid=notification]')]
        .find((one) => one.textContent.includes(arguments[0])).querySelector(arguments[1]).click()";
    let allow = vec!["first".into(), "[data-testid=notification-allow]".into()];
    // A question that has just come is not answered by a press that was meant for another.
    let chosen = until("answer", async || {
        window.eval_with(press, allow.clone()).await.ok();
        Ok(std::fs::read_to_string(first.join("chosen")).ok())
    })
    .await?;
    assert_eq!(chosen.trim(), "1");

    window.click("do-not-disturb").await?;
    until("setting", async || {
        let file =
            std::fs::read_to_string(desk.belfry_home().join("config/settings.toml")).unwrap_or_default();
        Ok(file.contains("do_not_disturb = true").then_some(()))
    })
    .await?;
    window.select("[data-testid=do-not-disturb][aria-pressed=true]").await?;
    // By the screen: the driver's pictures can be of a moment before.
    desk.screenshot("quiet");
    // Closed, all that was listed has been seen, and leaves the desktop too.
    window.click("bell").await?;
    until("nothing unread", async || Ok(unread().await?.is_null().then_some(()))).await?;
    until("empty desktop", async || Ok(desk.noticed()?.is_empty().then_some(()))).await
}
