/**
 * The only file that reaches into xterm.js's private parts. Everything here is checked for, and falls back to the public
 * interface, so that another version of xterm costs a feature and not the window.
 */
import type { Terminal } from '@xterm/xterm';

interface Cell {
  isInverse(): number;
  isBgDefault(): boolean;
}

type ApplyContrast = (
  element: HTMLElement,
  bg: unknown,
  fg: unknown,
  cell: Cell,
  ...more: unknown[]
) => boolean;

interface Renderer {
  renderRows?: (start: number, end: number) => void;
  clear?: () => void;
  /** The DOM renderer's only. */
  _rowFactory?: { _applyMinimumContrast?: ApplyContrast; mended?: boolean };
}

interface Core {
  _syncTextArea?: () => void;
  _bufferService?: { scrollLines?: (lines: number) => void };
  _viewport?: { _latestYDisp?: number | undefined };
  coreService?: { triggerDataEvent?: (data: string, wasUserInput?: boolean) => void };
  _renderService?: {
    _renderer?: { value?: Renderer };
    _isPaused?: boolean;
    _handleIntersectionChange?: (entry: { isIntersecting: boolean; intersectionRatio: number }) => void;
  };
  _inputHandler?: { parse?: (data: string | Uint8Array, promiseResult?: boolean) => unknown };
}

function core(terminal: Terminal): Core {
  return (terminal as unknown as { _core?: Core })._core ?? {};
}

/**
 * Keeps the terminal from answering queries and reporting focus: the daemon does both, once, whatever windows are open.
 * xterm marks what a person did; everything else is an answer of its own.
 */
export function silenceReplies(terminal: Terminal): void {
  const service = core(terminal).coreService;
  const trigger = service?.triggerDataEvent;
  if (!service || !trigger) return;
  service.triggerDataEvent = (data, wasUserInput) => {
    if (wasUserInput) trigger.call(service, data, true);
  };
}

/**
 * Catches what the terminal throws while it parses (version 6.0 does on some torn input). Parsing goes on from a timer,
 * so that nothing else could catch it.
 */
export function guardParsing(terminal: Terminal, onThrown: (error: unknown) => void): void {
  const handler = core(terminal)._inputHandler;
  const parse = handler?.parse;
  if (!handler || !parse) return;
  handler.parse = (data, promiseResult) => {
    try {
      return parse.call(handler, data, promiseResult);
    } catch (error) {
      onThrown(error);
      return undefined;
    }
  };
}

/**
 * Paints nothing until the returned function is called. Synchronized output alone does not hold everything back: a
 * reset empties the rows, and drops the selection, which paints whatever is there a frame later.
 */
export function holdPainting(terminal: Terminal): () => void {
  const renderer = core(terminal)._renderService?._renderer?.value;
  if (!renderer?.renderRows || !renderer.clear) return () => {};
  renderer.renderRows = () => {};
  renderer.clear = () => {};
  return () => {
    // The renderer's own methods are its class's.
    delete renderer.renderRows;
    delete renderer.clear;
  };
}

/**
 * Tells a terminal that has just been put back in the page that it can be seen. It learns that by itself, but only after
 * the next frame, and so would paint in the one after that.
 */
export function wake(terminal: Terminal): void {
  const service = core(terminal)._renderService;
  if (service?._isPaused) service._handleIntersectionChange?.({ isIntersecting: true, intersectionRatio: 1 });
}

/**
 * Mends the DOM renderer's contrast of inverse text. It reckons with the default foreground where an inverse cell has the
 * default background, and so greys the commonest pair of all; that pair is as readable as the palette made it.
 */
export function mendInverseContrast(terminal: Terminal): void {
  const factory = core(terminal)._renderService?._renderer?.value?._rowFactory;
  const apply = factory?._applyMinimumContrast;
  if (!factory || !apply || factory.mended) return;
  factory.mended = true;
  factory._applyMinimumContrast = (element, bg, fg, cell, ...more) =>
    cell.isInverse() && cell.isBgDefault() ? false : apply.call(factory, element, bg, fg, cell, ...more);
}

/**
 * Puts the field that takes the keys back to the cursor, where input methods show what they compose. The terminal does so
 * when the cursor moves, but not when another size has moved it: the field then lies outside, and whatever brings it into
 * sight would shift all of the terminal.
 */
export function fieldToCursor(terminal: Terminal): void {
  const { textarea } = terminal;
  if (!textarea) return;
  // Where nothing puts it elsewhere it is nowhere that could be scrolled to.
  textarea.style.left = '0';
  core(terminal)._syncTextArea?.();
}

/**
 * Scrolls to a line at once. The public way goes by the scroll bar, which learns of another size or of a whole snapshot a
 * frame later, and is wrong until then.
 */
export function scrollTo(terminal: Terminal, line: number): void {
  const { _bufferService: service, _viewport: viewport } = core(terminal);
  if (!service?.scrollLines) {
    terminal.scrollToLine(line);
    return;
  }
  // What the scroll bar takes for its own last place, and would not move away from.
  if (viewport) viewport._latestYDisp = undefined;
  service.scrollLines(line - terminal.buffer.active.viewportY);
  terminal.refresh(0, terminal.rows - 1);
}
