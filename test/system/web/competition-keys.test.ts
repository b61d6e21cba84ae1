/**
 * The life of a competition with the keyboard alone, by Tab, Enter and Space. It is created and opened. A bot of the
 * public list asks to join and is accepted. It is played, ended and made final, and its podium leads to a bot.
 */
import type { Locator, Page } from 'playwright-core';
import t from 'tap';
import { stopCluster } from '../../support/database.js';
import { eventually, FILE_MS } from '../../support/limits.js';
import { complaints, noBrowser, openBrowser, openContext } from '../../web/browser.js';
import { guestAt } from '../../web/guest.js';
import { violations } from '../../web/picture-in-page.js';
import { Stage } from '../../web/stage.js';

t.setTimeout(FILE_MS);
t.teardown(stopCluster);

/** More than the places of any page here. */
const MOST_TABS = 120;

/** Presses Tab until the element has the focus. */
async function reach(page: Page, to: Locator): Promise<void> {
  await to.first().waitFor();
  const isThere = () => to.first().evaluate((element) => element === document.activeElement);
  for (let n = 0; n < MOST_TABS; n++) {
    if (await isThere()) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`Tab does not reach ${String(to)}`);
}

async function press(page: Page, to: Locator, key: 'Enter' | 'Space' = 'Enter'): Promise<void> {
  await reach(page, to);
  await page.keyboard.press(key);
}

await t.test('by keys alone', { skip: noBrowser }, async (t) => {
  const stage = await Stage.open(t, { HOUSE_BOTS: 0, SIGN_IN_MINUTES: 60, BETWEEN_HANDS_MS: 50 });
  const { platform } = stage;
  const { url } = platform;
  const browser = await openBrowser();
  t.teardown(() => browser.close());
  let visitors = 0;
  const open = async (cookie?: string) => {
    const context = await openContext(browser, { url, cookie, address: `198.18.7.${++visitors}` });
    const page = await context.newPage();
    return { page, found: complaints(page, [/^404 \/api\/season\/me$/]) };
  };
  const [organizer, asker] = [await stage.owner('org_bot'), await stage.owner(`ada_${'w'.repeat(28)}`)];
  const { page, found } = await open(organizer.cookie);
  const button = (name: string, on: Page | Locator = page) => on.getByRole('button', { name, exact: true });
  const dialog = (on = page) => on.getByRole('dialog');
  const confirm = async (label: string, verb = label, on = page) => {
    await press(on, button(label, on));
    await press(on, button(verb, dialog(on)));
    await dialog(on).waitFor({ state: 'detached' });
  };

  await t.test('a draft is made and opened', async (t) => {
    await page.goto(`${url}/competitions`);
    await press(page, page.getByRole('link', { name: 'New competition' }));
    await reach(page, page.getByLabel('Name', { exact: true }));
    await page.keyboard.type('Cup of keys');
    await press(page, page.getByLabel('Bots may ask to join'), 'Space');
    t.ok(await page.getByLabel('Bots may ask to join').isChecked());
    await press(page, button('Next'));
    await page.getByLabel('Ends').waitFor();
    await press(page, button('Next'));
    await press(page, button('Create the draft'));
    await page.getByRole('heading', { name: 'Cup of keys' }).waitFor();
    await confirm('Open enrollment');
    await confirm('Let my bot take part', 'Take part');
  });

  await t.test('another finds it in the public list, asks, and is accepted', async (t) => {
    const player = await open(asker.cookie);
    await player.page.goto(`${url}/competitions`);
    await press(player.page, player.page.getByRole('button', { name: /^Open/ }));
    t.same(await violations(player.page), []);
    await press(player.page, player.page.getByRole('link', { name: 'Cup of keys' }));
    await confirm('Ask to join', 'Ask', player.page);
    await player.page.getByText('The organizer answers.').waitFor();
    t.same(await violations(player.page), []);
    await page.reload();
    await press(page, page.getByRole('link', { name: 'Answer' }));
    await button('Accept').waitFor();
    t.same(await violations(page), []);
    await confirm('Accept');
    await page.getByText('No bot asks to join.').waitFor();
    await player.page.reload();
    await player.page.getByText('Your bot takes part.').waitFor();
    t.same(player.found, []);
  });

  await t.test('it is started, ended and made final', async () => {
    await press(page, button('Overview'));
    await confirm('Start');
    const [row] = await platform.sql!<{ id: string }[]>`
      select competition_id as id from competitions where name = 'Cup of keys'`;
    const seated = [
      await guestAt(platform, organizer.account, row!.id),
      await guestAt(platform, asker.account, row!.id),
    ];
    await eventually('hands', async () => {
      const [played] = await platform.sql!<{ hands: number }[]>`
        select count(*)::integer as hands from hands where pool_id = ${row!.id}`;
      return played!.hands >= 3;
    });
    await confirm('End');
    await confirm('Make the results final');
    await page.getByText('Nothing is left to do').waitFor();
    await Promise.all(seated.map((each) => each.close()));
  });

  await t.test('the podium and the hands stand on its page, and lead on', async (t) => {
    await press(page, page.getByRole('link', { name: 'As others see it' }));
    const podium = page.getByRole('list', { name: 'The first three' });
    await podium.waitFor();
    t.equal(await podium.getByRole('listitem').count(), 2);
    await page.getByRole('table', { name: 'Hands of the competition' }).waitFor();
    t.same(await violations(page), []);
    await press(page, page.getByRole('link', { name: /^\w+ \w+ #\d/ }));
    await page.locator('.table-picture').waitFor();
    await page.goBack();
    await press(page, podium.getByRole('link'));
    await page.waitForURL(/\/agents\//);
    const stranger = await open();
    await stranger.page.goto(`${url}/competitions?tab=finished`);
    const list = stranger.page.getByRole('table', { name: 'Competitions: finished' });
    await list.getByRole('link', { name: 'Cup of keys' }).waitFor();
    t.equal(await list.getByRole('link').count(), 2, 'the competition and its winner');
    t.same(await violations(stranger.page), []);
    t.same([...found, ...stranger.found], []);
  });
});
