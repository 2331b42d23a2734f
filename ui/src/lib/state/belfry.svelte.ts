import { createContext, flushSync } from 'svelte';
import { Client, type ClientState } from '../client/client';
import type { AgentInfo, Event, Size } from '../client/generated/protocol';
import type { Surroundings, Transport } from '../client/transport';
import * as tree from '../layout/tree';
import { ViewRegistry } from '../terminal/registry';
import { SessionActions } from './actions';
import { Arrangement } from './arrangement.svelte';
import { Dialogs } from './dialogs.svelte';
import { Preferences } from './preferences.svelte';
import { Sessions } from './sessions.svelte';
import { Toasts } from './toasts.svelte';

/** Lines of a paste that are shown when it is asked about. */
const QUOTED_LINES = 12;

/** The window: what it knows, what it shows, and what can be done in it. */
export class Belfry {
  readonly mac = /Mac OS/.test(navigator.userAgent);
  readonly client: Client;
  readonly sessions = new Sessions();
  readonly toasts = new Toasts();
  readonly dialogs = new Dialogs();
  readonly preferences: Preferences;
  readonly arrangement: Arrangement;
  readonly views: ViewRegistry;
  readonly actions: SessionActions;
  connection = $state.raw<ClientState>({ kind: 'connecting', starting: false });
  agents = $state.raw<readonly AgentInfo[]>([]);
  /** The drawer of a narrow window, or the sidebar of a wide one that was folded away. */
  sidebar = $state({ open: true, drawer: false });
  /** The session whose name is being edited in the list. */
  renaming = $state<string | null>(null);
  /** The session in whose terminal text is searched. */
  finding = $state<string | null>(null);

  constructor(
    transport: Transport,
    readonly surroundings: Surroundings,
    version: string,
  ) {
    this.client = new Client(transport, version);
    this.preferences = new Preferences(this.client);
    this.arrangement = new Arrangement(this.client, (id) => this.sessions.get(id)?.private === false);
    this.actions = new SessionActions(this);
    this.views = new ViewRegistry({
      client: this.client,
      surroundings,
      mac: this.mac,
      preferences: () => this.preferences.terminal,
      confirmPaste: (text) => this.confirmPaste(text),
      notify: (text) => this.toasts.show(text),
      newlineKey: (id) => (this.sessions.get(id)?.agent ?? 'shell') !== 'shell',
    });
    this.client.listen({
      onState: (state) => {
        this.connection = state;
        if (state.kind === 'connected') void this.connected(state.welcome.home);
      },
      onOverview: (overview) => {
        this.sessions.reset(overview);
        this.arrangement.prune((id) => this.sessions.has(id));
      },
      onEvent: (event) => this.event(event),
    });
  }

  start(): void {
    this.client.connect();
    // A person who comes back to the window does not wait for the next try.
    const again = () => this.connection.kind === 'lost' && this.client.connect();
    window.addEventListener('focus', again);
    document.addEventListener('visibilitychange', again);
  }

  /** Shows a session, and gives it the keyboard. */
  show(id: string, where: tree.Where | 'beside' = 'front'): void {
    this.arrangement.change((layout) =>
      where === 'beside' ? tree.openBeside(layout, id) : tree.open(layout, id, where),
    );
    this.sidebar.drawer = false;
    this.focusTerminal();
  }

  /** Gives the keyboard to the terminal in front, at once: the next key may come in this very frame. */
  focusTerminal(): void {
    flushSync();
    const id = this.arrangement.focused;
    if (id && !this.dialogs.any) this.views.get(id)?.focus();
  }

  /** The size of the terminal in front, for a session that will take its place. */
  roomSize(): Size | undefined {
    const terminal = this.arrangement.focused
      ? this.views.get(this.arrangement.focused)?.terminal
      : undefined;
    return terminal && { cols: terminal.cols, rows: terminal.rows };
  }

  async refreshAgents(again = false): Promise<void> {
    const found = await this.client
      .request('agents', { method: 'list_agents', params: { refresh: again } })
      .catch(() => null);
    if (found) this.agents = found;
  }

  /** Tells the daemon the window's colours, which programs ask for. */
  tellColors(): void {
    const { palette } = this.preferences.terminal;
    const { foreground, background, cursor, ansi, dark } = palette;
    this.client
      .request('done', {
        method: 'set_colors',
        params: { foreground, background, cursor, ansi: [...ansi], dark },
      })
      .catch(() => {});
  }

  private async connected(home: string): Promise<void> {
    this.sessions.home = home;
    this.tellColors();
    void this.refreshAgents();
    await Promise.all([this.preferences.load(), this.arrangement.restore((id) => this.sessions.has(id))]);
    this.focusIfNobodyElse();
    document.documentElement.dataset['ready'] = 'true';
  }

  /** A window that opens or reloads has the keyboard where it was, unless the person has put it elsewhere meanwhile. */
  focusIfNobodyElse(): void {
    if (this.nobodyHasKeyboard()) this.focusTerminal();
  }

  nobodyHasKeyboard(): boolean {
    return !document.activeElement || document.activeElement === document.body;
  }

  private event(event: Event): void {
    this.sessions.apply(event);
    if (event.event === 'session' && event.session.trashed_at) this.gone(event.session.id);
    if (event.event === 'session_removed') this.gone(event.id);
    if (event.event === 'notice') this.toasts.show(event.text);
  }

  private gone(id: string): void {
    this.arrangement.change((layout) => tree.close(layout, id));
    this.views.drop(id);
    // The panes may have been put together anew around whoever was typing.
    flushSync();
    this.focusIfNobodyElse();
  }

  private confirmPaste(text: string): Promise<boolean> {
    const lines = text.replace(/\r$/, '').split('\r');
    const more = lines.length - QUOTED_LINES;
    const quote = lines.slice(0, QUOTED_LINES).map((line) => line.slice(0, 200));
    if (more > 0) quote.push(`… and ${more} more ${more === 1 ? 'line' : 'lines'}`);
    return this.dialogs
      .ask({
        title: 'Paste several lines?',
        text: 'The program does not mark pastes: each end of a line acts as if Enter was pressed.',
        quote: quote.join('\n'),
        agree: 'Paste',
      })
      .finally(() => this.focusTerminal());
  }
}

export const [getBelfry, setBelfry] = createContext<Belfry>();
