//! Real files and real processes.

#![allow(clippy::unwrap_used, reason = "helpers of tests, where a panic is a failed test")]

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use belfry_agents::{Activity, HOOK_FILE};
use belfry_platform::home::RunDir;
use belfry_protocol::{RunId, Says, SessionId};
use serde_json::{Value, json};

use super::*;

const PATIENCE: Duration = Duration::from_secs(20);

/// A home directory with a process that plays an agent, and what is told of it.
struct Bench {
    folder: tempfile::TempDir,
    child: Child,
    clock: Clock,
    sources: Sources,
    told: Option<Receiver<SourceSignal>>,
    watching: Option<Watching>,
}

impl Bench {
    /// The process runs a script; its standard input is ours.
    fn new(script: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let child = Command::new("/bin/sh")
            .args(["-c", script])
            .env_clear()
            .env("HOME", folder.path())
            .env("PATH", "/usr/bin:/bin")
            .stdin(Stdio::piped())
            .spawn()
            .unwrap();
        let clock = Clock::start();
        Self { folder, child, clock, sources: Sources::start(clock), told: None, watching: None }
    }

    fn program(&self) -> Identity {
        Identity::of(self.child.id()).unwrap()
    }

    fn home(&self, rest: &str) -> PathBuf {
        self.folder.path().join(rest)
    }

    fn watch(&mut self, agent: &str, conversation: Option<&str>) {
        let subject = Subject {
            agent: agent.to_owned(),
            program: self.program(),
            cwd: "/p".to_owned(),
            conversation: conversation.map(str::to_owned),
        };
        let (tell, told) = channel();
        let tell = Box::new(move |signal| drop(tell.send(signal)));
        self.watching = self.sources.watch(subject, tell);
        assert!(self.watching.is_some());
        self.told = Some(told);
    }

    /// Waits for a signal.
    fn until(&self, what: &str, wanted: impl Fn(&SourceSignal) -> bool) -> SourceSignal {
        let deadline = Instant::now() + PATIENCE;
        let mut before = Vec::new();
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            let Ok(signal) = self.told.as_ref().unwrap().recv_timeout(left) else {
                panic!("never: {what}; but {before:#?}");
            };
            assert!(signal.at <= self.clock.now());
            if wanted(&signal) {
                return signal;
            }
            before.push(signal);
        }
    }

    fn says(&self, source: Source, says: Says) -> SourceSignal {
        self.until(&format!("{source:?} {says:?}"), |signal| {
            signal.source == source && signal.told.says == Some(says)
        })
    }

    /// What was told and not waited for.
    fn rest(&self) -> Vec<SourceSignal> {
        self.told.as_ref().unwrap().try_iter().collect()
    }
}

impl Drop for Bench {
    fn drop(&mut self) {
        let below = belfry_platform::process::descendants(self.child.id());
        let _ = self.child.kill();
        let _ = self.child.wait();
        for member in below {
            belfry_platform::process::signal(member.identity, rustix::process::Signal::KILL);
        }
    }
}

fn put(file: &Path, text: &str) {
    fs::create_dir_all(file.parent().unwrap()).unwrap();
    fs::write(file, text).unwrap();
}

fn append(file: &Path, line: &Value) {
    fs::create_dir_all(file.parent().unwrap()).unwrap();
    let mut file = fs::OpenOptions::new().create(true).append(true).open(file).unwrap();
    file.write_all(format!("{line}\n").as_bytes()).unwrap();
}

fn entry(process: Identity, status: &str, conversation: &str) -> Value {
    json!({ "pid": process.pid, "sessionId": conversation, "cwd": "/p", "procStart": process.start.to_string(),
        "kind": "interactive", "status": status })
}

fn list(bench: &Bench, process: Identity) -> PathBuf {
    bench.home(&format!(".claude/sessions/{}.json", process.pid))
}

fn tool(command: &str) -> Value {
    json!({ "type": "assistant", "message": { "id": "m", "content": [
        { "type": "tool_use", "id": "t", "name": "Bash", "input": { "command": command } }] } })
}

#[test]
#[ntest::timeout(60000)]
fn claude_from_its_first_moment() {
    // Not even its folder is there when it starts.
    let mut bench = Bench::new("read x");
    bench.watch("claude", Some("first"));
    let program = bench.program();
    let file = list(&bench, program);
    put(&file, &entry(program, "idle", "first").to_string());
    let idle = bench.says(Source::Registry, Says::Idle);
    assert_eq!(idle.told.conversation.as_deref(), Some("first"));
    let transcript = bench.home(".claude/projects/-p/first.jsonl");
    put(&file, &entry(program, "busy", "first").to_string());
    bench.says(Source::Registry, Says::Working);
    append(&transcript, &tool("npm test"));
    let running = bench.says(Source::Transcript, Says::Working);
    assert_eq!(running.told.activity, Activity::Tool("Running npm test".to_owned()));
    append(&transcript, &json!({ "type": "system", "subtype": "turn_duration" }));
    bench.says(Source::Transcript, Says::Done);

    // `/clear`: another conversation, and another transcript.
    put(&file, &entry(program, "idle", "second").to_string());
    let cleared = bench.says(Source::Registry, Says::Idle);
    assert_eq!(cleared.told.conversation.as_deref(), Some("second"));
    append(&bench.home(".claude/projects/-p/second.jsonl"), &tool("ls"));
    let other = bench.says(Source::Transcript, Says::Working);
    assert_eq!(other.told.conversation.as_deref(), Some("second"));
}

#[test]
#[ntest::timeout(60000)]
fn what_was_there_before_is_told_with_its_age() {
    let mut bench = Bench::new("read x");
    let program = bench.program();
    let ago = |seconds: i64| clock::wall() - jiff::SignedDuration::from_secs(seconds);
    let mut old = entry(program, "waiting", "S");
    old["statusUpdatedAt"] = json!(ago(3600).as_millisecond());
    put(&list(&bench, program), &old.to_string());
    let mut line = tool("make");
    line["timestamp"] = json!(ago(1800).to_string());
    append(&bench.home(".claude/projects/-p/S.jsonl"), &line);
    bench.watch("claude", None);
    let age = |signal: &SourceSignal| (bench.clock.now() - signal.at) / 1000;
    let asking = age(&bench.says(Source::Registry, Says::Asking));
    assert!((3590..3700).contains(&asking), "{asking}");
    let working = age(&bench.says(Source::Transcript, Says::Working));
    assert!((1790..1900).contains(&working), "{working}");
    // A date that lies ahead is now: a clock was set.
    let mut ahead = entry(program, "busy", "S");
    ahead["statusUpdatedAt"] = json!(ago(-7200).as_millisecond());
    put(&list(&bench, program), &ahead.to_string());
    let working = age(&bench.says(Source::Registry, Says::Working));
    assert!(working < 60, "{working}");
}

#[test]
#[ntest::timeout(60000)]
fn an_entry_counts_only_for_the_process_that_wrote_it() {
    let mut bench = Bench::new("read x");
    bench.watch("claude", None);
    let program = bench.program();
    let file = list(&bench, program);
    let wrong = [
        json!({ "pid": program.pid, "sessionId": "S", "cwd": "/p", "status": "busy" }),
        entry(Identity { start: program.start + 1, ..program }, "busy", "S"),
        json!({ "pid": 1, "procStart": program.start.to_string(), "sessionId": "S", "cwd": "/p", "status": "busy" }),
        {
            let mut other = entry(program, "busy", "S");
            other["kind"] = json!("bg");
            other
        },
    ];
    for wrong in wrong {
        put(&file, &wrong.to_string());
    }
    // Of a process that is not the run's: of us.
    let us = Identity::of(std::process::id()).unwrap();
    put(&list(&bench, us), &entry(us, "busy", "S").to_string());
    // Neither is anything else in the folder an entry.
    for name in ["x.json", "1.key", ".json", "99999999999.json"] {
        put(&bench.home(".claude/sessions").join(name), &entry(program, "busy", "S").to_string());
    }
    let whole = entry(program, "idle", "S").to_string();
    let (half, rest) = whole.split_at(whole.len() / 2);
    put(&file, half);
    fs::OpenOptions::new().append(true).open(&file).unwrap().write_all(rest.as_bytes()).unwrap();
    bench.until("the only right one", |signal| {
        assert_eq!(signal.told.says, Some(Says::Idle), "{signal:?}");
        true
    });
}

#[test]
#[ntest::timeout(60000)]
fn an_entry_that_is_rewritten_quickly_ends_as_it_ended() {
    let mut bench = Bench::new("read x");
    bench.watch("claude", None);
    let program = bench.program();
    let file = list(&bench, program);
    for round in 0..500 {
        put(&file, &entry(program, if round % 2 == 0 { "busy" } else { "idle" }, "S").to_string());
    }
    put(&file, &entry(program, "waiting", "S").to_string());
    bench.says(Source::Registry, Says::Asking);
    // It goes, as at a clean end, and comes again, as the same process's.
    fs::remove_file(&file).unwrap();
    put(&file, &entry(program, "busy", "S").to_string());
    bench.says(Source::Registry, Says::Working);
    // So does its whole folder.
    fs::remove_dir_all(bench.home(".claude")).unwrap();
    put(&file, &entry(program, "idle", "S").to_string());
    bench.says(Source::Registry, Says::Idle);
}

#[test]
#[ntest::timeout(60000)]
fn the_nearest_process_below_the_program_is_the_agent() {
    // A wrapper, the agent, and one that the agent has started.
    let mut bench = Bench::new("sh -c 'sh -c \"sleep 1000; true\"; true'; true");
    let program = bench.program();
    let deadline = Instant::now() + PATIENCE;
    let below = loop {
        let below = belfry_platform::process::descendants(program.pid);
        if below.iter().any(|member| member.name == "sleep") {
            break below;
        }
        assert!(Instant::now() < deadline);
        std::thread::yield_now();
    };
    let child_of = |pid: u32| below.iter().find(|member| member.parent == pid).unwrap().identity;
    let agent = child_of(program.pid);
    let inner = child_of(agent.pid);
    put(&list(&bench, inner), &entry(inner, "busy", "inner").to_string());
    put(&list(&bench, agent), &entry(agent, "idle", "outer").to_string());
    bench.watch("claude", None);
    let first = bench.until("an entry", |_| true);
    assert_eq!(first.told.conversation.as_deref(), Some("outer"));
    put(&list(&bench, inner), &entry(inner, "waiting", "inner").to_string());
    put(&list(&bench, agent), &entry(agent, "busy", "outer").to_string());
    let next = bench.until("an entry", |_| true);
    assert_eq!((next.told.says, next.told.conversation.as_deref()), (Some(Says::Working), Some("outer")));
}

#[test]
#[ntest::timeout(60000)]
fn a_transcript_that_is_none_is_left_alone() {
    let mut bench = Bench::new("read x");
    let program = bench.program();
    let folder = bench.home(".claude/projects/-p");
    fs::create_dir_all(&folder).unwrap();
    append(&bench.home("elsewhere.jsonl"), &tool("cat secret"));
    std::os::unix::fs::symlink(bench.home("elsewhere.jsonl"), folder.join("link.jsonl")).unwrap();
    rustix::fs::mknodat(
        rustix::fs::CWD,
        folder.join("pipe.jsonl"),
        rustix::fs::FileType::Fifo,
        rustix::fs::Mode::RUSR | rustix::fs::Mode::WUSR,
        0,
    )
    .unwrap();
    let file = list(&bench, program);
    put(&file, &entry(program, "busy", "pipe").to_string());
    bench.watch("claude", None);
    bench.says(Source::Registry, Says::Working);
    put(&file, &entry(program, "idle", "link").to_string());
    bench.says(Source::Registry, Says::Idle);
    put(&file, &entry(program, "waiting", "../../../elsewhere").to_string());
    bench.says(Source::Registry, Says::Asking);
    assert!(bench.rest().iter().all(|signal| signal.source == Source::Registry));
}

#[test]
#[ntest::timeout(60000)]
fn codex_is_known_by_the_rollout_that_it_writes() {
    let id = "019ac000-0000-7000-8000-000000000001";
    let inner = "019ac000-0000-7000-8000-000000000009";
    // Locks first, and the rollouts with the first prompt; a subagent's thread is newer.
    let script = format!(
        "read go; cd \"$HOME/.codex\"; mkdir -p thread-writer-locks; exec 3>thread-writer-locks/{id}.lock \
         4>thread-writer-locks/{inner}.lock; read prompt; mkdir -p sessions/2026/11/29; cd sessions/2026/11/29; \
         exec 5>>rollout-x-{id}.jsonl 6>>rollout-x-{inner}.jsonl; read whole; \
         echo '{{\"type\":\"session_meta\",\"payload\":{{\"id\":\"{id}\",\"source\":\"cli\"}}}}' >&5; \
         echo '{{\"type\":\"session_meta\",\"payload\":{{\"id\":\"{inner}\",\"source\":{{\"subagent\":\"x\"}}}}}}' >&6; read end"
    );
    let mut bench = Bench::new(&script);
    fs::create_dir(bench.home(".codex")).unwrap();
    bench.watch("codex", None);
    let keys = bench.child.stdin.as_mut().unwrap();
    keys.write_all(b"go\n").unwrap();
    keys.write_all(b"prompt\n").unwrap();
    let there = |file: &Path, least: u64| {
        let deadline = Instant::now() + PATIENCE;
        while fs::metadata(file).map_or(true, |meta| meta.len() < least) {
            assert!(Instant::now() < deadline);
            std::thread::yield_now();
        }
    };
    let rollout = bench.home(&format!(".codex/sessions/2026/11/29/rollout-x-{id}.jsonl"));
    // It is open for longer than anybody looks for it, before its first line is written.
    there(&rollout, 0);
    assert_eq!(bench.told.as_ref().unwrap().recv_timeout(Duration::from_secs(2)).ok(), None);
    bench.child.stdin.as_mut().unwrap().write_all(b"whole\n").unwrap();
    there(&rollout, 1);
    let event = |payload: Value| json!({ "type": "event_msg", "payload": payload });
    append(&rollout, &event(json!({ "type": "task_started", "turn_id": "T" })));
    let working = bench.says(Source::Transcript, Says::Working);
    assert_eq!(working.told.conversation.as_deref(), Some(id));
    append(&rollout, &event(json!({ "type": "task_complete", "turn_id": "T" })));
    bench.says(Source::Transcript, Says::Done);
}

#[test]
#[ntest::timeout(60000)]
fn nothing_is_told_after_the_end() {
    let mut bench = Bench::new("read x");
    let program = bench.program();
    put(&list(&bench, program), &entry(program, "idle", "S").to_string());
    bench.watch("claude", None);
    bench.says(Source::Registry, Says::Idle);
    bench.watching = None;
    put(&list(&bench, program), &entry(program, "busy", "S").to_string());
    // Another one that is told of the same change shows that it was seen.
    let told = bench.told.take().unwrap();
    bench.watch("claude", None);
    bench.says(Source::Registry, Says::Working);
    assert!(told.recv().is_err(), "what told it is gone");
}

fn call<'a>(secret: &'a str, payload: &'a Value, at_ms: u64) -> Call<'a> {
    Call { secret, name: "Stop", at_ms, payload }
}

#[test]
#[ntest::timeout(60000)]
fn a_hook_is_heard_with_its_runs_secret_only() {
    let folder = tempfile::tempdir().unwrap();
    let dir = RunDir::new(folder.path().join("run"));
    let bare = RunDir::new(folder.path().join("bare"));
    let secret = fresh_secret();
    put(&dir.path().join("texts").join(HOOK_FILE), &secret);
    let (hooks, clock) = (Hooks::default(), Clock::start());
    let (session, run) = (SessionId::at(1), RunId::at(1));
    let callee = |run, dir, conversation| Callee { session, agent: "claude", run, dir, conversation };
    let stop = json!({ "session_id": "S" });
    let at_ms = u64::try_from(clock::wall().as_millisecond()).unwrap();
    let ours = callee(run, &dir, Some("S"));
    for wrong in [String::new(), "wrong".to_owned(), secret[1..].to_owned(), format!("{secret} ")] {
        assert_eq!(hooks.hear(&ours, &call(&wrong, &stop, at_ms), clock), Err(Refused::Secret), "{wrong}");
    }
    let heard = hooks.hear(&ours, &call(&secret, &stop, at_ms), clock).unwrap().unwrap();
    assert_eq!((heard.source, heard.told.says), (Source::Hook, Some(Says::Done)));
    assert!(clock.now() - heard.at < 60_000);
    // One that was on its way for ever, or comes from tomorrow, was said now.
    for at_ms in [0, u64::MAX, at_ms + 86_400_000] {
        let heard = hooks.hear(&ours, &call(&secret, &stop, at_ms), clock).unwrap().unwrap();
        assert!(clock.now() - heard.at < 60_000);
    }
    let large = json!({ "session_id": "S", "x": "y".repeat(70_000) });
    assert_eq!(hooks.hear(&ours, &call(&secret, &large, at_ms), clock), Err(Refused::TooMuch));
    // A conversation that is not the session's says nothing, until another source says that it is.
    let moved = json!({ "session_id": "T" });
    assert_eq!(hooks.hear(&ours, &call(&secret, &moved, at_ms), clock), Ok(None));
    assert!(
        hooks.hear(&callee(run, &dir, Some("T")), &call(&secret, &moved, at_ms), clock).unwrap().is_some()
    );
    // The next run has another secret; one without any has no hooks.
    assert_eq!(
        hooks.hear(&callee(RunId::at(2), &bare, None), &call(&secret, &stop, at_ms), clock),
        Err(Refused::Secret)
    );
    assert_eq!(
        hooks.hear(&callee(RunId::at(2), &bare, None), &call("", &stop, at_ms), clock),
        Err(Refused::Secret)
    );
}
