/** What the benches stand on: bots that read rightly, an ordinary server that plays rightly, a script of real play. */
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import fc from 'fast-check';
import t from 'tap';
import { WebSocketServer, type WebSocket } from 'ws';
import { registerBots } from '../../bench/host/accounts.js';
import { NaiveHand } from '../../bench/naive/hand.js';
import { NaiveServer } from '../../bench/naive/server.js';
import { scriptOf } from '../../bench/ceiling/script.js';
import { Crowd } from '../../bench/load/crowd.js';
import { Histogram } from '../../bench/load/histogram.js';
import { LeanSocket } from '../../bench/load/socket.js';
import { FrameReader } from '../../bench/load/wire.js';
import { callTree, selfTimes, walk } from '../../bench/profile/cpuprofile.js';
import { CARD_NAMES, DECK_SIZE, parseCard } from '../../src/cards/card.js';
import { Rulebook } from '../../src/vectors/rulebook.js';
import { connect } from '../../src/store/database.js';
import { freshDatabase, stopCluster } from '../support/database.js';
import { FILE_MS } from '../support/limits.js';
import { Recorder } from '../support/recorder.js';
import { Watch } from '../support/watch.js';

t.setTimeout(FILE_MS);
t.teardown(stopCluster);

/** Unmasked text frames, as a server sends them. */
function serverFrames(texts: readonly string[]): Buffer {
  const frames = texts.map((text) => {
    const { length } = text;
    const head = length < 126 ? [length] : length < 65_536 ? [126, length >> 8, length & 255] : [127, 0, 0, 0, 0, length >>> 24, (length >> 16) & 255, (length >> 8) & 255, length & 255]; // prettier-ignore
    return Buffer.concat([Buffer.from([0x81, ...head]), Buffer.from(text, 'latin1')]);
  });
  return Buffer.concat(frames);
}

await t.test('frames are the same however the bytes are cut', async (t) => {
  const text = fc.oneof(
    fc.string({ unit: 'binary-ascii', maxLength: 200 }),
    fc.constantFrom('x'.repeat(125), 'y'.repeat(126), 'z'.repeat(65_535), 'w'.repeat(65_536)),
  );
  const property = fc.property(fc.array(text, { maxLength: 8 }), fc.array(fc.nat(140_000)), (texts, cuts) => {
    const bytes = serverFrames(texts);
    const read: string[] = [];
    const reader = new FrameReader({
      text: (chunk, start, end) => read.push(chunk.toString('latin1', start, end)),
      ping: () => undefined,
      close: () => undefined,
    });
    const places = [...new Set([0, ...cuts.filter((cut) => cut < bytes.length), bytes.length])].sort((a, b) => a - b);
    for (let i = 1; i < places.length; i++) reader.read(Buffer.from(bytes.subarray(places[i - 1], places[i])));
    return JSON.stringify(read) === JSON.stringify(texts);
  });
  t.doesNotThrow(() => fc.assert(property, { numRuns: 100 }));
});

await t.test('a lean socket talks to a real server: handshake, masks, pings, close codes', async (t) => {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  t.teardown(() => server.close());
  await once(server, 'listening');
  const heard: string[] = [];
  const told = new Promise<number>((resolve) => {
    const { port } = server.address() as AddressInfo;
    const socket = new LeanSocket({ host: '127.0.0.1', port }, 'the-key', {
      chunk: () => undefined,
      text: (bytes, start, end) => {
        heard.push(bytes.toString('latin1', start, end));
        socket.send(`heard ${end - start}`);
      },
      closed: resolve,
    });
  });
  const [peer, request] = (await once(server, 'connection')) as [WebSocket, { headers: { authorization: string } }];
  t.equal(request.headers.authorization, 'Bearer the-key');
  const pong = once(peer, 'pong');
  peer.ping('alive?');
  t.equal(String((await pong)[0]), 'alive?');
  for (const text of ['short', 'long '.repeat(40), 'longer '.repeat(20_000)]) {
    peer.send(text);
    const [answer] = (await once(peer, 'message')) as [Buffer];
    t.equal(answer.toString(), `heard ${text.length}`, `${text.length} bytes arrive whole`);
  }
  t.equal(heard[2], 'longer '.repeat(20_000));
  peer.close(4002);
  t.equal(await told, 4002);
});

await t.test('a refused socket says why', async (t) => {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1', verifyClient: () => false });
  t.teardown(() => server.close());
  await once(server, 'listening');
  const nothing = { chunk: () => undefined, text: () => undefined, closed: () => undefined };
  const { port } = server.address() as AddressInfo;
  await t.rejects(new LeanSocket({ host: '127.0.0.1', port }, 'key', nothing).opened, /401/);
});

await t.test('quantiles are exact to a hundredth, also of two histograms together', async (t) => {
  const [low, high] = [new Histogram(), new Histogram()];
  for (let ms = 1; ms <= 1000; ms++) (ms <= 500 ? low : high).add(ms);
  const all = new Histogram(low.counts).merge(high);
  t.equal(all.count, 1000);
  for (const q of [0.01, 0.5, 0.99, 0.999]) {
    const exact = q * 1000;
    t.ok(Math.abs(all.quantile(q) / exact - 1) <= 0.011, `quantile ${q} of 1…1000 ms is ${all.quantile(q)}`);
  }
  all.clear();
  t.ok(Number.isNaN(all.quantile(0.5)), 'nothing has no quantile');
});

await t.test('the ordinary way plays and pays as the rulebook does', async (t) => {
  const hand = fc.record({
    stacks: fc.array(fc.integer({ min: 1, max: 200 }), { minLength: 2, maxLength: 6 }),
    deck: fc.shuffledSubarray([...CARD_NAMES], { minLength: DECK_SIZE, maxLength: DECK_SIZE }),
    choices: fc.array(fc.nat(1000), { minLength: 200, maxLength: 200 }),
    button: fc.nat(5),
  });
  const property = fc.property(hand, ({ stacks, deck, choices, button: anySeat }) => {
    const button = anySeat % stacks.length;
    const naive = new NaiveHand(stacks.map((stack, seat) => ({ seat, name: `p${seat}`, stack })), button, deck); // prettier-ignore
    const rules = new Rulebook({
      stacks,
      button,
      smallBlind: 10,
      bigBlind: 20,
      holes: naive.players.map(({ cards }) => cards.map(parseCard)),
      board: naive.board.map(parseCard),
      shortBlindPrice: 'full',
    });
    for (let i = 0; naive.actor !== null; i++) {
      const offers = naive.offers;
      const { action, min, max } = offers[choices[i]! % offers.length]!;
      const amount = action === 'raise' ? min! + (choices[i + 1]! % (max! - min! + 1)) : null;
      const { bet, stack } = naive.actor;
      const raises = amount ?? (action === 'all_in' && naive.decision!.minTo !== null ? bet + stack : null);
      if (naive.act(action, amount) === null) throw new Error(`${action} was offered, then refused`);
      rules.play(action === 'fold' ? 'fold' : raises === null ? 'checkOrCall' : { to: raises });
      while (naive.nextStreet() !== null);
    }
    while (naive.nextStreet() !== null);
    naive.settle();
    return naive.players.map(({ stack }) => stack).join() === rules.finalStacks().join();
  });
  t.doesNotThrow(() => fc.assert(property, { numRuns: 500 }));
});

await t.test('every frame of the ordinary server is one of the protocol, and makes a script', async (t) => {
  const sql = connect(await freshDatabase(t), { max: 2, name: 'test' });
  const server = new NaiveServer(sql);
  t.teardown(async () => {
    await server.close();
    await sql.end();
  });
  const port = await server.listen();
  const apiKeys = await registerBots(`http://127.0.0.1:${port}`, 6);
  const target = { host: '127.0.0.1', port };
  const crowd = await Crowd.connect({ target, apiKeys, seed: 7, first: 0, witness: { hash: true }, from: [] });
  const recorder = new Recorder();
  const watches = apiKeys.map(() => new Watch(new Map(), true));
  const transcripts = apiKeys.map((): string[] => []);
  const played = new Promise<void>((resolve, reject) => {
    crowd.tap((bot, text) => {
      try {
        watches[bot]!.see(recorder.frame(text));
        transcripts[bot]!.push(text);
        if (crowd.hands >= 30) resolve();
      } catch (error) {
        reject(error as Error);
      }
    });
  });
  await crowd.sit();
  crowd.play();
  await played;
  crowd.leave();
  t.same(crowd.answer(true).tally?.faults, {}, 'the bots had nothing to complain of');
  for (const type of ['hand_start', 'hole_cards', 'your_turn', 'action_ack', 'player_action', 'community_cards']) {
    t.ok(recorder.seen.has(`message ${type}`), `a ${type} was seen`);
  }
  const [stored] = await sql<{ count: number }[]>`select count(*) from naive_hands`;
  t.ok(stored!.count >= 30, 'every hand that was sent is stored');

  const script = scriptOf(transcripts);
  t.ok(script.hands >= 20, `${script.hands} hands in the script`);
  t.equal(script.steps.filter((groups) => groups.length === 2).length, script.hands, 'a hand ends in two groups');
  for (const [role, texts] of transcripts.entries()) {
    const told = script.steps.flatMap((groups) => groups.flatMap((group) => group[role]!));
    const start = texts.indexOf(told[0]!);
    t.same(told, texts.slice(start, start + told.length), `role ${role} gets what its player got, in order`);
  }
});

await t.test('a profile tells what each function took in the stretch that was measured', async (t) => {
  const frame = (functionName: string, url = '') => ({ functionName, url, lineNumber: 6 });
  const profile = {
    startTime: 1000,
    nodes: [
      { id: 1, callFrame: frame('(root)'), children: [2, 3, 5] },
      { id: 2, callFrame: frame('(idle)') },
      { id: 3, callFrame: frame('serve', 'file:///house/dist/src/serve.js'), children: [4] },
      { id: 4, callFrame: frame('pack', 'file:///house/node_modules/msgpackr/pack.js') },
      { id: 5, callFrame: frame('pack', 'file:///house/node_modules/msgpackr/pack.js') },
    ],
    samples: [3, 4, 2, 5, 4],
    timeDeltas: [100, 200, 400, 800, 1600],
  };
  const tree = callTree(profile, 1200, 2600, '/house/dist');
  t.equal(tree.total, 200 + 400 + 800, 'what was before and after is left out');
  t.same(
    selfTimes(tree).map(({ name, place, self }) => [name, place, self]),
    [
      ['pack', 'msgpackr/pack.js:7', 1000],
      ['(idle)', '', 400],
      ['(root)', '', 0],
      ['serve', 'src/serve.js:7', 0],
    ],
    'by function, wherever it was called from',
  );
  const told: string[] = [];
  walk(tree, 100, ({ name, total }, depth) => told.push(`${'-'.repeat(depth)}${name} ${total}`));
  t.same(told, ['(root) 1400', '-pack 800', '-(idle) 400', '-pack 200'], 'a call that only passes on is left out');
});
