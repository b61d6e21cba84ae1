import { updateRuntime, type Runtime, type RuntimeChange } from '../accounts/index.js';
import type { Clock, LobbyLog } from '../lobby/index.js';
import { utc } from '../protocol/common.js';
import { Detail, HttpError } from '../protocol/rest/errors.js';
import type { BotStatus, BotStrategy } from '../protocol/rest/hosted.js';
import { transaction, type Database, type Transaction } from '../store/database.js';
import { Displaced, type Leadership } from '../store/node/leadership.js';
import type { Fleet, HostedBot } from './fleet.js';
import * as queries from './queries.js';
import type { BotRow } from './queries.js';
import { planOf, STANDARD } from './strategy.js';
import type { BotTokens, IssuedToken } from './tokens.js';

export interface DeploymentsOptions {
  sql: Database;
  leadership: Leadership;
  tokens: BotTokens;
  fleet: Fleet;
  clock: Clock;
  log: LobbyLog;
  /** Hosted bots at most. */
  most: { ofOwner: number; inAll: number };
  /** The season being played. */
  season(): { seasonId: string } | null;
}

interface Change extends RuntimeChange {
  strategy?: BotStrategy;
  /** Why it is made, where its owner is to read that: there as soon as the change is. */
  error?: string;
}

interface Changed {
  runtime: Runtime;
  generation: number;
  before: Pick<BotRow, 'runtime' | 'runtime_generation'>;
  token: IssuedToken | null;
  /** When it was made. */
  at: Date;
}

type Within = (work: (tx: Transaction) => Promise<Changed>) => Promise<Changed>;

/** A bot that is stopped makes room. */
const RETRY_LATER = { 'retry-after': '60' };

const TAKEN_OVER = 'Another socket of the agent has taken over';

/**
 * The runtime of an agent. It changes only here, and the deployment with it. A change is one transaction, and then what
 * follows from it in this process; those of one agent come one after the other.
 */
export class Deployments {
  readonly #busy = new Map<string, Promise<unknown>>();

  constructor(private readonly options: DeploymentsOptions) {}

  /** Takes up what is deployed, at the start of the process. */
  async recover(): Promise<void> {
    for (const row of await queries.selectHosted(this.options.sql)) this.options.fleet.play(hostedBot(row));
  }

  bot(agentId: string): Promise<BotRow> {
    return queries.selectBot(this.options.sql, agentId).then(existing);
  }

  async saveStrategy(agentId: string, strategy: BotStrategy): Promise<BotRow> {
    const { sql, fleet } = this.options;
    await queries.upsertStrategy(sql, agentId, strategy);
    fleet.plan(agentId, planOf(strategy));
    return this.bot(agentId);
  }

  /** Throws HttpError 404 without an active season. */
  async deploy(agentId: string, mode: 'browser' | 'hosted', strategy?: BotStrategy): Promise<Changed> {
    if (this.options.season() === null) throw new HttpError(404, Detail.noActiveSeason);
    const change = { runtime: mode, expectedGeneration: null, anew: true, ...(strategy && { strategy }) };
    return this.#change(agentId, change);
  }

  async stop(agentId: string): Promise<void> {
    await this.#change(agentId, { runtime: 'stopped', expectedGeneration: null });
  }

  /** Throws HttpError 409 where the bot is in no browser, 404 without an active season. */
  async refresh(agentId: string): Promise<IssuedToken> {
    const { sql, tokens } = this.options;
    return this.#inTurn(agentId, async () => {
      const row = await this.bot(agentId);
      if (row.runtime !== 'browser') throw new HttpError(409, Detail.notInBrowser);
      const holder = { agentId, generation: row.runtime_generation };
      const token = await transaction(sql, (tx) => tokens.issue(tx, holder));
      if (token === null) throw new HttpError(404, Detail.noActiveSeason);
      tokens.endOthers(agentId, token.token);
      await tokens.announceEnd(agentId);
      return token;
    });
  }

  /** Implements /me/runtime/switch. Throws HttpError 409 when the generation is not the expected one. */
  async switchRuntime(agentId: string, runtime: Runtime, expectedGeneration: number | null) {
    const { generation } = await this.#change(agentId, { runtime, expectedGeneration });
    return { runtime, runtime_generation: generation };
  }

  /** The agent's owner has connected with the API key: that is who plays now. */
  async takenOver({ agentId, generation }: HostedBot): Promise<void> {
    const { sql, leadership } = this.options;
    const change: Change = { runtime: 'self_hosted', expectedGeneration: generation, error: TAKEN_OVER };
    try {
      await this.#change(agentId, change, (work) => leadership.transaction(sql, work));
    } catch (error) {
      // Changed again meanwhile: it is not this bot's any more; nor is it ours where another process leads.
      if (!(error instanceof HttpError || error instanceof Displaced))
        this.options.log.error({ agent_id: agentId, err: error }, 'bot not stopped');
    }
  }

  /** Notes what went wrong. */
  failed({ agentId, generation }: HostedBot, error: string): void {
    const { sql, leadership, log } = this.options;
    log.warn({ agent_id: agentId, reason: error }, 'a hosted bot has an error');
    queries.updateLastError(sql, leadership, { agentId, generation, error }).catch((cause: unknown) => {
      if (!(cause instanceof Displaced))
        log.warn({ agent_id: agentId, err: cause }, 'the error of a hosted bot could not be stored');
    });
  }

  statusOf({ agent_id: agentId, runtime, runtime_generation: generation, ...row }: BotRow): BotStatus {
    const deployed = row.deployed_at !== null && (runtime === 'browser' || runtime === 'hosted');
    return {
      state: deployed ? this.#stateOf(agentId, runtime, generation) : 'stopped',
      mode: deployed ? runtime : null,
      deployed_at: row.deployed_at && utc(row.deployed_at),
      hands_played: row.hands_played,
      last_error: row.last_error,
    };
  }

  #stateOf(agentId: string, runtime: 'browser' | 'hosted', generation: number): BotStatus['state'] {
    const { fleet, tokens } = this.options;
    if (runtime === 'hosted') return fleet.stateOf(agentId) ?? 'starting';
    return tokens.isUsed(agentId, generation) ? 'running' : 'starting';
  }

  /** Asked for by whoever may, or, `within` a transaction of the leader's, done by itself. */
  #change(
    agentId: string,
    change: Change,
    within: Within = (work) => transaction(this.options.sql, work),
  ): Promise<Changed> {
    return this.#inTurn(agentId, async () => {
      const changed = await within((tx) => this.#store(tx, agentId, change));
      await this.#follow(agentId, changed);
      return changed;
    });
  }

  async #store(tx: Transaction, agentId: string, { strategy, error, ...change }: Change): Promise<Changed> {
    const before = existing(await queries.selectBot(tx, agentId));
    if (change.runtime === 'hosted' && before.runtime !== 'hosted') await this.#requireRoom(tx, agentId);
    const after = await updateRuntime(tx, agentId, change);
    if (after === undefined) throw new HttpError(409, Detail.staleRuntime);
    const { runtime, runtime_generation: generation } = after;
    if (strategy !== undefined) await queries.upsertStrategy(tx, agentId, strategy);
    const begins = generation !== before.runtime_generation && (runtime === 'browser' || runtime === 'hosted');
    const at = new Date(this.options.clock.now());
    if (begins) await queries.upsertDeployment(tx, agentId, at);
    if (error !== undefined) await queries.setLastError(tx, agentId, error);
    const holder = { agentId, generation };
    const token = begins && runtime === 'browser' ? await this.options.tokens.issue(tx, holder) : null;
    return { runtime, generation, before, token, at };
  }

  /** Held until the transaction ends: of two that ask at once the second counts the first. */
  async #requireRoom(tx: Transaction, agentId: string): Promise<void> {
    const { most } = this.options;
    const { ofOwner, inAll } = await queries.countHosted(tx, agentId);
    if (ofOwner >= most.ofOwner) throw new HttpError(429, Detail.hostedOfOwner, RETRY_LATER);
    if (inAll >= most.inAll) throw new HttpError(503, Detail.hostedInAll, RETRY_LATER);
  }

  /** Applies a change to the bots that play now. */
  async #follow(agentId: string, { runtime, generation, before }: Changed): Promise<void> {
    const { fleet, tokens, log } = this.options;
    if (generation === before.runtime_generation) return;
    if (runtime === 'stopped' && before.runtime === 'hosted') {
      // The last thing it does is to leave its table; nobody else gets in by its token.
      const left = fleet.leave(agentId).then(() => {
        tokens.endBefore(agentId, generation);
        return tokens.announceEnd(agentId);
      });
      left.catch((error: unknown) => log.error({ agent_id: agentId, err: error }, 'bot did not leave'));
      return;
    }
    if (before.runtime === 'hosted' && runtime !== 'hosted') fleet.drop(agentId);
    tokens.endBefore(agentId, generation);
    await tokens.announceEnd(agentId);
    if (runtime === 'hosted') fleet.play(hostedBot(await this.bot(agentId)));
  }

  async #inTurn<T>(agentId: string, work: () => Promise<T>): Promise<T> {
    const before = this.#busy.get(agentId);
    const mine = (before ?? Promise.resolve()).then(work, work);
    this.#busy.set(agentId, mine);
    try {
      return await mine;
    } finally {
      if (this.#busy.get(agentId) === mine) this.#busy.delete(agentId);
    }
  }
}

function hostedBot(row: Pick<BotRow, 'agent_id' | 'runtime_generation' | 'strategy'>): HostedBot {
  const { agent_id: agentId, runtime_generation: generation, strategy } = row;
  return { agentId, generation, plan: planOf(strategy ?? STANDARD) };
}

/** The agent of a valid key exists: agents are never deleted. */
function existing<T>(row: T | undefined): T {
  if (row === undefined) throw new Error('an authenticated agent has no row');
  return row;
}
