import { createContext, flushSync } from 'svelte';
import { Client, type ClientState } from '../client/client';
import type { AgentInfo, Event, Session, Size } from '../client/generated/protocol';
import type { Surroundings, Transport } from '../client/transport';
import type { Given } from '../files';
import * as tree from '../layout/tree';
import { say } from '../words';
import { ViewRegistry } from '../terminal/registry';
import { SessionActions } from './actions';
import { Arrangement } from './arrangement.svelte';
import { isAlive } from './alive';
import { Asks } from './asks.svelte';
import { Attachments } from './attachments.svelte';
import { BulkActions } from './bulk';
import { AllChanges } from './changes/changes.svelte';
import { Conversations } from './conversations';
import { Dialogs } from './dialogs.svelte';
import { Faces } from './faces.svelte';
import { Kinds } from './kinds';
import { Inspector } from './inspector.svelte';
import { SessionList } from './list.svelte';
import { Messages } from './messages.svelte';
import { OwnThemes } from './own-themes.svelte';
import { Preferences } from './preferences.svelte';
import { ProjectActions } from './projects';
import { Pulls } from './pulls';
import { RecentCommands } from './recent-commands.svelte';
import { Runs } from './runs.svelte';
import { Selection } from './selection.svelte';
import { Sessions } from './sessions.svelte';
import { Settings } from './settings.svelte';
import { TabDrag } from './tab-drag.svelte';
import { Toasts } from './toasts.svelte';
import { Welcome } from './welcome.svelte';
import { Why } from './why.svelte';
import { Workspaces } from './workspaces.svelte';

/** Lines of a paste that are shown when it is asked about. */
const QUOTED_LINES = 12;

/** Pixels of a pane below which its halves would have less than about 37 columns, or 8 rows, each. */
const NARROWEST_SPLIT = 600;
const LOWEST_SPLIT = 420;

/** The window: what it knows, what it shows, and what can be done in it. */
export class Belfry {
  readonly mac = /Mac OS/.test(navigator.userAgent);
  readonly client: Client;
  readonly sessions = new Sessions();
  readonly toasts = new Toasts();
  readonly dialogs = new Dialogs();
  readonly settings: Settings;
  readonly themes: OwnThemes;
  readonly welcome: Welcome;
  readonly preferences: Preferences;
  readonly arrangement: Arrangement;
  readonly views: ViewRegistry;
  readonly actions: SessionActions;
  readonly bulk = new BulkActions(this);
  readonly conversations = new Conversations(this);
  readonly projects = new ProjectActions(this);
  readonly pulls = new Pulls(this);
  readonly workspaces = new Workspaces(this);
  readonly runs = new Runs(this);
  readonly selection = new Selection(this);
  readonly list: SessionList;
  readonly asks = new Asks(this);
  readonly messages = new Messages(this);
  readonly attachments: Attachments;
  readonly why = new Why(this);
  readonly drag = new TabDrag(this);
  readonly inspector: Inspector;
  readonly kinds: Kinds;
  readonly faces: Faces;
  readonly changes: AllChanges;
  readonly recent: RecentCommands;
  connection = $state.raw<ClientState>({ kind: 'connecting', starting: false });
  agents = $state.raw<readonly AgentInfo[]>([]);
  /** The window is too narrow for more than one pane. */
  narrow = $state(false);
  /** The drawer of a narrow window, or the sidebar of a wide one that was folded away. */
  sidebar = $state({ open: true, drawer: false });
  /** The session, project or group whose name is being edited in the list. */
  renaming = $state<string | null>(null);
  /** The session in whose terminal text is searched. */
  finding = $state<string | null>(null);
  /** What is searched for to begin with, for the next time that a search opens. */
  wantedText: string | null = null;

  constructor(
    transport: Transport,
    readonly surroundings: Surroundings,
    readonly version: string,
  ) {
    this.client = new Client(transport, version);
    this.themes = new OwnThemes(this.client);
    this.welcome = new Welcome(this.client);
    this.preferences = new Preferences(() => this.settings, this.themes, surroundings.setZoom !== undefined);
    this.settings = new Settings(
      this.client,
      (text) => this.toasts.fail(text),
      (values) => this.preferences.take(values),
    );
    this.arrangement = new Arrangement(this.client, (id) => this.sessions.get(id)?.private === false);
    this.inspector = new Inspector(this.client);
    this.kinds = new Kinds(this.client);
    this.faces = new Faces(this);
    this.changes = new AllChanges(this);
    this.recent = new RecentCommands(this.client);
    this.attachments = new Attachments(this);
    this.actions = new SessionActions(this);
    this.list = new SessionList(this, this.client);
    this.views = new ViewRegistry({
      client: this.client,
      surroundings,
      mac: this.mac,
      preferences: () => this.preferences.terminal,
      confirmPaste: (text) => this.confirmPaste(text),
      notify: (text) => this.toasts.show(text),
      pasteFiles: (id, transfer) => this.typeFiles(id, this.attachments.pasted(transfer)),
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
        this.asks.keep(overview.sessions);
        this.workspaces.reconnected();
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
    const edge = where === 'beside' ? this.roomierEdge() : null;
    if (where === 'beside' && !edge) this.toasts.show(say.window.thereIsNoRoomForAnotherPane);
    const show = () => {
      this.arrangement.change((layout) =>
        where === 'beside' && edge
          ? tree.openBeside(layout, id, layout.focus, edge)
          : tree.open(layout, id, where === 'beside' ? 'tab' : where),
      );
      this.sidebar.drawer = false;
      this.arrangement.grid = false;
      this.focusTerminal();
    };
    const size = where === 'beside' ? undefined : this.sizeFor(id);
    if (size) this.views.prepare(id, size, !this.dialogs.any && document.hasFocus(), show);
    else show();
  }

  /** Where a pane beside the focused one goes: where its halves would still hold a program; nowhere where none would. */
  private roomierEdge(): 'right' | 'bottom' | null {
    const pane = document.querySelector(`[data-pane="${this.arrangement.layout.focus}"]`);
    if (!pane || pane.clientWidth >= NARROWEST_SPLIT) return 'right';
    return pane.clientHeight >= LOWEST_SPLIT ? 'bottom' : null;
  }

  /** The size that a session will have in the focused pane, where that is sure. */
  private sizeFor(id: string): Size | undefined {
    const { layout, focused } = this.arrangement;
    const there = tree.paneOf(layout, id);
    if (this.arrangement.grid) return undefined;
    if (!focused || focused === id || (there && there.id !== layout.focus)) return undefined;
    const [here, next] = [this.sessions.get(focused), this.sessions.get(id)];
    if (!here || !next || this.docked(here) !== this.docked(next)) return undefined;
    // A bar above or below the terminal takes room that the next one will have.
    const barred = [here, next].some(
      (one) => !isAlive(one) || one.id === this.finding || one.id === this.asks.panel,
    );
    return barred ? undefined : this.views.get(focused)?.paneSize;
  }

  /** Whether a session has a dock below its terminal: a shell takes commands in it, an agent takes texts between its turns. */
  docked(session: Session): boolean {
    if (session.status === 'dead') return false;
    return (session.agent !== 'shell' && this.preferences.messageBox) || session.queued > 0;
  }

  /** Gives the keyboard to the terminal in front, or to what is shown in its place, at once: the next key may come in this very frame. */
  focusTerminal(): void {
    flushSync();
    const { focused, grid, layout } = this.arrangement;
    if (this.dialogs.any || grid) return;
    if (focused && this.faces.of(focused) !== 'terminal') return focusFace(focused);
    if (focused) return this.views.get(focused)?.focus();
    // An empty pane takes the keyboard as well: what is typed must not go to the terminal that was left.
    document.querySelector<HTMLElement>(`[data-pane="${layout.focus}"]`)?.focus();
  }

  /** Searches in a session's terminal, for a text where one is given. */
  find(id: string, text: string | null = null): void {
    this.wantedText = text;
    if (this.faces.of(id) !== 'terminal') this.faces.show(id, 'terminal');
    if (text !== null && this.finding === id) this.finding = null;
    flushSync();
    this.finding = id;
    flushSync();
    document.querySelector<HTMLElement>('[data-testid=find-input]')?.focus();
  }

  /** Opens what was kept under a name, in place of all that is open. */
  switchLayout(name: string): void {
    const { arrangement, sessions, toasts } = this;
    const before = arrangement.layout;
    arrangement.grid = false;
    if (!arrangement.switchTo(name, (id) => sessions.has(id))) return;
    this.focusTerminal();
    const run = () => {
      arrangement.change(() => tree.only(before, (id) => sessions.has(id)));
      this.focusTerminal();
    };
    toasts.show(say.window.layoutName(name), { label: say.window.undo, run });
  }

  /** Types the paths of files that were dropped on a terminal or pasted into it. */
  async typeFiles(id: string, given: Promise<Given>): Promise<void> {
    const text = await this.attachments.take(id, await given);
    if (text) this.views.get(id)?.paste(`${text} `);
  }

  /** All sessions at once in place of the panes, and back. */
  toggleGrid(): void {
    this.arrangement.grid = !this.arrangement.grid;
    if (!this.arrangement.grid) this.focusTerminal();
  }

  /** To the question that waits longest; from one of those that need somebody, to the next. */
  focusNeed(): void {
    const { needs } = this.asks;
    const here = document.activeElement?.closest<HTMLElement>('[data-need]')?.dataset['need'];
    const next = needs[(needs.findIndex(({ id }) => id === here) + 1) % needs.length];
    if (!next) return this.toasts.show(say.window.nothingNeedsYou);
    if (this.sidebar.open && !this.narrow) return document.getElementById(`need-${next.id}`)?.focus();
    this.show(next.id);
    if (next.ask) this.openAsk(next.id);
  }

  /** Shows a session's question whole, over its pane, and gives it the keyboard. */
  openAsk(id: string): void {
    this.asks.panel = id;
    flushSync();
    const panel = document.getElementById(`ask-${id}`);
    const field = panel?.querySelector<HTMLElement>('[data-testid=ask-text]');
    (field ?? panel)?.focus();
  }

  closeAsk(): void {
    this.asks.panel = null;
    this.focusTerminal();
  }

  /**
   * To the message box of the session in front. It comes wherever a program runs, whatever is in its place: what is typed
   * next is a message, and must not end up in a terminal with a question in it.
   */
  focusMessage(): void {
    const session = this.sessions.get(this.arrangement.focused);
    if (!session) return this.toasts.show(say.window.noSessionIsInFrontThatCould);
    if (session.status === 'dead') return this.toasts.show(say.window.nameHasEnded(session.name));
    this.messages.wanted = session.id;
    flushSync();
    document.getElementById(`message-${session.id}`)?.focus();
  }

  /** Edits a session's name in the list, which comes into sight for that. */
  rename(session: Session): void {
    this.sidebar.open = true;
    if (this.narrow) this.sidebar.drawer = true;
    this.list.unfoldTo(session);
    this.renaming = session.id;
  }

  /** Explains a session's status beside where it is shown: in the list, else at the foot of its pane, else on top. */
  explainStatus(id: string): void {
    const places = [`#session-${id} .s`, `[data-status-of="${id}"]`];
    const seen = places
      .map((place) => document.querySelector<HTMLElement>(place))
      .find((place) => place && place.getClientRects().length > 0);
    this.why.show(id, seen ?? document.querySelector('header') ?? document.body);
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
    await Promise.all([
      this.settings.load(),
      this.themes.load(),
      this.welcome.load(),
      this.inspector.load(),
      this.faces.load(),
      this.kinds.load(),
      this.changes.load(),
      this.list.load(),
      this.arrangement.restore((id) => this.sessions.has(id)),
    ]);
    this.focusIfNobodyElse();
    document.documentElement.dataset['ready'] = 'true';
  }

  /** A window that opens or reloads has the keyboard where it was, unless the person has put it elsewhere meanwhile. */
  focusIfNobodyElse(): void {
    if (this.keyboardIsFree()) this.focusTerminal();
  }

  /**
   * Whether a terminal that comes may take the keyboard: nobody has it, or a pane itself, as one that was empty does. A page
   * that is quicker to show than to hear what was open begins with such a pane.
   */
  keyboardIsFree(): boolean {
    return this.nobodyHasKeyboard() || document.activeElement?.matches('[data-pane]') === true;
  }

  nobodyHasKeyboard(): boolean {
    return !document.activeElement || document.activeElement === document.body;
  }

  private event(event: Event): void {
    this.sessions.apply(event);
    if (event.event === 'session' && !event.session.unspoken) this.asks.take(event.session);
    if (event.event === 'session') this.workspaces.take(event.session);
    if (event.event === 'cloning') this.workspaces.heard(event.cloning);
    if (event.event === 'session' && event.session.trashed_at) this.gone(event.session.id);
    if (event.event === 'session_removed') this.gone(event.id);
    if (event.event === 'settings') this.settings.take(event.state);
    if (event.event === 'message') this.messages.heard(event.session, event.message);
    if (event.event === 'notice') this.toasts.show(event.text);
  }

  private gone(id: string): void {
    this.arrangement.change((layout) => tree.close(layout, id));
    this.views.drop(id);
    this.asks.forget(id);
    this.messages.forget(id);
    this.faces.forget(id);
    this.changes.forget(id);
    // The panes may have been put together anew around whoever was typing.
    flushSync();
    this.focusIfNobodyElse();
  }

  private confirmPaste(text: string): Promise<boolean> {
    const lines = text.replace(/\r$/, '').split('\r');
    const more = lines.length - QUOTED_LINES;
    const quote = lines.slice(0, QUOTED_LINES).map((line) => line.slice(0, 200));
    if (more > 0) quote.push(say.window.moreLines(more));
    return this.dialogs
      .ask({
        title: say.window.pasteSeveralLines,
        text: say.window.theProgramDoesNotMarkPastes,
        quote: quote.join('\n'),
        agree: say.window.paste,
      })
      .finally(() => this.focusTerminal());
  }
}

/** Gives the keyboard to what is shown over a session's terminal: to the part of it that wants it, where one does. */
function focusFace(session: string): void {
  const face = document.querySelector<HTMLElement>(`[data-face-of="${session}"]`);
  (face?.querySelector<HTMLElement>('[data-takes-keyboard]') ?? face)?.focus();
}

export const [getBelfry, setBelfry] = createContext<Belfry>();
