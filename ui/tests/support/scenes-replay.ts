import type { FakeSession } from './fake-daemon';
import type { FakeWindow } from './fake-window';
import type { Printed, Story } from './fake-recording';
import type { Scene } from './scenes';

const SECOND = 1_000;

/** An agent's afternoon, in its own terminal. */
export function agentStory(): Story {
  const printed: Printed[] = [];
  const line = (at: number, text: string) => printed.push({ at: at * SECOND, text: `${text}\r\n` });
  line(0, '\x1b[1m✻ Welcome back\x1b[m');
  line(1, '');
  line(4, '\x1b[90m>\x1b[m refresh the token before it expires');
  for (let n = 0; n < 40; n += 1)
    line(8 + n * 1.5, `\x1b[32m●\x1b[m \x1b[1mRead\x1b[m(src/auth/token_${n}.rs)`);
  line(80, '\x1b[33m Do you want to run \x1b[1mcargo test -p auth\x1b[22m? \x1b[m');
  line(80, ' \x1b[36m❯ 1. Yes\x1b[m');
  line(80, '   2. No, and tell it what to do differently');
  printed.push({ at: 300 * SECOND, cols: 100, rows: 24 });
  for (let n = 0; n < 120; n += 1)
    line(310 + n, `test auth::token::case_${n} ... \x1b[32mok\x1b[m ${n % 7 === 0 ? 'x'.repeat(60) : ''}`);
  line(440, '\x1b[32m●\x1b[m All 120 tests pass. The token is refreshed 60 s before it expires.');
  return {
    printed,
    length: 445 * SECOND,
    marks: [
      { at: 0, kind: 'run', text: '' },
      { at: 4 * SECOND, kind: 'turn', text: '' },
      { at: 80 * SECOND, kind: 'ask', text: 'Do you want to run it? cargo test -p auth' },
      { at: 305 * SECOND, kind: 'turn', text: '' },
      { at: 442 * SECOND, kind: 'blocked', text: 'Rate limit reached, resets 15:30' },
    ],
    part: { holes: [{ at: 200 * SECOND, bytes: 3_400_000, why: 'disk_full' }], gaps: true },
  };
}

/** Opens the replay of a session, by its key. */
export async function replay({ win, page }: FakeWindow, name: string): Promise<void> {
  await win.row(name).first().click();
  await win.by('pane').first().waitFor();
  await page.keyboard.press('Control+Shift+X');
  await page.locator('[data-testid=replay]:not([data-state=loading])').waitFor();
}

function recorded(my: FakeWindow, name: string, story = agentStory()): void {
  const found = [...my.daemon.sessions.values()].find(({ session }) => session.name === name) as FakeSession;
  my.daemon.recordings.stories.set(found.session.id, story);
}

/** Scenes of the replay; `usual` is what there is before. */
export function replayScenes(usual: (my: FakeWindow) => void): Scene[] {
  const day = (my: FakeWindow) => {
    usual(my);
    recorded(my, 'Token refresh');
    recorded(my, 'Old migration');
  };
  const at =
    (key: string, name = 'Token refresh') =>
    async (my: FakeWindow) => {
      await replay(my, name);
      await my.page.keyboard.press(key);
      await my.page.locator('[data-testid=replay][data-seeking=false]').waitFor();
    };
  const tip = async (my: FakeWindow) => {
    await at('8')(my);
    const bar = await my.win.by('time-bar').boundingBox();
    if (bar) await my.page.mouse.move(bar.x + (bar.width * 80) / 445, bar.y + bar.height / 2);
    await my.win.by('time-tip').waitFor();
  };
  return [
    { name: 'replay', day, act: tip },
    {
      name: 'replay-menu',
      day,
      act: async (my) => {
        await at('4')(my);
        await my.win.by('replay-speed').click();
        await my.win.by('menu').waitFor();
      },
    },
    {
      name: 'replay-hole',
      day,
      act: async (my) => {
        await replay(my, 'Old migration');
        const bar = await my.win.by('time-bar').boundingBox();
        if (bar) await my.page.mouse.click(bar.x + (bar.width * 201) / 445, bar.y + bar.height / 2);
        await my.win.by('replay-hole').waitFor();
      },
    },
    { name: 'replay-nothing', day: usual, act: (my) => replay(my, 'Old migration') },
    {
      name: 'narrow-replay',
      width: 480,
      height: 800,
      day,
      act: async (my) => {
        await my.win.by('open-drawer').click();
        await at('5', 'Old migration')(my);
      },
    },
    { name: 'zoomed-replay', width: 720, height: 450, day, act: at('8') },
  ];
}

export const REPLAY_MIRRORED: readonly string[] = ['replay', 'replay-menu', 'narrow-replay'];
