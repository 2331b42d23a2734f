//! Dialogs at other widths, in other wordings, of other versions.

use belfry_agents::{AnswerBy, Dialog, Place, Reading};
use belfry_protocol::ask::{Approves, AskKind, Risk};

use super::given::{AGENTS, Screen};

fn read(agent: &str, rows: &str) -> Reading {
    AGENTS.get(agent).unwrap().read(None, &Screen::at_prompt(rows).view())
}

fn dialog(agent: &str, rows: &str) -> Dialog {
    let reading = read(agent, rows);
    assert_eq!(reading.place, Place::Dialog, "{agent}\n{rows}\n{reading:?}");
    reading.dialog.unwrap()
}

fn labels(dialog: &Dialog) -> Vec<&str> {
    dialog.choices.iter().map(|choice| choice.label.as_str()).collect()
}

#[test]
#[ntest::timeout(60000)]
fn the_older_trust_dialog_has_numbers_and_another_default() {
    let rows = "\
────────────────────────────────────────────────────────────
 Accessing workspace:

 /home/me/proj

 Quick safety check: Is this a project you created or one
 you trust? (Like your own code, or work from your team).

 ❯ 1. Yes, I trust this folder
   2. No, exit

 Enter to confirm · Esc to cancel";
    let found = dialog("claude", rows);
    assert_eq!((found.kind, found.selected), (AskKind::Trust, Some(0)));
    assert_eq!(found.text, "Is this a project you created or one you trust?");
    assert_eq!(found.detail.path.as_deref(), Some("/home/me/proj"));
    assert!(found.choices[1].refuses && !found.choices[0].refuses);
}

#[test]
#[ntest::timeout(60000)]
fn a_key_from_the_environment() {
    let rows = "\
────────────────────────────────────────────────────────────
 Detected a custom API key in your environment

 ANTHROPIC_API_KEY: sk-ant-...abcd

 Do you want to use this API key?

   1. Yes
 ❯ 2. No (recommended)

 Enter to confirm · Esc to cancel";
    let found = dialog("claude", rows);
    assert_eq!(
        (found.kind, found.selected, found.text.as_str()),
        (AskKind::Login, Some(1), "Do you want to use this API key?")
    );
    assert!(matches!(found.answer, AnswerBy::Walk { .. }));
}

#[test]
#[ntest::timeout(60000)]
fn a_long_command_is_one_again_and_choices_keep_their_words() {
    let rows = "\
● Bash(cargo test …)
  ⎿  Waiting…

────────────────────────────────────────────────────────
 Bash command
 Run the tests of every crate
╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌
 cargo test --workspace --all-targets --no-fail-fast --
 --nocapture && rm -rf target/doc
╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌
 Do you want to proceed?
 ❯ 1. Yes
   2. Yes, and always allow access to /home/me/proj
      from this project
   3. No

 Esc to cancel · Tab to amend";
    let found = dialog("claude", rows);
    assert_eq!(found.approves, Some(Approves::Command));
    let command = "cargo test --workspace --all-targets --no-fail-fast -- --nocapture && rm -rf target/doc";
    assert_eq!(found.detail.command.as_deref(), Some(command));
    assert_eq!(found.risk, Risk::High);
    assert_eq!(
        labels(&found),
        ["Yes", "Yes, and always allow access to /home/me/proj from this project", "No"]
    );
}

#[test]
#[ntest::timeout(60000)]
fn an_edit_shows_its_path_and_its_lines() {
    let rows = "\
────────────────────────────────────────────────────────────
 Edit file
 src/parser.rs
╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌
  10    fn next(&mut self) {
  11 -      self.at += 1;
  11 +      self.at += self.step;
  12    }
╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌
 Do you want to make this edit to parser.rs?
 ❯ 1. Yes
   2. Yes, allow all edits during this session (shift+tab)
   3. No

 Esc to cancel · Tab to amend";
    let found = dialog("claude", rows);
    assert_eq!((found.kind, found.approves), (AskKind::Approval, Some(Approves::Edit)));
    assert_eq!(found.detail.path.as_deref(), Some("src/parser.rs"));
    let body = found.detail.body.as_deref().unwrap();
    assert!(body.contains("11 -      self.at += 1;") && body.lines().count() == 4, "{body}");
    assert_eq!(found.choices[1].risk, Risk::Medium);
    assert_eq!(found.risk, Risk::Medium);
}

#[test]
#[ntest::timeout(60000)]
fn several_questions_and_boxes_to_tick() {
    let rows = "\
────────────────────────────────────────────────────────────
←  ☒ Colour  ☐ Sizes  ✔ Submit  →

Which sizes should it come in?

❯ 1. [ ] Small
     For one
  2. [✔] Large
     For many
  3. [ ] Type something
     Submit
────────────────────────────────────────────────────────────
  4. Chat about this

Enter to select · Tab/Arrow keys to navigate · Esc to cancel";
    let found = dialog("claude", rows);
    assert_eq!((found.kind, found.text.as_str()), (AskKind::Question, "Which sizes should it come in?"));
    assert_eq!(labels(&found)[..2], ["Small", "Large"]);
    assert_eq!(found.choices[1].description.as_deref(), Some("For many"));
    assert_eq!(
        found.choices.iter().map(|choice| choice.ticked).collect::<Vec<_>>()[..3],
        [Some(false), Some(true), Some(false)]
    );
    assert_eq!(labels(&found)[3..], ["Submit", "Chat about this"]);
    let submits = rows.replace("❯ 1.", "  1.").replace("     Submit", "❯    Submit");
    assert_eq!(dialog("claude", &submits).selected, Some(3));
    assert_eq!(labels(&dialog("claude", &submits)), labels(&found));
    assert!(matches!(found.answer, AnswerBy::Walk { .. }));
    assert_eq!(found.tick.as_deref(), Some(b"\r".as_slice()));
    let rows = "\
────────────────────────────────────────────────────────────
←  ☒ Colour  ☒ Sizes  ✔ Submit  →

Review your answers

 ● Which colour do you want?
   → Red

Ready to submit your answers?

❯ 1. Submit answers
  2. Cancel";
    let found = dialog("claude", rows);
    assert_eq!((found.rule.as_str(), found.text.as_str()), ("review answers", "Review your answers"));
}

#[test]
#[ntest::timeout(60000)]
fn wordings_that_nobody_has_described_are_seen() {
    let rows = "\
────────────────────────────────────────────────────────────
 A new thing in a new release

 Shall the flux be reversed now?

   1. Reverse it
 ❯ 2. Leave it

 ↑↓ move · ⏎ pick";
    let found = dialog("claude", rows);
    assert_eq!((found.rule.as_str(), found.kind), ("choices", AskKind::Choice));
    assert_eq!((found.text.as_str(), found.selected), ("Shall the flux be reversed now?", Some(1)));
    assert!(matches!(found.answer, AnswerBy::Walk { .. }), "the mark is moved and looked at");
    let rows = "  Shall the flux be reversed?\n\n› 1. Reverse it  At once\n  2. Leave it    For ever\n\n  enter choose · esc back";
    assert_eq!(labels(&dialog("codex", rows)), ["Reverse it", "Leave it"]);
}

#[test]
#[ntest::timeout(60000)]
fn a_narrow_terminal_wraps_everything() {
    let rows = "\
  Would you like to run the
  following command?

  Reason: It needs the network
  to fetch the crates?

  $ cargo fetch --locked

› 1. Yes, proceed (y)
  2. Yes, and don't ask again
     for commands that start
     with `cargo fetch` (p)
  3. No, and tell Codex what
     to do differently (esc)

  Press enter to confirm or esc
  to cancel";
    let found = dialog("codex", rows);
    assert_eq!(found.rule, "command");
    assert_eq!(found.text, "Would you like to run the following command?");
    assert_eq!(found.detail.command.as_deref(), Some("cargo fetch --locked"));
    assert_eq!(found.detail.body.as_deref(), Some("It needs the network to fetch the crates?"));
    assert_eq!(labels(&found)[1], "Yes, and don't ask again for commands that start with `cargo fetch` (p)");
    assert!(found.choices[2].refuses && found.choices[2].takes_text);
}

#[test]
#[ntest::timeout(60000)]
fn the_same_dialog_has_the_same_fingerprint_wherever_its_mark_is() {
    let rows = |first: &str, second: &str| {
        format!(" Do you want to proceed?\n {first} 1. Yes\n {second} 2. No\n\n Esc to cancel")
    };
    let (one, two) = (dialog("claude", &rows("❯", " ")), dialog("claude", &rows(" ", "❯")));
    assert_eq!(one.fingerprint(), two.fingerprint());
    assert_ne!(one.selected, two.selected);
    // Half a frame: no mark, or two.
    assert_eq!(read("claude", &rows(" ", " ")).dialog, None);
    assert_eq!(read("claude", &rows("❯", "❯")).dialog, None);
}

#[test]
#[ntest::timeout(60000)]
fn limits_and_logins() {
    let line = "─".repeat(60);
    let blocked = |text: &str| {
        let rows = format!("❯ go on\n\n{text}\n\n{line}\n❯\n{line}\n  ? for shortcuts");
        let blocked = read("claude", &rows).blocked;
        blocked.map(|blocked| (blocked.reason, blocked.until.unwrap_or_default()))
    };
    let is = |reason: &str, until: &str| Some((reason.to_owned(), until.to_owned()));
    assert_eq!(
        blocked("● Claude usage limit reached. Your limit will reset at 3pm (Europe/Berlin)."),
        is("usage limit", "3pm (Europe/Berlin)")
    );
    assert_eq!(blocked("  ⎿  You've hit your limit · resets 3:30pm"), is("usage limit", "3:30pm"));
    assert_eq!(blocked("  ⎿  5-hour limit reached ∙ resets 15:30"), is("usage limit", "15:30"));
    assert_eq!(blocked("● Credit balance is too low"), is("no credit left", ""));
    assert_eq!(blocked("● Invalid API key · Please run /login"), is("signed out", ""));
    assert_eq!(blocked("● The usage limit reached its end in the story."), None);
    assert_eq!(blocked("● I explained the invalid API key.\n\n✻ Baked for 5s"), None);
}

#[test]
#[ntest::timeout(60000)]
fn an_input_box_that_is_drawn_too_early_is_no_prompt() {
    let early =
        "  >_ OpenAI Codex (v0.171.0)\n     /home/me/p\n\n\n› Ask Codex to do anything\n\n  ? for shortcuts";
    assert_eq!(read("codex", early).place, Place::Unknown);
    let ready = early.replace("  ? for shortcuts", "  gpt · /home/me/p\n  ← for agents · ? for shortcuts");
    assert_eq!(read("codex", &ready).place, Place::Prompt);
}

#[test]
#[ntest::timeout(60000)]
fn a_command_without_lines_around_it() {
    // 2.1.270.
    let rows = "\
────────────────────────────────────────────────────────────────────────────────────────────────────
 Bash command
 Tip: auto mode handles these prompts for you — choose \"switch to auto mode\" below

   touch made_by_agent_1.txt
   Probe command

 Do you want to proceed?
 ❯ 1. Yes
   2. Yes, and always allow access to /srv/project from this project
   3. No

 Esc to cancel · Tab to amend";
    assert_eq!(dialog("claude", rows).detail.command.as_deref(), Some("touch made_by_agent_1.txt"));
}

/// What an agent says at its prompt, below its last turn.
fn at_prompt(agent: &str, said: &str) -> Reading {
    let line = "─".repeat(80);
    let rows = match agent {
        "claude" => format!("❯ go on\n\n{said}\n\n{line}\n❯\n{line}\n  ? for shortcuts"),
        "codex" => format!(
            "› go on\n\n{said}\n\n\n› Ask Codex to do anything\n\n  gpt · /home/me/p\n  ? for shortcuts"
        ),
        _ => format!(
            "\n{said}\n\n{line}\n Shift+Tab to accept edits\n{}\n >   Type your message\n{}\n workspace (/directory)\n /home/me/p",
            "▄".repeat(80),
            "▀".repeat(80)
        ),
    };
    read(agent, &rows)
}

#[test]
#[ntest::timeout(60000)]
fn limits_and_logins_in_other_words() {
    for (agent, said, reason) in [
        ("claude", "  ⎿  You've hit your limit · resets 3pm (UTC)", "usage limit"),
        ("claude", "  ⎿  Claude usage limit reached. Your limit will reset at 3pm", "usage limit"),
        ("claude", "● 5-hour limit reached ∙ resets 3pm", "usage limit"),
        ("claude", "  ⎿  Your Opus quota is used up · resets Monday 9am", "usage limit"),
        ("claude", "  ⎿  Not logged in · Please run /login", "signed out"),
        ("claude", "  ⎿  Signed out · run /login", "signed out"),
        ("claude", "  ⎿  Session expired", "signed out"),
        ("codex", "■ You've hit your usage limit. Try again at 3:30 PM.", "usage limit"),
        ("codex", "■ You have reached your weekly limit; try again in 2 days.", "usage limit"),
        ("codex", "■ Your access token has expired. Please sign in again.", "signed out"),
        ("codex", "■ You are signed out", "signed out"),
        ("gemini", "✕ Quota exceeded for gemini-pro. Access resets at 3:30 PM.", "usage limit"),
        ("gemini", "ℹ Usage limit reached for gemini-pro. Access resets at 3:30 PM.", "usage limit"),
        ("gemini", "✕ API key expired. Please renew it.", "signed out"),
    ] {
        let reading = at_prompt(agent, said);
        let blocked = reading.blocked.as_ref().map(|blocked| blocked.reason.as_str());
        assert_eq!(blocked, Some(reason), "{agent}: {said}: {reading:?}");
    }
    // Prose about limits, and errors that are over, are none.
    for (agent, said) in [
        ("claude", "● The limit of the pool was reached in the test, so I raised it to 20 and ran it again."),
        ("claude", "● I have added a login page; sessions expire after an hour."),
        ("codex", "■ exceeded retry limit, last status: 429 Too Many Requests"),
        ("codex", "• The usage limit of the mock is reached by design."),
        ("gemini", "✦ The quota is exceeded when ten requests come at once."),
    ] {
        assert_eq!(at_prompt(agent, said).blocked, None, "{agent}: {said}");
    }
}

/// A text as a terminal breaks it.
fn broken(text: &str, columns: usize) -> String {
    let chars: Vec<char> = text.chars().collect();
    let rows = chars.chunks(columns).map(|row| row.iter().collect::<String>().trim_end().to_owned());
    rows.collect::<Vec<_>>().join("\n")
}

#[test]
#[ntest::timeout(60000)]
fn aider_says_which_file_at_any_width() {
    let files =
        ["a.txt", "src/parser/tokens.rs", "source/of/this/project/with/rather/long/names/notes_1.txt"];
    let asks = [
        ("Create new file?", "(Y)es/(N)o [Yes]:", "create file", 2),
        ("Allow edits to file that has not been added to the chat?", "(Y)es/(N)o [Yes]:", "edit file", 2),
        (
            "Add file to the chat?",
            "(Y)es/(N)o/(A)ll/(S)kip all/(D)on't ask again [Yes]:",
            "add to the chat",
            5,
        ),
        ("Add file to the chat?", "(Y)es/(N)o/(D)on't ask again [Yes]:", "add to the chat", 3),
    ];
    for columns in [40, 60, 80, 120] {
        for file in files {
            for (question, options, rule, choices) in asks {
                let above =
                    "> do it\n\nCreate new file? (Y)es/(N)o [Yes]: y\n\nTokens: 777 sent, 10 received.\n";
                let asked = broken(&format!("{question} {options} "), columns);
                let mut screen = Screen::at_prompt(&format!("{above}\n{}\n{asked}", broken(file, columns)));
                screen.columns = columns as u16;
                let reading = AGENTS.get("aider").unwrap().read(None, &screen.view());
                let found = reading.dialog.unwrap_or_else(|| panic!("{columns}: {file}: {asked}"));
                let about = (found.rule.as_str(), found.detail.path.as_deref(), found.text.as_str());
                assert_eq!(about, (rule, Some(file), question), "{columns}");
                assert_eq!(found.choices.len(), choices, "{columns}: {asked}");
                assert_eq!(found.choices[0].key, "y");
            }
        }
    }
    let forged = "> /run cat it\n Esc to cancel\nCreate new file? (Y)es/(N)o [Yes]:\nAdd 0.3k tokens of command output to the \
                  chat? (Y)es/(N)o [Yes]:";
    assert_eq!(dialog("aider", forged).rule, "add output to the chat");
    let output = "Add 0.1k tokens of command output to the chat? (Y)es/(N)o [Yes]:";
    let found = dialog("aider", &format!("> /run ls\na.txt\nb.txt\n{output}"));
    assert_eq!((found.rule.as_str(), found.detail.path), ("add output to the chat", None));
}
