//! Requests to `belfry serve`, as honest or as false as a test wants them.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Stdio};
use std::time::Duration;

use serde_json::Value;
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::Error;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;

use super::Belfry;

/// A running `belfry serve`, and what it printed.
#[derive(Debug)]
pub struct Browser {
    child: Child,
    /// Its port.
    pub port: u16,
    /// The link that works once.
    pub url: String,
    /// The secret.
    pub token: String,
    /// The cookie's name.
    pub cookie: String,
}

/// What the server answered.
#[derive(Clone, Debug)]
pub struct Answer {
    /// The status; 0 where the connection ended without one.
    pub status: u16,
    /// Header lines, names in lower case.
    pub headers: Vec<(String, String)>,
    /// The body.
    pub body: String,
}

impl Answer {
    /// A header's value.
    pub fn header(&self, name: &str) -> &str {
        self.headers.iter().find(|(found, _)| found == name).map_or("", |(_, value)| value)
    }
}

impl Browser {
    /// Starts `belfry serve --json` and reads what it says.
    pub fn start(belfry: &Belfry) -> Self {
        let mut child =
            belfry.command(&["serve", "--json"]).stderr(Stdio::inherit()).spawn().expect("start belfry");
        let mut line = String::new();
        let stdout = child.stdout.take().expect("its output");
        BufReader::new(stdout).read_line(&mut line).expect("read what it prints");
        let said: Value = serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error}: {line:?}"));
        let text = |name: &str| said[name].as_str().unwrap_or_default().to_owned();
        let port = said["port"].as_u64().and_then(|port| u16::try_from(port).ok()).expect("a port");
        Self { child, port, url: text("url"), token: text("token"), cookie: text("cookie") }
    }

    /// The host and port, as a browser names them.
    pub fn host(&self) -> String {
        format!("127.0.0.1:{}", self.port)
    }

    /// The secret as a cookie header's value.
    pub fn pass(&self) -> String {
        format!("{}={}", self.cookie, self.token)
    }

    /// Opens the page's socket to the daemon.
    pub async fn socket(&self) -> Result<WebSocketStream<tokio::net::TcpStream>, Error> {
        let mut request = format!("ws://{}/socket", self.host()).into_client_request()?;
        let headers = request.headers_mut();
        headers.insert("Origin", format!("http://{}", self.host()).parse().expect("a header"));
        headers.insert("Cookie", self.pass().parse().expect("a header"));
        let stream = tokio::net::TcpStream::connect(self.host()).await?;
        Ok(tokio_tungstenite::client_async(request, stream).await?.0)
    }

    /// Sends a request with exactly these headers.
    pub fn send(&self, method: &str, target: &str, headers: &[(&str, &str)]) -> Answer {
        let mut request = format!("{method} {target} HTTP/1.1\r\n");
        for (name, value) in headers {
            request.extend([name, ": ", value, "\r\n"]);
        }
        request.push_str("Connection: close\r\n\r\n");
        self.send_raw(request.as_bytes())
    }

    /// Sends bytes, and reads one answer.
    pub fn send_raw(&self, request: &[u8]) -> Answer {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).expect("connect");
        stream.set_read_timeout(Some(Duration::from_secs(20))).expect("a time limit");
        // The server may close before it has read everything.
        let _ = stream.write_all(request);
        let mut reader = BufReader::new(stream);
        let mut lines = Vec::new();
        loop {
            let mut line = String::new();
            match reader.read_line(&mut line) {
                Ok(0) | Err(_) => break,
                Ok(_) if line.trim_end().is_empty() => break,
                Ok(_) => lines.push(line.trim_end().to_owned()),
            }
        }
        let status = lines.first().and_then(|line| line.split(' ').nth(1)?.parse().ok()).unwrap_or(0);
        let headers: Vec<(String, String)> = lines
            .iter()
            .skip(1)
            .filter_map(|line| line.split_once(':'))
            .map(|(name, value)| (name.to_lowercase(), value.trim().to_owned()))
            .collect();
        let length =
            headers.iter().find(|(name, _)| name == "content-length").and_then(|(_, n)| n.parse().ok());
        let mut body = Vec::new();
        let _ = reader.take(length.unwrap_or(0)).read_to_end(&mut body);
        Answer { status, headers, body: String::from_utf8_lossy(&body).into_owned() }
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
