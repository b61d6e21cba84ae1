import { existsSync } from 'node:fs';
import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core';
import { PATIENCE_MS } from '../support/limits.js';
import { listen, standsAt } from './traffic.js';

/** A real browser for the pages, which complains of what a person would only find in its console. */

const CHROMIUM = '/usr/bin/chromium';

/** Why there is no browser here, to skip by; false where there is one. */
export const noBrowser: string | false = existsSync(CHROMIUM) ? false : 'no chromium: apt-get install chromium';

export const openBrowser = (): Promise<Browser> =>
  chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox', '--disable-dev-shm-usage'] });

export interface Look {
  dark?: boolean;
  width?: number;
  height?: number;
  /** The cookie of the sign-in session: NAME=VALUE. */
  cookie?: string | undefined;
  /** The page's own address, since addresses have limits. */
  address?: string;
  /** The operator's key, if it was typed in. */
  operatorKey?: string | undefined;
  url: string;
}

export const PHONE = { width: 360, height: 740 };
export const DESK = { width: 1280, height: 860 };

/** A fresh profile; animations are off, as for readers who ask for that. */
export async function openContext(browser: Browser, look: Look): Promise<BrowserContext> {
  const { dark = false, width = DESK.width, height = DESK.height, cookie, address, operatorKey, url } = look;
  const context = await browser.newContext({
    viewport: { width, height },
    colorScheme: dark ? 'dark' : 'light',
    reducedMotion: 'reduce',
    ...(address === undefined ? {} : { extraHTTPHeaders: { 'x-forwarded-for': address } }),
  });
  context.setDefaultTimeout(PATIENCE_MS);
  listen(context);
  if (operatorKey !== undefined) {
    await context.addInitScript(`sessionStorage.setItem('operator-key', ${JSON.stringify(operatorKey)})`);
  }
  if (cookie !== undefined) {
    const [name = '', value = ''] = cookie.split('=');
    await context.addCookies([{ name, value, url }]);
  }
  return context;
}

/** The troubles of a page, in words. `expected` are statuses that the page asks for knowingly. */
export function complaints(page: Page, expected: readonly RegExp[] = []): string[] {
  const found: string[] = [];
  const add = (words: string) => {
    if (!expected.some((pattern) => pattern.test(words))) found.push(words);
  };
  page.on('console', (message) => {
    // The status of a failed request is told below, with its address.
    if (['error', 'warning'].includes(message.type()) && !/Failed to load resource/.test(message.text())) {
      add(`console: ${message.text()}`);
    }
  });
  page.on('pageerror', (error) => add(`thrown: ${error.message}`));
  page.on('requestfailed', (request) => {
    // A request that a page no longer needs when it is left.
    if (request.failure()?.errorText !== 'net::ERR_ABORTED') add(`failed: ${request.url()}`);
  });
  page.on('response', (response) => {
    if (response.status() >= 400) add(`${response.status()} ${new URL(response.url()).pathname}`);
  });
  return found;
}

/** Resolves when the page is drawn: its heading is there, and nothing is loading any more. Else it says why not. */
export async function drawn(page: Page): Promise<void> {
  try {
    await page.locator('main h1').waitFor();
    await page.waitForFunction(() => document.querySelector('.skeletons') === null);
  } catch (error) {
    throw new Error(`not drawn: ${await standsAt(page)}`, { cause: error });
  }
}
