// A conversation as an agent has it on an ordinary day: for pictures, and for what is checked on all scenes.
import type { Said } from '../../src/lib/client/generated/protocol';
import type { FakeWindow } from './fake-window';
import { says } from './fake-transcript';
import type { Scene } from './scenes';

const ID = '7d1b3c1e-0000-4000-8000-00000000c0de';

const DIFF = `--- src/auth/store.rs
+++ src/auth/store.rs
@@ -61,4 +61,8 @@ impl Store
     fn rotate(&mut self, id: TokenId) -> Result<Token> {
-        self.tokens.remove(&id);
+        let family = self.family_of(id)?;
+        if self.is_spent(id) {
+            self.revoke(family);
+            return Err(Error::Reused);
+        }
         self.issue(family)
     }
`;

const ANSWER = `The old code removed a token and forgot **which family** it came from, so a stolen one could be used again.

## What changes

1. \`rotate\` looks up the family first
2. a token that was used before revokes *all* of its family
   - the handler answers with \`401\` then
   - see [RFC 9700](https://www.rfc-editor.org/rfc/rfc9700), section 4.14

| case | before | after |
|---|---|---|
| first use | new token | new token |
| used again | new token | \`Error::Reused\` |

\`\`\`rust
if self.is_spent(id) {
    self.revoke(family);
}
\`\`\`

> The tests for it are not run yet.`;

export const CONVERSATION: readonly Said[] = [
  says.prompt(
    'Rotate refresh tokens and revoke the old family on reuse.\nThe handler is in `src/auth/handler.rs`.',
  ),
  says.thought('The store keeps tokens by id only. I need the family of each, so let me read it first.'),
  says.answer('I’ll start with the store, then the handler.'),
  says.tool('t1', 'Read', 'src/auth/store.rs', { file_path: 'src/auth/store.rs' }),
  says.result(
    't1',
    'use std::collections::HashMap;\n\npub struct Store {\n    tokens: HashMap<TokenId, Token>,\n}',
  ),
  says.todos(
    { text: 'Find the family of a token', progress: 'done' },
    { text: 'Revoke it on reuse', progress: 'begun' },
    { text: 'Tell the handler', progress: 'open' },
    { text: 'Write a migration', progress: 'dropped' },
  ),
  says.tool('t2', 'Edit', 'src/auth/store.rs', { file_path: 'src/auth/store.rs' }, DIFF),
  says.result('t2', 'The file has been updated.'),
  says.tool('t3', 'Task', 'Find callers of rotate', { description: 'Find callers of rotate' }),
  says.result('t3', 'Three callers: `handler.rs`, `session.rs`, `tests/auth.rs`.', { subagent: 'agent-7' }),
  says.tool('t4', 'Bash', 'cargo test -p auth -- --ignored', { command: 'cargo test -p auth -- --ignored' }),
  says.result('t4', 'error[E0599]: no method named `family_of`', { failed: true }),
  says.answer(ANSWER),
  says.image('image/png', 182_000),
  says.note('turn_over'),
  says.note('compacted', 'Tokens are rotated in the store; the handler is next.'),
  says.prompt('Good. Now the handler.'),
  says.tool(
    't5',
    'Edit',
    'src/auth/handler.rs',
    { file_path: 'src/auth/handler.rs' },
    DIFF.replaceAll('store', 'handler'),
  ),
];

/** The session in front has said that. */
export function spoken(my: FakeWindow): void {
  const all = [...my.daemon.sessions.values()];
  const fake = all.find(({ session }) => session.name === 'Token refresh');
  if (!fake) return;
  fake.session = { ...fake.session, conversation_id: ID };
  my.daemon.transcripts.say(ID, CONVERSATION);
  my.daemon.transcripts.say(
    ID,
    [
      says.prompt('Find callers of rotate'),
      says.tool('s1', 'Grep', 'rotate(', { pattern: 'rotate(' }),
      says.result('s1', 'src/auth/handler.rs:41\nsrc/auth/session.rs:12'),
      says.answer('Three callers.'),
    ],
    { subagent: 'agent-7' },
  );
  my.daemon.transcripts.about(ID, {
    title: 'Rotate refresh tokens and revoke the old family',
    model: 'claude-opus-5',
    prompts: 2,
    started_at: new Date(Date.now() - 26 * 60_000).toISOString(),
    usage: {
      input: 12_410,
      output: 18_400,
      cache_read: 812_000,
      cache_write: 41_000,
      context: 92_410,
      context_size: 200_000,
      cost: 1.18,
      estimated: false,
    },
  });
}

/** Shows the transcript of the session in front. */
export async function readTranscript({ win }: FakeWindow): Promise<void> {
  await win.show('Token refresh');
  await win.by('face-transcript').click();
  await win.by('turns').waitFor();
  await win.by('figure-input').first().waitFor();
}

export function transcriptScenes(usualDay: (my: FakeWindow) => void): readonly Scene[] {
  const day = (my: FakeWindow) => {
    usualDay(my);
    spoken(my);
  };
  return [
    { name: 'transcript', day, act: readTranscript },
    {
      name: 'transcript-open',
      day,
      act: async (my) => {
        await readTranscript(my);
        for (const about of ['src/auth/store.rs', 'Find callers']) {
          await my.win.by('tool').filter({ hasText: about }).last().locator('.head').first().click();
        }
        await my.win.by('nested').locator('.head').first().click();
        await my.win.by('nested').getByText('Three callers.').waitFor();
        await my.win.by('turns').evaluate((box) => (box.scrollTop = 200));
      },
    },
    {
      name: 'transcript-gone',
      day: (my) => {
        day(my);
        my.daemon.transcripts.failures.set(ID, { code: 'conversation_gone', message: 'it is gone' });
        const fake = [...my.daemon.sessions.values()].find(({ session }) => session.name === 'Token refresh');
        if (fake)
          fake.session = { ...fake.session, status: 'dead', ask: null, exit: { how: 'code', code: 0 } };
      },
      act: async ({ win }) => {
        await win.row('Token refresh').first().click();
        await win.by('face-transcript').click();
        await win.by('transcript-problem').waitFor();
      },
    },
    {
      name: 'inspector-outline',
      day,
      act: async ({ win }) => {
        await win.show('Token refresh');
        await win.by('inspector-outline').click();
        await win.by('outline-line').first().waitFor();
      },
    },
    {
      name: 'narrow-transcript',
      width: 480,
      height: 800,
      day,
      act: async ({ win, page }) => {
        await win.by('open-drawer').click();
        await win.row('Token refresh').first().click();
        await page.keyboard.press('Control+Shift+Y');
        await win.by('turns').waitFor();
        await win.by('figure-input').first().waitFor();
      },
    },
  ];
}

export const TRANSCRIPT_MIRRORED: readonly string[] = [
  'transcript',
  'inspector-outline',
  'narrow-transcript',
];
