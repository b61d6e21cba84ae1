/**
 * The kits over the lean subprotocol. At each turn a kit works out the hand from lean frames, also after a reconnect in
 * the middle of a hand. This hand equals the hand of the same player over the full protocol, and is the same in both
 * kits.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import t, { type Test } from 'tap';
import type { ServerMessage } from '../../sdk/typescript/src/generated/messages.js';
import { Bot } from '../../sdk/typescript/src/index.js';
import { LeanReader } from '../../sdk/typescript/src/lean.js';
import { seededRandom, uniformBelow } from '../../src/cards/shuffle.js';
import { examples } from '../support/frames.js';
import { FILE_MS } from '../support/limits.js';
import { temporaryFolder } from '../support/platform.js';
import { PythonProgram, pythonWith } from '../support/python.js';
import { SEED } from '../support/seed.js';
import { TableDriver, type Client } from '../support/table-driver.js';
import { Follower } from './follower.js';
import { NO_PYTHON } from './kits.js';

t.setTimeout(FILE_MS);
t.comment(`SEED=${SEED}`);

interface Game {
  readonly driver: TableDriver;
  /** The player on the first seat, who follows. */
  readonly hero: Client;
  readonly follower: Follower;
  /** A number below 100. */
  readonly chance: () => number;
}

const act = ({ driver, chance }: Game) => {
  const { actor } = driver;
  const choices = actor.turn!.valid_actions.filter(({ action }) => action !== 'all_in' || chance() < 3);
  const choice = choices[chance() % choices.length]!;
  actor.act(choice.action, choice.action === 'raise' ? choice.min : null);
};

/** The same game over lean frames and over the others: what a player makes of either. */
function twice(players: number, hands: number, seed: number, disturb?: (game: Game) => void) {
  return [true, false].map((lean) => {
    const driver = new TableDriver({ seed });
    const follower = new Follower(() => driver.now);
    follower.read(examples.connected);
    const clients = Array.from({ length: players }, (_, i) => driver.join(`p${i}`, 3000 + 700 * i, {}, 0, lean && i === 0)); // prettier-ignore
    const hero = clients[0]!;
    const random = seededRandom(seed);
    const game = { driver, hero, follower, chance: () => uniformBelow(100, random) };
    for (let n = 0; n < hands && clients.every(({ player }) => driver.table.seatOf(player.agentId) !== null); n++) {
      driver.deal();
      while (driver.table.inHand) {
        follower.read(...hero.take());
        disturb?.(game);
        if (driver.table.inHand) act(game);
      }
      follower.read(...hero.take());
    }
    return follower;
  }) as [Follower, Follower];
}

/** The line is lost, or the program dies; others go on meanwhile, and between the new socket and its first question. */
function comeBack(game: Game): void {
  const { driver, hero, follower, chance } = game;
  if (chance() >= 20) return;
  const end = chance() < 70 ? 'lost' : 'program';
  follower.lose(end);
  hero.drop();
  const othersAct = () => {
    while (driver.table.inHand && driver.actor !== hero && driver.actor.asked && chance() < 50) {
      driver.advance(1500);
      act(game);
    }
  };
  othersAct();
  driver.advance(2500);
  hero.connect();
  follower.read(examples.connected);
  othersAct();
  if (chance() < 50) follower.read(...hero.take());
  if (end === 'program') {
    const details = { table_id: 'table-1', seat: 0 };
    follower.read({ ...examples.error, code: 'already_seated', message: 'seated', ...details, details });
  }
  if (!follower.asks) throw new Error('it asks nothing');
  hero.resync(follower.since);
  follower.read(...hero.take());
}

/** Steps of all followers, for the other kit to make the same of. */
const followed: Follower[] = [];

function compare(t: Test, [lean, full]: [Follower, Follower], what: string): number {
  t.same(lean.hands, full.hands, `${lean.hands.length} turns, ${what}`);
  t.same([...lean.warnings, ...full.warnings], []);
  followed.push(lean, full);
  return lean.hands.length;
}

await t.test('at each turn the hand is the one of the full protocol', (t) => {
  let turns = 0;
  for (let round = 0; round < 12; round++) {
    const players = 2 + (round % 5);
    const game = twice(players, 30, SEED + round);
    turns += compare(t, game, `${players} players`);
    t.same(game[0].results, game[1].results);
  }
  t.ok(turns > 300, `${turns} turns`);
  t.end();
});

await t.test('also where it was away for a part of the hand', (t) => {
  let turns = 0;
  for (let round = 0; round < 12; round++) {
    turns += compare(t, twice(2 + (round % 3), 30, SEED + 50 + round, comeBack), 'after losses');
  }
  t.ok(turns > 200, `${turns} turns`);
  t.end();
});

await t.test('a turn that comes twice is told once', (t) => {
  const driver = new TableDriver({ seed: SEED });
  const clients = ['ada', 'bob', 'cyd'].map((name, i) => driver.join(name, 3000, {}, 0, i === 0));
  const [hero] = clients;
  const states = (times: number) => {
    const reader = new LeanReader();
    return frames
      .flatMap((frame) => Array.from({ length: times }, () => frame))
      .flatMap((frame) => reader.read(frame as unknown as ServerMessage))
      .filter(({ type }) => type === 'table_state')
      .map((state) => JSON.stringify(state, ['pot', 'seats', 'seat', 'stack', 'bet', 'street', 'board']));
  };
  hero!.take();
  driver.deal();
  let raises = 2;
  while (driver.table.inHand) {
    const { actor } = driver;
    const raise = actor.turn!.valid_actions.find(({ action }) => action === 'raise');
    if (raises > 0 && actor !== hero && raise !== undefined) {
      raises--;
      actor.act('raise', raise.min);
    } else actor.act(actor.turn!.valid_actions.some(({ action }) => action === 'check') ? 'check' : 'call', null);
  }
  const frames = hero!.take();
  t.ok(frames.filter(({ type }) => (type as string) === 'turn').length >= 4, 'a turn on each street at least');
  t.same([...new Set(states(2))], [...new Set(states(1))]);
  t.end();
});

const python = await pythonWith('websockets', 'httpx');

await t.test('the Python kit makes the same of it', { skip: python === null && NO_PYTHON }, async (t) => {
  const file = join(temporaryFolder(t), 'steps');
  writeFileSync(file, followed.map(({ steps }) => `${JSON.stringify(steps)}\n`).join(''));
  const script = fileURLToPath(new URL('../../../test/sdk/lean.py', import.meta.url));
  const program = new PythonProgram(t, python!, [script, file]);
  for (const { hands } of followed) t.same(await program.line(), hands, `${hands.length} turns`);
  t.equal(await program.ended, 0, 'it ended well', { diag: program.output.slice(-2000) });
});

await t.test('lean frames have nothing to check deals by', (t) => {
  t.throws(() => new Bot({ decide: (hand) => hand.fold(), lean: true, nonces: true }), /give lean or nonces/);
  t.end();
});
