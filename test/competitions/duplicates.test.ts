/**
 * A competition of duplicates from the first seat to the results: who sits where, what is compared, and what is said of
 * the rest.
 */
import t, { type Test } from 'tap';
import { compareHands } from '../../src/competitions/results/duplicate.js';
import { Cup } from '../support/cup.js';
import { stopCluster } from '../support/database.js';
import { eventually, FILE_MS } from '../support/limits.js';
import { TestPlatform } from '../support/platform.js';
import { calling, passive, Scene } from '../support/scene.js';

t.setTimeout(FILE_MS);
t.teardown(stopCluster);

interface Standings {
  duplicate_note: string | null;
  rows: { duplicate: { hands: number; uncompared: number; bb_per_100: number | null } | null }[];
}

const platform = await TestPlatform.shared(t);

/**
 * So many play until the two tables of these sizes have played ten hands each. With equal tables everybody can be
 * compared. Then it ends.
 */
async function played(t: Test, count: number, sizes: [number, number], rules: Record<string, unknown> = {}) {
  const cup = await Cup.open(platform, { duplicate: true, ...rules });
  const people = await Promise.all(Array.from({ length: count }, () => platform.register('dup')));
  for (const account of people) await cup.enroll(account);
  const { key } = people[0]!;
  const path = `/api/competitions/${cup.id}`;
  const told = async <B>(where: string): Promise<B> => {
    const { status, body } = await platform.api('GET', where, { key });
    if (status !== 200) throw new Error(`${where} answered ${status}`);
    return body as B;
  };
  const record = await told<{ slug: string; duplicate_note: string | null }>(path);
  const started = await cup.step('start');
  const scene = new Scene(platform);
  for (const account of people) {
    const player = await cup.connect(scene, account, passive);
    // Tables are levelled by closing some: whoever was at one comes back.
    player.onFrame = ({ type }) => {
      if (type === 'table_closed') player.send({ type: 'join_lobby' });
    };
    player.send({ type: 'join_lobby' });
  }
  await eventually('two tables at play', async () => {
    const tables = await platform.sql!<{ size: number; hands: number }[]>`
      select size, count(*) as hands from (
        select h.table_id, h.hand_id, count(*) as size from hands h join hand_players p using (pool_id, hand_id)
        where h.pool_id = ${cup.id} group by 1, 2) dealt
      group by table_id, size`;
    return sizes.every((size, n) => {
      const fit = tables.filter((table) => table.size === size && table.hands >= 10);
      return fit.length > sizes.slice(0, n).filter((before) => before === size).length;
    });
  });
  // A player that sat elsewhere until the tables were level has played other decks until then.
  const alike = new Set(sizes).size === 1;
  await eventually('everybody to be compared', async () => {
    const scores = [...(await compareHands(platform.sql!, cup.id, 20)).values()];
    return !alike || scores.every(({ hands }) => hands > 0);
  });
  const page = await told<{ tables: { players: number }[]; standings: Standings }>(
    `/api/public/competitions/${record.slug}`,
  );
  const decks = `/api/public/competitions/${record.slug}/decks`;
  t.match(await platform.api('GET', `${decks}/1`), {
    status: 409,
    body: { detail: 'Cannot show decks: the competition is active' },
  });
  t.same(page.tables.map(({ players }) => players).sort(), [...sizes].sort());
  for (const player of scene.players) player.onFrame = null;
  await cup.step('end');
  await eventually('the results', async () => (await cup.state()) === 'results_pending');
  const results = await told<Standings>(`${path}/results`);
  const file = await platform.api('GET', `${path}/results.csv`, { key });
  const standings = await told<Standings>(`${path}/standings`);
  const leaderboard = await told<Standings>(`${path}/leaderboard`);
  const { competitions } = await told<{ competitions: (typeof record)[] }>('/api/competitions');
  for (const player of scene.players) await player.close();
  const notes = [record, started, ...competitions, page.standings, standings, leaderboard, results];
  return { decks, key, notes: notes.map((each) => each.duplicate_note), results, file: String(file.body) };
}

interface Deck {
  deck: number;
  decks: number;
  hands: {
    hand_id: string;
    table_id: string;
    pass: number;
    board: string[];
    players: { place: number; seat: number; name: string; hole_cards: string[] | null }[];
  }[];
}
let readers = 0;
/** Each time from another address: one may not read so many. */
const deckAt = async (path: string, key?: string) => {
  const headers = { 'x-forwarded-for': `198.51.100.${++readers % 250}` };
  const { status, body } = await platform.api('GET', path, key === undefined ? { headers } : { headers, key });
  if (status !== 200) throw new Error(`${path} answered ${status}`);
  return body as Deck;
};

/** The cards of a deck by place, where they are known; throws where two tables say otherwise. */
function cardsOf({ hands }: Deck, size: number): Map<number, string> {
  const cards = new Map<number, string>();
  for (const { players } of hands.filter((hand) => hand.pass === 0 && hand.players.length === size)) {
    for (const { place, hole_cards: held } of players) {
      const known = cards.get(place);
      if (held === null) continue;
      if (known !== undefined && known !== held.join()) throw new Error(`place ${place}: ${known} and ${held.join()}`);
      cards.set(place, held.join());
    }
  }
  return cards;
}

await t.test('ten sit five and five, and everybody is compared', async (t) => {
  const { notes, results, decks, key } = await played(t, 10, [5, 5]);
  const first = await deckAt(`${decks}/1`);
  t.equal(first.deck, 1);
  t.ok(first.decks >= 10 && first.decks <= 61);
  t.ok(new Set(first.hands.map(({ table_id }) => table_id)).size >= 2, 'several tables are side by side');
  let [shown, own] = [0, 0];
  for (let deck = 1; deck <= first.decks; deck++) {
    const [seen, mine] = [await deckAt(`${decks}/${deck}`), await deckAt(`${decks}/${deck}`, key)];
    shown += cardsOf(seen, 5).size;
    own += cardsOf(mine, 5).size;
    const boards = seen.hands.filter(({ pass, players }) => pass === 0 && players.length === 5);
    const longest = boards.map(({ board }) => board.join()).sort((a, b) => b.length - a.length)[0] ?? '';
    for (const { board, players } of boards) {
      t.ok(longest.startsWith(board.join()), 'one board');
      t.same(
        players.map(({ place }) => place),
        players.map((_, index) => index + 1),
      );
    }
  }
  t.equal(own, shown, 'play is over, so all cards are open to everybody');
  t.match(await platform.api('GET', `${decks}/${first.decks + 1}`), {
    status: 404,
    body: { detail: /played this deck/ },
  });
  t.equal((await platform.api('GET', `${decks}/0`)).status, 400);
  t.match(await platform.api('GET', '/api/public/competitions/no-such-cup/decks/1'), {
    status: 404,
    body: { detail: 'Competition not found' },
  });
  t.same([...new Set(notes)], [null], 'there is nothing to say');
  t.equal(results.rows.length, 10);
  for (const { duplicate } of results.rows) {
    t.ok(duplicate!.hands > 0 && duplicate!.bb_per_100 !== null, JSON.stringify(duplicate));
  }
});

await t.test(
  'nine cannot sit evenly: what is not compared is said at the start and beside every standing',
  async (t) => {
    const { notes, results, file, decks, key } = await played(t, 9, [5, 4], { spectators: 'none' });
    t.same((await deckAt(`${decks}/1`)).hands, [], 'nobody may watch it');
    const { body: me } = await platform.api('GET', '/api/me', { key });
    const { hands: own } = await deckAt(`${decks}/2`, key);
    t.ok(own.length > 0, 'but who played sees what it played');
    t.ok(own.every(({ players }) => players.some(({ name }) => name === (me as { name: string }).name)));
    const note =
      '9 sit at 1 table of 5 and 1 table of 4: hands are compared between tables of the same size only; ' +
      'a table without its like waits until a deck comes again there, after 61 hands';
    t.same([notes.length, ...new Set(notes)], [7, note]);
    t.ok(results.rows.every(({ duplicate }) => duplicate!.uncompared > 0));
    const [head, ...lines] = file.trimEnd().split('\n');
    const at = head!.split(',').indexOf('duplicate_uncompared');
    t.ok(at > 0, 'the file has a column for it');
    for (const line of lines) t.match(line.split(',')[at], /^[1-9]\d*$/);
  },
);

await t.test('a deck tells what came of it: the board, and who put in what', async (t) => {
  const cup = await Cup.open(platform, { duplicate: true });
  const scene = new Scene(platform);
  for (let n = 0; n < 2; n++) {
    const account = await platform.register('dup');
    await cup.enroll(account);
    await cup.connect(scene, account, calling);
  }
  await cup.step('start');
  for (const player of scene.players) player.send({ type: 'join_lobby' });
  for (const player of scene.players) await player.next('hand_result');
  await cup.step('end');
  await eventually('the results', async () => (await cup.state()) === 'results_pending');
  const [row] = await platform.sql!<{ slug: string }[]>`select slug from competitions where competition_id = ${cup.id}`;
  const { hands } = await deckAt(`/api/public/competitions/${row!.slug}/decks/1`);
  t.match(hands, [{ pass: 0, board: Array, actions: Array }]);
  const [{ board, actions }] = hands as unknown as [{ board: string[]; actions: { amount?: number }[] }];
  t.equal(board.length, 5, 'both called to the end');
  t.ok(actions.some(({ amount }) => (amount ?? 0) > 0));
  for (const player of scene.players) await player.close();
});
