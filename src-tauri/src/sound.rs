//! Sounds that go with notifications, made by `cargo xtask sounds`.
//!
//! They are played by a program of the desktop's sound system, which is there where sound is. A library for it would be the
//! largest dependency of the window, and the web view plays nothing on many systems.

use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

use belfry_platform::Home;
use belfry_protocol::NotificationKind;
use tauri::{AppHandle, Manager};
use tokio::process::Command;
use tokio::sync::Mutex;

use crate::live::Live;

/// Programs that play a file, the best first: of PipeWire, of PulseAudio, of ALSA. On macOS the system's own.
const PLAYERS: &[&str] =
    if cfg!(target_os = "macos") { &["afplay"] } else { &["pw-play", "paplay", "aplay"] };

/// A sound is under a second long; a player that takes longer waits for a device that is not there.
const PATIENCE: Duration = Duration::from_secs(5);

/// Where a WAV file's samples begin, as our tool writes them.
const HEADER: usize = 44;

/// Plays one sound at a time.
pub(crate) struct Sounds {
    directory: PathBuf,
    busy: Mutex<()>,
}

impl Sounds {
    /// Sounds of this home.
    pub(crate) fn new(home: &Home) -> Self {
        Self { directory: home.runtime_dir().join("sounds"), busy: Mutex::new(()) }
    }
}

/// Plays the sound of a kind as loud as is set. While one plays nothing else does: many at once ring once.
pub(crate) fn play(app: &AppHandle, kind: NotificationKind) {
    let volume = app.state::<Live>().settings().notifications.volume;
    if volume == 0 {
        return;
    }
    let app = app.clone();
    tauri::async_runtime::spawn(async move {
        let sounds = app.state::<Sounds>();
        let Ok(_alone) = sounds.busy.try_lock() else { return };
        match prepare(&sounds.directory, kind, volume) {
            Ok(file) => {
                for player in PLAYERS {
                    if played(player, &file).await {
                        return;
                    }
                }
                tracing::info!("nothing plays sounds here");
            }
            Err(error) => tracing::warn!(%error, "a sound cannot be prepared"),
        }
    });
}

async fn played(player: &str, file: &Path) -> bool {
    let mut command = Command::new(player);
    if player == "aplay" {
        command.arg("--quiet");
    }
    command.arg(file).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).kill_on_drop(true);
    let Ok(mut child) = command.spawn() else { return false };
    matches!(tokio::time::timeout(PATIENCE, child.wait()).await, Ok(Ok(status)) if status.success())
}

/// The file with a sound at a volume, written where it is not there yet. Not every player has a volume of its own.
fn prepare(directory: &Path, kind: NotificationKind, volume: u8) -> std::io::Result<PathBuf> {
    let (name, sound) = sound(kind);
    let file = directory.join(format!("{name}-{volume}.wav"));
    let softened = softened(sound, volume);
    if std::fs::metadata(&file).is_ok_and(|there| there.len() == softened.len() as u64) {
        return Ok(file);
    }
    belfry_platform::directory::create_private(directory).map_err(std::io::Error::other)?;
    std::fs::write(&file, softened)?;
    Ok(file)
}

fn sound(kind: NotificationKind) -> (&'static str, &'static [u8]) {
    match kind {
        NotificationKind::Waiting => ("waiting", include_bytes!("../../ui/public/sounds/waiting.wav")),
        NotificationKind::Blocked => ("blocked", include_bytes!("../../ui/public/sounds/blocked.wav")),
        NotificationKind::Done => ("done", include_bytes!("../../ui/public/sounds/done.wav")),
        NotificationKind::Died => ("died", include_bytes!("../../ui/public/sounds/died.wav")),
    }
}

/// The sound at a volume of 0 to 100. Loudness is heard by the ratio, so the samples shrink by its square.
fn softened(wav: &[u8], volume: u8) -> Vec<u8> {
    let mut out = wav.to_vec();
    let share = i32::from(volume.min(100));
    for sample in out.get_mut(HEADER..).unwrap_or_default().chunks_exact_mut(2) {
        let value = i32::from(i16::from_le_bytes([sample[0], sample[1]])) * share * share / 10_000;
        sample.copy_from_slice(&(value as i16).to_le_bytes());
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_kind_has_a_small_sound_of_the_form_that_is_softened() {
        use NotificationKind::{Blocked, Died, Done, Waiting};
        for kind in [Waiting, Blocked, Done, Died] {
            let (name, wav) = sound(kind);
            assert_eq!(
                (&wav[..4], &wav[8..16], &wav[36..40]),
                (&b"RIFF"[..], &b"WAVEfmt "[..], &b"data"[..])
            );
            assert_eq!(
                (&wav[20..24], &wav[34..36]),
                (&[1, 0, 1, 0][..], &[16, 0][..]),
                "mono, 16 bits: {name}"
            );
            assert!(wav.len() < 24 * 1024, "{name} has {} bytes", wav.len());
            let loudest = |wav: &[u8]| {
                let samples = wav[HEADER..].chunks_exact(2);
                samples.map(|two| i16::from_le_bytes([two[0], two[1]]).unsigned_abs()).max()
            };
            let half = loudest(&softened(wav, 50)).expect("samples");
            assert!(half > 0 && half <= loudest(wav).expect("samples") / 4, "{name}");
            assert_eq!(softened(wav, 100), wav);
            assert_eq!(loudest(&softened(wav, 0)), Some(0));
        }
    }
}
