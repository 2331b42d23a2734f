//! Cuts the daemon's stream into pieces for the page.
//!
//! Each piece costs a turn of the page's event loop, whatever its size, so floods go in large ones; but a lone
//! keystroke's echo must not wait for company. So the first few pieces after a quiet spell go as they come, and what
//! follows closely is gathered until there is enough or the spell is over.

use std::io;
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncReadExt};
use tokio::time::{Instant, timeout_at};

/// A web view takes about 100 MB/s in pieces of this size and gains little from larger ones (measured, WebKitGTK).
const PIECE: usize = 64 * 1024;

/// A quarter of a frame at 60 Hz: long enough to gather a burst, too short to be seen.
const SPELL: Duration = Duration::from_millis(4);

/// Pieces that do not wait after a quiet spell. Showing a session brings four: the answer, an event or two, and the screen
/// itself, which comes last and is what the person waits for.
const PROMPT: usize = 4;

/// Gives everything that `from` says to `piece`, in order, until it ends.
pub(super) async fn pump(
    mut from: impl AsyncRead + Unpin,
    mut piece: impl FnMut(Vec<u8>) -> io::Result<()>,
) -> io::Result<()> {
    let mut spell_ends = Instant::now();
    let mut prompt = PROMPT;
    loop {
        let mut gathered = Vec::with_capacity(PIECE);
        if from.read_buf(&mut gathered).await? == 0 {
            return Ok(());
        }
        let now = Instant::now();
        if now > spell_ends {
            prompt = PROMPT;
        }
        let until = if prompt > 0 { now } else { spell_ends };
        prompt = prompt.saturating_sub(1);
        let mut ended = false;
        while gathered.len() < PIECE && !ended {
            // With that time over, this takes what is ready and does not wait.
            match timeout_at(until, from.read_buf(&mut gathered)).await {
                Ok(read) => ended = read? == 0,
                Err(_) => break,
            }
        }
        piece(gathered)?;
        if ended {
            return Ok(());
        }
        spell_ends = Instant::now() + SPELL;
    }
}

#[cfg(test)]
mod tests {
    use tokio::io::AsyncWriteExt;
    use tokio::sync::mpsc;

    use super::*;

    /// Runs `pump` on one end of a pipe; returns the other end and the pieces.
    fn pumped() -> (tokio::io::DuplexStream, mpsc::UnboundedReceiver<Vec<u8>>) {
        let (near, far) = tokio::io::duplex(1 << 20);
        let (pieces, received) = mpsc::unbounded_channel();
        tokio::spawn(pump(far, move |piece| {
            pieces.send(piece).map_err(|_| io::ErrorKind::BrokenPipe.into())
        }));
        (near, received)
    }

    #[tokio::test]
    #[ntest::timeout(30000)]
    async fn gives_a_lone_byte_without_waiting_for_more() {
        let (mut near, mut pieces) = pumped();
        for byte in *b"key" {
            near.write_all(&[byte]).await.expect("written");
            assert_eq!(pieces.recv().await, Some(vec![byte]));
        }
    }

    #[tokio::test]
    #[ntest::timeout(30000)]
    async fn gathers_a_flood_and_loses_nothing() {
        let (mut near, mut pieces) = pumped();
        let flood: Vec<u8> = (0..3_000_000u32).map(|index| (index % 251) as u8).collect();
        let sent = flood.clone();
        tokio::spawn(async move { near.write_all(&sent).await });
        let mut got = Vec::new();
        let mut count = 0;
        while let Some(piece) = pieces.recv().await {
            assert!(piece.len() <= PIECE, "a piece of {} bytes", piece.len());
            got.extend(piece);
            count += 1;
        }
        assert_eq!(got, flood);
        assert!(count <= 3 * flood.len() / PIECE, "{count} pieces");
    }

    #[tokio::test]
    #[ntest::timeout(30000)]
    async fn gives_the_last_bytes_before_the_end() {
        let (mut near, mut pieces) = pumped();
        near.write_all(b"bye").await.expect("written");
        drop(near);
        assert_eq!(pieces.recv().await.as_deref(), Some(&b"bye"[..]));
        assert_eq!(pieces.recv().await, None);
    }
}
