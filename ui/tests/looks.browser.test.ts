// Every scene in dark and light: nothing in it may keep anybody out. With BELFRY_PICTURES it also leaves a picture of each.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import axe from 'axe-core';
import { describe, expect, it } from 'vitest';
import { spilled } from './support/extremes';
import { FakeWindow } from './support/fake-window';
import { SCENES, usualDay } from './support/scenes';

const my = new FakeWindow();
const pictures = process.env['BELFRY_PICTURES'];
if (pictures) mkdirSync(pictures, { recursive: true });

/** What axe finds, in words: the rule, and where. All that differs between the themes are colours. */
async function faults(colours: boolean): Promise<string[]> {
  // Evaluated, not added as a script: the page's policy allows no script but its own.
  await my.page.evaluate(axe.source);
  const { violations } = await my.page.evaluate(
    (only) =>
      (window as unknown as { axe: typeof axe }).axe.run(
        {
          include: [['html']],
          // A terminal's colours are the program's own, and a theme's sample is a picture of them.
          exclude: [['.xterm'], ['.sample']],
        },
        // Seconds that tick are seen and not said, or a screen reader would never be silent.
        only
          ? { runOnly: ['color-contrast'] }
          : { rules: { 'label-content-name-mismatch': { enabled: false } } },
      ),
    colours,
  );
  return violations.flatMap(({ id, help, nodes }) =>
    nodes.map((node) => `${id}: ${help}: ${node.target.join(' ')}\n${node.failureSummary ?? ''}`),
  );
}

describe.each(['dark', 'light'] as const)('%s', (theme) => {
  // What is mirrored has the same colours: once is enough.
  it.each(SCENES.filter(({ rtl }) => !rtl || theme === 'dark'))(
    '$name',
    async ({ name, width, height, rtl, day = usualDay, act }) => {
      day(my);
      await my.open({ theme, ...(width && { width }), ...(height && { height }), ...(rtl && { rtl }) });
      await act?.(my);
      if (pictures) await my.page.screenshot({ path: join(pictures, `${name}-${theme}.png`) });
      expect(await (rtl ? spilled(my) : faults(theme === 'light'))).toEqual([]);
    },
  );
});
