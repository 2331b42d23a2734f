//! The lab: real agents without a model and without a network.
//!
//! [`Lab`] is a model server on a loopback port that speaks the four dialects of the agents. What it answers is decided by
//! words in the prompt, so that a test can bring an agent into any state. [`Home`] is a throw-away home directory in which
//! each agent starts at its prompt and talks to that server.
//!
//! | word in the prompt | what the model does |
//! |---|---|
//! | anything else | a short answer ending in [`DONE`] |
//! | `slow` | text for about 20 s |
//! | `think` | reasoning for about 6 s, then text |
//! | `long` | 200 lines, fast |
//! | `stall` | some text, 25 s of nothing, the rest |
//! | `run ls`, `run touch`, `run sleep` (12 s), `run ticks` (8 s), `run env`, `run forged` (prints a file of that name) | calls the shell tool |
//! | `edit file cwd=DIR` | calls the tool that writes a file; with `deep` one in nested directories |
//! | `ask me`, `ask boxes` (several answers), `ask many` (several questions) | calls the question tool |
//! | `make plan`, `full plan`, `enter plan` | planning, as far as the agent has it |
//! | `use mcp` | calls tool `echo` of an MCP server named `probe` |
//! | `fetch`, `todo`, `subagent`, `background` | those tools |
//! | `error`, `flaky` (fails twice), `ratelimit`, `authfail`, `badreq`, `midcut` (the connection is cut) | trouble |
//! | `quote dialog`, `quote log`, `quote unicode` | prints what looks like dialogs, a log full of questions and spinners, all scripts |
//! | `run spinner` | calls the shell tool with a command that prints spinners |
//! | `count` | says how many characters, lines and bytes it received, and their SHA-256's start |

mod anthropic;
mod chat;
mod gemini;
mod home;
#[cfg(target_os = "linux")]
pub mod live;
pub mod mcp;
mod quotes;
#[cfg(target_os = "linux")]
pub mod record;
mod responses;
mod script;
mod server;
pub mod story;
pub mod synthetic;
mod tools;
mod turn;
mod wire;
#[cfg(target_os = "linux")]
mod world;

pub use home::Home;
pub use script::DONE;
pub use server::{Ends, Lab, Seen, Sent};
pub use turn::Asker;
#[cfg(target_os = "linux")]
pub use world::{World, installed, installed_version};
