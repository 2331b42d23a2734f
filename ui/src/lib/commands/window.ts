import { flushSync } from 'svelte';
import { FONT_SIZE } from '../terminal/preferences';
import type { Session } from '../client/generated/protocol';
import type { Belfry } from '../state/belfry.svelte';
import { isAlive } from '../state/alive';
import { cannotFork, cannotResume, cannotSleep, lost } from '../state/conversations';
import { say } from '../words';
import type { Command } from './command';

const resize = (belfry: Belfry, by: number) =>
  belfry.preferences.set({ fontSize: belfry.preferences.terminal.fontSize + by });
const nothing = ({ arrangement }: Belfry) =>
  arrangement.focused === null ? say.commands.nothingIsOpen : undefined;
const front = (belfry: Belfry) => belfry.sessions.get(belfry.arrangement.focused);
/** Does something with the session in front. */
const withFront = (run: (belfry: Belfry, session: Session) => unknown) => (belfry: Belfry) => {
  const session = front(belfry);
  if (session) void run(belfry, session);
};
/** Why that session cannot be used, where one is in front. */
const frontCannot =
  (why: (session: Session, belfry: Belfry) => string | undefined) =>
  (belfry: Belfry): string | undefined => {
    const session = front(belfry);
    return nothing(belfry) ?? (session && why(session, belfry));
  };

export const WINDOW = [
  {
    id: 'new-session',
    title: say.commands.newSession,
    topic: 'Sessions',
    words: say.commands.startAgentShell,
    keys: { other: ['Ctrl+Shift+N'], mac: ['Cmd+N'] },
    anywhere: true,
    run: (belfry) => belfry.dialogs.newSession(),
  },
  {
    id: 'palette',
    title: say.commands.goToSession,
    topic: 'Sessions',
    words: say.commands.paletteFindSwitch,
    keys: { other: ['Ctrl+Shift+K'], mac: ['Cmd+K'], outside: ['Ctrl+K'] },
    anywhere: true,
    run: (belfry) => belfry.dialogs.palette(),
  },
  {
    id: 'commands',
    title: say.commands.allCommands,
    topic: 'Sessions',
    words: say.commands.palette,
    keys: { other: ['Ctrl+Shift+P'], mac: ['Cmd+Shift+P'] },
    anywhere: true,
    run: (belfry) => belfry.dialogs.palette('> '),
  },
  {
    id: 'search-text',
    title: say.commands.findTextInAllOpenSessions,
    topic: 'Sessions',
    words: say.commands.grepScrollbackOutputSearch,
    keys: { other: ['Ctrl+Shift+S'], mac: ['Cmd+Shift+F'] },
    anywhere: true,
    run: (belfry) => belfry.dialogs.palette('# '),
  },
  {
    id: 'conversations',
    title: say.library.command,
    topic: 'Sessions',
    words: say.library.commandWords,
    keys: { other: ['Ctrl+Shift+H'], mac: ['Cmd+Shift+H'] },
    anywhere: true,
    run: (belfry) => belfry.dialogs.library(),
  },
  {
    id: 'list',
    title: say.commands.toTheListOfSessions,
    topic: 'Sessions',
    words: say.commands.sidebar,
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
    title: say.commands.renameTheSession,
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
    title: say.commands.whyThisStatus,
    topic: 'Sessions',
    words: say.commands.explainSignals,
    unavailable: nothing,
    run: withFront((belfry, session) => belfry.explainStatus(session.id)),
  },
  {
    id: 'restart',
    title: say.commands.startTheEndedSessionAgain,
    topic: 'Sessions',
    words: say.commands.restart,
    unavailable: frontCannot((session) => (isAlive(session) ? say.commands.itIsRunning : undefined)),
    run: withFront((belfry, session) => belfry.actions.restart(session)),
  },
  {
    id: 'resume',
    title: say.conversations.resumeTitle,
    topic: 'Sessions',
    words: say.commands.continueConversationGoOn,
    unavailable: frontCannot((session, { agents }) => cannotResume(session, agents)),
    run: withFront((belfry, session) => belfry.conversations.goOn(session)),
  },
  {
    id: 'resume-all',
    title: say.conversations.resumeAllTitle,
    topic: 'Sessions',
    words: say.commands.rebootContinueConversations,
    unavailable: ({ sessions }) =>
      lost(sessions.all.values()).length > 0 ? undefined : say.conversations.nothingLost,
    run: (belfry) => void belfry.conversations.resumeAll(lost(belfry.sessions.all.values())),
  },
  {
    id: 'hibernate',
    title: say.hibernate.title,
    topic: 'Sessions',
    words: say.hibernate.words,
    unavailable: frontCannot((session, { agents }) => cannotSleep(session, agents)),
    run: withFront((belfry, session) => belfry.actions.hibernate(session)),
  },
  {
    id: 'fork',
    title: say.conversations.forkTitle,
    topic: 'Sessions',
    words: say.commands.copyBranchConversation,
    unavailable: frontCannot(cannotFork),
    run: withFront((belfry, session) => belfry.conversations.fork(session)),
  },
  {
    id: 'archive',
    title: say.commands.archiveTheSession,
    topic: 'Sessions',
    unavailable: nothing,
    run: withFront((belfry, session) => belfry.actions.archive(session, true)),
  },
  {
    id: 'copy-attach',
    title: say.commands.copyTheCommandThatAttachesToThe,
    topic: 'Sessions',
    unavailable: nothing,
    run: withFront((belfry, session) => belfry.actions.copyAttach(session)),
  },
  {
    id: 'kill',
    title: say.commands.killTheSession,
    topic: 'Sessions',
    words: say.commands.endStopProgram,
    unavailable: frontCannot((session) => (isAlive(session) ? undefined : say.commands.itHasEnded)),
    run: withFront((belfry, session) => belfry.actions.kill(session)),
  },
  {
    id: 'delete',
    title: say.commands.deleteTheSession,
    topic: 'Sessions',
    words: say.commands.removeTrash,
    unavailable: nothing,
    run: withFront((belfry, session) => belfry.actions.remove(session)),
  },
  {
    id: 'message',
    title: say.commands.writeAMessageToTheAgent,
    topic: 'Terminal',
    words: say.commands.boxSendQueue,
    keys: { other: ['Ctrl+Shift+M'], mac: ['Cmd+Shift+M'] },
    unavailable: nothing,
    run: (belfry) => belfry.focusMessage(),
  },
  {
    id: 'find',
    title: say.commands.findInTheTerminal,
    topic: 'Terminal',
    words: say.commands.searchScrollback,
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
    title: say.commands.copy,
    topic: 'Terminal',
    keys: { other: ['Ctrl+Shift+C'], mac: ['Cmd+C'] },
    notInFields: true,
    run: (belfry) => {
      const view = belfry.views.focused();
      if (!view) return false;
      view.copy().catch(() => belfry.toasts.fail(say.commands.theClipboardCouldNotBeWritten));
      return undefined;
    },
  },
  {
    id: 'paste',
    title: say.commands.paste,
    topic: 'Terminal',
    keys: { other: ['Ctrl+Shift+V'], mac: ['Cmd+V'] },
    notInFields: true,
    // Where only the browser can read the clipboard it does so by its own paste event.
    run: (belfry) => belfry.views.focused()?.pasteClipboard() ?? false,
  },
  {
    id: 'font-larger',
    title: say.commands.largerFont,
    topic: 'Terminal',
    words: say.commands.zoomIn,
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
    title: say.commands.smallerFont,
    topic: 'Terminal',
    words: say.commands.zoomOut,
    keys: { other: ['Ctrl+-'], mac: ['Cmd+-'] },
    anywhere: true,
    run: (belfry) => resize(belfry, -1),
  },
  {
    id: 'font-usual',
    title: say.commands.usualFontSize,
    topic: 'Terminal',
    keys: { other: ['Ctrl+0', 'Ctrl+Shift+0', 'Ctrl+Shift+)'], mac: ['Cmd+0'] },
    anywhere: true,
    run: (belfry) => belfry.preferences.set({ fontSize: FONT_SIZE.usual }),
  },
  {
    id: 'sidebar',
    title: say.commands.showOrHideTheList,
    topic: 'Window',
    keys: { other: ['Ctrl+Shift+B'], mac: ['Cmd+B'] },
    run: (belfry) => {
      belfry.sidebar.open = !belfry.sidebar.open;
      belfry.sidebar.drawer = !belfry.sidebar.drawer;
    },
  },
  {
    id: 'inspector',
    title: say.commands.showOrHideTheInspector,
    topic: 'Window',
    words: say.commands.summaryDetailsHistoryChangesRight,
    keys: { other: ['Ctrl+Shift+I'], mac: ['Cmd+I'] },
    run: (belfry) => belfry.inspector.toggle(),
  },
  {
    id: 'theme',
    title: say.commands.darkOrLight,
    topic: 'Window',
    words: say.commands.themeAppearance,
    run: ({ preferences }) => preferences.set({ theme: preferences.dark ? 'light' : 'dark' }),
  },
  {
    id: 'settings',
    title: say.commands.settings,
    topic: 'Window',
    words: say.commands.preferencesOptions,
    keys: { other: ['Ctrl+Shift+,', 'Ctrl+Shift+<'], mac: ['Cmd+,'], outside: ['Ctrl+,'] },
    anywhere: true,
    run: (belfry) => void (belfry.dialogs.open = 'settings'),
  },
  {
    id: 'keys',
    title: say.commands.allKeys,
    topic: 'Window',
    words: say.commands.shortcutsHelpKeyboard,
    keys: {
      other: ['Ctrl+Shift+?', 'Ctrl+Shift+/'],
      mac: ['Cmd+/', 'Cmd+Shift+?'],
      outside: ['?', 'Shift+?'],
    },
    run: (belfry) => void (belfry.dialogs.open = 'keys'),
  },
] as const satisfies readonly Command[];
