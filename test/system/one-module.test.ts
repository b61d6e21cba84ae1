/**
 * One bot module plays everywhere, as it is: in memory, in the arena, before the doctor, in the playground and over the
 * network. It throws if a hand lacks something, and each of these places reports a throw.
 */
import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import t from 'tap';
import { playBot } from '../../sdk/typescript/src/index.js';
import type { Action, Hand } from '../../sdk/typescript/src/hand.js';
import type { ArenaReport } from '../../src/arena/report.js';
import type { SelfplayReport } from '../../src/selfplay/report.js';
import { stopCluster } from '../support/database.js';
import { FILE_MS } from '../support/limits.js';
import { bareEnv, temporaryFolder, TestPlatform } from '../support/platform.js';

t.setTimeout(FILE_MS);
t.teardown(stopCluster);

const HANDS = 12;
const ENTRY = fileURLToPath(new URL('../../../src/agent-poker.mjs', import.meta.url));

/** Reads all fields of a hand, and plays by them. */
const MODULE = `
const STREETS = { preflop: 0, flop: 3, turn: 4, river: 5 };
export function decide(hand) {
  const own = hand.players.find(({ seat }) => seat === hand.seat);
  const played = Object.values(hand.history).flat();
  const faults = [
    hand.hole.length === 2 || 'hole',
    hand.board.length === STREETS[hand.street] || 'board',
    (own?.stack === hand.stack && own.bet === hand.bet && own.inHand) || 'players',
    hand.pots.reduce((sum, { amount }) => sum + amount, 0) === hand.pot || 'pots',
    played.every(({ seat, pot }) => hand.players.some((player) => player.seat === seat) && pot <= hand.pot) || 'history',
    hand.position !== null || 'position',
    hand.deadline > Date.now() || 'deadline',
    hand.smallBlind < hand.bigBlind || 'blinds',
    [hand.handId, hand.tableId].every((id) => typeof id === 'string') || 'ids',
  ].filter((sound) => sound !== true);
  if (faults.length > 0) throw new Error(faults.join() + ' of ' + JSON.stringify(hand));
  // Small pots: nobody goes bust while the test runs.
  const isSmall = hand.pot < 6 * hand.bigBlind;
  if (hand.canRaise && isSmall && hand.street === 'flop') return hand.raisePot(0.5);
  return hand.toCall === 0 || isSmall ? hand.call() : hand.fold();
}
`;

const folder = temporaryFolder(t);
const path = join(folder, 'mine.mjs');
writeFileSync(path, MODULE);
const { decide } = (await import(pathToFileURL(path).href)) as { decide: (hand: Hand) => Action };

async function poker(...args: string[]): Promise<string> {
  const options = { cwd: folder, env: bareEnv({ INIT_CWD: folder }) };
  return (await promisify(execFile)(process.execPath, [ENTRY, ...args], options)).stdout;
}

await t.test('in memory', async (t) => {
  const { bots } = JSON.parse(
    await poker('selfplay', '--bots', `${path},rock`, '--hands', '200', '--seed', '1', '--json'),
  ) as SelfplayReport;
  t.match(bots, [
    { hands: 200, refused: 0 },
    { hands: 200, refused: 0 },
  ]);
});

await t.test('in the arena', async (t) => {
  const args = ['--bots', '2', '--hands', String(HANDS), '--seed', '1', '--json', '--bot', path];
  const { bots } = JSON.parse(await poker('arena', ...args)) as ArenaReport;
  t.match(
    bots.find(({ bot }) => bot === 'bot_1'),
    { hands: HANDS, rejected: {} },
  );
  t.notMatch(readFileSync(join(folder, 'arena-logs/bot_1.log'), 'utf8'), /decide/);
});

await t.test('before the doctor', async (t) => {
  await poker('doctor', '--bot', path, '--only', 'plays', '--json', 'report.json');
  const report = JSON.parse(readFileSync(join(folder, 'report.json'), 'utf8')) as { kit: { answered: number } };
  t.match(report, { sound: true, failed: 0, kit: { defaulted: 0, warnings: 0 } });
  t.ok(report.kit.answered > 0);
});

/** The used part of the playground's bot. Its own types need a browser's. */
interface Played<T> {
  subscribe(told: (value: T) => void): void;
}
interface PersonAtPlay {
  turn: Played<{ hand: Hand } | null>;
  note: Played<string | null>;
  hands: Played<number>;
  run(options: {
    url: string;
    token: () => Promise<string>;
    timeoutSeconds: number;
  }): Promise<{ reason: string } | null>;
  act(action: Action): void;
  leave(): void;
}

/** One player is over the network and one in the playground, both at one table. */
await t.test('over the network, and in the playground', async (t) => {
  const platform = await TestPlatform.start(t, { WS_CONNECTS_PER_MINUTE: 1000 });
  const person = await platform.register('person');
  const { key } = await platform.register('program');
  const deployed = await platform.api('POST', '/api/bot/deploy', { key: person.key, body: { mode: 'browser' } });
  const token = (deployed.body as { token: { bot_token: string } }).token.bot_token;

  const told: string[] = [];
  const note = ({ text }: { text: string }) => void told.push(text);
  const playground = new URL('../../web/playground/play.js', import.meta.url).href;
  const { Play } = (await import(playground)) as { Play: new () => PersonAtPlay };
  const play = new Play();
  // The module presses the person's buttons.
  play.turn.subscribe((turn) => {
    if (turn !== null) queueMicrotask(() => play.act(decide(turn.hand)));
  });
  play.note.subscribe((text) => void (text !== null && told.push(text)));
  const stops = new AbortController();
  const program = playBot({ url: platform.url, apiKey: key, decide, signal: stops.signal, on: { warning: note } });
  const left = play.run({ url: platform.url, token: () => Promise.resolve(token), timeoutSeconds: 120 });
  await new Promise<void>((resolve) => {
    play.hands.subscribe((hands) => void (hands >= HANDS && resolve()));
  });
  const seen = [...told];
  play.leave();
  t.match(await left, { reason: 'left' });
  stops.abort();
  t.match(await program, { reason: 'stopped' });
  t.ok((await program).hands >= HANDS - 1, 'both were dealt in');
  t.same(seen, [], 'neither kit had anything to complain of');
});
