/** TV: the table of the most interest fills the window, keys do all that buttons do, and the window's title tells. */
import t from 'tap';
import { stopCluster } from '../../support/database.js';
import { eventually, FILE_MS } from '../../support/limits.js';
import { TestPlatform } from '../../support/platform.js';
import { tableName } from '../../../src/protocol/table-name.js';
import { complaints, noBrowser, openBrowser, openContext } from '../../web/browser.js';
import { guestAt } from '../../web/guest.js';

t.setTimeout(FILE_MS);
t.teardown(stopCluster);

await t.test('in a browser', { skip: noBrowser }, async (t) => {
  const platform = await TestPlatform.start(t, { HOUSE_BOTS: 3, BETWEEN_HANDS_MS: 100 });
  const guest = await guestAt(platform);
  await eventually('a table', () => guest.table !== null);
  const browser = await openBrowser();
  t.teardown(() => browser.close());
  const page = await (await openContext(browser, { url: platform.url })).newPage();
  const found = complaints(page);
  await page.goto(`${platform.url}/tables`);
  await page.getByRole('link', { name: 'Watch on TV' }).click();
  await page.locator('.tv .table-picture').waitFor();
  const name = tableName(guest.table!);
  t.equal(await page.locator('h1').textContent(), name);
  await page.waitForFunction((of) => document.title.startsWith(`${of} · pot `), name);

  const pin = page.getByRole('button', { name: 'Keep this table' });
  await page.keyboard.press(' ');
  t.equal(await pin.getAttribute('aria-pressed'), 'true');
  await page.keyboard.press(' ');
  t.equal(await pin.getAttribute('aria-pressed'), 'false');

  await page.keyboard.press('c');
  await page.waitForFunction(() => document.title.endsWith(' bb'));
  await page.keyboard.press('c');
  await page.waitForFunction(() => !document.title.endsWith(' bb'));

  await page.keyboard.press('?');
  await page.getByRole('dialog', { name: 'Keys' }).waitFor();
  await page.getByRole('button', { name: 'Close' }).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });

  await page.keyboard.press('f');
  await page.waitForFunction(() => document.fullscreenElement?.classList.contains('tv') === true);
  t.ok(await page.locator('.tv-name').isVisible(), 'without the heading of the page the table is named below');
  await page.keyboard.press('F');
  await page.waitForFunction(() => document.fullscreenElement === null);

  await page.locator('.tv.idle').waitFor();
  t.equal(await page.locator('.tv').evaluate((tv) => getComputedStyle(tv).cursor), 'none');
  await page.mouse.move(200, 300);
  await page.locator('.tv:not(.idle)').waitFor();
  t.same(found, []);
});
