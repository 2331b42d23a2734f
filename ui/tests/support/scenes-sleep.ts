import type { FakeWindow } from './fake-window';
import type { Scene } from './scenes';

/** A session whose program was put to sleep an hour ago. */
export function asleep({ daemon }: FakeWindow, name: string): string {
  const found = [...daemon.sessions.values()].find(({ session }) => session.name === name);
  if (!found) throw new Error(`no session ${name}`);
  const ended = new Date(Date.now() - 3_600_000).toISOString();
  const { runs } = found.session;
  daemon.change(found.session.id, {
    status: 'idle',
    reason: 'hibernated',
    activity: null,
    ask: null,
    pid: null,
    exit: null,
    unseen: false,
    since: ended,
    runs: runs.map((run, at) => (at === 0 ? { ...run, ended_at: ended } : run)),
  });
  return found.session.id;
}

/** Scenes of sleep and of what sessions take; `usual` is what there is before. */
export function sleepScenes(usual: (my: FakeWindow) => void): Scene[] {
  const day = (my: FakeWindow) => {
    usual(my);
    asleep(my, 'Release notes');
  };
  return [
    {
      name: 'asleep',
      day,
      act: async ({ win }) => {
        await win.row('Release notes').first().click();
        await win.by('ended').waitFor();
      },
    },
    {
      name: 'settings-sleep',
      day: usual,
      act: async ({ win, page }) => {
        await win.by('open-settings').click();
        await win.by('settings-privacy').click();
        await page.locator('#hibernate-memory').scrollIntoViewIfNeeded();
      },
    },
    {
      name: 'settings-usage',
      day: usual,
      act: async ({ win }) => {
        await win.by('open-settings').click();
        await win.by('settings-usage').click();
        await win.by('usage').waitFor();
      },
    },
  ];
}
