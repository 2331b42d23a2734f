//! What runs in the page. "Painted" is a task after the animation frame in which the change was in the page: by then the
//! frame has been drawn.

/// An object once the page has painted, in milliseconds since the epoch.
pub(super) const FIRST_PAINT: &str = "
const paint = performance.getEntriesByName('first-contentful-paint')[0] ?? performance.getEntriesByName('first-paint')[0];
const rows = document.querySelectorAll('[data-testid=session-row]').length;
if (!paint || rows === 0) return null;
window.listedAt ??= performance.now();
return { painted: performance.timeOrigin + paint.startTime, listed: performance.timeOrigin + window.listedAt, rows };
";

/// Clicks each session's row and waits until its text is painted; the times in milliseconds.
pub(super) const SWITCH: &str = "
const [wanted, done] = arguments;
const painted = () => new Promise((resolve) => requestAnimationFrame(() => {
  const channel = new MessageChannel();
  channel.port1.onmessage = () => resolve();
  channel.port2.postMessage(0);
}));
const shows = ({ id, mark }) => [...document.querySelectorAll(`[data-testid=terminal][data-session='${id}'] .xterm-rows > *`)]
  .some((row) => row.textContent.includes(mark));
(async () => {
  const times = [];
  for (const one of wanted) {
    const row = document.querySelector(`[data-testid=session-row][data-session='${one.id}']`);
    if (!row) return done(`no row of ${one.id}`);
    const began = performance.now();
    row.click();
    do {
      await painted();
      if (performance.now() - began > 5000) return done(`${one.mark} never came`);
    } while (!shows(one));
    times.push(performance.now() - began);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  done(times);
})().catch((error) => done(String(error)));
";

/// Types a letter into a session's terminal again and again, each time waiting until it is painted once more.
pub(super) const KEYS: &str = "
const [id, count, done] = arguments;
const painted = () => new Promise((resolve) => requestAnimationFrame(() => {
  const channel = new MessageChannel();
  channel.port1.onmessage = () => resolve();
  channel.port2.postMessage(0);
}));
const terminal = document.querySelector(`[data-testid=terminal][data-session='${id}']`);
const typed = () => [...terminal.querySelectorAll('.xterm-rows > *')].map((row) => row.textContent).join('').split('z').length;
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
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  done(times);
})().catch((error) => done(String(error)));
";
