//! Files that the person gives to a session: kept in its own folder, where its program can read them.

use std::fs::File;
use std::io::{self, Write};
use std::os::fd::{AsFd, OwnedFd};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use belfry_platform::directory::{DirectoryError, create_private};
use belfry_protocol::reply::Attachment;
use belfry_protocol::{ErrorCode, Reply, WireError};
use rustix::fs::{self, Dir, FileType, Mode, OFlags};

use super::Outcome;
use crate::Daemon;

/// Most bytes of one file.
pub(crate) const MOST: u64 = 20 << 20;

/// Most bytes of all files of a session.
const ALL: u64 = 200 << 20;

/// Longest name, in bytes: far below what file systems take, and a path is typed into a terminal.
const NAME: usize = 80;

/// Names that are tried before one is not found to be free.
const TRIES: u32 = 1000;

/// A piece of a file.
pub(super) struct Piece {
    pub(super) name: String,
    /// The file that it goes on with, as the first piece's answer called it.
    pub(super) file: Option<String>,
    pub(super) offset: u64,
    pub(super) data: String,
}

pub(super) async fn save(daemon: &Arc<Daemon>, wanted: &str, piece: Piece) -> Outcome {
    let entry = daemon.find(wanted)?;
    let dir = if entry.private {
        // Nothing of it may reach a disk.
        daemon.home.private_dir().map_err(|_| {
            WireError::new(
                ErrorCode::NoPrivateStorage,
                "there is no memory-backed storage for a file of a private session",
            )
        })?;
        daemon.files_of(entry.id, true)
    } else {
        daemon.files_of(entry.id, false)
    };
    let Some((dir, _)) = dir else {
        return Err(WireError::new(ErrorCode::Storage, "the session has no folder"));
    };
    let dir = dir.join("attachments");
    let saved = tokio::task::spawn_blocking(move || write(&dir, &piece)).await;
    saved.map_err(|error| WireError::new(ErrorCode::Internal, error.to_string()))?.map(Reply::Attachment)
}

fn write(dir: &Path, piece: &Piece) -> Result<Attachment, WireError> {
    let bytes = STANDARD
        .decode(&piece.data)
        .map_err(|_| WireError::new(ErrorCode::BadRequest, "the piece is not base64"))?;
    if piece.offset.saturating_add(bytes.len() as u64) > MOST {
        let error = format!("{} is larger than {} MB", clean(&piece.name), MOST >> 20);
        return Err(WireError::new(ErrorCode::TooMuch, error).next("give the session its path instead"));
    }
    let open = create_private(dir).map_err(|error| directory(&error))?;
    let (name, mut file) = match &piece.file {
        None => create(&open, piece, bytes.len() as u64)?,
        Some(name) => (name.clone(), go_on(&open, name, piece.offset)?),
    };
    if let Err(error) = file.write_all(&bytes) {
        // Half a file would be taken for a whole one.
        let _ = fs::unlinkat(&open, &name, fs::AtFlags::empty());
        return Err(storage(&error));
    }
    let path = dir.join(&name);
    Ok(Attachment { path: shown(path)?, file: name })
}

fn shown(path: PathBuf) -> Result<String, WireError> {
    path.into_os_string().into_string().map_err(|_| {
        WireError::new(ErrorCode::Storage, "the session's folder has a name that cannot be typed")
    })
}

/// A new file, under a name of its own.
fn create(dir: &OwnedFd, piece: &Piece, bytes: u64) -> Result<(String, File), WireError> {
    if piece.offset != 0 {
        return Err(WireError::new(ErrorCode::BadRequest, "the first piece of a file begins at 0"));
    }
    if taken(dir).map_err(|error| storage(&error))?.saturating_add(bytes) > ALL {
        let error = format!("the session has {} MB of files already", ALL >> 20);
        return Err(WireError::new(ErrorCode::TooMuch, error));
    }
    let wanted = clean(&piece.name);
    let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    for number in 1..=TRIES {
        let name = numbered(&wanted, number);
        match fs::openat(dir, &name, flags, Mode::RUSR | Mode::WUSR) {
            Ok(file) => return Ok((name, File::from(file))),
            Err(rustix::io::Errno::EXIST) => {}
            Err(errno) => return Err(storage(&errno.into())),
        }
    }
    Err(WireError::new(ErrorCode::TooMuch, format!("too many files are called {wanted}")))
}

/// A file that was begun, where the piece goes on with it. The name comes from a client: it must not lead elsewhere.
fn go_on(dir: &OwnedFd, name: &str, offset: u64) -> Result<File, WireError> {
    let lost = || WireError::new(ErrorCode::NotFound, "the file that was begun is not there any more");
    if !is_name(name) {
        return Err(WireError::new(ErrorCode::BadRequest, "that is no name of an attachment"));
    }
    let flags = OFlags::WRONLY | OFlags::APPEND | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let file = fs::openat(dir, name, flags, Mode::empty()).map_err(|_| lost())?;
    let stat = fs::fstat(&file).map_err(|errno| storage(&errno.into()))?;
    if FileType::from_raw_mode(stat.st_mode) != FileType::RegularFile {
        return Err(lost());
    }
    if stat.st_size as u64 != offset {
        return Err(WireError::new(ErrorCode::BadRequest, "the pieces of the file are out of order"));
    }
    Ok(File::from(file))
}

/// Bytes of all files in it.
fn taken(dir: &impl AsFd) -> io::Result<u64> {
    let mut sum = 0;
    for entry in Dir::read_from(dir)? {
        let entry = entry?;
        let stat = fs::statat(dir, entry.file_name(), fs::AtFlags::SYMLINK_NOFOLLOW)?;
        if FileType::from_raw_mode(stat.st_mode) == FileType::RegularFile {
            sum += stat.st_size as u64;
        }
    }
    Ok(sum)
}

/// A name that means one file in one directory, on every system, and needs no quotes in a shell.
fn clean(name: &str) -> String {
    let last = name.rsplit(['/', '\\']).next().unwrap_or_default();
    let mut name = String::new();
    for c in last.chars().map(|c| if plain(c) { c } else { '-' }) {
        if c != '-' || !name.ends_with('-') {
            name.push(c);
        }
    }
    let (stem, extension) = split(name.trim_matches(['.', '-']));
    let room = NAME.saturating_sub(extension.len());
    let stem = stem[..stem.floor_char_boundary(room)].trim_end_matches('-');
    if stem.is_empty() { format!("file{extension}") } else { format!("{stem}{extension}") }
}

fn plain(c: char) -> bool {
    c.is_alphanumeric() || "._-".contains(c)
}

/// Whether a name can be one that was made here.
fn is_name(name: &str) -> bool {
    // With the number of the last try.
    name.len() <= NAME + 5 && !name.starts_with('.') && !name.is_empty() && name.chars().all(plain)
}

/// The name and its extension with the dot; one that is too long for one is none.
fn split(name: &str) -> (&str, &str) {
    match name.rfind('.') {
        Some(at) if at > 0 && name.len() - at <= 12 => name.split_at(at),
        _ => (name, ""),
    }
}

fn numbered(name: &str, number: u32) -> String {
    if number == 1 {
        return name.to_owned();
    }
    let (stem, extension) = split(name);
    format!("{stem}-{number}{extension}")
}

fn directory(error: &DirectoryError) -> WireError {
    match error.io() {
        Some(io) => storage(io),
        None => WireError::new(ErrorCode::Storage, error.to_string()),
    }
}

fn storage(error: &io::Error) -> WireError {
    let code = match error.kind() {
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => ErrorCode::DiskFull,
        _ => ErrorCode::Storage,
    };
    WireError::new(code, format!("the file cannot be kept: {error}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_one_file_in_one_directory() {
        for (given, kept) in [
            ("screen shot (2).png", "screen-shot-2.png"),
            ("../../etc/passwd", "passwd"),
            ("C:\\temp\\a.txt", "a.txt"),
            (".bashrc", "bashrc"),
            ("..", "file"),
            ("", "file"),
            ("Bild ü.PNG", "Bild-ü.PNG"),
            ("a\nb$(rm).txt", "a-b-rm.txt"),
        ] {
            assert_eq!(clean(given), kept, "{given:?}");
            assert_eq!(clean(&clean(given)), clean(given), "{given:?} again");
        }
        let long = clean(&format!("{}.png", "é".repeat(200)));
        assert!(long.len() <= NAME && split(&long).1 == ".png", "{long}");
        assert_eq!(numbered("a.tar.gz", 3), "a.tar-3.gz");
    }

    #[test]
    fn names_with_a_number_are_names_too() {
        assert_eq!(numbered("x.png", 7), "x-7.png");
        assert!(is_name(&numbered(&clean(&"y".repeat(300)), TRIES)));
        for bad in ["", "..", ".x", "a/b", "a b", "..\\x"] {
            assert!(!is_name(bad), "{bad}");
        }
    }
}
