import type { Player, SocketId } from '../table/api.js';
import type { PoolEntry, Scope } from './ports.js';
import type { ConnectedAgent } from './connected-agents.js';

/** Changed preferences or profile of a player. */
export type PlayerChange = Partial<Pick<Player, 'autoRebuy' | 'isPro' | 'name' | 'avatarUrl' | 'publicProfileSlug'>>;

/**
 * The stage between join_lobby and a seat:
 *
 * - entering: the waiter's entry is being looked up.
 * - leaving: the waiter still gives up another seat.
 * - not_open: the pool has not opened.
 * - placing: another node may take the waiter.
 * - queued: match-making may take the waiter.
 * - bound: a table opens for the waiter, or the buy-in is under way.
 */
export type WaiterStage = 'entering' | 'leaving' | 'not_open' | 'placing' | 'queued' | 'bound';

export interface Waiter {
  readonly agentId: string;
  agent: ConnectedAgent;
  readonly arrival: number;
  /** buy_in of join_lobby. */
  readonly wish: number | null;
  /** Another node sent it here. */
  readonly handedOver: boolean;
  stage: WaiterStage;
  /** Since when it may be seated (ms). */
  since: number;
  entry: PoolEntry | null;
  /** Settled when queued, in chips. */
  buyIn: number;
  /** Table it is bound to. */
  table: string | null;
  /** The `sit` that was sent, with the socket it named. */
  sent: { ticket: number; socket: SocketId } | null;
  /** Changes since the `sit` was sent. */
  changes: PlayerChange | null;
}

/** The lobby: who waits, in order of arrival. */
export class Queue {
  readonly #waiters = new Map<string, Waiter>();
  #arrivals = 0;

  get size(): number {
    return this.#waiters.size;
  }

  /** The size of one scope's queue: players that wait for a competition keep no player from the season. */
  sizeOf(scope: Scope): number {
    let size = 0;
    for (const { agent } of this.#waiters.values()) if (agent.scope === scope) size++;
    return size;
  }

  add(agent: ConnectedAgent, wish: number | null, handedOver = false): Waiter {
    const { agentId } = agent.identity;
    const waiter: Waiter = {
      agentId,
      agent,
      arrival: ++this.#arrivals,
      wish,
      handedOver,
      stage: 'entering',
      since: 0,
      entry: null,
      buyIn: 0,
      table: null,
      sent: null,
      changes: null,
    };
    this.#waiters.set(agentId, waiter);
    return waiter;
  }

  of(agentId: string): Waiter | undefined {
    return this.#waiters.get(agentId);
  }

  /** Whether this very waiter still waits. */
  has(waiter: Waiter): boolean {
    return this.#waiters.get(waiter.agentId) === waiter;
  }

  delete(waiter: Waiter): void {
    if (this.has(waiter)) this.#waiters.delete(waiter.agentId);
  }

  all(): Waiter[] {
    return [...this.#waiters.values()];
  }

  /** From 1, among those of its scope: pro first, then by arrival, as match-making goes. */
  positionOf(waiter: Waiter): number {
    let position = 1;
    const pro = waiter.entry?.premium === true;
    for (const other of this.#waiters.values()) {
      if (other === waiter || other.stage === 'bound' || other.agent.scope !== waiter.agent.scope) continue;
      const otherPro = other.entry?.premium === true;
      if (otherPro === pro ? other.arrival < waiter.arrival : otherPro) position++;
    }
    return position;
  }
}

/** As its table is to know it. */
export function playerOf({ agent, entry }: Waiter): Player {
  const { agentId, name, avatarUrl, publicProfileSlug, isHouse } = agent.identity;
  return {
    agentId,
    name: entry?.displayName ?? name,
    avatarUrl,
    publicProfileSlug,
    isHouse,
    isPro: entry?.premium ?? false,
    autoRebuy: entry?.autoRebuy ?? false,
  };
}
