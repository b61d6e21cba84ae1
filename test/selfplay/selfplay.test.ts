/**
 * Self-play: matches in memory. The same seed gives the same match on any number of threads, and duplicate deals remove
 * luck. Any module can be a bot, and its errors are reported.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import t from 'tap';
import type { Hand } from '../../sdk/typescript/src/hand.js';
import { createStrategy, type SlowStrategy } from '../../src/bots/index.js';
import { seededRandom } from '../../src/cards/shuffle.js';
import { entrantsOf, type MindMaker } from '../../src/selfplay/minds.js';
import type { SelfplayReport } from '../../src/selfplay/report.js';
import { playStretch, type MatchStretch } from '../../src/selfplay/stretch.js';
import { FILE_MS } from '../support/limits.js';
import { ownTemporaryFolder } from '../support/temporary.js';

t.setTimeout(FILE_MS);

const CLI = fileURLToPath(new URL('../../src/selfplay/cli.js', import.meta.url));
const folder = mkdtempSync(join(ownTemporaryFolder('selfplay'), 'bots-'));

/** A module of somebody's. */
function module(name: string, text: string): string {
  writeFileSync(join(folder, name), text);
  return name;
}

const selfplay = (...args: string[]) =>
  spawnSync(process.execPath, [CLI, ...args], { encoding: 'utf8', env: { ...process.env, INIT_CWD: folder } });

function reportOf(...args: string[]): SelfplayReport {
  const { stdout, stderr, status } = selfplay('--json', ...args);
  if (status !== 0) throw new Error(stderr);
  return JSON.parse(stdout) as SelfplayReport;
}

const callsAlways: SlowStrategy = (hand) => (hand.canCheck ? hand.check() : hand.canCall ? hand.call() : hand.fold());
const same =
  (mind: SlowStrategy): MindMaker =>
  () =>
    mind;
const stretch = (more: Partial<MatchStretch> = {}): MatchStretch => ({
  seed: 7,
  number: 0,
  deals: 40,
  duplicate: true,
  stack: 2000,
  ...more,
});

await t.test('a match is the same from the same seed, whatever number of threads plays it', async (t) => {
  const strip = ({ bots, deals, hands }: SelfplayReport) => ({ bots, deals, hands });
  const args = ['--bots', 'shark,gambler,shark', '--hands', '3000', '--seed', '5'];
  const one = reportOf(...args, '--threads', '1');
  t.same(strip(reportOf(...args, '--threads', '3')), strip(one));
  t.same(one.bots.map(({ bot }) => bot).sort(), ['gambler', 'shark', 'shark_2']);
  t.match(one, { deals: 1000, hands: 3000, duplicate: true, seed: 5, hands_per_second: Number });
  t.equal(
    one.bots.reduce((sum, { chips }) => sum + chips, 0),
    0,
    'what one won others lost',
  );
  t.not(reportOf(...args.slice(0, 4), '--seed', '6').bots[0]!.chips, one.bots[0]!.chips);
});

await t.test('mixed actions are drawn by seeded dice: as often as they say, and the same again', async (t) => {
  const seen = { raise: 0, call: 0 };
  const mixes: SlowStrategy = (hand) => {
    const last = hand.actions.findLast(({ seat }) => seat === hand.seat);
    if (hand.street !== 'preflop' || last !== undefined || !hand.canRaise) return hand.call();
    return { mix: [{ ...hand.call(), p: 0.75 }, { ...hand.raiseTo(hand.maxRaise), p: 0.25 }] }; // prettier-ignore
  };
  const counts: SlowStrategy = (hand) => {
    for (const { seat, action } of hand.history.preflop) {
      if (seat !== hand.seat && hand.street === 'preflop') seen[action === 'raise' ? 'raise' : 'call']++;
    }
    return hand.fold();
  };
  const play = (seed: number) => playStretch(stretch({ seed, deals: 400 }), [same(mixes), same(counts)]);
  const first = await play(1);
  const share = seen.raise / (seen.raise + seen.call);
  t.ok(share > 0.18 && share < 0.32, `raised in ${(100 * share).toFixed(1)} % of hands`);
  t.same(await play(1), first);
  t.notSame(await play(2), first);
  t.equal(first[0]!.refused, 0);
  const wrong = await playStretch(stretch(), [same(() => ({ mix: [{ action: 'call', p: 0.9 }] })), same(callsAlways)]);
  t.ok(wrong[0]!.refused > 0, 'a mix that does not sum to 1 is counted as any illegal choice');
});

await t.test('equal players come out even in every deal of a duplicate, and only there', async (t) => {
  const makers = Array.from({ length: 4 }, () => same(callsAlways));
  for (const { profit, squares, deals, hands } of await playStretch(stretch(), makers)) {
    t.same({ profit, squares, deals, hands }, { profit: 0, squares: 0, deals: 40, hands: 160 });
  }
  const apart = await playStretch(stretch({ duplicate: false }), makers);
  t.ok(apart.every(({ squares, hands }) => squares > 0 && hands === 40));
});

await t.test('duplicate deals make the interval of a match narrower', (t) => {
  const args = ['--bots', 'shark,gto_lite', '--hands', '6000', '--threads', '2', '--seed', '1'];
  const width = ({ bots }: SelfplayReport) => bots[0]!.bb_per_100_ci95![1] - bots[0]!.bb_per_100_ci95![0];
  const [even, plain] = [reportOf(...args), reportOf(...args, '--independent')];
  t.ok(width(even) < width(plain), `${width(even)} and ${width(plain)} bb/100`);
  t.equal(plain.duplicate, false);
  t.end();
});

await t.test('minds are asked in turn and see the table as a player sees it', async (t) => {
  const seen: string[] = [];
  const watcher: SlowStrategy = (hand) => {
    const own = hand.players.find(({ seat }) => seat === hand.seat)!;
    t.match(own, { stack: hand.stack, bet: hand.bet, inHand: true, name: /^player_[13]$/ });
    t.equal(hand.pots.reduce((sum, { amount }) => sum + amount, 0), hand.pot, 'the pots are the pot'); // prettier-ignore
    t.equal(hand.position, ['button', 'small_blind', 'big_blind'][hand.seat]);
    seen.push(`${hand.handId}: ${hand.board.length} ${hand.actions.length} ${hand.pot} ${hand.players.length}`);
    return callsAlways(hand);
  };
  const slow: SlowStrategy = async (hand) => {
    const { pot } = hand;
    await Promise.resolve();
    t.equal(hand.pot, pot, 'nobody goes on before it has decided');
    return callsAlways(hand);
  };
  await playStretch(stretch({ deals: 1, duplicate: false }), [same(watcher), same(slow), same(watcher)]);
  // Seats 0 and 2 watch: the button acts first, and last on later streets. Board, actions so far, pot:
  const lines = ['0 0 30', '0 2 60', '3 4 60', '3 5 60', '4 7 60', '4 8 60', '5 10 60', '5 11 60'];
  t.same(
    seen,
    lines.map((line) => `0-0-0: ${line} 3`),
  );
});

/** Where a number below 52 may stand that is no card of somebody else's. */
const NO_SECRETS = [
  /^hand\.(seat|button|smallBlind|bigBlind|pot|toCall|stack|bet|minRaise|maxRaise|highestBet|stacks\.\d|deadline)$/,
  /^hand\.(pots\.\d|players\.\d|history\.\w+\.\d+|actions\.\d+)\.\w+/,
  /\.length$/,
];

/** Values that a hand makes anew at each request. */
const FRESH = /^hand\.(stacks|actions|signal|safe)\b/;

const CARD = /^[2-9TJQKA][cdhs]$/;

/** All that a module can come to from what it was given, by its path: own and inherited, symbols and getters. */
function reachable(root: object): Map<string, unknown> {
  const found = new Map<string, unknown>();
  const known = new Set<unknown>([Object.prototype, Function.prototype, Array.prototype]);
  const walk = (value: unknown, path: string) => {
    if (FRESH.test(path)) return;
    found.set(path, value);
    if ((typeof value !== 'object' && typeof value !== 'function') || value === null || known.has(value)) return;
    known.add(value);
    const names = new Set<string | symbol>();
    for (
      let of: object | null = value;
      of !== null && !builtIn.has(of);
      of = Object.getPrototypeOf(of) as object | null
    ) {
      walk(Object.getPrototypeOf(of), `${path}.__proto__`);
      for (const name of Reflect.ownKeys(of)) names.add(name);
    }
    for (const name of names) {
      // A getter of a prototype wants an object to be asked of; that one is walked itself.
      const descriptor = Object.getOwnPropertyDescriptor(value, name);
      if (descriptor?.get !== undefined && path.endsWith('.__proto__')) continue;
      walk(Reflect.get(value, name), path === '' ? String(name) : `${path}.${String(name)}`);
    }
  };
  const builtIn = new Set<object>([Object.prototype, Function.prototype, Array.prototype]);
  walk(root, '');
  return found;
}

await t.test('nothing that a module can reach holds a card of others, and nothing shared can be changed', async (t) => {
  let turns = 0;
  const spy: SlowStrategy = (hand) => {
    turns++;
    const known = new Set([...hand.hole, ...hand.board]);
    for (const [path, value] of reachable({ hand })) {
      if (path.endsWith('__proto__')) continue;
      if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer) t.fail(`${path} is memory`);
      if (typeof value === 'object' && value !== null && !['', 'hand'].includes(path))
        t.ok(Object.isFrozen(value), `${path} is frozen`);
      if (typeof value === 'string' && CARD.test(value)) t.ok(known.has(value), `${path} holds ${value}`);
      if (typeof value !== 'number' || value >= 52 || NO_SECRETS.some((allowed) => allowed.test(path))) continue;
      t.fail(`${path} holds ${value}`);
    }
    t.throws(() => Object.assign(hand, { minRaise: 1 }), 'a hand has no field to write');
    return callsAlways(hand);
  };
  await playStretch(stretch({ deals: 1, duplicate: false, stack: 20_000 }), [same(spy), same(spy), same(spy)]);
  t.ok(turns >= 8, `${turns} turns`);
});

await t.test('a hand that is kept stays as it was, whatever is played and dealt after it', async (t) => {
  const kept: { hand: Hand; then: string | null }[] = [];
  const dice = seededRandom(3);
  const keeper: SlowStrategy = (hand) => {
    // Half of them are looked at only when all is over.
    const asked = kept.length % 2 === 0;
    kept.push({ hand, then: asked ? JSON.stringify(hand) : null });
    const roll = dice.next16() % 8;
    return roll === 0 ? hand.fold() : roll < 3 ? hand.raisePot(0.5) : hand.call();
  };
  await playStretch(stretch({ deals: 20 }), [same(keeper), same(keeper), same(keeper)]);
  for (const { hand, then } of kept) {
    const now = hand.toJSON();
    if (then !== null) t.equal(JSON.stringify(now), then);
    const own = now.players.find(({ seat }) => seat === now.seat)!;
    t.same([own.stack, own.bet, own.inHand], [now.stack, now.bet, true]);
    t.equal(now.pots.reduce((sum, { amount }) => sum + amount, 0), now.pot); // prettier-ignore
    t.equal(now.board.length, { preflop: 0, flop: 3, turn: 4, river: 5 }[now.street]);
    t.equal(hand.actions.at(-1)?.pot ?? 30, now.pot, 'the last action is the one before the turn');
  }
  t.ok(kept.length > 200, `${kept.length} turns`);
});

await t.test('a choice that is not allowed is a check or a fold, and is counted', async (t) => {
  for (const nonsense of [{ action: 'raise', amount: 1 }, { action: 'dance' }, null, undefined, 'dance']) {
    const bad = same((() => nonsense) as unknown as SlowStrategy);
    const [odd, even] = await playStretch(stretch(), [bad, same(callsAlways)]);
    t.ok(odd!.refused >= 40, JSON.stringify(nonsense));
    t.equal(even!.refused, 0);
  }
});

await t.test('a module is a bot: decide, or createStrategy with a seed', (t) => {
  module('fold.mjs', 'export const decide = (hand) => hand.fold();');
  module('dice.mjs', 'const seeds = []; export function createStrategy(seed) { seeds.push(seed); return () => ({ action: "raise", amount: seeds.length }); }'); // prettier-ignore
  const { bots } = reportOf('--bots', 'shark,fold.mjs,./dice.mjs', '--hands', '900');
  t.same(bots.map(({ bot }) => bot).sort(), ['dice', 'fold', 'shark']);
  t.equal(bots.find(({ bot }) => bot === 'fold')!.refused, 0);
  t.ok(bots.find(({ bot }) => bot === 'dice')!.refused > 0);
  const text = selfplay('--bots', 'shark,./dice.mjs', '--hands', '100').stdout;
  t.match(
    text,
    /^bot +chips +bb\/100 +95 %\n[^]*dice: \d+ choices were not allowed[^]*seed 1\n[\d.]+ s: \d+ hands\/s\n$/,
  );
  t.end();
});

await t.test('what is wrong with a call or a module is said', (t) => {
  const wrong = (...args: string[]) => {
    const { status, stderr } = selfplay(...args);
    return `${status} ${stderr}`;
  };
  t.match(wrong('--bots', 'shark'), /^2 --bots must name 2 to 6, and names 1 /);
  t.match(wrong('--bots', 'shark,nobody'), /^2 --bots names neither a bot of the house nor a module: .*nobody is not/);
  module('empty.mjs', 'export const x = 1;');
  t.match(wrong('--bots', 'shark,empty.mjs'), /^1 Error: .*empty\.mjs exports neither decide/);
  module('old.mjs', 'export const decide = (turn, view) => ({ action: "check" });');
  t.match(wrong('--bots', 'shark,old.mjs'), /^1 Error: .*old\.mjs: decide has 2 arguments; it must have one/);
  module('older.mjs', 'export const createStrategy = () => (turn, view) => ({ action: "check" });');
  t.match(wrong('--bots', 'shark,older.mjs'), /^1 Error: .*older\.mjs: decide has 2 arguments/);
  module('throws.mjs', 'export const decide = () => { throw new TypeError("my own fault"); };');
  t.match(wrong('--bots', 'shark,throws.mjs'), /^1 TypeError: my own fault\n +at .*throws\.mjs/);
  t.same(
    entrantsOf('rock, a/b.js,b.mjs', (path) => `/x/${path}`).map(({ name }) => name),
    ['rock', 'b', 'b_2'],
  );
  t.end();
});

await t.test('styles play here as they do at the table of npx agent-poker bench styles', async (t) => {
  const tallies = await playStretch(
    stretch({ deals: 300 }),
    (['shark', 'calling_station'] as const).map((style) => (seed: number) => createStrategy(style, seed)),
  );
  t.ok(tallies[0]!.profit > 0, `a shark wins from a calling station: ${tallies[0]!.profit} chips`);
});
