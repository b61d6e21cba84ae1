import type { BrowserContext, Page, Request } from 'playwright-core';

interface Asked {
  request: Request;
  began: number;
  /** What came of it; null while it is open. */
  end: string | null;
}

/** What each page has asked for since it was last opened, and what it said on its console. */
interface Traffic {
  asked: Asked[];
  said: string[];
}

const traffic = new WeakMap<Page, Traffic>();
/** Requests that went well, the last of them, are told as well: what is missing is seen by what is there. */
const TOLD = 20;
const LOOK_MS = 10_000;

/** From here on what the pages of the context ask for can be told. */
export function listen(context: BrowserContext): void {
  context.on('page', (page) => {
    const { asked, said }: Traffic = { asked: [], said: [] };
    traffic.set(page, { asked, said });
    const ended = (request: Request, end: string) => {
      const found = asked.find((one) => one.request === request);
      if (found !== undefined) found.end = `${end} after ${Math.round(performance.now() - found.began)} ms`;
    };
    page.on('request', (request) => {
      if (request.isNavigationRequest() && request.frame() === page.mainFrame()) asked.length = said.length = 0;
      asked.push({ request, began: performance.now(), end: null });
    });
    page.on('requestfinished', (request) => {
      void request.response().then(
        (response) => ended(request, String(response?.status() ?? 'no answer')),
        (error: unknown) => ended(request, String(error)),
      );
    });
    page.on('requestfailed', (request) => ended(request, request.failure()?.errorText ?? 'failed'));
    page.on('console', (message) => said.push(`${message.type()}: ${message.text()}`));
    page.on('pageerror', (error) => said.push(`thrown: ${error.stack ?? error.message}`));
    page.on('crash', () => said.push('the page crashed'));
  });
}

/** Where a page stands that something is waited for in vain: its requests, those that are open first, and its text. */
export async function standsAt(page: Page): Promise<string> {
  const { asked = [], said = [] } = traffic.get(page) ?? {};
  const now = performance.now();
  const line = ({ request, began, end }: Asked) =>
    `${request.method()} ${request.url()}: ${end ?? `open for ${Math.round(now - began)} ms`}`;
  const open = asked.filter(({ end }) => end === null);
  const wrong = asked.filter(({ end }) => end !== null && !/^[23]/.test(end));
  const well = asked.filter(({ end }) => end !== null && /^[23]/.test(end));
  const text = await page
    .locator('body')
    .innerText({ timeout: LOOK_MS })
    .catch((error: unknown) => `it cannot be read: ${String(error)}`);
  return [
    page.url(),
    ...[open, wrong, well.slice(-TOLD)].flatMap((some) => some.map(line)),
    ...said.slice(-TOLD),
    `its text: ${text.replace(/\s+/g, ' ').slice(0, 1000)}`,
  ].join('\n  ');
}
