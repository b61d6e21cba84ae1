/**
 * Fair turns at the database. An asker, an address and all together have a bounded number of requests under way. The
 * rest waits in turns between addresses and between their askers. Both the time and the number of waiting requests are
 * bounded. An asker without requests takes no memory.
 */
import fc from 'fast-check';
import t from 'tap';
import { Shares, sharesOf, WAITING_OF_ASKER, WAITING_OF_ADDRESS } from '../../src/gateway/shares.js';
import type { HttpError } from '../../src/protocol/rest/errors.js';
import { FILE_MS } from '../support/limits.js';
import { SEED } from '../support/seed.js';

t.setTimeout(FILE_MS);

const SIZES = { ofAll: 6, ofAddress: 4, ofAsker: 2 };
const settled = () => new Promise<void>((resolve) => setImmediate(resolve));

/** Work that ends on demand. */
class Desk {
  readonly begun: string[] = [];
  readonly ends = new Map<string, (() => void)[]>();
  readonly answers: Promise<string>[] = [];
  readonly shares: Shares;

  constructor(sizes = SIZES, turnMs?: number) {
    this.shares = new Shares(sizes, turnMs);
  }

  ask(asker: string, address = 'A', signal = new AbortController().signal): Promise<string> {
    const work = () => {
      this.begun.push(asker);
      return new Promise<string>((resolve) => {
        const ends = this.ends.get(asker) ?? [];
        this.ends.set(asker, [...ends, () => resolve(asker)]);
      });
    };
    const answer = this.shares.take({ asker, address, signal }, work);
    answer.catch(() => undefined);
    this.answers.push(answer);
    return answer;
  }

  /** One request of the asker ends, and the next ones begin. */
  async end(asker: string): Promise<void> {
    this.ends.get(asker)!.shift()!();
    await settled();
  }

  async endAll(): Promise<void> {
    for (let left = true; left; await settled()) {
      const ends = [...this.ends.values()].flatMap((ends) => ends.splice(0));
      for (const end of ends) end();
      left = ends.length > 0;
    }
  }
}

await t.test('of the connections some stay for play, half go to an address, two to a key', async (t) => {
  t.same(sharesOf(8), { ofAll: 6, ofAddress: 4, ofAsker: 2 });
  t.same(sharesOf(2), { ofAll: 1, ofAddress: 1, ofAsker: 1 });
  t.same(sharesOf(40), { ofAll: 30, ofAddress: 20, ofAsker: 2 });
});

await t.test('who asks much waits for itself', async (t) => {
  const desk = new Desk();
  for (let n = 0; n < 10; n++) void desk.ask('greedy');
  void desk.ask('neighbour');
  await settled();
  t.same(desk.begun, ['greedy', 'greedy', 'neighbour']);
  for (let n = 0; n < 5; n++) void desk.ask(`key ${n}`);
  void desk.ask('elsewhere', 'B');
  await settled();
  t.same(desk.begun.slice(3), ['key 0', 'elsewhere'], 'an address has four');
  await desk.end('neighbour');
  t.same(desk.begun.slice(5), ['key 1'], 'greedy has its two, so its other work does not stand in the way');
  await desk.end('greedy');
  await desk.end('greedy');
  t.same(desk.begun.slice(6), ['key 2', 'key 3'], 'askers take turns; greedy had its one');
  await desk.endAll();
  t.equal((await Promise.all(desk.answers)).length, 17, 'all are answered');
  t.ok(desk.shares.isIdle, 'nothing is kept');
});

await t.test('addresses take turns', async (t) => {
  const desk = new Desk({ ofAll: 2, ofAddress: 2, ofAsker: 1 });
  for (let n = 0; n < 20; n++) void desk.ask(`a${n}`);
  void desk.ask('b', 'B');
  void desk.ask('c', 'C');
  await settled();
  t.same(desk.begun, ['a0', 'a1']);
  await desk.end('a0');
  await desk.end('a1');
  t.same(desk.begun.slice(2).sort(), ['b', 'c'], 'before the eighteen that were there first');
  await desk.endAll();
  await Promise.all(desk.answers);
  t.ok(desk.shares.isIdle);
});

await t.test('one asker at two addresses is one asker', async (t) => {
  const desk = new Desk();
  for (let n = 0; n < 4; n++) void desk.ask('moving', n % 2 === 0 ? 'A' : 'B');
  await settled();
  t.equal(desk.begun.length, 2);
  await desk.endAll();
  await Promise.all(desk.answers);
  t.ok(desk.shares.isIdle);
});

await t.test('what waits has a bound', async (t) => {
  const desk = new Desk();
  for (let n = 0; n < SIZES.ofAsker + WAITING_OF_ASKER; n++) void desk.ask('greedy');
  const beyond = await desk.ask('greedy').catch((error: HttpError) => error);
  t.match(beyond, { status: 429, headers: { 'retry-after': '1' } });
  const others = WAITING_OF_ADDRESS - WAITING_OF_ASKER + SIZES.ofAddress - SIZES.ofAsker;
  for (let n = 0; n < others; n++) void desk.ask(`key ${n}`);
  t.match(await desk.ask('one more key').catch((error: HttpError) => error), { status: 429 });
  void desk.ask('elsewhere', 'B');
  await settled();
  t.ok(desk.begun.includes('elsewhere'), 'which is nobody else’s bound');
  await desk.endAll();
  await Promise.allSettled(desk.answers);
  t.ok(desk.shares.isIdle, 'and nothing is kept of who was refused');
});

await t.test('nobody waits for ever, nor for somebody who has gone', async (t) => {
  const desk = new Desk(SIZES, 20);
  for (let n = 0; n < 2; n++) void desk.ask('greedy');
  t.match(await desk.ask('greedy').catch((error: HttpError) => error), { status: 503 });
  const leaving = new AbortController();
  const left = desk.ask('greedy', 'A', leaving.signal);
  leaving.abort();
  t.match(await left.catch((error: HttpError) => error), { status: 503 });
  t.match(await desk.ask('greedy', 'A', leaving.signal).catch((error: HttpError) => error), { status: 503 });
  await desk.endAll();
  t.equal(desk.begun.length, 2, 'no work was begun for them');
  t.ok(desk.shares.isIdle);
});

await t.test('work that fails gives its place back', async (t) => {
  const shares = new Shares({ ofAll: 1, ofAddress: 1, ofAsker: 1 });
  const asking = { asker: 'a', address: 'A', signal: new AbortController().signal };
  await t.rejects(shares.take(asking, () => Promise.reject(new Error('no'))));
  t.equal(await shares.take(asking, async () => 'yes'), 'yes');
  t.ok(shares.isIdle);
});

await t.test('whatever is asked in whatever order: no share is exceeded, and no place is idle', async (t) => {
  const step = fc.record({
    act: fc.constantFrom('ask', 'ask', 'end', 'abort'),
    who: fc.integer({ min: 0, max: 11 }),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 120 }), async (steps) => {
      const shares = new Shares(SIZES);
      const addressOf = (who: number) => `address ${who % 3}`;
      const underWay: { who: number; end: () => void }[] = [];
      const waiting: { who: number; gone: AbortController }[] = [];
      const all: Promise<unknown>[] = [];
      const count = (fits: (who: number) => boolean) => underWay.filter(({ who }) => fits(who)).length;
      const mayBegin = (who: number) =>
        underWay.length < SIZES.ofAll &&
        count((other) => addressOf(other) === addressOf(who)) < SIZES.ofAddress &&
        count((other) => other === who) < SIZES.ofAsker;
      for (const { act, who } of steps) {
        if (act === 'ask') {
          const mine = { who, gone: new AbortController() };
          waiting.push(mine);
          const work = () =>
            new Promise<void>((resolve) => {
              waiting.splice(waiting.indexOf(mine), 1);
              underWay.push({ who, end: resolve });
            });
          all.push(shares.take({ asker: `${who}`, address: addressOf(who), signal: mine.gone.signal }, work));
          all.at(-1)!.catch(() => undefined);
        } else if (act === 'end') underWay.splice(who % Math.max(1, underWay.length), 1)[0]?.end();
        else waiting.splice(who % Math.max(1, waiting.length), 1)[0]?.gone.abort();
        await settled();
        const held = [...new Set(underWay.map((work) => work.who))];
        const exceeded =
          underWay.length > SIZES.ofAll ||
          held.some((one) => count((other) => addressOf(other) === addressOf(one)) > SIZES.ofAddress) ||
          held.some((one) => count((other) => other === one) > SIZES.ofAsker);
        if (exceeded || waiting.some((work) => mayBegin(work.who))) return false;
      }
      while (underWay.length > 0) {
        for (const { end } of underWay.splice(0)) end();
        await settled();
      }
      await Promise.allSettled(all);
      return waiting.length === 0 && shares.isIdle;
    }),
    { seed: SEED, numRuns: 100 },
  );
  t.pass('in a hundred orders');
});
