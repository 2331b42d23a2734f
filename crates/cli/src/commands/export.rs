//! `belfry export`.

use std::fs::{File, OpenOptions};
use std::io::Write;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use belfry_client::Incoming;
use belfry_protocol::{Event, Request, StreamId};

use crate::args::ExportArgs;
use crate::context::Context;
use crate::failure::{Exit, Failure};
use crate::print::plain;

const STREAM: StreamId = StreamId(1);

pub(crate) async fn run(context: &Context, args: ExportArgs) -> Result<(), Failure> {
    let mut connection = context.connect().await?;
    // Before any file is made, so that a wrong name leaves nothing behind.
    let request = match (args.agent, args.markdown) {
        (Some(agent), _) => Request::ExportConversation { agent, id: args.which.session, stream: STREAM },
        (None, true) => Request::ExportMarkdown { session: args.which.session, stream: STREAM },
        (None, false) => Request::ExportAsciicast { session: args.which.session, stream: STREAM },
    };
    connection.request(request).await?;
    let mut target = Target::create(&args.file, args.force)?;
    let mut bytes = 0;
    loop {
        match connection.next().await {
            Some(Incoming::Blob { stream: STREAM, bytes: piece }) if piece.is_empty() => break,
            Some(Incoming::Blob { stream: STREAM, bytes: piece }) => {
                target.write(&piece)?;
                bytes += piece.len();
            }
            Some(Incoming::Event(event)) => {
                if let Event::StreamFailed { stream: STREAM, error } = *event {
                    return Err(error.into());
                }
            }
            Some(_) => {}
            None => return Err(belfry_client::ClientError::Lost.into()),
        }
    }
    target.finish()?;
    if args.file == Path::new("-") {
        return Ok(());
    }
    if context.printer.json {
        return Ok(crate::print::value(&serde_json::json!({ "file": args.file, "bytes": bytes }))?);
    }
    let unit = if bytes == 1 { "byte" } else { "bytes" };
    Ok(crate::print::line(&format!("Wrote {bytes} {unit} to {}.", plain(&args.file.to_string_lossy())))?)
}

/// The file, or the standard output. A file appears under its name only when it is whole.
enum Target {
    Stdout,
    File { file: File, partial: PathBuf, path: PathBuf, force: bool, whole: bool },
}

impl Target {
    fn create(path: &Path, force: bool) -> Result<Self, Failure> {
        if path == Path::new("-") {
            return Ok(Self::Stdout);
        }
        free(path, force)?;
        let mut name = path.file_name().unwrap_or_default().to_owned();
        name.push(format!(".{}.partial", std::process::id()));
        let partial = path.with_file_name(name);
        // It can show secrets: for the person alone until they say otherwise.
        let file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(&partial);
        let file = file.map_err(|error| unwritable(path, &error))?;
        Ok(Self::File { file, partial, path: path.to_owned(), force, whole: false })
    }

    fn write(&mut self, piece: &[u8]) -> Result<(), Failure> {
        match self {
            Self::Stdout => Ok(std::io::stdout().lock().write_all(piece)?),
            Self::File { file, path, .. } => file.write_all(piece).map_err(|error| unwritable(path, &error)),
        }
    }

    fn finish(&mut self) -> Result<(), Failure> {
        match self {
            Self::Stdout => Ok(std::io::stdout().lock().flush()?),
            Self::File { partial, path, force, whole, .. } => {
                // Something may have come there while it was written.
                free(path, *force)?;
                std::fs::rename(partial, &*path).map_err(|error| unwritable(path, &error))?;
                *whole = true;
                Ok(())
            }
        }
    }
}

impl Drop for Target {
    fn drop(&mut self) {
        if let Self::File { partial, whole: false, .. } = self {
            let _ = std::fs::remove_file(partial);
        }
    }
}

/// Whether the file may be written: nothing is there, or a file that the person gives up.
fn free(path: &Path, force: bool) -> Result<(), Failure> {
    let Ok(there) = std::fs::symlink_metadata(path) else { return Ok(()) };
    let name = path.display();
    // It takes the place of what is there: a device or a directory would be gone.
    if !(there.is_file() || there.is_symlink()) {
        let why = format!("{name} is there already, and is no file.");
        return Err(Failure::new(Exit::Refused, "exists", why).next("Give another name, or `-`."));
    }
    if force {
        return Ok(());
    }
    Err(Failure::new(Exit::Refused, "exists", format!("{name} is there already."))
        .kept("It is as it was.")
        .next("`--force` replaces it."))
}

fn unwritable(path: &Path, error: &std::io::Error) -> Failure {
    Failure::failed(format!("{} cannot be written: {error}.", path.display()))
        .kept("What it is of is untouched.")
}
