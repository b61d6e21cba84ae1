/**
 * Tables in a real browser while house bots play at them. Cards and chips of twenty drawn hands agree with their
 * records. The pace can be chosen, and a bot is followed. A table that closes, or does not exist, says so.
 */
import t from 'tap';
import type { Static } from 'typebox';
import type { Page } from 'playwright-core';
import type { PublicHand } from '../../../src/protocol/rest/public.js';
import { eventually, FILE_MS, FULL } from '../../support/limits.js';
import { TestPlatform } from '../../support/platform.js';
import { complaints, drawn, noBrowser, openBrowser, openContext, PHONE, type Look } from '../../web/browser.js';
import { guestAt, RICH } from '../../web/guest.js';
import { picture, violations } from '../../web/picture-in-page.js';

t.setTimeout(FILE_MS);

type Hand = Static<typeof PublicHand>;
const HANDS = FULL ? 20 : 8;

/** The picture at the end of a hand, with the hand's id from the link to its replay. */
async function shownEnd(page: Page) {
  const id =
    /[0-9a-f-]{36}/.exec((await page.locator('a[href^="/hands/"]').first().getAttribute('href')) ?? '')?.[0] ?? '';
  return { id, ...(await picture(page)) };
}

await t.test('tables', { skip: noBrowser }, async (t) => {
  const platform = await TestPlatform.start(t, { ...RICH, HOUSE_BOTS: 3, BETWEEN_HANDS_MS: 100 });
  const player = await guestAt(platform);
  await eventually('a table', () => player.table !== null);
  const path = `/tables/${player.table!}`;
  const browser = await openBrowser();
  t.teardown(() => browser.close());
  let addresses = 0;
  const visit = async (to: string, look: Partial<Look> = {}) => {
    const context = await openContext(browser, { url: platform.url, address: `198.18.1.${++addresses}`, ...look });
    const page = await context.newPage();
    const found = complaints(page);
    await page.goto(platform.url + to);
    await drawn(page);
    return { page, found, done: () => context.close() };
  };

  await t.test(`${HANDS} hands are drawn as they are recorded`, async (t) => {
    const { page, found, done } = await visit(path);
    await page.getByRole('button', { name: 'Step' }).click();
    const next = page.getByRole('button', { name: /^Next/ });
    const seen = new Map<string, Awaited<ReturnType<typeof shownEnd>>>();
    while (seen.size < HANDS) {
      // A press shows nothing if no hand waits. The page shows the number of waiting hands.
      await page.getByRole('button', { name: /^Next \(/ }).waitFor();
      await next.click();
      if ((await page.locator('.seat.won').count()) === 0) continue;
      const end = await shownEnd(page);
      if (!seen.has(end.id)) seen.set(end.id, end);
    }
    const records = await Promise.all([...seen.keys()].map((id) => platform.api('GET', `/api/hands/${id}`)));
    for (const { body } of records) {
      const hand = body as Hand;
      const { plates, board, shown } = seen.get(hand.hand_id)!;
      const dealt = new Set(hand.players.map(({ seat }) => seat));
      t.same(
        plates.filter(({ seat }) => dealt.has(seat)),
        hand.players.map(({ seat, stack_end: stack, payout: won }) => ({ seat, stack, won })),
        `hand ${hand.hand_number}`,
      );
      t.equal(board, hand.events.flatMap((event) => (event.type === 'community_cards' ? event.cards : [])).length);
      t.same(
        shown,
        hand.players.filter((each) => each.shown).map(({ seat }) => seat),
        'whose cards are open',
      );
    }
    t.same(found, []);
    await done();
  });

  await t.test('at 1× hands are left out, and it says how many', async (t) => {
    const { page, found, done } = await visit(path);
    await page.getByRole('button', { name: '1×' }).click();
    await page
      .locator('.log-note', { hasText: /hands? later/ })
      .first()
      .waitFor();
    t.same(found, []);
    await done();
  });

  await t.test('from the list of tables to one, and a bot that is followed stands in the address', async (t) => {
    const { page, found, done } = await visit('/tables');
    await page.locator('.list a').first().click();
    await page.locator('.table-picture').waitFor();
    await page
      .getByRole('button', { name: /^Watch this bot/ })
      .first()
      .click();
    await page.waitForURL(/\?bot=/);
    await page.locator('.seat.followed').waitFor();
    t.same(found, []);
    await done();
  });

  await t.test('axe finds nothing, by day and by night, wide and narrow', async (t) => {
    for (const look of [{}, { dark: true }, { ...PHONE, dark: true }]) {
      for (const to of [path, '/tables']) {
        const { page, found, done } = await visit(to, look);
        if (to === path) await page.locator('.table-picture').waitFor();
        t.same(await violations(page), [], `${to} ${JSON.stringify(look)}`);
        const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        t.ok(wide <= 0, 'nothing scrolls sideways');
        t.same(found, []);
        await done();
      }
    }
  });

  await t.test('a table that is not there', async (t) => {
    const { page, found, done } = await visit('/tables/018f4e0b-0000-7000-8000-000000000001');
    await page.getByText('This table is closed, or there never was one').waitFor();
    t.same(found, []);
    await done();
  });
});

await t.test('a table that closes while it is watched', { skip: noBrowser }, async (t) => {
  // House bots would stay, and keep the table open.
  const platform = await TestPlatform.start(t, { ...RICH, HOUSE_BOTS: 0, BETWEEN_HANDS_MS: 100 });
  const guests = [await guestAt(platform), await guestAt(platform)];
  await eventually('a table', () => guests.every(({ table }) => table !== null));
  const browser = await openBrowser();
  t.teardown(() => browser.close());
  const page = await (await openContext(browser, { url: platform.url })).newPage();
  const found = complaints(page);
  await page.goto(`${platform.url}/tables/${guests[0]!.table!}`);
  await page.locator('.table-picture').waitFor();
  for (const guest of guests) {
    guest.onFrame = null;
    guest.ws.send(JSON.stringify({ type: 'leave_table' }));
  }
  await page.getByText('This table is closed').waitFor();
  t.ok(await page.locator('.stage.dimmed .table-picture').isVisible(), 'what was last seen stays, dimmed');
  t.same(found, []);
});
