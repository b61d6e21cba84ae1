/** What the benches stand on: an ordinary server that plays rightly, a script of real play. */
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import t from 'tap';
import { registerBots } from '../../bench/host/accounts.js';
import { NaiveHand } from '../../bench/naive/hand.js';
import { NaiveServer } from '../../bench/naive/server.js';
import { scriptOf } from '../../bench/ceiling/script.js';
import { ratiosOf as ratiosOfServed } from '../../bench/host/ratios.js';
import type { Result as Served } from '../../bench/host/run.js';
import { ratiosOf, middles, ONE, THREE, TWO } from '../../bench/nodes/figures.js';
import { manyMachines } from '../../bench/nodes/many.js';
import { summary } from '../../bench/nodes/summary.js';
import { AFTER_A_MINUTE } from '../../bench/served/scenarios.js';
import type { Part, Result } from '../../bench/nodes/drill.js';
import { carriedBy, costsOf, limitsOf, mainOf, type Measured } from '../../bench/nodes/paper.js';
import { Crowd } from '../../src/load/crowd.js';
import { Histogram } from '../../src/load/histogram.js';
import { callTree, selfTimes, walk } from '../../bench/profile/cpuprofile.js';
import { CARD_NAMES, DECK_SIZE, parseCard } from '../../src/cards/card.js';
import { Rulebook } from '../../src/vectors/rulebook.js';
import { connect } from '../../src/store/database.js';
import { freshDatabase, stopCluster } from '../support/database.js';
import { FILE_MS } from '../support/limits.js';
import { Recorder } from '../support/recorder.js';
import { ownTemporaryFolder } from '../support/temporary.js';
import { Watch } from '../support/watch.js';

t.setTimeout(FILE_MS);
t.teardown(stopCluster);

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
  const options = { target, apiKeys, seed: 7, first: 0, tableOf: 6, witness: null, leanPercent: 0, from: [] };
  const crowd = await Crowd.connect(options);
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
  await crowd.sit(2);
  t.equal(crowd.answer(false).seated, 2, 'two sit when two are to sit');
  await crowd.sit();
  t.equal(crowd.answer(false).seated, 6, 'then all the others');
  crowd.play();
  await played;
  const [{ rejections, errors, closes, faults }] = [crowd.answer(true).tally!];
  crowd.close();
  t.same([rejections, errors, closes, faults], [{}, {}, {}, {}], 'the bots had nothing to complain of');
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

await t.test('the threads of a process that is profiled leave profiles of their own', async (t) => {
  const folder = join(ownTemporaryFolder('profile'), 'profiles');
  const cli = fileURLToPath(new URL('../../src/selfplay/cli.js', import.meta.url));
  const flags = ['--cpu-prof', `--cpu-prof-dir=${folder}`];
  const { status } = spawnSync(process.execPath, [...flags, cli, '--hands', '600', '--threads', '1']);
  t.equal(status, 0);
  const threads = readdirSync(folder).map((file) => Number(file.split('.')[4]));
  t.same(threads.sort(), [0, 1], 'the main thread, and the one that played');
});

const NOTHING = { nodes: 0, leader: 0, others: 0, database: 0, redis: 0, posts: 0 };
const ONE_COSTS: Measured = { ...NOTHING, nodes: 1.5, leader: 1, database: 0.25 };
const NODES_COST: Measured = { nodes: 3.25, leader: 0.9, others: 1.6, database: 0.5, redis: 0.5, posts: 20 };

await t.test('the capacity on paper follows from what a hand costs', async (t) => {
  const costs = costsOf(ONE_COSTS, NODES_COST);
  const rounded = Object.fromEntries(Object.entries(costs).map(([name, ms]) => [name, Number(ms.toFixed(6))]));
  t.same(
    rounded,
    {
      ...{ sockets: 0.9, away: 0.75, lobby: 0.1, redis: 0.25, post: 0.025 },
      ...{ shard: 0.5, database: 0.25, shardOfSeveral: 0.75, databaseOfSeveral: 0.5 },
    },
    'the lobby is what the leader takes more than another node, a shard what the main threads are not',
  );

  const ratesOf = (machines: number, cores = 4) =>
    Object.fromEntries(
      limitsOf(costs, { machines, cores }).map(({ what, handsPerSecond }) => [what, Math.round(handsPerSecond)]),
    );
  const spoken = 9 * (1 - 0.9 ** 6);
  const main = 0.9 + spoken * 0.75;
  t.same(
    ratesOf(10),
    {
      'main thread of the leader': Math.round(1000 / (0.1 + main / 10)),
      'main threads of the nodes': Math.round(10_000 / main),
      Redis: Math.round((1000 - (45 * 1.2 + 10 * 4) * 0.025) / (spoken * 0.25)),
      database: 8000,
      shards: 40_000,
    },
    'six players are with any of ten nodes, each link has its empty posts, and each node its echoes',
  );
  t.equal(ratesOf(10, 2)['database'], 4000, 'the database has as many cores as each');
  t.same(
    ratesOf(1),
    { 'main thread of the leader': 1000, Redis: Infinity, database: 16_000, shards: 6000 },
    'one machine needs no Redis, and is what one process was measured to be',
  );
  const played = { ...NODES_COST, posts: 0 };
  t.equal(mainOf(costs, 2) + costs.lobby, played.leader + played.others, 'three nodes as they were measured come out');
  t.equal(carriedBy(900, 2, 3), 300, 'what a link carries one way');
  t.equal(limitsOf(costs, { machines: 10, cores: 4 })[0]!.what, 'Redis');
  const dear = { ...costs, databaseOfSeveral: 100 };
  t.equal(limitsOf(dear, { machines: 10, cores: 4 })[0]!.what, 'database', 'what is full first comes first');
});

const cells = (line: string) => line.trim().split(/ {2,}/);

await t.test('nodes are judged beside one process of the same round', async (t) => {
  const histogram = (ms: number) => {
    const made = new Histogram();
    for (let n = 0; n < 100; n++) made.add(ms);
    return made;
  };
  const part = (cpu: Measured, local: number, remote: number): Part => ({
    ...{ handsPerSecond: 100, cpu, posts: 10, bytes: 1000 },
    ...{ local: histogram(local), remote: histogram(remote) },
  });
  const result = (cpu: Measured, local: number, remote: number): Result => ({
    full: part(cpu, local, remote),
    light: part(cpu, local, remote),
    warmHands: 1000,
  });
  const cpu = (nodes: number): Measured => ({ ...NODES_COST, nodes });
  const rounds = new Map([
    [ONE, [result(cpu(1.5), 1, 1), result(cpu(3), 2, 2)]],
    [TWO, [result(cpu(1.8), 1, 1.2), result(cpu(3.6), 2, 2.4)]],
    // Of the medians of both rounds the ratio would be 1.33: each round is compared with its own.
    [THREE, [result(cpu(3), 1, 3), result(cpu(3), 2, 3)]],
  ]);
  const judged = ratiosOf(rounds, 12).filter(({ goal }) => goal !== null);
  t.same(
    judged.map(({ unit, goal, met }) => [unit, goal, met]),
    [true, false].flatMap((met) => [
      ['', 1.35, met],
      ['ms', 0.5, met],
    ]),
    'CPU a hand, and the p50 of who is on another node, of each case',
  );
  const spread = judged[2]!.spread!.map((ratio) => Number(ratio.toFixed(2)));
  t.same(spread, [1, 2], 'with the least and the most of the rounds');

  const asked = summary([{ tables: 12, played: rounds }])
    .split('\n')
    .map(cells);
  t.same(
    asked.slice(2).map(([, name, ...rest]) => [name, rest.includes('bots think')]),
    [ONE, TWO, THREE].flatMap((name) => [false, true].map((thinks) => [name, thinks])),
    'all that is asked of nodes stands in one table',
  );
  t.same(
    asked[6]!.slice(2),
    ['100', '1.50', '1.00 to 2.00', '1.00', '2.00', '3.00', '3.00', '1.50', '1.00 to 2.00', '10', '1,000', '1', '100'],
    'the ratio and its rounds, p50 and p99 at own and at other tables, how much later, posts and kB a hand and a second',
  );

  const results = middles(rounds);
  const lines = manyMachines({ tables: 12, results }, { tables: 60, results }, 4).split('\n');
  t.same(
    lines.slice(2, 8).map((line) => cells(line)[0]),
    ['1', '2', '3', '10', '30', '100'],
    'and what that means for one, some and many machines',
  );
  t.match(lines.join('\n'), /^Check by two nodes as they were played: main threads 1\.70 ms a hand, measured 2\.50;/m);
});

await t.test('helper threads are judged a minute after the start only', async (t) => {
  const cpu = { server: 2, kernel: 0, front: 1, shards: 0.9, helpers: 0.1, database: 0, bots: 0 };
  const served: Served = {
    ...{ handsPerSecond: 100, framesPerSecond: 100, actionsPerHand: 19, framesPerHand: 300, bytesPerHand: 1000 },
    ...{ cpu, commit: null, latencies: new Histogram(), checked: 0 },
  };
  const young = ratiosOfServed(new Map([['20 tables', [served, served]]])).at(-1)!;
  t.same([young.value, young.goal, young.met], [5, null, null], 'of a young server it is told');
  const old = { ...served, cpu: { ...cpu, helpers: 0.03 } };
  const judged = ratiosOfServed(
    new Map([
      ['20 tables', [served, served]],
      [AFTER_A_MINUTE, [old]],
    ]),
  ).at(-1)!;
  t.same([judged.value, judged.goal, judged.met], [1.5, 2, true], 'of one that is a minute old it is judged');
});
