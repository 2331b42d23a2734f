import type { Session } from '$lib/client/generated/protocol';
import { isAlive } from '$lib/state/alive';
import type { Belfry } from '$lib/state/belfry.svelte';
import { say } from '$lib/words';
import type { MenuItem } from '../parts/menu';

const words = say.run;

/** Commands that can be run beside a session; of one that runs so itself, what can be done with it. */
export function runMenu(belfry: Belfry, session: Session): MenuItem[] {
  const { runs } = belfry;
  const beside = session.runs_for && belfry.sessions.get(session.runs_for.session);
  if (session.runs_for) return beside ? ofRun(belfry, beside, session.runs_for.name, session) : [];
  const commands = runs.commands(session);
  if (commands === undefined) {
    // They come in while the menu is open.
    queueMicrotask(() => void runs.load(session));
    return [{ label: words.run, items: [], unavailable: words.looking, testid: 'menu-run' }];
  }
  const items = commands.map(({ name, command, run }): MenuItem =>
    run && isAlive(run)
      ? { label: name, items: ofRun(belfry, session, name, run), testid: `menu-run-${name}` }
      : {
          label: name,
          run: () => void runs.start(session, name),
          unavailable: command === null ? words.notRun : undefined,
          testid: `menu-run-${name}`,
        },
  );
  const project = belfry.sessions.projects.get(session.project ?? '');
  if (project) {
    if (items.length > 0) items.push('line');
    items.push({
      label: words.add,
      run: () => belfry.dialogs.projectDefaults(project.id),
      testid: 'menu-run-add',
    });
  }
  const unavailable = items.length === 0 ? words.none : undefined;
  return [{ label: words.run, items, unavailable, testid: 'menu-run' }];
}

function ofRun(belfry: Belfry, session: Session, name: string, run: Session): MenuItem[] {
  const { runs } = belfry;
  const script = name === 'setup' || name === 'teardown';
  return [
    { label: words.output(name), run: () => belfry.show(run.id, 'beside'), testid: 'run-output' },
    ...run.listening.map((port): MenuItem => ({
      label: words.open(port),
      run: () => void runs.open(port),
      testid: 'run-open',
    })),
    ...(script
      ? []
      : [{ label: words.restart(name), run: () => void runs.restart(session, run), testid: 'run-restart' }]),
    ...(isAlive(run)
      ? [{ label: words.stop(name), run: () => void runs.stop(run), testid: 'run-stop' }]
      : []),
  ];
}
