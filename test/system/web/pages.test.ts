/**
 * The pages in a real browser, on a real server where bots play. Each is drawn on a desktop screen. The console stays
 * empty, no request fails, axe finds no barrier, and every text stays in its box. People sign in, register and let a bot
 * play without the API. Texts of others are never markup. Phones and dark colours are in test/long/web.
 */
import t from 'tap';
import { stopCluster } from '../../support/database.js';
import { eventually, FILE_MS } from '../../support/limits.js';
import { complaints, DESK, noBrowser, openBrowser, openContext } from '../../web/browser.js';
import { judgePages } from '../../web/judge-pages.js';
import { setScene } from '../../web/scene.js';
import { Stage } from '../../web/stage.js';

t.setTimeout(FILE_MS);
t.teardown(stopCluster);

await t.test('in a browser', { skip: noBrowser }, async (t) => {
  const stage = await Stage.open(t, { SIGN_IN_MINUTES: 60 });
  const { url } = stage.platform;
  const { owner, pages } = await setScene(stage, 30);
  const browser = await openBrowser();
  t.teardown(() => browser.close());
  let visitors = 0;
  const address = () => `198.18.${Math.floor(++visitors / 250)}.${visitors % 250}`;

  await t.test('every page on a desk, in light colours', (t) =>
    judgePages(t, { stage, browser, pages, address, screens: { desk: DESK }, dark: false }),
  );

  await t.test('somebody signs in, registers, keeps the key, and lets the bot play', async (t) => {
    const context = await openContext(browser, { url, address: address() });
    const page = await context.newPage();
    // A new owner has no entry in the season, and the API answers so.
    const found = complaints(page, [/^404 \/api\/season\/me$/]);
    await page.goto(`${url}/sign-in`);
    await page.getByLabel('E-mail address').fill('newcomer@example.com');
    await page.getByRole('button', { name: 'Send me a link' }).click();
    await page.getByText('a link is on its way').waitFor();
    const link = await eventually('the mail', () => stage.linkTo('newcomer@example.com'));
    await page.goto(link);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByText('As newcomer@example.com').waitFor();

    await page.goto(`${url}/bot`);
    await page.getByLabel('Name of the bot').fill('newcomer_bot');
    await page.getByLabel('I accept the terms').check();
    await page.getByRole('button', { name: 'Register' }).click();
    const key = await page.getByLabel('API key', { exact: true }).textContent();
    const me = await stage.platform.api('GET', '/api/me', { key: key! });
    t.match(me, { status: 200, body: { name: 'newcomer_bot', email: 'newcomer@example.com' } }, 'the key is good');
    await page.reload();
    await page.getByText('The server stores only its hash').waitFor();
    t.equal(await page.getByText(key!).count(), 0, 'shown once');

    await page.getByRole('link', { name: 'Hosted bot' }).click();
    await page.getByRole('button', { name: 'Rock' }).click();
    await page.getByRole('button', { name: 'Let it play' }).click();
    await page.getByText('this server', { exact: true }).waitFor();
    const status = async () => (await stage.platform.api('GET', '/api/bot/status', { key: key! })).body;
    t.match(await status(), { mode: 'hosted' });
    t.match((await stage.platform.api('GET', '/api/bot/strategy', { key: key! })).body, {
      effective: { template: 'rock' },
    });
    await page.getByRole('button', { name: 'Stop it' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Stop it' }).click();
    await page.getByText('stopped', { exact: true }).waitFor();
    t.match(await status(), { state: 'stopped', mode: null });
    t.same(found, []);
    await context.close();
  });

  await t.test('the documents are searched, and the server is asked from its own reference', async (t) => {
    const context = await openContext(browser, { url, address: address() });
    const page = await context.newPage();
    const found = complaints(page);
    await page.goto(`${url}/docs`);
    const search = page.getByLabel('Search the documents');
    await search.fill('no such thing anywhere');
    await page.getByText('Nothing has “no such thing anywhere” in it.').waitFor();
    await search.fill('flood warning');
    const first = page.locator('.results a').first();
    const title = await first.textContent();
    await first.click();
    await page.locator('.prose-page').waitFor();
    t.equal(await search.inputValue(), '', 'the page takes the place of what was found');
    const { hash } = new URL(page.url());
    t.equal(await page.locator(`[id="${hash.slice(1)}"]`).textContent(), `${title}#`, 'and begins where it was found');

    await page.goto(`${url}/docs/rest#listTables`);
    await page.getByRole('button', { name: 'Try it' }).click();
    const [status, ...lines] = (await page.getByLabel('Answer of /api/tables').textContent())!.split('\n');
    t.equal(status, '200');
    t.match(JSON.parse(lines.join('\n')), [{ table_id: String }]);
    t.same(found, [], 'nothing on the console, no request in vain');
    await context.close();
  });

  await t.test('the colours that were chosen stay, and hold from the first moment on', async (t) => {
    const context = await openContext(browser, { url, address: address() });
    const page = await context.newPage();
    await page.goto(url);
    await page.getByRole('button', { name: /^Colours: system/ }).click();
    await page.getByRole('button', { name: /^Colours: light/ }).click();
    await page.reload();
    t.equal(await page.locator('html').getAttribute('data-theme'), 'dark');
    await context.close();
  });

  await t.test('a page tells when the server is away, keeps what it shows, and goes on by itself', async (t) => {
    const context = await openContext(browser, { url, address: address() });
    const page = await context.newPage();
    await page.goto(`${url}/leaderboard`);
    await page.getByRole('link', { name: owner.name }).waitFor();
    await context.setOffline(true);
    await page.getByText('No connection to the server').waitFor();
    t.ok(await page.getByRole('link', { name: owner.name }).isVisible(), 'what it showed is there still');
    await context.setOffline(false);
    await page.getByText('No connection to the server').waitFor({ state: 'detached' });
    t.ok(await page.getByRole('link', { name: owner.name }).isVisible());
    await context.close();
  });
});
