/**
 * An owner's work for its bot, in a real browser: season, rebuys, pass and key. Mishaps appear on the page at once,
 * each with its frames. All opponents of the bot are listed. Its hands are found and downloaded as a file that shows
 * its progress. Its present table is a link. The reader's choices are in the address.
 */
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import t from 'tap';
import { decodeRecord } from '../../../src/table/record/record-codec.js';
import { stuffHands } from '../../support/bulk-hands.js';
import { stopCluster } from '../../support/database.js';
import { eventually, FILE_MS } from '../../support/limits.js';
import { Player } from '../../support/player.js';
import { complaints, noBrowser, openBrowser, openContext } from '../../web/browser.js';
import { violations } from '../../web/picture-in-page.js';
import { Stage } from '../../web/stage.js';

t.setTimeout(FILE_MS);
t.teardown(stopCluster);

/** Hands of a file that takes some seconds. */
const LONG = 20_000;

await t.test('in a browser', { skip: noBrowser }, async (t) => {
  const stage = await Stage.open(t);
  const { platform } = stage;
  const owner = await stage.owner('ada_bot');
  const { body } = await platform.api('POST', '/api/me/regenerate-key', { headers: owner.headers });
  const account = { ...owner, key: (body as { api_key: string }).api_key, seqs: new Map<string, number>() };
  const browser = await openBrowser();
  t.teardown(() => browser.close());
  const context = await openContext(browser, { url: platform.url, cookie: owner.cookie, address: '198.18.0.1' });
  const page = await context.newPage();
  // The API answers so for a season that the bot has not entered.
  const found = complaints(page, [/^404 \/api\/season\/me$/]);

  await t.test('into the season, out of chips, and back', async (t) => {
    await page.goto(`${platform.url}/bot`);
    await page.getByRole('button', { name: 'Enter the season' }).click();
    const itself = page.getByLabel('Automatic rebuys');
    await itself.check();
    const entry = async () =>
      (await platform.api('GET', '/api/season/me', { headers: owner.headers })).body as Record<string, unknown>;
    await eventually('the preference', async () => (await entry())['auto_rebuy'] === true);
    await itself.uncheck();
    await eventually('the preference', async () => (await entry())['auto_rebuy'] === false);
    t.equal(await page.getByRole('button', { name: 'Rebuy now' }).count(), 0, 'with chips there is none to ask for');

    await platform.sql!`
      with lost as (
        update entries set chip_balance = 0 where agent_id = ${owner.agentId} returning pool_id, agent_id)
      insert into chip_ledger (pool_id, agent_id, type, amount, balance_after)
      select pool_id, agent_id, 'reset', -5000, 0 from lost`;
    await page.reload();
    await page.getByRole('button', { name: 'Rebuy now' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('It is rebuy number 1.').waitFor();
    await dialog.getByRole('button', { name: 'Rebuy' }).click();
    await page.getByRole('button', { name: 'Rebuy now' }).waitFor({ state: 'detached' });
    t.match(await entry(), { chip_balance: 1500, rebuys: 1 });
  });

  await t.test('the season pass is paid with credits', async (t) => {
    const buy = async () => {
      await page.getByRole('button', { name: 'Buy the season pass' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Buy it' }).click();
    };
    const poor = complaints(page, [/^402 \/api\/season\/pass$/]);
    await buy();
    await page.getByRole('dialog').getByRole('alert').waitFor();
    t.same(poor, [], 'without credits the page says why not');
    found.length = 0;
    await platform.api('POST', '/api/deposit/dev', { body: { amount: 100 }, headers: owner.headers });
    await page.reload();
    await buy();
    await page.getByText('Season pass', { exact: true }).waitFor();
    const { body } = await platform.api('GET', '/api/season/me', { headers: owner.headers });
    t.match(body, { premium: true });
  });

  await t.test('a new key is shown once, and ends the old one', async (t) => {
    const { key: old } = account;
    await page.getByRole('button', { name: 'Make a new key' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Make a new key' }).click();
    account.key = (await page.getByLabel('API key', { exact: true }).textContent())!;
    const statusWith = async (key: string) => (await platform.api('GET', '/api/me', { key })).status;
    t.same([await statusWith(old), await statusWith(account.key)], [401, 200]);
    await page.getByRole('button', { name: 'I have kept it' }).click();
    t.equal(await page.getByText(account.key).count(), 0);
    t.same(found, [], 'nothing on the console, no request in vain');
  });

  await t.test('mishaps, as they happen', async (t) => {
    await page.goto(`${platform.url}/bot/mishaps`);
    await page.getByText('Nothing went wrong lately.').waitFor();

    const bot = await Player.open(platform, account);
    bot.send({ type: 'action', action: 'fold', client_action_id: 'too-early<b>' });
    const rejection = await bot.next('action_rejected');
    bot.send({ type: 'join_lobby', buy_in: [] });
    await bot.error('invalid_message');
    await bot.drop();

    const list = page.getByRole('list', { name: 'Mishaps' });
    await list.getByText('The connection broke off, or was silent for too long.').waitFor();
    t.equal(await list.getByRole('listitem').count(), 3);
    await page.getByRole('button', { name: 'Rejected (1)' }).click();
    t.equal(await list.getByRole('listitem').count(), 1);
    t.match(page.url(), /\?kind=rejected$/);
    await list.locator('summary').click();
    t.match(await list.locator('summary').textContent(), rejection.reason);
    t.same(JSON.parse((await page.getByLabel('It was answered').textContent())!), rejection);

    await page.goto(`${platform.url}/bot/mishaps?kind=error`);
    await list.locator('summary').click();
    t.same(JSON.parse((await page.getByLabel('Your bot sent').textContent())!), { type: 'join_lobby', buy_in: [] });
    t.same(found, [], 'nothing on the console, no request in vain');
  });

  await t.test('opponents, in the order that the reader chooses', async (t) => {
    await page.goto(`${platform.url}/bot/opponents`);
    await page.getByText('Your bot has met no opponent this season.').waitFor();
    await stage.play(owner, 20);
    await page.reload();
    const table = page.getByRole('table', { name: 'Opponents' });
    await table.waitFor();
    const told = await platform.api('GET', '/api/me/opponents', { headers: owner.headers });
    const { opponents } = told.body as { opponents: { name: string }[] };
    const names = async () => {
      const cells = await table.locator('tbody tr td:first-child .name').allTextContents();
      return cells.map((text) => opponents.find(({ name }) => text.endsWith(name))?.name);
    };
    t.equal((await names()).length, opponents.length);
    t.notOk((await names()).includes(undefined), 'everybody who was met, by name');
    await table.getByRole('button', { name: 'Bot' }).click();
    await table.getByRole('button', { name: 'Bot' }).click();
    t.match(page.url(), /\?sort=bot$/);
    t.same(
      await names(),
      [...(await names())].sort((a, b) => (a! < b! ? -1 : 1)),
    );
    await page.getByRole('button', { name: '5,000', exact: true }).click();
    await page.getByText(/^The opponents in your bot’s last \d+ hands/).waitFor();
    t.match(page.url(), /hands=5000/);
    t.same(found, [], 'nothing on the console, no request in vain');
  });

  await t.test('its hands, of the days that the reader chooses, and as a file', async (t) => {
    await platform.api('POST', '/api/bot/stop', { headers: owner.headers });
    const atRest = async () => {
      const { body } = await platform.api('GET', '/api/me/active-game', { headers: owner.headers });
      return (body as { playing: boolean }).playing === false;
    };
    await eventually('its end', atRest, 200);
    await page.goto(`${platform.url}/bot/hands`);
    const table = page.getByRole('table', { name: 'Hands' });
    await table.waitFor();
    const history = await platform.api('GET', '/api/me/hand-history', { headers: owner.headers });
    const { total_hands: total } = history.body as { total_hands: number };
    t.equal(await table.locator('tbody tr').count(), Math.min(total, 50), `of ${total} hands a page`);
    await page.getByLabel('From', { exact: true }).fill('2999-12-31');
    await page.getByText('No hand fits.').waitFor();
    t.match(page.url(), /from=2999-12-31/);
    await page.getByRole('button', { name: 'All hands' }).click();
    await table.waitFor();

    // The worst hand leads to its replay, and its link shows the replay to anybody.
    await page.getByLabel('Order').selectOption('biggest loss');
    await page.getByText(/^Searched all/).waitFor();
    const worst = table.locator('tbody tr').first();
    const lost = await worst.locator('.figure').first().textContent();
    await worst.getByRole('link').first().click();
    await page.locator('.table-picture').waitFor();
    t.match(page.url(), /\/hands\/[0-9a-f-]{36}/, `a hand that brought ${lost}`);
    const stranger = await openContext(browser, { url: platform.url, address: '198.18.0.2' });
    const shared = await stranger.newPage();
    await shared.goto(page.url());
    await shared.locator('.table-picture').waitFor();
    await stranger.close();
    await page.goto(`${platform.url}/bot/hands`);
    await table.waitFor();

    for (const [format, ofHand] of [
      ['csv', /^[^\n]*01[0-9a-f]{6}-/gm],
      ['phh', /^\[\d+\]$/gm],
    ] as const) {
      await page.getByLabel('Format').selectOption(format);
      const coming = page.waitForEvent('download');
      await page.getByRole('button', { name: 'Download' }).click();
      const text = readFileSync(await (await coming).path(), 'utf8');
      t.equal([...text.matchAll(ofHand)].length, total, `${format}: every hand`);
      await page.getByText(new RegExp(`^hands-.*: ${total} hands, `)).waitFor();
    }
    t.same(found, [], 'nothing on the console, no request in vain');
  });
  await t.test('a long file tells how far it is, can be stopped, and is saved whole or not at all', async (t) => {
    const [last] = await platform.sql!<{ record: Buffer }[]>`
      select record from hands join hand_players using (pool_id, hand_id) where agent_id = ${owner.agentId} limit 1`;
    const record = { ...decodeRecord(last!.record), tableId: randomUUID() };
    const startAt = Date.now() - LONG * 2000;
    await stuffHands(platform.sql!, { record, agentId: owner.agentId, count: LONG, startAt });
    await page.reload();
    const { body } = await platform.api('GET', '/api/me/hand-history', { headers: owner.headers });
    const { total_hands: total } = body as { total_hands: number };
    t.ok(total > LONG);
    await page.getByLabel('Format').selectOption('json');
    await page.getByLabel('At most').fill('1000000');
    const words = `of ${total.toLocaleString('en')} hands`;
    const bar = page.getByRole('progressbar', { name: words });
    const button = (name: string) => page.getByRole('button', { name, exact: true });

    await button('Download').click();
    await eventually('a part of the file', async () => Number(await bar.getAttribute('value')) > 0);
    t.ok(Number(await bar.getAttribute('value')) < total, 'it tells before the end is there');
    t.equal(Number(await bar.getAttribute('max')), total);
    t.same(await violations(page), []);
    await button('Stop').click();
    await button('Download').waitFor();
    t.equal(await bar.count(), 0);

    const coming = page.waitForEvent('download');
    await button('Download').click();
    const download = await coming;
    t.match(download.suggestedFilename(), /^hands-\d{4}-\d\d-\d\d\.json$/);
    const { hands } = JSON.parse(readFileSync(await download.path(), 'utf8')) as { hands: unknown[] };
    t.equal(hands.length, total, 'every hand');
    await page.getByText(`: ${total.toLocaleString('en')} hands, `).waitFor();

    t.same(found, [], 'nothing on the console, no request in vain');
    await platform.sql!`
      update hands set record = '\\x00' where table_id = ${record.tableId} and hand_number = ${LONG / 2}`;
    await button('Download').click();
    await page.getByRole('alert').waitFor();
    t.match(
      await page.getByRole('alert').textContent(),
      /Nothing was saved/,
      'a hand that cannot be read ends the file',
    );
    t.equal(await page.getByText(`: ${total.toLocaleString('en')} hands, `).count(), 0);
    t.ok(
      found.splice(0).every((words) => words.includes('/export')),
      'which the browser says, too',
    );
  });

  await t.test('where it plays is a link to the live table', async (t) => {
    await platform.api('POST', '/api/bot/deploy', {
      headers: owner.headers,
      body: { mode: 'hosted', strategy: { template: 'shark' } },
    });
    await page.goto(`${platform.url}/bot/hosted`);
    const link = page.getByRole('main').locator('a[href^="/tables/"]');
    await link.waitFor();
    const { body } = await platform.api('GET', '/api/me/active-game', { headers: owner.headers });
    t.equal(await link.getAttribute('href'), `/tables/${(body as { table_id: string }).table_id}`);
    await link.click();
    await page.locator('.table-picture .name', { hasText: 'ada_bot' }).waitFor();
    await page.goto(`${platform.url}/bot`);
    await link.click();
    await page.locator('.table-picture .name', { hasText: 'ada_bot' }).waitFor();
    t.same(found, [], 'nothing on the console, no request in vain');
  });
  await context.close();
});
