/**
 * The operator's room in a real browser. The key opens it and stands in no address and no cookie. Each action asks
 * first, says what it will do, and does it.
 */
import type { Locator } from 'playwright-core';
import t from 'tap';
import { DEEDS, packCells, situationNumber } from '../../../src/collusion/cells.js';
import { stopCluster } from '../../support/database.js';
import { eventually, FILE_MS } from '../../support/limits.js';
import { complaints, noBrowser, openBrowser, openContext } from '../../web/browser.js';
import { violations } from '../../web/picture-in-page.js';
import { ADMIN_KEY, Stage } from '../../web/stage.js';

t.setTimeout(FILE_MS);
t.teardown(stopCluster);

await t.test('in a browser', { skip: noBrowser }, async (t) => {
  const stage = await Stage.open(t);
  const { platform } = stage;
  const { url } = platform;
  const owner = await stage.owner('ada_bot');
  await stage.play(owner, 5);
  const { open } = await stage.competitions(owner);
  const browser = await openBrowser();
  t.teardown(() => browser.close());
  const context = await openContext(browser, { url, address: '198.18.0.1' });
  const page = await context.newPage();
  const found = complaints(page, [/^401 \/api\/admin\//]);
  const addresses: string[] = [];
  page.on('request', (request) => addresses.push(request.url()));
  const tab = (name: string) => page.getByRole('button', { name, exact: true }).click();
  const dialog = page.getByRole('dialog');
  const confirmed = async (verb: string) => {
    await dialog.getByRole('button', { name: verb, exact: true }).click();
    await dialog.waitFor({ state: 'detached' });
  };
  /** Opens the menu of a row, and takes an action of it. */
  const choose = async (row: Locator, name: string) => {
    await row.getByRole('button', { name: /^Actions for / }).click();
    await page.getByRole('menuitem', { name, exact: true }).click();
  };
  const me = () => platform.api('GET', '/api/me', { headers: owner.headers });

  await t.test('the right key opens it', async (t) => {
    await page.goto(`${url}/operator`);
    await page.getByLabel("Operator's key").fill('not-the-key-of-the-operator');
    await page.getByRole('button', { name: 'Open the room' }).click();
    await page.getByText('The server does not take this key.').waitFor();
    await page.getByLabel("Operator's key").fill(ADMIN_KEY);
    await page.getByRole('button', { name: 'Open the room' }).click();
    await page.getByRole('cell', { name: 'shard-0' }).waitFor();
    await page.getByRole('img', { name: 'Hands a second in the last hour' }).waitFor();
    await page.reload();
    await page.getByRole('cell', { name: 'shard-0' }).waitFor();
    t.same(await context.cookies(), []);
    t.same(await page.evaluate('Object.keys(localStorage).filter((name) => name.includes("operator"))'), []);
  });

  await t.test('a ban, and its end', async (t) => {
    await tab('Agents');
    // All agents are listed first, so that the search can be seen to remove some.
    await page.getByRole('row').nth(2).waitFor();
    // By a word that no id has: ids are searched, too.
    await page.getByRole('searchbox').fill(owner.name);
    await page.getByRole('row').nth(2).waitFor({ state: 'detached' });
    const row = page.getByRole('row').nth(1);
    await row.getByText('verified').waitFor();
    const [, hands] = /verified\s+([\d,]+)\s/.exec(await row.innerText())!;
    t.ok(Number(hands) >= 5, 'the hands that it has played');
    await choose(row, 'Ban');
    await dialog.getByText('Its key and its socket end at once').waitFor();
    await dialog.getByRole('button', { name: 'Ban', exact: true }).click();
    t.ok(await dialog.isVisible(), 'not without a reason');
    await dialog.getByLabel('Reason').fill('seen <b>twice</b>');
    await confirmed('Ban');
    await page.getByText('banned', { exact: true }).waitFor();
    const [stored] = await platform.sql!`select banned_reason from agents where agent_id = ${owner.agentId}`;
    t.same(stored, { banned_reason: 'seen <b>twice</b>' });
    await choose(row, 'Let in again');
    await dialog.getByText('It was banned: seen <b>twice</b>').waitFor();
    await confirmed('Let in');
    await page.getByText('banned', { exact: true }).waitFor({ state: 'detached' });
    await eventually('it is let in', async () => (await me()).status === 200, 1100);
  });

  await t.test('a new key is shown once', async (t) => {
    await choose(page.getByRole('row').nth(1), 'New key');
    await confirmed('Make a new key');
    const key = await page.getByLabel('API key', { exact: true }).textContent();
    t.match(await platform.api('GET', '/api/me', { key: key! }), { status: 200, body: { name: owner.name } });
    await page.getByRole('button', { name: 'I have it' }).click();
    t.equal(await page.getByText(key!).count(), 0);
  });

  await t.test('a competition is called off, once its name is typed', async (t) => {
    await tab('Competitions');
    const row = page.getByRole('row').filter({ hasText: 'enrolling' });
    const name = (await row.getByRole('link').textContent())!;
    await row.getByRole('button', { name: 'Call off' }).click();
    t.ok(await dialog.getByRole('button', { name: 'Call it off' }).isDisabled());
    await dialog.getByRole('textbox').fill(name);
    await confirmed('Call it off');
    await row.waitFor({ state: 'detached' });
    const [stored] = await platform.sql!`select state from competitions where competition_id = ${open}`;
    t.same(stored, { state: 'cancelled' });
  });

  await t.test('a pair that plays softly is marked, and what it shares is told', async (t) => {
    const pair = [await platform.register('soft_one'), await platform.register('soft_two')];
    const sql = platform.sql!;
    await sql`update agents set registered_ip = '203.0.113.7' where name like 'soft_%'`;
    // Against others they bet strong hands 200 times. Against each other they checked 60 times.
    const bets = situationNumber({ street: 3, crowded: false, price: null, strength: 4, ahead: true }) * DEEDS;
    const cells = (checked: number, bet: number) =>
      packCells(
        new Map([
          [bets + 1, checked],
          [bets + 2, bet],
        ]),
      );
    const [one, two] = pair.map(({ agentId }) => agentId) as [string, string];
    const rows = [
      [one, two, cells(60, 1)],
      [two, one, cells(60, 1)],
      [one, one, cells(60, 200)],
      [two, two, cells(60, 200)],
    ] as const;
    for (const [agentId, otherId, bytes] of rows) {
      await sql`
        insert into pair_play (pool_id, agent_id, other_id, hands, duels, lost, flow, flow_squares, stacks, cells)
        select season_id, ${agentId}, ${otherId}, 900, 61, 1500, 0, 9000, 1, ${bytes} from seasons where status = 'active'`;
    }
    await tab('Collusion');
    const row = page.getByRole('table', { name: 'Pairs of bots' }).getByRole('row').nth(1);
    await row.waitFor();
    for (const name of ['soft_one', 'soft_two']) t.match(await row.innerText(), name);
    for (const text of ['marked', 'soft play', 'address', '900', '61']) {
      t.equal(await row.getByText(text, { exact: true }).count(), 1, text);
    }
    await row.getByRole('button', { name: 'Hands' }).click();
    await page.getByText('In their newest 0 common hands the two were never left alone.').waitFor();
    await page.getByRole('button', { name: 'Close', exact: true }).click();
    await page.getByRole('button', { name: 'Also pairs without a sign' }).click();
    await page.getByRole('table', { name: 'Takers of whole stacks' }).getByRole('row').nth(1).waitFor();
    t.notOk(await page.evaluate('document.documentElement.scrollWidth > innerWidth'), 'nothing overflows');
    t.equal(new URL(page.url()).searchParams.get('all'), 'yes');
  });

  await t.test('a node is taken out, not the one that leads', async (t) => {
    await platform.sql!`
      insert into nodes (node_id, name, lease_until, session_since)
      values (gen_random_uuid(), 'other:1', now() + interval '1 hour', now())`;
    await tab('Overview');
    const rows = page.getByRole('table', { name: 'Nodes' }).getByRole('row');
    await rows.filter({ hasText: 'leads' }).waitFor();
    const other = rows.filter({ hasText: 'other:1' });
    await other.getByRole('button', { name: 'Take out' }).click();
    await dialog.getByText('Its sockets are sent elsewhere, and its process ends.').waitFor();
    await confirmed('Take it out');
    await other.getByText('leaves').waitFor();
    t.equal(await other.getByRole('button', { name: 'Take out' }).count(), 0);
    t.same(await violations(page), []);
    const drained = await platform.sql!`select name, drain_asked_at is not null as asked from nodes order by asked`;
    t.match(drained, [{ asked: false }, { name: 'other:1', asked: true }]);
  });

  await t.test('a table is closed, and says so', async (t) => {
    await tab('Tables');
    await page.getByRole('row').nth(1).getByRole('button', { name: 'Close' }).click();
    await dialog.getByText('get their stacks back').waitFor();
    await confirmed('Close it');
    const [entry] = await platform.sql!`select actor, action from audit_log order by entry_id desc limit 1`;
    t.same(entry, { actor: 'operator', action: 'tables_close' });
    t.same(await violations(page), []);
  });

  await t.test('a code for the beta gate', async (t) => {
    await tab('Invites');
    await page.getByLabel('Number of bots').fill('4');
    await page.getByLabel('For whom').fill('the course');
    await page.getByRole('button', { name: 'Make a code' }).click();
    const code = (await page.getByLabel('The code').textContent())!;
    await page.getByRole('row').filter({ hasText: code }).filter({ hasText: '0 of 4' }).waitFor();
    t.same(await violations(page), []);
  });

  await t.test('who is signed in as a platform agent finds the room in the navigation, and nobody else', async (t) => {
    const chief = await stage.owner('chief_bot');
    await platform.sql!`update agents set is_platform = true where agent_id = ${chief.agentId}`;
    for (const [person, links] of [
      [owner, 0],
      [chief, 1],
    ] as const) {
      const signedIn = await openContext(browser, { url, cookie: person.cookie, address: `198.18.0.${2 + links}` });
      const room = await signedIn.newPage();
      await room.goto(url);
      await room.getByRole('link', { name: person.name, exact: true }).first().waitFor();
      const link = room.getByRole('navigation').getByRole('link', { name: 'Operator' });
      t.equal(await link.count(), links);
      if (links > 0) {
        await link.click();
        await room.getByRole('cell', { name: 'shard-0' }).waitFor();
        t.equal(await room.getByRole('button', { name: 'Forget the key' }).count(), 0, 'there is none');
      }
      await signedIn.close();
    }
  });

  await t.test('the audit runs and shows its report', async (t) => {
    await tab('Audit');
    await page.getByRole('button', { name: 'Run the audit' }).click();
    await confirmed('Run it');
    await page.getByRole('status').filter({ hasText: 'Every chip is accounted for.' }).waitFor();
    t.match(await page.getByLabel('Report of the audit').textContent(), /ok {3}/);
    const entries = page.getByRole('table', { name: 'Audit log' }).getByRole('row');
    await entries.filter({ hasText: 'The operator called off' }).waitFor();
    await page.getByRole('searchbox').fill(owner.name);
    await entries.filter({ hasText: 'called off' }).waitFor({ state: 'detached' });
    await entries
      .filter({ hasText: `The operator banned ${owner.name}` })
      .filter({ hasText: 'seen <b>twice</b>' })
      .waitFor();
    await page.getByLabel('From').fill('2100-01-01');
    await page.getByText('No entry is like that.').waitFor();
    t.equal(new URL(page.url()).searchParams.get('since'), '2100-01-01');
  });

  await t.test('a deposit that the chain has lost is accepted, or taken back', async (t) => {
    const [row] = await platform.sql!<{ deposit_id: string }[]>`
      insert into deposits (deposit_id, agent_id, tx_hash, wallet, units, status, lost_at, log_index, block_number, block_hash)
      values (gen_random_uuid(), ${owner.agentId}, ${`0x${'7d'.repeat(32)}`}, ${`0x${'11'.repeat(20)}`}, 3000000, 'confirmed',
        now(), 0, 1, 'gone') returning deposit_id`;
    const stored = async () =>
      (
        await platform.sql!<{ accepted: boolean; status: string }[]>`
          select loss_accepted_at is not null as accepted, status from deposits where deposit_id = ${row!.deposit_id}`
      )[0];
    await platform.api('POST', '/api/deposit/dev', { body: { amount: 10 }, headers: owner.headers });
    await tab('Credits');
    const line = page.getByRole('row').filter({ hasText: 'lost' });
    await choose(line, 'Accept');
    await dialog.getByText('The treasury bears the loss.').waitFor();
    await dialog.getByRole('textbox').fill('the exchange has paid it again');
    await confirmed('Accept');
    t.same(await stored(), { accepted: true, status: 'confirmed' });

    await choose(line, 'Reverse');
    t.equal(await page.getByRole('menuitem', { name: 'Accept' }).count(), 0, 'it is accepted');
    await dialog.getByRole('textbox').fill('it was not paid again');
    await confirmed('Reverse');
    await line.waitFor({ state: 'detached' });
    t.match(await stored(), { status: 'orphaned' });
  });

  await t.test('the season ends in so many seconds, and its countdown is another one', async (t) => {
    await tab('Season');
    await page.getByLabel('Seconds until it ends').fill('120');
    await page.getByRole('button', { name: 'End it then' }).click();
    await dialog.getByText('ranks are final and prizes are booked').waitFor();
    await dialog.getByRole('textbox').fill('1');
    await confirmed('End the season then');
    await page
      .getByRole('timer')
      .filter({ hasText: /^00:0[01]:\d\d$/ })
      .waitFor();
    const { body } = await platform.api('GET', '/api/season/current');
    t.ok((body as { time_remaining_seconds: number }).time_remaining_seconds <= 120);
    await page.getByRole('button', { name: 'End it now' }).click();
    await dialog.getByRole('textbox').fill('1');
    await confirmed('End the season');
    await page
      .locator('.figures > div')
      .filter({ hasText: /^Season2$/ })
      .waitFor();
  });

  await t.test('the key is forgotten when told, and was in no address', async (t) => {
    await page.getByRole('button', { name: 'Forget the key' }).click();
    await page.getByLabel("Operator's key").waitFor();
    t.equal(await page.evaluate('sessionStorage.length'), 0);
    t.same(
      addresses.filter((address) => address.includes(ADMIN_KEY)),
      [],
    );
    t.same(found, [], 'nothing on the console, no request in vain');
    t.notMatch(platform.output, ADMIN_KEY);
  });
  await context.close();
});
