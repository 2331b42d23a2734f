//! Addresses of remotes, as forges have them.

/// Where a remote is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Remote {
    /// The host of its pages, in lower case; with a port where http has one that is not the usual one.
    pub host: String,
    /// The repository's path there, without slashes around it and without `.git`.
    pub path: String,
}

/// Longest path, in bytes.
const LONGEST: usize = 512;

impl Remote {
    /// Reads `https://…`, `ssh://…`, `git://…` and `user@host:path`. None for what lies on this machine, and for anything that
    /// no forge would have as a path.
    pub fn read(address: &str) -> Option<Self> {
        let address = address.trim();
        let (host, path) = if let Some((scheme, rest)) = address.split_once("://") {
            let (host, path) = rest.split_once('/')?;
            let host = host.rsplit('@').next()?;
            let host = match scheme.to_ascii_lowercase().as_str() {
                "https" => host.strip_suffix(":443").unwrap_or(host),
                "http" => host.strip_suffix(":80").unwrap_or(host),
                // The port is ssh's, not that of the pages.
                "ssh" | "git+ssh" | "ssh+git" | "git" => host.split(':').next()?,
                _ => return None,
            };
            (host, path)
        } else {
            let (host, path) = address.split_once(':')?;
            (host.rsplit('@').next()?, path)
        };
        let host = host.to_ascii_lowercase();
        let host = match host.as_str() {
            // Ssh over the port of https, for networks that let nothing else through.
            "ssh.github.com" | "www.github.com" => "github.com".to_owned(),
            "altssh.gitlab.com" => "gitlab.com".to_owned(),
            "altssh.bitbucket.org" => "bitbucket.org".to_owned(),
            _ => host,
        };
        let path = path.trim_matches('/');
        let path = path.strip_suffix(".git").unwrap_or(path);
        (host_is_plain(&host) && path_is_plain(path)).then(|| Self { host, path: path.to_owned() })
    }
}

fn host_is_plain(host: &str) -> bool {
    let (name, port) = host.split_once(':').unwrap_or((host, "443"));
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '.' | '_');
    let number = |port: &str| !port.is_empty() && port.bytes().all(|b| b.is_ascii_digit());
    !name.is_empty() && !name.starts_with(['-', '.']) && name.chars().all(plain) && number(port)
}

/// All forges allow letters, digits, `-`, `_` and `.` in names, and nothing else.
fn path_is_plain(path: &str) -> bool {
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '.' | '_');
    let name = |part: &str| !part.is_empty() && part != "." && part != ".." && part.chars().all(plain);
    path.len() <= LONGEST
        && path.contains('/')
        && path.split('/').all(|part| name(part) && !part.starts_with('-'))
}
