/**
 * What an owner reads of its bot, in a real browser: what went wrong stands on the page as it happens, each with the
 * very frames; everybody whom the bot met stands among its opponents. What the reader chooses is in the address.
 */
import t from 'tap';
import { stopCluster } from '../support/database.js';
import { FILE_MS, PATIENCE_MS } from '../support/limits.js';
import { Player } from '../support/player.js';
import { complaints, noBrowser, openBrowser, openContext } from './browser.js';
import { Stage } from './stage.js';

t.setTimeout(FILE_MS);
t.teardown(stopCluster);

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
  page.setDefaultTimeout(PATIENCE_MS);
  const found = complaints(page);

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
    await page.getByText('Your bot has met nobody this season.').waitFor();
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
    await page.getByText(/^Whom your bot met in its last \d+ hands/).waitFor();
    t.match(page.url(), /hands=5000/);
    t.same(found, [], 'nothing on the console, no request in vain');
  });
  await context.close();
});
