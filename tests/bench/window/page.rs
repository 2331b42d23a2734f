//! What runs in the page. "Painted" is a task after the animation frame in which the change was in the page: by then the
//! frame has been drawn. A change is made at any moment of a frame, so even the smallest waits half a frame on average.

/// An object once the page has painted, in milliseconds since the epoch.
pub(super) const FIRST_PAINT: &str = "
const paint = performance.getEntriesByName('first-contentful-paint')[0] ?? performance.getEntriesByName('first-paint')[0];
const rows = document.querySelectorAll('[data-testid=session-row]').length;
if (!paint || rows === 0) return null;
window.listedAt ??= performance.now();
return { painted: performance.timeOrigin + paint.startTime, listed: performance.timeOrigin + window.listedAt, rows };
";

/// What the other scripts share; it comes before them.
pub(super) const SHARED: &str = "
const painted = () => new Promise((resolve) => requestAnimationFrame(() => {
  const channel = new MessageChannel();
  channel.port1.onmessage = () => resolve();
  channel.port2.postMessage(0);
}));
// Not in step with the frames, which would always measure the same part of one.
const pause = (least) => new Promise((resolve) => setTimeout(resolve, least + Math.random() * 17));
const rowsOf = (id) => document.querySelector(`[data-testid=terminal][data-session='${id}'] .xterm-rows`);
";

/// What painting costs whoever asks for it, in the same web view on the same screen: frames while nothing happens, one
/// letter changed, and a terminal's rows filled with other text. Lists of times in milliseconds.
pub(super) const FLOOR: &str = "
const [id, count, done] = arguments;
(async () => {
  const times = { frame: [], letter: [], rows: [] };
  let last = await new Promise(requestAnimationFrame);
  for (let turn = 0; turn < count; turn++) {
    const now = await new Promise(requestAnimationFrame);
    times.frame.push(now - last);
    last = now;
  }
  const spot = document.createElement('div');
  spot.style.cssText = 'position: fixed; right: 2px; bottom: 2px; width: 20px; height: 20px';
  document.body.append(spot);
  const rows = [...rowsOf(id).children];
  const before = rows.map((row) => [...row.childNodes]);
  const change = {
    letter: (turn) => { spot.textContent = 'ab'[turn % 2]; },
    rows: (turn) => rows.forEach((row, at) => {
      const text = document.createElement('span');
      text.textContent = `line ${turn + at} of text as any program prints it`;
      row.replaceChildren(text);
    }),
  };
  for (const kind of ['letter', 'rows']) for (let turn = 0; turn < count; turn++) {
    await pause(10);
    const began = performance.now();
    change[kind](turn);
    await painted();
    times[kind].push(performance.now() - began);
  }
  spot.remove();
  rows.forEach((row, at) => row.replaceChildren(...before[at]));
  done(times);
})().catch((error) => done(String(error)));
";

/// Clicks each session's row and waits until its text is painted; the times in milliseconds. The list holds no rows that are
/// far out of sight: it is scrolled to each, before the time begins, as a person does who clicks there.
pub(super) const SWITCH: &str = "
const [wanted, done] = arguments;
const list = document.querySelector('[data-testid=session-list]').parentElement;
const found = (id) => document.querySelector(`[data-testid=session-row][data-session='${id}']`);
const scrolledTo = async (id) => {
  for (let top = 0; !found(id) && top < list.scrollHeight; top += list.clientHeight / 2) {
    list.scrollTop = top;
    await painted();
  }
  found(id)?.scrollIntoView({ block: 'nearest' });
  await painted();
  return found(id);
};
const shows = ({ id, mark }) => [...(rowsOf(id)?.children ?? [])].some((row) => row.textContent.includes(mark));
(async () => {
  const times = [];
  for (const one of wanted) {
    const row = await scrolledTo(one.id);
    if (!row) return done(`no row of ${one.id}`);
    const began = performance.now();
    row.click();
    do {
      await painted();
      if (performance.now() - began > 5000) return done(`${one.mark} never came`);
    } while (!shows(one));
    times.push(performance.now() - began);
    await pause(20);
  }
  done(times);
})().catch((error) => done(String(error)));
";

/// Types a letter into a session's terminal again and again, each time waiting until it is painted once more.
pub(super) const KEYS: &str = "
const [id, count, done] = arguments;
const terminal = document.querySelector(`[data-testid=terminal][data-session='${id}']`);
const typed = () => rowsOf(id).textContent.split('z').length;
const input = terminal.querySelector('.xterm-helper-textarea');
(async () => {
  const times = [];
  for (let turn = 0; turn < count; turn++) {
    const before = typed();
    const began = performance.now();
    input.dispatchEvent(new InputEvent('input', { data: 'z', inputType: 'insertText', bubbles: true }));
    do {
      await painted();
      if (performance.now() - began > 5000) return done('the key never came back');
    } while (typed() === before);
    times.push(performance.now() - began);
    await pause(10);
  }
  done(times);
})().catch((error) => done(String(error)));
";

/// A place on the divider between the columns, where no other one crosses it.
pub(super) const DIVIDER: &str = "
const { left, top, width, height } = document.querySelector('[data-testid=divider][aria-orientation=vertical]').getBoundingClientRect();
return [left + width / 2, top + height / 4];
";

/// Notes the time of every frame from now on, and how many places that divider is seen at.
pub(super) const COUNT_FRAMES: &str = "
const counting = window.counting = { last: null, frames: [], places: new Set() };
const divider = document.querySelector('[data-testid=divider][aria-orientation=vertical]');
const frame = (now) => {
  if (window.counting !== counting) return;
  if (counting.last !== null) counting.frames.push(now - counting.last);
  counting.last = now;
  counting.places.add(divider.style.left);
  requestAnimationFrame(frame);
};
requestAnimationFrame(frame);
";

/// What was noted; it ends.
pub(super) const COUNTED_FRAMES: &str = "
const { frames, places } = window.counting;
window.counting = null;
return { frames, places: places.size };
";

/// Waits until ten frames in a row came without delay, for so many milliseconds at the most.
pub(super) const CALM: &str = "
const [most, done] = arguments;
const began = performance.now();
let [last, good] = [began, 0];
const frame = (now) => {
  good = now - last < 25 ? good + 1 : 0;
  last = now;
  if (good < 10 && now - began < most) requestAnimationFrame(frame);
  else done();
};
requestAnimationFrame(frame);
";
