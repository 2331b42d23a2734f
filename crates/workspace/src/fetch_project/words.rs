//! Git's complaints in words that help on.

use crate::git::GitError;

/// What stands in the way of reaching another repository.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trouble {
    /// The other side does not know the person, or does not let them in.
    Login,
    /// The host's key is not known to ssh, or is another one than before.
    HostKey,
    /// No host of that name.
    Host,
    /// The host cannot be reached.
    Network,
    /// The host has no such repository, or does not show it to the person.
    NotFound,
    /// The disk is full.
    DiskFull,
    /// The certificate is not one that can be trusted.
    Certificate,
    /// It is owned by another user of the machine, and git does not touch it.
    Owner,
    /// Git is not on this machine.
    NoGit,
    /// It took longer than anybody waits.
    Late,
    /// Anything else.
    Other,
}

/// Parts of git's, ssh's and curl's complaints, in lower case, the most telling first. All commands run in the C locale.
const SIGNS: [(Trouble, &[&str]); 9] = [
    (Trouble::DiskFull, &["no space left on device", "disk quota exceeded"]),
    (Trouble::HostKey, &["host key verification failed", "remote host identification has changed"]),
    (Trouble::Owner, &["dubious ownership"]),
    (Trouble::Certificate, &["certificate problem", "certificate verification failed", "ssl certificate"]),
    (
        Trouble::Host,
        &[
            "could not resolve host",
            "name or service not known",
            "nodename nor servname",
            "no address associated",
        ],
    ),
    (
        Trouble::Network,
        &[
            "network is unreachable",
            "no route to host",
            "connection timed out",
            "connection refused",
            "failed to connect",
            "couldn't connect",
            "temporary failure in name resolution",
            "operation timed out",
            "connection reset",
            "unable to connect",
        ],
    ),
    (
        Trouble::Login,
        &[
            "authentication failed",
            "permission denied (",
            "could not read username",
            "could not read password",
            "terminal prompts disabled",
            "access denied",
            "invalid username",
            "returned error: 401",
            "returned error: 403",
            "too many authentication failures",
        ],
    ),
    (
        Trouble::NotFound,
        &[
            "repository not found",
            "returned error: 404",
            "does not appear to be a git repository",
            "does not exist",
            "could not be found",
            "not found",
            "no such file or directory",
        ],
    ),
    (Trouble::Late, &["did not end within"]),
];

impl Trouble {
    /// What kind of trouble an error is.
    pub fn of(error: &GitError) -> Self {
        match error {
            GitError::NotStarted { error, .. } if error.kind() == std::io::ErrorKind::NotFound => Self::NoGit,
            GitError::Late { .. } => Self::Late,
            GitError::Failed { said, .. } => Self::said(said),
            _ => Self::Other,
        }
    }

    pub(crate) fn said(said: &str) -> Self {
        let said = said.to_lowercase();
        // A name that cannot be looked up just now is no network rather than no host.
        if said.contains("temporary failure in name resolution") {
            return Self::Network;
        }
        let found = SIGNS.iter().find(|(_, signs)| signs.iter().any(|sign| said.contains(sign)));
        found.map_or(Self::Other, |(trouble, _)| *trouble)
    }

    /// What the person can do about it.
    pub fn next(self) -> Option<&'static str> {
        Some(match self {
            Self::Login => {
                "check in a terminal that `git ls-remote` with this address works, which may ask you to log in; for ssh \
                 addresses, that `ssh-add -l` shows your key"
            }
            Self::HostKey => "connect once with ssh in a terminal, and compare the key that it shows",
            Self::Host => "check the spelling of the host, or whether it needs a VPN",
            Self::Network => "check the network, a proxy or a VPN, and try again",
            Self::NotFound => {
                "check the spelling; a private repository looks the same to somebody who may not see it"
            }
            Self::DiskFull => "make room, or choose a directory on another disk",
            Self::Certificate => {
                "check the machine's clock and certificates, or whether somebody stands in between"
            }
            Self::Owner => {
                "the directory belongs to another user; copy it, or tell git with `safe.directory`"
            }
            Self::NoGit => "install git",
            Self::Late => "try again on a faster connection, or clone it in a terminal and add the directory",
            Self::Other => return None,
        })
    }
}

impl std::fmt::Display for Trouble {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Login => "the host did not let you in",
            Self::HostKey => "ssh does not know the host's key, or it is another one than before",
            Self::Host => "there is no host of that name",
            Self::Network => "the host cannot be reached",
            Self::NotFound => "there is no such repository, or you may not see it",
            Self::DiskFull => "the disk is full",
            Self::Certificate => "the host's certificate cannot be trusted",
            Self::Owner => "the repository belongs to another user",
            Self::NoGit => "git is not on this machine",
            Self::Late => "it took too long",
            Self::Other => "git could not fetch it",
        })
    }
}

/// The lines of git's complaint that say why, without progress and the server's greeting.
pub(super) fn last_words(said: &str) -> String {
    let telling = |line: &&str| {
        let line = line.trim_start();
        !line.is_empty() && !line.starts_with("Cloning into") && !line.contains('%')
    };
    let lines: Vec<&str> = said.lines().filter(telling).collect();
    let from = lines.len().saturating_sub(4);
    lines[from..].join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn complaints_are_understood() {
        for (said, trouble) in [
            ("fatal: Authentication failed for 'https://host/x'", Trouble::Login),
            (
                "git@host: Permission denied (publickey).\nfatal: Could not read from remote repository.",
                Trouble::Login,
            ),
            ("fatal: could not read Username for 'https://host': terminal prompts disabled", Trouble::Login),
            (
                "Host key verification failed.\nfatal: Could not read from remote repository.",
                Trouble::HostKey,
            ),
            ("fatal: unable to access 'https://nope/': Could not resolve host: nope", Trouble::Host),
            ("ssh: Could not resolve hostname nope: Name or service not known", Trouble::Host),
            ("ssh: Could not resolve hostname h: Temporary failure in name resolution", Trouble::Network),
            ("ssh: connect to host h port 22: Network is unreachable", Trouble::Network),
            ("fatal: unable to access 'https://h/': Failed to connect to h port 443", Trouble::Network),
            (
                "ERROR: Repository not found.\nfatal: Could not read from remote repository.",
                Trouble::NotFound,
            ),
            ("fatal: repository '/srv/x' does not exist", Trouble::NotFound),
            ("fatal: '/srv/x' does not appear to be a git repository", Trouble::NotFound),
            ("fatal: write error: No space left on device", Trouble::DiskFull),
            ("fatal: detected dubious ownership in repository at '/srv/x'", Trouble::Owner),
            ("fatal: unable to access: SSL certificate problem: expired", Trouble::Certificate),
            ("fatal: the remote end hung up unexpectedly", Trouble::Other),
        ] {
            assert_eq!(Trouble::said(said), trouble, "{said}");
        }
    }

    #[test]
    fn only_what_tells_is_quoted() {
        let said =
            "Cloning into '/x'...\nremote: Counting objects: 5% (1/20)\nremote: hello\nfatal: early EOF";
        assert_eq!(last_words(said), "remote: hello\nfatal: early EOF");
    }
}
