import { createHash } from 'node:crypto';
import { readConfig, type Config } from '../../src/ops/config.js';
import type { Dice } from './dice.js';
import type { Agent } from './vault/rows.js';

/** Every switch gets its turn; times are short, so that much happens in little virtual time. */
export function randomConfig(dice: Dice, seed: number, more: Record<string, string | number> = {}): Config {
  const season = dice.chance(0.5) ? { SEASON_SECONDS: dice.int(20, 45), WIND_DOWN_SECONDS: dice.int(2, 8) } : {};
  const env: Record<string, string | number | boolean> = {
    NODE_ENV: 'test',
    LOG_LEVEL: 'info',
    HOUSE_BOTS: 0,
    PAGES: 'off',
    DEEP_CHECKS: 'on',
    THREADS: 2,
    HEADS_UP_BLINDS: dice.pick(['standard', 'ring']),
    BOARD_EVENTS: dice.pick(['new', 'cumulative']),
    ACTION_PROTOCOL: dice.pick(['strict', 'strict', 'loose']),
    STATE_HASH: dice.chance(0.7) ? 'on' : 'off',
    ACTION_TIMEOUT_MS: dice.pick([700, 2_000, 6_000]),
    BETWEEN_HANDS_MS: dice.pick([0, 0, 250, 1_000]),
    DISCONNECT_HOLD_MS: dice.pick([3_000, 8_000, 20_000]),
    REPLAY_HANDS: dice.pick([1, 3, 20]),
    REPLAY_BYTES: dice.pick([10_000, 1 << 20]),
    LOBBY_GRACE_MS: dice.pick([500, 1_500, 3_000]),
    LOBBY_CAPACITY: dice.chance(0.1) ? 3 : 1_000,
    SEPARATE_OWNERS: dice.chance(0.3),
    BUY_IN_OUT_OF_RANGE: dice.pick(['default', 'reject']),
    SOCKET_BUFFER_BYTES: 65_536,
    REBUY_COOLDOWNS: dice.pick(['0', '0,8', '12,25']),
    REBUY_COOLDOWNS_PRO: dice.pick(['0', '5']),
    REBUY_WHEN: dice.pick(['below_buy_in', 'below_buy_in', 'zero']),
    STARTING_CHIPS: dice.pick([1_000, 2_500, 5_000]),
    ...season,
    // Chosen by the seed alone: what chance decides stays as it is.
    ...(seed % 4 === 3 ? { MAX_TABLE_STACK: [1_000, 2_500, 5_000][Math.floor(seed / 4) % 3]! } : {}),
  };
  // No dice for this one: a seed that is known for something stays the world that it was.
  env['COALESCE_TABLES'] = 1;
  env['COALESCE_MS'] = { 500: 0, 1_500: 2, 3_000: 20 }[Number(env['LOBBY_GRACE_MS'])]!;
  return readConfig(
    Object.fromEntries(Object.entries({ ...env, ...more }).map(([name, value]) => [name, String(value)])),
  );
}

/** For a world of many seasons: short ones, with enough hands to be ranked in. */
export function shortSeasons(dice: Dice): Record<string, string | number> {
  return {
    SEASON_SECONDS: dice.int(25, 50),
    WIND_DOWN_SECONDS: dice.int(1, 6),
    ENDING_SOON_SECONDS: dice.pick([0, 10, 86_400]),
    PRIZE_POOL_CENTS: dice.pick([0, 1, 999, 10_003]),
    REBUY_COOLDOWNS: dice.pick(['0,8', '5,25']),
    BETWEEN_HANDS_MS: 0,
  };
}

/** The API key of an agent; each time it asks for a new one, the next. */
export const keyOf = (name: string) => `ap_${createHash('sha256').update(name).digest('base64url')}`;

export const hashOf = (key: string) => createHash('sha256').update(key).digest('hex');

/** Some share a mailbox: agents of one owner. */
export function randomAgent(number: number, dice: Dice): Agent {
  const name = `bot_${number}`;
  const hex = number.toString(16).padStart(12, '0');
  return {
    agentId: `a9e47000-0000-4000-8000-${hex}`,
    email: dice.chance(0.3) ? `owner+${number}@example.org` : `${name}@example.org`,
    name,
    avatarUrl: dice.chance(0.2) ? 'https://a.example/é.png' : null,
    slug: dice.chance(0.2) ? name : null,
    isHouse: dice.chance(0.15),
    isPlatform: false,
    emailVerified: dice.chance(0.9),
    banned: false,
    keyHash: hashOf(keyOf(name)),
  };
}
