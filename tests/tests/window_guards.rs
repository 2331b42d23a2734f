//! What the page must not be able to do, tried from the page.

#![cfg(target_os = "linux")]

use std::net::TcpListener;

use anyhow::{Result, ensure};
use belfry_tests::window::Desk;
use serde_json::json;

#[tokio::test]
#[ntest::timeout(120000)]
async fn the_page_reaches_nothing_but_the_bridge() -> Result<()> {
    let desk = Desk::new("guards").await?;
    let window = desk.open_bare().await?;
    for command in [
        "plugin:fs|read_text_file",
        "plugin:fs|write_file",
        "plugin:shell|execute",
        "plugin:shell|open",
        "plugin:dialog|open",
        "plugin:path|resolve_directory",
        "plugin:window|create",
        "plugin:webview|create_webview_window",
        "plugin:window|set_title",
        "plugin:event|listen",
        "plugin:event|emit",
        "plugin:window-state|save_window_state",
        "run",
    ] {
        let script = "const done = arguments[1];
            window.__TAURI_INTERNALS__.invoke(arguments[0], {}).then(() => done('allowed'), (error) => done(String(error)));";
        let answer = window.eval_async(script, vec![json!(command)]).await?;
        let answer = answer.as_str().unwrap_or_default();
        ensure!(answer.contains("not allowed") || answer.contains("not found"), "{command}: {answer}");
    }
    assert_eq!(window.eval("return typeof window.__TAURI__").await?, json!("undefined"));
    Ok(())
}

#[tokio::test]
#[ntest::timeout(120000)]
async fn the_page_stays_where_it_is() -> Result<()> {
    let desk = Desk::new("guards-navigation").await?;
    let host = TcpListener::bind(("127.0.0.1", 0))?;
    host.set_nonblocking(true)?;
    let elsewhere = format!("http://{}/", host.local_addr()?);
    let window = desk.open_bare().await?;
    let here = window.address().await?;
    for script in [
        "location.href = arguments[0]",
        "window.open(arguments[0])",
        "location.href = 'file:///etc/passwd'",
        "location.href = 'data:text/html,<p>elsewhere</p>'",
        "const link = document.createElement('a'); link.href = arguments[0]; document.body.append(link); link.click()",
    ] {
        window.eval_with(script, vec![json!(elsewhere)]).await?;
        // A refused navigation leaves no trace to wait for; an allowed one would have begun before the page's next
        // task, which this waits out.
        window.eval_async("setTimeout(arguments[0], 100)", vec![]).await?;
        assert_eq!(window.address().await?, here, "{script}");
        let nobody = host.accept().is_err_and(|error| error.kind() == std::io::ErrorKind::WouldBlock);
        ensure!(nobody, "{script}: the page connected to another host");
    }
    Ok(())
}
