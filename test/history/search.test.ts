/**
 * GET /api/me/hand-history with filters and orders, against the hands as they were played. The tests hold the found
 * hands, their order, the number of searched hands, and the place of the next request.
 */
import fc from 'fast-check';
import t, { type Test } from 'tap';
import { seededRandom } from '../../src/cards/shuffle.js';
import { createHistory } from '../../src/history/index.js';
import { smallBlindSeat } from '../../src/holdem/deal.js';
import { Act } from '../../src/holdem/types.js';
import { HANDS_SEARCHED } from '../../src/protocol/rest/history.js';
import { commitHands } from '../../src/shard/commit/queries.js';
import type { HandRecord } from '../../src/table/effects.js';
import { stuffHands } from '../support/bulk-hands.js';
import { addCompetition, addParticipants } from '../support/competition-rows.js';
import { freshDatabase, openPool, stopCluster } from '../support/database.js';
import { FILE_MS } from '../support/limits.js';
import { stopParts } from '../support/parts.js';
import { openRandomTables } from '../support/random-table.js';
import { asker } from '../support/rest.js';
import { SEED } from '../support/seed.js';
import { wildPlay } from '../support/wild-hands.js';

t.setTimeout(FILE_MS);
t.teardown(stopCluster);
t.comment(`SEED=${SEED}`);

const HANDS = 120;

interface Page {
  hands: {
    hand_id: string;
    profit: number;
    total_pot?: number;
    players?: { seat: number; name: string; public_profile_slug: string | null }[];
  }[];
  total_hands: number;
  next_cursor: string | null;
  searched_hands?: number;
  found_hands?: number;
}

/** A hand with what the test saw while it was played. */
interface Seen {
  record: HandRecord;
  /** The agents that put their last chip in. */
  allIn: ReadonlySet<string>;
}

function allInOf(record: HandRecord, before: readonly { bet: number; stack: number }[]): Set<string> {
  const { players, actions, button, bigBlindSeat } = record;
  const bySeat = new Map(players.map(({ seat, agentId }) => [seat, agentId]));
  const dealt = players.reduce((mask, { seat }) => mask | (1 << seat), 0);
  const small = smallBlindSeat(dealt, button, 'standard');
  const allIn = new Set<string>();
  for (const { seat, agentId, stackStart } of players) {
    if ((seat === bigBlindSeat && stackStart <= 20) || (seat === small && stackStart <= 10)) allIn.add(agentId);
  }
  for (const [i, { seat, act, amount }] of actions.entries()) {
    const { bet, stack } = before[i]!;
    const all = act === Act.allIn || (act === Act.raise && amount === bet + stack) || (act === Act.call && amount === stack); // prettier-ignore
    if (all) allIn.add(bySeat.get(seat)!);
  }
  return allIn;
}

/** A season of six agents who go broke one after the other. */
async function openSeason(t: Test) {
  const address = await freshDatabase(t);
  const sql = openPool(t, address, 4);
  const { fence, poolId, randomTables } = await openRandomTables(sql, { players: 6, chips: 5000, seed: SEED });
  const startsAt = Date.UTC(2026, 0, 1);
  await sql`
    insert into seasons (season_id, status, start_date, end_date)
    values (${poolId}, 'active', ${new Date(startsAt)}, ${new Date(startsAt + 86_400_000)})`;
  const [table] = randomTables;
  const agents = table!.seated.map(({ agentId }) => agentId);
  await sql`update agents set public_profile_slug = 'the-second' where agent_id = ${agents[1]!}`;
  const wild = wildPlay(seededRandom(SEED));
  const seen: Seen[] = [];
  while (seen.length < HANDS && table!.seated.filter(({ stack }) => stack > 0).length > 1) {
    // Before each action: the actor's bet on the street, and the chips behind it.
    const before: { bet: number; stack: number }[] = [];
    const record = table!.play((hand) => {
      before.push({ bet: hand.bet[hand.actor]!, stack: hand.stack[hand.actor]! });
      wild(hand);
    });
    await commitHands(sql, fence, [record]);
    seen.unshift({ record, allIn: allInOf(record, before) });
  }
  const history = createHistory({ sql, address, season: () => ({ seasonId: poolId, startsAt }), now: Date.now });
  t.teardown(() => stopParts(history));
  return { sql, poolId, agents, seen, ask: asker(history.routes), table: table! };
}

/** The position of a seat, counted by hand: the seats in order from the left of the button. */
function positionIn({ players, button, bigBlindSeat }: HandRecord, seat: number): string {
  const order = players.map((player) => player.seat).sort((a, b) => ((a - button + 5) % 6) - ((b - button + 5) % 6));
  if (order.length === 2) return seat === bigBlindSeat ? 'BB' : 'BTN';
  const names = ['SB', 'BB', 'UTG', 'MP', 'CO', 'BTN'];
  const at = order.indexOf(seat);
  return at < 2 ? names[at]! : names[6 - (order.length - at)]!;
}

const POTS = [1, 60, 200, 1000, 5000];
const STREETS = ['preflop', 'flop', 'turn', 'river'];

await t.test('the hands of a season by filter and order', async (t) => {
  const { sql, agents, seen, ask, poolId } = await openSeason(t);
  const [me, second] = agents as [string, string];
  const mine = seen.filter(({ record }) => record.players.some(({ agentId }) => agentId === me));
  const own = ({ record }: Seen) => record.players.find(({ agentId }) => agentId === me)!;
  const profit = (hand: Seen) => own(hand).stackEnd - own(hand).stackStart;
  const names = new Map(
    (await sql<{ id: string; name: string }[]>`select agent_id as id, name from agents`).map(({ id, name }) => [
      id,
      name,
    ]),
  );
  const page = async (query: Record<string, string | number | boolean | undefined>): Promise<Page> => {
    const given = Object.entries(query).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, String(value)]],
    );
    const answer = await ask('getHandHistory', {
      agentId: me,
      query: new URLSearchParams(Object.fromEntries(given)).toString(),
    });
    if (answer.status !== 200) throw new Error(JSON.stringify(answer));
    return answer.body as Page;
  };
  const idsOf = (answer: Page) => answer.hands.map((hand) => hand.hand_id);

  await t.test('any filter finds what the records say', async () => {
    const query = fc.record(
      {
        result: fc.constantFrom('won', 'lost', 'even'),
        position: fc.constantFrom('UTG', 'MP', 'CO', 'BTN', 'SB', 'BB'),
        min_pot: fc.constantFrom(...POTS),
        opponent: fc.constantFrom(...agents.slice(1)),
        street: fc.constantFrom(...STREETS),
        all_in: fc.boolean(),
        sort: fc.constantFrom('newest', 'biggest_pot', 'biggest_win', 'biggest_loss'),
        limit: fc.integer({ min: 1, max: 30 }),
        offset: fc.integer({ min: 0, max: 20 }),
      },
      { requiredKeys: ['limit', 'offset'] },
    );
    const check = fc.asyncProperty(query, async ({ limit, offset, sort = 'newest', opponent, ...rest }) => {
      const { result, position, min_pot: pot, street, all_in: allIn } = rest;
      const fits = mine.filter((hand) => {
        const { record } = hand;
        const net = profit(hand);
        return (
          (result === undefined || result === (net > 0 ? 'won' : net < 0 ? 'lost' : 'even')) &&
          (position === undefined || positionIn(record, own(hand).seat) === position) &&
          (pot === undefined || record.totalPot >= pot) &&
          (opponent === undefined || record.players.some(({ agentId }) => agentId === opponent)) &&
          (street === undefined || record.boardCount === [0, 3, 4, 5][STREETS.indexOf(street)]) &&
          (allIn === undefined || hand.allIn.has(me) === allIn) &&
          (sort !== 'biggest_win' || net > 0) &&
          (sort !== 'biggest_loss' || net < 0)
        );
      });
      const weight = (hand: Seen) =>
        sort === 'newest' ? 0 : sort === 'biggest_pot' ? hand.record.totalPot : Math.abs(profit(hand));
      const expected = [...fits].sort((a, b) => weight(b) - weight(a)).slice(offset, offset + limit);
      const name = opponent === undefined ? undefined : opponent === second ? 'the-second' : names.get(opponent)!;
      const answer = await page({ limit, offset, opponent: name, sort, ...rest });
      const searches = sort !== 'newest' || opponent !== undefined || Object.values(rest).some((each) => each !== undefined); // prettier-ignore
      const isFull = sort === 'newest' && expected.length === limit;
      const searched = isFull ? mine.indexOf(expected.at(-1)!) + 1 : mine.length;
      const found = sort === 'newest' && isFull ? offset + limit : fits.length;
      const differs =
        JSON.stringify(idsOf(answer)) !== JSON.stringify(expected.map(({ record }) => record.handId)) ||
        answer.total_hands !== mine.length ||
        answer.searched_hands !== (searches ? searched : undefined) ||
        answer.found_hands !== (searches ? found : undefined) ||
        (answer.next_cursor === null) !== (searched === mine.length);
      if (differs) throw new Error(JSON.stringify({ ...answer, hands: idsOf(answer), expected, searched, found }));
    });
    await fc.assert(check, { numRuns: 150, seed: SEED });
  });

  await t.test('cursors lead through all that fit, and each hand is found once', async (t) => {
    const fits = mine.filter((hand) => profit(hand) < 0).map(({ record }) => record.handId);
    const found: string[] = [];
    let searched = 0;
    for (let cursor: string | undefined | null; cursor !== null;) {
      const answer: Page = await page({ result: 'lost', limit: 7, cursor });
      found.push(...idsOf(answer));
      searched += answer.searched_hands!;
      cursor = answer.next_cursor;
    }
    t.same(found, fits);
    t.equal(searched, mine.length, 'and each hand is looked through once');
  });

  await t.test('without filter and order the answer has no other fields', async (t) => {
    const plain = await page({});
    t.same(Object.keys(plain), ['hands', 'limit', 'offset', 'total_hands', 'next_cursor']);
    t.notOk('players' in plain.hands[0]!);
    t.same(await page({ sort: 'newest' }), plain);
  });

  await t.test('with the players and the pot', async (t) => {
    for (const query of [{}, { sort: 'biggest_pot' }]) {
      const { hands } = await page({ ...query, with_players: true });
      const { record } = mine.find(({ record: { handId } }) => handId === hands[0]!.hand_id)!;
      t.equal(hands[0]!.total_pot, record.totalPot);
      t.same(
        hands[0]!.players,
        record.players.map(({ seat, agentId }) => ({
          seat,
          name: names.get(agentId),
          public_profile_slug: agentId === second ? 'the-second' : null,
        })),
      );
    }
  });

  await t.test('an opponent is known by its shown slug, and nobody by another', async (t) => {
    const nobody = { status: 404, body: { detail: 'Agent not found' } };
    t.match(await ask('getHandHistory', { agentId: me, query: 'opponent=nobody' }), nobody);
    await sql`update agents set public_profile = false where agent_id = ${second}`;
    t.match(await ask('getHandHistory', { agentId: me, query: 'opponent=the-second' }), nobody);
    await sql`update agents set public_profile = true where agent_id = ${second}`;
    const upper = await page({ opponent: names.get(second)!.toUpperCase() });
    t.same(upper, await page({ opponent: 'the-second' }), 'a name in capitals is the same name');
  });

  await t.test('what is no filter is refused', async (t) => {
    for (const query of [
      'result=all',
      'position=button',
      'min_pot=0',
      'street=showdown',
      'all_in=yes',
      'sort=oldest',
      'opponent=',
    ]) {
      t.match(await ask('getHandHistory', { agentId: me, query }), { status: 422 }, query);
    }
  });

  await t.test('in a competition an opponent has the name that it has there', async (t) => {
    const cup = await openRandomTables(sql, { players: 3, seed: 10, shard: 1, old: [me, second] });
    await sql`update pools set kind = 'competition' where pool_id = ${cup.poolId}`;
    await addCompetition(sql, me, { poolId: cup.poolId, state: 'active' });
    await addParticipants(sql, cup.poolId, [{ agentId: me }, { agentId: second }]);
    await sql`
      update competition_participants set display_name = 'Masked' where competition_id = ${cup.poolId} and agent_id = ${second}`;
    const record = cup.randomTables[0]!.play();
    await commitHands(sql, cup.fence, [record]);
    const here = { competition_id: cup.poolId, with_players: true };
    const answer = await page({ ...here, opponent: 'masked' });
    t.same(idsOf(answer), [record.handId]);
    t.ok(answer.hands[0]!.players!.some(({ name }) => name === 'Masked'));
    t.notOk(
      answer.hands[0]!.players!.some(({ name }) => name === names.get(second)),
      'and no other name is told',
    );
    const query = new URLSearchParams({ competition_id: cup.poolId, opponent: names.get(second)! }).toString();
    t.match(await ask('getHandHistory', { agentId: me, query }), { status: 404 }, 'nor found by it');
  });

  await t.test('one request looks through so many hands, and the next one goes on', async (t) => {
    const more = HANDS_SEARCHED + 200;
    const { record } = mine[0]!;
    await stuffHands(sql, { record, agentId: me, count: more, startAt: record.startedAt + 60_000 });
    const rare = { min_pot: Math.max(...mine.map(({ record: { totalPot } }) => totalPot)) };
    const first = await page(rare);
    const fitsStuffed = record.totalPot >= rare.min_pot;
    if (fitsStuffed) return t.pass('the newest hand has the largest pot: all its copies fit');
    t.match(first, { hands: [], searched_hands: HANDS_SEARCHED, found_hands: 0, total_hands: more + mine.length });
    const second = await page({ ...rare, cursor: first.next_cursor! });
    t.match(second, { searched_hands: 200 + mine.length, next_cursor: null });
    t.ok(second.hands.length > 0, 'the hands behind are found');
    const sorted = await page({ sort: 'biggest_pot', limit: 3 });
    t.ok(
      sorted.hands.every((hand) => hand.profit === mine.map(profit)[0]),
      'an order holds among the looked-through',
    );
    t.equal(sorted.searched_hands, HANDS_SEARCHED);
  });
  t.equal(poolId, mine[0]!.record.poolId);
});
