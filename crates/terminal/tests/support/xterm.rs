//! xterm.js, run by Node. `tests/xterm` holds the script and the exact versions (`npm ci` there first).

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};

/// A running reference.
pub struct Xterm {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

/// What a terminal is fed, in order.
#[derive(Clone, Debug)]
pub enum Piece<'a> {
    Bytes(&'a [u8]),
    Resize(u16, u16),
}

impl Xterm {
    pub fn start() -> Self {
        let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/xterm");
        assert!(
            directory.join("node_modules/@xterm/headless").is_dir(),
            "tests/xterm has no node_modules: run `npm ci` there (`cargo xtask test` does)"
        );
        let node = std::env::var("BELFRY_NODE").unwrap_or_else(|_| "node".to_owned());
        let mut child = Command::new(node)
            .arg("picture.mjs")
            .current_dir(directory)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("Node runs (BELFRY_NODE names it, else PATH)");
        let input = child.stdin.take().expect("piped");
        let output = BufReader::new(child.stdout.take().expect("piped"));
        Self { child, input, output }
    }

    fn ask(&mut self, request: &Value) -> Value {
        writeln!(self.input, "{request}").expect("Node listens");
        self.input.flush().expect("Node listens");
        let mut line = String::new();
        self.output.read_line(&mut line).expect("Node answers");
        serde_json::from_str(&line).expect("Node answers in JSON")
    }

    /// The picture after `pieces`; `Err` when xterm.js threw.
    pub fn picture(
        &mut self,
        (cols, rows): (u16, u16),
        pieces: &[Piece<'_>],
        detail: &str,
    ) -> Result<String, String> {
        let pieces: Vec<Value> = pieces
            .iter()
            .map(|piece| match piece {
                Piece::Bytes(bytes) => json!(STANDARD.encode(bytes)),
                Piece::Resize(cols, rows) => json!([cols, rows]),
            })
            .collect();
        let answer = self.ask(&json!({"cols": cols, "rows": rows, "pieces": pieces, "detail": detail}));
        match answer["picture"].as_str() {
            Some(picture) => Ok(picture.to_owned()),
            None => Err(answer["error"].as_str().unwrap_or("no answer").to_owned()),
        }
    }

    /// Cells of every code point.
    pub fn widths(&mut self) -> Vec<u8> {
        let answer = self.ask(&json!({"widths": true}));
        STANDARD.decode(answer["widths"].as_str().expect("widths")).expect("base64")
    }
}

impl Drop for Xterm {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
