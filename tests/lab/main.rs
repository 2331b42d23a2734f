//! `belfry-lab [PORT] [HOME PROJECT…]`: the model server by hand, and a home to start agents in.
//! `belfry-lab mcp`: an MCP server on the standard streams.
//! `belfry-lab picture …`: pictures of the window with real agents in it.
//! `belfry-lab record …`: a recording of a real agent, for the corpus of the status score.

#[cfg(target_os = "linux")]
mod picture;
#[cfg(target_os = "linux")]
mod recorder;

use std::path::PathBuf;

use anyhow::{Context as _, Result};
use belfry_tests::lab::{Home, Lab, mcp};

#[tokio::main]
async fn main() -> Result<()> {
    let mut arguments = std::env::args().skip(1);
    if std::env::args().nth(1).as_deref() == Some("mcp") {
        return Ok(mcp::serve(std::io::stdin().lock(), std::io::stdout())?);
    }
    #[cfg(target_os = "linux")]
    if std::env::args().nth(1).as_deref() == Some("record") {
        return recorder::run().await;
    }
    #[cfg(target_os = "linux")]
    if std::env::args().nth(1).as_deref() == Some("picture") {
        return picture::run().await;
    }
    let port = match arguments.next() {
        Some(port) => port.parse().with_context(|| format!("`{port}` is no port"))?,
        None => 0,
    };
    let lab = Lab::start(port, true).await.context("the port cannot be served")?;
    eprintln!("The model listens on 127.0.0.1:{}. Ctrl-C ends it.", lab.port());
    if let Some(home) = arguments.next() {
        let projects: Vec<PathBuf> = arguments.map(PathBuf::from).collect();
        let projects: Vec<_> = projects.iter().map(PathBuf::as_path).collect();
        let home =
            Home::lay_out(home.as_ref(), lab.port(), &projects).context("the home cannot be laid out")?;
        for (name, value) in home.env {
            println!("export {name}='{value}'");
        }
    }
    std::future::pending().await
}
