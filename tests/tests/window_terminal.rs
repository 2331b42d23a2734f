//! A terminal in the real window: links, and letters in other sizes.

#![cfg(target_os = "linux")]

use anyhow::{Context, Result};
use belfry_tests::window::{Desk, Driven, terminal, until};
use serde_json::json;

/// Where a text was printed last in a session's terminal, on the screen.
async fn place_of(desk: &Desk, window: &Driven, id: &str, text: &str) -> Result<(i64, i64)> {
    let script =
        "for (const row of [...document.querySelectorAll(arguments[0] + ' .xterm-rows > *')].reverse()) {
            const at = row.textContent.indexOf(arguments[1]);
            if (at < 0) continue;
            const range = document.createRange();
            const walker = document.createTreeWalker(row, NodeFilter.SHOW_TEXT);
            let before = 0;
            for (let node = walker.nextNode(); node; node = walker.nextNode()) {
                if (at < before + node.length) {
                    range.setStart(node, at - before);
                    range.setEnd(node, at - before + 1);
                    const { left, top, width, height } = range.getBoundingClientRect();
                    return [left + width / 2, top + height / 2];
                }
                before += node.length;
            }
        }
        return null";
    let place = until(text, async || {
        let place = window.eval_with(script, vec![json!(terminal(id)), json!(text)]).await?;
        Ok((!place.is_null()).then_some(place))
    })
    .await?;
    window.on_screen(desk, &place).await
}

#[tokio::test]
#[ntest::timeout(180000)]
async fn a_link_is_opened_by_ctrl_and_a_click_and_by_nothing_else() -> Result<()> {
    let desk = Desk::new("links").await?;
    desk.replace_program("xdg-open", "printf '%s\\n' \"$@\" >> \"$HOME/opened\"")?;
    let window = desk.open_driven().await?;
    let id = window.start_shell(&desk, "links").await?;
    let lines = r"printf 'plain: https://example.org/plain?a=1 \n'; printf 'named: \033]8;;https://example.org/named\033\\manual\033]8;;\033\\ \n'; printf 'wrong: \033]8;;file:///etc/passwd\033\\secret\033]8;;\033\\ \n'; echo pri''nted";
    window.enter(&id, lines).await?;
    window.session_shows(&id, "printed").await?;
    let opened = || std::fs::read_to_string(desk.home().join("opened")).unwrap_or_default();
    let clicked = async |text: &str, held: Option<&str>| -> Result<()> {
        let place = place_of(&desk, &window, &id, text).await?;
        // The terminal looks for a link when the mouse comes to it.
        desk.point((place.0 - 1, place.1))?;
        desk.click_at(place, held)
    };
    desk.focus_window("Belfry")?;

    clicked("example.org/plain", None).await?;
    // Elsewhere in it, so that the two are no double click.
    clicked("?a=1", Some("ctrl")).await?;
    until("opened link", async || Ok((opened() == "https://example.org/plain?a=1\n").then_some(()))).await?;
    desk.screenshot("plain");
    clicked("secret ", Some("ctrl")).await?;
    clicked("manual ", Some("ctrl")).await?;
    until("opened link", async || Ok((opened().ends_with("https://example.org/named\n")).then_some(())))
        .await?;
    assert_eq!(opened(), "https://example.org/plain?a=1\nhttps://example.org/named\n");
    Ok(())
}

#[tokio::test]
#[ntest::timeout(180000)]
async fn keys_make_letters_larger_and_smaller_and_the_page_is_zoomed() -> Result<()> {
    let desk = Desk::new("zoom").await?;
    let window = desk.open_driven().await?;
    let id = window.start_shell(&desk, "zoom").await?;
    // Not the columns: letters of several sizes can be as wide.
    let rows = || desk.session(&id)?["rows"].as_u64().context("no size");
    let became = async |what: &str, fits: &dyn Fn(u64) -> bool| {
        until(what, async || Ok(Some(rows()?).filter(|rows| fits(*rows)))).await
    };
    desk.focus_window("Belfry")?;
    let usual = rows()?;
    desk.press(&["ctrl+plus", "ctrl+equal"])?;
    let fewer = became("larger letters", &|rows| rows < usual).await?;
    desk.screenshot("larger");
    desk.press(&["ctrl+0"])?;
    became("usual letters", &|rows| rows == usual).await?;
    desk.press(&["ctrl+minus"])?;
    became("smaller letters", &|rows| rows > usual).await?;
    desk.press(&["ctrl+0"])?;
    became("usual letters", &|rows| rows == usual).await?;

    desk.belfry(&["settings", "set", "appearance.scale", "150"])?;
    became("larger page", &|rows| rows < usual).await?;
    desk.screenshot("page");
    // A larger page has letters as large as the person wants them, and clicks where they are.
    desk.type_line("printf '\\033[?1000h\\033[?1006h'; echo tar''get; cat -v")?;
    let place = place_of(&desk, &window, &id, "target").await?;
    desk.click_at(place, None)?;
    window.session_shows(&id, "^[[<0;1;").await?;
    assert!(fewer < usual);
    Ok(())
}
