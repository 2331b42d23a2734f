//! What the page must not be able to do, tried from the page.

#![cfg(target_os = "linux")]

use std::io::Read;
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
        // WebKit warms a connection up when a link is clicked, before it asks whether it may go there. What counts is
        // that nothing is asked for on it.
        if let Ok((mut warm, _)) = host.accept() {
            warm.set_nonblocking(true)?;
            let said = warm.read(&mut [0; 1]);
            let silent = said.as_ref().is_err_and(|error| error.kind() == std::io::ErrorKind::WouldBlock);
            ensure!(silent || matches!(said, Ok(0)), "{script}: the page asked another host for something");
        }
    }
    Ok(())
}

#[tokio::test]
#[ntest::timeout(120000)]
async fn the_policy_holds_in_the_built_page() -> Result<()> {
    let desk = Desk::new("guards-policy").await?;
    let host = TcpListener::bind(("127.0.0.1", 0))?;
    host.set_nonblocking(true)?;
    let address = host.local_addr()?;
    let window = desk.open_driven().await?;
    for (what, script) in [
        (
            "inline script",
            "const script = document.createElement('script'); script.textContent = 'window.ran = true';
             document.head.append(script); return window.ran ? 'allowed' : 'refused'",
        ),
        ("eval", "try { eval('1'); return 'allowed' } catch { return 'refused' }"),
        (
            "inline handler",
            "document.body.setAttribute('onclick', 'window.ran = true'); document.body.click(); return window.ran ? 'allowed' : 'refused'",
        ),
    ] {
        assert_eq!(window.eval(script).await?, json!("refused"), "{what}");
    }
    for (what, script) in [
        ("request", "fetch(arguments[0]).then(() => done('allowed'), () => done('refused'))"),
        (
            "image",
            "const image = new Image(); image.onload = () => done('allowed'); image.onerror = () => done('refused'); image.src = arguments[0]",
        ),
        (
            "script",
            "const script = document.createElement('script'); script.onload = () => done('allowed'); script.onerror = () => done('refused'); script.src = arguments[0]; document.head.append(script)",
        ),
        (
            "socket",
            "try { const socket = new WebSocket(arguments[0].replace('http', 'ws')); socket.onopen = () => done('allowed'); socket.onerror = () => done('refused') } catch { done('refused') }",
        ),
        (
            "frame",
            "document.addEventListener('securitypolicyviolation', () => done('refused'), { once: true }); const frame = document.createElement('iframe'); frame.src = arguments[0]; document.body.append(frame)",
        ),
    ] {
        let script = format!("const done = arguments[1]; {script}");
        let answer = window.eval_async(&script, vec![json!(format!("http://{address}/"))]).await?;
        assert_eq!(answer, json!("refused"), "{what}");
    }
    let nobody = host.accept().is_err_and(|error| error.kind() == std::io::ErrorKind::WouldBlock);
    ensure!(nobody, "the page connected to another host");
    Ok(())
}
