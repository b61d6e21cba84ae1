/**
 * Shards that are lost: what comes for their tables waits until others have these, one shard after the other, and goes
 * there in its order; what nobody can take is answered as by a shard that does not have the table.
 */
import t from 'tap';
import { LostShards } from '../../src/nodes/lost-shards.js';
import type { DealtTable } from '../../src/shard/main/lending.js';
import type { ToShard } from '../../src/shard/messages.js';
import { Displaced } from '../../src/store/node/leadership.js';
import { opening, state } from '../support/lent-house.js';
import { eventually, FILE_MS } from '../support/limits.js';

t.setTimeout(FILE_MS);

const [A, B, LOST, OTHER] = [0, 1, 2, 3];
const sit = (table: string) => ({ t: 'sit', table, ticket: 7, player: { agentId: 'ada' } }) as unknown as ToShard;
const nothing = () => Promise.resolve();
const wordOf = (message: ToShard) => `${message.t} ${'table' in message ? message.table : ''}`.trim();

/** The tables of a shard, once they are stored as others'. */
interface Dealing {
  shard: number;
  to: (...dealt: readonly [table: string, shard: number][]) => void;
  fails: (error: Error) => void;
}

class House {
  /** What was said to shards and of them, in order. */
  readonly said: string[] = [];
  readonly dealings: Dealing[] = [];
  readonly warnings: unknown[] = [];
  up: Promise<void> = Promise.resolve();
  readonly lost = new LostShards({
    links: [A, B, LOST, OTHER].map((shard) => ({
      send: (message) => {
        const word = message.t === 'open' ? `open ${message.opening.tableId}` : wordOf(message);
        this.said.push(`${shard} ${word}`);
      },
    })),
    someUp: () => this.up,
    dealOut: (shard) =>
      new Promise((resolve, fails) => {
        const to: Dealing['to'] = (...dealt) =>
          resolve(dealt.map(([table, taker]): DealtTable => ({ opening: opening(table), shard: taker })));
        this.dealings.push({ shard, to, fails });
      }),
    dealt: (shard) => void this.said.push(`${shard} is dealt out`),
    answer: (shard, message) => void this.said.push(`${shard} answers ${message.t}`),
    log: { warn: (detail: unknown) => void this.warnings.push(detail) } as never,
  });

  lose(shard: number): void {
    this.lost.lost(shard);
    this.lost.deal(shard);
  }

  /** The nth question whose tables are others' now. */
  async dealing(n: number): Promise<Dealing> {
    return eventually('tables to be dealt out', () => this.dealings[n - 1]);
  }
}

/** All that is about to happen has happened. */
const settled = async (): Promise<void> => {
  for (let turn = 0; turn < 3; turn++) await new Promise((resolve) => setImmediate(resolve));
};

await t.test('what comes meanwhile goes where the tables went, after they were opened', async (t) => {
  const house = new House();
  house.lose(LOST);
  for (const message of [state('x'), state('gone'), sit('x'), state('y')]) house.lost.send(LOST, message);
  t.same([house.lost.has(LOST), house.lost.size, house.said], [true, 1, []]);
  (await house.dealing(1)).to(['x', A], ['y', B]);
  await house.lost.between(nothing);
  await settled();
  t.same(house.said, [
    ...['0 open x', '1 open y', '2 is dealt out', '0 state x', '1 state y'],
    // Who was to sit down there is seated anew.
    ...['2 answers state', '2 answers sitFailed'],
  ]);
  t.same([house.lost.has(LOST), house.lost.size], [false, 0]);
});

await t.test('…and what comes later as well, wherever they go from there', async (t) => {
  const house = new House();
  house.lose(LOST);
  (await house.dealing(1)).to(['x', A]);
  await house.lost.between(nothing);
  t.ok(house.lost.redirect(LOST, state('x')));
  t.notOk(house.lost.redirect(A, state('x')), 'it is there');
  t.notOk(house.lost.redirect(LOST, state('y')), 'it was never dealt out');
  t.notOk(house.lost.redirect(LOST, { t: 'drain' }));
  house.lost.moved('x', B);
  house.lost.moved('y', B);
  t.ok(house.lost.redirect(LOST, state('x')));
  t.notOk(house.lost.redirect(LOST, state('y')));
  t.same(house.said.slice(2), ['0 state x', '1 state x']);
});

await t.test('what no shard has is answered later, as by a shard without the table', async (t) => {
  const house = new House();
  house.lost.send(LOST, state('x'));
  house.lost.send(LOST, { t: 'drain' });
  t.same(house.said, [], 'whoever asks may be in the middle of something');
  await settled();
  t.same(house.said, ['2 answers state']);
});

await t.test(
  'one after the other, so that tables dealt to a shard that is lost meanwhile go on from there',
  async (t) => {
    const house = new House();
    house.lose(LOST);
    house.lose(OTHER);
    const first = await house.dealing(1);
    await settled();
    t.equal(house.dealings.length, 1);
    first.to(['x', OTHER]);
    const second = await house.dealing(2);
    t.same([first.shard, second.shard], [LOST, OTHER]);
    house.lost.send(LOST, state('x'));
    second.to(['x', A]);
    await house.lost.between(nothing);
    t.ok(house.lost.redirect(LOST, state('x')));
    t.equal(house.said.at(-1), '0 state x');
  },
);

await t.test('what is stored is looked at between one shard and the next, whether that goes well or not', async (t) => {
  for (const fails of [false, true]) {
    const house = new House();
    house.lose(LOST);
    const looked = house.lost.between(() => {
      house.said.push('looked');
      return fails ? Promise.reject(new Error('no database')) : Promise.resolve();
    });
    house.lose(OTHER);
    (await house.dealing(1)).to(['x', A]);
    if (fails) await t.rejects(looked, { message: 'no database' });
    else await looked;
    (await house.dealing(2)).to(['y', A]);
    await house.lost.between(nothing);
    t.same(house.said, ['0 open x', '2 is dealt out', 'looked', '0 open y', '3 is dealt out']);
  }
});

await t.test('nothing is dealt out before some shard could have it', async (t) => {
  const house = new House();
  let rises = () => {};
  house.up = new Promise((resolve) => (rises = resolve));
  house.lose(LOST);
  await settled();
  t.equal(house.dealings.length, 0);
  rises();
  (await house.dealing(1)).to();
  await house.lost.between(nothing);
});

await t.test('what the database refuses is tried again; who has lost the lead leaves it to the next', async (t) => {
  const house = new House();
  house.lose(LOST);
  (await house.dealing(1)).fails(new Error('away'));
  (await house.dealing(2)).fails(new Error('away'));
  (await house.dealing(3)).fails(new Displaced());
  await house.lost.between(nothing);
  const warning = { shard: LOST, error: 'away' };
  t.same(house.warnings, [warning, warning]);
  t.same([house.said, house.lost.has(LOST)], [[], true]);
});

await t.test('…and so does who stops', async (t) => {
  const house = new House();
  house.lose(LOST);
  const first = await house.dealing(1);
  house.lost.stop();
  first.fails(new Error('away'));
  let over = false;
  void house.lost.between(nothing).then(() => (over = true));
  await eventually('the end', () => over);
  t.equal(house.dealings.length, 1);
  t.same(house.said, []);
});

await t.test('there is an end to what waits, and to what is remembered', async (t) => {
  const house = new House();
  house.lose(LOST);
  for (let n = 0; n < 100_003; n++) house.lost.send(LOST, state('x'));
  const many = Array.from({ length: 9_999 }, (_, n): [string, number] => [`t${n}`, B]);
  (await house.dealing(1)).to(['first', A], ['x', A], ...many);
  await house.lost.between(nothing);
  t.equal(house.said.filter((line) => line === '0 state x').length, 100_000);
  t.notOk(house.lost.redirect(LOST, state('first')), 'the oldest goes');
  t.ok(house.lost.redirect(LOST, state('x')));
});
