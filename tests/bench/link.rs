//! A blocking connection to the daemon: no runtime between the measurement and the socket.

use std::collections::VecDeque;
use std::io::{Read, Write};
use std::os::unix::net::UnixStream;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use belfry_platform::Home;
use belfry_protocol::frame::{Frame, FrameDecoder};
use belfry_protocol::{ClientMessage, DaemonMessage, PROTOCOL, Reply, Request};

/// Patience with an answer.
const TIMEOUT: Duration = Duration::from_mins(2);

/// The connection.
#[derive(Debug)]
pub(crate) struct Link {
    stream: UnixStream,
    decoder: FrameDecoder,
    /// Arrived while an answer was waited for.
    ahead: VecDeque<Frame>,
    requests: u64,
    piece: Vec<u8>,
}

impl Link {
    /// Connects to the daemon that runs, and shakes hands.
    pub(crate) fn connect(home: &Home) -> Result<Self> {
        let stream = belfry_platform::socket::connect(&home.daemon_socket())?;
        stream.set_read_timeout(Some(TIMEOUT))?;
        let mut link = Self {
            stream,
            decoder: FrameDecoder::default(),
            ahead: VecDeque::new(),
            requests: 0,
            piece: vec![0; 256 * 1024],
        };
        let hello = ClientMessage::Hello {
            protocol: PROTOCOL,
            client: "bench".to_owned(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
        };
        link.send(&Frame::Control(serde_json::to_vec(&hello)?))?;
        match link.read()? {
            Frame::Control(json) => match serde_json::from_slice(&json)? {
                DaemonMessage::Welcome { .. } => Ok(link),
                other => bail!("the daemon says {other:?}"),
            },
            other => bail!("the daemon sends {other:?}"),
        }
    }

    pub(crate) fn send(&mut self, frame: &Frame) -> Result<()> {
        let mut bytes = Vec::new();
        frame.encode(&mut bytes);
        Ok(self.stream.write_all(&bytes)?)
    }

    /// Asks, and waits for the answer.
    pub(crate) fn request(&mut self, request: Request) -> Result<Reply> {
        self.requests += 1;
        let id = self.requests;
        self.send(&Frame::Control(serde_json::to_vec(&ClientMessage::Request { id, request })?))?;
        loop {
            let frame = self.read()?;
            let Frame::Control(json) = &frame else {
                self.ahead.push_back(frame);
                continue;
            };
            match serde_json::from_slice(json)? {
                DaemonMessage::Reply { id: answered, reply } if answered == id => return Ok(*reply),
                DaemonMessage::Failed { id: answered, error } if answered == id => return Err(error.into()),
                _ => self.ahead.push_back(frame),
            }
        }
    }

    /// The next frame.
    pub(crate) fn next(&mut self) -> Result<Frame> {
        match self.ahead.pop_front() {
            Some(frame) => Ok(frame),
            None => self.read(),
        }
    }

    fn read(&mut self) -> Result<Frame> {
        loop {
            if let Some(frame) = self.decoder.next_frame()? {
                return Ok(frame);
            }
            match self.stream.read(&mut self.piece).context("the daemon does not answer")? {
                0 => bail!("the daemon has closed the connection"),
                count => self.decoder.push(&self.piece[..count]),
            }
        }
    }
}
