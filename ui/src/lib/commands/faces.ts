import type { Belfry } from '../state/belfry.svelte';
import type { Face } from '../state/faces.svelte';
import { say } from '../words';
import type { Command } from './command';

const front = (belfry: Belfry) => belfry.sessions.get(belfry.arrangement.focused);

/** Why the session in front cannot show that face. */
function cannot(belfry: Belfry, face: Face): string | undefined {
  const session = front(belfry);
  if (!session) return say.commands.nothingIsOpen;
  if (belfry.faces.for(session).includes(face)) return undefined;
  if (face === 'changes') return say.changes.noRepository;
  return face === 'replay' ? say.transcript.noReplay : say.transcript.noConversationYet;
}

const turn = (face: Face) => (belfry: Belfry) => {
  const session = front(belfry);
  if (session) belfry.faces.toggle(session.id, face);
};

export const FACE_COMMANDS = [
  {
    id: 'show-transcript',
    title: say.transcript.showTranscript,
    topic: 'Panes and tabs',
    words: say.transcript.conversationWords,
    keys: { other: ['Ctrl+Shift+Y'], mac: ['Cmd+Shift+Y'] },
    unavailable: (belfry) => cannot(belfry, 'transcript'),
    run: turn('transcript'),
  },
  {
    id: 'show-changes',
    title: say.changes.showChanges,
    topic: 'Panes and tabs',
    words: say.changes.showWords,
    keys: { other: ['Ctrl+Shift+O'], mac: ['Cmd+Shift+O'] },
    unavailable: (belfry) => cannot(belfry, 'changes'),
    run: turn('changes'),
  },
  {
    id: 'show-replay',
    title: say.transcript.showReplay,
    topic: 'Panes and tabs',
    words: say.transcript.replayWords,
    keys: { other: ['Ctrl+Shift+X'], mac: ['Cmd+Shift+X'] },
    unavailable: (belfry) => cannot(belfry, 'replay'),
    run: turn('replay'),
  },
  {
    id: 'show-terminal',
    title: say.transcript.showTerminal,
    topic: 'Panes and tabs',
    keys: { other: ['Ctrl+Shift+`', 'Ctrl+Shift+~'], mac: ['Cmd+Alt+T'] },
    unavailable: (belfry) => cannot(belfry, 'terminal'),
    run: (belfry) => {
      const session = front(belfry);
      if (session) belfry.faces.show(session.id, 'terminal');
    },
  },
] as const satisfies readonly Command[];
