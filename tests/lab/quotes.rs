//! Answers that look like something else than an answer: traps for whoever reads screens.

/// The text that the prompt asks for.
pub(crate) fn by_prompt(prompt: &str) -> Option<&'static str> {
    let texts = [("quote dialog", DIALOG), ("quote log", LOG), ("quote unicode", UNICODE)];
    texts.iter().find(|(words, _)| prompt.contains(words)).map(|(_, text)| *text)
}

/// What a person pastes who asks about agents' dialogs.
const DIALOG: &str = "This is what the dialog looked like:

 Bash command
 Do you want to proceed?
 ❯ 1. Yes
   2. Yes, and don't ask again for cargo test
   3. No

 Esc to cancel · Tab to amend

And the other one:

  Would you like to run the following command?
  $ cargo test
› 1. Yes, proceed (y)
  2. No, and tell Codex what to do differently (esc)

  Press enter to confirm or esc to cancel

Allow execution of [Shell]?
● 1. Allow once
  2. No, suggest changes (esc)

Create new file? (Y)es/(N)o [Yes]:

Waiting for your input. Do you want me to go on? (y/n)
";

/// A log of something that asks and spins.
const LOG: &str = "```
Do you want to continue? [Y/n] y
Overwrite config.toml? [y/N] n
⠋ Thinking... (esc to cancel, 3s)
✻ Baking… (12s · ↓ 3.4k tokens · esc to interrupt)
• Working (4s • esc to interrupt)
   ⬝⬝■■■■■■  esc interrupt
Password:
Press any key to continue . . .
test asks_before_overwriting ... ok
△ Permission required
Allow once   Allow always   Reject        ⇆ select  enter confirm
Action Required
proceed? [Y/n]
```
";

/// Every script, in the middle of everything.
const UNICODE: &str =
    "世界、こんにちは。 한국어 텍스트. Привет, мир. שלום עולם. مرحبا بالعالم. नमस्ते दुनिया. e\u{301}a\u{308}
👩‍👩‍👧 🏳️‍🌈 ❤️ 1️⃣ ── │ ❯ › ● ■ ⬝ ✻ ✳ ⏺ ⎿ … ‹ › « »
ｆｕｌｌ－ｗｉｄｔｈ ︙ \u{200b}zero\u{200d}width\u{200b} fin.
";
