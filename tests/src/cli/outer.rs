//! A terminal in which a command runs, as a person's would be.

use std::ffi::OsStr;
use std::io::{Read, Write};
use std::sync::{Arc, Mutex};

use belfry_terminal::{Options, Scope, Size, Terminal};
use portable_pty::{Child, CommandBuilder, MasterPty, PtySize, native_pty_system};

use super::{Belfry, eventually};

struct Shown {
    terminal: Terminal,
    /// Everything that was written to it.
    raw: Vec<u8>,
}

/// A terminal emulator on a PTY: it draws, and answers queries as a real one does.
pub struct Outer {
    master: Box<dyn MasterPty + Send>,
    writer: Arc<Mutex<Box<dyn Write + Send>>>,
    child: Box<dyn Child + Send + Sync>,
    shown: Arc<Mutex<Shown>>,
    /// The terminal's modes before the command ran.
    before: String,
}

impl Outer {
    /// Opens a terminal of that size and runs a command of `belfry` in it.
    pub fn run(belfry: &Belfry, cols: u16, rows: u16, arguments: &[&str], env: &[(&str, &str)]) -> Self {
        let program = Belfry::program("belfry");
        Self::run_program(belfry, program.as_os_str(), (cols, rows), arguments, env)
    }

    /// The same with another program.
    pub fn run_program(
        belfry: &Belfry,
        program: &OsStr,
        (cols, rows): (u16, u16),
        arguments: &[&str],
        env: &[(&str, &str)],
    ) -> Self {
        let size = PtySize { cols, rows, pixel_width: 0, pixel_height: 0 };
        let pair = native_pty_system().openpty(size).expect("a terminal");
        let mut command = CommandBuilder::new(program);
        command.args(arguments);
        command.cwd(belfry.home());
        command.env_clear();
        for (name, value) in belfry.environment() {
            command.env(name, value);
        }
        for (name, value) in env {
            command.env(name, value);
        }
        let before = modes(&*pair.master);
        let child = pair.slave.spawn_command(command).expect("start the program");
        let mut reader = pair.master.try_clone_reader().expect("read the terminal");
        let writer = Arc::new(Mutex::new(pair.master.take_writer().expect("write to the terminal")));
        let terminal = Terminal::new(Size::new(cols, rows), Options::default());
        let shown = Arc::new(Mutex::new(Shown { terminal, raw: Vec::new() }));
        let (drawn, answers) = (Arc::clone(&shown), Arc::clone(&writer));
        // Ends when the terminal is closed.
        std::thread::spawn(move || {
            let mut piece = vec![0; 65536];
            while let Ok(count @ 1..) = reader.read(&mut piece) {
                let mut shown = drawn.lock().expect("the screen");
                let offset = shown.raw.len() as u64;
                shown.raw.extend_from_slice(&piece[..count]);
                let replies = shown.terminal.feed(&piece[..count], offset).replies;
                drop(shown);
                for reply in replies {
                    let _ = answers.lock().expect("the keyboard").write_all(&reply.bytes);
                }
            }
        });
        Self { master: pair.master, writer, child, shown, before }
    }

    /// Types.
    pub fn type_bytes(&self, bytes: &[u8]) {
        let mut writer = self.writer.lock().expect("the keyboard");
        writer.write_all(bytes).and_then(|()| writer.flush()).expect("type");
    }

    /// Another size.
    pub fn resize(&self, cols: u16, rows: u16) {
        self.shown.lock().expect("the screen").terminal.resize(Size::new(cols, rows));
        let size = PtySize { cols, rows, pixel_width: 0, pixel_height: 0 };
        self.master.resize(size).expect("resize");
    }

    /// The screen's lines.
    pub fn lines(&self) -> Vec<String> {
        self.shown.lock().expect("the screen").terminal.text(Scope::Screen)
    }

    /// The screen.
    pub fn text(&self) -> String {
        self.lines().join("\n")
    }

    /// Everything that was written to the terminal.
    pub fn raw(&self) -> Vec<u8> {
        self.shown.lock().expect("the screen").raw.clone()
    }

    /// Looks at the emulator.
    pub fn look<T>(&self, look: impl FnOnce(&Terminal) -> T) -> T {
        look(&self.shown.lock().expect("the screen").terminal)
    }

    /// Waits until the screen has this text.
    #[track_caller]
    pub fn until(&self, text: &str) {
        eventually(&format!("{text:?} in\n{}", self.text()), || self.text().contains(text));
    }

    /// Waits until the command has ended; its exit code.
    #[track_caller]
    pub fn ended(&mut self) -> u32 {
        let mut code = None;
        eventually("the command ends", || {
            code = self.child.try_wait().expect("wait").map(|status| status.exit_code());
            code.is_some()
        });
        code.unwrap_or_default()
    }

    /// The command's process id.
    pub fn pid(&self) -> i32 {
        i32::try_from(self.child.process_id().expect("it runs")).expect("a pid")
    }

    /// Waits until the terminal is as it was: its line discipline, its screen, and every mode. What the command wrote last
    /// may still be on its way when it has ended.
    #[track_caller]
    pub fn assert_restored(&self) {
        let fresh = self.look(|terminal| Terminal::new(terminal.size(), Options::default()));
        eventually("the terminal is as it was", || {
            let same = self.look(|terminal| {
                terminal.modes() == fresh.modes()
                    && terminal.kitty_flags() == 0
                    && terminal.title().is_empty()
            });
            same && modes(&*self.master) == self.before
        });
    }

    /// Whether the line discipline is raw: no echo.
    pub fn is_raw(&self) -> bool {
        modes(&*self.master) != self.before
    }
}

fn modes(master: &dyn MasterPty) -> String {
    format!("{:?}", master.get_termios())
}
