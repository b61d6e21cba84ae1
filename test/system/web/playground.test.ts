/**
 * The playground in a real browser. A person sits down among house bots and plays five hands by buttons alone, with
 * every message of the socket in view. The bot token stands nowhere in the page. A leaver gets its chips back.
 */
import type { Page } from 'playwright-core';
import t from 'tap';
import { stopCluster } from '../../support/database.js';
import { eventually, FILE_MS } from '../../support/limits.js';
import { complaints, noBrowser, openBrowser, openContext, PHONE } from '../../web/browser.js';
import { Stage } from '../../web/stage.js';

t.setTimeout(FILE_MS);
t.teardown(stopCluster);

const HANDS = 5;
/** The clock of a turn, different from a bot's default of 120 s. */
const CLOCK_MS = 90_000;

/** Acts in the open turn, in each way once; resolves when the turn is over. */
async function act(page: Page, turn: number): Promise<string> {
  const bar = page.getByRole('group', { name: 'Your action' });
  const button = (name: RegExp) => bar.getByRole('button', { name });
  await bar.locator('button:enabled').first().waitFor();
  if (turn === 0 && (await button(/^(Raise to|Bet)/).count()) > 0) {
    // A total above the limits, and one below: the slider stays within them.
    await bar.getByLabel('Raise to, in chips').fill('999999');
    await bar.getByLabel('Raise to, in chips').blur();
    await bar.getByRole('button', { name: 'Min', exact: true }).click();
    await button(/^(Raise to|Bet)/).click();
    return 'raise';
  }
  for (const name of [/^Check$/, turn % 2 === 0 ? /^Call/ : /^Fold$/, /^Fold$/, /^All-in/]) {
    if ((await button(name).count()) === 0) continue;
    await button(name).click();
    return String(name);
  }
  throw new Error('nothing is offered');
}

await t.test('in a browser', { skip: noBrowser }, async (t) => {
  const stage = await Stage.open(t, { BETWEEN_HANDS_MS: 300, ACTION_TIMEOUT_MS: CLOCK_MS });
  const { platform } = stage;
  const owner = await stage.owner('ada_bot');
  const browser = await openBrowser();
  t.teardown(() => browser.close());
  const status = async () =>
    (await platform.api('GET', '/api/bot/status', { headers: owner.headers })).body as { hands_played: number };

  await t.test('a person plays five hands by buttons', async (t) => {
    const context = await openContext(browser, { url: platform.url, cookie: owner.cookie, address: '198.18.0.1' });
    const page = await context.newPage();
    const found = complaints(page, [/^404 \/api\/season\/me$/]);
    const tokens: string[] = [];
    page.on('response', (response) => {
      if (!response.url().endsWith('/api/bot/deploy')) return;
      void response.json().then(({ token }: { token: { bot_token: string } }) => tokens.push(token.bot_token));
    });
    await page.goto(`${platform.url}/playground`);
    await page.getByRole('button', { name: 'Sit down' }).click();
    await page.getByRole('img', { name: /^The table: / }).waitFor();

    const done: string[] = [];
    const isOver = async () => {
      const words = (await page.getByRole('status').first().textContent()) ?? '';
      return Number(/(\d+) hands? played/.exec(words)?.[1] ?? 0) >= HANDS;
    };
    while (!(await isOver())) {
      const turn = page.locator('.action-bar button:enabled').first();
      await turn
        .or(page.getByText(`${HANDS} hands played`))
        .first()
        .waitFor();
      if (!(await isOver())) done.push(await act(page, done.length));
    }
    t.ok(done.length > 0, done.join(', '));
    t.ok(done.includes('raise') || done.some((name) => name.includes('Check')), 'more than folds');

    const list = page.getByRole('list', { name: 'Messages on the socket' });
    await page.getByRole('button', { name: 'Pause the list' }).click();
    const sent = list.locator('li.out').filter({ hasText: '"type":"action"' });
    t.ok((await sent.count()) >= 1, 'what the buttons said');
    await sent.first().locator('summary').click();
    const message = JSON.parse((await page.getByLabel('The message').textContent())!) as Record<string, unknown>;
    t.match(message, { type: 'action', hand_id: String, turn_token: String, client_action_id: String });
    await page.getByRole('button', { name: 'Go on' }).click();
    t.equal(await list.locator('li').filter({ hasText: 'action_rejected' }).count(), 0, 'nothing that was not allowed');

    t.equal(tokens.length, 1);
    t.notMatch(await page.content(), tokens[0]!, 'the token is not in the page');
    t.notMatch(String(await page.evaluate('JSON.stringify([localStorage, sessionStorage])')), tokens[0]!);

    await page.getByRole('button', { name: 'Leave the table' }).click();
    await page.getByText('You left the table.').waitFor();
    await page.getByRole('button', { name: 'Sit down' }).waitFor();
    t.match(await status(), { state: 'stopped', mode: null });
    const entry = await platform.api('GET', '/api/season/me', { headers: owner.headers });
    t.match(entry.body, { chips_at_table: 0 });
    t.same(found, [], 'nothing on the console, no request in vain');
    await context.close();
  });

  await t.test('on a phone; who goes to another page gives the seat up', async (t) => {
    const look = { ...PHONE, url: platform.url, cookie: owner.cookie, address: '198.18.0.2' };
    const context = await openContext(browser, look);
    const page = await context.newPage();
    const found = complaints(page);
    await page.goto(`${platform.url}/playground`);
    await page.getByRole('button', { name: 'Sit down' }).click();
    await page.locator('.action-bar button:enabled').first().waitFor();
    const left = Number(/\d+/.exec((await page.locator('.odds').textContent())!)![0]);
    t.ok(left > 0 && left * 1000 < CLOCK_MS, `${left} s are left of this server's clock`);
    const [wide, window] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
    t.ok(wide! <= window!, `scrolls sideways: ${wide} > ${window}`);
    await page.getByRole('link', { name: 'Agent Poker' }).click();
    await eventually('the seat is free', async () => {
      const game = await platform.api('GET', '/api/me/active-game', { headers: owner.headers });
      return (game.body as { playing: boolean }).playing === false;
    }, 1100); // prettier-ignore
    t.same(found, []);
    await context.close();
  });
});
