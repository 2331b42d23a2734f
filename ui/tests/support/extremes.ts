// What people and programs can call things, at its worst.
import { ask, choice } from './asks';
import type { FakeWindow } from './fake-window';

const LONG = 'A name that was pasted from the middle of a ticket and goes on, and on, '
  .repeat(3)
  .slice(0, 200);
export const NAMES = {
  long: LONG,
  unbroken: 'x'.repeat(200),
  hebrew: 'עדכון של כל הספריות בפרויקט הראשי לפני השחרור הבא של הגרסה החדשה',
  arabic: 'ترقية قاعدة البيانات (v2) ثم تشغيل الاختبارات',
  marks: `z${'\u0300\u0316\u0331'.repeat(30)}algo and e\u0301te\u0301`,
  emoji: '👩‍👩‍👧‍👦'.repeat(20),
  blank: '   ',
  turned: 'safe \u202egnp.exe',
} as const;

export const LONG_PATH = `/home/dev/src/${'a-directory-with-a-long-name/'.repeat(9)}end`;
export const LONG_BRANCH = `feature/${'very-long-branch-'.repeat(12)}end`;

/** A day on which everything is as long as it can be. */
export function extremeDay(my: FakeWindow): void {
  const { tree } = my.daemon;
  const project = tree.addProject(`Project ${LONG}`.slice(0, 200), { path: LONG_PATH });
  const group = tree.addGroup(project, `Group ${LONG}`.slice(0, 200), { color: 'teal' });
  const inside = { cwd: LONG_PATH, project: project.id, branch: LONG_BRANCH };
  my.add(
    {
      name: NAMES.long,
      agent: 'claude',
      status: 'waiting',
      model: `model-${'x'.repeat(80)}`,
      title: `Title ${LONG}`,
      ...inside,
      ask: ask({
        id: 'long',
        text: `Do you want this? ${'It is a long question. '.repeat(40)}`,
        detail: {
          command: `cargo test ${'--with-a-flag '.repeat(60)}`,
          path: null,
          url: null,
          tool: null,
          body: null,
        },
        choices: [
          choice('1', {
            label: `Yes, ${'and do not ask again for anything like it, '.repeat(6)}`,
            risk: 'high',
          }),
          choice('2', { label: 'y'.repeat(200) }),
          choice('3', { label: 'No', refuses: true, takes_text: true, description: LONG }),
        ],
        risk: 'high',
        risk_reason: `It ${'reaches far and '.repeat(20)}more.`,
      }),
    },
    'waits',
  );
  my.add(
    {
      name: NAMES.unbroken,
      agent: 'codex',
      status: 'running',
      activity: `Editing ${LONG_PATH}`,
      ...inside,
      queued: 12,
      pinned: true,
      muted: true,
    },
    'works',
  );
  my.add({
    name: `Blocked ${LONG}`.slice(0, 200),
    agent: 'codex',
    status: 'blocked',
    reason: `usage limit ${'of the whole organisation '.repeat(20)}`,
    ...inside,
    group: group.id,
  });
  for (const name of [NAMES.hebrew, NAMES.arabic, NAMES.marks, NAMES.emoji, NAMES.blank, NAMES.turned])
    my.add({ name, ...inside, group: group.id, unseen: name === NAMES.hebrew });
  my.add({ name: NAMES.unbroken.replace('x', 'y'), cwd: `${LONG_PATH}/loose` }, 'loose');
}

/** What text is cut without all of it being said where the pointer rests, and what lies outside the window. */
export async function spilled(my: FakeWindow): Promise<string[]> {
  return my.page.evaluate(() => {
    const told = (one: Element) =>
      `${one.tagName.toLowerCase()}.${[...one.classList].filter((name) => !name.startsWith('svelte')).join('.')} “${(one.textContent ?? '').trim().slice(0, 30)}”`;
    const seen = (one: Element) => {
      const style = getComputedStyle(one);
      const box = one.getBoundingClientRect();
      return style.visibility !== 'hidden' && style.display !== 'none' && box.width > 0 && box.height > 0;
    };
    const apart = '.xterm, .visually-hidden, [inert]';
    const all = [...document.querySelectorAll<HTMLElement>('body *')].filter(
      (one) => !one.closest(apart) && seen(one),
    );
    const cut = all.filter((one) => {
      const style = getComputedStyle(one);
      const clamped = style.webkitLineClamp !== 'none' && one.scrollHeight > one.clientHeight + 2;
      const dotted = style.textOverflow === 'ellipsis' && one.scrollWidth > one.clientWidth + 1;
      return (clamped || dotted) && !one.matches('input, textarea') && !one.closest('[title]');
    });
    // What is scrolled to may lie outside.
    const scrolls = (one: Element | null): boolean =>
      one !== null &&
      one !== document.documentElement &&
      (/auto|scroll/.test(getComputedStyle(one).overflowX) ||
        /auto|scroll/.test(getComputedStyle(one).overflowY) ||
        scrolls(one.parentElement));
    const outside = all.filter((one) => {
      if (!one.matches('button, input, textarea, select, a, h1, h2, [role=tab], [role=treeitem]'))
        return false;
      const { left, right, top, bottom } = one.getBoundingClientRect();
      const wide = left < -1 || right > innerWidth + 1;
      const high = (top < -1 || bottom > innerHeight + 1) && !scrolls(one.parentElement);
      return (wide && !one.closest('[role=tablist]')) || high;
    });
    const wide =
      document.documentElement.scrollWidth > innerWidth ? ['the page is wider than the window'] : [];
    return [
      ...wide,
      ...cut.map((one) => `cut: ${told(one)}`),
      ...outside.map((one) => `outside: ${told(one)}`),
    ];
  });
}
