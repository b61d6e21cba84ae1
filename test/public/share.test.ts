/**
 * Links to pages tell other sites only what everybody may see, by cards in the head of the document and pictures of
 * hands. A subject that is hidden, sealed or unknown gives the same bytes as any other page. Names cannot leave their
 * place. Look-ups and drawing are bounded.
 */
import { randomUUID } from 'node:crypto';
import t from 'tap';
import { memoryLimits, type Limiter } from '../../src/gateway/limits.js';
import { openSite } from '../../src/gateway/pages/site.js';
import type { Audience } from '../../src/lobby/index.js';
import { tableName } from '../../src/protocol/table-name.js';
import { pageCards, PictureThread, SHARE_PATH, sharePictures } from '../../src/public/index.js';
import { commitHands } from '../../src/shard/commit/queries.js';
import type { HandRecord } from '../../src/table/effects.js';
import { cardNames } from '../support/cards-in.js';
import { addCompetition, addParticipants } from '../support/competition-rows.js';
import { freshDatabase, openPool, stopCluster } from '../support/database.js';
import { FakeLog, openHouse } from '../support/gateway.js';
import { FILE_MS } from '../support/limits.js';
import { openRandomTables } from '../support/random-table.js';

t.setTimeout(FILE_MS);
t.teardown(stopCluster);

const sql = openPool(t, await freshDatabase(t), 4);
const HOUSE: Audience = { spectators: 'public', sealed: false, delayHands: 0 };
const ORIGIN = 'https://poker.example.com';
const ATTACK = `</title><b>'"&$&${'x'.repeat(10)}`;
const limits = memoryLimits();
t.teardown(() => limits.close());

const { poolId, fence, randomTables } = await openRandomTables(sql, { players: 3, shard: 0, seed: 5 });
const [table] = randomTables;
const hands: HandRecord[] = [];
for (let n = 0; n < 12; n++) {
  const record = table!.play();
  await commitHands(sql, fence, [record]);
  hands.push(record);
}
const began = new Date(Date.UTC(2026, 0, 1));
await sql`
  insert into seasons (season_id, status, start_date, end_date)
  values (${poolId}, 'active', ${began}, ${new Date(began.getTime() + 86_400_000)})`;
const [ada] = hands[0]!.players;
await sql`
  update agents set name = ${'W'.repeat(32)}, public_profile_slug = 'ada', public_profile = true where agent_id = ${ada!.agentId}`;

/** A hand of a competition, with names that its organizer and its players chose. */
const {
  poolId: cup,
  fence: ofCup,
  randomTables: tables,
} = await openRandomTables(sql, { players: 3, shard: 1, seed: 7 });
const cupHand = tables[0]!.play();
await commitHands(sql, ofCup, [cupHand]);
await sql`update pools set kind = 'competition' where pool_id = ${cup}`;
const [organizer, ...others] = cupHand.players.map(({ agentId }) => agentId);
await addCompetition(sql, organizer!, { poolId: cup, state: 'active', started_at: began });
await addParticipants(
  sql,
  cup,
  others.map((agentId, n) => ({ agentId, displayName: `${ATTACK}${n}` })),
);
const [{ slug } = { slug: '' }] = await sql<{ slug: string }[]>`
  update competitions set name = ${ATTACK} where competition_id = ${cup} returning slug`;

interface Options {
  house?: Audience;
  origin?: string | null;
  limiter?: Limiter;
  tableState?: (id: string) => Promise<string | null>;
}

const thread = new PictureThread();
t.teardown(() => thread.stop());

const free = (): Limiter => limits.limiter('free', 10_000, 60_000);

/** A server with the pages, their cards and the pictures. */
async function serve({
  house = HOUSE,
  origin = ORIGIN,
  limiter = free(),
  tableState = async () => null,
}: Options = {}) {
  const site = openSite();
  const log = new FakeLog();
  const common = { sql, house, limiter, clientOf: () => 'client' };
  const cards = pageCards({
    ...common,
    origin,
    log,
    views: { tableState },
    placeOf: async () => null,
    leaders: async () => [{ botName: ATTACK, score: 12_345 }],
  });
  const pictures = sharePictures({
    ...common,
    draw: site.draw,
    png: (svg) => thread.png(svg),
    allLimiter: free(),
  });
  const server = await openHouse({}, [], { [SHARE_PATH]: pictures }, site.withCards(cards));
  t.teardown(() => server.gateway.close());
  const get = (path: string, headers: Record<string, string> = {}) => fetch(server.http + path, { headers });
  return { get, log, page: async (path: string) => (await get(path)).text() };
}

const tagOf = (html: string, name: string) =>
  new RegExp(`<meta (?:property|name)="${name}" content="([^"]*)"`).exec(html)?.[1] ?? null;
const pathOf = ({ handId }: Pick<HandRecord, 'handId'>) => `/hands/${handId}`;

await t.test('a hand, an agent, the leaderboard and home have cards of their own', async (t) => {
  const { page } = await serve();
  const [record] = hands;
  const html = await page(pathOf(record!));
  const title = `${tableName(record!.tableId)} #${record!.handNumber}`;
  t.match(html, `<title>${title} · Agent Poker</title>`);
  t.equal(tagOf(html, 'og:title'), title);
  t.match(tagOf(html, 'og:description'), /wins [\d,]+.*3 bots, blinds \d+ \/ \d+\./);
  t.equal(tagOf(html, 'og:url'), `${ORIGIN}${pathOf(record!)}`);
  t.equal(tagOf(html, 'og:image'), `${ORIGIN}/share/hands/${record!.handId}.png`);
  t.equal(tagOf(html, 'twitter:card'), 'summary_large_image');
  t.equal(
    tagOf(await page(`${pathOf(record!)}?at=2`), 'og:image'),
    `${ORIGIN}/share/hands/${record!.handId}.png?at=2`,
    'of the moment that the link names',
  );
  t.equal(tagOf(await page(`${pathOf(record!)}?at="><b>`), 'og:url'), `${ORIGIN}${pathOf(record!)}`, 'and of no other');
  t.match(tagOf(await page('/agents/ada'), 'og:description'), 'plays no hands');
  t.match(tagOf(await page('/leaderboard'), 'og:description'), '(12,345)');
  t.equal(tagOf(await page('/'), 'og:url'), `${ORIGIN}/`);
  const general = await page('/docs');
  t.equal(tagOf(general, 'og:url'), null);
  t.equal(tagOf(general, 'og:image'), `${ORIGIN}/card.png`);
});

await t.test('a name stays text, whatever letters it has', async (t) => {
  const { page } = await serve();
  const plain = await page('/docs');
  const elements = (html: string) =>
    [...html.matchAll(/<\/?[a-z]+/gi)].map(([tag]) => tag).filter((tag) => tag !== '<meta');
  for (const path of ['/leaderboard', `/competitions/${slug}`, pathOf(cupHand)]) {
    const html = await page(path);
    t.same(elements(html), elements(plain), path);
    t.notMatch(html, ATTACK);
  }
  t.match(await page(`/competitions/${slug}`), '&lt;/title&gt;&lt;b&gt;&#39;&quot;&amp;$&amp;xxx');
});

await t.test('without an address of our own there is none in the card', async (t) => {
  const { page } = await serve({ origin: null });
  const html = await page(pathOf(hands[0]!));
  t.match(tagOf(html, 'og:title'), '#');
  t.same([tagOf(html, 'og:url'), tagOf(html, 'og:image')], [null, null]);
  t.notMatch(html, /https?:\/\//);
});

await t.test('what is hidden, sealed or unknown looks like any other page', async (t) => {
  const { page, get } = await serve();
  const general = await page('/docs');
  const unknown = randomUUID();
  for (const path of [
    `/hands/${unknown}`,
    '/hands/%27',
    `/tables/${unknown}`,
    '/agents/nobody',
    '/competitions/none',
  ]) {
    t.equal(await page(path), general, path);
  }
  t.equal((await get(`/share/hands/${unknown}.svg`)).status, 404);
  const set = (change: object) => sql`update competitions set ${sql(change)} where competition_id = ${cup}`;
  t.match(tagOf(await page(`/competitions/${slug}`), 'og:description'), 'A competition of 2 bots, being played.');
  for (const [name, change] of [
    ['for those who take part', { spectators: 'participants', duplicate: false }],
    ['for nobody', { spectators: 'none', duplicate: false }],
    ['sealed', { spectators: 'public', duplicate: true }],
  ] as const) {
    await set(change);
    const fresh = await serve();
    t.equal(await fresh.page(pathOf(cupHand)), general, name);
    t.equal((await fresh.get(`/share/hands/${cupHand.handId}.svg`)).status, 404, name);
  }
  await set({ spectators: 'public', duplicate: false });
  const open = await serve();
  t.equal((await open.get(`/share/hands/${cupHand.handId}.svg`)).status, 200);
  await set({ state: 'draft' });
  t.equal(await (await serve()).page(`/competitions/${slug}`), general, 'a draft');
  await sql`update agents set public_profile = false where agent_id = ${ada!.agentId}`;
  t.equal(await (await serve()).page('/agents/ada'), general, 'a hidden profile');
  await sql`update agents set public_profile = true where agent_id = ${ada!.agentId}`;
  const shut = await serve({ house: { ...HOUSE, spectators: 'none' } });
  t.equal(await shut.page(pathOf(hands[0]!)), general, 'a house without spectators');
  t.equal((await shut.get(`/share/hands/${hands[0]!.handId}.svg`)).status, 404);
});

await t.test('a table has the names of its bots; a page goes out without them where none can be had', async (t) => {
  let asked = 0;
  const id = randomUUID();
  const state = JSON.stringify({ seats: [{ name: 'ada' }, { name: null }], small_blind: 10, big_blind: 20 });
  const { page, log } = await serve({
    limiter: limits.limiter('few', 3, 60_000),
    tableState: async (asking) => {
      asked++;
      if (asking === id) return state;
      throw new Error('the database is away');
    },
  });
  const general = await page('/docs');
  t.match(tagOf(await page(`/tables/${id}`), 'og:title'), tableName(id));
  t.match(tagOf(await page(`/tables/${id}`), 'og:description'), 'Blinds 10 / 20. At the table: ada.');
  t.equal(asked, 1, 'kept for a while');
  for (let n = 0; n < 20; n++) t.equal(await page(`/tables/${randomUUID()}`), general);
  t.equal(asked, 3, 'an address has so many look-ups');
  t.equal(log.lines.filter(({ message }) => message.includes('without its own card')).length, 1, 'said once a minute');
  t.match(tagOf(await page(`/tables/${id}`), 'og:title'), tableName(id), 'what is kept costs none');
});

/** Names of the cards that a picture shows face up. */
const cardsShown = (svg: string) =>
  [...svg.matchAll(/class="playing-card suit-(\w)"><rect[^>]*\/><text class="card-rank"[^>]*>(\w+)</g)].map(
    ([, suit, rank]) => `${rank === '10' ? 'T' : rank}${suit}`,
  );

await t.test('a picture shows the moment as a spectator saw it, and runs nothing', async (t) => {
  const { get } = await serve();
  for (const record of hands) {
    const answer = await get(`/share/hands/${record.handId}.svg`);
    t.equal(answer.status, 200);
    t.match(answer.headers.get('content-type'), 'image/svg+xml');
    t.match(answer.headers.get('content-security-policy'), /default-src 'none'.*frame-ancestors 'none'/);
    t.match(answer.headers.get('cache-control'), 'public, max-age=300');
    const svg = await answer.text();
    t.match(svg, /^<svg xmlns="http:\/\/www.w3.org\/2000\/svg" viewBox="0 0 1200 630" width="1200"/);
    t.match(svg, `${tableName(record.tableId)} #${record.handNumber}`);
    const { board, boardCount, players } = record;
    const known = [...board.slice(0, boardCount), ...players.flatMap(({ hole, shown }) => (shown ? hole : []))];
    t.same(cardsShown(svg).sort(), cardNames(known).sort(), 'the cards that were shown');
    t.notMatch(svg, /<(script|b|foreignObject|image|a|use)\b|on\w+=|href|url\(http|@import/);
  }
  const names = await (await get(`/share/hands/${cupHand.handId}.svg?at=0`)).text();
  t.match(names, '&lt;/title&gt;&lt;b&gt;', 'a name is text');
  t.notMatch(names, /<(script|b)\b/);
  const played = hands.find(({ boardCount }) => boardCount === 5)!;
  const flop = await (await get(`/share/hands/${played.handId}.svg?at=flop`)).text();
  t.ok(
    cardsShown(flop).length >= 3 &&
      cardsShown(flop).length < cardsShown(await (await get(`/share/hands/${played.handId}.svg`)).text()).length + 1,
  );
  t.same(
    cardsShown(flop).filter((card) => cardNames(played.board.slice(3)).includes(card)),
    [],
    'no card of later streets',
  );
  const { headers } = await get(`/share/hands/${played.handId}.svg`);
  t.equal((await get(`/share/hands/${played.handId}.svg`, { 'if-none-match': headers.get('etag')! })).status, 304);
  const picture = await get(`/share/hands/${played.handId}.png?at=flop`);
  t.match(picture.headers.get('content-type'), 'image/png');
  const bytes = Buffer.from(await picture.arrayBuffer());
  t.equal(bytes.subarray(0, 8).toString('latin1'), '\x89PNG\r\n\x1a\n');
  t.same([bytes.readUInt32BE(16), bytes.readUInt32BE(20)], [1200, 630]);
  t.equal((await get(`/share/hands/${played.handId}.png?at=999`)).status, 404);
  for (const bad of ['?at=999', '?at=<b>', '?at=']) {
    t.equal((await get(`/share/hands/${played.handId}.svg${bad}`)).status, 404, bad);
  }
  for (const bad of [
    `${played.handId}.gif`,
    played.handId,
    '..%2f..%2findex.html',
    `${played.handId.toUpperCase()}.svg`,
  ]) {
    t.equal((await get(`/share/hands/${bad}`)).status, 404, bad);
  }
});

await t.test('an address has so many new pictures a minute', async (t) => {
  const { get } = await serve({ limiter: limits.limiter('pictures', 2, 60_000) });
  const [one, two, three] = hands.map(({ handId }) => `/share/hands/${handId}.svg`) as [string, string, string];
  t.same([(await get(one)).status, (await get(two)).status, (await get(three)).status], [200, 200, 429]);
  t.equal((await get(one)).status, 200, 'a kept one costs nothing');
});
