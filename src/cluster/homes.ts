import { assert } from '../ops/assert.js';
import type { Database } from '../store/database.js';
import * as queries from './queries.js';

export interface HomesOptions {
  /** For answers that a client waits for. */
  sql: Database;
  background: Database;
  nodeId: string;
  /** Whether this node has anything of the agent: a session, a seat, a buy-in, an unsettled bust, an awaited rebuy. */
  isHere: (agentId: string) => boolean;
  /** Whether others may have ended this node, and claimed what it has. */
  maybeEnded: () => boolean;
  log: { warn(detail: object, message: string): void };
}

const SWEEP_MS = 1000;
/** Every so many sweeps all homes are stored again. */
const KEEP_SWEEPS = 30;

/**
 * The agents that live at this node. Principle (P) of docs/explanation/cluster.md: only the node that a row names frees it, or the
 * claim of an ended node.
 */
export class Homes {
  /** Agents with rows that name this node, as far as it knows. */
  readonly #held = new Set<string>();
  /** Held at the last sweep, and not here. */
  #absent = new Set<string>();
  /** Agents with rows that are being freed. An open of one of them waits, and asks again. */
  #freeing: { agents: ReadonlySet<string>; done: Promise<void> } | null = null;
  #timer: NodeJS.Timeout | undefined;
  #sweeps = 0;
  #away = false;
  #stopped = false;

  constructor(private readonly options: HomesOptions) {}

  /** Call it once the stored tables are claimed. */
  async start(): Promise<void> {
    const { background, nodeId } = this.options;
    assert(this.#timer === undefined, 'homes are swept once at a time', nodeId);
    this.took(await queries.ownHomes(background, nodeId));
    this.#plan();
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#timer);
    await this.#freeing?.done;
  }

  /** The agent's home. Null: this node, from now on where no other is. Rejects where the database is away. */
  async homeOf(agentId: string): Promise<string | null> {
    const { sql, nodeId, isHere, maybeEnded } = this.options;
    if (this.#freeing?.agents.has(agentId) === true) await this.#freeing.done;
    // An agent that is here needs no statement, also while the database is away.
    if (isHere(agentId) && !maybeEnded()) return null;
    const home = await queries.claimHome(sql, agentId, nodeId);
    if (home !== nodeId) return home;
    this.#held.add(agentId);
    this.#absent.delete(agentId);
    return null;
  }

  /** Makes another node the agent's home; false where this node no longer is, or the other has ended. */
  async give(agentId: string, node: string): Promise<boolean> {
    const { sql, nodeId } = this.options;
    assert(node !== nodeId, 'an agent is given to another node', agentId);
    const given = await queries.giveHome(sql, agentId, nodeId, node);
    if (given) this.#held.delete(agentId);
    return given;
  }

  /** A claim of tables has made this node their home. */
  took(agentIds: readonly string[]): void {
    for (const agentId of agentIds) this.#held.add(agentId);
  }

  #plan(): void {
    if (this.#stopped) return;
    this.#timer = setTimeout(() => void this.#sweep().then(() => this.#plan()), SWEEP_MS);
  }

  /** Frees agents that were not here at two sweeps, in one statement. */
  async #sweep(): Promise<void> {
    const { background, nodeId, isHere, log } = this.options;
    const absent = new Set([...this.#held].filter((agentId) => !isHere(agentId)));
    const agents = new Set([...absent].filter((agentId) => this.#absent.has(agentId)));
    this.#absent = absent;
    const keeps = ++this.#sweeps % KEEP_SWEEPS === 0;
    const sweeping = this.#freeing !== null;
    const done = (async () => {
      try {
        assert(!sweeping, 'one sweep frees homes at a time', nodeId);
        assert(agents.size <= this.#held.size, 'a node frees homes that it holds', agents.size);
        if (agents.size > 0) await queries.freeHomes(background, nodeId, [...agents]);
        for (const agentId of agents) this.#held.delete(agentId);
        if (keeps) await queries.keepHomes(background, nodeId, [...this.#held]);
        this.#away = false;
      } catch (error) {
        // The next sweep frees them.
        if (!this.#away)
          log.warn({ error: (error as Error).message }, 'homes cannot be freed while the database is away');
        this.#away = true;
      }
    })();
    this.#freeing = { agents, done };
    await done;
    this.#freeing = null;
  }
}
