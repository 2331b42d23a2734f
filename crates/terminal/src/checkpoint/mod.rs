//! Saving a terminal and bringing it back.

mod codec;
mod state;

use crate::interpret::Interpreter;
use crate::options::Options;

use codec::{Reader, Writer};

/// Name of an archive block; unique within one terminal's life, rising with time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BlockId(pub u64);

/// A terminal's state in a form that can be stored.
///
/// `live` is everything but the archive of older lines. Archive blocks never change once they are listed here: store each
/// id once (read it with [`Terminal::archive_block`](crate::Terminal::archive_block)), and delete those no longer listed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Checkpoint {
    /// Source offset of the state: feed the source from exactly here after a restore.
    pub offset: u64,
    /// The live part; versioned and checked.
    pub live: Vec<u8>,
    /// Archive blocks that belong to it, oldest first.
    pub blocks: Vec<BlockId>,
}

/// Why a stored state cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RestoreError {
    /// Written by another version of the format.
    #[error("terminal checkpoint has format {0}, this build reads {expected}", expected = FORMAT)]
    Format(u32),
    /// Too short, or its checksum is wrong.
    #[error("terminal checkpoint is damaged")]
    Damaged,
}

/// Version of [`Checkpoint::live`]: a little-endian number at its start, then the checksum of all that follows: the
/// state's length and the state, packed.
const FORMAT: u32 = 1;
const HEADER: usize = 8;
/// No terminal's live part is larger; a length beyond this is damage.
const MAX_LIVE: usize = 512 * 1024 * 1024;

/// Packs a terminal's live part. Full archive blocks must be packed already.
pub(crate) fn save(terminal: &Interpreter, offset: u64) -> Checkpoint {
    let mut writer = Writer::default();
    let blocks = terminal.screen.archive.ids();
    writer.u64(offset);
    state::write(&mut writer, terminal);
    writer.u64(terminal.screen.archive.next_id());
    writer.count(blocks.len());
    for id in &blocks {
        writer.u64(id.0);
    }
    writer.bytes(&terminal.screen.archive.open_packed());
    let plain = writer.finish();
    let mut packed = (plain.len() as u32).to_le_bytes().to_vec();
    packed.extend_from_slice(&lz4_flex::compress(&plain));
    let mut live = Vec::with_capacity(HEADER + packed.len());
    live.extend_from_slice(&FORMAT.to_le_bytes());
    live.extend_from_slice(&crc32fast::hash(&packed).to_le_bytes());
    live.extend_from_slice(&packed);
    Checkpoint { offset, live, blocks }
}

/// The terminal and the offset of its state.
pub(crate) fn load(
    live: &[u8],
    options: Options,
    block: impl FnMut(BlockId) -> Option<Vec<u8>>,
) -> Result<(Interpreter, u64), RestoreError> {
    let number = |at: usize| {
        let bytes = live.get(at..at + 4).and_then(|b| b.try_into().ok()).ok_or(RestoreError::Damaged)?;
        Ok::<u32, RestoreError>(u32::from_le_bytes(bytes))
    };
    let format = number(0)?;
    if format != FORMAT {
        return Err(RestoreError::Format(format));
    }
    let (sum, length) = (number(4)?, number(8)? as usize);
    if length > MAX_LIVE || crc32fast::hash(&live[HEADER..]) != sum {
        return Err(RestoreError::Damaged);
    }
    let plain = lz4_flex::decompress(&live[HEADER + 4..], length).map_err(|_| RestoreError::Damaged)?;
    let mut reader = Reader::new(&plain);
    parse(&mut reader, options, block).ok_or(RestoreError::Damaged)
}

fn parse(
    reader: &mut Reader<'_>,
    options: Options,
    block: impl FnMut(BlockId) -> Option<Vec<u8>>,
) -> Option<(Interpreter, u64)> {
    let limit = options.scrollback_lines;
    let offset = reader.u64()?;
    let mut terminal = state::read(reader, options)?;
    let next_id = reader.u64()?;
    let ids = (0..reader.count()?).map(|_| reader.u64().map(BlockId)).collect::<Option<Vec<_>>>()?;
    let open = reader.bytes()?;
    terminal.screen.archive = crate::archive::Archive::restored(limit, &ids, open, block);
    terminal.screen.archive.set_next_id(next_id);
    terminal.settle_modes();
    Some((terminal, offset))
}
