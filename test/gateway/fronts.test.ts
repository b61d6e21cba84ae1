/** Sockets on threads of their own: what they have beyond the gateway's tests, which run on them as well. */
import { once } from 'node:events';
import { BroadcastChannel, MessageChannel } from 'node:worker_threads';
import fc from 'fast-check';
import t from 'tap';
import { splitFrames } from '../../src/shard/fronts/split-frames.js';
import { placeOf, PLACES } from '../../src/table/api.js';
import { MAY_WAIT } from '../../src/table/outbox.js';
import { FAULTS } from '../support/faulty-front.js';
import { agentId, batch, Client, enter, openHouse } from '../support/gateway.js';
import { FILE_MS } from '../support/limits.js';
import { OrderedChannels } from '../../src/shard/fronts/ordered-channels.js';

t.setTimeout(FILE_MS);

const SOCKET = fc
  .record({ serial: fc.nat(3), place: fc.nat(5), lean: fc.boolean() })
  .map(({ serial, place, lean }) => (serial + 1) * PLACES + place + (lean ? 0x8000_0000 : 0));

await t.test('what came about through a post is read after it, whichever ports they take', async () => {
  const [main, front, shard] = [0, 1, 2].map((life) => new OrderedChannels(life)) as [
    OrderedChannels,
    OrderedChannels,
    OrderedChannels,
  ];
  const [short, first, second] = [new MessageChannel(), new MessageChannel(), new MessageChannel()];
  const read: string[] = [];
  let all: () => void = () => undefined;
  let expected = Infinity;
  const take = (post: string) => {
    if (read.push(post) === expected) all();
  };
  // The shard writes to the main thread, and to the front, which passes it on to the main thread.
  main.listen(second.port2, 1, take);
  main.listen(short.port2, 2, take);
  shard.listen(short.port1, 0, () => undefined);
  shard.listen(first.port1, 1, () => undefined);
  front.listen(second.port1, 0, () => undefined);
  front.listen(first.port2, 2, (post: string) => front.post(second.port1, post));
  await fc.assert(
    fc.asyncProperty(fc.array(fc.boolean(), { minLength: 1, maxLength: 40 }), async (ways) => {
      read.length = 0;
      expected = ways.length;
      const done = new Promise<void>((resolve) => (all = resolve));
      const straight: number[] = [];
      for (const [n, isStraight] of ways.entries()) {
        if (isStraight) shard.post(short.port1, `${straight.push(n)} straight`);
        else shard.post(first.port1, `after ${straight.length}`);
      }
      await done;
      return read.every((post, i) => {
        const before = read.slice(0, i).filter((each) => each.endsWith('straight')).length;
        return post.startsWith('after') ? before >= Number(post.split(' ')[1]) : post === `${before + 1} straight`;
      });
    }),
    { numRuns: 200 },
  );
  for (const { port1, port2 } of [short, first, second]) {
    port1.close();
    await once(port2, 'close');
  }
});

await t.test(
  'of a batch each place gets the frames of its sockets, in order, marks kept, nothing else; the rest goes together',
  (t) => {
    const frame = fc.record({ sockets: fc.array(SOCKET), text: fc.string(), wait: fc.boolean() });
    fc.assert(
      fc.property(fc.array(frame), fc.integer({ min: 2, max: 4 }), (frames, fronts) => {
        const whole: [socket: number, text: string, wait: boolean][] = [];
        const index: number[] = [];
        const parts: Buffer[] = [];
        let at = 0;
        for (const { sockets, text, wait } of frames) {
          const part = Buffer.from(text);
          parts.push(part);
          for (const socket of sockets) {
            whole.push([socket, text, wait]);
            index.push(socket, wait ? (at | MAY_WAIT) >>> 0 : at, at + part.length);
          }
          at += part.length;
        }
        const bytes = new Uint8Array(Buffer.concat(parts)).buffer;
        const shares = splitFrames({ bytes, index: new Uint32Array(index) }, fronts, (size) => new ArrayBuffer(size));
        for (const [front, share] of shares.entries()) {
          const got: typeof whole = [];
          for (let i = 0; i < (share?.index.length ?? 0); i += 3) {
            const [socket, marked, end] = share!.index.subarray(i, i + 3) as unknown as [number, number, number];
            const start = marked & ~MAY_WAIT;
            got.push([socket, Buffer.from(share!.bytes, start, end - start).toString(), (marked & MAY_WAIT) !== 0]);
          }
          const expected = whole.filter(([socket]) => Math.min(placeOf(socket), fronts) === front);
          if (JSON.stringify(got) !== JSON.stringify(expected))
            throw new Error(JSON.stringify({ front, got, expected }));
        }
      }),
    );
    t.pass('for any batch');
    t.end();
  },
);

await t.test(
  'a front that throws is replaced: its sockets are closed, those of the other one never notice',
  async (t) => {
    const entry = new URL('../support/faulty-front.js', import.meta.url);
    const house = await openHouse({ TRANSPORT: 'uws', FRONTS: 2 }, [], {}, entry);
    const orders = new BroadcastChannel(FAULTS);
    const players = [await enter(house, 1), await enter(house, 2), await enter(house, 3), await enter(house, 4)];
    const on = (front: number) => players.filter(({ socket }) => placeOf(socket) === front);
    t.equal(on(0).length, 2, 'connections are dealt out in turn');
    orders.postMessage(0);
    await Promise.all(on(0).map(({ client }) => client.closed));
    const closed = (await house.registry.closings.take(2)).map(({ socket }) => socket);
    t.same(closed.sort(), on(0).map(({ socket }) => socket).sort(), 'the registry hears of each'); // prettier-ignore
    for (const { client, socket } of on(1)) {
      house.forward(...batch([{ socket, text: '"still here"' }]));
      t.equal(await client.frames.next(), '"still here"');
    }
    t.match(house.log.errors(), [{ message: /front lost/, detail: { front: 0, reason: /out of order/ } }]);

    // Back again after a while: from when it serves every other newcomer is there.
    t.same(await house.lives.take(3), [0, 1, 0]);
    const seen = new Set<number>();
    for (let n = 10; !seen.has(0); n++) {
      const { client, socket } = await enter(house, n);
      seen.add(placeOf(socket));
      t.notOk(closed.includes(socket), 'no number is used twice');
      house.forward(...batch([{ socket, text: '"welcome"' }]));
      t.equal(await client.frames.next(), '"welcome"', `agent ${agentId(n)} is heard and told`);
      client.ws.close();
      await house.registry.closings.next();
    }
    t.same(house.fatal, []);
    orders.close();
    await house.gateway.close();
  },
);

await t.test('a new socket takes over from one on another front', async (t) => {
  const house = await openHouse({ TRANSPORT: 'uws', FRONTS: 2 });
  const route = { shard: 0, table: 'T', seat: 1 };
  const old = await enter(house, 1, route);
  const fresh = await enter(house, 1, route);
  t.not(placeOf(old.socket), placeOf(fresh.socket));
  house.gateway.sockets.close(old.socket, 4002, 'session taken over');
  house.forward(...batch([old, fresh].map(({ socket }) => ({ socket, text: '"after"' }))));
  t.equal(await fresh.client.frames.next(), '"after"');
  t.match(await old.client.closed, { code: 4002 });
  t.same(old.client.frames.rest, []);
  t.match(await house.shards[0]!.next(), { t: 'detach', socket: old.socket });
  await house.gateway.close();
});

await t.test('several fronts are refused without µWebSockets.js', async (t) => {
  await t.rejects(openHouse({ TRANSPORT: 'ws', FRONTS: 2 }), {
    message: /FRONTS=2 needs µWebSockets.js.*set FRONTS=1/,
  });
});

await t.test('a socket is refused where its address has opened too many, over all fronts', async (t) => {
  const house = await openHouse({ TRANSPORT: 'uws', FRONTS: 2, WS_CONNECTS_PER_MINUTE: 2 });
  await Client.connect(house.ws, 'Bearer key-1');
  await Client.connect(house.ws, 'Bearer key-2');
  await t.rejects(Client.connect(house.ws, 'Bearer key-3'), { message: /429/ });
  await house.gateway.close();
});
