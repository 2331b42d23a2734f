import '@xterm/xterm/css/xterm.css';
import './styles/fonts.css';
import './styles/tokens.css';
import './styles/base.css';
import './styles/controls.css';
import './styles/forms.css';
import './styles/pages.css';
import './styles/terminal.css';
import { mount } from 'svelte';
import App from './App.svelte';
import { browserSurroundings, serveUrl, WebSocketTransport } from '$lib/client/websocket';
import { followDesktop } from '$lib/desktop.svelte';
import { ringInBrowser } from '$lib/sound';
import { desktopSurroundings, inDesktop, TauriTransport } from '$lib/client/tauri';
import { Belfry } from '$lib/state/belfry.svelte';
import { direction, say } from '$lib/words';
import { exposeToTests } from './test-hooks';

/** Longest wait for the terminal's fonts, in milliseconds: without them, cells and widths are measured by others. */
const FONT_WAIT = 1_500;

async function terminalFonts(): Promise<void> {
  const cuts = ['400', '700', 'italic 400', 'italic 700'].map((cut) => `${cut} 13px "JetBrains Mono"`);
  const loaded = Promise.all([
    ...cuts.map((cut) => document.fonts.load(cut, 'Wq│█')),
    document.fonts.load('13px "Belfry Symbols"', '✻⎿'),
  ]);
  await Promise.race([loaded, new Promise((resolve) => setTimeout(resolve, FONT_WAIT))]);
}

async function start(target: HTMLElement): Promise<void> {
  const { documentElement: root } = document;
  root.lang = say.language;
  root.dir = direction(say.language);
  const desktop = inDesktop();
  const transport = desktop ? new TauriTransport() : new WebSocketTransport(serveUrl(location));
  const surroundings = desktop ? desktopSurroundings : browserSurroundings;
  const belfry = new Belfry(transport, surroundings, import.meta.env.VITE_BELFRY_VERSION ?? '0.1.0');
  document.documentElement.dataset['theme'] = belfry.preferences.dark ? 'dark' : 'light';
  belfry.start();
  await terminalFonts();
  mount(App, { target, props: { belfry } });
  belfry.focusIfNobodyElse();
  followDesktop(belfry);
  // In the desktop's window the shell rings, whether there is a page or not.
  if (!desktop) ringInBrowser(belfry);
  if (import.meta.env.VITE_TEST_HOOKS === '1') exposeToTests(belfry);
}

const target = document.getElementById('app');
if (target) void start(target);
