// The replay of a session's terminal, against a daemon that pretends to have recorded it.
import { describe, expect, it } from 'vitest';
import type { FakeSession } from './support/fake-daemon';
import { START, type Story } from './support/fake-recording';
import { says } from './support/fake-transcript';
import { FakeWindow } from './support/fake-window';
import { replay } from './support/scenes-replay';
import { until } from './support/window';

const my = new FakeWindow();

/** A line each second, and nothing for a minute in the middle. */
const COUNTED: Story = {
  length: 100_000,
  printed: [
    ...Array.from({ length: 20 }, (_, n) => ({ at: 1_000 * (n + 1), text: `line ${n + 1}\r\n` })),
    { at: 80_000, text: 'after the pause\r\n' },
    { at: 99_000, text: 'the last\r\n' },
  ],
  marks: [
    { at: 0, kind: 'run', text: '' },
    { at: 5_000, kind: 'turn', text: '' },
    { at: 12_500, kind: 'ask', text: 'Delete it all?' },
  ],
};

const player = () => my.win.by('replay');
const key = (...keys: string[]) => my.win.press(...keys);

async function open(story: Story, part: Partial<FakeSession['session']> = {}): Promise<FakeSession> {
  const fake = my.add({ name: 'Recorded', status: 'dead', exit: { how: 'code', code: 0 }, ...part });
  my.daemon.recordings.stories.set(fake.session.id, story);
  await my.open();
  await replay(my, 'Recorded');
  return fake;
}

/** The rows that are painted, without those that are empty. */
async function rows(): Promise<string[]> {
  const all = await my.page.locator('[data-testid=replay-screen] .xterm-rows > div').allTextContents();
  return all.map((row) => row.replaceAll('\u00a0', ' ').trimEnd()).filter(Boolean);
}

const shows = (last: string | undefined) => until(rows, (seen) => seen.at(-1) === last);
const time = () => my.win.by('replay-time').locator('b').textContent();
const seconds = async () => Number(await my.win.by('time-bar').getAttribute('aria-valuenow'));

describe('going through it', () => {
  it('shows what was on the screen at any moment, to and fro', async () => {
    await open(COUNTED);
    await shows(undefined);
    expect(await player().getAttribute('data-playing')).toBe('false');
    await key('ArrowRight');
    await shows('line 5');
    await key('l');
    await shows('line 15');
    await key('ArrowLeft');
    await shows('line 10');
    await key('End');
    await shows('the last');
    await key('Home');
    await shows(undefined);
    await key('1');
    await shows('line 10');
    await key('.');
    await shows('line 11');
    await key(',');
    await shows('line 10');
    expect(await time()).toBe('0:10');
  });

  it('goes from mark to mark, and says where it is', async () => {
    await open(COUNTED);
    await key('n');
    await shows('line 5');
    await key('n');
    await shows('line 12');
    await until(
      () => my.win.by('replay-latest').textContent(),
      (text) => /Asked: Delete it all\?/.test(text ?? ''),
    );
    await my.win.by('replay-previous').click();
    await shows('line 5');
    expect(await my.win.by('replay-previous').getAttribute('aria-disabled')).toBe('true');
    const spoken = await my.win.by('time-bar').getAttribute('aria-valuetext');
    expect(spoken).toMatch(/^5 s of 1 min 40 s, /);
  });

  it('is dragged along its bar, and tells what is under the pointer', async () => {
    await open(COUNTED);
    const bar = (await my.win.by('time-bar').boundingBox())!;
    const to = (share: number) => [bar.x + bar.width * share, bar.y + bar.height / 2] as const;
    await my.page.mouse.move(...to(0.125));
    expect(await my.win.by('time-tip').textContent()).toMatch(/0:12.*Asked: Delete it all\?/s);
    await my.page.mouse.down();
    await shows('line 12');
    await my.page.mouse.move(...to(0.0801), { steps: 5 });
    await shows('line 8');
    await my.page.mouse.move(...to(0.9), { steps: 5 });
    await shows('after the pause');
    await my.page.mouse.up();
    await my.page.mouse.click(...to(0.0301));
    await shows('line 3');
  });
});

describe('playing it', () => {
  it('plays to the end, faster and with its pauses cut, and stops there', async () => {
    await open(COUNTED);
    for (let n = 0; n < 4; n += 1) await key('>');
    expect(await my.win.by('replay-speed').textContent()).toBe('16×');
    await key(' ');
    await shows('the last');
    await until(
      () => player().getAttribute('data-playing'),
      (playing) => playing === 'false',
    );
    expect(await time()).toBe('1:40');
    // Once more, from the beginning.
    for (let n = 0; n < 5; n += 1) await key('<');
    await my.win.by('replay-play').click();
    await until(rows, (seen) => seen[0] === 'line 1');
    await key('k');
    expect(await player().getAttribute('data-playing')).toBe('false');
    expect(await seconds()).toBeLessThan(100);
  });

  it('begins by itself, unless the person wants little motion', async () => {
    my.add({ name: 'Recorded', status: 'dead', exit: { how: 'code', code: 0 } });
    for (const { session } of my.daemon.sessions.values())
      my.daemon.recordings.stories.set(session.id, COUNTED);
    await my.open();
    await my.page.emulateMedia({ reducedMotion: 'no-preference' });
    await replay(my, 'Recorded');
    expect(await player().getAttribute('data-playing')).toBe('true');
    await until(rows, (seen) => seen[0] === 'line 1');
    await key('k');
    await my.page.emulateMedia({ reducedMotion: 'reduce' });
  });

  it('plays pauses whole where that is wanted, and tells what it passed over', async () => {
    await open(COUNTED);
    await my.win.by('replay-speed').click();
    await my.win.by('speed-2').click();
    await my.win.by('replay-speed').click();
    await my.win.by('cut-none').click();
    expect(await my.win.by('replay-pauses').getAttribute('aria-pressed')).toBe('false');
    await key('2', ' ');
    // In the pause, and not over it: nothing has been printed since.
    const at = await until(seconds, (seen) => seen > 20);
    expect(at).toBeLessThan(80);
    expect((await rows()).at(-1)).toBe('line 20');
    await key('i');
    await until(rows, (seen) => seen.includes('after the pause'));
    await until(
      () => my.win.by('replay-latest').textContent(),
      (text) => /Skipped/.test(text ?? ''),
    );
    await key('k');
  });

  it('asks for nothing, no frame and no timer, while it is paused or out of sight', async () => {
    await open(COUNTED);
    await key('ArrowRight');
    await shows('line 5');
    await my.page.evaluate(() => {
      const counts = { asked: 0, frame: window.requestAnimationFrame.bind(window) };
      Object.assign(window, { counts });
      for (const name of ['requestAnimationFrame', 'setTimeout', 'setInterval'] as const) {
        const usual = window[name].bind(window) as (...args: unknown[]) => number;
        Object.assign(window, {
          [name]: (...args: unknown[]) => {
            counts.asked += 1;
            return usual(...args);
          },
        });
      }
    });
    const reads = my.daemon.recordings.reads.length;
    /** What the page asks for within some frames. */
    const asked = () =>
      my.page.evaluate(async () => {
        const { counts } = window as unknown as {
          counts: { asked: number; frame: typeof requestAnimationFrame };
        };
        const before = counts.asked;
        for (let n = 0; n < 30; n += 1) await new Promise((resolve) => counts.frame(resolve));
        return counts.asked - before;
      });
    await until(asked, (count) => count === 0);
    expect(await asked()).toBe(0);
    expect(my.daemon.recordings.reads.length).toBe(reads);
    const before = await seconds();
    await key(' ');
    await until(seconds, (at) => at > before);
    expect(await asked()).toBeGreaterThan(0);
    // Another face of the same session takes its place.
    await key('Control+Shift+X');
    await player().waitFor({ state: 'detached' });
    await until(asked, (count) => count === 0);
    expect(await asked()).toBe(0);
    // And it is where it was left.
    await key('Control+Shift+X');
    await player().waitFor();
    const left = await until(seconds, (at) => at > before);
    await until(rows, (seen) => seen.includes(`line ${Math.min(20, left)}`));
  });
});

describe('what is recorded', () => {
  it('has another size midway', async () => {
    await open({
      length: 10_000,
      printed: [
        { at: 1_000, text: 'a'.repeat(100) },
        { at: 2_000, cols: 120, rows: 30 },
        { at: 3_000, text: '\x1b[2J\x1b[30;1Hat the foot' + '\x1b[1;1H' + 'b'.repeat(119) },
      ],
    });
    await key('.');
    expect((await until(rows, (seen) => seen.length === 2))[0]).toHaveLength(80);
    await key('.');
    await key('.');
    const seen = await until(rows, (all) => all.at(-1) === 'at the foot');
    expect(seen[0]).toBe('b'.repeat(119));
    // All of it is in sight, in a pane of another size.
    const [host, frame] = await Promise.all([
      my.win.by('replay-screen').boundingBox(),
      my.page.locator('[data-testid=replay-screen] .xterm-screen').boundingBox(),
    ]);
    expect(frame!.x + frame!.width).toBeLessThanOrEqual(host!.x + host!.width);
    expect(frame!.y + frame!.height).toBeLessThanOrEqual(host!.y + host!.height + 1);
    await key('Home', '.');
    await until(rows, (all) => all.length === 2 && all[0]?.length === 80);
  });

  it('does nothing but be seen, whatever it holds', async () => {
    const fake = await open(
      {
        length: 5_000,
        printed: [
          {
            at: 1_000,
            text: '\x1b[c\x1b[6n\x1b[?1000h\x1b[?1003h\x1b[?1004h\x1b]52;c;aGFja2Vk\x07\x1b]0;another title\x07\x07\x1b[?2004h\x1b]8;;https://evil.example\x07click\x1b]8;;\x07 me\r\n',
          },
          {
            at: 2_000,
            text: '\x1b]11;?\x07\x1b[>0q\x1bP$qm\x1b\\\x1b[21t\x1b]4;1;rgb:00/00/00\x07\x1b[31mfine\x1b[m\x9b6n',
          },
          { at: 3_000, text: '\x1b]2;never ended' },
        ],
      },
      { status: 'idle', exit: null },
    );
    const title = await my.page.title();
    await my.page.evaluate(() => navigator.clipboard.writeText('mine'));
    await key('.', '.', '.');
    await until(rows, (seen) => seen.some((row) => row.startsWith('fine')));
    const link = await my.page
      .locator('[data-testid=replay-screen] .xterm-rows')
      .getByText('click')
      .boundingBox();
    await my.page.keyboard.down('Control');
    await my.page.mouse.click(link!.x + 10, link!.y + link!.height / 2);
    await my.page.keyboard.up('Control');
    await my.win.type('xyz');
    await key('Enter', 'ArrowUp', 'Control+c', 'Control+v');
    expect(my.typed(fake)).toBe('');
    expect(await my.page.title()).toBe(title);
    expect(await my.page.evaluate(() => navigator.clipboard.readText())).toBe('mine');
    expect(my.opened.context.pages()).toHaveLength(1);
    // What it left open does not reach the next picture.
    await key('Home', '.');
    await until(rows, (seen) => seen.length === 1 && seen[0] === 'click me');
  });

  it('is read in pieces, however large it is', async () => {
    const block = 'y'.repeat(60_000);
    const count = 300;
    await open({
      length: count * 10,
      printed: Array.from({ length: count }, (_, n) => ({
        at: n * 10 + 10,
        text: `${block}\r\nblock ${n}\r\n`,
      })),
    });
    const { reads } = my.daemon.recordings;
    expect(reads.length).toBeLessThan(4);
    for (let n = 0; n < 4; n += 1) await key('>');
    await key(' ');
    await shows(`block ${count - 1}`);
    expect(reads.length).toBeGreaterThan(25);
    expect(Math.max(...reads.map(({ bytes }) => bytes))).toBeLessThanOrEqual(1 << 20);
    // Only the first needed a picture: the others went on where the one before ended.
    expect(reads.filter(({ picture }) => picture)).toHaveLength(1);
    await key('5');
    await shows(`block ${count / 2 - 1}`);
  });

  it('says where output is missing, and why', async () => {
    await open({
      length: 20_000,
      printed: [
        { at: 1_000, text: 'before' },
        { at: 10_000, cols: 80, rows: 24, anew: 'behind the hole' },
      ],
      part: { holes: [{ at: 10_000, bytes: 5_300_000, why: 'disk_full' }], gaps: true },
    });
    await key('.');
    await shows('before');
    expect(await my.win.by('replay-hole').count()).toBe(0);
    await key('.');
    await shows('behind the hole');
    expect(await my.win.by('replay-hole').textContent()).toMatch(
      /5\.3 MB of output are missing here: the disk was full/,
    );
    await key('Home');
    await my.win.by('replay-hole').waitFor({ state: 'detached' });
  });

  it('may be nothing at all', async () => {
    await open({ length: 0, printed: [] }, { private: true, exit: { how: 'machine_restarted' } });
    expect(await my.win.by('replay-nothing').textContent()).toMatch(/private.*memory only/s);
    await my.win.by('replay-leave').click();
    await my.win.by('terminal').waitFor();
  });

  it('is tried again where it could not be read', async () => {
    my.daemon.failures.set('show_recording', { code: 'storage', message: 'the journal cannot be read' });
    await open(COUNTED);
    expect(await my.win.by('replay-nothing').textContent()).toMatch(/The journal cannot be read\./);
    my.daemon.failures.clear();
    await my.win.by('replay-retry').click();
    await key('1');
    await shows('line 10');
    // The daemon goes away in the middle, and comes back.
    my.daemon.disconnect();
    await until(
      () => player().getAttribute('data-state'),
      (state) => state === 'ready',
    );
    await key('2');
    await shows('line 20');
  });
});

describe('its transcript', () => {
  it('leads to the moment of a turn, and from there back to what was said then', async () => {
    const fake = my.add({ name: 'Recorded', agent: 'claude', conversation_id: 'c1', status: 'idle' });
    my.daemon.recordings.stories.set(fake.session.id, COUNTED);
    // Twenty seconds apart.
    const said = ['zero', 'one', 'two', 'three'].map((text) => says.prompt(`prompt ${text}`));
    my.daemon.transcripts.say('c1', said, { since: START });
    await my.open();
    await my.win.row('Recorded').first().click();
    await key('Control+Shift+Y');
    const turn = my.page.locator('[data-testid=turns] [data-seq]').filter({ hasText: 'prompt one' });
    await turn.hover();
    await turn.getByTestId('see-in-replay').click();
    await shows('line 20');
    expect(await time()).toBe('0:20');
    await key('j');
    await shows('line 10');
    await my.win.by('replay-transcript').click();
    await turn.waitFor();
    // Gone to once, it is left where it is from then on.
    await key('Control+Shift+X');
    await shows('line 10');
  });
});

describe('a session that runs', () => {
  it('is played on to the newest, and its terminal is a press away', async () => {
    const fake = await open(COUNTED, { status: 'running', exit: null });
    await key('End');
    await shows('the last');
    await key(' ');
    await my.win.by('replay-newest').waitFor();
    const { printed } = COUNTED;
    my.daemon.recordings.stories.set(fake.session.id, {
      ...COUNTED,
      length: 101_000,
      printed: [...printed, { at: 101_000, text: 'still going\r\n' }],
    });
    await key(' ');
    await shows('still going');
    await my.win.by('replay-live').click();
    await player().waitFor({ state: 'detached' });
  });

  it('is exported whole', async () => {
    await open(COUNTED);
    const [download] = await Promise.all([
      my.page.waitForEvent('download'),
      my.win.by('replay-export').click(),
    ]);
    expect(download.suggestedFilename()).toBe('Recorded.cast');
    await my.win.by('toast').filter({ hasText: 'Recorded.cast' }).waitFor();
  });
});
