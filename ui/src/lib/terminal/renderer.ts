import type { WebglAddon } from '@xterm/addon-webgl';
import type { Terminal } from '@xterm/xterm';
import { mendInverseContrast } from './internals';
import type { TerminalPreferences } from './preferences';

/** Frames looked at before WebGL is judged. */
const FRAMES = 30;
/** Milliseconds between frames above which WebGL is given up: it then misses every second one of a 60 Hz display. */
const SLOW = 25;

/** Set once WebGL was too slow or lost its context: this window stays with the DOM from then on. */
let unfit = false;

/** Whether WebGL is worth a try. On WebKitGTK it is slower than the DOM without a GPU, and can lag a frame with one. */
function wanted(choice: TerminalPreferences['renderer']): boolean {
  if (choice !== 'auto') return choice === 'webgl';
  return /Mac OS|Windows/.test(navigator.userAgent);
}

/** One visible terminal's renderer. Hidden terminals hold no WebGL context: a page has about 16 of them. */
export class Renderer {
  private webgl: WebglAddon | undefined;
  private visible = false;
  private stopMeasuring: (() => void) | undefined;

  constructor(private readonly terminal: Terminal) {}

  async show(choice: TerminalPreferences['renderer']): Promise<void> {
    this.visible = true;
    mendInverseContrast(this.terminal);
    if (this.webgl || unfit || !wanted(choice)) return;
    const { WebglAddon } = await import('@xterm/addon-webgl');
    if (!this.visible || this.webgl) return;
    try {
      this.webgl = new WebglAddon();
      this.webgl.onContextLoss(() => this.giveUp());
      this.terminal.loadAddon(this.webgl);
      if (choice === 'auto') this.measure();
    } catch {
      this.giveUp();
    }
  }

  hide(): void {
    this.visible = false;
    this.stopMeasuring?.();
    const { webgl } = this;
    if (!webgl) return;
    this.webgl = undefined;
    // Disposing alone keeps the context until it is collected.
    const canvases = this.terminal.element?.querySelectorAll('canvas') ?? [];
    webgl.dispose();
    for (const canvas of canvases)
      canvas.getContext('webgl2')?.getExtension('WEBGL_lose_context')?.loseContext();
  }

  private giveUp(): void {
    unfit = true;
    this.hide();
  }

  /** Looks at the frames that follow a repaint, a bounded number of them; nothing runs while the terminal is quiet. */
  private measure(): void {
    const times: number[] = [];
    const render = this.terminal.onRender(() => {
      const start = performance.now();
      requestAnimationFrame(() => {
        times.push(performance.now() - start);
        if (times.length < FRAMES) return;
        this.stopMeasuring?.();
        times.sort((a, b) => a - b);
        if ((times[FRAMES >> 1] ?? 0) > SLOW) this.giveUp();
      });
    });
    this.stopMeasuring = () => render.dispose();
  }
}
