import { label } from '$lib/keymap';
import type { Belfry } from '$lib/state/belfry.svelte';
import type { TerminalView } from '$lib/terminal/view';
import type { MenuItem } from '../parts/menu';
import { say } from '$lib/words';

/** What a right click in a terminal offers, where the program does not take the mouse itself. */
export function terminalMenu(belfry: Belfry, view: TerminalView): MenuItem[] {
  const { terminal } = view;
  const { mac, surroundings } = belfry;
  const refuse = () => belfry.toasts.fail(say.panes.theClipboardCouldNotBeWritten);
  return [
    {
      label: say.panes.copy,
      run: () => void view.copy().catch(refuse),
      keys: label('copy', mac),
      unavailable: terminal.hasSelection() ? undefined : say.panes.nothingIsSelected,
      testid: 'terminal-copy',
    },
    {
      label: say.panes.paste,
      run: () => void view.pasteClipboard(),
      keys: label('paste', mac),
      // A page may only read the clipboard when the browser's own key or menu says so.
      unavailable: surroundings.readClipboard ? undefined : label('paste', mac),
      testid: 'terminal-paste',
    },
    { label: say.panes.selectAll, run: () => terminal.selectAll(), testid: 'terminal-select-all' },
    {
      label: say.panes.find,
      run: () => belfry.find(view.session),
      keys: label('find', mac),
      testid: 'terminal-find',
    },
    'line',
    {
      label: say.panes.openBeside,
      run: () => belfry.show(view.session, 'beside'),
      keys: label('beside', mac),
      testid: 'terminal-beside',
    },
  ];
}
