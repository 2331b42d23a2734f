import { bench } from 'vitest';
import type { Project, Session } from '$lib/client/generated/protocol';
import { COMMANDS } from '$lib/commands';
import { sections, type Known } from './items';

const known: Known = {
  sessions: Array.from({ length: 300 }, (_, at) => {
    const name = `session ${at} of the ${at % 3 ? 'storefront' : 'ledger'} refactoring`;
    return { id: String(at), name, cwd: `/home/dev/src/p${at % 12}`, project: `p${at % 12}` } as Session;
  }),
  projects: Array.from(
    { length: 12 },
    (_, at) => ({ id: `p${at}`, name: `p${at}`, path: `/src/p${at}` }) as Project,
  ),
  groups: [],
  commands: COMMANDS,
  layouts: ['Reviews', 'Two beside'],
  about: ({ cwd }) => `${cwd} claude main storefront`,
};

for (const typed of ['s', 'ref', 'sess led 29', 'zzzz', '> zoom'])
  bench(`300 sessions, “${typed}”`, () => void sections(known, typed, null));
