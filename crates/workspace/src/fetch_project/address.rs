//! Addresses of repositories, as `git clone` takes them.

use std::path::Path;

use crate::git::without_credentials;

/// Longest address, in bytes; longer ones are refused by servers and shells alike.
const LONGEST: usize = 2048;

/// Schemes that git fetches by itself. `ext` runs a program, others name a helper program of the machine.
const SCHEMES: [&str; 7] = ["https", "http", "ssh", "git+ssh", "ssh+git", "git", "file"];

/// Why an address is none.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadAddress {
    /// Nothing is there.
    #[error("the address is empty")]
    Empty,
    /// It is longer than 2,048 bytes.
    #[error("the address is longer than 2,048 bytes")]
    Long,
    /// It has a control character, or begins with a minus sign, as only an attack does.
    #[error("the address has a character that no address has")]
    Strange,
    /// It would run a program of the address's choice.
    #[error("an address that begins with `{0}::` runs a program, and is not fetched")]
    Helper(String),
    /// Git does not fetch by it.
    #[error("`{0}://` is nothing that git fetches by")]
    Scheme(String),
    /// It names no host or no path.
    #[error("the address names no repository")]
    Nothing,
    /// A path that depends on where one is.
    #[error("a directory's address is absolute, or starts with ~/")]
    Relative,
}

/// An address that can be fetched from.
#[derive(Clone, PartialEq, Eq)]
pub struct Address {
    given: String,
    name: String,
}

impl std::fmt::Debug for Address {
    // Never with credentials: it may end in a log.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Address").field(&self.shown()).finish()
    }
}

impl Address {
    /// Reads an address: `https://…`, `ssh://…`, `git://…`, `file://…`, `user@host:path`, an absolute path, or one that
    /// starts with `~/`, which is the person's home.
    pub fn read(typed: &str, home: &Path) -> Result<Self, BadAddress> {
        let typed = typed.trim();
        if typed.is_empty() {
            return Err(BadAddress::Empty);
        }
        if typed.len() > LONGEST {
            return Err(BadAddress::Long);
        }
        if typed.starts_with('-') || typed.chars().any(char::is_control) {
            return Err(BadAddress::Strange);
        }
        let colon = typed.find(':');
        if let Some(at) = colon.filter(|at| typed[*at..].starts_with("::") && !typed[..*at].contains('/')) {
            return Err(BadAddress::Helper(typed[..at].to_owned()));
        }
        if let Some((scheme, rest)) = typed.split_once("://") {
            return Self::by_scheme(typed, scheme, rest);
        }
        if let Some(rest) = typed.strip_prefix("~/") {
            let path = home.join(rest);
            return Self::named(path.to_string_lossy().into_owned(), rest);
        }
        if typed.starts_with('/') {
            return Self::named(typed.to_owned(), typed);
        }
        // As git tells them apart: a colon before the first slash.
        match colon.filter(|at| !typed[..*at].contains('/')) {
            Some(at) => {
                let (host, path) = (&typed[..at], &typed[at + 1..]);
                host_is_plain(host)?;
                Self::named(typed.to_owned(), path)
            }
            None => Err(BadAddress::Relative),
        }
    }

    fn by_scheme(typed: &str, scheme: &str, rest: &str) -> Result<Self, BadAddress> {
        let scheme = scheme.to_ascii_lowercase();
        if !SCHEMES.contains(&scheme.as_str()) {
            return Err(BadAddress::Scheme(scheme));
        }
        if scheme == "file" {
            // `file://host/path` is nobody's, and a path without a slash in front would be a host.
            return if rest.starts_with('/') {
                Self::named(typed.to_owned(), rest)
            } else {
                Err(BadAddress::Nothing)
            };
        }
        let (host, path) = rest.split_once('/').ok_or(BadAddress::Nothing)?;
        host_is_plain(host)?;
        let path = path.split(['?', '#']).next().unwrap_or(path);
        Self::named(typed.to_owned(), path)
    }

    fn named(given: String, path: &str) -> Result<Self, BadAddress> {
        let path = path.trim_end_matches('/');
        // A repository that is named by its `.git` directory, as git does it.
        let path = path.strip_suffix("/.git").unwrap_or(path);
        let last = path.rsplit(['/', ':']).next().unwrap_or(path);
        let name = last.strip_suffix(".git").unwrap_or(last).trim();
        if name.is_empty() || name == "." || name == ".." || name == "~" {
            return Err(BadAddress::Nothing);
        }
        Ok(Self { given, name: name.to_owned() })
    }

    /// As git gets it, credentials with it.
    pub(crate) fn as_given(&self) -> &str {
        &self.given
    }

    /// As it can be shown: without credentials.
    pub fn shown(&self) -> String {
        without_credentials(&self.given)
    }

    /// The repository's name, for its directory.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Where it is, if it lies on this machine.
    pub fn path(&self) -> Option<&Path> {
        let path = self.given.strip_prefix("file://").unwrap_or(&self.given);
        path.starts_with('/').then(|| Path::new(path))
    }
}

/// A host that ssh would take for an option is an attack.
fn host_is_plain(host: &str) -> Result<(), BadAddress> {
    let bare = host.rsplit('@').next().unwrap_or(host);
    if bare.is_empty() || bare.starts_with(':') {
        return Err(BadAddress::Nothing);
    }
    if host.starts_with('-') || bare.starts_with('-') || host.contains(char::is_whitespace) {
        return Err(BadAddress::Strange);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(typed: &str) -> Result<Address, BadAddress> {
        Address::read(typed, Path::new("/home/ann"))
    }

    #[test]
    fn what_git_clones_is_an_address() {
        for (typed, name) in [
            ("https://host.example/ann/shop.git", "shop"),
            (" https://host.example/ann/shop/ ", "shop"),
            ("https://ann:secret@host.example/ann/shop", "shop"),
            ("ssh://git@host.example:2222/ann/shop.git", "shop"),
            ("git@host.example:ann/shop.git", "shop"),
            ("work:shop.git", "shop"),
            ("host.example:shop", "shop"),
            ("file:///srv/my shop.git", "my shop"),
            ("/srv/shop/.git", "shop"),
            ("~/src/läden.git", "läden"),
            ("git://host.example/~ann/shop", "shop"),
        ] {
            assert_eq!(read(typed).map(|address| address.name().to_owned()), Ok(name.to_owned()), "{typed}");
        }
        assert_eq!(read("~/a").unwrap().as_given(), "/home/ann/a");
    }

    #[test]
    fn what_would_run_a_program_is_none() {
        assert_eq!(read("ext::sh -c id"), Err(BadAddress::Helper("ext".into())));
        assert_eq!(read("fd::17/foo"), Err(BadAddress::Helper("fd".into())));
        for typed in ["--upload-pack=id", "-oProxyCommand=id", "ssh://-oProxyCommand=id/x", "git@-oX=y:z"] {
            assert_eq!(read(typed), Err(BadAddress::Strange), "{typed}");
        }
        for typed in ["https://host/a\nb", "/srv/\u{1b}[2J", "host:a\u{0}"] {
            assert_eq!(read(typed), Err(BadAddress::Strange), "{typed:?}");
        }
        assert_eq!(read("data://x/y"), Err(BadAddress::Scheme("data".into())));
        for typed in ["https://host", "https:///x", "file://host/x", "host:", "/", "/srv/..", "host:.git"] {
            assert_eq!(read(typed), Err(BadAddress::Nothing), "{typed}");
        }
        assert_eq!(read("a/b"), Err(BadAddress::Relative));
        assert_eq!(read(" "), Err(BadAddress::Empty));
    }

    #[test]
    fn credentials_are_not_shown() {
        let address = read("https://ann:secret@host.example/shop").unwrap();
        assert_eq!(address.shown(), "https://host.example/shop");
        assert!(!format!("{address:?}").contains("secret"));
        assert!(address.as_given().contains("secret"));
    }
}
