//! The list of a server's panes.
//!
//! A line is numbers without blanks in them, then the session's name, which tmux lets have no colon, then the title, which
//! may be anything but is one line. So no name and no title can pass for another field.

use crate::PaneId;

/// The format that [`parse`] reads, for `list-panes -a -F` and `display-message -p`.
pub const FORMAT: &str = "#{pid} #{version} #{pane_id} #{pane_pid} #{pane_tty} #{pane_dead} #{pane_width} #{pane_height} \
    #{session_id} #{window_id} #{window_index} #{pane_index} #{session_attached} #{window_activity} #{session_name}: #{pane_title}";

/// A pane.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pane {
    /// The server's process id.
    pub server: u32,
    /// The server's version.
    pub version: String,
    /// Its id.
    pub id: PaneId,
    /// Its first process.
    pub pid: u32,
    /// Its terminal, as in `/dev/pts/4`.
    pub tty: String,
    /// Its process has ended, and it is kept to be looked at.
    pub dead: bool,
    /// Columns.
    pub cols: u16,
    /// Rows.
    pub rows: u16,
    /// Its session's id, as in `$0`.
    pub session_id: String,
    /// Its window's id, as in `@0`.
    pub window_id: String,
    /// Its window's number in the session.
    pub window: u32,
    /// Its own number in the window.
    pub index: u32,
    /// Clients that look at the session.
    pub attached: u32,
    /// When something was last printed in its window, in seconds since the Unix epoch.
    pub active_at: u64,
    /// Its session's name.
    pub session: String,
    /// Its title: hostile text.
    pub title: String,
}

/// Reads a line; none where it is not whole.
pub fn parse(line: &str) -> Option<Pane> {
    let mut fields = line.splitn(15, ' ');
    let mut next = || fields.next();
    let server = next()?.parse().ok()?;
    let version = next()?.to_owned();
    let id = crate::pane_id(next()?)?;
    let pid = next()?.parse().ok()?;
    let tty = next()?.to_owned();
    let dead = next()? == "1";
    let (cols, rows) = (next()?.parse().ok()?, next()?.parse().ok()?);
    let (session_id, window_id) = (next()?.to_owned(), next()?.to_owned());
    let (window, index) = (next()?.parse().ok()?, next()?.parse().ok()?);
    let attached = next()?.parse().ok()?;
    let active_at = next()?.parse().ok()?;
    let (session, title) = next()?.split_once(": ")?;
    let plain = |id: &str, mark: char| {
        id.strip_prefix(mark).is_some_and(|id| !id.is_empty() && id.bytes().all(|byte| byte.is_ascii_digit()))
    };
    (plain(&session_id, '$') && plain(&window_id, '@') && !session.contains(':')).then(|| Pane {
        server,
        version,
        id,
        pid,
        tty,
        dead,
        cols,
        rows,
        session_id: session_id.clone(),
        window_id: window_id.clone(),
        window,
        index,
        attached,
        active_at,
        session: session.to_owned(),
        title: title.to_owned(),
    })
}

impl Pane {
    /// Where it is, as a person says it: `main:1.0`.
    pub fn place(&self) -> String {
        format!("{}:{}.{}", self.session, self.window, self.index)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LINE: &str =
        "812 3.3a %5 901 /dev/pts/4 0 120 40 $2 @3 1 0 2 1790000000 my work: ✳ Fix: it: now 7 8";

    #[test]
    fn a_line_is_a_pane() {
        let pane = parse(LINE).unwrap();
        assert_eq!((pane.server, pane.id, pane.pid, pane.tty.as_str()), (812, 5, 901, "/dev/pts/4"));
        assert_eq!((pane.cols, pane.rows, pane.dead, pane.attached), (120, 40, false, 2));
        assert_eq!((pane.place().as_str(), pane.title.as_str()), ("my work:1.0", "✳ Fix: it: now 7 8"));
        assert_eq!(parse(&LINE.replace("✳ Fix: it: now 7 8", "")).unwrap().title, "");
    }

    #[test]
    fn half_a_line_is_none() {
        for odd in [
            "",
            "812",
            "812 3.3a 5 901 /dev/pts/4 0 120 40 $2 @3 1 0 2 9 a: b",
            "812 3.3a %5 901 /dev/pts/4 0 120 40 $ @3 1 0 2 9 a: b",
            "812 3.3a %5 901 /dev/pts/4 0 120 40 2 @3 1 0 2 9 a: b",
            "812 3.3a %5 901 /dev/pts/4 0 x 40 $2 @3 1 0 2 9 a: b",
            "812 3.3a %5 901 /dev/pts/4 0 120 40 $2 @3 1 0 2 9 a",
            "812 3.3a   0    : ",
        ] {
            assert_eq!(parse(odd), None, "{odd}");
        }
    }
}
