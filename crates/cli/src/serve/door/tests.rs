use super::*;

fn door() -> Door {
    Door::new(4321, true).unwrap()
}

fn place(method: &str, uri: &str, headers: &[(&str, &str)]) -> Result<(), StatusCode> {
    let mut map = HeaderMap::new();
    for (name, value) in headers {
        map.append(HeaderName::from_bytes(name.as_bytes()).unwrap(), value.parse().unwrap());
    }
    door().check_place(&method.parse().unwrap(), &uri.parse().unwrap(), &map).map_err(|(status, _)| status)
}

const HERE: (&str, &str) = ("host", "127.0.0.1:4321");
const OURS: (&str, &str) = ("origin", "http://127.0.0.1:4321");

#[test]
fn only_our_own_names_are_answered() {
    assert_eq!(place("GET", "/", &[HERE]), Ok(()));
    assert_eq!(place("GET", "/", &[("host", "localhost:4321")]), Ok(()));
    for host in
        ["127.0.0.1", "127.0.0.1:4322", "evil.example:4321", "localhost:4321.evil.example", "[::1]:4321", ""]
    {
        assert_eq!(place("GET", "/", &[("host", host)]), Err(StatusCode::MISDIRECTED_REQUEST), "{host}");
    }
    assert_eq!(place("GET", "/", &[]), Err(StatusCode::MISDIRECTED_REQUEST));
    assert_eq!(place("GET", "/", &[HERE, HERE]), Err(StatusCode::BAD_REQUEST));
    assert_eq!(place("GET", "http://evil.example/", &[HERE]), Err(StatusCode::MISDIRECTED_REQUEST));
}

#[test]
fn other_sites_are_refused() {
    assert_eq!(place("GET", "/socket", &[HERE, OURS]), Ok(()));
    let origins = [
        "null",
        "http://evil.example",
        "http://localhost:4321",
        "https://127.0.0.1:4321",
        "http://127.0.0.1:43210",
        "",
    ];
    for origin in origins {
        for path in ["/", "/socket", "/open/1f"] {
            assert_eq!(
                place("GET", path, &[HERE, ("origin", origin)]),
                Err(StatusCode::FORBIDDEN),
                "{origin} {path}"
            );
        }
    }
    assert_eq!(place("GET", "/socket", &[HERE]), Err(StatusCode::FORBIDDEN));
    assert_eq!(place("GET", "/", &[HERE, ("sec-fetch-site", "cross-site")]), Err(StatusCode::FORBIDDEN));
    assert_eq!(place("GET", "/", &[HERE, ("sec-fetch-site", "none")]), Ok(()));
    assert_eq!(place("GET", "/open/1f", &[HERE, ("sec-fetch-site", "cross-site")]), Ok(()));
    assert_eq!(place("POST", "/", &[HERE, OURS]), Err(StatusCode::METHOD_NOT_ALLOWED));
}

#[test]
fn the_secret_is_taken_from_a_header_or_our_cookie_only() {
    let door = door();
    let check = |name: &str, value: String| {
        let mut map = HeaderMap::new();
        map.insert(HeaderName::from_bytes(name.as_bytes()).unwrap(), value.parse().unwrap());
        door.check_token(&map).is_ok()
    };
    let token = door.token().to_owned();
    assert!(check("authorization", format!("Bearer {token}")));
    assert!(check("cookie", format!("a=b; belfry-4321={token}")));
    assert!(!check("cookie", format!("belfry-4322={token}")));
    assert!(!check("cookie", "belfry-4321=".to_owned()));
    assert!(!check("authorization", "Bearer ".to_owned()));
    assert!(!check("authorization", format!("Basic {token}")));
    assert!(!check("authorization", format!("Bearer {}", &token[1..])));
    assert!(door.check_token(&HeaderMap::new()).is_err());
}

#[test]
fn a_link_works_once() {
    let door = door();
    let link = door.link();
    let once = link.rsplit('/').next().unwrap();
    assert_eq!(door.use_link("wrong"), Opened::Never);
    assert_eq!(door.use_link(once), Opened::Now);
    assert_eq!(door.use_link(once), Opened::Before);
    assert_ne!(once, door.token());
    let old = door.link();
    (0..MOST_LINKS).for_each(|_| drop(door.link()));
    assert_eq!(door.use_link(old.rsplit('/').next().unwrap()), Opened::Never, "newer ones took its place");
}

#[test]
fn only_a_link_itself_needs_no_secret() {
    assert!(is_link("/open/0123abcdef"));
    for path in
        ["/open", "/open/", "/open/../index.html", "/open/x/y", "/open/1f/", "/openx/1f", "/open/1f%2f", "/"]
    {
        assert!(!is_link(path), "{path}");
    }
}

#[test]
fn debug_output_has_no_secret() {
    let door = door();
    assert!(!format!("{door:?}").contains(door.token()));
}
