//! Agents' conversations on disk, read into [`belfry_protocol::transcript`]'s types.
//!
//! [`found`] lists what there is without reading it, [`Reader`] reads one conversation, or what was added since, and makes a
//! [`Summary`] on the way. Nothing is ever written. Every byte is taken for hostile: lines, texts, numbers of things and
//! depths have limits, fields may be missing or of any type, and what is not known is passed over and counted.
//!
//! | agent | where | read as |
//! |---|---|---|
//! | Claude Code | `projects/DIR/ID.jsonl`, its subagents in `projects/DIR/ID/subagents` | lines |
//! | Codex | `sessions/Y/M/D/rollout-*.jsonl`, `archived_sessions`; titles in `state_*.sqlite`, `session_index.jsonl` | lines |
//! | OpenCode | `opencode.db` | rows |
//! | Gemini CLI | `tmp/PROJECT/chats/*.jsonl`; before 0.40 whole `.json` files | lines, or the file |
//! | Aider | `.aider.chat.history.md` of known directories, which is one conversation each | lines |

mod aider;
mod claude;
mod clean;
mod codex;
mod database;
mod found;
mod gemini;
mod homes;
mod json;
mod lines;
mod opencode;
mod out;
mod page;
mod reader;
mod shape;
mod state;
mod summary;

pub use found::{Found, Place, Stamp, find, found};
pub use homes::Homes;
pub use out::Item;
pub use page::{Page, Which, page};
pub use reader::{Budget, Progress, ReadError, Reader, entry};
pub use state::State;
pub use summary::Summary;
