/**
 * A person who never read the API, in a real browser. The person signs in from the mail, registers a bot, gives its
 * program the key and sees it play. Then it replays the bot's worst hand, shares the link, and runs a competition of
 * eight bots to its results. The operator watches it all. Everything that people do is done in pages: by what is
 * written on them, from the first one on.
 */
import { readFileSync } from 'node:fs';
import t, { type Test } from 'tap';
import type { Browser, Page } from 'playwright-core';
import { stopCluster } from '../../support/database.js';
import { EmailSink } from '../../support/email-sink.js';
import { eventually, FILE_MS } from '../../support/limits.js';
import type { Account, TestPlatform } from '../../support/platform.js';
import type { Player } from '../../support/player.js';
import { complaints, noBrowser, openBrowser, openContext } from '../../web/browser.js';
import { guestAt } from '../../web/guest.js';
import { ADMIN_KEY, Stage } from '../../web/stage.js';

t.setTimeout(FILE_MS);
t.teardown(stopCluster);

const CUP = 'Cup of newcomers';
const OTHERS = ['bea', 'cai', 'dan', 'eli', 'fay', 'gus', 'hal'];
/** The API answers so for a season that a bot has not entered. */
const NOT_ENTERED = /^404 \/api\/season\/me$/;

/** A person with a browser and a mailbox. */
class Visitor {
  private constructor(
    readonly page: Page,
    readonly found: string[],
    private readonly stage: Stage,
  ) {}

  static async come(browser: Browser, stage: Stage, expected: readonly RegExp[] = []): Promise<Visitor> {
    const address = `198.18.6.${++Visitor.#count}`;
    const page = await (await openContext(browser, { url: stage.platform.url, address })).newPage();
    const visitor = new Visitor(page, complaints(page, [NOT_ENTERED, ...expected]), stage);
    await page.goto(stage.platform.url);
    return visitor;
  }

  static #count = 0;

  /** Goes from the home page by the link in the mail to a registered bot. Resolves to the shown key. */
  async register(name: string): Promise<string> {
    const { page, stage } = this;
    const email = `${name}@example.com`;
    await this.link('Sign in');
    await page.getByLabel('E-mail address').fill(email);
    await this.press('Send me a link');
    await page.getByText('a link is on its way').waitFor();
    await page.goto(await eventually('the mail', () => stage.linkTo(email)));
    await this.press('Sign in');
    await page.getByText(`As ${email}`).waitFor();
    await page.getByLabel('Name of the bot').fill(name);
    await page.getByLabel('I accept the terms').check();
    await this.press('Register');
    const key = (await page.getByLabel('API key').textContent())!;
    await this.press('I have kept it');
    await this.link('Back to where you were');
    return key;
  }

  /** Goes to the pages of the own bot. */
  async toBot(name: string): Promise<void> {
    await this.page.getByRole('banner').getByRole('link', { name, exact: true }).click();
  }

  link(name: string | RegExp): Promise<void> {
    return this.page.getByRole('link', { name }).first().click();
  }

  press(name: string): Promise<void> {
    return this.page.getByRole('button', { name, exact: true }).click();
  }

  /** Presses a button, and the button of its question. */
  async confirm(name: string, verb = name): Promise<void> {
    await this.press(name);
    const dialog = this.page.getByRole('dialog');
    await dialog.getByRole('button', { name: verb, exact: true }).click();
    await dialog.waitFor({ state: 'detached' });
  }
}

/** The program of a bot, with only the key that its owner copied. */
async function program(platform: TestPlatform, name: string, key: string, competitionId: string | null = null) {
  const account: Account = { agentId: '', name, key, seqs: new Map() };
  return guestAt(platform, account, competitionId);
}

/** The chips on a plate or in a row, such as −1,250. */
const chipsIn = (text: string): number => Number(text.replaceAll(',', '').replace('−', '-').replace('+', ''));

await t.test('in a browser', { skip: noBrowser }, async (t) => {
  const mails = await EmailSink.open(t);
  const stage = await Stage.open(t, { SIGN_IN_MINUTES: 60, BETWEEN_HANDS_MS: 50 }, mails);
  const { platform } = stage;
  const browser = await openBrowser();
  t.teardown(() => browser.close());
  const operator = await Visitor.come(browser, stage, [/^401 \/api\/admin\//]);
  const ada = await Visitor.come(browser, stage);
  let key = '';

  await t.test('signs in, registers a bot, and sees it play', async (t) => {
    key = await ada.register('ada');
    t.match(key, /^ap_/);
    const bot = await program(platform, 'ada', key);
    const { page } = ada;
    await ada.toBot('ada');
    await page.getByText(/^Plays at .* in seat \d/).waitFor();
    await page.locator('main .notice').getByRole('link').click();
    await page.locator('.table-picture').waitFor();
    await page.locator('.seat').filter({ hasText: 'ada' }).first().waitFor();
    // The visitor sees hands end.
    await page.getByRole('button', { name: 'Live', exact: true }).click();
    await page.getByRole('link', { name: /^Replay \S+ \S+ #/ }).waitFor();
    await eventually(
      'fifteen hands of it',
      async () => {
        const { body } = await platform.api('GET', '/api/season/me', { key });
        return (body as { hands_played: number }).hands_played >= 15;
      },
      1100,
    );
    await bot.close();
  });

  await t.test('replays its worst hand, and shares the link', async (t) => {
    const { page } = ada;
    await ada.toBot('ada');
    await ada.link('Hands');
    const table = page.getByRole('table', { name: 'Hands' });
    await table.waitFor();
    await page.getByLabel('Order').selectOption('biggest loss');
    await page.getByText(/^Searched all/).waitFor();
    const figures = async () => (await table.locator('tbody tr .figure').allTextContents()).map(chipsIn);
    const lost = Math.min(...(await figures()).filter((chips) => !Number.isNaN(chips)));
    await table.locator('tbody tr').first().getByRole('link').first().click();
    await page.locator('.table-picture').waitFor();
    await page.keyboard.press('End');
    await page.waitForURL(/#result$/);
    const own = page.locator('.results li').filter({ hasText: 'ada' }).locator('.figure');
    t.equal(chipsIn((await own.textContent())!), lost, 'the worst of all');

    const stranger = await Visitor.come(browser, stage);
    await stranger.page.goto(page.url());
    await stranger.page.locator('.table-picture').waitFor();
    await stranger.page.locator('.proof-tick').first().waitFor();
    t.same(stranger.found, []);
    await stranger.page.context().close();
  });

  await t.test('runs a competition of eight bots to its results', (t) => cupOf(t, browser, stage, ada));

  await t.test('and the operator has watched it all', async (t) => {
    const { page } = operator;
    await page.goto(`${platform.url}/operator`);
    await page.getByLabel("Operator's key").fill(ADMIN_KEY);
    await operator.press('Open the room');
    await page.getByRole('img', { name: 'Hands a second in the last hour' }).waitFor();
    await operator.press('Agents');
    await page.getByRole('searchbox').fill('ada');
    await page.getByRole('row').filter({ hasText: 'ada@example.com' }).waitFor();
    await operator.press('Competitions');
    await operator.press('Also those that are over');
    await page.getByRole('row').filter({ hasText: CUP }).filter({ hasText: 'finalized' }).waitFor();
    await operator.press('Audit');
    await operator.confirm('Run the audit', 'Run it');
    await page.getByRole('status').filter({ hasText: 'Every chip is accounted for.' }).waitFor();
    t.same(operator.found, [], 'nothing on the console, no request in vain');
    t.same(ada.found, []);
  });
});

/** Runs a cup from the wizard to the file of results. The others come by the organizer's link. */
async function cupOf(t: Test, browser: Browser, stage: Stage, ada: Visitor): Promise<void> {
  const { platform } = stage;
  const { page } = ada;
  await ada.link('Competitions');
  await ada.link('New competition');
  await page.getByLabel('Name', { exact: true }).fill(CUP);
  await ada.press('Next');
  await page.getByLabel('Ends').fill(new Date(Date.now() + 86_400_000 * 2).toISOString().slice(0, 16));
  await ada.press('Next');
  await ada.press('Create the draft');
  await page.getByRole('heading', { name: CUP }).waitFor();
  await ada.confirm('Open enrollment');
  await ada.confirm('Let my bot take part', 'Take part');
  await ada.press('Invitations');
  await ada.press('Make a link');
  const link = (await page.getByLabel('The link').textContent())!;
  const keys = new Map<string, string>();
  for (const name of OTHERS) {
    const other = await Visitor.come(browser, stage);
    keys.set(name, await other.register(name));
    await other.page.goto(link);
    await other.press('Take part');
    await other.page.getByText('Your bot takes part').waitFor();
    t.same(other.found, [], name);
    await other.page.context().close();
  }
  await ada.press('Overview');
  for (const name of OTHERS) await page.getByRole('cell', { name, exact: true }).waitFor();
  await ada.confirm('Start');

  const [cup] = await platform.sql!<{ id: string }[]>`
    select competition_id as id from competitions where name = ${CUP}`;
  const hands = async () =>
    (
      await platform.sql!<{ hands: number }[]>`
      select count(*)::integer as hands from hands where pool_id = ${cup!.id}`
    )[0]!.hands;
  // The owner has lost the key. The program of the first walk has ended.
  await ada.toBot('ada');
  await ada.press('Make a new key');
  await page.getByRole('dialog').getByRole('button', { name: 'Make a new key' }).click();
  keys.set('ada', (await page.getByLabel('API key', { exact: true }).textContent())!);
  const bots: Player[] = [];
  for (const [name, key] of keys) bots.push(await program(platform, name, key, cup!.id));
  await ada.link('Competitions');
  await ada.link(CUP);
  await page.getByText('playing', { exact: true }).waitFor();
  await eventually('forty hands', async () => (await hands()) >= 40, 100);
  await ada.link('Organize it');
  await ada.confirm('End');
  await ada.confirm('Make the results final');
  await page.getByText('Nothing is left to do').waitFor();
  await Promise.all(bots.map((bot) => bot.close()));
  const [file] = await Promise.all([page.waitForEvent('download'), ada.link('Download as CSV')]);
  const lines = readFileSync(await file.path(), 'utf8')
    .trim()
    .split('\n');
  t.equal(lines.length, 1 + 8);
  for (const name of keys.keys())
    t.ok(
      lines.some((line) => line.includes(name)),
      name,
    );
}
