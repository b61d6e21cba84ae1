/**
 * Worlds of hostile bots and failing machines. They are always the same, so that a failure can be repeated. SEED=n
 * takes others, and `npm run campaign -- sim` any number. Failed seeds are in `kept-seeds.json`, and run in each of
 * these worlds.
 */
import t from 'tap';
import { BOUNDARY_STATES } from '../sim/boundary.js';
import { endBuilding, loadWorld } from '../sim/load.js';
import { FILE_MS, inSuite } from '../support/limits.js';
import { keptSeeds, SEED, simulated } from '../support/seed.js';

t.setTimeout(FILE_MS);
t.teardown(endBuilding);

const SEEDS = Number(process.env['SIM_SEEDS'] ?? inSuite(1_000));
const first = process.env['SEED'] === undefined ? 1 : SEED;

/** Messages that bots must read over all these worlds. A missing one means that chance led to little. */
const TOLD = [
  ...['connected', 'lobby_joined', 'table_joined', 'player_joined', 'hand_start', 'hole_cards', 'your_turn'],
  ...['action_ack', 'community_cards', 'resync_response', 'season_ended'],
  ...[
    'busted',
    'rebuy_confirmed',
    'chips_skimmed',
    'auto_rebuy_set',
    'auto_rebuy_scheduled at once',
    'auto_rebuy_scheduled later',
  ],
  ...['fold', 'check', 'call', 'raise', 'all_in', 'timeout', 'left'].map((what) => `player_action ${what}`),
  ...['win', 'split', 'multiple_winners'].map((how) => `hand_result ${how}`),
  ...['left', 'disconnected', 'busted'].map((why) => `player_left ${why}`),
  ...['insufficient_players', 'season_ended'].map((why) => `table_closed ${why}`),
  ...['preflop', 'flop', 'turn', 'river'].map((street) => `table_state ${street}`),
  ...['insufficient_players', 'awaiting_reconnect', 'all_players_disconnected'].map((why) => `table_state ${why}`),
  ...['between_hands_delay', 'awaiting_hand_start', 'table_closing'].map((why) => `table_state ${why}`),
  ...['not_at_table', 'no_hand_in_progress', 'not_your_turn', 'missing_action_id'].map(
    (code) => `action_rejected ${code}`,
  ),
  ...['action_id_conflict', 'legacy_action_protocol', 'stale_hand_action'].map((code) => `action_rejected ${code}`),
  ...['stale_turn_token', 'invalid_action'].map((code) => `action_rejected ${code}`),
  ...['auth_failed', 'already_in_lobby', 'already_seated', 'leave_pending', 'not_at_table'].map(
    (code) => `error ${code}`,
  ),
  ...['insufficient_season_chips', 'invalid_buy_in', 'season_error', 'table_not_found'].map((code) => `error ${code}`),
  ...['rebuy_during_hand', 'invalid_rebuy', 'rebuy_cooldown', 'email_not_verified'].map((code) => `error ${code}`),
  ...['invalid_message', 'unknown_message', 'rate_limited', 'flood_warning', 'flood_kick'].map(
    (code) => `error ${code}`,
  ),
  ...[1009, 1012, 1013, 4001, 4002].map((code) => `close ${code}`),
];

/** Messages among them that a hundred worlds may miss: each comes in one world of ten or more. */
const RARE = [
  ...['close 1013', 'error leave_pending', 'error rebuy_cooldown', 'auto_rebuy_scheduled later'],
  ...['table_state all_players_disconnected', 'hand_result multiple_winners', 'hand_result split'],
  'error email_not_verified',
];

const world = await loadWorld();

await t.test(`${SEEDS} simulated platforms keep every invariant (SEED=${first})`, async (t) => {
  const total = { hands: 0, frames: 0, tables: 0, seasons: 0, lostShards: 0, crashes: 0, restarts: 0 };
  const seen = new Set<string>();
  for (let seed = first; seed < first + SEEDS; seed++) {
    const result = await simulated('sim', world.simulate, seed);
    for (const key of Object.keys(total) as (keyof typeof total)[]) total[key] += result[key];
    for (const kind of result.seen) seen.add(kind);
  }
  t.comment(JSON.stringify(total));
  t.ok(total.hands > SEEDS * 10, `${total.hands} hands were played`);
  t.ok(total.tables > SEEDS && total.seasons > SEEDS, `${total.tables} tables in ${total.seasons} seasons`);
  const { lostShards, crashes, restarts } = total;
  t.ok(
    lostShards > 0 && crashes > 0 && restarts > 0,
    `${lostShards} shards lost, ${crashes} processes, ${restarts} stopped`,
  );
  const missing = TOLD.filter((kind) => !seen.has(kind));
  t.same(SEEDS < 500 ? missing.filter((kind) => !RARE.includes(kind)) : missing, [], 'chance led everywhere');
});

/** How often the platform, one of its threads or the database is away, in each of these worlds. */
const STALLS = 25;

await t.test(`${inSuite(1_000)} standstills among bots that answer in time: no turn and no seat is lost`, async (t) => {
  const total = { stalls: 0, timeouts: 0, hands: 0 };
  for (let seed = first; total.stalls < inSuite(1_000); seed++) {
    const result = await world.simulateStalls(seed, STALLS);
    for (const key of Object.keys(total) as (keyof typeof total)[]) total[key] += result[key];
  }
  t.comment(JSON.stringify(total));
  t.ok(total.timeouts > 0 && total.hands > total.stalls / 10, 'silent players are timed out, the others play');
});

/** In each of these worlds ten seasons end. */
const SEASONS = 10;

await t.test(`${inSuite(50)} seasons and more end with bots in every state`, async (t) => {
  const states = BOUNDARY_STATES.map((state) => `season ends ${state}`);
  const seen = new Set<string>();
  const missing = () => states.filter((state) => !seen.has(state));
  let ended = 0;
  for (let seed = first; ended < inSuite(50) || (missing().length > 0 && ended < 500); seed++) {
    const result = await world.simulate(seed, SEASONS);
    ended += result.seasons - 1;
    for (const kind of result.seen) seen.add(kind);
  }
  t.same(missing(), [], `${ended} seasons ended`);
});

await t.test('worlds that failed once', async (t) => {
  for (const seed of keptSeeds('sim')) await world.simulate(seed);
  for (const seed of keptSeeds('leases')) await world.simulateLeases(seed);
  t.pass('keep every invariant');
});

await t.test('the same seed is the same run', async (t) => {
  const again = await world.simulate(first);
  t.same(await world.simulate(first), again);
  const elsewhere = await loadWorld();
  t.same(await elsewhere.simulate(first), again, 'also in a world that has run nothing before');
});

const LEASES = inSuite(1_000);

await t.test(
  `${LEASES} worlds of leases: no two processes lead or write at a time, and in the end one does`,
  async (t) => {
    const total = { terms: 0, ended: 0, refused: 0, writes: 0, late: 0 };
    for (let seed = first; seed < first + LEASES; seed++) {
      const result = await simulated('leases', world.simulateLeases, seed);
      for (const key of Object.keys(total) as (keyof typeof total)[]) total[key] += result[key];
    }
    t.comment(JSON.stringify(total));
    const { terms, ended, refused, writes, late } = total;
    t.ok(terms > LEASES && ended > 0 && refused > LEASES && writes > 100 * LEASES && late > 0, 'chance led everywhere');
    t.same(await world.simulateLeases(first), await world.simulateLeases(first), 'the same seed is the same run');
  },
);
