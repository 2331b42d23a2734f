//! A key of the whole desktop on X11: the display is asked for it and tells of each press. Nothing is looked for in between.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use gtk::gdk::keys::Key;
use x11rb::connection::Connection;
use x11rb::errors::{ReplyError, ReplyOrIdError};
use x11rb::protocol::xproto::{
    AtomEnum, ClientMessageEvent, ConnectionExt, CreateWindowAux, EventMask, GrabMode, ModMask, Window,
    WindowClass,
};
use x11rb::protocol::{ErrorKind, Event};
use x11rb::rust_connection::RustConnection;

use super::keys::Combination;

/// Caps Lock and Num Lock count as modifiers; the key is the same with them.
const LOCKS: [u16; 4] = [0, 2, 16, 2 | 16];

/// X's number for each key.
const ANY_KEY: u8 = 0;

/// Why the key cannot be had.
#[derive(Debug)]
pub(super) enum Failure {
    /// Another program has it.
    Taken,
    /// The keyboard has none of that name.
    NoSuchKey,
    /// The display does not take part.
    Display(String),
}

/// Holds the key. Dropped, it lets go of it.
pub(super) struct Listener {
    connection: Arc<RustConnection>,
    root: Window,
    /// Of ours, never shown: a message to it wakes the thread that listens.
    ear: Window,
    over: Arc<AtomicBool>,
}

impl Drop for Listener {
    fn drop(&mut self) {
        // At once and with an answer: the next thing may be to ask for the same key again.
        if let Ok(freed) = self.connection.ungrab_key(ANY_KEY, self.root, ModMask::ANY) {
            let _ = freed.check();
        }
        self.over.store(true, Ordering::Release);
        let wake = ClientMessageEvent::new(32, self.ear, 1u32, [0u32; 5]);
        let sent = self.connection.send_event(false, self.ear, EventMask::NO_EVENT, wake);
        // A display that is gone has let go of the key by itself.
        if sent.is_ok() {
            let _ = self.connection.flush();
        }
    }
}

/// Has the key from now on, and calls `pressed` from a thread of its own, with the window that the desktop calls active.
pub(super) fn listen(
    combination: &Combination,
    pressed: impl Fn(Option<u32>) + Send + 'static,
) -> Result<Listener, Failure> {
    let (connection, screen) = RustConnection::connect(None).map_err(|error| display(&error))?;
    let root = connection.setup().roots[screen].root;
    let wanted = *Key::from_name(&combination.key);
    let keycode = keycode(&connection, wanted)?;
    let modifiers = modifiers(combination);
    for lock in LOCKS {
        let grabbed = connection
            .grab_key(false, root, ModMask::from(modifiers | lock), keycode, GrabMode::ASYNC, GrabMode::ASYNC)
            .map_err(|error| display(&error))?;
        grabbed.check().map_err(|error| match error {
            ReplyError::X11Error(error) if error.error_kind == ErrorKind::Access => Failure::Taken,
            other => display(&other),
        })?;
    }
    let ear = ear(&connection, root).map_err(|error| display(&error))?;
    let connection = Arc::new(connection);
    let over = Arc::new(AtomicBool::new(false));
    let listening = (Arc::clone(&connection), Arc::clone(&over));
    std::thread::Builder::new()
        .name("shortcut".to_owned())
        .spawn(move || follow(&listening.0, root, &listening.1, &pressed))
        .map_err(|error| display(&error))?;
    Ok(Listener { connection, root, ear, over })
}

fn display(error: &impl std::fmt::Display) -> Failure {
    Failure::Display(format!("The display does not answer: {error}."))
}

/// Until the listener is dropped or the display is gone. With the connection the key is let go.
fn follow(connection: &RustConnection, root: Window, over: &AtomicBool, pressed: &impl Fn(Option<u32>)) {
    let mut released = None;
    while let Ok(event) = connection.wait_for_event() {
        if over.load(Ordering::Acquire) {
            return;
        }
        match event {
            // A key that is held is released and pressed again at the same moment, over and over.
            Event::KeyPress(press) if released != Some(press.time) => pressed(active(connection, root)),
            Event::KeyRelease(release) => released = Some(release.time),
            _ => {}
        }
    }
    tracing::info!("the display of the key is gone");
}

/// The window that the person is in, in the window manager's word: while a key is held for us, the window itself is told that
/// it has lost the keyboard.
fn active(connection: &RustConnection, root: Window) -> Option<u32> {
    let property = connection.intern_atom(true, b"_NET_ACTIVE_WINDOW").ok()?.reply().ok()?.atom;
    let asked = connection.get_property(false, root, property, AtomEnum::WINDOW, 0, 1).ok()?;
    asked.reply().ok()?.value32()?.next()
}

fn ear(connection: &RustConnection, root: Window) -> Result<Window, ReplyOrIdError> {
    let ear = connection.generate_id()?;
    let nothing = CreateWindowAux::new();
    connection.create_window(0, ear, root, -1, -1, 1, 1, 0, WindowClass::INPUT_ONLY, 0, &nothing)?.check()?;
    Ok(ear)
}

/// The key of the keyboard that gives a symbol, with or without Shift.
fn keycode(connection: &RustConnection, wanted: u32) -> Result<u8, Failure> {
    let setup = connection.setup();
    let (first, last) = (setup.min_keycode, setup.max_keycode);
    let mapping = connection
        .get_keyboard_mapping(first, last - first + 1)
        .map_err(|error| display(&error))?
        .reply()
        .map_err(|error| display(&error))?;
    let each = usize::from(mapping.keysyms_per_keycode.max(1));
    let mut codes = (first..=last).zip(mapping.keysyms.chunks(each));
    codes
        .find(|(_, symbols)| symbols.iter().take(2).any(|symbol| *symbol == wanted && wanted != 0))
        .map(|(code, _)| code)
        .ok_or(Failure::NoSuchKey)
}

/// Bits of X's modifiers: Shift 1, Control 4, Alt 8 (`Mod1`), Super 64 (`Mod4`).
fn modifiers(combination: &Combination) -> u16 {
    let Combination { control, alt, shift, meta, .. } = combination;
    u16::from(*shift) | u16::from(*control) << 2 | u16::from(*alt) << 3 | u16::from(*meta) << 6
}
