//! Which agent a process is.

use crate::rules::Rules;

/// A process as the system shows it.
#[derive(Clone, Copy, Debug)]
pub struct Process<'a> {
    /// Its short name (`/proc/PID/comm` on Linux, at most 15 bytes there).
    pub name: &'a str,
    /// Its arguments, the program first; empty where they cannot be read.
    pub argv: &'a [String],
}

impl Rules {
    /// Whether the process is this agent or the interpreter that runs it. Only the program and the script count, never
    /// other arguments: `grep codex` is no agent.
    pub(crate) fn is(&self, process: Process<'_>) -> bool {
        let base = |path: &str| path.rsplit(['/', '\\']).next().unwrap_or(path).to_owned();
        let named = |name: &str| self.processes.iter().any(|known| known == name);
        if named(process.name) {
            return true;
        }
        let Some(program) = process.argv.first() else { return false };
        let program = base(program);
        if named(&program) {
            return true;
        }
        let interpreter =
            ["node", "bun", "python", "ruby", "deno"].iter().any(|known| program.starts_with(known));
        let script = process.argv.iter().skip(1).find(|argument| !argument.starts_with('-'));
        interpreter
            && script.is_some_and(|script| {
                let file = base(script);
                named(&file)
                    || self.scripts.iter().any(|end| {
                        script
                            .strip_suffix(end.as_str())
                            .is_some_and(|head| head.is_empty() || head.ends_with('/'))
                    })
            })
    }
}
