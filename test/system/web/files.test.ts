/**
 * The page /replay in a real browser. A file with good and bad hands is read in a worker. The good ones replay, and
 * each bad one is listed with its line and reason. Two players sit opposite each other, and empty seats are not drawn.
 * A fault of the page itself replaces neither the page nor the other hands.
 */
import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import t from 'tap';
import { eventually, FILE_MS } from '../../support/limits.js';
import { TestPlatform } from '../../support/platform.js';
import { complaints, drawn, noBrowser, openBrowser, openContext, PHONE, type Look } from '../../web/browser.js';
import { violations } from '../../web/picture-in-page.js';

t.setTimeout(FILE_MS);

const [LONG, WIDE] = ['a_name_of_32_letters_is_long_one', 'W'.repeat(32)];

/** Two players with seven-digit stacks and names of 32 letters. */
const headsUp = (
  number: number,
  collected = '2469135.78',
) => `PokerStars Hand #${number}:  Hold'em No Limit ($0.50/$1.00 USD) - 2026/01/05 9:00:00 ET
Table 'Alpha' 6-max Seat #2 is the button
Seat 2: ${LONG} ($1234567.89 in chips)
Seat 3: ${WIDE} ($2345678.90 in chips)
${LONG}: posts small blind $0.50
${WIDE}: posts big blind $1
*** HOLE CARDS ***
Dealt to ${WIDE} [Ah Ks]
${LONG}: raises $1234566.89 to $1234567.89 and is all-in
${WIDE}: calls $1234566.89
*** FLOP *** [2c 7d Jh]
*** TURN *** [2c 7d Jh] [3c]
*** RIVER *** [2c 7d Jh 3c] [4s]
*** SHOW DOWN ***
${LONG}: shows [Qh Qs] (a pair of Queens)
${WIDE}: shows [Ah Ks] (high card Ace)
${LONG} collected $${collected} from pot
*** SUMMARY ***
Total pot $2469135.78 | Rake $0
Board [2c 7d Jh 3c 4s]
Seat 2: ${LONG} (button) (small blind) showed [Qh Qs] and won ($2469135.78) with a pair of Queens
Seat 3: ${WIDE} (big blind) showed [Ah Ks] and lost with high card Ace


`;
const CASH = `${readFileSync(new URL('../../../../test/fixtures/pokerstars-cash.txt', import.meta.url), 'utf8')}\n\n\n`;
const MIXED = headsUp(1) + headsUp(2, '2469135.77') + CASH + headsUp(4).replace('[Ah Ks]', '[Ah Qs]') + headsUp(5);

const choose = (page: Page, name: string, text: string) =>
  page.setInputFiles('input[type=file]', { name, mimeType: 'text/plain', buffer: Buffer.from(text) });
const place = (page: Page, words: string) => page.locator('.file-hand', { hasText: words }).waitFor();
/** The middles of the plates, in pixels of the page. */
const plates = (page: Page) =>
  page.locator('.seat .plate').evaluateAll((all) =>
    all.map((plate) => {
      const { x, y, width, height } = plate.getBoundingClientRect();
      return { x: Math.round(x + width / 2), y: Math.round(y + height / 2) };
    }),
  );

/** A worker with answers that no file causes. */
const ANSWERS = `
  const answer = (message) => self.postMessage(message);
  self.onmessage = ({ data }) => {
    if (data.kind === 'open') answer({ kind: 'progress', found: 2, read: 2, hands: 2, unreadable: 0 });
    if (data.kind === 'hand') answer({ kind: 'hand', index: data.index, hand: { title: 'Hand #' + data.index, moves: null } });
    if (data.kind === 'rows') answer({ kind: 'rows', from: 0, rows: [] });
  };`;

await t.test('files in a browser', { skip: noBrowser }, async (t) => {
  const platform = await TestPlatform.start(t, { HOUSE_BOTS: 0 });
  const browser = await openBrowser();
  t.teardown(() => browser.close());
  let addresses = 0;
  /** `worker` replaces the program that reads files. */
  const visit = async (look: Partial<Look> = {}, { expected = [] as RegExp[], worker = '' } = {}) => {
    const context = await openContext(browser, { url: platform.url, address: `198.18.1.${++addresses}`, ...look });
    const page = await context.newPage();
    const found = complaints(page, expected);
    await page.goto(`${platform.url}/replay`);
    await drawn(page);
    if (worker !== '') {
      const path = (await page.locator('meta[name="file-worker"]').getAttribute('content'))!;
      await context.route(`**${path}`, (route) => route.fulfill({ contentType: 'text/javascript', body: worker }));
    }
    return { page, found, done: () => context.close() };
  };

  await t.test('good hands replay, bad ones are listed with their reasons', async (t) => {
    const { page, found, done } = await visit({ width: 1280, height: 800 });
    await choose(page, 'mixed.txt', MIXED);
    await place(page, '1 of 3 hands');
    await page.getByRole('status').filter({ hasText: '3 hands 2 unreadable' }).waitFor();
    const reasons = page.locator('.unreadable li');
    await reasons.nth(1).waitFor();
    const [pot, card] = await reasons.allTextContents();
    const lines = MIXED.split('\n');
    t.match(pot, /^Hand #2, line \d+: .*2469135\.77/);
    t.match(card, /^Hand #4, line \d+: .*Qs/);
    for (const [text, told] of [
      [pot, '2469135.77'],
      [card, 'Qs'],
    ] as const) {
      const line = Number(/line (\d+)/.exec(text!)![1]);
      t.match(lines[line - 1], told, `line ${line} is the one that is wrong`);
    }

    const two = await plates(page);
    t.equal(two.length, 2, 'empty seats are not drawn');
    t.equal(two[0]!.x, two[1]!.x, 'two players sit opposite each other');
    const shown = page.locator('.seat .stack').first();
    t.match(await shown.textContent(), /^\$1\.23M/, 'a large amount is short');
    t.match(await shown.locator('title').textContent(), /^\$[\d,]+\.\d\d$/, 'and its title has the cents');
    const bottom = await page.locator('.scrubber').evaluate((scrubber) => scrubber.getBoundingClientRect().bottom);
    t.ok(bottom <= 800, `the scrubber ends at ${bottom} of 800 px`);

    await page.keyboard.press('End');
    await page.locator('.log-result', { hasText: 'wins $2,469,135.78' }).waitFor();
    await page.keyboard.press('ArrowDown');
    await place(page, '2 of 3 hands · Hand #20030405');
    t.notMatch(page.url(), /#/, 'the next hand begins with its deal');
    t.equal((await plates(page)).length, 4);
    await page.keyboard.press('ArrowDown');
    await place(page, '3 of 3 hands');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowUp');
    await place(page, '2 of 3 hands');
    t.same(
      await page.getByRole('table', { name: 'Hands of the file' }).locator('td:first-child').allTextContents(),
      ['1', '3', '5'],
      'hands have the numbers of the file',
    );
    await page.getByRole('button', { name: 'Hand #5' }).click();
    await place(page, '3 of 3 hands');
    await page.getByLabel('Go to hand no.').fill('2');
    await page.keyboard.press('Enter');
    await place(page, '2 of 3 hands');
    t.same(found, []);
    await done();
  });

  await t.test('a large file is listed by pages, and the next file takes its place', async (t) => {
    const { page, found, done } = await visit();
    const text = Array.from({ length: 3000 }, (_, i) => headsUp(i + 1)).join('');
    await choose(page, 'large.txt', text);
    await page.getByRole('status').filter({ hasText: '3,000 hands' }).waitFor();
    await page.getByLabel('Go to hand no.').fill('2500');
    await page.keyboard.press('Enter');
    await place(page, '2,500 of 3,000 hands · Hand #2500');
    await page.locator('tr.marked', { hasText: 'Hand #2500' }).waitFor();
    t.equal(await page.locator('.list tbody tr').count(), 20);
    await choose(page, 'cash.txt', CASH);
    await page.getByRole('status').filter({ hasText: '1 hand' }).waitFor();
    await place(page, 'Hand #20030405');
    t.equal(await page.locator('.list').count(), 0, 'one hand needs no list');
    t.same(found, []);
    await done();
  });

  await t.test('a file that cannot be read has a sentence, and the page goes on', async (t) => {
    const { page, found, done } = await visit();
    for (const [name, text, words] of [
      ['winamax.txt', 'Winamax Poker - CashGame - HandId: #1-2-3 - Holdem no limit (1€/2€)', /Winamax/],
      ['hello.txt', 'hello', /no hand/],
      ['cut.txt', headsUp(1).slice(0, 400), /No hand of the file can be replayed/],
    ] as const) {
      await choose(page, name, text);
      await page.locator('.file-name', { hasText: name }).waitFor();
      t.match(await page.getByRole('alert').textContent(), words);
    }
    await choose(page, 'good.txt', headsUp(1));
    await place(page, 'Hand #1');
    t.equal(await page.getByRole('alert').count(), 0);
    t.same(found, []);
    await done();
  });

  await t.test('a fault of the page leaves the page and the file as they are', async (t) => {
    const { page, found, done } = await visit({}, { worker: ANSWERS, expected: [/thrown: /] });
    const thrown: string[] = [];
    page.on('pageerror', ({ message }) => thrown.push(message));
    await choose(page, 'x.txt', 'x');
    await page.getByRole('alert').filter({ hasText: 'could not be shown' }).waitFor();
    t.equal(await page.getByRole('heading', { level: 1 }).textContent(), 'Replay a file');
    await eventually('the error on the console', () => thrown.length > 0);
    t.same(found, []);
    await done();

    const broken = await visit({}, { worker: 'throw new Error("planted")', expected: [/planted/] });
    await choose(broken.page, 'x.txt', 'x');
    await broken.page.getByRole('alert').filter({ hasText: 'could not be read' }).waitFor();
    t.same(broken.found, []);
    await broken.done();
  });

  await t.test('axe finds nothing, and nothing scrolls sideways', async (t) => {
    for (const look of [{}, { dark: true }, PHONE]) {
      const { page, found, done } = await visit(look);
      await choose(page, 'mixed.txt', MIXED);
      await page.getByRole('status').filter({ hasText: '3 hands' }).waitFor();
      await page.locator('tr.marked').waitFor();
      t.same(await violations(page), [], JSON.stringify(look));
      const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      t.ok(wide <= 0, `${wide} px too wide`);
      t.same(found, []);
      await done();
    }
  });
});
