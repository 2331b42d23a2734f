//! Conversations in Aider's format.

use std::io::Write as _;
use std::path::Path;

use anyhow::Result;

use super::{Amount, Plan, make};

pub(super) fn write(home: &Path, amount: Amount) -> Result<()> {
    for mut plan in Plan::all(amount) {
        let folder = home.join("aider").join(format!("project-{}", plan.number));
        let mut out = make(&folder.join(".aider.chat.history.md"))?;
        let mut written = 0;
        let began = plan.stamp();
        writeln!(out, "\n# aider chat started at {}\n", began[..19].replace('T', " "))?;
        writeln!(out, "> Aider v0.86.2  \n> Main model: gpt-5.5 with diff edit format  ")?;
        while written == 0 || written < plan.bytes {
            let asked = 8 + plan.words.below(40);
            let asked = plan.words.text(asked).replace('\n', "  \n#### ");
            let said = plan.words.text(120);
            let bytes = 1 << plan.words.below(13);
            let (file, old, new) = (plan.words.file(), plan.words.output(bytes), plan.words.output(bytes));
            let tokens =
                format!("Tokens: {}k sent, {} received.", plan.words.below(90), plan.words.below(900));
            let turn = format!(
                "\n#### {asked}  \n\n{said}\n\n{file}\n```rust\n<<<<<<< SEARCH\n{old}=======\n{new}>>>>>>> REPLACE\n```\n\n\
                 > {tokens}  \n> Applied edit to {file}  \n"
            );
            out.write_all(turn.as_bytes())?;
            written += turn.len() as u64;
        }
        out.flush()?;
    }
    Ok(())
}
