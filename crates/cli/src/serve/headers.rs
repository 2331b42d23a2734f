//! Headers on every answer, refusals too.

use axum::extract::Request;
use axum::http::header::{
    CACHE_CONTROL, CONTENT_SECURITY_POLICY, HOST, HeaderName, HeaderValue, REFERRER_POLICY,
    X_CONTENT_TYPE_OPTIONS, X_FRAME_OPTIONS,
};
use axum::middleware::Next;
use axum::response::Response;

/// xterm.js writes its colours into a style element, hence `unsafe-inline` there, and there only.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; \
     font-src 'self'; connect-src 'self'; manifest-src 'self'; media-src 'self'; base-uri 'none'; \
     form-action 'none'; frame-ancestors 'none'";

pub(super) async fn add(request: Request, next: Next) -> Response {
    let host = request.headers().get(HOST).and_then(|host| host.to_str().ok()).map(str::to_owned);
    let mut response = next.run(request).await;
    let headers = response.headers_mut();
    headers.insert(CONTENT_SECURITY_POLICY, policy(host.as_deref()));
    for (name, value) in [
        (CACHE_CONTROL, "no-store"),
        (REFERRER_POLICY, "no-referrer"),
        (X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (X_FRAME_OPTIONS, "DENY"),
        (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
        (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
    response
}

/// Not every engine counts a WebSocket of the same host as `'self'`. The host is repeated only where it is one of ours;
/// any other was refused, and its answer needs no socket.
fn policy(host: Option<&str>) -> HeaderValue {
    let is_plain = |host: &&str| host.starts_with("127.0.0.1:") || host.starts_with("localhost:");
    let is_plain = |host: &&str| {
        is_plain(host) && host.bytes().all(|byte| byte.is_ascii_alphanumeric() || b".:".contains(&byte))
    };
    host.filter(is_plain)
        .map(|host| POLICY.replace("connect-src 'self'", &format!("connect-src 'self' ws://{host}")))
        .and_then(|policy| HeaderValue::from_str(&policy).ok())
        .unwrap_or(HeaderValue::from_static(POLICY))
}
