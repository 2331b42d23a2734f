//! A block of encoded lines, packed once it is full.

use crate::checkpoint::BlockId;

use super::Piece;

/// What is known of a line without looking at its text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Line {
    /// Length of its text, the line break included.
    pub(crate) bytes: u32,
    /// Cells that it fills.
    pub(crate) cells: u32,
    /// It goes on in the next line of the archive or in the first row of cells.
    pub(crate) continues: bool,
}

impl Line {
    /// Rows at a width.
    pub(crate) fn rows(self, cols: usize) -> usize {
        if self.continues { self.cells as usize / cols } else { (self.cells as usize).div_ceil(cols).max(1) }
    }
}

/// Lines and their text, or both packed.
#[derive(Clone, Debug, Default)]
pub(crate) struct Block {
    pub(crate) id: BlockId,
    lines: Vec<Line>,
    text: Vec<u8>,
    /// [`Block::packed`]; `lines` and `text` are then empty.
    packed: Option<Box<[u8]>>,
    text_len: usize,
    /// Width and number of rows, once counted.
    counted: Option<(usize, usize)>,
}

/// Text length, number of lines and a checksum before the packed bytes.
const HEADER: usize = 12;
/// A block of [`super::BLOCK_BYTES`] may end with a line of any length; more than this is damage.
const MAX_UNPACKED: usize = 256 * 1024 * 1024;

impl Block {
    pub(super) fn is_empty(&self) -> bool {
        self.lines.is_empty() && self.packed.is_none()
    }

    pub(super) fn is_packed(&self) -> bool {
        self.packed.is_some()
    }

    pub(super) fn text_len(&self) -> usize {
        if self.packed.is_some() { self.text_len } else { self.text.len() }
    }

    /// For writing a line, to be ended by [`end_line`](Self::end_line).
    pub(super) fn text_mut(&mut self) -> &mut Vec<u8> {
        &mut self.text
    }

    pub(super) fn end_line(&mut self, start: usize, cells: usize, continues: bool) {
        if !continues {
            self.text.extend_from_slice(b"\r\n");
        }
        let line = Line { bytes: (self.text.len() - start) as u32, cells: cells as u32, continues };
        if let Some((cols, rows)) = &mut self.counted {
            *rows += line.rows(*cols);
        }
        self.lines.push(line);
    }

    /// Rows at a width, remembered for the next time.
    pub(super) fn rows(&mut self, cols: usize) -> usize {
        let rows = self.count_rows(cols);
        self.counted = Some((cols, rows));
        rows
    }

    pub(super) fn count_rows(&self, cols: usize) -> usize {
        let count = |lines: &[Line]| lines.iter().map(|l| l.rows(cols)).sum();
        match self.counted {
            Some((counted, rows)) if counted == cols => rows,
            _ if self.packed.is_none() => count(&self.lines),
            _ => count(&self.unpack().0),
        }
    }

    pub(super) fn pack(&mut self) {
        if self.packed.is_some() {
            return;
        }
        let mut plain = Vec::with_capacity(self.lines.len() * 8 + self.text.len());
        for line in &self.lines {
            plain.extend_from_slice(&line.bytes.to_le_bytes());
            plain.extend_from_slice(&(line.cells | u32::from(line.continues) << 31).to_le_bytes());
        }
        plain.extend_from_slice(&self.text);
        let mut packed = Vec::with_capacity(plain.len() / 4);
        packed.extend_from_slice(&(plain.len() as u32).to_le_bytes());
        packed.extend_from_slice(&(self.lines.len() as u32).to_le_bytes());
        packed.extend_from_slice(&crc32fast::hash(&plain).to_le_bytes());
        packed.extend_from_slice(&lz4_flex::compress(&plain));
        self.text_len = self.text.len();
        self.lines = Vec::new();
        self.text = Vec::new();
        self.packed = Some(packed.into_boxed_slice());
    }

    /// The packed form.
    pub(super) fn packed(&self) -> Option<&[u8]> {
        self.packed.as_deref()
    }

    /// A block from its packed form, when that is whole.
    pub(super) fn from_packed(id: BlockId, bytes: Vec<u8>) -> Option<Self> {
        let (lines, text) = unpack(&bytes)?;
        let total: usize = lines.iter().map(|l| l.bytes as usize).sum();
        (total == text.len()).then(|| Self {
            id,
            text_len: text.len(),
            packed: Some(bytes.into_boxed_slice()),
            ..Self::default()
        })
    }

    /// Lines and text.
    pub(super) fn unpack(&self) -> (Vec<Line>, Vec<u8>) {
        match &self.packed {
            Some(packed) => unpack(packed).unwrap_or_default(),
            None => (self.lines.clone(), self.text.clone()),
        }
    }

    /// The same lines, to be added to or taken from.
    pub(super) fn reopened(self) -> Self {
        let (lines, text) = self.unpack();
        Self { lines, text, ..Self::default() }
    }

    /// Removes lines from the end of an unpacked block until they fill `rows` rows.
    pub(super) fn pop_tail(&mut self, rows: usize, cols: usize) -> (Piece, usize) {
        let mut first = self.lines.len();
        let mut taken = 0;
        let mut bytes = 0;
        while first > 0 && (taken < rows || self.lines[first - 1].continues) {
            first -= 1;
            taken += self.lines[first].rows(cols);
            bytes += self.lines[first].bytes as usize;
        }
        self.counted = None;
        let lines = self.lines.split_off(first);
        let text = self.text.split_off(self.text.len() - bytes);
        (Piece { lines, text }, taken.max(1))
    }

    pub(super) fn memory(&self) -> usize {
        self.lines.capacity() * size_of::<Line>()
            + self.text.capacity()
            + self.packed.as_ref().map_or(0, |p| p.len())
            + size_of::<Self>()
    }
}

fn unpack(bytes: &[u8]) -> Option<(Vec<Line>, Vec<u8>)> {
    let number = |at: usize| Some(u32::from_le_bytes(bytes.get(at..at + 4)?.try_into().ok()?));
    let (length, count, sum) = (number(0)? as usize, number(4)? as usize, number(8)?);
    if length > MAX_UNPACKED || count.checked_mul(8)? > length {
        return None;
    }
    let mut plain = lz4_flex::decompress(bytes.get(HEADER..)?, length).ok()?;
    if plain.len() != length || crc32fast::hash(&plain) != sum {
        return None;
    }
    let text = plain.split_off(count * 8);
    let lines = plain
        .chunks_exact(8)
        .map(|entry| {
            let (bytes, cells) = entry.split_at(4);
            let word = |b: &[u8]| b.try_into().map_or(0, u32::from_le_bytes);
            let cells = word(cells);
            Line { bytes: word(bytes), cells: cells & 0x7fff_ffff, continues: cells >> 31 != 0 }
        })
        .collect();
    Some((lines, text))
}
