/**
 * The first pages of a visitor, in a real browser. Home shows a table as it is played, with a link to it, and the
 * programs of docs/guides/kits.md with this server's address. The leaderboard shows earlier places, and the distance to
 * the next and to the first place.
 */
import { readFileSync } from 'node:fs';
import t from 'tap';
import { eventually, FILE_MS } from '../../support/limits.js';
import { TestPlatform } from '../../support/platform.js';
import { boardRow } from '../../web/board-row.js';
import { complaints, drawn, noBrowser, openBrowser, openContext, type Look } from '../../web/browser.js';
import { guestAt, RICH } from '../../web/guest.js';
import { violations } from '../../web/picture-in-page.js';

t.setTimeout(FILE_MS);

const row = (rank: number, score: number, hourAgo: number | null, dayAgo: number | null) =>
  boardRow(rank, { score, rank_hour_ago: hourAgo, rank_day_ago: dayAgo });

await t.test('home and leaderboard', { skip: noBrowser }, async (t) => {
  const platform = await TestPlatform.start(t, { ...RICH, HOUSE_BOTS: 3, BETWEEN_HANDS_MS: 100 });
  const guest = await guestAt(platform);
  await eventually('a table', () => guest.table !== null);
  const browser = await openBrowser();
  t.teardown(() => browser.close());
  const open = async (look: Partial<Look> = {}) => {
    const page = await (await openContext(browser, { url: platform.url, ...look })).newPage();
    return { page, found: complaints(page) };
  };

  await t.test('a table is played on the first page, and leads to its own', async (t) => {
    const { page, found } = await open();
    let sockets = 0;
    page.on('websocket', () => sockets++);
    await page.goto(platform.url);
    const picture = page.locator('.featured .table-picture');
    await picture.waitFor();
    const label = () => picture.getAttribute('aria-label');
    const first = await label();
    await eventually('something new on it', async () => (await label()) !== first);
    t.equal(sockets, 1);
    t.same(await violations(page), []);
    await page.locator('.featured').click();
    await page.waitForURL(`**/tables/${guest.table!}`);
    await page.locator('.log li').first().waitFor();
    t.same(found, []);
  });

  await t.test("three steps to a first bot: the kits' ten lines, with this server's own address", async (t) => {
    const { page, found } = await open();
    await page.goto(platform.url);
    const [, ts, python] =
      /```ts\n([^]*?)```[^]*?```python\n([^]*?)```/.exec(readFileSync('docs/guides/kits.md', 'utf8')) ?? [];
    const here = (code: string | undefined) => code?.replace('http://127.0.0.1:8080', platform.url).trim();
    t.equal(await page.getByLabel('A bot in Python').textContent(), here(python));
    await page.getByRole('button', { name: 'TypeScript' }).click();
    t.equal(await page.getByLabel('A bot in TypeScript').textContent(), here(ts));
    t.match(await page.getByLabel('Register with curl').textContent(), `curl ${platform.url}/api/register`);
    t.same(found, []);
  });

  await t.test('places won and lost, and what is missing to the next and the first', async (t) => {
    const { page, found } = await open({ width: 1600 });
    const rows = [row(1, 9000, 3, 1), row(2, 8400, 2, null), row(3, 8100, 1, 2)];
    const asked: string[] = [];
    await page.route('**/api/season/leaderboard*', async (route) => {
      const { search, searchParams } = new URL(route.request().url());
      asked.push(search);
      const from = Number(searchParams.get('offset') ?? 0);
      await route.fulfill({ json: from >= 99 ? [row(100, 5000, null, null), row(101, 4900, 150, null)] : rows });
    });
    const cells = async () =>
      (await page.locator('.list tbody tr').allInnerTexts()).map((text) =>
        text.split('\t', 7).map((cell) => cell.replace(/\s+/g, ' ').trim()),
      );
    await page.goto(`${platform.url}/leaderboard`);
    await drawn(page);
    t.same(await cells(), [
      ['1', '▲ up 2', '=', 'bot_1', '9,000', '', ''],
      ['2', '=', '–', 'bot_2', '8,400', '600', '600'],
      ['3', '▼ down 2', '▼ down 1', 'bot_3', '8,100', '300', '900'],
    ]);
    await page.goto(`${platform.url}/leaderboard?from=100`);
    await drawn(page);
    await page.getByText('4,900').waitFor();
    t.match(
      (await cells())[0]!.slice(0, 6),
      ['101', '▲ up 49', 'bot_101', '4,900', '100', '4,100'],
      'the row before it is known; nobody here has a place of yesterday, so it has no column',
    );
    t.equal((await cells()).length, 1, 'but not shown');
    t.ok(asked.some((search) => /offset=99/.test(search)));
    await page.goto(`${platform.url}/leaderboard?sort=win_rate`);
    await drawn(page);
    t.equal(await page.getByRole('columnheader', { name: '1 h' }).count(), 0, 'in other orders it would mean nothing');
    t.same(found, []);
  });
});
