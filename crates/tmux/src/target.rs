//! How a person names a pane: `%5`, `main`, `main:1`, `main:1.0`, and `SOCKET:…` in front where it is another server's.

use crate::PaneId;
use crate::panes::Pane;

/// A pane as it was named.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Target {
    /// The server: the name or the path of its socket. None is any.
    pub socket: Option<String>,
    /// Which of its panes.
    pub which: Which,
}

/// Which pane of a server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Which {
    /// By its id.
    Id(PaneId),
    /// By its place.
    Place {
        /// The session's name, or its id.
        session: String,
        /// The window's number; none is any.
        window: Option<u32>,
        /// The pane's number; none is any.
        pane: Option<u32>,
    },
}

/// The ways to read it, the likeliest first: a session may be called like a socket.
pub fn parse(text: &str) -> Vec<Target> {
    let mut ways: Vec<_> = which(text).map(|which| Target { socket: None, which }).into_iter().collect();
    if let Some((socket, rest)) = text.split_once(':').filter(|(socket, _)| !socket.is_empty())
        && let Some(which) = which(rest)
    {
        ways.push(Target { socket: Some(socket.to_owned()), which });
    }
    ways
}

fn which(text: &str) -> Option<Which> {
    if let Some(id) = crate::pane_id(text) {
        return Some(Which::Id(id));
    }
    let (session, rest) = match text.split_once(':') {
        Some((session, rest)) => (session, Some(rest)),
        None => (text, None),
    };
    let (window, pane) = match rest {
        None => (None, None),
        Some(rest) => match rest.split_once('.') {
            Some((window, pane)) => (Some(window.parse().ok()?), Some(pane.parse().ok()?)),
            None => (Some(rest.parse().ok()?), None),
        },
    };
    (!session.is_empty()).then(|| Which::Place { session: session.to_owned(), window, pane })
}

impl Target {
    /// Whether it is that pane, on the server whose socket has that path.
    pub fn fits(&self, socket: &str, pane: &Pane) -> bool {
        let name = socket.rsplit('/').next().unwrap_or(socket);
        let server = self.socket.as_deref().is_none_or(|wanted| wanted == socket || wanted == name);
        server
            && match &self.which {
                Which::Id(id) => *id == pane.id,
                Which::Place { session, window, pane: index } => {
                    (*session == pane.session || *session == pane.session_id)
                        && window.is_none_or(|window| window == pane.window)
                        && index.is_none_or(|index| index == pane.index)
                }
            }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_panes() {
        let line = "812 3.3a %5 901 /dev/pts/4 0 120 40 $2 @3 1 0 2 9 main: t";
        let pane = crate::panes::parse(line).unwrap();
        let fits = |text: &str| parse(text).iter().any(|target| target.fits("/tmp/tmux-0/work", &pane));
        for good in [
            "%5",
            "main",
            "main:1",
            "main:1.0",
            "$2:1.0",
            "work:%5",
            "work:main:1.0",
            "work:main",
            "/tmp/tmux-0/work:%5",
        ] {
            assert!(fits(good), "{good}");
        }
        for bad in [
            "",
            "%6",
            "mai",
            "main:0",
            "main:1.1",
            "main:x",
            "other:%5",
            "other:main:1.0",
            ":",
            "main:1.",
            "main:",
        ] {
            assert!(!fits(bad), "{bad}");
        }
    }
}
