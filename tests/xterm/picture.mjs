// Pictures of xterm.js terminals, in the form of crates/terminal/src/inspect.rs.
//
// One request a line on stdin, one answer a line on stdout, both JSON:
//   {"cols", "rows", "scrollback", "pieces": [base64, ...], "detail": "state"|"seen"} -> {"picture"} or {"error"}
//   {"widths": true} -> {"widths": base64 of one byte for each code point}
import { createInterface } from 'node:readline';
import headless from '@xterm/headless';
import unicode11 from '@xterm/addon-unicode11';

const COLOR_MODES = { 0: 'default', 0x1000000: 'named', 0x2000000: 'indexed', 0x3000000: 'rgb' };
const hex = (value, digits) => value.toString(16).padStart(digits, '0');

function color(mode, value) {
  switch (COLOR_MODES[mode]) {
    case 'named': return `n${value}`;
    case 'indexed': return `i${value}`;
    case 'rgb': return `#${hex(value, 6)}`;
    default: return '-';
  }
}

/** Attributes as text; `bare` leaves out what is not saved with the cursor. */
function pen(core, cell, { fg = true, weight = true, bare = false, line = true } = {}) {
  let text = `${fg ? color(cell.getFgColorMode(), cell.getFgColor()) : '-'}/${color(cell.getBgColorMode(), cell.getBgColor())}/`;
  const flag = (on, letter) => { if (on) text += letter; };
  flag(weight && cell.isBold(), 'b');
  flag(line && cell.isDim(), 'd');
  flag(weight && cell.isItalic(), 'i');
  flag(line && cell.isBlink(), 'k');
  flag(cell.isInverse(), 'v');
  flag(line && cell.isInvisible(), 'h');
  flag(cell.isStrikethrough(), 's');
  flag(cell.isOverline(), 'o');
  // The getters say that every link has a dashed underline; these are the bits that a program has set.
  const style = cell.bg & 0x10000000 ? (cell.extended._ext >>> 26) & 7 : 1;
  if (cell.fg & 0x10000000 && (bare || style)) {
    text += 'u';
    if (!bare) {
      const plain = cell.isUnderlineColorDefault();
      text += `${style}${plain ? '-' : color(cell.getUnderlineColorMode(), cell.getUnderlineColor())}`;
    }
  }
  const link = bare ? 0 : cell.extended.urlId;
  if (link && cell.bg & 0x10000000) {
    text += `@${core._oscLinkService.getLinkData(link)?.uri ?? ''}`;
  }
  return text;
}

/** Attributes as far as they show: on a blank cell most do not. */
function seen(core, cell) {
  const chars = cell.getChars();
  if (chars !== '' && chars !== ' ') return pen(core, cell);
  const shows = cell.isInverse() || cell.fg & 0x10000000 || cell.isStrikethrough() || cell.isOverline();
  return pen(core, cell, shows ? { weight: false } : { fg: false, weight: false, line: false });
}

function row(core, line, mark, cols, cell) {
  const plain = '-/-/';
  const cells = [];
  let end = 0;
  let wide = false;
  for (let x = 0; x < cols; x++) {
    line.loadCell(x, cell);
    const width = cell.getWidth();
    // The second half of a wide character; without its first half it is a blank cell.
    const spacer = width === 0 && wide;
    wide = width === 2;
    if (spacer) {
      cells.push(null);
      end = x + 1;
      continue;
    }
    const chars = cell.getChars();
    const attributes = seen(core, cell);
    cells.push([attributes, chars === '' ? ' ' : chars, wide]);
    if ((chars !== '' && chars !== ' ') || attributes !== plain) end = x + 1;
  }
  let text = '';
  let last = plain;
  for (const entry of cells.slice(0, end)) {
    if (entry === null) continue;
    const [attributes, chars, isWide] = entry;
    if (attributes !== last) {
      text += `\u0001${attributes}\u0002`;
      last = attributes;
    }
    text += chars;
    if (isWide) text += '\u0003';
  }
  return `${mark}${line.isWrapped ? '~' : ' '}${text}\n`;
}

function bufferState(core, name, buffer, cols, cell) {
  const stops = Object.keys(buffer.tabs).map(Number).filter((x) => buffer.tabs[x] && x < cols).sort((a, b) => a - b);
  const attributes = buffer.savedCurAttrData;
  cell.fg = attributes.fg;
  cell.bg = attributes.bg;
  const y = Math.max(buffer.savedY - buffer.ybase, 0);
  return `${name} region ${buffer.scrollTop} ${buffer.scrollBottom} tabs ${stops.join(',')} `
    + `saved ${Math.min(buffer.savedX, cols - 1)} ${y} ${pen(core, cell, { bare: true })}\n`;
}

function picture(terminal, detail, title, colors) {
  const core = terminal._core;
  const { cols, rows } = terminal;
  const { normal, alt, active } = core.buffers;
  const cell = terminal.buffer.normal.getNullCell();
  const onAlternate = active === alt;
  let out = `size ${cols} ${rows}\ntitle ${title}\nscreen ${onAlternate ? 'alternate' : 'primary'}\n`;
  out += `cursor ${active.x} ${active.y}\n`;
  if (detail === 'state') {
    const modes = core.coreService.decPrivateModes;
    const options = core.optionsService.rawOptions;
    const mouse = core.coreMouseService;
    const n = Number;
    out += `modes appcursor=${n(modes.applicationCursorKeys)} keypad=${n(modes.applicationKeypad)} paste=${n(modes.bracketedPasteMode)} `
      + `focus=${n(modes.sendFocus)} origin=${n(modes.origin)} wrap=${n(modes.wraparound)} insert=${n(core.coreService.modes.insertMode)} `
      + `newline=${n(options.convertEol)} hidden=${n(core.coreService.isCursorHidden)} mouse=${mouse.activeProtocol} `
      + `encoding=${mouse.activeEncoding} shape=${modes.cursorStyle ?? 'default'} shapeblink=${n(modes.cursorBlink ?? false)} `
      + `blink=${n(options.cursorBlink)}\n`;
    const current = core._inputHandler._curAttrData;
    cell.fg = current.fg;
    cell.bg = current.bg;
    cell.extended = current.extended;
    out += `pen ${pen(core, cell)}\n`;
    const charsets = core._charsetService;
    const name = (set) => (set === undefined ? 'B' : set.q === '\u2500' ? '0' : 'A');
    const sets = [0, 1, 2, 3].map((g) => name(charsets._charsets[g])).join('');
    const stale = charsets.charset === charsets._charsets[charsets.glevel] ? '' : '!';
    out += `charsets ${sets} ${charsets.glevel}${stale}\n`;
    out += `colors${[...colors].sort((a, b) => a[0] - b[0]).map(([index, value]) => ` ${index}=${value}`).join('')}\n`;
    out += bufferState(core, 'primary', normal, cols, cell);
    if (onAlternate) out += bufferState(core, 'alternate', alt, cols, cell);
  }
  for (let y = 0; y < normal.lines.length; y++) out += row(core, normal.lines.get(y), 'P', cols, cell);
  if (onAlternate) {
    for (let y = 0; y < alt.lines.length; y++) out += row(core, alt.lines.get(y), 'A', cols, cell);
  }
  return out;
}

async function answer(request) {
  if (request.widths) {
    let provider;
    new unicode11.Unicode11Addon().activate({ unicode: { register: (p) => { provider = p; } } });
    const widths = Buffer.alloc(0x110000);
    for (let c = 0; c < widths.length; c++) widths[c] = provider.wcwidth(c);
    return { widths: widths.toString('base64') };
  }
  const terminal = new headless.Terminal({
    cols: request.cols, rows: request.rows, scrollback: request.scrollback ?? 10000, allowProposedApi: true, logLevel: 'off',
  });
  terminal.loadAddon(new unicode11.Unicode11Addon());
  terminal.unicode.activeVersion = '11';
  let title = '';
  terminal.onTitleChange((value) => { title = value; });
  const colors = new Map();
  // 256 to 258 are text, background and cursor.
  const slot = (index) => (index < 256 ? index : index - 256 + 1000);
  terminal._core._inputHandler.onColor((events) => {
    for (const event of events) {
      if (event.type === 1) colors.set(slot(event.index), `rgb:${event.color.map((c) => hex(c, 2)).join('/')}`);
      if (event.type === 2 && event.index !== undefined) colors.delete(slot(event.index));
      if (event.type === 2 && event.index === undefined) for (const key of [...colors.keys()]) if (key < 256) colors.delete(key);
    }
  });
  let sent = '';
  terminal.onData((data) => { sent += data; });
  try {
    for (const piece of request.pieces) {
      if (Array.isArray(piece)) terminal.resize(piece[0], piece[1]);
      // `writeSync` tells of an exception where it happens; the callback of `write` never comes after one.
      else terminal._core._writeBuffer.writeSync(Buffer.from(piece, 'base64'));
    }
    return { picture: picture(terminal, request.detail ?? 'state', title, colors), sent };
  } catch (error) {
    return { error: String(error?.stack ?? error) };
  } finally {
    terminal.dispose();
  }
}

for await (const line of createInterface({ input: process.stdin, crlfDelay: Infinity })) {
  process.stdout.write(`${JSON.stringify(await answer(JSON.parse(line)))}\n`);
}
