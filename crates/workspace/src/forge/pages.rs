//! Forges' web pages.

use super::{Forge, Kind};

/// The kind of a host that is known by its name. A host that is called after a program most likely runs it; what is not, its own
/// command line may know.
pub(super) fn kind(host: &str) -> Option<Kind> {
    let name = host.split(':').next().unwrap_or(host);
    match name {
        "github.com" => return Some(Kind::GitHub),
        "gitlab.com" => return Some(Kind::GitLab),
        "bitbucket.org" => return Some(Kind::Bitbucket),
        "codeberg.org" | "gitea.com" => return Some(Kind::Gitea),
        _ => {}
    }
    // GitHub's own hosting of enterprises.
    if name.ends_with(".ghe.com") {
        return Some(Kind::GitHub);
    }
    match name.split('.').next()? {
        "github" => Some(Kind::GitHub),
        "gitlab" => Some(Kind::GitLab),
        "gitea" | "forgejo" => Some(Kind::Gitea),
        _ => None,
    }
}

/// See [`Forge::compare`].
pub(super) fn compare(forge: &Forge, base: &str, head: &str) -> String {
    let Forge { kind, host, path } = forge;
    let (base, head) = (encoded(base, "/"), encoded(head, "/"));
    match kind {
        Kind::GitHub => format!("https://{host}/{path}/compare/{base}...{head}?expand=1"),
        Kind::Gitea => format!("https://{host}/{path}/compare/{base}...{head}"),
        Kind::GitLab => format!(
            "https://{host}/{path}/-/merge_requests/new?merge_request%5Bsource_branch%5D={head}\
             &merge_request%5Btarget_branch%5D={base}"
        ),
        Kind::Bitbucket => format!("https://{host}/{path}/pull-requests/new?source={head}&dest={base}"),
    }
}

/// With everything in percent signs that means something in an address, but for these characters.
pub(super) fn encoded(text: &str, kept: &str) -> String {
    use std::fmt::Write as _;
    let mut out = String::with_capacity(text.len());
    for byte in text.bytes() {
        let c = char::from(byte);
        if byte.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.' | '~') || kept.contains(c) {
            out.push(c);
        } else {
            let _ = write!(out, "%{byte:02X}");
        }
    }
    out
}
