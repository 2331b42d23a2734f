//! `belfry hook NAME`: what an agent runs when something happens to it.
//!
//! The agent waits for it, so it is quick, it says nothing, and it succeeds whatever happens: no runtime, no log, no start of
//! a daemon, one exchange on the socket. It tells, and is told nothing.

mod payload;

use std::ffi::OsString;
use std::io::{IsTerminal as _, Read, Write};
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use belfry_platform::Home;
use belfry_protocol::frame::{Frame, FrameDecoder};
use belfry_protocol::{ClientMessage, PROTOCOL, Request, SessionId};

/// After this it gives up, whatever it waits for: a daemon that hangs, a payload that has no end. What is told is lost then;
/// other sources of a session's status do not depend on it.
const PATIENCE: Duration = Duration::from_millis(250);

/// Names the file with the secret; set at the session's launch.
const FILE_ENV: &str = "BELFRY_HOOK_FILE";

/// Longest secret, in bytes.
const SECRET: u64 = 256;

/// Longest name, in bytes.
const NAME: usize = 64;

/// The hook's name, where the arguments call for one: looked at before all else, as parsing the rest takes its time.
pub(crate) fn called(mut args: impl Iterator<Item = OsString>) -> Option<OsString> {
    let asked = args.nth(1).is_some_and(|command| command == "hook");
    let name = args.next().filter(|name| asked && !name.as_encoded_bytes().starts_with(b"-"));
    name.filter(|_| args.next().is_none())
}

/// Tells, where there is anybody to tell.
pub(crate) fn run(name: &OsString) {
    // The only way to be sure of an end: any of the calls below can wait on what is not in our hands.
    let limit = std::thread::Builder::new().spawn(|| {
        std::thread::sleep(PATIENCE);
        std::process::exit(0);
    });
    if limit.is_ok() {
        let _ = tell(name);
    }
}

fn tell(name: &OsString) -> Option<()> {
    let at_ms = SystemTime::now().duration_since(UNIX_EPOCH).ok()?.as_millis();
    // Read in any case: an agent whose pipe breaks may take that for a fault of the hook.
    let payload = stdin();
    let name = name.to_str().filter(|name| !name.is_empty() && name.len() <= NAME)?;
    let session: SessionId = std::env::var("BELFRY_SESSION").ok()?.parse().ok()?;
    let secret = secret(Path::new(&std::env::var_os(FILE_ENV)?))?;
    let event = Request::HookEvent {
        session,
        secret,
        name: name.to_owned(),
        at_ms: u64::try_from(at_ms).ok()?,
        payload: payload::reduced(&payload),
    };
    let socket = Home::from_env().ok()?.daemon_socket();
    exchange(belfry_platform::socket::connect(&socket).ok()?, event)
}

/// What the agent says. A terminal says nothing: that would be the person's typing.
fn stdin() -> Vec<u8> {
    let mut input = std::io::stdin().lock();
    let mut bytes = Vec::new();
    if !input.is_terminal() {
        let _ = input.by_ref().take(payload::LARGEST).read_to_end(&mut bytes);
        let _ = std::io::copy(&mut input, &mut std::io::sink());
    }
    bytes
}

fn secret(file: &Path) -> Option<String> {
    let mut secret = String::new();
    std::fs::File::open(file).ok()?.take(SECRET).read_to_string(&mut secret).ok()?;
    let secret = secret.trim_end();
    (!secret.is_empty()).then(|| secret.to_owned())
}

/// Hello and the event in one write; then it stays until the event is answered, as the daemon looks at who is there.
fn exchange(mut stream: UnixStream, event: Request) -> Option<()> {
    let hello = ClientMessage::Hello {
        protocol: PROTOCOL,
        client: "hook".to_owned(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
    };
    let mut bytes = Vec::new();
    for message in [hello, ClientMessage::Request { id: 1, request: event }] {
        Frame::Control(serde_json::to_vec(&message).ok()?).encode(&mut bytes);
    }
    stream.write_all(&bytes).ok()?;
    let mut decoder = FrameDecoder::default();
    let mut piece = [0; 4096];
    // The welcome and the answer.
    for _ in 0..2 {
        while decoder.next_frame().ok()?.is_none() {
            match stream.read(&mut piece).ok()? {
                0 => return None,
                read => decoder.push(&piece[..read]),
            }
        }
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_plain_call_is_one() {
        let called = |args: &[&str]| called(args.iter().map(OsString::from));
        assert_eq!(called(&["belfry", "hook", "Stop"]), Some("Stop".into()));
        for other in [
            &["belfry", "hook"][..],
            &["belfry", "hook", "--help"],
            &["belfry", "ls", "hook"],
            &["belfry", "hook", "a", "b"],
            &[],
        ] {
            assert_eq!(called(other), None, "{other:?}");
        }
    }
}
