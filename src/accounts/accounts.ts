import { randomBytes, randomUUID } from 'node:crypto';
import { isIP } from 'node:net';
import type { LobbyControl, Identity } from '../lobby/index.js';
import { checksummed, WalletChanges, type CancelledChange } from '../credits/index.js';
import { announceToNobody, type Announce } from '../ops/notices.js';
import { Detail, HttpError } from '../protocol/rest/errors.js';
import { codeOf, transaction, type Database } from '../store/database.js';
import type { Leadership } from '../store/node/leadership.js';
import { changeProfile, type Renamed } from './change.js';
import { KeyCache } from './key-cache.js';
import { keyHash, newApiKey } from './keys.js';
import { takeInvite } from './invites.js';
import * as queries from './queries.js';
import { isReserved, requireFree } from './names.js';
import { UNIQUE_VIOLATION } from '../store/sqlstate.js';

/** Ends of keys are read again for a minute (admin/watch.ts). They are remembered for longer, by their own dates. */
const KEPT_MS = 600_000;
/** The most ends that are remembered. */
const MANY = 1000;

/**
 * The ends of agents' keys that this node has carried out. An end comes several times: by the request that asked for it,
 * by another node's notice, and by the rows.
 */
class EndedKeys {
  /** The time of notice, by agent and time of the end. */
  readonly #seen = new Map<string, number>();

  /** Whether this end is new. `at` is in epoch ms by the database's clock. */
  isNew(agentId: string, at: number): boolean {
    const key = `${agentId} ${at}`;
    if (this.#seen.has(key)) return false;
    if (this.#seen.size >= MANY) {
      for (const [other, ended] of this.#seen) if (ended < at - KEPT_MS) this.#seen.delete(other);
    }
    this.#seen.set(key, at);
    return true;
  }
}

export interface AccountsOptions {
  sql: Database;
  /** Called when a session must end, or a profile changed at a table. */
  lobby: Pick<LobbyControl, 'disconnect' | 'updatePlayer'>;
  /** Takes every e-mail address for verified. For development only. */
  emailVerified: boolean;
  /** Registration needs an invite code. */
  betaGate?: boolean;
  /** The pool for look-ups of unknown keys, so that strangers share no connection with others. Default: `sql`. */
  admission?: Database;
  /** Throws HttpError 400 for an address to which nothing may be paid; by default there is none. */
  refuseWallet?: (address: string) => Promise<void>;
  /** Reserves names elsewhere. None by default. */
  renamed?: Renamed;
  /** Changes of wallets; without a hold by default. */
  walletChanges?: WalletChanges;
  /** Tells the other nodes of a change. By default there are no others. */
  announce?: Announce;
  /** A steady clock in ms, for how long keys are remembered. */
  now?: () => number;
}

export interface Registration {
  name: string;
  email: string;
  wallet: string | null;
  avatarUrl: string | null;
  /** A sign-in link has proven the address. */
  emailVerified?: boolean;
  inviteCode?: string | null;
  /** The address of the request; null if unknown. */
  ip: string | null;
}

export interface NewAccount {
  agentId: string;
  /** Only the caller knows it from now on. */
  apiKey: string;
  wallet: string | null;
}

/** An agent with the fields that REST needs. */
export interface KeyHolder extends Identity {
  isAdmin: boolean;
  /** Its owner has proven the address. */
  emailVerified: boolean;
}

const CONFLICTS: Readonly<Record<string, string>> = {
  agents_email: Detail.emailTaken,
  agents_name: Detail.nameTaken,
};
const CACHED_KEYS = 50_000;
const CACHED_MS = 30_000;

/** Agents: registration, profile and keys. */
export class Accounts {
  readonly #keys: KeyCache;
  readonly #renamed: Renamed;
  readonly #walletChanges: WalletChanges;
  readonly #announce: Announce;
  readonly #endedKeys = new EndedKeys();

  constructor(private readonly options: AccountsOptions) {
    this.#walletChanges = options.walletChanges ?? new WalletChanges({ holdHours: 0, publicUrl: () => '' });
    this.#announce = options.announce ?? announceToNobody;
    this.#renamed = options.renamed ?? (() => Promise.resolve());
    const { sql, admission = sql } = options;
    this.#keys = new KeyCache((hash, known) => queries.selectHolder(known ? sql : admission, hash), {
      now: options.now ?? (() => performance.now()),
      maxAgeMs: CACHED_MS,
      size: CACHED_KEYS,
    });
  }

  /** Whether the key was valid at its last look-up. */
  knows(apiKey: string): boolean {
    const hash = keyHash(apiKey);
    return hash !== null && this.#keys.has(hash);
  }

  async authenticate(apiKey: string): Promise<KeyHolder | null> {
    const hash = keyHash(apiKey);
    return hash === null ? null : this.holderOf(hash);
  }

  /** The holder of the key with this hash (SHA-256), for another node; null for an unknown key. */
  async holderOf(hash: Buffer): Promise<KeyHolder | null> {
    const holder = await this.#keys.find(hash);
    if (holder === undefined) return null;
    return {
      agentId: holder.agent_id,
      name: holder.name,
      email: holder.email,
      emailVerified: holder.email_verified,
      avatarUrl: holder.avatar_url,
      publicProfileSlug: holder.shown_slug,
      isHouse: holder.is_house,
      isAdmin: holder.is_platform,
    };
  }

  /** Throws HttpError 400 (wallet), 403 (invite code) or 409 (taken, reserved). */
  async register(registration: Registration): Promise<NewAccount> {
    requireFree(registration.name);
    const agentId = randomUUID();
    const apiKey = newApiKey();
    const wallet = registration.wallet === null ? null : await this.#payable(registration.wallet);
    const emailVerified = this.options.emailVerified || registration.emailVerified === true;
    const { name, email, avatarUrl } = registration;
    const ip = isIP(registration.ip ?? '') === 0 ? null : registration.ip;
    const keyHash = hashOf(apiKey);
    const agent = { agentId, name, email, wallet, avatarUrl, ip, keyHash, isHouse: false, emailVerified };
    await saying409(unlessSlugTaken(() => this.#insert(agent, registration.inviteCode ?? null)));
    return { agentId, apiKey, wallet };
  }

  /** The address, checksummed. Throws HttpError 400. */
  async #payable(given: string): Promise<string> {
    const address = checksummed(given);
    await this.options.refuseWallet?.(address);
    return address;
  }

  async #insert(agent: queries.NewAgent, inviteCode: string | null): Promise<void> {
    const { sql, betaGate = false } = this.options;
    if (!betaGate) return queries.insertAgent(sql, agent);
    // In one transaction: a failed registration does not use the code up, and a code is never used too often.
    await transaction(sql, async (tx) => {
      const invited = inviteCode !== null && (await takeInvite(tx, inviteCode, agent.agentId));
      if (!invited) throw new HttpError(403, Detail.invalidInviteCode);
      await queries.insertAgent(tx, agent);
    });
  }

  /** An agent by its id, for an owner with another proof. Null for a banned agent. */
  async holder(agentId: string): Promise<Pick<KeyHolder, 'agentId' | 'name' | 'isAdmin'> | null> {
    const row = await queries.selectNotBanned(this.options.sql, agentId);
    return row === undefined ? null : { agentId, name: row.name, isAdmin: row.is_platform };
  }

  async profile(agentId: string): Promise<queries.AgentRow> {
    return existing(await queries.selectAgent(this.options.sql, agentId));
  }

  /**
   * Throws HttpError 400 (wallet), 409 (taken, reserved, or a withdrawal to the old wallet is in flight) or 429 (too many
   * changes of wallets).
   */
  async updateProfile(
    agentId: string,
    change: queries.ProfileChange,
    ip: string | null = null,
  ): Promise<queries.AgentRow> {
    if (change.name !== undefined) await this.#requireFreeFor(agentId, change.name);
    const wallet = change.wallet ? { wallet: await this.#payable(change.wallet) } : {};
    const context = { renamed: this.#renamed, walletChanges: this.#walletChanges, ip };
    return this.#changed(changeProfile(this.options.sql, agentId, { ...change, ...wallet }, context));
  }

  /**
   * Takes a change of a wallet back, by the token of the mail about it; `endKey`: the agent's key and its session end,
   * too. Null for a token that is not valid.
   */
  async cancelWalletChange(token: string, endKey: boolean): Promise<CancelledChange | null> {
    let endedAt: Date | null = null;
    const cancelled = await transaction(this.options.sql, async (tx) => {
      const cancelled = await this.#walletChanges.cancel(tx, token);
      endedAt =
        cancelled !== null && endKey ? await queries.updateKey(tx, cancelled.agentId, randomBytes(32), false) : null;
      return cancelled;
    });
    if (cancelled !== null && endedAt !== null) await this.keyEnded(cancelled.agentId, endedAt);
    return cancelled;
  }

  /** Throws HttpError 409 (name taken or reserved). Idempotent: further calls change the name only. */
  async completeOnboarding(
    agentId: string,
    choice: { name: string; mode: queries.ExecutionMode },
  ): Promise<queries.AgentRow> {
    await this.#requireFreeFor(agentId, choice.name);
    const onboarded = transaction(this.options.sql, async (tx) => {
      const row = await queries.updateOnboarding(tx, agentId, choice);
      await this.#renamed(tx, agentId);
      return row;
    });
    return this.#changed(onboarded);
  }

  /** The present holder keeps a reserved name, in its own spelling. */
  async #requireFreeFor(agentId: string, name: string): Promise<void> {
    if (isReserved(name) && (await this.profile(agentId)).name !== name) requireFree(name);
  }

  /** Hands the agent over to another runtime. Throws HttpError 409 when the generation is not the expected one. */
  async switchRuntime(agentId: string, runtime: queries.Runtime, expectedGeneration: number | null) {
    const row = await queries.updateRuntime(this.options.sql, agentId, { runtime, expectedGeneration });
    if (row === undefined) throw new HttpError(409, Detail.staleRuntime);
    return row;
  }

  /** A change of a profile. Keys and tables get it at once. */
  async #changed(change: Promise<queries.AgentRow | undefined>): Promise<queries.AgentRow> {
    const row = existing(await saying409(change));
    this.#update(row);
    void this.#announce({ kind: 'agent_changed', agentId: row.agent_id });
    return row;
  }

  /** Another node has changed the agent's profile. */
  async heardChanged(agentId: string): Promise<void> {
    this.#update(await this.profile(agentId));
  }

  #update(row: queries.AgentRow): void {
    this.#keys.drop(row.agent_id);
    this.options.lobby.updatePlayer(row.agent_id, {
      name: row.name,
      avatarUrl: row.avatar_url,
      publicProfileSlug: row.shown_slug,
    });
  }

  /**
   * Makes a new key. When this resolves, the old key is not valid and its session is over. `verified`: the asker has
   * proven the agent's address.
   */
  async regenerateKey(agentId: string, verified = false): Promise<string> {
    const apiKey = newApiKey();
    await this.keyEnded(agentId, await queries.updateKey(this.options.sql, agentId, hashOf(apiKey), verified));
    return apiKey;
  }

  /**
   * The nth house bot with a fresh key: created at first, later found by its name. A guest's agent that took the name
   * keeps it, and the bot gets another. Only the leader's: throws Displaced.
   */
  async houseBot(leadership: Leadership, n: number): Promise<{ agentId: string; name: string; apiKey: string }> {
    const apiKey = newApiKey();
    const hash = hashOf(apiKey);
    for (let attempt = 1; ; attempt++) {
      const name = attempt === 1 ? `house_${n}` : `house_${n}_${attempt}`;
      const { sql } = this.options;
      const known = await leadership.transaction(sql, (tx) => queries.updateHouseKey(tx, name, hash));
      const agentId = known ?? (await this.#newHouseBot(leadership, name, hash));
      if (agentId === null) continue;
      this.#keys.drop(agentId);
      return { agentId, name, apiKey };
    }
  }

  async #newHouseBot(leadership: Leadership, name: string, hash: Buffer): Promise<string | null> {
    const agentId = randomUUID();
    const email = `${name}@house.invalid`;
    const nobody = { wallet: null, avatarUrl: null, ip: null };
    try {
      const bot = { ...nobody, agentId, email, name, keyHash: hash, isHouse: true, emailVerified: true };
      const { sql } = this.options;
      await unlessSlugTaken(() => leadership.transaction(sql, (tx) => queries.insertAgent(tx, bot)));
      return agentId;
    } catch (error) {
      if (codeOf(error) === UNIQUE_VIOLATION) return null;
      throw error;
    }
  }

  /** Call it when this node has ended the agent's key. Resolves once no node accepts the key. */
  async keyEnded(agentId: string, at: Date): Promise<void> {
    this.expel(agentId, at);
    await this.#announce({ kind: 'key_ended', agentId, at: at.getTime() });
  }

  /**
   * Ends the agent's session and looks its key up anew, after an end of the key or a ban at this time. A second call
   * with the same time does nothing, because the agent may be back with another key.
   */
  expel(agentId: string, at: Date): void {
    if (!this.#endedKeys.isNew(agentId, at.getTime())) return;
    this.#keys.drop(agentId);
    this.options.lobby.disconnect(agentId);
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

/** Two registrations at once may choose one slug. The second attempt sees the taken slug and adds a suffix. */
async function unlessSlugTaken(insert: () => Promise<void>): Promise<void> {
  try {
    await insert();
  } catch (error) {
    if (!(error instanceof Error) || constraintOf(error) !== 'agents_slug') throw error;
    await insert();
  }
}

/** Turns a unique violation into a 409 that names the taken field. */
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
