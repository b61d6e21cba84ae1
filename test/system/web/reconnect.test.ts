/**
 * A table that is watched while its server is killed and started anew. The page says so, keeps its last view, and
 * continues by itself with the hands played from then on. On a slow connection every page comes, too, and missing parts
 * are drawn as missing.
 */
import t from 'tap';
import type { Page } from 'playwright-core';
import { seededRandom } from '../../../src/cards/shuffle.js';
import { eventually, FILE_MS } from '../../support/limits.js';
import { SEED } from '../../support/seed.js';
import { ForkedPlatform } from '../../support/forked-platform.js';
import type { Player } from '../../support/player.js';
import { Line } from '../../sdk/line.js';
import { complaints, drawn, noBrowser, openBrowser, openContext } from '../../web/browser.js';
import { guestAt, RICH } from '../../web/guest.js';
import { standsAt } from '../../web/traffic.js';

t.setTimeout(FILE_MS);

/**
 * The guest stays at its table, however slow the machine. With a short grace, match-making moves the first player that
 * returns to another table, if its own table has only held seats.
 */
const LIVELY = { ...RICH, HOUSE_BOTS: 3, BETWEEN_HANDS_MS: 100, LOBBY_GRACE_MS: 3_600_000 };

const random = seededRandom(SEED);
const below = (limit: number) => random.next16() % limit;

/** The number of the drawn hand; 0 for none. */
const handIn = async (page: Page) =>
  Number(/hand ([\d,]+)/.exec((await page.locator('.caption').textContent()) ?? '')?.[1]?.replaceAll(',', '') ?? 0);

/** A failed wait reports the state of the page, the player and the server. */
async function shown(page: Page, player: Player, platform: ForkedPlatform, wait: Promise<unknown>): Promise<void> {
  try {
    await wait;
  } catch (error) {
    const tables = await platform.api('GET', '/api/tables').then(({ body }) => JSON.stringify(body), String);
    const told = [await standsAt(page), player.describe(), tables, platform.output.slice(-2000)];
    throw new Error(`${String(error)}\n${told.join('\n')}`, { cause: error });
  }
}

await t.test('the server is killed and starts again', { skip: noBrowser }, async (t) => {
  const platform = await ForkedPlatform.start(t, LIVELY);
  // The server keeps this address. Its port may change, because others may take it while the server is away.
  const line = await Line.open(t, platform.port, below);
  const guest = await guestAt(platform);
  await eventually('a table', () => guest.table !== null);
  const path = `/tables/${guest.table!}`;
  const browser = await openBrowser();
  t.teardown(() => browser.close());
  const url = `http://127.0.0.1:${line.port}`;
  const page = await (await openContext(browser, { url })).newPage();
  // Requests to a server that is away.
  const found = complaints(page, [/^console: WebSocket connection to /, /^failed: .*\/health\/ready$/]);
  await page.goto(url + path);
  await page.getByRole('button', { name: 'Live', exact: true }).click();
  await eventually('a hand', async () => (await handIn(page)) > 0);

  await platform.kill();
  // Another process at its old port must not be taken for the server.
  line.weather = 'closed';
  await page.getByText('The connection is lost').waitFor();
  await page.getByText('No connection to the server').waitFor();
  t.ok(await page.locator('.stage.dimmed .table-picture').isVisible(), 'what was last seen stays, dimmed');
  const before = await handIn(page);
  const lines = await page.locator('.log li').count();

  await platform.launch();
  line.target = platform.port;
  line.weather = 'fair';
  const back = await guestAt(platform, guest.account);
  await eventually('the seat again', () => back.table !== null);
  const goesOn = eventually('hands after the restart', async () => (await handIn(page)) > before);
  await shown(page, back, platform, goesOn);
  await page.locator('.stage:not(.dimmed)').waitFor();
  await page.getByText('No connection to the server').waitFor({ state: 'detached' });
  t.equal(new URL(page.url()).pathname, path, 'it is the same table');
  t.ok((await page.locator('.log li').count()) >= lines, 'the log goes on');
  t.same(found, []);
});

await t.test('on a slow line', { skip: noBrowser }, async (t) => {
  const platform = await ForkedPlatform.start(t, LIVELY);
  const guest = await guestAt(platform);
  await eventually('a table', () => guest.table !== null);
  const browser = await openBrowser();
  t.teardown(() => browser.close());
  const line = await Line.open(t, platform.port, below);
  line.weather = 'slow';
  const url = `http://127.0.0.1:${line.port}`;
  const slow = async (address: string) => {
    const page = await (await openContext(browser, { url, address })).newPage();
    return { page, found: complaints(page) };
  };

  await t.test('pages come, and a table is watched', async (t) => {
    const { page, found } = await slow('198.18.2.1');
    for (const path of ['/', '/leaderboard', '/tables']) {
      await page.goto(url + path);
      await drawn(page);
    }
    await page.locator('.list a').first().click();
    await page.getByRole('button', { name: 'Live', exact: true }).click();
    const first = await handIn(page);
    await eventually('the next hands', async () => (await handIn(page)) > first + 1);
    t.same(found, []);
  });

  await t.test('a part of a page that does not load is said, and comes by itself', async () => {
    const page = await (await openContext(browser, { url: platform.url, address: '198.18.2.4' })).newPage();
    let refusals = 2;
    await page.route('**/api/season/current', (route) =>
      refusals-- > 0 ? route.fulfill({ status: 500, json: { detail: 'Internal Server Error' } }) : route.continue(),
    );
    await page.goto(`${platform.url}/leaderboard`);
    await page.getByText('A part of this page did not load.').waitFor();
    await page.getByText('Ends in').waitFor();
    await page.getByText('A part of this page did not load.').waitFor({ state: 'detached' });
  });

  await t.test('a table is left before it is connected, and nobody complains', async (t) => {
    const { page, found } = await slow('198.18.2.3');
    await page.goto(url + '/tables');
    // The page of a table is loaded already when it is opened again. Its connection comes last.
    for (let times = 0; times < 3; times++) {
      const connecting = page.waitForEvent('websocket');
      await page.locator('.list a').first().click();
      const socket = await connecting;
      await page.getByRole('link', { name: 'Tables', exact: true }).click();
      await page.locator('.list a').first().waitFor();
      if (!socket.isClosed()) await socket.waitForEvent('close');
    }
    t.same(found, []);
  });

  await t.test('what is not there yet is drawn as such', async (t) => {
    const { page, found } = await slow('198.18.2.2');
    let answer = () => {};
    const asked = new Promise<void>((resolve) => (answer = resolve));
    await page.route('**/api/**', async (route) => {
      await asked;
      await route.continue();
    });
    await page.goto(`${url}/tables`);
    await page.locator('.skeletons').waitFor();
    answer();
    await page.locator('.list a').first().waitFor();
    await page.locator('.skeletons').waitFor({ state: 'detached' });
    t.same(found, []);
  });
});
