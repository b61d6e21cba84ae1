import type { BrowserContext, Page, Request, WebSocket } from 'playwright-core';

interface Asked {
  request: Request;
  began: number;
  /** The result; null while it is open. */
  end: string | null;
}

interface Socket {
  url: string;
  began: number;
  frames: number;
  /** The last that it read. */
  last: string[];
  /** When it closed; null while it is open. */
  ended: number | null;
}

/** Each page's requests since it was last opened, its sockets, and its console. */
interface Traffic {
  asked: Asked[];
  sockets: Socket[];
  said: string[];
}

const traffic = new WeakMap<Page, Traffic>();
/** Requests that went well, the last of them, are told as well: what is missing is seen by what is there. */
const TOLD = 20;
/** The last frames of each socket are reported, up to so many characters each. */
const [FRAMES, CHARACTERS] = [4, 200];
const LOOK_MS = 10_000;

/** From here on what the pages of the context ask for can be told. */
export function listen(context: BrowserContext): void {
  context.on('page', (page) => {
    const { asked, sockets, said }: Traffic = { asked: [], sockets: [], said: [] };
    traffic.set(page, { asked, sockets, said });
    const ended = (request: Request, end: string) => {
      const found = asked.find((one) => one.request === request);
      if (found !== undefined) found.end = `${end} after ${Math.round(performance.now() - found.began)} ms`;
    };
    page.on('request', (request) => {
      if (request.isNavigationRequest() && request.frame() === page.mainFrame())
        asked.length = sockets.length = said.length = 0;
      asked.push({ request, began: performance.now(), end: null });
    });
    page.on('requestfinished', (request) => {
      void request.response().then(
        (response) => ended(request, String(response?.status() ?? 'no answer')),
        (error: unknown) => ended(request, String(error)),
      );
    });
    page.on('requestfailed', (request) => ended(request, request.failure()?.errorText ?? 'failed'));
    page.on('websocket', (socket) => sockets.push(heard(socket)));
    page.on('console', (message) => said.push(`${message.type()}: ${message.text()}`));
    page.on('pageerror', (error) => said.push(`thrown: ${error.stack ?? error.message}`));
    page.on('crash', () => said.push('the page crashed'));
  });
}

function heard(socket: WebSocket): Socket {
  const kept: Socket = { url: socket.url(), began: performance.now(), frames: 0, last: [], ended: null };
  socket.on('framereceived', ({ payload }) => {
    kept.frames++;
    kept.last = [...kept.last, String(payload).slice(0, CHARACTERS)].slice(-FRAMES);
  });
  socket.on('close', () => (kept.ended = performance.now()));
  return kept;
}

function toldOf({ url, began, frames, last, ended }: Socket, now: number): string {
  const end = ended === null ? 'open' : `closed ${Math.round(now - ended)} ms ago`;
  return [`socket ${url}: made ${Math.round(now - began)} ms ago, ${end}, ${frames} frames`, ...last].join('\n    ');
}

/** Where a page stands that something is waited for in vain: its requests, those that are open first, its sockets, and its text. */
export async function standsAt(page: Page): Promise<string> {
  const { asked = [], sockets = [], said = [] } = traffic.get(page) ?? {};
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
    ...sockets.slice(-TOLD).map((socket) => toldOf(socket, now)),
    ...said.slice(-TOLD),
    `its text: ${text.replace(/\s+/g, ' ').slice(0, 1000)}`,
  ].join('\n  ');
}
