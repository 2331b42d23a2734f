import { flushSync } from 'svelte';
import { FONT_SIZE } from '../terminal/preferences';
import type { Belfry } from '../state/belfry.svelte';
import type { Command } from './command';

const resize = (belfry: Belfry, by: number) =>
  belfry.preferences.set({ fontSize: belfry.preferences.terminal.fontSize + by });
const nothing = ({ arrangement }: Belfry) => (arrangement.focused === null ? 'nothing is open' : undefined);
const front = (belfry: Belfry) => belfry.sessions.get(belfry.arrangement.focused);

export const WINDOW = [
  {
    id: 'new-session',
    title: 'New session',
    topic: 'Sessions',
    words: 'start agent shell',
    keys: { other: ['Ctrl+Shift+N'], mac: ['Cmd+N'] },
    anywhere: true,
    run: (belfry) => belfry.dialogs.newSession(),
  },
  {
    id: 'palette',
    title: 'Go to session, project or command',
    topic: 'Sessions',
    words: 'palette find switch',
    keys: { other: ['Ctrl+Shift+K'], mac: ['Cmd+K'], outside: ['Ctrl+K'] },
    anywhere: true,
    run: (belfry) => belfry.dialogs.palette(),
  },
  {
    id: 'commands',
    title: 'All commands',
    topic: 'Sessions',
    words: 'palette',
    keys: { other: ['Ctrl+Shift+P'], mac: ['Cmd+Shift+P'] },
    anywhere: true,
    run: (belfry) => belfry.dialogs.palette('> '),
  },
  {
    id: 'search-text',
    title: 'Find text in all open sessions',
    topic: 'Sessions',
    words: 'grep scrollback output search',
    keys: { other: ['Ctrl+Shift+S'], mac: ['Cmd+Shift+F'] },
    anywhere: true,
    run: (belfry) => belfry.dialogs.palette('# '),
  },
  {
    id: 'list',
    title: 'To the list of sessions',
    topic: 'Sessions',
    words: 'sidebar',
    keys: { other: ['Ctrl+Shift+E'], mac: ['Cmd+Shift+E'] },
    run: (belfry) => {
      belfry.sidebar.open = true;
      belfry.sidebar.drawer = true;
      flushSync();
      document.querySelector<HTMLElement>('[data-testid=session-list]')?.focus();
    },
  },
  {
    id: 'rename',
    title: 'Rename the session',
    topic: 'Sessions',
    unavailable: nothing,
    run: (belfry) => {
      belfry.sidebar.open = true;
      belfry.sidebar.drawer = belfry.narrow;
      belfry.renaming = belfry.arrangement.focused;
    },
  },
  {
    id: 'why',
    title: 'Why this status?',
    topic: 'Sessions',
    words: 'explain signals',
    unavailable: nothing,
    run: (belfry) => {
      const session = front(belfry);
      if (session) belfry.explainStatus(session.id);
    },
  },
  {
    id: 'restart',
    title: 'Start the ended session again',
    topic: 'Sessions',
    words: 'restart',
    unavailable: (belfry) =>
      nothing(belfry) ?? (front(belfry)?.status === 'dead' ? undefined : 'it is running'),
    run: (belfry) => {
      const session = front(belfry);
      if (session) void belfry.actions.restart(session);
    },
  },
  {
    id: 'archive',
    title: 'Archive the session',
    topic: 'Sessions',
    unavailable: nothing,
    run: (belfry) => {
      const session = front(belfry);
      if (session) void belfry.actions.archive(session, true);
    },
  },
  {
    id: 'copy-attach',
    title: 'Copy the command that attaches to the session',
    topic: 'Sessions',
    unavailable: nothing,
    run: (belfry) => {
      const session = front(belfry);
      if (session) void belfry.actions.copyAttach(session);
    },
  },
  {
    id: 'kill',
    title: 'Kill the session…',
    topic: 'Sessions',
    words: 'end stop program',
    unavailable: (belfry) =>
      nothing(belfry) ?? (front(belfry)?.status === 'dead' ? 'it has ended' : undefined),
    run: (belfry) => {
      const session = front(belfry);
      if (session) void belfry.actions.kill(session);
    },
  },
  {
    id: 'delete',
    title: 'Delete the session…',
    topic: 'Sessions',
    words: 'remove trash',
    unavailable: nothing,
    run: (belfry) => {
      const session = front(belfry);
      if (session) void belfry.actions.remove(session);
    },
  },
  {
    id: 'message',
    title: 'Write a message to the agent',
    topic: 'Terminal',
    words: 'box send queue',
    keys: { other: ['Ctrl+Shift+M'], mac: ['Cmd+Shift+M'] },
    unavailable: nothing,
    run: (belfry) => belfry.focusMessage(),
  },
  {
    id: 'find',
    title: 'Find in the terminal',
    topic: 'Terminal',
    words: 'search scrollback',
    keys: { other: ['Ctrl+Shift+F'], mac: ['Cmd+F'] },
    unavailable: nothing,
    run: (belfry) => {
      if (!belfry.arrangement.focused) return false;
      belfry.find(belfry.arrangement.focused);
      return undefined;
    },
  },
  {
    id: 'copy',
    title: 'Copy',
    topic: 'Terminal',
    keys: { other: ['Ctrl+Shift+C'], mac: ['Cmd+C'] },
    notInFields: true,
    run: (belfry) => {
      const view = belfry.views.focused();
      if (!view) return false;
      view.copy().catch(() => belfry.toasts.fail('The clipboard could not be written.'));
      return undefined;
    },
  },
  {
    id: 'paste',
    title: 'Paste',
    topic: 'Terminal',
    keys: { other: ['Ctrl+Shift+V'], mac: ['Cmd+V'] },
    notInFields: true,
    // Where only the browser can read the clipboard it does so by its own paste event.
    run: (belfry) => belfry.views.focused()?.pasteClipboard() ?? false,
  },
  {
    id: 'font-larger',
    title: 'Larger font',
    topic: 'Terminal',
    words: 'zoom in',
    // Ctrl = and Ctrl - have no code of their own in a terminal, and Ctrl 0 neither, so that nothing is taken by them;
    // Ctrl Shift - does (it is Ctrl _, undo), and stays with the program.
    keys: {
      other: ['Ctrl+=', 'Ctrl++', 'Ctrl+Shift+=', 'Ctrl+Shift++'],
      mac: ['Cmd+=', 'Cmd++', 'Cmd+Shift++'],
    },
    anywhere: true,
    run: (belfry) => resize(belfry, 1),
  },
  {
    id: 'font-smaller',
    title: 'Smaller font',
    topic: 'Terminal',
    words: 'zoom out',
    keys: { other: ['Ctrl+-'], mac: ['Cmd+-'] },
    anywhere: true,
    run: (belfry) => resize(belfry, -1),
  },
  {
    id: 'font-usual',
    title: 'Usual font size',
    topic: 'Terminal',
    keys: { other: ['Ctrl+0', 'Ctrl+Shift+0', 'Ctrl+Shift+)'], mac: ['Cmd+0'] },
    anywhere: true,
    run: (belfry) => belfry.preferences.set({ fontSize: FONT_SIZE.usual }),
  },
  {
    id: 'sidebar',
    title: 'Show or hide the list',
    topic: 'Window',
    keys: { other: ['Ctrl+Shift+B'], mac: ['Cmd+B'] },
    run: (belfry) => {
      belfry.sidebar.open = !belfry.sidebar.open;
      belfry.sidebar.drawer = !belfry.sidebar.drawer;
    },
  },
  {
    id: 'inspector',
    title: 'Show or hide the inspector',
    topic: 'Window',
    words: 'summary details history changes right',
    keys: { other: ['Ctrl+Shift+I'], mac: ['Cmd+I'] },
    run: (belfry) => belfry.inspector.toggle(),
  },
  {
    id: 'theme',
    title: 'Dark or light',
    topic: 'Window',
    words: 'theme appearance',
    run: ({ preferences }) => preferences.set({ theme: preferences.dark ? 'light' : 'dark' }),
  },
  {
    id: 'settings',
    title: 'Settings',
    topic: 'Window',
    words: 'preferences options',
    keys: { other: ['Ctrl+Shift+,', 'Ctrl+Shift+<'], mac: ['Cmd+,'], outside: ['Ctrl+,'] },
    anywhere: true,
    run: (belfry) => void (belfry.dialogs.open = 'settings'),
  },
  {
    id: 'keys',
    title: 'All keys',
    topic: 'Window',
    words: 'shortcuts help keyboard',
    keys: {
      other: ['Ctrl+Shift+?', 'Ctrl+Shift+/'],
      mac: ['Cmd+/', 'Cmd+Shift+?'],
      outside: ['?', 'Shift+?'],
    },
    run: (belfry) => void (belfry.dialogs.open = 'keys'),
  },
] as const satisfies readonly Command[];
