import type { Terminal } from '@xterm/xterm';
import { encodeKitty } from './keys/kitty';
import { KeyReader } from './keys/key';
import { encodeLegacy, type OtherKeys } from './keys/legacy';
import type { Screen } from './screen';
import { bracket, needsConfirmation, sanitisePaste } from './paste';
import type { ViewPorts } from './view';
import { say } from '../words';

interface Owner {
  readonly session: string;
  readonly element: HTMLElement;
  readonly terminal: Terminal;
  readonly screen: Screen;
  pasteClipboard(primary: boolean): boolean;
  copy(): Promise<boolean>;
}

/** All that a person does in a terminal, on its way to the program. */
export class TerminalInput {
  private kitty = 0;
  private otherKeys: OtherKeys = 0;
  private readonly keys: KeyReader;
  private readonly encoder = new TextEncoder();
  private connected: Screen | undefined;

  constructor(
    private readonly owner: Owner,
    private readonly ports: ViewPorts,
    private readonly send: (bytes: Uint8Array) => void,
  ) {
    this.keys = new KeyReader(ports.mac);
    owner.element.addEventListener('paste', (event) => this.pasted(event), { capture: true });
    owner.element.addEventListener('mousedown', (event) => this.pressed(event), { capture: true });
  }

  setKitty(flags: number): void {
    this.kitty = flags;
  }

  setOtherKeys(level: number): void {
    this.otherKeys = level === 1 || level === 2 ? level : 0;
  }

  /** Listens to the owner's terminal, once for each terminal that it has. */
  connect(): void {
    const { screen, terminal } = this.owner;
    if (this.connected === screen) return;
    this.connected = screen;
    screen.hold(
      terminal.onData((data) => this.send(this.encoder.encode(data))),
      // Mouse reports of the oldest kind are bytes, not text.
      terminal.onBinary((data) => this.send(Uint8Array.from(data, (char) => char.charCodeAt(0)))),
    );
    terminal.attachCustomKeyEventHandler((event) => this.key(event));
  }

  paste(text: string): void {
    const clean = sanitisePaste(text);
    if (!clean) return;
    const { bracketedPasteMode } = this.owner.terminal.modes;
    const go = () => {
      this.owner.terminal.scrollToBottom();
      this.owner.terminal.clearSelection();
      this.send(this.encoder.encode(bracket(clean, bracketedPasteMode)));
    };
    if (!needsConfirmation(clean, bracketedPasteMode)) go();
    else void this.ports.confirmPaste(clean).then((agreed) => agreed && go());
  }

  /** False: dealt with, the terminal shall do nothing. */
  private key(event: KeyboardEvent): boolean {
    // What an input method composes arrives as text at its end.
    if (event.type === 'keypress' || event.isComposing || event.keyCode === 229) return true;
    if (event.key === 'Dead' || event.key === 'Process' || event.key === 'Unidentified') return true;
    const key = this.keys.read(event);
    const newline = this.ports.newlineKey(this.owner.session);
    const bytes = this.kitty ? encodeKitty(key, this.kitty) : encodeLegacy(key, this.otherKeys, newline);
    if (bytes === undefined) return true;
    if (key.type !== 'release') event.preventDefault();
    event.stopPropagation();
    if (bytes) this.owner.terminal.input(bytes, true);
    return false;
  }

  private pasted(event: ClipboardEvent): void {
    event.preventDefault();
    event.stopPropagation();
    const { clipboardData } = event;
    const text = clipboardData?.getData('text/plain') ?? '';
    // A text that was copied from a page or a document may come with a picture of itself.
    if (text || !clipboardData) this.paste(text);
    else
      this.ports
        .pasteFiles(this.owner.session, clipboardData)
        .catch(() => this.ports.notify(say.terminal.theClipboardCouldNotBeRead));
  }

  private pressed(event: MouseEvent): void {
    // A selection often ends outside of the terminal.
    if (event.button === 0) window.addEventListener('mouseup', () => this.selected(), { once: true });
    const ofProgram = this.owner.terminal.modes.mouseTrackingMode !== 'none' && !event.shiftKey;
    if (event.button !== 1 || ofProgram || !this.owner.pasteClipboard(true)) return;
    event.preventDefault();
    event.stopPropagation();
    this.owner.terminal.focus();
  }

  private selected(): void {
    if (!this.ports.preferences().copyOnSelect) return;
    this.owner.copy().catch(() => this.ports.notify(say.terminal.theClipboardCouldNotBeWritten));
  }
}
