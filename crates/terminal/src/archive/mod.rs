//! Lines far above the screen: encoded as text with attributes, packed in blocks, without a width of their own.

mod block;
mod encode;
mod skip;
mod unpack;

use std::collections::VecDeque;

use crate::checkpoint::BlockId;
use crate::grid::{Cell, Color, Row, Tables};

pub(crate) use block::{Block, Line};
pub(crate) use encode::{Blanks, encode, plain_text};
pub(crate) use skip::MIN_BYTES;

/// Bytes of text in a block.
const BLOCK_BYTES: usize = 32 * 1024;
/// Text of full blocks that stays unpacked: in a flood it is dropped before packing it was worth the time.
const UNPACKED_BYTES: usize = 1024 * 1024;

/// Encoded lines, oldest first.
#[derive(Debug)]
pub(crate) struct Archive {
    blocks: VecDeque<Block>,
    /// The newest lines, not yet a block.
    open: Block,
    next_id: u64,
    /// Rows to keep, those that are still cells included.
    limit: usize,
    unpacked: usize,
    /// Cells of the line at hand, kept for its memory.
    scratch: Vec<Cell>,
}

impl Archive {
    pub(crate) fn new(limit: usize) -> Self {
        Self {
            blocks: VecDeque::new(),
            open: Block::default(),
            next_id: 0,
            limit,
            unpacked: 0,
            scratch: Vec::new(),
        }
    }

    pub(crate) fn limit(&self) -> usize {
        self.limit
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.open.is_empty() && self.blocks.is_empty()
    }

    pub(crate) fn clear(&mut self) {
        self.blocks.clear();
        self.open = Block::default();
        self.unpacked = 0;
    }

    /// Takes the first `count` of `rows`; what follows them tells whether the last one goes on.
    pub(crate) fn push_rows(&mut self, rows: &VecDeque<Row>, count: usize, tables: &Tables) {
        let mut first = 0;
        while first < count {
            let mut end = first + 1;
            while end < count && rows[end].wrapped {
                end += 1;
            }
            let continues = rows.get(end).is_some_and(|row| row.wrapped);
            if end == first + 1 && !continues {
                let row = &rows[first];
                let content = row.content();
                // Colour that ends before the row does needs what is behind it to show where it ends.
                let partial = content.len() < row.cells().len()
                    && content.last().is_some_and(|c| c.bg != Color::DEFAULT);
                self.push_cells(&row.cells()[..content.len() + usize::from(partial)], false, tables);
            } else {
                let mut cells = std::mem::take(&mut self.scratch);
                cells.clear();
                join_rows(rows, first, end, continues, &mut cells);
                self.push_cells(&cells, continues, tables);
                self.scratch = cells;
            }
            first = end;
        }
    }

    fn push_cells(&mut self, cells: &[Cell], continues: bool, tables: &Tables) {
        let text = self.open.text_mut();
        let start = text.len();
        let used = if continues {
            encode(text, cells, Blanks::Fill, false, tables)
        } else {
            // At some width it may wrap.
            let colored = cells.iter().any(|c| c.bg != Color::DEFAULT);
            encode(text, cells, Blanks::Flow, colored, tables)
        };
        self.end_line(start, used, continues);
    }

    /// Ends the line that was written to the open block from `start` on.
    fn end_line(&mut self, start: usize, cells: usize, continues: bool) {
        self.open.end_line(start, cells, continues);
        if self.open.text_len() >= BLOCK_BYTES {
            self.close();
        }
    }

    /// A line that is encoded already.
    fn push_encoded(&mut self, line: &[u8], cells: usize) {
        let text = self.open.text_mut();
        let start = text.len();
        text.extend_from_slice(line);
        self.end_line(start, cells, false);
    }

    fn close(&mut self) {
        let mut block = std::mem::take(&mut self.open);
        block.id = BlockId(self.next_id);
        self.next_id += 1;
        self.unpacked += block.text_len();
        self.blocks.push_back(block);
        if self.unpacked > UNPACKED_BYTES
            && let Some(block) = self.blocks.iter_mut().find(|b| !b.is_packed())
        {
            self.unpacked -= block.text_len();
            block.pack();
        }
    }

    /// Packs every full block.
    pub(crate) fn pack(&mut self) {
        self.blocks.iter_mut().for_each(Block::pack);
        self.unpacked = 0;
    }

    /// Drops blocks that are beyond the limit, `live` rows above the screen being cells.
    pub(crate) fn trim(&mut self, cols: usize, live: usize) {
        let mut rows = live + self.open.rows(cols);
        rows += self.blocks.iter_mut().map(|b| b.rows(cols)).sum::<usize>();
        while let Some(first) = self.blocks.front_mut() {
            let oldest = first.rows(cols);
            if rows - oldest < self.limit {
                break;
            }
            rows -= oldest;
            if let Some(block) = self.blocks.pop_front()
                && !block.is_packed()
            {
                self.unpacked -= block.text_len();
            }
        }
    }

    /// Rows at this width, a little fewer where wide characters leave gaps.
    pub(crate) fn rows(&self, cols: usize) -> usize {
        self.open.count_rows(cols) + self.blocks.iter().map(|b| b.count_rows(cols)).sum::<usize>()
    }

    /// The newest lines that fill at least `rows` rows, oldest first, and how many rows they fill.
    pub(crate) fn tail(&self, rows: usize, cols: usize) -> (Vec<Piece>, usize) {
        let mut pieces = Vec::new();
        let mut found = 0;
        for block in std::iter::once(&self.open).chain(self.blocks.iter().rev()) {
            if found >= rows {
                break;
            }
            let count = block.count_rows(cols);
            let (lines, text) = block.unpack();
            let mut first = 0;
            if found + count > rows {
                first = lines.len();
                let mut taken = 0;
                while first > 0 && found + taken < rows {
                    first -= 1;
                    taken += lines[first].rows(cols);
                }
                // A line that began earlier comes whole.
                while first > 0 && lines[first - 1].continues {
                    first -= 1;
                    taken += lines[first].rows(cols);
                }
                found += taken;
            } else {
                found += count;
            }
            let start = lines[..first].iter().map(|l| l.bytes as usize).sum();
            pieces.push(Piece { lines: lines[first..].to_vec(), text: text[start..].to_vec() });
        }
        pieces.reverse();
        (pieces, found)
    }

    /// Takes the newest lines out again, enough to fill `rows` rows.
    pub(crate) fn pop_tail(&mut self, rows: usize, cols: usize) -> Vec<Piece> {
        let mut pieces = Vec::new();
        let mut found = 0;
        while found < rows {
            if self.open.is_empty() {
                let Some(block) = self.blocks.pop_back() else { break };
                if !block.is_packed() {
                    self.unpacked -= block.text_len();
                }
                self.open = block.reopened();
            }
            let (piece, taken) = self.open.pop_tail(rows - found, cols);
            found += taken;
            pieces.push(piece);
        }
        pieces.reverse();
        pieces
    }

    /// Identifiers of all full blocks, oldest first. They are packed.
    pub(crate) fn ids(&self) -> Vec<BlockId> {
        self.blocks.iter().map(|b| b.id).collect()
    }

    /// A full block as it is stored.
    pub(crate) fn packed(&self, id: BlockId) -> Option<&[u8]> {
        let at = self.blocks.binary_search_by_key(&id, |b| b.id).ok()?;
        self.blocks[at].packed()
    }

    /// Lines that are not in a full block, as a block is stored.
    pub(crate) fn open_packed(&self) -> Vec<u8> {
        let mut open = self.open.clone();
        open.pack();
        open.packed().unwrap_or_default().to_vec()
    }

    /// An archive from stored blocks; those that cannot be read are left out.
    pub(crate) fn restored(
        limit: usize,
        ids: &[BlockId],
        open: &[u8],
        mut read: impl FnMut(BlockId) -> Option<Vec<u8>>,
    ) -> Self {
        let mut archive = Self::new(limit);
        archive.next_id = ids.last().map_or(0, |id| id.0 + 1);
        for &id in ids {
            archive.blocks.extend(read(id).and_then(|bytes| Block::from_packed(id, bytes)));
        }
        if let Some(block) = Block::from_packed(BlockId(0), open.to_vec()) {
            archive.open = block.reopened();
        }
        archive
    }

    /// Bytes of memory that the lines take.
    pub(crate) fn memory(&self) -> usize {
        self.open.memory() + self.blocks.iter().map(Block::memory).sum::<usize>()
    }

    /// The identifier that the next full block gets.
    pub(crate) fn next_id(&self) -> u64 {
        self.next_id
    }

    pub(crate) fn set_next_id(&mut self, id: u64) {
        self.next_id = self.next_id.max(id);
    }
}

/// Consecutive encoded lines. A line's text ends with `\r\n` unless it goes on in the next line.
#[derive(Clone, Debug, Default)]
pub(crate) struct Piece {
    pub(crate) lines: Vec<Line>,
    pub(crate) text: Vec<u8>,
}

/// The cells of rows that are one line, or of its first part.
fn join_rows(rows: &VecDeque<Row>, first: usize, end: usize, continues: bool, cells: &mut Vec<Cell>) {
    for at in first..end {
        let next = (at + 1 < end || continues).then(|| rows.get(at + 1)).flatten();
        let start = cells.len();
        cells.extend_from_slice(match next {
            Some(next) => rows[at].going_on(Some(next)),
            None => rows[at].cells(),
        });
        // What was erased in a row that goes on, and the first cell of one that goes on from another, must be printed for
        // the line to wrap in the same places.
        let printed =
            if next.is_some() { cells.len() } else { (start + usize::from(at > first)).min(cells.len()) };
        for cell in cells[start..printed].iter_mut().filter(|c| c.ch == 0 && !c.is_spacer()) {
            cell.ch = u32::from(' ');
        }
    }
}
