import type { Control, Session } from '../../src/lib/client/generated/protocol';
import type { FakeWindow } from './fake-window';

/** Has a session run somewhere that Belfry did not start. */
export function local(
  my: FakeWindow,
  name: string,
  place: string,
  can: Control[],
  part: Partial<Session> = {},
): Session {
  return my.add(
    {
      name,
      agent: 'claude',
      kind: 'local',
      cwd: `/home/dev/src/${name}`,
      conversation_id: 'c0ffee',
      local: { place, at: { in: 'terminal' }, tty: 'pts/4', can },
      ...part,
    },
    name,
  ).session;
}
