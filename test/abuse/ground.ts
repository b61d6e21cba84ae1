import { settings, type SettingName } from '../../src/ops/settings.js';
import type { Scope } from '../support/database.js';
import { ForkedPlatform } from '../support/forked-platform.js';
import { type Account, type Env } from '../support/platform.js';
import { Met, type Ground } from './case.js';

/** Loopback has more than one address: limits an address are to hit the attacker alone. */
export const ATTACKER = '127.0.0.66';
/** Registrations under way at a time. */
const AT_ONCE = 8;

/** Settings that other tests change for speed. Here they have the values of an unconfigured server. */
const AS_STARTED: readonly SettingName[] = [
  'THREADS',
  'BETWEEN_HANDS_MS',
  'LOBBY_GRACE_MS',
  'LEADERBOARD_REFRESH_MS',
  'TRUSTED_PROXY',
  'WS_MESSAGES_PER_SECOND',
  'WS_CONNECTS_PER_MINUTE',
  'SEATS_PER_MINUTE',
];

/** All limits on. Only that there are agents enough, with chips that last, and a place for them, is arranged. */
export function startDefault(t: Scope, env: Env = {}): Promise<ForkedPlatform> {
  const defaults = AS_STARTED.map((name) => [name, (settings[name] as { fallback: string }).fallback] as const);
  return ForkedPlatform.start(t, {
    ...Object.fromEntries(defaults),
    REGISTRATIONS_PER_MINUTE: 1_000_000,
    STARTING_CHIPS: 1_000_000,
    ...env,
  });
}

/** `scale`: how much of the full attack, 0 to 1. `prepared` resolves once the attacker has what it begins with. */
export function groundOf(platform: ForkedPlatform, scale: number): Ground & { prepared(): Promise<unknown> } {
  const preparing: Promise<unknown>[] = [];
  const many = (count: number) => Math.max(1, Math.round(count * scale));
  return {
    platform,
    target: { host: '127.0.0.1', port: platform.port, from: ATTACKER },
    met: new Met(),
    many,
    agents: (count) => {
      const accounts = registered(platform, count);
      preparing.push(accounts);
      return accounts;
    },
    prepares: (work) => {
      preparing.push(work);
      return work;
    },
    prepared: () => Promise.all(preparing),
  };
}

async function registered(platform: ForkedPlatform, count: number): Promise<Account[]> {
  const accounts: Account[] = [];
  const worker = async () => {
    while (accounts.length < count) {
      const place = accounts.push(undefined as never) - 1;
      accounts[place] = await platform.register('mallory');
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  return accounts;
}
