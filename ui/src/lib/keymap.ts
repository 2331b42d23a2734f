/** The window's own keys. With a terminal focused only these are taken from the program. */

export type Action =
  | 'new-session'
  | 'switcher'
  | 'settings'
  | 'sidebar'
  | 'list'
  | 'need'
  | 'message'
  | 'find'
  | 'copy'
  | 'paste'
  | 'font-larger'
  | 'font-smaller'
  | 'font-usual'
  | 'close-tab'
  | 'next-tab'
  | 'previous-tab'
  | 'next-pane'
  | 'previous-pane'
  | 'beside';

interface Binding {
  action: Action;
  /** Linux and Windows: Ctrl Shift combinations. */
  other: readonly string[];
  /** macOS: Cmd combinations. */
  mac: readonly string[];
  /** The binding is only the window's where no terminal has the keyboard. */
  outside?: readonly string[];
}

// Ctrl = and Ctrl - have no code of their own in a terminal, and Ctrl 0 neither, so that nothing is taken by them; Ctrl
// Shift - does (it is Ctrl _, undo), and stays with the program.
export const BINDINGS: readonly Binding[] = [
  { action: 'new-session', other: ['Ctrl+Shift+N'], mac: ['Cmd+N'] },
  { action: 'switcher', other: ['Ctrl+Shift+K'], mac: ['Cmd+K'], outside: ['Ctrl+K'] },
  { action: 'settings', other: ['Ctrl+Shift+,', 'Ctrl+Shift+<'], mac: ['Cmd+,'], outside: ['Ctrl+,'] },
  { action: 'sidebar', other: ['Ctrl+Shift+B'], mac: ['Cmd+B'] },
  { action: 'list', other: ['Ctrl+Shift+E'], mac: ['Cmd+Shift+E'] },
  { action: 'need', other: ['Ctrl+Shift+A'], mac: ['Cmd+Shift+A'] },
  { action: 'message', other: ['Ctrl+Shift+M'], mac: ['Cmd+Shift+M'] },
  { action: 'find', other: ['Ctrl+Shift+F'], mac: ['Cmd+F'] },
  { action: 'copy', other: ['Ctrl+Shift+C'], mac: ['Cmd+C'] },
  { action: 'paste', other: ['Ctrl+Shift+V'], mac: ['Cmd+V'] },
  {
    action: 'font-larger',
    other: ['Ctrl+=', 'Ctrl++', 'Ctrl+Shift+=', 'Ctrl+Shift++'],
    mac: ['Cmd+=', 'Cmd++', 'Cmd+Shift++'],
  },
  { action: 'font-smaller', other: ['Ctrl+-'], mac: ['Cmd+-'] },
  { action: 'font-usual', other: ['Ctrl+0', 'Ctrl+Shift+0', 'Ctrl+Shift+)'], mac: ['Cmd+0'] },
  { action: 'close-tab', other: ['Ctrl+Shift+W'], mac: ['Cmd+W'] },
  { action: 'next-tab', other: ['Ctrl+Shift+PageDown'], mac: ['Cmd+Shift+]', 'Cmd+Shift+}'] },
  { action: 'previous-tab', other: ['Ctrl+Shift+PageUp'], mac: ['Cmd+Shift+[', 'Cmd+Shift+{'] },
  { action: 'next-pane', other: ['Ctrl+Shift+ArrowRight'], mac: ['Cmd+Alt+ArrowRight'] },
  { action: 'previous-pane', other: ['Ctrl+Shift+ArrowLeft'], mac: ['Cmd+Alt+ArrowLeft'] },
  { action: 'beside', other: ['Ctrl+Shift+Enter'], mac: ['Cmd+Shift+Enter'] },
];

/** Every action in words, in the order of the list that the window shows. */
export const LISTED: readonly (readonly [Action, string])[] = [
  ['new-session', 'New session'],
  ['switcher', 'Go to a session'],
  ['list', 'To the list of sessions'],
  ['need', 'To what needs you, the oldest first'],
  ['message', 'Write a message to the agent'],
  ['sidebar', 'Show or hide the list'],
  ['beside', 'Open beside'],
  ['next-pane', 'Next pane'],
  ['previous-pane', 'Previous pane'],
  ['next-tab', 'Next tab'],
  ['previous-tab', 'Previous tab'],
  ['close-tab', 'Close the tab; its session goes on'],
  ['find', 'Find in the terminal'],
  ['copy', 'Copy'],
  ['paste', 'Paste'],
  ['font-larger', 'Larger font'],
  ['font-smaller', 'Smaller font'],
  ['font-usual', 'Usual font size'],
  ['settings', 'Settings'],
];

type Pressed = Pick<KeyboardEvent, 'key' | 'code' | 'ctrlKey' | 'shiftKey' | 'altKey' | 'metaKey'>;

/** How a key press is written in a binding. */
export function written(event: Pressed): string {
  let key = event.key.length === 1 ? event.key.toUpperCase() : event.key;
  // On a layout without Latin letters the place of the key decides, as the labels on most keyboards do.
  if (/^Key[A-Z]$/.test(event.code) && !/^[\x20-\x7e]$/.test(event.key)) key = event.code.slice(3);
  const held = [
    event.ctrlKey && 'Ctrl',
    event.metaKey && 'Cmd',
    event.altKey && 'Alt',
    event.shiftKey && 'Shift',
  ].filter(Boolean);
  return [...held, key].join('+');
}

export function actionFor(event: Pressed, mac: boolean, inTerminal: boolean): Action | undefined {
  const keys = written(event);
  return BINDINGS.find((binding) => {
    if ((mac ? binding.mac : binding.other).includes(keys)) return true;
    return !inTerminal && !mac && binding.outside?.includes(keys);
  })?.action;
}

/** The keys of an action as a label: `Ctrl Shift N`. */
export function label(action: Action, mac: boolean): string {
  const binding = BINDINGS.find((one) => one.action === action);
  const [keys = ''] = (mac ? binding?.mac : binding?.other) ?? [];
  return keys.replaceAll('+', ' ').replace('Arrow', '').trim();
}
