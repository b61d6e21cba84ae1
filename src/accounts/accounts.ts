import { randomUUID } from 'node:crypto';
import { isIP } from 'node:net';
import type { Authentication, Floor, Identity } from '../lobby/index.js';
import { Detail, HttpError } from '../protocol/rest/errors.js';
import { codeOf, transaction, type Database } from '../store/database.js';
import { changeProfile } from './change.js';
import { KeyCache } from './key-cache.js';
import { keyHash, newApiKey } from './keys.js';
import { takeInvite } from './invites.js';
import * as queries from './queries.js';
import { checksummed } from './rules.js';

export interface AccountsOptions {
  sql: Database;
  /** Told when a session must end, or a profile changed at a table. */
  floor: Pick<Floor, 'disconnect' | 'updatePlayer'>;
  /** Counts the e-mail address as verified from the start: development only. */
  emailVerified: boolean;
  /** Nobody registers without an invite code. */
  betaGate?: boolean;
  now?: () => number;
}

export interface Registration {
  name: string;
  email: string;
  wallet: string | null;
  avatarUrl: string | null;
  /** The address was proven by a sign-in link. */
  emailVerified?: boolean;
  inviteCode?: string | null;
  /** Where the request came from; null when it is not known. */
  ip: string | null;
}

export interface NewAccount {
  agentId: string;
  /** Known to nobody but the caller from now on. */
  apiKey: string;
  wallet: string | null;
}

/** An agent with what REST needs to know of it. */
export interface Holder extends Identity {
  isAdmin: boolean;
}

const UNIQUE_VIOLATION = '23505';
const CONFLICTS: Readonly<Record<string, string>> = {
  agents_email: Detail.emailTaken,
  agents_name: Detail.nameTaken,
  agents_wallet: Detail.walletTaken,
};
const CACHED_KEYS = 50_000;
const CACHED_MS = 30_000;

/** Agents: registration, profile, and the keys by which they are known. */
export class Accounts implements Authentication {
  readonly #keys: KeyCache;

  constructor(private readonly options: AccountsOptions) {
    this.#keys = new KeyCache((hash) => queries.selectHolder(options.sql, hash), {
      now: options.now ?? Date.now,
      maxAgeMs: CACHED_MS,
      size: CACHED_KEYS,
    });
  }

  async authenticate(apiKey: string): Promise<Holder | null> {
    const hash = keyHash(apiKey);
    const holder = hash === null ? undefined : await this.#keys.find(hash);
    if (holder === undefined) return null;
    return {
      agentId: holder.agent_id,
      name: holder.name,
      email: holder.email,
      avatarUrl: holder.avatar_url,
      publicProfileSlug: holder.public_profile_slug,
      isHouse: holder.is_house,
      isAdmin: holder.is_platform,
    };
  }

  /** Throws HttpError 400 (wallet), 403 (invite code) or 409 (taken). */
  async register(registration: Registration): Promise<NewAccount> {
    const agentId = randomUUID();
    const apiKey = newApiKey();
    const wallet = registration.wallet === null ? null : checksummed(registration.wallet);
    const emailVerified = this.options.emailVerified || registration.emailVerified === true;
    const { name, email, avatarUrl } = registration;
    const ip = isIP(registration.ip ?? '') === 0 ? null : registration.ip;
    const keyHash = hashOf(apiKey);
    const agent = { agentId, name, email, wallet, avatarUrl, ip, keyHash, isHouse: false, emailVerified };
    await saying409(this.#insert(agent, registration.inviteCode ?? null));
    return { agentId, apiKey, wallet };
  }

  async #insert(agent: queries.NewAgent, inviteCode: string | null): Promise<void> {
    const { sql, betaGate = false } = this.options;
    if (!betaGate) return queries.insertAgent(sql, agent);
    // In one transaction: a code is not used up by a registration that fails, and never used too often.
    await transaction(sql, async (tx) => {
      const invited = inviteCode !== null && (await takeInvite(tx, inviteCode, agent.agentId));
      if (!invited) throw new HttpError(403, Detail.invalidInviteCode);
      await queries.insertAgent(tx, agent);
    });
  }

  async profile(agentId: string): Promise<queries.AgentRow> {
    return existing(await queries.selectAgent(this.options.sql, agentId));
  }

  /** Throws HttpError 400 (wallet) or 409 (taken, or a withdrawal to the old wallet is in flight). */
  async updateProfile(agentId: string, change: queries.ProfileChange): Promise<queries.AgentRow> {
    const wallet = change.wallet ? { wallet: checksummed(change.wallet) } : {};
    return this.#changed(changeProfile(this.options.sql, agentId, { ...change, ...wallet }));
  }

  /** Throws HttpError 409 (name taken). Idempotent: further calls change the name only. */
  async completeOnboarding(
    agentId: string,
    choice: { name: string; mode: queries.ExecutionMode },
  ): Promise<queries.AgentRow> {
    return this.#changed(queries.updateOnboarding(this.options.sql, agentId, choice));
  }

  /** Hands the agent over to another runtime. Throws HttpError 409 when the generation is not the expected one. */
  async switchRuntime(agentId: string, runtime: queries.Runtime, expectedGeneration: number | null) {
    const row = await queries.updateRuntime(this.options.sql, agentId, { runtime, expectedGeneration });
    if (row === undefined) throw new HttpError(409, Detail.staleRuntime);
    return row;
  }

  /** A change of a profile, of which keys and tables learn at once. */
  async #changed(change: Promise<queries.AgentRow | undefined>): Promise<queries.AgentRow> {
    const row = existing(await saying409(change));
    this.#keys.drop(row.agent_id);
    this.options.floor.updatePlayer(row.agent_id, { name: row.name, avatarUrl: row.avatar_url });
    return row;
  }

  /** A new key; the old one is dead when this resolves, and its session is over. */
  async regenerateKey(agentId: string): Promise<string> {
    const apiKey = newApiKey();
    await queries.updateKey(this.options.sql, agentId, hashOf(apiKey));
    this.expel(agentId);
    return apiKey;
  }

  /** Bans an agent (its key finds nobody any more, its session ends) or lets it in again; false when it is unknown. */
  async setBanned(agentId: string, banned: boolean): Promise<boolean> {
    const known = await queries.updateBan(this.options.sql, agentId, banned);
    if (known && banned) this.expel(agentId);
    else this.#keys.drop(agentId);
    return known;
  }

  /**
   * The nth house bot with a fresh key: created at first, later found by its name. A guest's agent that took the name
   * keeps it, and the bot gets another.
   */
  async houseBot(n: number): Promise<{ agentId: string; name: string; apiKey: string }> {
    const apiKey = newApiKey();
    const hash = hashOf(apiKey);
    for (let attempt = 1; ; attempt++) {
      const name = attempt === 1 ? `house_${n}` : `house_${n}_${attempt}`;
      const agentId =
        (await queries.updateHouseKey(this.options.sql, name, hash)) ?? (await this.#newHouseBot(name, hash));
      if (agentId === null) continue;
      this.#keys.drop(agentId);
      return { agentId, name, apiKey };
    }
  }

  async #newHouseBot(name: string, hash: Buffer): Promise<string | null> {
    const agentId = randomUUID();
    const email = `${name}@house.invalid`;
    const nobody = { wallet: null, avatarUrl: null, ip: null };
    try {
      const bot = { ...nobody, agentId, email, name, keyHash: hash, isHouse: true, emailVerified: true };
      await queries.insertAgent(this.options.sql, bot);
      return agentId;
    } catch (error) {
      if (codeOf(error) === UNIQUE_VIOLATION) return null;
      throw error;
    }
  }

  /** Ends the agent's session and looks its key up anew: it is no longer good, or no longer the agent's. */
  expel(agentId: string): void {
    this.#keys.drop(agentId);
    this.options.floor.disconnect(agentId);
  }
}

function hashOf(apiKey: string): Buffer {
  const hash = keyHash(apiKey);
  if (hash === null) throw new Error('a key of our own making has the wrong form');
  return hash;
}

/** The agent of a valid key exists: agents are never deleted. */
function existing<T>(row: T | undefined): T {
  if (row === undefined) throw new Error('an authenticated agent has no row');
  return row;
}

/** Turns a unique violation into the 409 that names what is taken. */
async function saying409<T>(query: Promise<T>): Promise<T> {
  try {
    return await query;
  } catch (error) {
    const index = codeOf(error) === UNIQUE_VIOLATION && error instanceof Error ? constraintOf(error) : '';
    const detail = CONFLICTS[index];
    throw detail === undefined ? error : new HttpError(409, detail);
  }
}

const constraintOf = (error: Error) =>
  'constraint_name' in error && typeof error.constraint_name === 'string' ? error.constraint_name : '';
