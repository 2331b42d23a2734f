//! What is shown of each agent, line by line: every state and hole of the agents that was measured.

#[path = "../support/mod.rs"]
mod support;

mod aider;
mod any_program;
mod claude;
mod claude_doubts;
mod claude_older;
mod codex;
mod gemini;
mod general;
mod opencode;
mod restart;
mod shell;
