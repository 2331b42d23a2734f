//! The first exchange on a connection.

use belfry_protocol::frame::{Frame, FrameDecoder};
use belfry_protocol::{ClientMessage, DaemonMessage, PROTOCOL, ProtocolVersion};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::UnixStream;

use crate::{ClientError, ConnectOptions, Connection};

/// What the daemon said of itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Welcome {
    /// What it speaks.
    pub protocol: ProtocolVersion,
    /// Its version.
    pub version: String,
    /// Its process id.
    pub pid: u32,
    /// The person's home directory.
    pub home: String,
}

pub(crate) async fn shake(
    mut stream: UnixStream,
    options: &ConnectOptions,
) -> Result<Connection, ClientError> {
    let hello = ClientMessage::Hello {
        protocol: PROTOCOL,
        client: options.client.clone(),
        version: options.version.clone(),
    };
    let mut bytes = Vec::new();
    Frame::Control(serde_json::to_vec(&hello)?).encode(&mut bytes);
    let mut decoder = FrameDecoder::default();
    let first = async {
        stream.write_all(&bytes).await?;
        let mut piece = vec![0; 4096];
        loop {
            if let Some(frame) = decoder.next_frame()? {
                return Ok::<_, ClientError>(frame);
            }
            match stream.read(&mut piece).await? {
                0 => return Err(ClientError::Lost),
                n => decoder.push(&piece[..n]),
            }
        }
    };
    let frame = tokio::time::timeout(options.timeout, first).await.map_err(|_| ClientError::Timeout)??;
    let Frame::Control(json) = frame else { return Err(ClientError::Lost) };
    match serde_json::from_slice(&json)? {
        DaemonMessage::Welcome { protocol, version, pid, home } => {
            let welcome = Welcome { protocol, version, pid, home };
            Ok(Connection::start(stream, decoder, welcome))
        }
        DaemonMessage::Refused { error, protocol } => Err(ClientError::Refused { error, protocol }),
        _ => Err(ClientError::Lost),
    }
}
