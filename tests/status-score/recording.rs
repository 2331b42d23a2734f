//! asciicast v2.

use std::path::Path;

use anyhow::{Context as _, Result, bail};
use belfry_terminal::Size;
use serde_json::Value;

/// A recorded session.
#[derive(Clone, Debug)]
pub struct Recording {
    /// The terminal's size at the start.
    pub size: Size,
    /// What happened, in order, in milliseconds since the start.
    pub happenings: Vec<(u64, Happening)>,
}

/// One thing that happened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Happening {
    /// The program printed this.
    Output(Vec<u8>),
    /// This was typed.
    Input(Vec<u8>),
    /// The terminal got another size.
    Resize(Size),
}

impl Recording {
    /// Reads a file; one whose name ends in `.lz4` is unpacked.
    pub fn open(path: &Path) -> Result<Self> {
        let bytes = std::fs::read(path).with_context(|| format!("{} cannot be read", path.display()))?;
        let bytes = if path.extension().is_some_and(|end| end == "lz4") {
            let mut plain = Vec::new();
            std::io::copy(&mut lz4_flex::frame::FrameDecoder::new(bytes.as_slice()), &mut plain)
                .with_context(|| format!("{} cannot be unpacked", path.display()))?;
            plain
        } else {
            bytes
        };
        Self::parse(std::str::from_utf8(&bytes)?).with_context(|| format!("{} is broken", path.display()))
    }

    fn parse(text: &str) -> Result<Self> {
        let mut lines = text.lines().filter(|line| !line.trim().is_empty());
        let head: Value = serde_json::from_str(lines.next().context("it is empty")?)?;
        let columns = |value: &Value| value.as_u64().and_then(|n| u16::try_from(n).ok()).context("no size");
        let size = Size::new(columns(&head["width"])?, columns(&head["height"])?);
        let mut happenings = Vec::new();
        for line in lines {
            let (seconds, kind, text): (f64, String, String) = serde_json::from_str(line)?;
            let at = (seconds * 1000.0).round() as u64;
            let happening = match kind.as_str() {
                "o" => Happening::Output(text.into_bytes()),
                "i" => Happening::Input(text.into_bytes()),
                "r" => {
                    let (cols, rows) = text.split_once('x').context("no size")?;
                    Happening::Resize(Size::new(cols.parse()?, rows.parse()?))
                }
                "m" | "x" => continue,
                other => bail!("`{other}` is no kind of event"),
            };
            happenings.push((at, happening));
        }
        Ok(Self { size, happenings })
    }
}
