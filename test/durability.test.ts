import { setTimeout as sleep } from 'node:timers/promises';
import t, { type Test } from 'tap';
import { audit } from '../src/admin/audit/index.js';
import { seededRandom } from '../src/cards/shuffle.js';
import type { Database } from '../src/store/database.js';
import { decodeRecord } from '../src/table/record-codec.js';
import { ACTION_NAMES, STREET_NAMES } from '../src/table/words.js';
import { Bot, type HandResult } from './support/bot.js';
import { freshDatabase, stopCluster } from './support/database.js';
import { DatabaseGate } from './support/database-gate.js';
import { TestPlatform, type Env } from './support/platform.js';
import { calling, scenesOf } from './support/scene.js';

/**
 * What was told stays true, whatever happens to the process or its database (DESIGN, promises 1–3): kill -9 under load,
 * graceful stops, a database that goes away. SEED=n repeats a run.
 */

t.setTimeout(180_000);
t.teardown(stopCluster);

const SEED = Number(process.env['SEED'] ?? Date.now() % 1_000_000);
const dice = seededRandom(SEED);
const below = (n: number) => dice.next16() % n;
t.comment(`SEED=${SEED}`);

/** Chips enough never to be out of them. */
const LOAD: Env = { STARTING_CHIPS: 1_000_000, THREADS: 2 };

/** Bots at several tables, and all that they were ever told. */
class Crowd {
  readonly bots: Bot[] = [];
  readonly told = new Map<string, HandResult>();
  #onTold: (() => void) | null = null;

  constructor(readonly platform: TestPlatform) {}

  async gather(size: number): Promise<void> {
    for (let n = 0; n < size; n++) {
      const bot = new Bot(this.platform, await this.platform.register('bot'), seededRandom(SEED + n));
      bot.onResult = (result) => {
        this.told.set(result.hand_id, result);
        this.#onTold?.();
      };
      this.bots.push(bot);
    }
    await this.connect();
  }

  async connect(): Promise<void> {
    await Promise.all(this.bots.map((bot) => bot.connect()));
  }

  /** Resolves when so many more hands were told. */
  async moreHands(count: number): Promise<void> {
    const goal = this.told.size + count;
    const late = sleep(30_000, 'late', { ref: false });
    const enough = new Promise<void>((resolve) => {
      this.#onTold = () => (this.told.size >= goal ? resolve() : undefined);
    });
    if ((await Promise.race([enough, late])) === 'late') {
      const last = this.bots.map((bot) => bot.player.describe()).join('\n');
      throw new Error(
        `SEED=${SEED}: play stopped at ${this.told.size} of ${goal} hands\n${last}\n${this.platform.output}`,
      );
    }
  }

  /** Resolves with the close codes once every socket is closed. */
  async closed(): Promise<number[]> {
    return (await Promise.all(this.bots.map((bot) => bot.player.closed))).map(({ code }) => code);
  }

  /** Every table's highest table_seq that anybody has read. */
  highest(): Map<string, number> {
    const highest = new Map<string, number>();
    for (const { account } of this.bots) {
      for (const [table, seq] of account.seqs) highest.set(table, Math.max(seq, highest.get(table) ?? 0));
    }
    return highest;
  }
}

interface SeatRow {
  agent_id: string;
  table_id: string;
  seat_no: number;
  chips_at_table: number;
}

const storedSeats = (sql: Database) =>
  sql<SeatRow[]>`select agent_id, table_id, seat_no, chips_at_table from entries where table_id is not null`;

/** Everything is accounted for, and whatever was told is stored, to the chip. */
async function verify(t: Test, { platform, told }: Crowd): Promise<void> {
  const sql = platform.sql!;
  const { problems } = await audit(sql);
  t.same(problems, [], `the audit finds every chip (SEED=${SEED})`);
  const ids = [...told.keys()];
  const rows = await sql<
    { hand_id: string; record: Buffer }[]
  >`select hand_id, record from hands where hand_id = any (${ids})`;
  const stored = new Map(rows.map(({ hand_id, record }) => [hand_id, record]));
  const differing = ids.filter((id) => {
    const record = stored.get(id);
    return record === undefined || !tellsTheSame(told.get(id)!, record);
  });
  t.same(differing, [], `all ${ids.length} results that were told are stored as they were told`);
}

function tellsTheSame(told: HandResult, bytes: Buffer): boolean {
  const { players, actions, totalPot } = decodeRecord(bytes);
  const stored = {
    total_pot: totalPot,
    final_stacks: Object.fromEntries(players.map(({ seat, stackEnd }) => [String(seat), stackEnd])),
    payouts: players.filter(({ payout }) => payout > 0).map(({ seat, payout }) => ({ seat, amount: payout })),
    actions: actions.map(({ seat, act, amount, street }) => ({
      seat,
      action: ACTION_NAMES[act],
      amount,
      street: STREET_NAMES[street],
    })),
  };
  const { total_pot, final_stacks, payouts, actions: toldActions } = told;
  const bySeat = [...payouts].sort((a, b) => a.seat - b.seat);
  return JSON.stringify(stored) === JSON.stringify({ total_pot, final_stacks, payouts: bySeat, actions: toldActions });
}

/** Everybody who had a seat reads its own again, with the stored stack, under numbers nobody has seen. */
async function reclaimed(t: Test, { bots }: Crowd, seats: readonly SeatRow[], highest: ReadonlyMap<string, number>) {
  const bySeat = new Map(seats.map((row) => [row.agent_id, row]));
  const wrong: string[] = [];
  for (const bot of bots) {
    const { account } = bot;
    const row = bySeat.get(account.agentId);
    // Who has just lost all has no seat to come back to.
    if (row === undefined || row.chips_at_table === 0) continue;
    const state = await bot.player.until('its table again', () => bot.returned ?? undefined);
    const seat = state.seats[row.seat_no];
    const same =
      state.table_id === row.table_id && state.hero?.seat === row.seat_no && seat?.stack === row.chips_at_table;
    if (!same) wrong.push(`${account.name}: ${JSON.stringify(row)} but ${JSON.stringify({ hero: state.hero, seat })}`);
    if (state.table_seq <= (highest.get(row.table_id) ?? 0))
      wrong.push(`${account.name}: table_seq ${state.table_seq}`);
  }
  t.same(wrong, [], `${seats.length} seats reclaimed with their stored stacks, table_seq above any number seen`);
}

await t.test('kill -9 under load, five times: one void hand a table, nothing else', async (t) => {
  const platform = await TestPlatform.start(t, LOAD);
  const crowd = new Crowd(platform);
  await crowd.gather(16);
  let voided = 0;
  for (const threads of [2, 2, 1, 3, 2]) {
    await crowd.moreHands(60 + below(240));
    await sleep(below(20));
    await platform.kill();
    await crowd.closed();
    await verify(t, crowd);

    const begun = [...new Set(crowd.bots.flatMap(({ open }) => [...open]))];
    const [{ count: finished } = { count: 0 }] = await platform.sql!<{ count: number }[]>`
      select count(*) from hands where hand_id = any (${begun})`;
    voided += begun.length - Number(finished);
    for (const { open } of crowd.bots) open.clear();

    const seats = await storedSeats(platform.sql!);
    t.ok(seats.length >= 12, `${seats.length} seats are stored`);
    const highest = crowd.highest();
    await platform.launch({ THREADS: threads });
    await crowd.connect();
    await reclaimed(t, crowd, seats, highest);
  }
  await crowd.moreHands(100);
  t.ok(voided > 0, `${voided} hands were cut off in the middle`);

  await t.test('SIGTERM under load: every hand is finished, sockets close with 1012, seats are kept', async (t) => {
    await platform.stop();
    t.same(new Set(await crowd.closed()), new Set([1012]));
    t.same(
      crowd.bots.flatMap(({ account, open }) => [...open].map((hand) => `${account.name}: ${hand}`)),
      [],
      'no hand that was begun was left without its result',
    );
    await verify(t, crowd);
    const seats = await storedSeats(platform.sql!);
    const highest = crowd.highest();
    await platform.launch();
    await crowd.connect();
    await reclaimed(t, crowd, seats, highest);
    await crowd.moreHands(50);
    await platform.stop();
    await verify(t, crowd);
  });

  t.equal(
    crowd.bots.reduce((sum, { rejections }) => sum + rejections, 0),
    0,
    'nobody’s action was ever rejected',
  );
  t.same(
    platform.faults.map(({ message }) => message),
    [],
    'every frame was in order',
  );
});

await t.test('a stop waits for the hand in progress, and not for ever', async (t) => {
  const platform = await TestPlatform.start(t, { DRAIN_MS: 5000 });
  const scene = scenesOf(t, platform);

  await scene('while the hand is played on, nothing new begins and /health/ready says 503', async (t, scene) => {
    const game = await scene.game(2);
    const actor = await game.actor();
    const waiting = await scene.player('sam');
    platform.terminate();
    for (let status = 200; status !== 503;) {
      const answer = await platform.api('GET', '/health/ready');
      ({ status } = answer);
      if (status === 503) t.same(answer.body, { detail: 'Server is draining' });
    }
    t.match(await platform.api('GET', '/health/live'), { status: 200 });
    t.match(await platform.health(), { status: 'degraded' });
    const { hand_id } = actor.turn!;
    await game.finish(calling);
    for (const player of [...game.players, waiting]) t.match(await player.closed, { code: 1012 });
    t.same(await platform.ended, { code: 0, signal: null });
    const last = game.players[0]!.frames.filter((frame) => 'hand_id' in frame && frame.hand_id !== null).at(-1);
    t.match(last, { type: 'hand_result', hand_id }, 'no hand after it');
    t.match(game.players[0]!.last('table_state'), { waiting_reason: 'table_closing' });
    await platform.launch();
    for (const { account } of game.players) await scene.connect(account);
  });

  await scene('who does not act within DRAIN_MS makes the hand void: stacks are what they were', async (t, scene) => {
    const game = await scene.game(2);
    await game.play('raise', 500);
    await platform.kill();
    await platform.launch({ DRAIN_MS: 300 });
    const players = await Promise.all(game.players.map(({ account }) => scene.connect(account)));
    for (const player of players) await player.next('hand_start');
    await players.find(({ turn }) => turn !== null)?.play('raise', 700);
    platform.terminate();
    t.same(await platform.ended, { code: 0, signal: null });
    const rows = await platform.sql!`select chips_at_table from entries where table_id = ${game.tableId}`;
    t.same(
      rows.map(({ chips_at_table }) => Number(chips_at_table)),
      [2000, 2000],
    );
    await platform.launch();
    for (const { account } of game.players) await scene.connect(account);
  });
});

await t.test('the database goes away and comes back: nothing told is lost, play goes on', async (t) => {
  const address = await freshDatabase(t);
  const gate = await DatabaseGate.open(t, address);
  const platform = await TestPlatform.start(t, LOAD, address, gate.address);
  const crowd = new Crowd(platform);
  await crowd.gather(8);
  for (let round = 0; round < 2; round++) {
    await crowd.moreHands(50 + below(50));
    await gate.cut();
    await platform.healthWhen(({ status }) => status === 'degraded');
    t.match(await platform.health(), { services: { database: 'unavailable' } });
    t.match(await platform.api('GET', '/health/ready'), { status: 503, body: { detail: 'Server is not ready' } });
    t.match(await platform.api('GET', '/health/live'), { status: 200 });
    const toldBefore = crowd.told.size;
    await verify(t, crowd);
    t.equal(crowd.told.size, toldBefore, 'while it is away nothing settled is told');
    await gate.mend();
    await platform.healthWhen(({ status }) => status === 'ok');
    await crowd.moreHands(50);
  }
  await platform.stop();
  await verify(t, crowd);
  t.same(
    platform.faults.map(({ message }) => message),
    [],
  );
});
