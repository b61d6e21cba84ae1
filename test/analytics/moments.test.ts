/** Moments of the day: the best hands of each kind, found while hands are counted, for spectators of the season. */
import t, { type Test } from 'tap';
import type { Static } from 'typebox';
import { Equities } from '../../src/analytics/equity.js';
import { HandReader } from '../../src/analytics/hand-facts.js';
import { Keeper } from '../../src/analytics/keeper.js';
import { KEPT_AN_HOUR, momentsIn, Moments, type FoundMoment } from '../../src/analytics/moments.js';
import { seededRandom } from '../../src/cards/shuffle.js';
import { Hand } from '../../src/holdem/hand.js';
import type { Audience } from '../../src/lobby/index.js';
import type { MomentsOfDay } from '../../src/protocol/rest/moments.js';
import { publicRoutes } from '../../src/public/index.js';
import { commitHands } from '../../src/shard/commit/queries.js';
import type { HandRecord } from '../../src/table/effects.js';
import { cardNames, cardsIn } from '../support/cards-in.js';
import { freshDatabase, openPool, stopCluster } from '../support/database.js';
import { FILE_MS } from '../support/limits.js';
import { openRandomTables } from '../support/random-table.js';
import { asker } from '../support/rest.js';
import { SEED } from '../support/seed.js';
import { wildPlay } from '../support/wild-hands.js';
import { PUBLIC_OPTIONS } from '../support/public-options.js';

t.setTimeout(FILE_MS);
t.teardown(stopCluster);
t.comment(`SEED=${SEED}`);

type Day = Static<typeof MomentsOfDay>;
const HOUSE: Audience = { spectators: 'public', sealed: false, delayHands: 0 };
const HOUR = 3_600_000;
const now = Date.now();

const sql = openPool(t, await freshDatabase(t), 4);
const { fence, poolId, randomTables } = await openRandomTables(sql, { tables: 6, chips: 5000, seed: SEED });
await sql`insert into seasons (season_id, start_date, end_date) values (${poolId}, now(), now() + interval '1 day')`;
await sql`update agents set public_profile = true, public_profile_slug = replace(name, '_', '-')`;
const hands: HandRecord[] = [];
const decide = wildPlay(seededRandom(SEED));
for (const [n, table] of randomTables.entries()) {
  // Each table in another hour; the last two are too old.
  table.clock = now - (n < 4 ? n : 30 + n) * HOUR - 10 * 60_000;
  for (let i = 0; i < 40 && table.seated.filter(({ stack }) => stack > 0).length > 1; i++) {
    const record = table.play(decide);
    await commitHands(sql, fence, [record]);
    hands.push(record);
  }
}

const reader = new HandReader(new Hand(), new Equities());
const read = (hand: HandRecord) =>
  momentsIn(
    hand,
    reader.read(hand).map(({ share }) => share),
  );
const fresh = hands.filter(({ startedAt }) => startedAt > now - 24 * HOUR);

/** The best hands of a kind, by the whole list. */
function bestOf(kind: FoundMoment['kind'], of = fresh): FoundMoment[] {
  const all = of.flatMap(read).filter((moment) => moment.kind === kind);
  return all.sort((a, b) => b.worth - a.worth || (a.handId < b.handId ? -1 : 1));
}

const routes = (house: Audience) => asker(publicRoutes({ ...PUBLIC_OPTIONS, sql, house }));
async function day(t: Test, house: Audience = HOUSE): Promise<Day> {
  const { status, body } = await routes(house)('getMoments');
  t.equal(status, 200);
  return body as Day;
}
const idsOf = (moments: readonly { hand_id: string }[]) => moments.map(({ hand_id: id }) => id);

await t.test('what a hand is the moment of', (t) => {
  for (const hand of hands) {
    const found = read(hand);
    t.match(found[0], { kind: 'pot', worth: hand.totalPot, equities: null });
    const allIn = found.find(({ kind }) => kind === 'all_in');
    if (allIn === undefined) continue;
    const seats = Object.keys(allIn.equities!).map(Number);
    const whole = Object.values(allIn.equities!).reduce((sum, share) => sum + share, 0);
    // Odd chips of split pots are whole.
    t.ok(Math.abs(whole - 1) < 0.01, `${whole}`);
    for (const seat of seats) t.ok(hand.players.find((player) => player.seat === seat)!.shown);
    const upset = found.find(({ kind }) => kind === 'upset');
    if (upset === undefined) continue;
    const winners = hand.players.filter(({ seat, payout }) => seats.includes(seat) && payout > 0);
    t.equal(winners.length, 1);
    t.equal(upset.worth, 1 - upset.equities![String(winners[0]!.seat)]!);
    t.ok(hand.totalPot >= 20 * hand.bigBlind);
    t.ok(upset.worth > 1 - 1 / seats.length, 'no favourite');
  }
  const shown = hands.find((hand) => read(hand).length > 1)!;
  const shares = reader.read(shown).map(({ share }) => share);
  const closed = { ...shown, players: shown.players.map((player) => ({ ...player, shown: false })) };
  t.equal(momentsIn(closed, shares).length, 1, 'an all-in with closed cards is none');
  t.end();
});

await t.test('the best of the day, whatever the keeper saw first, and none that is older', async (t) => {
  t.ok(bestOf('upset').length > 0 && bestOf('all_in').length > 5, 'there is something to see');
  t.same(await day(t), { big_pots: [], all_ins: [], upsets: [] }, 'nothing is counted');
  while ((await new Keeper(sql).round(10_000)).behind);
  const body = await day(t);
  for (const [name, kind] of [
    ['big_pots', 'pot'],
    ['all_ins', 'all_in'],
    ['upsets', 'upset'],
  ] as const) {
    t.same(
      idsOf(body[name]),
      bestOf(kind)
        .slice(0, 5)
        .map(({ handId }) => handId),
      name,
    );
  }
  const [{ rows, hours }] = await sql<[{ rows: number; hours: number }]>`
    select count(*)::int as rows, count(distinct hour)::int as hours from moments`;
  t.ok(rows <= 3 * KEPT_AN_HOUR * hours, `${rows} rows of ${hours} hours`);
  t.ok(hours <= 5);
  for (const moment of [...body.big_pots, ...body.all_ins, ...body.upsets]) {
    const hand = hands.find(({ handId }) => handId === moment.hand_id)!;
    const known = new Set(cardNames(hand.players.flatMap(({ hole, shown }) => (shown ? hole : []))));
    for (const card of cardsIn(JSON.stringify(moment))) t.ok(known.has(card), 'no card that was not shown');
    t.equal(moment.hand_number, hand.handNumber);
    t.equal(moment.total_pot, hand.totalPot);
    t.ok(moment.players.some(({ payout }) => payout > 0));
  }
  for (const { step, hand_id: id, players } of body.upsets) {
    t.equal(step, String(hands.find(({ handId }) => handId === id)!.actions.length));
    t.ok(players.every(({ equity, hole_cards: cards }) => equity !== null && cards !== null));
  }
});

await t.test('a spectator sees them as late as the hands, or not at all', async (t) => {
  t.same(await day(t, { ...HOUSE, spectators: 'none' }), { big_pots: [], all_ins: [], upsets: [] });
  const late = await day(t, { ...HOUSE, delayHands: 5 });
  const last = new Map(randomTables.map(({ tableId, handNumber }) => [tableId, handNumber]));
  const old = fresh.filter(({ tableId, handNumber }) => last.get(tableId)! - handNumber >= 5);
  for (const { hand_id: id } of late.big_pots) t.ok(old.some(({ handId }) => handId === id));
  t.equal(late.big_pots[0]?.hand_id, bestOf('pot', old)[0]!.handId);
});

await t.test('what is no longer among the best goes, and so does a day that is over', async (t) => {
  const later = new Moments(() => now + 2 * HOUR);
  const [best] = bestOf('pot');
  later.look(poolId, [{ ...best!, startedAt: now + HOUR, worth: best!.worth + 1 }]);
  await later.store(sql);
  const rows = await sql<{ kept: number }[]>`
    select count(*)::int as kept from moments where kind = 'pot' group by hour`;
  t.ok(rows.every(({ kept }) => kept <= KEPT_AN_HOUR));
  const nextDay = new Moments(() => now + 40 * HOUR);
  nextDay.look(poolId, [{ ...best!, startedAt: now + 40 * HOUR }]);
  await nextDay.store(sql);
  t.same(await sql`select hand_id from moments`, [{ hand_id: best!.handId }]);
});

await t.test('the hands of a competition are none', async (t) => {
  const other = await openRandomTables(sql, { shard: 1, players: 3, seed: SEED });
  const moments = new Moments(() => now);
  const record = other.randomTables[0]!.play();
  moments.look(other.poolId, [{ ...read(record)[0]!, startedAt: now, worth: 1e9 }]);
  await moments.store(sql);
  t.same(await sql`select from moments where pool_id = ${other.poolId}`, []);
});
