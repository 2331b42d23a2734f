//! `belfry export`.

use std::fs::{File, OpenOptions};
use std::io::Write;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use belfry_client::Incoming;
use belfry_protocol::{ErrorCode, Event, Request, StreamId, WireError};

use crate::args::ExportArgs;
use crate::context::Context;
use crate::failure::Failure;

const STREAM: StreamId = StreamId(1);

pub(crate) async fn run(context: &Context, args: ExportArgs) -> Result<(), Failure> {
    if args.markdown {
        let why = "A conversation cannot be written as text yet.";
        return Err(WireError::new(ErrorCode::Unsupported, why)
            .next("`belfry export SESSION --asciicast FILE` writes the terminal's recording.")
            .into());
    }
    let mut connection = context.connect().await?;
    // Before any file is made, so that a wrong name leaves nothing behind.
    let request = Request::ExportAsciicast { session: args.which.session, stream: STREAM };
    connection.request(request).await?;
    let mut target = Target::create(&args.file)?;
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
    if context.printer.json && args.file != Path::new("-") {
        crate::print::value(&serde_json::json!({ "file": args.file, "bytes": bytes }))?;
    }
    Ok(())
}

/// The file, or the standard output. A file appears under its name only when it is whole.
enum Target {
    Stdout,
    File { file: File, partial: PathBuf, path: PathBuf, whole: bool },
}

impl Target {
    fn create(path: &Path) -> Result<Self, Failure> {
        if path == Path::new("-") {
            return Ok(Self::Stdout);
        }
        let mut name = path.file_name().unwrap_or_default().to_owned();
        name.push(format!(".{}.partial", std::process::id()));
        let partial = path.with_file_name(name);
        // A recording can show secrets: for the person alone until they say otherwise.
        let file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(&partial);
        let file = file.map_err(|error| unwritable(path, &error))?;
        Ok(Self::File { file, partial, path: path.to_owned(), whole: false })
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
            Self::File { partial, path, whole, .. } => {
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

fn unwritable(path: &Path, error: &std::io::Error) -> Failure {
    Failure::failed(format!("{} cannot be written: {error}.", path.display()))
        .kept("The session and its recording are untouched.")
}
