//! `belfry serve`: who gets in, who does not, and the stream behind it.

use belfry_protocol::frame::{Frame, FrameDecoder};
use belfry_protocol::{ClientMessage, DaemonMessage, PROTOCOL, Request};
use belfry_tests::cli::{Belfry, Browser};
use futures_util::{SinkExt, StreamExt};
use ntest::timeout;
use tokio_tungstenite::tungstenite::Message;

type Headers<'a> = Vec<(&'a str, &'a str)>;

#[test]
#[timeout(60000)]
fn nobody_gets_in_without_the_secret_from_the_right_place() {
    let belfry = Belfry::new();
    let browser = Browser::start(&belfry);
    let host = browser.host();
    let (pass, origin) = (browser.pass(), format!("http://{host}"));
    let bearer = format!("Bearer {}", browser.token);
    let upgrade = [
        ("Connection", "Upgrade"),
        ("Upgrade", "websocket"),
        ("Sec-WebSocket-Version", "13"),
        ("Sec-WebSocket-Key", "dGhlIHNhbXBsZSBub25jZQ=="),
    ];
    let wrong_cookie = format!("{}={}", browser.cookie, "0".repeat(64));
    let other_cookie = format!("belfry-1={}", browser.token);
    let shorter = format!("Bearer {}", &browser.token[..63]);
    let foreign_port = format!("127.0.0.1:{}", browser.port - 1);
    let localhost = format!("http://localhost:{}", browser.port);
    let secure = format!("https://{host}");
    let (h, c, a, o) = ("Host", "Cookie", "Authorization", "Origin");
    let cases: [(&str, Headers<'_>, u16); 17] = [
        ("no secret", vec![(h, &host), ("Sec-Fetch-Site", "none"), (o, &origin)], 401),
        ("no secret, bare", vec![(h, &host), (o, &origin)], 401),
        ("a wrong cookie", vec![(h, &host), (o, &origin), (c, &wrong_cookie)], 401),
        ("another's cookie", vec![(h, &host), (o, &origin), (c, &other_cookie)], 401),
        ("a short secret", vec![(h, &host), (o, &origin), (a, &shorter)], 401),
        ("an empty secret", vec![(h, &host), (o, &origin), (a, "Bearer ")], 401),
        ("a foreign host", vec![(h, "evil.example"), (o, &origin), (c, &pass)], 421),
        ("another port", vec![(h, &foreign_port), (o, &origin), (c, &pass)], 421),
        ("no host", vec![(o, &origin), (c, &pass)], 421),
        ("a foreign origin", vec![(h, &host), (o, "http://evil.example"), (c, &pass)], 403),
        ("a null origin", vec![(h, &host), (o, "null"), (c, &pass)], 403),
        ("our other name", vec![(h, &host), (o, &localhost), (c, &pass)], 403),
        ("another scheme", vec![(h, &host), (o, &secure), (c, &pass)], 403),
        ("a foreign page", vec![(h, &host), ("Sec-Fetch-Site", "cross-site"), (c, &pass)], 403),
        ("another port's page", vec![(h, &host), ("Sec-Fetch-Site", "same-site"), (c, &pass)], 403),
        ("two origins", vec![(h, &host), (o, &origin), (o, "http://evil.example"), (c, &pass)], 400),
        ("two hosts", vec![(h, &host), (h, "evil.example"), (o, &origin), (c, &pass)], 400),
    ];
    for (what, headers, status) in &cases {
        for target in ["/", "/index.html", "/no/such/file", "/socket"] {
            let headers = [headers.as_slice(), if target == "/socket" { &upgrade } else { &[] }].concat();
            let answer = browser.send("GET", target, &headers);
            // hyper itself answers 400 to what is no request at all.
            let refused = answer.status == *status || (answer.status == 400 && *status == 421);
            assert!(refused, "{what} at {target}: {answer:?}");
            assert!(!format!("{answer:?}").contains(&browser.token), "{what}: the secret is given away");
        }
    }
    let missing_origin = [[(h, host.as_str()), (c, pass.as_str())].as_slice(), &upgrade].concat();
    assert_eq!(browser.send("GET", "/socket", &missing_origin).status, 403, "a socket needs an origin");
    for method in ["POST", "PUT", "DELETE", "OPTIONS", "PATCH"] {
        let answer =
            browser.send(method, "/", &[(h, &host), (o, &origin), (c, &pass), ("Content-Length", "0")]);
        assert_eq!(answer.status, 405, "{method}");
    }
    // And the right ones do.
    for headers in [vec![(h, host.as_str()), (c, &pass)], vec![(h, &host), (a, &bearer), (o, &origin)]] {
        let answer = browser.send("GET", "/", &headers);
        assert!([200, 404].contains(&answer.status), "{answer:?}");
    }
}

#[test]
#[timeout(60000)]
fn a_link_lets_one_browser_in_once() {
    let belfry = Belfry::new();
    let browser = Browser::start(&belfry);
    assert!(!browser.url.contains(&browser.token), "the link is not the secret");
    let host = browser.host();
    let target = browser.url.strip_prefix(&format!("http://{host}")).expect("our own address").to_owned();
    assert_eq!(browser.send("HEAD", &target, &[("Host", &host)]).status, 405, "a preview does not use it up");
    let answer = browser.send("GET", &target, &[("Host", &host), ("Sec-Fetch-Site", "cross-site")]);
    assert_eq!(answer.status, 200, "{answer:?}");
    let cookie = answer.header("set-cookie");
    for part in [browser.pass().as_str(), "HttpOnly", "SameSite=Strict"] {
        assert!(cookie.contains(part), "{part} in {cookie}");
    }
    assert!(!answer.body.contains(&browser.token));
    let again = browser.send("GET", &target, &[("Host", &host)]);
    assert_eq!(again.status, 403, "{again:?}");
    assert!(again.body.contains("used already") && again.body.contains("belfry serve"), "{}", again.body);
    assert_eq!(again.header("set-cookie"), "");
    // The browser that it let in may come back to it.
    let back = browser.send("GET", &target, &[("Host", &host), ("Cookie", &browser.pass())]);
    assert_eq!((back.status, back.header("set-cookie")), (200, ""), "{back:?}");
    let guess = browser.send("GET", "/open/0123abcd", &[("Host", &host)]);
    assert_eq!(guess.status, 403, "{guess:?}");
    assert!(!guess.body.contains("used already"), "{}", guess.body);
    for target in ["/open/guess", "/open/x/y", "/open/../index.html", "/open/"] {
        assert_eq!(browser.send("GET", target, &[("Host", &host)]).status, 401, "{target}");
    }
    assert_eq!(browser.send("GET", &target, &[("Host", "evil.example")]).status, 421);
}

#[test]
#[timeout(60000)]
fn every_answer_is_guarded() {
    let belfry = Belfry::new();
    let browser = Browser::start(&belfry);
    let (host, pass) = (browser.host(), browser.pass());
    for headers in
        [vec![("Host", host.as_str()), ("Cookie", pass.as_str())], vec![("Host", &host)], vec![("Host", "x")]]
    {
        let answer = browser.send("GET", "/", &headers);
        let policy = answer.header("content-security-policy");
        assert!(
            policy.starts_with("default-src 'none'") && policy.contains("frame-ancestors 'none'"),
            "{answer:?}"
        );
        assert!(!policy.contains("unsafe-eval") && !policy.contains("script-src 'self' 'unsafe"), "{policy}");
        assert_eq!(answer.header("x-content-type-options"), "nosniff");
        assert_eq!(answer.header("cache-control"), "no-store");
        assert_eq!(answer.header("referrer-policy"), "no-referrer");
        assert_eq!(answer.header("access-control-allow-origin"), "", "no other site may read");
    }
}

#[test]
#[timeout(60000)]
fn oversized_and_broken_requests_are_refused() {
    let belfry = Belfry::new();
    let browser = Browser::start(&belfry);
    let (host, pass) = (browser.host(), browser.pass());
    let long = "x".repeat(1 << 20);
    let answer = browser.send("GET", &format!("/{long}"), &[("Host", &host), ("Cookie", &pass)]);
    assert!([0, 400, 414, 431].contains(&answer.status), "{}", answer.status);
    let answer = browser.send("GET", "/", &[("Host", &host), ("Cookie", &pass), ("X-Long", &long)]);
    assert!([0, 400, 431].contains(&answer.status), "{}", answer.status);
    let answer =
        browser.send("POST", "/", &[("Host", &host), ("Cookie", &pass), ("Content-Length", "999999999999")]);
    assert_eq!(answer.status, 405);
    let answer = browser.send_raw(b"\x16\x03\x01 garbage\r\n\r\n");
    assert!([0, 400].contains(&answer.status), "{answer:?}");
    for target in [
        "/../../../../etc/passwd",
        "/%2e%2e/%2e%2e/etc/passwd",
        "//etc/passwd",
        "/assets/..%2f..%2fetc/passwd",
    ] {
        let answer = browser.send("GET", target, &[("Host", &host), ("Cookie", &pass)]);
        assert!([400, 404].contains(&answer.status), "{target}: {answer:?}");
        assert!(!answer.body.contains("root:"), "{target}");
    }
    // It still serves.
    assert_ne!(browser.send("GET", "/", &[("Host", &host), ("Cookie", &pass)]).status, 0);
}

fn control(message: &ClientMessage) -> Vec<u8> {
    let mut bytes = Vec::new();
    Frame::Control(serde_json::to_vec(message).expect("JSON")).encode(&mut bytes);
    bytes
}

#[tokio::test]
#[timeout(60000)]
async fn the_socket_carries_the_daemon_s_stream_untouched() {
    tokio::time::timeout(std::time::Duration::from_mins(1), async {
        let belfry = Belfry::new();
        let id = belfry.shell(&["--name", "seen"], &["cat"]);
        let browser = Browser::start(&belfry);
        let mut socket = browser.socket().await.unwrap();
        let hello = ClientMessage::Hello {
            protocol: PROTOCOL,
            client: "browser".to_owned(),
            version: "test".to_owned(),
        };
        let ask =
            ClientMessage::Request { id: 7, request: Request::ShowSession { session: "seen".to_owned() } };
        let stream = [control(&hello), control(&ask)].concat();
        // Messages need not be frames: the stream is cut anywhere.
        for piece in stream.chunks(11) {
            socket.send(Message::binary(piece.to_vec())).await.unwrap();
        }
        let mut decoder = FrameDecoder::default();
        let mut seen = Vec::new();
        while seen.len() < 2 {
            match socket.next().await.unwrap().unwrap() {
                Message::Binary(bytes) => decoder.push(&bytes),
                other => panic!("{other:?}"),
            }
            while let Some(Frame::Control(json)) = decoder.next_frame().unwrap() {
                seen.push(serde_json::from_slice::<DaemonMessage>(&json).unwrap());
            }
        }
        assert!(matches!(seen[0], DaemonMessage::Welcome { .. }), "{seen:?}");
        assert!(matches!(&seen[1], DaemonMessage::Reply { id: 7, .. }), "{seen:?}");
        assert!(format!("{:?}", seen[1]).contains(&id));

        belfry.kill_daemon();
        while let Some(Ok(message)) = socket.next().await {
            if let Message::Close(why) = message {
                assert_eq!(u16::from(why.expect("a reason").code), 1012, "the page is to come again");
            }
        }
        let again = browser.socket().await;
        assert!(again.is_ok(), "the next socket has the next daemon: {again:?}");
    })
    .await
    .expect("in time");
}

#[tokio::test]
#[timeout(60000)]
async fn text_and_oversized_messages_end_only_their_own_socket() {
    tokio::time::timeout(std::time::Duration::from_mins(1), async {
        let belfry = Belfry::new();
        let browser = Browser::start(&belfry);
        for bad in [Message::text("{}"), Message::binary(vec![0; 2 << 20])] {
            let mut socket = browser.socket().await.unwrap();
            let _ = socket.send(bad).await;
            while let Some(Ok(_)) = socket.next().await {}
        }
        assert!(browser.socket().await.is_ok());
        belfry.run(&["ls"]).ok();
    })
    .await
    .expect("in time");
}
