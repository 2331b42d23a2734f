import { existsSync } from 'node:fs';
import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core';

/** Debian's own Chromium; another one by BELFRY_CHROMIUM. */
const PROGRAMS = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

let browser: Browser | undefined;

export async function openBrowser(): Promise<Browser> {
  const program = process.env['BELFRY_CHROMIUM'] ?? PROGRAMS.find((path) => existsSync(path));
  if (!program) throw new Error('No Chromium on this machine; its Debian package is called chromium.');
  browser ??= await chromium.launch({
    executablePath: program,
    args: ['--no-sandbox', '--disable-gpu', '--font-render-hinting=none'],
  });
  return browser;
}

export async function closeBrowser(): Promise<void> {
  await browser?.close();
  browser = undefined;
}

export interface Shape {
  width?: number;
  height?: number;
  theme?: 'dark' | 'light';
  /** The window runs from right to left, as it does in a language that does. */
  rtl?: boolean;
  /** The person's own, for dates and numbers. */
  locale?: string;
}

/** A page of its own, with clipboard rights, failing on any error that the page reports. */
export async function newPage(
  shape: Shape = {},
): Promise<{ page: Page; context: BrowserContext; errors: string[] }> {
  const opened = await openBrowser();
  const context = await opened.newContext({
    viewport: { width: shape.width ?? 1440, height: shape.height ?? 900 },
    colorScheme: shape.theme ?? 'dark',
    locale: shape.locale ?? 'en-US',
    reducedMotion: 'reduce',
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  const page = await context.newPage();
  page.setDefaultTimeout(10_000);
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error') errors.push(message.text());
  });
  return { page, context, errors };
}

/** Gives a page the size and the theme of another test, and takes the pointer out of it. */
export async function reshape(page: Page, shape: Shape): Promise<void> {
  await page.setViewportSize({ width: shape.width ?? 1440, height: shape.height ?? 900 });
  await page.emulateMedia({ colorScheme: shape.theme ?? 'dark', reducedMotion: 'reduce' });
  await page.mouse.move(0, 0);
}

export async function ready(page: Page): Promise<void> {
  await page.waitForSelector('html[data-ready=true]');
}
