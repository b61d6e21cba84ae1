/**
 * A competition of eight bots in a real browser, from the wizard to its final results, as its organizer and as players
 * see it. Players are invited by mail and by a link. It is played at two tables with the same decks, paused, resumed
 * and ended, and one player is disqualified. The results stand as a file, and each step in the log. Afterwards
 * everybody sees all actions with each deck.
 */
import { readFileSync } from 'node:fs';
import t from 'tap';
import { stopCluster } from '../../support/database.js';
import { EmailSink } from '../../support/email-sink.js';
import { eventually, FILE_MS } from '../../support/limits.js';
import type { Player } from '../../support/player.js';
import { complaints, noBrowser, openBrowser, openContext, PHONE } from '../../web/browser.js';
import { guestAt } from '../../web/guest.js';
import { violations } from '../../web/picture-in-page.js';
import { Stage, type Owner } from '../../web/stage.js';

t.setTimeout(FILE_MS);
t.teardown(stopCluster);

/** The link in the last mail. */
const linkIn = (mails: { text: string }[]): string => /https?:\/\/\S+\/invite#token=\S+/.exec(mails.at(-1)!.text)![0];

const BY_LINK = ['cai_bot', 'dan_bot', 'eli_bot', 'fay_bot', 'gus_bot', 'hal_bot'];

await t.test('in a browser', { skip: noBrowser }, async (t) => {
  const mails = await EmailSink.open(t);
  const stage = await Stage.open(t, { HOUSE_BOTS: 0, SIGN_IN_MINUTES: 60, BETWEEN_HANDS_MS: 50 }, mails);
  const { platform } = stage;
  const { url } = platform;
  const browser = await openBrowser();
  t.teardown(() => browser.close());
  let visitors = 0;
  const open = async (cookie?: string, expected: RegExp[] = []) => {
    const context = await openContext(browser, { url, cookie, address: `198.18.4.${++visitors}` });
    const page = await context.newPage();
    return { page, found: complaints(page, [/^404 \/api\/season\/me$/, ...expected]) };
  };
  const organizer = await stage.owner('org_bot');
  // The server's answers to wrong first dates, and to a repeated mail that comes too soon.
  const { page, found } = await open(organizer.cookie, [/^422 \/api\/competitions$/, /^429 .*\/resend$/]);
  const dialog = page.getByRole('dialog');
  const confirm = async (label: string, verb = label) => {
    await page.getByRole('button', { name: label, exact: true }).click();
    await dialog.getByRole('button', { name: verb, exact: true }).click();
    await dialog.waitFor({ state: 'detached' });
  };
  const tab = (name: string) => page.getByRole('button', { name, exact: true }).click();
  const row = (text: string) => page.getByRole('row').filter({ hasText: text });
  const state = async () =>
    (
      await platform.sql!<{ state: string; hands: number; competition_id: string; slug: string }[]>`
      select c.state, c.competition_id, c.slug,
        (select count(*)::integer from hands where pool_id = c.competition_id) as hands
      from competitions c where name = 'Cup of pages'`
    )[0]!;

  /** The number of a hand (and so of a deck) that four players played at two tables. */
  const deckOfTwo = async (id: string) => {
    const [found] = await platform.sql!<{ deck: number }[]>`
      select hand_number as deck from (
        select h.hand_number, h.hand_id, count(*) as players from hands h join hand_players p using (pool_id, hand_id)
        where h.pool_id = ${id} group by 1, 2) played
      where players = 4 group by 1 having count(*) = 2 order by 1 limit 1`;
    return found?.deck ?? null;
  };

  await t.test('the wizard makes a draft, and its complaints stand where they belong', async (t) => {
    await page.goto(`${url}/competitions`);
    await page.getByRole('link', { name: 'New competition' }).click();
    await page.getByLabel('Name', { exact: true }).fill('Cup of pages');
    await page.getByRole('button', { name: 'Next' }).click();
    await page.getByLabel('Ends').fill('2001-01-01T00:00');
    await page.getByRole('button', { name: 'Next' }).click();
    await page.getByLabel('The same decks at all tables').check();
    await page.getByRole('button', { name: 'Create the draft' }).click();
    await page.getByText('look here').waitFor();
    await page.getByRole('button', { name: /2\. When/ }).click();
    t.ok(await page.locator('.field-error').isVisible(), 'the complaint stands under its field');
    await page.getByLabel('Ends').fill(new Date(Date.now() + 86_400_000 * 2).toISOString().slice(0, 16));
    await page.getByRole('button', { name: /3\. Rules/ }).click();
    await page.getByRole('button', { name: 'Create the draft' }).click();
    await page.getByRole('heading', { name: 'Cup of pages' }).waitFor();
    await confirm('Open enrollment');
    await confirm('Let my bot take part', 'Take part');
  });

  const players: Owner[] = [organizer];
  await t.test('people are invited by a pasted list, and follow the link in the mail', async (t) => {
    const [pia, bob] = [await stage.owner('pia_bot'), await stage.owner('bob_bot')];
    await tab('Invitations');
    await page.getByLabel('Addresses').fill(`Pia <${pia.email}>, ${bob.email};\nzoe@example.com`);
    await page.getByRole('button', { name: 'Invite 3 people' }).click();
    await page.getByText('3 invitations on the way.').waitFor();
    await row('zoe@example.com').filter({ hasText: 'pending' }).waitFor();

    const first = linkIn(await mails.mailsTo(pia.email, 2));
    await row(pia.email).getByRole('button', { name: 'Send again' }).click();
    await dialog.getByRole('button', { name: 'Send', exact: true }).click();
    await dialog.getByText('This invitation was sent a moment ago.').waitFor();
    await platform.sql!`update competition_invitations set sent_at = sent_at - interval '1 hour'`;
    await dialog.getByRole('button', { name: 'Send', exact: true }).click();
    await dialog.waitFor({ state: 'detached' });
    const second = linkIn(await mails.mailsTo(pia.email, 3));
    t.not(second, first);

    const player = await open(pia.cookie, [/^404 \/api\/competition-invites\/preview$/]);
    await player.page.goto(first);
    await player.page.getByText('a later mail has replaced it').waitFor();
    await player.page.goto('about:blank');
    await player.page.goto(second);
    await player.page.getByLabel('Name in this competition').fill('Pia the Second');
    await player.page.getByRole('button', { name: 'Take part' }).click();
    await player.page.getByText('Your bot takes part').waitFor();
    await player.page.getByRole('link', { name: 'To the competition' }).click();
    await player.page.getByRole('cell', { name: 'Pia the Second' }).waitFor();
    t.same(await violations(player.page), []);
    t.same(player.found, []);
    players.push(pia);

    const other = await open(bob.cookie);
    await other.page.goto(linkIn(await mails.mailsTo(bob.email, 2)));
    await other.page.getByRole('button', { name: 'Decline' }).click();
    await other.page.getByText('Declined. The organizer sees it.').waitFor();
    t.same(other.found, []);

    await row('zoe@example.com').getByRole('button', { name: 'Revoke' }).click();
    await dialog.getByRole('button', { name: 'Revoke' }).click();
    await dialog.waitFor({ state: 'detached' });
    await row('zoe@example.com').filter({ hasText: 'revoked' }).waitFor();
    await row(bob.email).filter({ hasText: 'declined' }).waitFor();
    await row(pia.email).filter({ hasText: 'accepted' }).waitFor();
    t.same(await violations(page), []);
  });

  await t.test('others come by a link', async () => {
    await page.getByRole('button', { name: 'Make a link' }).click();
    const link = (await page.getByLabel('The link').textContent())!;
    for (const name of BY_LINK) {
      const player = await stage.owner(name);
      const headers = { ...player.headers, 'x-competition-invite-token': link.split('#token=')[1]! };
      await platform.api('POST', '/api/competition-invites/accept', { headers, body: {} });
      players.push(player);
    }
    await tab('Overview');
    for (const name of BY_LINK) await page.getByRole('cell', { name }).waitFor();
  });

  await t.test('it is started, paused, resumed and ended; the board tells of each', async (t) => {
    await page.getByRole('button', { name: 'Start', exact: true }).click();
    await dialog.getByText('Play begins for 8 bots.').waitFor();
    await dialog.getByRole('button', { name: 'Start', exact: true }).click();
    await dialog.waitFor({ state: 'detached' });
    const { competition_id: id } = await state();
    const seated: Player[] = [];
    for (const { account } of players) seated.push(await guestAt(platform, account, id));
    await eventually('a deck that four at each of two tables have played', async () => (await deckOfTwo(id)) !== null);
    await page.getByText('All tables play the same decks, so they cannot be watched before play is over.').waitFor();
    t.equal(await page.getByRole('table', { name: 'Tables in play' }).getByRole('link').count(), 0);
    await confirm('Pause');
    await page.getByText('paused', { exact: true }).waitFor();
    await confirm('Resume');
    const { hands } = await state();
    await eventually('hands after the pause', async () => (await state()).hands > hands + 4);

    await tab('People');
    await row('gus_bot').getByRole('button', { name: 'Disqualify' }).click();
    await dialog.getByLabel('Reason').fill('two bots, one owner');
    await dialog.getByRole('button', { name: 'Disqualify' }).click();
    await dialog.waitFor({ state: 'detached' });
    await row('gus_bot').filter({ hasText: 'disqualified' }).waitFor();
    await tab('Overview');
    await row('gus_bot').filter({ hasText: 'disqualified' }).waitFor();
    t.same(await violations(page), []);

    await page.getByRole('button', { name: 'End', exact: true }).click();
    await dialog.getByText('It cannot be taken back.').waitFor();
    await dialog.getByRole('button', { name: 'End', exact: true }).click();
    await dialog.waitFor({ state: 'detached' });
    await confirm('Make the results final');
    await page.getByText('Nothing is left to do').waitFor();
    t.equal((await state()).state, 'finalized');
    await Promise.all(seated.map((player) => player.close()));
  });

  await t.test('the results stand, as a page and as a file, and every step in the log', async (t) => {
    await page.getByRole('cell', { name: 'Pia the Second' }).waitFor();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Download as CSV' }).click(),
    ]);
    const csv = readFileSync(await download.path(), 'utf8');
    for (const name of ['Pia the Second', 'org_bot', 'gus_bot', 'disqualified']) t.match(csv, name);
    t.equal(csv.trim().split('\n').length, 1 + players.length);
    await tab('Log');
    const log = async () => (await page.getByRole('table', { name: 'Log' }).allInnerTexts()).join('\n');
    await page.getByRole('table', { name: 'Log' }).waitFor();
    for (const what of ['start', 'pause', 'resume', 'disqualif', 'end', 'finali']) t.match(await log(), what);
    t.match(await log(), 'two bots, one owner');
  });

  await t.test('the boards of another, without common decks, lead to its live tables', async (t) => {
    const body = { name: 'Watched cup', ends_at: new Date(Date.now() + 86_400_000).toISOString() };
    const { headers, cookie } = organizer;
    const told = await platform.api('POST', '/api/competitions', { body, headers });
    const { competition_id: id, slug } = told.body as { competition_id: string; slug: string };
    const step = async (name: string, options: object = {}) => {
      const answer = await platform.api('POST', `/api/competitions/${id}/${name}`, { headers, ...options });
      if (answer.status >= 400) throw new Error(`${name}: ${JSON.stringify(answer.body)}`);
      return answer.body;
    };
    await step('open-enrollment');
    await step('enroll', { body: {} });
    const { token } = (await step('invite-links', { body: { max_uses: 1 } })) as { token: string };
    const guest = { ...players[1]!.headers, 'x-competition-invite-token': token };
    await platform.api('POST', '/api/competition-invites/accept', { headers: guest, body: {} });
    await step('start');
    const seated: Player[] = [];
    for (const { account } of players.slice(0, 2)) seated.push(await guestAt(platform, account, id));
    await eventually('a table', () => seated.every(({ table }) => table !== null));
    for (const [path, who] of [
      [`/competitions/${slug}`, undefined],
      [`/organize/${id}`, cookie],
    ] as const) {
      const visitor = await open(who);
      await visitor.page.goto(url + path);
      const tables = visitor.page.getByRole('table', { name: 'Tables in play' });
      await tables.getByRole('link').first().waitFor();
      t.same(await violations(visitor.page), [], path);
      await tables.getByRole('link').first().click();
      await visitor.page.waitForURL(`${url}/tables/${seated[0]!.table!}`);
      await visitor.page.locator('.table-picture .name', { hasText: 'org_bot' }).waitFor();
      t.same(visitor.found, []);
    }
    await step('end');
    await Promise.all(seated.map((player) => player.close()));
  });

  await t.test('who did what with which deck, side by side, for everybody now', async (t) => {
    const visitor = await open();
    await visitor.page.goto(`${url}/competitions/${(await state()).slug}`);
    await visitor.page.getByRole('link', { name: 'Deck by deck' }).click();
    await visitor.page.getByRole('heading', { name: 'Deck 1' }).waitFor();
    const deck = (await deckOfTwo((await state()).competition_id))!;
    await visitor.page.getByLabel('Number of the deck').fill(String(deck));
    await visitor.page.getByLabel('Number of the deck').press('Enter');
    await visitor.page.getByRole('heading', { name: `Deck ${deck}` }).waitFor();
    const first = visitor.page.getByRole('table', { name: '4 players, 2 tables side by side' });
    await first.waitFor();
    t.equal(await first.getByRole('row').count(), 1 + 4, 'a row a place');
    t.equal(await first.getByRole('columnheader').count(), 1 + 2, 'a column a table');
    const names = await first.locator('.did strong').allInnerTexts();
    t.same([...names].sort(), ['Pia the Second', 'org_bot', ...BY_LINK].sort());
    t.same(await violations(visitor.page), []);
    t.equal(new URL(visitor.page.url()).searchParams.get('deck') ?? '1', String(deck));
    await visitor.page.setViewportSize(PHONE);
    const beyond = await visitor.page.evaluate(() =>
      [...document.querySelectorAll('body *')]
        .filter((each) => each.closest('.list') === each || each.closest('.list, .places') === null)
        .filter((each) => each.getBoundingClientRect().right > innerWidth + 1)
        .map(({ tagName, className }) => `${tagName}.${String(className)}`),
    );
    t.same(beyond, [], 'nothing scrolls sideways but the table in its box');
    t.same(await violations(visitor.page), [], 'by day, on a phone');
    await visitor.page.emulateMedia({ colorScheme: 'dark' });
    t.same(await violations(visitor.page), []);
    await visitor.page
      .getByRole('link', { name: / #\d+$/ })
      .first()
      .click();
    await visitor.page.locator('.table-picture').waitFor();
    t.same(visitor.found, []);
    t.same(found, [], 'nothing on the console, no request in vain');
  });
});
