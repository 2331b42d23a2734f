// What tests against the pretended daemon share: a daemon and a page for each test.
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeEach, expect } from 'vitest';
import { FakeDaemon, fakeSession, type FakeSession } from './fake-daemon';
import { closeBrowser, newPage, ready, type Shape } from './page';
import { Win } from './window';

const FILES = process.env['BELFRY_UI_FILES'] ?? fileURLToPath(new URL('../../dist-test', import.meta.url));

export class FakeWindow {
  daemon!: FakeDaemon;
  opened!: Awaited<ReturnType<typeof newPage>>;
  win!: Win;

  constructor() {
    beforeEach(async () => {
      this.daemon = new FakeDaemon(FILES);
      await this.daemon.start();
    });
    afterEach(async () => {
      const { errors } = this.opened;
      await this.opened.context.close();
      await this.daemon.stop();
      expect(errors.filter((error) => !/WebSocket|ERR_|thrown by a test/.test(error))).toEqual([]);
    });
    afterAll(closeBrowser);
  }

  get page() {
    return this.opened.page;
  }

  async open(shape: Shape = {}): Promise<Win> {
    this.opened = await newPage(shape);
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
