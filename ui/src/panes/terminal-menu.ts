import { label } from '$lib/keymap';
import type { Belfry } from '$lib/state/belfry.svelte';
import type { TerminalView } from '$lib/terminal/view';
import type { MenuItem } from '../parts/menu';

/** What a right click in a terminal offers, where the program does not take the mouse itself. */
export function terminalMenu(belfry: Belfry, view: TerminalView): MenuItem[] {
  const { terminal } = view;
  const { mac, surroundings } = belfry;
  const refuse = () => belfry.toasts.fail('The clipboard could not be written.');
  return [
    {
      label: 'Copy',
      run: () => void view.copy().catch(refuse),
      keys: label('copy', mac),
      unavailable: terminal.hasSelection() ? undefined : 'nothing is selected',
      testid: 'terminal-copy',
    },
    {
      label: 'Paste',
      run: () => void view.pasteClipboard(),
      keys: label('paste', mac),
      // A page may only read the clipboard when the browser's own key or menu says so.
      unavailable: surroundings.readClipboard ? undefined : label('paste', mac),
      testid: 'terminal-paste',
    },
    { label: 'Select all', run: () => terminal.selectAll(), testid: 'terminal-select-all' },
    {
      label: 'Find…',
      run: () => belfry.find(view.session),
      keys: label('find', mac),
      testid: 'terminal-find',
    },
    'line',
    {
      label: 'Open beside',
      run: () => belfry.show(view.session, 'beside'),
      keys: label('beside', mac),
      testid: 'terminal-beside',
    },
  ];
}
