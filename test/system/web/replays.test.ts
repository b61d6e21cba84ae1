/**
 * Hands in a real browser, against a real platform with house bots. Each replay ends with the result of the record, by
 * mouse and by keys, and its proof holds. Also embedded, on a phone, and in the dark scheme. Files are read without a
 * request. Without spoilers no card and no result stands in the document before it is shown. Odds are those of the
 * record, and the worker counts what the analytics count. The page is drawn even if the signed-in user is known late or
 * changes. Nothing on the console, no failed request, nothing that axe finds.
 */
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeFileSync } from 'node:fs';
import * as fc from 'fast-check';
import type { Static } from 'typebox';
import type { Page } from 'playwright-core';
import t from 'tap';
import { handName } from '../../../src/protocol/table-name.js';
import type { PublicHand } from '../../../src/protocol/rest/public.js';
import { eventually, FILE_MS } from '../../support/limits.js';
import { TestPlatform } from '../../support/platform.js';
import { SEED } from '../../support/seed.js';
import { complaints, drawn, noBrowser, openBrowser, openContext, PHONE, type Look } from '../../web/browser.js';
import { guestAt } from '../../web/guest.js';
import { picture, violations } from '../../web/picture-in-page.js';
import { standing, tellTales, told, watchedFor } from '../../web/told.js';
import { askWorker, DEALS, expectedShares, streetShares } from '../../web/worker-counts.js';

t.setTimeout(FILE_MS);

type Hand = Static<typeof PublicHand>;
const HANDS = 20;

/** Hands that a guest has played with the house. */
async function playedHands(platform: TestPlatform): Promise<Hand[]> {
  const player = await guestAt(platform);
  const results = () => player.frames.filter((frame) => frame.type === 'hand_result');
  await eventually('hands to replay', () => results().length >= HANDS);
  const ids = results().map(({ hand_id: id }) => id);
  const answers = await Promise.all(ids.slice(0, HANDS).map((id) => platform.api('GET', `/api/hands/${id}`)));
  player.ws.close();
  return answers.map(({ body }) => body as Hand);
}

/** A promise that waits for its release. */
function holding(): { held: Promise<void>; release: () => void } {
  let release = () => {};
  const held = new Promise<void>((resolve) => (release = resolve));
  return { held, release };
}

const endOf = ({ players, events }: Hand) => ({
  plates: players.map(({ seat, stack_end: stack, payout: won }) => ({ seat, stack, won })),
  board: events.flatMap((event) => (event.type === 'community_cards' ? event.cards : [])).length,
});

await t.test('replays', { skip: noBrowser }, async (t) => {
  const platform = await TestPlatform.start(t, { HOUSE_BOTS: 3, BETWEEN_HANDS_MS: 0 });
  const hands = await playedHands(platform);
  const browser = await openBrowser();
  t.teardown(() => browser.close());
  let addresses = 0;
  const visit = async (path: string, look: Partial<Look> = {}, script = '') => {
    const address = `198.18.0.${++addresses}`;
    const context = await openContext(browser, { url: platform.url, address, ...look });
    await context.addInitScript(script);
    const page = await context.newPage();
    const found = complaints(page);
    await page.goto(platform.url + path);
    await drawn(page);
    return { page, found, done: () => context.close() };
  };

  await t.test(`${HANDS} hands end as they are recorded, and their proofs hold`, async (t) => {
    const { page, found, done } = await visit(`/hands/${hands[0]!.hand_id}#result`);
    for (const hand of hands) {
      await page.goto(`${platform.url}/hands/${hand.hand_id}#result`);
      await drawn(page);
      const { plates, board } = await picture(page);
      t.same({ plates, board }, endOf(hand), `hand ${hand.hand_number}`);
      await page.locator('.proof li').first().waitFor();
      t.equal(await page.locator('.proof .fails').count(), 0, 'no line of the proof fails');
      t.equal(await page.locator('.proof .holds').count(), 2, 'the deck and its cards are proved');
    }
    t.same(found, []);
    await done();
  });

  // A hand with a winner: players that split a pot of their own chips gain nothing.
  const won = hands.filter(({ players }) => players.some((player) => player.stack_end > player.stack_start));
  const shown = won.find(({ players }) => players.filter((player) => player.shown).length > 1) ?? won[0]!;
  const link = `/hands/${shown.hand_id}`;
  const actions = shown.events.filter(({ type }) => type === 'player_action').length;

  /** Waits for the picture's end, which comes a moment after the key. */
  const endComes = (page: Page) =>
    eventually('the end of the hand', async () => {
      const { plates } = await picture(page);
      return JSON.stringify(plates) === JSON.stringify(endOf(shown).plates);
    });

  await t.test('step by step: keys, the log, the address', async (t) => {
    const { page, found, done } = await visit(link);
    await page.keyboard.press('ArrowRight');
    t.match(page.url(), /#1$/);
    for (let i = 0; i < actions + 6; i++) await page.keyboard.press('ArrowRight');
    t.match(page.url(), /#result$/);
    await endComes(page);
    await page.keyboard.press('Home');
    t.match(page.url(), /#0$/);
    const flop = page.locator('.log-street button').first();
    if (await flop.isVisible()) {
      await flop.click();
      t.match(page.url(), /#flop$/);
      t.equal((await picture(page)).board, 3);
    }
    const seen = page.locator('.seat .card-rank').first();
    await page.keyboard.press('f');
    await seen.waitFor({ state: 'detached' });
    await page.keyboard.press('f');
    await seen.waitFor({ state: 'attached' });
    t.pass('cards of others are hidden, and seen again');
    await page.keyboard.press('?');
    await page.locator('dialog[open]').waitFor();
    t.same(found, []);
    await done();
  });

  await t.test('a walk by keys alone: steps, hands, the link, the cards, help', async (t) => {
    const between = hands.find((hand) => hand.previous_hand_id !== null && hand.next_hand_id !== null)!;
    const { page, found, done } = await visit(`/hands/${between.hand_id}`);
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    const at = (path: string) => eventually(path, () => Promise.resolve(page.url().endsWith(path)));
    const titled = (hand: Hand) =>
      page.getByRole('heading', { level: 1, name: handName(hand.table_id, hand.hand_number) });
    await titled(between).waitFor();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowRight');
    await at(`${between.hand_id}#2`);
    await page.keyboard.press('c');
    await page.getByRole('button', { name: 'Copied', exact: true }).waitFor();
    t.equal(
      await page.evaluate(() => navigator.clipboard.readText()),
      `${platform.url}/hands/${between.hand_id}?at=2#2`,
    );
    await page.keyboard.press('ArrowDown');
    await at(between.next_hand_id!);
    await page.locator('h1', { hasText: `#${(between.hand_number + 1).toLocaleString('en')}` }).waitFor();
    await drawn(page);
    await page.keyboard.press('ArrowRight');
    await at(`${between.next_hand_id!}#1`);
    await page.keyboard.press('ArrowUp');
    await at(between.hand_id);
    await titled(between).waitFor();
    await page.keyboard.press('ArrowUp');
    await at(between.previous_hand_id!);
    await page.locator('h1', { hasText: `#${(between.hand_number - 1).toLocaleString('en')}` }).waitFor();
    await page.keyboard.press('ArrowDown');
    await at(between.hand_id);
    await titled(between).waitFor();
    await page.keyboard.press('End');
    await at(`${between.hand_id}#result`);
    const toggle = page.getByRole('checkbox', { name: 'No spoilers' });
    await page.keyboard.press('f');
    t.ok(await toggle.isChecked());
    await page.keyboard.press('f');
    t.notOk(await toggle.isChecked());
    await page.keyboard.press('Home');
    await page.keyboard.press(' ');
    await page.getByRole('button', { name: 'Pause' }).waitFor();
    await page.keyboard.press(' ');
    await page.getByRole('button', { name: 'Play' }).waitFor();
    await page.keyboard.press('?');
    await page.locator('dialog[open]').waitFor();
    await page.keyboard.press('Escape');
    await page.locator('dialog[open]').waitFor({ state: 'detached' });
    t.match(await page.title(), handName(between.table_id, between.hand_number));
    t.same(found, []);
    await done();
  });

  await t.test('without spoilers no card and no result is in the document before it is shown', async (t) => {
    for (const [path, look] of [
      [link, {}],
      [link, PHONE],
      [`/embed${link}`, {}],
    ] as const) {
      const { page, found, done } = await visit(path, look, watchedFor(tellTales(shown)));
      const toggle = page.getByRole('checkbox', { name: 'No spoilers' });
      t.notOk(await toggle.isChecked(), 'by choice');
      if (path === link) t.not((await standing(page)).length, 0, 'while they are shown the page tells');
      await toggle.focus();
      await page.keyboard.press(' ');
      t.ok(await toggle.isChecked(), 'by the keyboard');
      await page.reload();
      await drawn(page);
      t.ok(await toggle.isChecked(), 'and it is remembered');
      const steps = Number(await page.getByRole('slider').getAttribute('max'));
      for (let step = 1; step < steps; step++) await page.keyboard.press('ArrowRight');
      t.notMatch(page.url(), /#result$/);
      t.same(await told(page), [], `nothing was told at any moment: ${path}`);
      t.same((await picture(page)).shown, [], 'all cards lie face down');
      await page.keyboard.press('ArrowRight');
      t.match(page.url(), /#result$/);
      await endComes(page);
      const open = shown.players.filter((player) => player.shown).map(({ seat }) => seat);
      t.same((await picture(page)).shown, open, 'and are open at the end');
      if (path === link) {
        await page.locator('.log-result').first().waitFor({ state: 'attached' });
        await page.locator('.results .gain').first().waitFor({ state: 'attached' });
        await page.locator('.proof').waitFor({ state: 'attached' });
      }
      t.same(found, []);
      await done();
    }
  });

  await t.test('who is to act has the price and the pot of the record', async (t) => {
    const { page, found, done } = await visit(`${link}#0`);
    const odds = page.locator('.odds');
    let priced = 0;
    for (const event of shown.events) {
      if (event.type === 'community_cards') await page.keyboard.press('ArrowRight');
      if (event.type !== 'player_action') continue;
      const { name, to_call_before: price, pot_before: pot } = event;
      if (price !== null && price > 0) {
        priced++;
        const share = ((100 * price) / (pot + price)).toFixed(1);
        const words = `${name} pays ${price.toLocaleString('en')} to win ${pot.toLocaleString('en')}: must win ${share} %`;
        t.ok((await odds.textContent())?.startsWith(words), words);
      } else t.equal((await odds.textContent())?.trim(), '', 'nothing to pay');
      await page.keyboard.press('ArrowRight');
    }
    t.not(priced, 0);
    t.same(found, []);
    await done();
  });

  await t.test('the worker counts what the analytics count, and the page shows it a street', async (t) => {
    const { page, found, done } = await visit(`${link}#result`);
    const asked = fc.sample(DEALS, { seed: SEED, numRuns: 60 });
    const answers = await askWorker(page, asked);
    const wrong = asked.filter((question, i) => {
      const wanted = expectedShares(question);
      return answers[i]!.shares.some((share, hand) => Math.abs(share - wanted[hand]!) > 1e-9);
    });
    t.same(wrong, [], `${asked.length} deals, SEED=${SEED}`);

    const table = page.getByRole('table', { name: 'Equity a street' });
    await table.locator('td', { hasText: '%' }).first().waitFor();
    for (const { street, shares } of streetShares(shown)) {
      const column = await table
        .locator('thead th')
        .evaluateAll((heads, name) => heads.findIndex(({ textContent }) => textContent === name), street);
      for (const [name, share] of shares) {
        const cell = table.getByRole('row', { name }).locator('th, td').nth(column);
        t.equal(await cell.textContent(), `${(100 * share).toFixed(1)} %`, `${name} at the ${street}`);
      }
    }
    t.same(found, []);
    await done();
  });

  await t.test('where cards are known the equity of each hand is counted in a worker', async (t) => {
    const { page, found, done } = await visit(link);
    await page.locator('.equity-text').first().waitFor();
    const shares = (await page.locator('.equity-text').allTextContents()).map((text) => parseFloat(text));
    const sum = shares.reduce((a, b) => a + b, 0);
    t.ok(Math.abs(sum - 100) < 0.4, `${shares.join(' + ')} = 100 %`);
    t.same(found, []);
    await done();
  });

  await t.test('embedded, and on a phone: the same hand', async (t) => {
    for (const look of [{}, PHONE]) {
      const { page, found, done } = await visit(`/embed${link}#result`, look);
      t.same((await picture(page)).plates, endOf(shown).plates);
      t.equal(await page.locator('header.top').count(), 0, 'and nothing around it');
      const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      t.ok(wide <= 0, 'nothing scrolls sideways');
      t.same(found, []);
      await done();
    }
  });

  await t.test('files are replayed without a request', async (t) => {
    const { page, found, done } = await visit('/replay');
    const phh = await platform.api('GET', `/api${link}/file?format=phh`);
    const file = join(tmpdir(), `agent-poker-${process.pid}.phhs`);
    writeFileSync(file, String(phh.body));
    const requests: string[] = [];
    page.on('request', (request) => requests.push(new URL(request.url()).pathname));
    await page.setInputFiles('input[type=file]', file);
    await page.locator('.table-picture').waitFor();
    await eventually('the end', async () => {
      await page.keyboard.press('End');
      return page.url().endsWith('#result');
    });
    await endComes(page);
    t.same(
      requests.filter((path) => !/^\/(assets\/|favicon)/.test(path)),
      [],
      'but for parts of the page',
    );
    await page.setInputFiles('input[type=file]', { name: 'x.txt', mimeType: 'text/plain', buffer: Buffer.from('no') });
    await page.getByRole('alert').waitFor();
    t.same(found, []);
    await done();
  });

  await t.test('axe finds nothing, by day and by night', async (t) => {
    for (const dark of [false, true]) {
      for (const path of [`${link}#result`, link, `/embed${link}`, '/replay']) {
        const { page, found, done } = await visit(path, { dark });
        t.same(await violations(page), [], `${path}${dark ? ' in the dark' : ''}`);
        t.same(found, []);
        await done();
      }
    }
  });

  await t.test('who is signed in may be told last: what is drawn stays', async (t) => {
    const context = await openContext(browser, { url: platform.url, address: `198.18.0.${++addresses}` });
    const page = await context.newPage();
    const found = complaints(page);
    const { held, release } = holding();
    await page.route('**/api/auth/session', async (route) => {
      await held;
      await route.continue();
    });
    await page.goto(`${platform.url}${link}#result`);
    await drawn(page);
    release();
    await page.locator('a.account').waitFor();
    await drawn(page);
    t.same((await picture(page)).plates, endOf(shown).plates);
    t.same(found, []);
    await context.close();
  });

  await t.test('when somebody else is signed in what is shown is asked for anew', async (t) => {
    const context = await openContext(browser, { url: platform.url, address: `198.18.0.${++addresses}` });
    const page = await context.newPage();
    const { held, release } = holding();
    const times = { session: 0, hand: 0 };
    // The first answers: the visitor is a guest, and the server is away. The page asks again when the server is back.
    await page.route('**/api/auth/session', async (route) => {
      if (times.session++ === 0) return route.continue();
      await held;
      const response = await route.fetch();
      const other = { signed_in: true, email: 'other@example.com', agent_id: shown.hand_id, agent_name: 'other_one' };
      await route.fulfill({ response, json: { ...((await response.json()) as object), ...other } });
    });
    await page.route(`**/api${link}`, (route) =>
      times.hand++ === 0 ? route.fulfill({ status: 503, json: { detail: 'away' } }) : route.continue(),
    );
    await page.goto(`${platform.url}${link}#result`);
    await page.locator('a.account').waitFor();
    await page.locator('.table-picture').waitFor();
    const before = times.hand;
    release();
    await page.locator('a.account', { hasText: 'other_one' }).waitFor();
    await drawn(page);
    t.same((await picture(page)).plates, endOf(shown).plates);
    t.equal(times.hand, before + 1);
    await context.close();
  });

  await t.test('a hand that is not there', async (t) => {
    const { page, done } = await visit('/hands/018f4e0b-0000-7000-8000-0000000000a1');
    await page.getByRole('alert').waitFor();
    t.match(await page.getByRole('alert').textContent(), /not found/i);
    await done();
  });
});
