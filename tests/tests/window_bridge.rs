//! The desktop's bridge, from a page to a socket and back: every byte, in order, and the truth about its end.
//!
//! The daemon's place is taken by a socket of the test, and the page's by a script of it.

#![cfg(target_os = "linux")]

use std::os::unix::fs::DirBuilderExt;

use anyhow::{Context, Result, ensure};
use belfry_tests::window::Desk;
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{UnixListener, UnixStream};

/// Speaks to the bridge as the interface does. Defines `bridge`, with what arrived in `bridge.bytes` and `bridge.lost`.
const SPEAK: &str = r"
    const tauri = window.__TAURI_INTERNALS__;
    const done = arguments[arguments.length - 1];
    const bridge = window.bridge = { bytes: [], count: 0, lost: null, sequence: 0 };
    function channel(take) {
        let next = 0;
        const early = new Map();
        const id = tauri.transformCallback((raw) => {
            if ('end' in raw) return;
            early.set(raw.index, raw.message);
            for (; early.has(next); next++) { const message = early.get(next); early.delete(next); take(message); }
        });
        return `__CHANNEL__:${id}`;
    }
    const onBytes = channel((piece) => {
        const bytes = piece instanceof ArrayBuffer ? new Uint8Array(piece) : Uint8Array.from(piece);
        bridge.bytes.push(bytes);
        bridge.count += bytes.length;
    });
    const onState = channel((state) => { bridge.lost = state; });
    bridge.send = (bytes, link = bridge.link, sequence = bridge.sequence++) => tauri.invoke('send', bytes,
        { headers: { 'belfry-link': String(link), 'belfry-seq': String(sequence) } });
    tauri.invoke('connect', { onBytes, onState }).then(
        (link) => { bridge.link = link; done({ link }); },
        (error) => done({ error }));
";

/// Sends pieces of growing size without waiting for any of them, some of them in the wrong order.
const FLOOD: &str = r"
    const done = arguments[arguments.length - 1];
    const pieces = [];
    let made = 0;
    for (let n = 0; n < 120; n++) {
        const piece = new Uint8Array(1 + n * n * 5);
        for (let i = 0; i < piece.length; i++) piece[i] = made++ % 251;
        pieces.push(piece);
    }
    const order = pieces.map((_, n) => n ^ 1);
    Promise.all(order.map((n) => bridge.send(pieces[n], bridge.link, n))).then(() => done(made), (error) => done({ error }));
";

/// Whether what came back is the pattern that was sent.
const COMPARE: &str = r"
    let at = 0;
    for (const piece of bridge.bytes) for (const byte of piece) if (byte !== at++ % 251) return `wrong at ${at - 1}`;
    return at;
";

#[tokio::test]
#[ntest::timeout(120000)]
async fn carries_every_byte_in_order_and_tells_of_the_end() -> Result<()> {
    let desk = Desk::new("bridge").await?;
    let daemon = stand_in(&desk)?;
    let (stopped, stop) = tokio::sync::oneshot::channel();
    let echo = tokio::spawn(echo_until(daemon, stop));

    let window = desk.open_bare().await?;
    let answer = window.eval_async(SPEAK, vec![]).await?;
    ensure!(answer["link"].is_u64(), "connected: {answer}");
    let sent = window.eval_async(FLOOD, vec![]).await?;
    let sent = sent.as_u64().with_context(|| format!("sent: {sent}"))?;
    belfry_tests::window::until("whole echo", async || {
        Ok((window.eval("return bridge.count").await? == json!(sent)).then_some(()))
    })
    .await?;
    assert_eq!(window.eval(COMPARE).await?, json!(sent), "what came back is what was sent");
    assert_eq!(window.eval("return bridge.lost").await?, Value::Null, "nothing lost yet");

    stopped.send(()).ok();
    echo.await??;
    let lost = belfry_tests::window::until("news of the loss", async || {
        let lost = window.eval("return bridge.lost").await?;
        Ok((!lost.is_null()).then_some(lost))
    })
    .await?;
    assert_eq!(lost["state"], "lost");
    ensure!(lost["message"].as_str().is_some_and(|message| message.ends_with('.')), "{lost}");
    Ok(())
}

#[tokio::test]
#[ntest::timeout(120000)]
async fn refuses_what_makes_no_sense() -> Result<()> {
    let desk = Desk::new("bridge-refusals").await?;
    let daemon = stand_in(&desk)?;
    let (_stopped, stop) = tokio::sync::oneshot::channel();
    tokio::spawn(echo_until(daemon, stop));
    let window = desk.open_bare().await?;
    let answer = window.eval_async(SPEAK, vec![]).await?;
    ensure!(answer["link"].is_u64(), "connected: {answer}");

    for (call, code) in [
        ("bridge.send(new Uint8Array(1), bridge.link + 1)", "link_closed"),
        ("bridge.send(new Uint8Array(1), 'x')", "bad_request"),
        (
            "bridge.send(new Uint8Array(1), bridge.link, 7).then(() => bridge.send(new Uint8Array(1), bridge.link, 7))",
            "bad_request",
        ),
        ("tauri.invoke('send', { text: 'x' })", "bad_request"),
        ("tauri.invoke('open_link', { url: 'file:///etc/passwd' })", "link_refused"),
    ] {
        let script = format!(
            "const tauri = window.__TAURI_INTERNALS__; const done = arguments[0];
             {call}.then(() => done('allowed'), (error) => done(error.code ?? String(error)));"
        );
        assert_eq!(window.eval_async(&script, vec![]).await?, json!(code), "{call}");
    }
    Ok(())
}

/// Listens where this desk's daemon would.
fn stand_in(desk: &Desk) -> Result<UnixListener> {
    let directory = desk.belfry_home().join("run");
    std::fs::DirBuilder::new().recursive(true).mode(0o700).create(&directory)?;
    Ok(UnixListener::bind(directory.join("daemon.sock"))?)
}

/// Gives every peer back what it says, until told to stop; then all are dropped.
async fn echo_until(daemon: UnixListener, mut stop: tokio::sync::oneshot::Receiver<()>) -> Result<()> {
    let mut peers = tokio::task::JoinSet::new();
    loop {
        tokio::select! {
            accepted = daemon.accept() => { peers.spawn(echo(accepted?.0)); }
            _ = &mut stop => return Ok(()),
        }
    }
}

async fn echo(mut peer: UnixStream) -> std::io::Result<()> {
    let mut piece = vec![0; 64 * 1024];
    loop {
        let read = peer.read(&mut piece).await?;
        if read == 0 {
            return Ok(());
        }
        peer.write_all(&piece[..read]).await?;
    }
}
