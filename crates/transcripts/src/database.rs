//! Other programs' SQLite files, opened so that nothing of theirs is written.

use std::ffi::OsString;
use std::fmt::Write as _;
use std::path::Path;
use std::time::Duration;

use rusqlite::{Connection, OpenFlags, Result};

/// How long a reader waits for a program that writes. Those hold their locks for milliseconds.
const PATIENCE: Duration = Duration::from_millis(300);
/// Largest value that is read from a row.
pub(crate) const LARGEST: i64 = 8 * 1024 * 1024;

/// Opens it for reading. SQLite makes files beside a database with a write-ahead log even for a reader, unless it is told that
/// nobody writes: that is said where there is no log, which then nobody has open.
pub(crate) fn open(path: &Path) -> Result<Connection> {
    let mut log = OsString::from(path);
    log.push("-wal");
    let written = std::fs::metadata(&log).is_ok_and(|meta| meta.len() > 0);
    let mut address = String::from("file:");
    for &byte in path.as_os_str().as_encoded_bytes() {
        if byte.is_ascii_alphanumeric() || matches!(byte, b'/' | b'-' | b'_' | b'.') {
            address.push(byte as char);
        } else {
            let _ = write!(address, "%{byte:02x}");
        }
    }
    address.push_str(if written { "?mode=ro" } else { "?mode=ro&immutable=1" });
    let flags =
        OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_URI | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let database = Connection::open_with_flags(address, flags)?;
    database.busy_timeout(PATIENCE)?;
    // A file of another program is hostile: no functions by its schema.
    database.pragma_update(None, "trusted_schema", false)?;
    Ok(database)
}
