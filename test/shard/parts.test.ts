/** The parts of a shard that need no thread and no database. */
import { once } from 'node:events';
import { MessageChannel, type MessagePort } from 'node:worker_threads';
import fc from 'fast-check';
import t from 'tap';
import { AssertionFailed } from '../../src/ops/assert.js';
import { GroupCommit } from '../../src/shard/commit/group-commit.js';
import { Deadlines, type Timed } from '../../src/shard/host/deadlines.js';
import { Fenced } from '../../src/shard/commit/fence.js';
import { CALLS_PER_BATCH, Flusher } from '../../src/shard/host/flusher.js';
import { dropped, HeldMessages } from '../../src/shard/host/held-messages.js';
import { Heartbeat } from '../../src/shard/main/supervisor.js';
import { OpQueue } from '../../src/shard/commit/op-queue.js';
import { HELD_BY_LINK, BatchingLink } from '../../src/shard/link.js';
import { Counters } from '../../src/shard/counters.js';
import { TableTimers } from '../../src/shard/host/table-timers.js';
import type { ActionMessage } from '../../src/protocol/client.js';
import type { ShardStats, ToShard } from '../../src/shard/messages.js';
import {
  postToShard,
  readMessages,
  readToShard,
  type FromShardBatch,
  type Acts,
  type Packed,
  type Parcel,
} from '../../src/shard/wire.js';
import { clockOrigin, steadyClock } from '../../src/shard/steady-clock.js';
import type { TableSummary } from '../../src/table/api.js';
import { Outbox } from '../../src/table/outbox.js';
import { FILE_MS } from '../support/limits.js';
import type { HandRecord } from '../../src/table/effects.js';

t.setTimeout(FILE_MS);

const item = (): Timed => ({ due: Infinity, place: -1 });
const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

await t.test('deadlines come in order of time, whatever was set, moved and removed before', (t) => {
  const step = fc.record({ item: fc.nat(9), due: fc.oneof(fc.nat(100), fc.constant(Infinity)) });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), fc.nat(100), (steps, now) => {
      const items = Array.from({ length: 10 }, item);
      const deadlines = new Deadlines<Timed>();
      const expected = new Map<Timed, number>();
      for (const { item: at, due } of steps) {
        deadlines.set(items[at]!, due);
        if (due === Infinity) expected.delete(items[at]!);
        else expected.set(items[at]!, due);
      }
      const due = [...expected.values()].filter((time) => time <= now).sort((a, b) => a - b);
      const taken: number[] = [];
      for (let next = deadlines.takeDue(now); next !== undefined; next = deadlines.takeDue(now)) {
        taken.push(expected.get(next)!);
        if (next.place !== -1 || next.due !== Infinity) return false;
      }
      return (
        JSON.stringify(taken) === JSON.stringify(due) &&
        deadlines.size === expected.size - due.length &&
        deadlines.next === Math.min(Infinity, ...[...expected.values()].filter((time) => time > now))
      );
    }),
  );
  t.pass('100 random histories');
  t.end();
});

await t.test('timers serve all that is due, and messages in between', async (t) => {
  const woken: Timed[] = [];
  const [often, once_] = [item(), item()];
  let rests = 0;
  const timers = new TableTimers<Timed>(
    () => performance.now(),
    (timed, now) => {
      woken.push(timed);
      return timed === often ? now : Infinity;
    },
    () => rests++,
  );
  timers.want(often, 0);
  timers.want(once_, performance.now() + 2);
  const { port1, port2 } = new MessageChannel();
  for (let i = 0; i < 20; i++) {
    port1.postMessage(i);
    await once(port2, 'message');
  }
  t.pass('a table that is always due does not starve messages');
  while (!woken.includes(once_)) await nextTurn();
  t.ok(woken.filter((timed) => timed === often).length > 1, 'nor does it starve other tables');
  t.ok(rests > 0 && rests <= woken.length, 'what the tables said leaves after each turn');
  timers.stop();
  const count = woken.length;
  await nextTurn();
  t.equal(woken.length, count, 'nothing wakes after the stop');
  port1.close();
});

await t.test('silence counts only while our own timer runs on time', (t) => {
  const heartbeat = new Heartbeat(100, 0);
  t.equal(heartbeat.tick(100), 100);
  t.equal(heartbeat.tick(210), 210);
  t.equal(heartbeat.tick(2000), 210, 'we were blocked: its answer may be waiting behind us');
  t.equal(heartbeat.tick(2100), 310);
  heartbeat.heard();
  t.equal(heartbeat.tick(2200), 100);
  t.end();
});

await t.test(
  'operations of a table run one after the other, none before the hand that it follows is stored',
  async (t) => {
    const order: string[] = [];
    const queue = new OpQueue((error) => {
      order.push(error.message);
      return error instanceof AssertionFailed;
    });
    const op = (name: string) => async () => {
      order.push(`${name} begins`);
      await nextTurn();
      order.push(`${name} ends`);
    };
    queue.push(op('buy-in'));
    queue.block();
    queue.push(op('cash-out'));
    queue.push(op('closing'));
    await nextTurn();
    await nextTurn();
    t.same(order, ['buy-in begins', 'buy-in ends']);
    t.notOk(queue.idle);
    queue.unblock();
    while (!queue.idle) await nextTurn();
    t.same(order.slice(2), ['cash-out begins', 'cash-out ends', 'closing begins', 'closing ends']);
    queue.push(() => Promise.reject(new Error('a bug')));
    await nextTurn();
    t.equal(order.at(-1), 'a bug');
    queue.push(op('never'));
    await nextTurn();
    t.equal(order.at(-1), 'a bug', 'nothing follows a fault of the shard');
    const next = new OpQueue((error) => error instanceof AssertionFailed);
    next.push(() => Promise.reject(new AssertionFailed('a contradiction')));
    next.push(op('recovery'));
    while (!next.idle) await nextTurn();
    t.equal(order.at(-1), 'recovery ends', 'a contradiction ends its own operation');
    t.throws(() => next.unblock(), AssertionFailed);
  },
);

const record = (handId: string, tookMs = 0) => ({ handId, startedAt: 0, endedAt: tookMs }) as HandRecord;
const ids = (records: readonly HandRecord[]) => records.map(({ handId }) => handId).join('');

interface Attempt {
  hands: string;
  done: (error?: Error) => void;
}

/** A group commit with a database that answers when the test says so. */
function commitByHand(options: { tables?: number; lingerMs?: number } = {}) {
  const attempts: Attempt[] = [];
  const told: string[] = [];
  const commit = new GroupCommit({
    store: (records) =>
      new Promise((resolve, reject) => {
        attempts.push({ hands: ids(records), done: (error) => (error ? reject(error) : resolve()) });
      }),
    tables: () => options.tables ?? 2,
    lingerMs: options.lingerMs ?? 4,
    onCommitted: ({ handId }) => told.push(handId),
    onRefused: ({ handId }) => told.push(`${handId} refused`),
    counters: new Counters(),
  });
  const answer = async (error?: Error) => {
    while (attempts.length === 0) await nextTurn();
    const { hands, done } = attempts.shift()!;
    done(error);
    await nextTurn();
    return hands;
  };
  const answerAll = async () => {
    while (!commit.idle) await (attempts.length > 0 ? answer() : nextTurn());
  };
  return { commit, attempts, told, answer, answerAll };
}

await t.test('one transaction is in flight, the next batch collects meanwhile', async (t) => {
  const { commit, attempts, told, answer } = commitByHand();
  for (const id of 'ab') commit.add(record(id));
  await nextTurn();
  for (const id of 'cde') commit.add(record(id));
  await nextTurn();
  t.equal(attempts.length, 1);
  t.same(told, [], 'nothing is told before it is stored');
  t.equal(await answer(), 'ab', 'hands of one turn go together');
  t.equal(await answer(), 'cde');
  while (!commit.idle) await nextTurn();
  t.same(told, [...'abcde']);
});

await t.test(
  'hands of one commit are told one in a turn, so that what has come in does not wait for all',
  async (t) => {
    const { commit, attempts, told } = commitByHand();
    const turns: string[] = [];
    for (const id of 'abc') commit.add(record(id));
    while (attempts.length === 0) await nextTurn();
    commit.add(record('d'));
    attempts.shift()!.done();
    // The second commit gets its answer at once.
    while (!commit.idle) {
      attempts.shift()?.done();
      const before = told.length;
      await nextTurn();
      turns.push(told.slice(before).join(''));
    }
    t.same(told, [...'abcd']);
    t.ok(turns.every((hands) => hands.length <= 1), turns.join()); // prettier-ignore
  },
);

await t.test('of a batch that is refused, halves find the one that cannot be stored', async (t) => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.boolean(), { minLength: 1, maxLength: 12 }), async (good) => {
      const { commit, told, attempts, answer } = commitByHand();
      const name = (i: number) => String.fromCharCode(97 + i);
      good.forEach((_, i) => commit.add(record(name(i))));
      while (!commit.idle) {
        await nextTurn();
        if (attempts.length === 0) continue;
        const bad = [...attempts[0]!.hands].some((id) => !good[id.charCodeAt(0) - 97]);
        await answer(bad ? new Error('refused') : undefined);
      }
      const stored = told.filter((entry) => !entry.includes('refused')).join('');
      const refused = told.filter((entry) => entry.includes('refused'));
      return (
        stored === good.map((ok, i) => (ok ? name(i) : '')).join('') &&
        refused.join() === good.flatMap((ok, i) => (ok ? [] : [`${name(i)} refused`])).join()
      );
    }),
    { numRuns: 50 },
  );
  t.pass('50 random batches');
});

await t.test('after the shard was taken over nothing more is written', async (t) => {
  const { commit, attempts, told, answer } = commitByHand();
  commit.add(record('a'));
  await nextTurn();
  commit.add(record('b'));
  await answer(new Fenced());
  commit.add(record('c'));
  await nextTurn();
  t.same(told, []);
  t.equal(attempts.length, 0);
});

await t.test(
  'under load a batch lingers for company, for less than hands take; where tables are few it never does',
  async (t) => {
    const firstBatch = async (tables: number, handMs: number) => {
      const { commit, attempts, answerAll } = commitByHand({ tables, lingerMs: 50 });
      // Many hands come at once, so that the mean time between them is short.
      for (let i = 0; i < 200; i++) commit.add(record('.', handMs));
      await answerAll();
      commit.add(record('a', handMs));
      await nextTurn();
      commit.add(record('b', handMs));
      while (attempts.length === 0) await nextTurn();
      return attempts[0]!.hands;
    };
    t.equal(await firstBatch(20, 100), 'ab');
    t.equal(await firstBatch(2, 100), 'a');
    t.equal(await firstBatch(20, 0), 'a', 'hands that take no time are not kept waiting');
  },
);

await t.test('what has waited for the commit before lingers for the rest of its time', async (t) => {
  const { commit, attempts, answer, answerAll } = commitByHand({ tables: 20, lingerMs: 50 });
  for (let i = 0; i < 200; i++) commit.add(record('.', 100));
  while (attempts.length === 0) await nextTurn();
  commit.add(record('a', 100));
  for (const end = performance.now() + 50; performance.now() < end;) await nextTurn();
  await answer();
  await nextTurn();
  commit.add(record('b', 100));
  t.equal(attempts[0]?.hands, 'a', 'it has waited long enough');
  await answerAll();
});

await t.test('threads share the time of the origin that they are given, whatever their own wall clock said', (t) => {
  const HOUR = 3_600_000;
  const origin = clockOrigin();
  const late = steadyClock(origin)() - steadyClock(origin - HOUR)();
  t.ok(Math.abs(late - HOUR) < 60_000, `${late} ms`);
  t.end();
});

await t.test('messages to a shard are batched per turn, held while it is down, and keep their order', async (t) => {
  const { port1, port2 } = new MessageChannel();
  const posts: ToShard[][] = [];
  port2.on('message', (batch: Packed | Acts) => posts.push(readToShard(batch)));
  const sent = async (count: number) => {
    while (posts.flat().length < count) await nextTurn();
    return posts.splice(0).map((batch) => batch.map((message) => (message.t === 'ping' ? message.at : -1)));
  };
  const out = new BatchingLink();
  const ping = (at: number) => out.send({ t: 'ping', at });
  [2, 3].forEach(ping);
  out.connect(port1, [{ t: 'ping', at: 1 }]);
  t.same(await sent(3), [[1, 2, 3]]);
  [4, 5].forEach(ping);
  t.same(await sent(2), [[4, 5]]);
  ping(6);
  t.same(await sent(1), [[6]]);
  for (let i = 0; i < 20; i++) ping(i);
  const batches = await sent(20);
  t.ok(batches.length > 1, 'a large batch does not wait for the end of the turn');
  t.same(batches.flat(), [...Array(20).keys()]);
  // Like a table to open and a requested seat at the end of the thread.
  ping(7);
  out.disconnect();
  ping(8);
  out.disconnect();
  await nextTurn();
  t.same(posts, []);
  out.connect(port1, []);
  t.same(await sent(1), [[8]], 'what was sent while the shard was down, and nothing of before');
  out.disconnect();
  for (let n = 0; n < HELD_BY_LINK + 10; n++) ping(n);
  out.connect(port1, []);
  t.equal((await sent(HELD_BY_LINK)).flat().length, HELD_BY_LINK, 'and no more than so many');
  port1.close();
});

await t.test('what waits for a table or a buy-in is bounded: messages of clients, and sockets of an agent', (t) => {
  const held = new HeldMessages(3);
  const about = { table: 'a', agentId: 'ada' };
  const attach = (socket: number) => held.hold({ t: 'attach', ...about, socket });
  for (let socket = 1; socket <= 1_000; socket++) {
    attach(socket);
    held.hold({ t: 'detach', ...about, socket });
  }
  attach(7);
  held.hold({ t: 'attach', table: 'a', agentId: 'bob', socket: 8 });
  const leave = { t: 'leave', ...about, sitting: null, socket: 7 } as const;
  t.same(
    Array.from({ length: 5 }, () => held.hold(leave)),
    [true, true, true, false, false],
  );
  t.same(dropped(leave), { t: 'dropped', socket: 7 }, 'its sender is told');
  t.equal(dropped({ t: 'invalid', ...about, socket: 7 }), null, 'a fault was answered where it was read');
  const state = { t: 'state', table: 'a', ticket: 1 } as const;
  t.notOk(held.hold(state));
  t.equal(dropped(state), null, 'nobody waits for this one for long');
  t.ok(held.hold({ t: 'close', table: 'a', reason: 'season_ended', voidHand: true }), 'what the house does is kept');
  const taken = held.take();
  t.same(
    taken.map(({ t }) => t),
    ['attach', 'attach', 'leave', 'leave', 'leave', 'close'],
  );
  t.match(taken[0], { agentId: 'ada', socket: 7 });
  t.same(held.take(), []);
  t.ok(held.hold(leave), 'there is room again');
  t.end();
});

await t.test('frames leave before the messages of the same batch, summaries once a batch', async (t) => {
  const { port1, port2 } = new MessageChannel();
  const out = new Outbox();
  const counters = new Counters();
  const flusher = new Flusher<string>(port1, out, counters, (table) =>
    table === 'broken' ? null : ({ tableId: table } as TableSummary),
  );
  const frame = (text: string) => {
    const start = out.bytes.pos;
    out.bytes.ascii(text);
    out.address(7, start, out.bytes.pos);
  };
  frame('one');
  frame('two');
  flusher.send({ t: 'closed', table: 'a' });
  flusher.summary('a', false);
  flusher.summary('a', true);
  flusher.summary('broken', false);
  flusher.summary('later', true);
  flusher.rest();
  const [batch] = (await once(port2, 'message')) as [FromShardBatch];
  t.equal(Buffer.from(batch.bytes!).toString('utf8', 0, 6), 'onetwo');
  t.same([...batch.index!], [7, 0, 3, 7, 3, 6]);
  t.match(readMessages(batch), [
    { t: 'closed', table: 'a' },
    { t: 'summary', summary: { tableId: 'a' } },
  ]);
  t.match(counters, { frames: 2, frameBytes: 6 });

  flusher.pong({ t: 'pong', at: 1, stats: {} as ShardStats });
  flusher.flush();
  const [beat] = (await once(port2, 'message')) as [FromShardBatch];
  t.match(
    readMessages(beat),
    [
      { t: 'pong', at: 1 },
      { t: 'summary', summary: { tableId: 'later' } },
    ],
    'what may wait goes with the answer to a heartbeat, and no more than once',
  );

  let posts = 0;
  port2.on('message', () => posts++);
  flusher.flush();
  for (let i = 0; i < 2 * CALLS_PER_BATCH; i++) {
    frame('x');
    flusher.called();
  }
  while (posts < 2) await nextTurn();
  t.equal(posts, 2, 'under load a batch takes a few calls; an empty flush posts nothing');
  port1.close();
});

await t.test('buffers of frames go back with later messages and are written again', async (t) => {
  const { port1, port2 } = new MessageChannel();
  const posts: (Packed | Parcel)[] = [];
  port2.on('message', (batch: Packed | Parcel) => posts.push(batch));
  const out = new BatchingLink();
  out.connect(port1, [{ t: 'ping', at: 0 }]);
  const outbox = new Outbox();
  const write = (text: string) => {
    const start = outbox.bytes.pos;
    outbox.bytes.ascii(text);
    outbox.address(7, start, outbox.bytes.pos);
    return outbox.takeFrames()!.bytes;
  };
  for (let i = 0; i < 140; i++) out.giveBack(write('a frame'));
  out.giveBack(new ArrayBuffer(5));
  out.send({ t: 'ping', at: 1 });
  while (posts.length < 2) await nextTurn();
  t.type(posts[0], 'string', 'nothing to return, nothing but the messages');
  const batch = posts[1];
  if (typeof batch !== 'object') return t.fail('no buffers came back');
  t.same(readToShard(batch), [{ t: 'ping', at: 1 }]);
  t.equal(batch.used.length, 128, 'not more than can be used');
  t.notOk(outbox.bytes.buffer.buffer === batch.used.at(-1));
  for (const buffer of batch.used) outbox.recycle(buffer);
  outbox.recycle(new ArrayBuffer(5));
  write('into the block at hand');
  const again = write('into one that came back');
  t.ok(batch.used.includes(again));
  t.equal(Buffer.from(again).toString('utf8', 0, 23), 'into one that came back');
  const grown = write('x'.repeat(200_000));
  outbox.recycle(grown);
  t.notOk(write('y') === grown, 'one that had to grow is not kept');
  port1.close();
});

await t.test('what crosses a port arrives as it was sent', (t) => {
  const port = { posts: [] as unknown[], postMessage: (batch: unknown) => void port.posts.push(batch) };
  const cross = (batch: ToShard[]) => {
    postToShard(port as unknown as MessagePort, batch);
    return readToShard(port.posts.pop() as Packed | Acts);
  };
  const act = (message: ActionMessage): ToShard => ({ t: 'act', table: 't', agentId: 'ä€😀', socket: 4e9, message });
  const full: ActionMessage = {
    type: 'action',
    action: 'raise',
    amount: 120.5,
    client_action_id: 'ü'.repeat(128),
    turn_token: '\u0000"',
    hand_id: 'h',
  };
  const batch: ToShard[] = [
    { t: 'ping', at: 1.25 },
    act(full),
    { t: 'resync', table: 't', agentId: null, socket: 1, lastTableSeq: 2 ** 40 },
    { t: 'update', table: 't', agentId: 'a', change: { autoRebuy: true, avatarUrl: null } },
  ];
  t.same(cross(batch), batch);
  t.same(cross([act(full), act(full)]), [act(full), act(full)], 'actions alone, too');
  const bare = cross([act({ type: 'action', action: 'fold' })])[0]!;
  t.match(bare, { message: { action: 'fold', amount: null, client_action_id: null, turn_token: null, hand_id: null } });
  t.end();
});
