import { createHash, randomBytes } from 'node:crypto';
import type { Clock, Identity, LobbyLog } from '../lobby/index.js';
import { announceToNobody, type Announce } from '../ops/notices.js';
import type { Database, Transaction } from '../store/database.js';
import type { Leadership } from '../store/node/leadership.js';
import { TokenLease } from './lease.js';
import * as queries from './token-queries.js';

export interface TokensOptions {
  sql: Database;
  leadership: Leadership;
  /** Where tokens are looked up that open no socket yet: strangers share no connection with others. Default: `sql`. */
  admission?: Database;
  clock: Clock;
  minutes: number;
  log: Pick<LobbyLog, 'warn'>;
  /** Tells the other nodes of a change; by default there are none. */
  announce?: Announce;
}

/** A token that was just made; its text is known to nobody else. */
export interface IssuedToken {
  token: string;
  seasonId: string;
  expiresAt: Date;
}

export interface TokenHolder {
  agentId: string;
  /** The generation of the token's runtime. */
  generation: number;
}

const RETRY_MS = 1000;

/**
 * Bot tokens: what opens a socket in the place of the API key, for a while, in one season and for one runtime. The end
 * of a token ends its sockets at once. The stored state decides on admission, also after a restart.
 */
export class BotTokens {
  /** By agent, then by hash. */
  readonly #leases = new Map<string, Map<string, TokenLease>>();
  /** Hashes of the tokens that were met. */
  readonly #met = new Set<string>();
  /** Hashes of tokens that we gave to bots of our own, by agent. */
  readonly #own = new Map<string, string>();
  readonly #ownHashes = new Set<string>();
  #version = 0;

  constructor(private readonly options: TokensOptions) {}

  /** The holder of the token; null without one, `expired` where its time is over or something ended it. */
  authenticate(token: string): Promise<Identity | 'expired' | null> {
    return this.holderOf(hashOf(token));
  }

  /** The same by the hash (SHA-256), as another node was shown the token. */
  async holderOf(hash: Buffer): Promise<Identity | 'expired' | null> {
    const { sql, admission = sql } = this.options;
    const from = this.#knows(key(hash)) ? sql : admission;
    for (;;) {
      const version = this.#version;
      const row = await queries.selectToken(from, hash);
      // A token that ended meanwhile could not end the lease that is made here.
      if (version !== this.#version) continue;
      if (row === undefined) return null;
      if (!row.good || row.expires_at.getTime() <= this.options.clock.now()) return 'expired';
      return {
        agentId: row.agent_id,
        name: row.name,
        email: row.email,
        avatarUrl: row.avatar_url,
        publicProfileSlug: row.shown_slug,
        isHouse: false,
        lease: this.#leaseOf(key(hash), row),
      };
    }
  }

  /** A token within the caller's transaction; null when the runtime is of another generation, or no season is active. */
  async issue(tx: Transaction, holder: TokenHolder): Promise<IssuedToken | null> {
    return (await this.#issue(tx, [holder])).get(holder.agentId) ?? null;
  }

  /**
   * Tokens for bots of our own, by agent. Their former tokens end. An agent without a new one must not play. Only the
   * leader's: throws Displaced.
   */
  async issueOwn(holders: readonly TokenHolder[]): Promise<Map<string, IssuedToken>> {
    const { sql, leadership } = this.options;
    const issued = await leadership.transaction(sql, (tx) => this.#issue(tx, holders));
    for (const { agentId } of holders) {
      const hash = issued.get(agentId) && key(hashOf(issued.get(agentId)!.token));
      this.#setOwn(agentId, hash);
      this.endOthers(agentId, issued.get(agentId)?.token);
    }
    return issued;
  }

  /** Whether this is a token that a bot of ours connects with. */
  isOwn(token: string): boolean {
    return this.#ownHashes.has(key(hashOf(token)));
  }

  /** Whether the token has opened a socket, or is one of ours, and has not ended. */
  knows(token: string): boolean {
    return this.#knows(key(hashOf(token)));
  }

  #knows(hash: string): boolean {
    return this.#ownHashes.has(hash) || this.#met.has(hash);
  }

  /** Lets the tokens of our own bots live on, where they are still good. Only the leader's: throws Displaced. */
  async extend(agents: readonly string[]): Promise<void> {
    const { sql, leadership } = this.options;
    const until = this.#end();
    const extended = await queries.extendTokens(sql, leadership, agents, until);
    for (const agentId of extended) {
      for (const lease of this.#leases.get(agentId)?.values() ?? []) lease.extend(until.getTime());
    }
  }

  /** Tokens of the agent, or of any, may have ended at other nodes: their sockets end here. */
  async refresh(agentId?: string): Promise<void> {
    const agents = agentId === undefined ? this.#leases.keys() : [agentId];
    const leases = new Map([...agents].flatMap((agentId) => [...(this.#leases.get(agentId) ?? [])]));
    if (leases.size === 0) return;
    const good = await queries.selectGood(
      this.options.sql,
      [...leases.keys()].map((hash) => Buffer.from(hash, 'latin1')),
    );
    for (const { hash, until } of good) {
      leases.get(key(hash))?.extend(until.getTime());
      leases.delete(key(hash));
    }
    for (const lease of leases.values()) lease.end();
  }

  /** Tells the other nodes that some tokens of the agent have ended. */
  async announceEnd(agentId: string): Promise<void> {
    const { announce = announceToNobody } = this.options;
    await announce({ kind: 'token_ended', agentId });
  }

  /** Ends the agent's tokens but this one. */
  endOthers(agentId: string, token?: string): void {
    const kept = token === undefined ? null : key(hashOf(token));
    this.#endWhere(agentId, (_, hash) => hash !== kept);
  }

  /** Ends the agent's tokens of runtimes before this generation. */
  endBefore(agentId: string, generation: number): void {
    this.#endWhere(agentId, ({ grant }) => grant.generation < generation);
  }

  /** Ends the tokens of all seasons but this one. */
  endSeasonsBut(seasonId: string): void {
    for (const agentId of [...this.#leases.keys()]) {
      this.#endWhere(agentId, ({ grant }) => grant.seasonId !== seasonId);
    }
  }

  /** Whether somebody is connected by a token of this runtime. */
  isUsed(agentId: string, generation: number): boolean {
    const leases = this.#leases.get(agentId)?.values() ?? [];
    return [...leases].some(({ used, grant }) => used && grant.generation === generation);
  }

  async #issue(tx: Transaction, holders: readonly TokenHolder[]): Promise<Map<string, IssuedToken>> {
    const texts = new Map(holders.map(({ agentId }) => [agentId, `bt_${randomBytes(32).toString('base64url')}`]));
    const expiresAt = this.#end();
    const tokens = holders.map((holder) => ({ ...holder, hash: hashOf(texts.get(holder.agentId)!) }));
    const made = await queries.insertTokens(tx, tokens, expiresAt);
    return new Map(
      made.map(({ agent_id, season_id: seasonId }) => [agent_id, { token: texts.get(agent_id)!, seasonId, expiresAt }]),
    );
  }

  #end(): Date {
    return new Date(this.options.clock.now() + this.options.minutes * 60_000);
  }

  #setOwn(agentId: string, hash: string | undefined): void {
    const before = this.#own.get(agentId);
    if (before !== undefined) this.#ownHashes.delete(before);
    if (hash === undefined) this.#own.delete(agentId);
    else {
      this.#own.set(agentId, hash);
      this.#ownHashes.add(hash);
    }
  }

  #leaseOf(hash: string, row: queries.TokenRow): TokenLease {
    const { agent_id: agentId, season_id: seasonId, generation, expires_at: until } = row;
    const ofAgent = this.#leases.get(agentId) ?? new Map<string, TokenLease>();
    this.#leases.set(agentId, ofAgent);
    let lease = ofAgent.get(hash);
    if (lease === undefined) {
      lease = new TokenLease({ agentId, seasonId, generation }, this.options.clock, until.getTime(), {
        due: () => void this.#due(agentId, hash),
        ended: () => this.#forget(agentId, hash),
      });
      ofAgent.set(hash, lease);
      this.#met.add(hash);
    }
    return lease;
  }

  /** A token's time has come by what is known here: the leader may have given it another end. */
  async #due(agentId: string, hash: string): Promise<void> {
    const { sql, clock, log } = this.options;
    const lease = () => this.#leases.get(agentId)?.get(hash);
    try {
      const [token] = await queries.selectGood(sql, [Buffer.from(hash, 'latin1')]);
      if (token === undefined || token.until.getTime() <= clock.now()) lease()?.end();
      else lease()?.extend(token.until.getTime());
    } catch (error) {
      log.warn({ agent_id: agentId, err: error }, 'the end of a bot token could not be read; trying again');
      lease()?.extend(clock.now() + RETRY_MS);
    }
  }

  #forget(agentId: string, hash: string): void {
    const ofAgent = this.#leases.get(agentId);
    ofAgent?.delete(hash);
    this.#met.delete(hash);
    if (ofAgent?.size === 0) this.#leases.delete(agentId);
  }

  #endWhere(agentId: string, ends: (lease: TokenLease, hash: string) => boolean): void {
    this.#version++;
    for (const [hash, lease] of [...(this.#leases.get(agentId) ?? [])]) if (ends(lease, hash)) lease.end();
  }
}

const hashOf = (token: string): Buffer => createHash('sha256').update(token).digest();
const key = (hash: Buffer): string => hash.toString('latin1');
