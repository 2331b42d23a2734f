//! What agents' titles, reports and modes mean.

use belfry_agents::{Bar, Emitted, Sign, SubKind};
use belfry_protocol::signal::Says;

use super::given::AGENTS;

fn sign(agent: &str, emitted: Emitted<'_>) -> Option<Sign> {
    AGENTS.get(agent).unwrap().sign(None, emitted)
}

fn report(agent: &str, text: &str) -> Option<Sign> {
    let pairs: Vec<(String, String)> = text
        .split('|')
        .filter_map(|pair| pair.split_once('='))
        .map(|(key, value)| (key.to_owned(), value.to_owned()))
        .collect();
    sign(agent, Emitted::Program(&pairs))
}

#[test]
#[ntest::timeout(60000)]
fn titles() {
    for (agent, title, says) in [
        ("claude", "✳ Claude Code", Some(Says::Idle)),
        ("claude", "⠂ Claude Code", Some(Says::Working)),
        ("claude", "⠐ My session", Some(Says::Working)),
        ("claude", "◐ Mock title", Some(Says::Working)),
        ("claude", "◑ Mock title", Some(Says::Working)),
        ("claude", "Mock title", None),
        ("claude", "", None),
        ("codex", "⠋ say hello | codex", Some(Says::Working)),
        ("codex", "say hello | codex", Some(Says::Idle)),
        ("codex", "codex", Some(Says::Idle)),
        ("codex", "[ ! ] Action Required | say hello | codex", Some(Says::Asking)),
        ("codex", "[ . ] Action Required | say hello | codex", Some(Says::Asking)),
        ("gemini", "◇  Ready (gemini)      ", Some(Says::Idle)),
        ("gemini", "✦  Working… (gemini)", Some(Says::Working)),
        ("gemini", "✋  Action Required (gemini)", Some(Says::Asking)),
        ("opencode", "OC | Mock title", None),
    ] {
        assert_eq!(sign(agent, Emitted::Title(title)).and_then(|sign| sign.says), says, "{agent}: {title}");
    }
}

#[test]
#[ntest::timeout(60000)]
fn reports() {
    for (agent, text, says) in [
        ("claude", "state=idle|app=claude-code", Some(Says::Idle)),
        ("claude", "state=working|app=claude-code", Some(Says::Working)),
        (
            "claude",
            "state=blocked|app=claude-code|kind=permission|msg=approve Bash: touch x",
            Some(Says::Asking),
        ),
        ("claude", "state=blocked|app=claude-code|msg=dialog open", Some(Says::Asking)),
        ("claude", "state=done|app=claude-code", Some(Says::Done)),
        ("claude", "state=error|app=claude-code|msg=API Error: 400", Some(Says::Failed)),
        ("claude", "state=working|app=claude-code|msg=2 shells still running", Some(Says::Done)),
        ("codex", "state=blocked|app=codex|kind=permission", Some(Says::Asking)),
        ("codex", "state=done|app=codex", Some(Says::Done)),
        // Of another program, or of none: a file that was printed.
        ("claude", "state=blocked|app=codex", None),
        ("claude", "state=blocked", None),
        ("codex", "state=working|app=claude-code", None),
        ("gemini", "state=working|app=codex", None),
        ("claude", "state=dancing|app=claude-code", None),
    ] {
        assert_eq!(report(agent, text).and_then(|sign| sign.says), says, "{agent}: {text}");
    }
    let asks =
        report("claude", "state=blocked|app=claude-code|kind=permission|msg=approve Bash: touch x").unwrap();
    assert_eq!(asks.note, "blocked, permission, approve Bash: touch x");
    assert_eq!(asks.activity.as_deref(), Some("approve Bash: touch x"));
    let shells = report("claude", "state=working|app=claude-code|msg=2 shells still running").unwrap();
    assert_eq!(shells.background, Some(2));
}

#[test]
#[ntest::timeout(60000)]
fn sub_tasks_say_nothing_of_the_session() {
    let began =
        report("claude", "state=working|app=claude-code|id=ac0bcff2dffff6ee1|title=Probe sub").unwrap();
    assert_eq!(began.says, None);
    let sub = began.sub.unwrap();
    assert_eq!((sub.kind, sub.alive, sub.title.as_deref()), (SubKind::Subagent, true, Some("Probe sub")));
    let over = report("claude", "state=clear|id=ac0bcff2dffff6ee1").unwrap().sub.unwrap();
    assert_eq!((over.id, over.alive), (sub.id, false));
    let shell = report("claude", "state=working|app=claude-code|id=bp44wrwxy|title=bg").unwrap().sub.unwrap();
    assert_eq!((shell.kind, shell.alive), (SubKind::Background, true));
    assert_eq!(report("claude", "state=working|app=other|id=ac0bcff2dffff6ee1"), None);
}

#[test]
#[ntest::timeout(60000)]
fn progress_notifications_and_modes() {
    let says = |agent, emitted| sign(agent, emitted).and_then(|sign| sign.says);
    assert_eq!(says("claude", Emitted::Progress(Bar::Indeterminate)), Some(Says::Working));
    assert_eq!(says("claude", Emitted::Progress(Bar::None)), Some(Says::Idle));
    assert_eq!(says("codex", Emitted::Progress(Bar::Indeterminate)), None);
    let body = "Claude needs your permission";
    assert_eq!(says("claude", Emitted::Notification { title: "", body }), Some(Says::Asking));
    let body = "Claude is waiting for your input";
    assert_eq!(says("claude", Emitted::Notification { title: "Claude Code", body }), Some(Says::Idle));
    assert_eq!(says("claude", Emitted::Bell), None);
    assert_eq!(says("aider", Emitted::BracketedPaste(true)), Some(Says::Idle));
    assert_eq!(says("aider", Emitted::BracketedPaste(false)), Some(Says::Working));
    assert_eq!(says("claude", Emitted::BracketedPaste(true)), None);
}
