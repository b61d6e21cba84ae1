/** The base of the benches: an ordinary server that plays rightly, and a script of real play. */
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
import { ratiosOf } from '../../bench/host/ratios.js';
import { flatFigures, outageFigures } from '../../bench/nodes/figures.js';
import { gapsIn, longestGaps, OUTAGES } from '../../bench/nodes/outages.js';
import type { Result as Served } from '../../bench/host/run.js';
import { AFTER_A_MINUTE } from '../../bench/served/scenarios.js';
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

await t.test('helper threads are judged a minute after the start only', async (t) => {
  const cpu = { server: 2, kernel: 0, front: 1, shards: 0.9, helpers: 0.1, database: 0, bots: 0 };
  const served: Served = {
    handsPerSecond: 100,
    framesPerSecond: 100,
    actionsPerHand: 19,
    framesPerHand: 300,
    bytesPerHand: 1000,
    cpu,
    commit: null,
    latencies: new Histogram(),
    checked: 0,
  };
  const young = ratiosOf(new Map([['20 tables', [served, served]]])).at(-1)!;
  t.same([young.value, young.goal, young.met], [5, null, null], 'of a young server it is told');
  const old = { ...served, cpu: { ...cpu, helpers: 0.03 } };
  const judged = ratiosOf(
    new Map([
      ['20 tables', [served, served]],
      [AFTER_A_MINUTE, [old]],
    ]),
  ).at(-1)!;
  t.same([judged.value, judged.goal, judged.met], [1.5, 2, true], 'of one that is a minute old it is judged');
});

await t.test('the time between two hands that reaches into an outage', async (t) => {
  const players = [
    [0, 100, 200, 900, 1000],
    [50, 150, 250, 350],
  ];
  const span = { from: 220, until: 400 };
  t.same(longestGaps(players, span, 1000), [700, 650], 'the second reads no more hands until the end');
  t.same(gapsIn(players, span), [700, 100, 100], 'an open one is not among all');
  t.same(longestGaps([[]], span, 1000), [0]);
});

await t.test('an outage is judged by the players of other nodes, and by the tables of the lost one', async (t) => {
  const usual = Array.from({ length: 200 }, (_, i) => 1000 + i);
  const seen = {
    outage: OUTAGES[0]!,
    longestBefore: usual,
    longestDuring: usual,
    gapsBefore: [900],
    gapsDuring: [950],
    again: [1000, 3900],
  };
  const judged = (...all: (typeof seen)[]) =>
    outageFigures(all)
      .filter(({ met }) => met !== null)
      .map(({ met }) => met);
  t.same(judged(seen), [true, true]);
  const waited = { ...seen, longestDuring: usual.map((ms, i) => (i < 20 ? 5000 : ms)) };
  t.same(judged(waited), [false, true], 'a tenth of the players waited');
  t.same(judged({ ...seen, again: [1000, Infinity] }), [true, false], 'a table never had a hand again');
});

await t.test('statements a hand are judged beside those of one node, both ways', async (t) => {
  const of = (nodes: number, statementsPerHand: number, messagesPerHand = 0) => ({
    nodes,
    statementsPerHand,
    messagesPerHand,
    handsPerSecond: 20,
    statementsPerSecond: 10,
  });
  const judged = flatFigures([of(1, 1), of(2, 1.04), of(4, 1.2), of(8, 0.9, 1)])
    .filter(({ met }) => met !== null)
    .map(({ met }) => met);
  t.same(judged, [true, true, false, true, false, false]);
});

await t.test('bench:nodes --quick kills a node, and tells when its tables have a hand again', async (t) => {
  const bench = fileURLToPath(new URL('../../bench/nodes.js', import.meta.url));
  const { stdout, stderr } = spawnSync(process.execPath, [bench, '--quick', '--part', 'outages'], { encoding: 'utf8' });
  const [, seconds] = /its tables have a hand again, p95 +([\d.]+) +s/.exec(stdout) ?? [];
  t.ok(Number(seconds) > 0, `${stdout}\n${stderr}`);
});
