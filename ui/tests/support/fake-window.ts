// What tests against the pretended daemon share: a daemon for each test, and a page that goes from one to the next.
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeEach, expect } from 'vitest';
import { FakeDaemon, fakeSession, type FakeSession } from './fake-daemon';
import { closeBrowser, newPage, ready, reshape, type Shape } from './page';
import { Win } from './window';

const FILES = process.env['BELFRY_UI_FILES'] ?? fileURLToPath(new URL('../../dist-test', import.meta.url));

type Opened = Awaited<ReturnType<typeof newPage>>;

/** How a page is made that is only for one test. */
export interface Alone extends Shape {
  /** The test leaves traces in its page, such as a clock of its own. */
  alone?: boolean;
}

export class FakeWindow {
  daemon!: FakeDaemon;
  opened!: Opened;
  win!: Win;
  /** Making a page takes as long as most of what is tested in it. Each daemon has a port, and so each test an origin, of its own. */
  private shared: Opened | undefined;

  constructor() {
    beforeEach(async () => {
      this.daemon = new FakeDaemon(FILES);
      await this.daemon.start();
    });
    afterEach(async () => {
      const { errors, context, page } = this.opened;
      const told = errors.splice(0);
      if (this.opened === this.shared) await page.goto('about:blank').catch(() => (this.shared = undefined));
      else await context.close();
      await this.daemon.stop();
      expect(told.filter((error) => !/WebSocket|ERR_|thrown by a test/.test(error))).toEqual([]);
    });
    afterAll(closeBrowser);
  }

  get page() {
    return this.opened.page;
  }

  async open({ alone, ...shape }: Alone = {}): Promise<Win> {
    if (alone || shape.locale) this.opened = await newPage(shape);
    else {
      this.shared ??= await newPage(shape);
      this.opened = this.shared;
      await reshape(this.shared.page, shape);
    }
    this.win = new Win(this.opened.page);
    await this.opened.page.goto(this.daemon.url);
    await ready(this.opened.page);
    if (shape.rtl) await this.page.evaluate(() => void (document.documentElement.dir = 'rtl'));
    return this.win;
  }

  add(...part: Parameters<typeof fakeSession>): FakeSession {
    return this.daemon.add(fakeSession(...part));
  }

  /** What reached the session's program. */
  typed(fake: FakeSession): string {
    return this.daemon.typed.get(fake.session.id)?.toString() ?? '';
  }
}
