//! Who may come in.

use std::sync::{Arc, Mutex, PoisonError};

use axum::extract::{ConnectInfo, Path, Request, State};
use axum::http::header::{AUTHORIZATION, COOKIE, HOST, ORIGIN, SET_COOKIE};
use axum::http::{HeaderMap, HeaderName, Method, StatusCode, Uri};
use axum::middleware::Next;
use axum::response::{Html, IntoResponse, Response};

use super::Server;
use super::listener::Admission;
use super::secret::Secret;

/// Links that were printed and not opened yet; the oldest is forgotten.
const MOST_LINKS: usize = 8;
/// Links that were used and are remembered, to say so.
const MOST_USED: usize = 64;

/// The secrets, and the only names that this server goes by.
#[derive(Debug)]
pub(super) struct Door {
    port: u16,
    token: Secret,
    links: Mutex<Links>,
    /// Where `belfry serve` runs, somebody can ask for another link.
    asked_by_key: bool,
}

#[derive(Debug, Default)]
struct Links {
    fresh: Vec<Secret>,
    used: Vec<Secret>,
}

/// What became of opening a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Opened {
    /// It was fresh, and is used now.
    Now,
    /// It was used before.
    Before,
    /// It is none, or so old that it is forgotten.
    Never,
}

/// Why somebody stays outside: a status and a sentence.
type Refusal = (StatusCode, &'static str);

impl Door {
    pub(super) fn new(port: u16, asked_by_key: bool) -> std::io::Result<Self> {
        Ok(Self { port, token: Secret::new()?, links: Mutex::default(), asked_by_key })
    }

    pub(super) fn port(&self) -> u16 {
        self.port
    }

    pub(super) fn token(&self) -> &str {
        self.token.text()
    }

    /// Cookies do not know ports, so the name does: two servers do not overwrite each other's.
    pub(super) fn cookie_name(&self) -> String {
        format!("belfry-{}", self.port)
    }

    /// A link that works once.
    pub(super) fn link(&self) -> String {
        let Ok(once) = Secret::new() else { return "No random numbers can be had.".to_owned() };
        let link = format!("http://127.0.0.1:{}/open/{}", self.port, once.text());
        let mut links = self.links.lock().unwrap_or_else(PoisonError::into_inner);
        if links.fresh.len() == MOST_LINKS {
            links.fresh.remove(0);
        }
        links.fresh.push(once);
        link
    }

    fn use_link(&self, shown: &str) -> Opened {
        let mut links = self.links.lock().unwrap_or_else(PoisonError::into_inner);
        if links.used.iter().any(|link| link.is(shown)) {
            return Opened::Before;
        }
        let Some(index) = links.fresh.iter().position(|link| link.is(shown)) else { return Opened::Never };
        let used = links.fresh.remove(index);
        if links.used.len() == MOST_USED {
            links.used.remove(0);
        }
        links.used.push(used);
        Opened::Now
    }

    fn another_link(&self) -> &'static str {
        if self.asked_by_key {
            "Press Enter where `belfry serve` runs to get a new one."
        } else {
            "Start `belfry serve` again to get a new one."
        }
    }

    /// Checks all but the secret. A page of another site that has this address under a name of its own (DNS rebinding) is
    /// found by its `Host`; one that merely sends requests here by its `Origin` or `Sec-Fetch-Site`.
    fn check_place(&self, method: &Method, uri: &Uri, headers: &HeaderMap) -> Result<(), Refusal> {
        let ours = [format!("127.0.0.1:{}", self.port), format!("localhost:{}", self.port)];
        let host = one(headers, &HOST).map_err(|()| (StatusCode::BAD_REQUEST, "More than one Host."))?;
        let Some(host) = host.filter(|host| ours.iter().any(|our| our == host)) else {
            return Err((StatusCode::MISDIRECTED_REQUEST, "This server does not go by that name."));
        };
        if uri.authority().is_some_and(|authority| authority.as_str() != host) {
            return Err((StatusCode::MISDIRECTED_REQUEST, "This server does not go by that name."));
        }
        let origin =
            one(headers, &ORIGIN).map_err(|()| (StatusCode::BAD_REQUEST, "More than one Origin."))?;
        let same = origin.map(|origin| origin.strip_prefix("http://") == Some(host));
        if same == Some(false) {
            return Err((StatusCode::FORBIDDEN, "Another site asks."));
        }
        let site = one(headers, &HeaderName::from_static("sec-fetch-site"));
        let foreign = !matches!(site, Ok(None | Some("same-origin" | "none")));
        // A link may be clicked in another site's page (a terminal in a browser); it carries its own secret.
        if foreign && !is_link(uri.path()) {
            return Err((StatusCode::FORBIDDEN, "Another site asks."));
        }
        if uri.path() == "/socket" && same.is_none() {
            return Err((StatusCode::FORBIDDEN, "A socket needs an Origin."));
        }
        if !matches!(*method, Method::GET | Method::HEAD) {
            return Err((StatusCode::METHOD_NOT_ALLOWED, "Only GET and HEAD."));
        }
        Ok(())
    }

    fn check_token(&self, headers: &HeaderMap) -> Result<(), Refusal> {
        let bearer = headers
            .get_all(AUTHORIZATION)
            .iter()
            .filter_map(|value| value.to_str().ok()?.strip_prefix("Bearer "))
            .any(|shown| self.token.is(shown));
        let name = self.cookie_name();
        let cookie = headers
            .get_all(COOKIE)
            .iter()
            .filter_map(|value| value.to_str().ok())
            .flat_map(|cookies| cookies.split(';'))
            .filter_map(|cookie| cookie.trim().split_once('='))
            .any(|(given, shown)| given == name && self.token.is(shown));
        if bearer || cookie {
            Ok(())
        } else {
            Err((StatusCode::UNAUTHORIZED, "This needs a fresh link from `belfry serve`."))
        }
    }
}

/// The header's value where it is there once.
fn one<'a>(headers: &'a HeaderMap, name: &HeaderName) -> Result<Option<&'a str>, ()> {
    let mut values = headers.get_all(name).iter();
    match (values.next(), values.next()) {
        (None, _) => Ok(None),
        (Some(value), None) => value.to_str().map(Some).map_err(|_| ()),
        (Some(_), Some(_)) => Err(()),
    }
}

/// Whether a path is that of a link: only such a one is let in without the secret.
fn is_link(path: &str) -> bool {
    let once = path.strip_prefix("/open/").unwrap_or_default();
    !once.is_empty() && once.bytes().all(|byte| byte.is_ascii_hexdigit())
}

/// Stands before every route.
pub(super) async fn guard(
    State(server): State<Arc<Server>>,
    ConnectInfo(admission): ConnectInfo<Admission>,
    request: Request,
    next: Next,
) -> Response {
    let by_link = is_link(request.uri().path());
    let place = server.door.check_place(request.method(), request.uri(), request.headers());
    let allowed =
        place.and_then(|()| if by_link { Ok(()) } else { server.door.check_token(request.headers()) });
    match allowed {
        Ok(()) => {
            if !by_link {
                admission.admit();
            }
            next.run(request).await
        }
        Err(refusal) => refusal.into_response(),
    }
}

/// A link is opened: the browser gets the cookie.
///
/// A page and not a redirect: the step to `/` must start at this site for a `SameSite=Strict` cookie to be sent.
pub(super) async fn open(
    State(server): State<Arc<Server>>,
    method: Method,
    headers: HeaderMap,
    Path(once): Path<String>,
) -> Response {
    const PAGE: &str = "<!doctype html><meta charset=utf-8><meta http-equiv=refresh content=\"0;url=/\"><title>Belfry</title>";
    // A preview must not use it up.
    if method != Method::GET {
        return (StatusCode::METHOD_NOT_ALLOWED, "Only GET opens a link.").into_response();
    }
    let door = &server.door;
    // The browser that is in already: a tab that is restored, or the link clicked again.
    if door.check_token(&headers).is_ok() {
        return Html(PAGE).into_response();
    }
    let why = match door.use_link(&once) {
        Opened::Now => {
            let cookie =
                format!("{}={}; HttpOnly; SameSite=Strict; Path=/", door.cookie_name(), door.token());
            return ([(SET_COOKIE, cookie)], Html(PAGE)).into_response();
        }
        Opened::Before => "This link was used already; it works once.",
        Opened::Never => "This link is not valid, or newer ones took its place.",
    };
    (StatusCode::FORBIDDEN, format!("{why} {}", door.another_link())).into_response()
}

#[cfg(test)]
mod tests;
