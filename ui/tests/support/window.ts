import { expect } from 'vitest';
import type { Locator, Page } from 'playwright-core';
import type {} from '../../src/test-hooks';

/** What tests do and see in the window. */
export class Win {
  constructor(readonly page: Page) {}

  row(name: string): Locator {
    return this.page.locator('[data-testid=session-row]', { hasText: name });
  }

  by(testid: string): Locator {
    return this.page.getByTestId(testid);
  }

  terminal(id: string): Locator {
    return this.page.locator(`[data-testid=terminal][data-session="${id}"]`);
  }

  /** Shows a session by a click, and waits for its first snapshot. */
  async show(name: string, options: Parameters<Locator['click']>[0] = {}): Promise<string> {
    const row = this.row(name).first();
    const id = (await row.getAttribute('data-session')) ?? '';
    await row.click(options);
    await this.page.locator(`[data-testid=terminal][data-session="${id}"][data-shown=true]`).waitFor();
    return id;
  }

  async lines(id: string): Promise<string[]> {
    return this.page.evaluate((session) => window.__belfry?.text(session) ?? [], id);
  }

  async text(id: string): Promise<string> {
    return (await this.lines(id)).join('\n');
  }

  async shows(id: string, text: string | RegExp): Promise<string> {
    await expect
      .poll(() => this.text(id), { timeout: 15_000, interval: 40 })
      .toMatch(text instanceof RegExp ? text : new RegExp(escape(text)));
    return this.text(id);
  }

  async sent(id: string): Promise<string> {
    return (await this.page.evaluate((session) => window.__belfry?.sent(session) ?? [], id)).join('');
  }

  async type(text: string): Promise<void> {
    await this.page.keyboard.type(text);
  }

  async press(...keys: string[]): Promise<void> {
    for (const key of keys) await this.page.keyboard.press(key);
  }
}

function escape(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}

/** Waits until something holds. */
export async function until<T>(see: () => Promise<T> | T, holds: (seen: T) => boolean): Promise<T> {
  let seen: T | undefined;
  await expect
    .poll(
      async () => {
        seen = await see();
        return holds(seen);
      },
      { timeout: 15_000, interval: 40 },
    )
    .toBe(true);
  return seen as T;
}
