//! The tray's pictures, drawn in `icons/tray` and made into pixels by `cargo xtask icons`.

use std::sync::LazyLock;

use ksni::Icon;
use tauri::image::Image;

use super::Mood;

macro_rules! pictures {
    ($name:literal) => {
        LazyLock::new(|| {
            // Panels are this high, at one and at two pixels to the point.
            [
                include_bytes!(concat!("../../../icons/tray/", $name, "-22.png")).as_slice(),
                include_bytes!(concat!("../../../icons/tray/", $name, "-44.png")).as_slice(),
            ]
            .into_iter()
            .filter_map(pixels)
            .collect()
        })
    };
}

/// The icon for a mood, in each size.
pub(super) fn of(mood: Mood) -> Vec<Icon> {
    static WAITING: LazyLock<Vec<Icon>> = pictures!("waiting");
    static BLOCKED: LazyLock<Vec<Icon>> = pictures!("blocked");
    static RUNNING: LazyLock<Vec<Icon>> = pictures!("running");
    static IDLE: LazyLock<Vec<Icon>> = pictures!("idle");
    static AWAY: LazyLock<Vec<Icon>> = pictures!("away");
    match mood {
        Mood::Waiting => WAITING.clone(),
        Mood::Blocked => BLOCKED.clone(),
        Mood::Running => RUNNING.clone(),
        Mood::Idle => IDLE.clone(),
        Mood::Away => AWAY.clone(),
    }
}

/// A picture as panels take it: ARGB, the most significant byte first.
fn pixels(png: &[u8]) -> Option<Icon> {
    let image = Image::from_bytes(png).ok()?;
    let mut data = image.rgba().to_vec();
    for pixel in data.chunks_exact_mut(4) {
        pixel.rotate_right(1);
    }
    Some(Icon { width: image.width().cast_signed(), height: image.height().cast_signed(), data })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_mood_has_its_own_picture_in_each_size() {
        let all: Vec<_> = [Mood::Waiting, Mood::Blocked, Mood::Running, Mood::Idle, Mood::Away]
            .into_iter()
            .map(of)
            .collect();
        for (at, icons) in all.iter().enumerate() {
            let sizes: Vec<_> = icons.iter().map(|icon| (icon.width, icon.height)).collect();
            assert_eq!(sizes, [(22, 22), (44, 44)]);
            assert!(all[..at].iter().all(|other| other[0].data != icons[0].data), "{at}");
        }
    }
}
