//! Calls of each agent's own tools.

use serde_json::{Value, json};

use super::script::{Call, DONE, Memory, Step, call, say};
use super::turn::{Asker, Turn};

/// A command that is asked for twice.
const SAME: &str = "echo made >>made_twice.txt";

/// The tool that the prompt asks for, in the agent's own words.
pub(crate) fn by_prompt(turn: &Turn, prompt: &str, memory: &mut Memory) -> Option<Vec<Step>> {
    let has = |word: &str| prompt.contains(word);
    if let Some(command) = command(prompt, memory) {
        let mut steps = shell(turn, prompt, &command);
        if has("run same") {
            steps.extend(steps.last().cloned());
        }
        return Some(steps);
    }
    if has("edit file") {
        memory.files += 1;
        let folder = if has("deep") { "source/of/this/project/with/rather/long/names/" } else { "" };
        return Some(edit(turn, &format!("{folder}notes_{}.txt", memory.files)));
    }
    if ["ask me", "ask boxes", "ask many", "ask words", "ask among four"].iter().any(|words| has(words)) {
        return question(turn.asker, prompt).map(|step| vec![step]);
    }
    if has("make plan") {
        return plan(turn.asker);
    }
    if has("enter plan") {
        let step = match turn.asker {
            Asker::Claude => call("EnterPlanMode", json!({})),
            Asker::Gemini => call("enter_plan_mode", json!({ "reason": "probe" })),
            Asker::OpenCode => call("plan_enter", json!({})),
            Asker::Codex | Asker::Aider => return None,
        };
        return Some(vec![step]);
    }
    if has("use mcp") {
        return Some(vec![say("Calling MCP."), mcp(turn)]);
    }
    let work = "slow work please";
    let step = match turn.asker {
        Asker::Claude if has("subagent") => call(
            turn.tool(&["Agent", "Task"]),
            json!({ "description": "Probe sub", "prompt": work, "subagent_type": "general-purpose" }),
        ),
        Asker::OpenCode if has("subagent") => {
            call("task", json!({ "description": "Probe sub", "prompt": work, "subagent_type": "general" }))
        }
        Asker::Codex if has("subagent") => {
            call("spawn_agent", json!({ "message": work, "task_name": "probe" }))
        }
        Asker::Claude if has("background") => call(
            "Bash",
            json!({ "command": "sleep 20; echo over", "description": "Probe", "run_in_background": true }),
        ),
        _ if has("todo") => todo(turn)?,
        _ if has("fetch") => fetch(turn.asker)?,
        _ => return None,
    };
    Some(vec![say("Using a tool."), step])
}

fn command(prompt: &str, memory: &mut Memory) -> Option<String> {
    let commands = [
        ("run ls", "ls -la"),
        // The same twice: at once, or the second when the first is over.
        ("run same", SAME),
        ("run again", SAME),
        ("run env", "env | sort"),
        ("run forged", "cat forged.txt"),
        ("run sleep", "touch before_sleep.txt; sleep 12; echo slept"),
        (
            "run spinner",
            "for n in 1 2 3 4 5 6 7 8; do printf '⠋ Thinking... (esc to interrupt, %ss)\\n' $n; sleep 0.7; done",
        ),
        ("run ticks", "for n in 1 2 3 4 5 6 7 8; do echo tick $n; sleep 1; done"),
    ];
    if prompt.contains("run touch") {
        memory.files += 1;
        return Some(format!("touch made_by_agent_{}.txt", memory.files));
    }
    commands.iter().find(|(words, _)| prompt.contains(words)).map(|(_, command)| (*command).to_owned())
}

fn shell(turn: &Turn, prompt: &str, command: &str) -> Vec<Step> {
    let described = json!({ "command": command, "description": "Probe command" });
    let step = match turn.asker {
        Asker::Claude => call("Bash", described),
        Asker::OpenCode => call("bash", described),
        Asker::Gemini => call("run_shell_command", described),
        Asker::Codex => {
            let name = turn.tool(&["exec_command", "shell_command", "shell", "exec"]);
            let mut arguments = match name {
                "shell_command" => json!({ "command": command }),
                "shell" => json!({ "command": ["bash", "-c", command] }),
                _ => json!({ "cmd": command }),
            };
            // What changes something is to be asked about.
            if ["run touch", "run same", "run again"].iter().any(|asks| prompt.contains(asks)) {
                arguments["sandbox_permissions"] = json!("require_escalated");
                arguments["justification"] = json!("Probe wants to run outside the sandbox?");
            }
            call(name, arguments)
        }
        Asker::Aider => return vec![say(&format!("Run this:\n\n```bash\n{command}\n```\n\n{DONE}.\n"))],
    };
    vec![say("I will run a command."), step]
}

fn edit(turn: &Turn, name: &str) -> Vec<Step> {
    let path = format!("{}/{name}", turn.directory());
    let content = "alpha\nbeta\ngamma\n";
    let step = match turn.asker {
        Asker::Claude => call("Write", json!({ "file_path": path, "content": content })),
        Asker::OpenCode => call("write", json!({ "filePath": path, "content": content })),
        Asker::Gemini => call("write_file", json!({ "file_path": path, "content": content })),
        Asker::Codex => {
            let patch =
                format!("*** Begin Patch\n*** Add File: {name}\n+alpha\n+beta\n+gamma\n*** End Patch\n");
            // Without the tool, it takes the patch out of a command.
            match turn.tool(&["apply_patch", "exec_command"]) {
                "apply_patch" => call("apply_patch", Value::String(patch)),
                tool => call(tool, json!({ "cmd": format!("apply_patch <<'EOF'\n{patch}EOF\n") })),
            }
        }
        // Its format for models that it does not know: a file's name and the whole file.
        Asker::Aider => return vec![say(&format!("Here it is.\n\n{name}\n```\n{content}```\n\n{DONE}.\n"))],
    };
    vec![say("I will write a file."), step]
}

fn question(asker: Asker, prompt: &str) -> Option<Step> {
    let (several, more) = (prompt.contains("ask boxes"), prompt.contains("ask many"));
    let colours =
        [("Red", "A warm one"), ("Blue", "A cold one"), ("Green", "A calm one"), ("Grey", "A dull one")];
    let offered = if prompt.contains("among four") { 4 } else { 2 };
    let options: Vec<_> = colours[..offered]
        .iter()
        .map(|(label, about)| json!({ "label": label, "description": about }))
        .collect();
    let mut question =
        json!({ "question": "Which colour do you want?", "header": "Colour", "options": options });
    let name = match asker {
        Asker::Claude => {
            question["multiSelect"] = json!(several);
            "AskUserQuestion"
        }
        Asker::OpenCode => {
            question["multiple"] = json!(several);
            "question"
        }
        Asker::Gemini => {
            question["type"] = json!(if prompt.contains("ask words") { "text" } else { "choice" });
            question["multiSelect"] = json!(several);
            "ask_user"
        }
        Asker::Codex => {
            question["id"] = json!("colour");
            "request_user_input"
        }
        Asker::Aider => return None,
    };
    let mut questions = vec![question];
    if more {
        let mut second = questions[0].clone();
        second["question"] = json!("Which size should it come in?");
        second["header"] = json!("Size");
        questions.push(second);
    }
    Some(call(name, json!({ "questions": questions })))
}

fn plan(asker: Asker) -> Option<Vec<Step>> {
    let plan = "# Plan\n\n1. Do one thing\n2. Do another\n";
    Some(match asker {
        Asker::Claude => vec![say("Here is my plan."), call("ExitPlanMode", json!({ "plan": plan }))],
        Asker::Gemini => vec![call("exit_plan_mode", json!({ "plan_path": "", "plan_filename": "plan.md" }))],
        Asker::Codex => vec![say(&format!("<proposed_plan>\n{plan}</proposed_plan>\n"))],
        Asker::OpenCode => vec![call("plan_exit", json!({}))],
        Asker::Aider => return None,
    })
}

/// A plan that is first written to the file that the agent named, as it wants it in plan mode.
pub(crate) fn full_plan(turn: &Turn) -> Vec<Step> {
    match (turn.results, &turn.plan_file) {
        (0, Some(file)) => {
            let content = "# Probe plan\n\n1. Do one thing\n2. Do another\n";
            vec![say("Writing the plan."), call("Write", json!({ "file_path": file, "content": content }))]
        }
        (0 | 1, _) => vec![call("ExitPlanMode", json!({}))],
        _ => vec![say(&format!("Plan step over. {DONE}."))],
    }
}

fn mcp(turn: &Turn) -> Step {
    let known = turn.tools.iter().find(|name| name.contains("probe") && name.contains("echo")).cloned();
    let (name, namespace) = match turn.asker {
        Asker::Codex => ("echo".to_owned(), Some("mcp__probe")),
        _ => (known.unwrap_or_else(|| "mcp__probe__echo".to_owned()), None),
    };
    Step::Call(Call { name, arguments: json!({ "text": "hi" }), namespace })
}

fn todo(turn: &Turn) -> Option<Step> {
    let list = |key: &str| json!([{ key: "First thing", "status": "in_progress", "activeForm": "Doing first thing" }]);
    Some(match turn.asker {
        Asker::Claude if turn.tool(&["TodoWrite", "TaskCreate"]) == "TaskCreate" => {
            call("TaskCreate", json!({ "subject": "First thing", "description": "do first thing" }))
        }
        Asker::Claude => call("TodoWrite", json!({ "todos": list("content") })),
        Asker::OpenCode => {
            let todo =
                json!({ "content": "First thing", "status": "in_progress", "priority": "high", "id": "1" });
            call("todowrite", json!({ "todos": [todo] }))
        }
        Asker::Codex => {
            let plan = json!([{ "step": "First thing", "status": "in_progress" }]);
            call("update_plan", json!({ "plan": plan }))
        }
        Asker::Gemini | Asker::Aider => return None,
    })
}

fn fetch(asker: Asker) -> Option<Step> {
    // Port 1 answers nobody: what matters is the question before it.
    let url = "http://127.0.0.1:1/page";
    Some(match asker {
        Asker::Claude => call("WebFetch", json!({ "url": url, "prompt": "what is it" })),
        Asker::OpenCode => call("webfetch", json!({ "url": url, "format": "text" })),
        Asker::Gemini => call("web_fetch", json!({ "prompt": format!("get {url}") })),
        Asker::Codex | Asker::Aider => return None,
    })
}
