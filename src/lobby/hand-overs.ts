import type { ConnectedAgent } from './connected-agents.js';
import type { ConductMemory } from './conduct.js';
import type { Matchmaking } from './matchmaking.js';
import type { KnownPace } from './paces.js';
import type { OtherNodes } from './ports.js';
import type { Waiter } from './queue.js';
import type { LobbyState } from './state.js';

/** A join that could not be sent to another node is tried again after this. */
const RESEND_MS = 1000;

/** The memory that follows a session to another node. */
export interface LobbyMemory {
  conduct: ConductMemory;
  pace: KnownPace | null;
}

/** Joins that belong to another node go there with their sessions (docs/explanation/cluster.md, "Where players meet"). */
export class HandOvers {
  /** By agent: its session is on its way to another node. */
  readonly #leaving = new Map<string, Promise<void>>();

  constructor(
    private readonly state: LobbyState,
    private readonly matchmaking: Matchmaking,
  ) {
    matchmaking.onPlan((now) => this.#plan(now));
  }

  /** A question of the agent is answered: a join may go to another node now. */
  answered({ identity }: ConnectedAgent): void {
    if (this.state.queue.of(identity.agentId)?.stage === 'placing') this.matchmaking.touch();
  }

  /**
   * Sends each join that belongs to another node there, with its session; returns when one of the others may have to go
   * (ms). A join waits while its place is not known.
   */
  #plan(now: number): number {
    const { queue, options } = this.state;
    const { others } = options;
    let again = Infinity;
    if (others === undefined) return again;
    for (const waiter of queue.all()) {
      const { stage, entry, agent } = waiter;
      if ((stage !== 'queued' && stage !== 'placing') || entry === null || this.#leaving.has(waiter.agentId)) continue;
      const { duplicate } = options.rulesOf(entry.poolId).table;
      const place = others.placeOf({
        poolId: entry.poolId,
        gathers: duplicate !== null || agent.identity.isHouse,
        edge: agent.edge ?? others.nodeId,
        handedOver: waiter.handedOver,
        waitedMs: Math.max(0, now - waiter.since),
      });
      waiter.stage = place.at === 'here' ? 'queued' : 'placing';
      if (place.at === 'here' && place.forMs !== undefined) again = Math.min(again, now + place.forMs);
      if (place.at === 'node' && agent.unanswered === 0) this.#send(waiter, place.node, others);
    }
    return again;
  }

  /** Resolves once a session of the agent that goes to another node has gone, or stays. Null: none goes. */
  leaving(agentId: string): Promise<void> | null {
    return this.#leaving.get(agentId) ?? null;
  }

  #send({ agent, agentId }: Waiter, node: string, others: OtherNodes): void {
    const left = this.#handOver(agent, node, others).finally(() => this.#leaving.delete(agentId));
    this.#leaving.set(agentId, left);
  }

  /**
   * Once the home is given, the session goes, with the join that it has then. Where it is not given the join waits here,
   * and its place is asked anew.
   */
  async #handOver(agent: ConnectedAgent, node: string, others: OtherNodes): Promise<void> {
    const { queue, agents, options, conduct, paces } = this.state;
    const { agentId, name } = agent.identity;
    const given = await others.give(agentId, node).catch((error: unknown) => {
      options.log.warn(
        { agent_id: agentId, error: (error as Error).message },
        'a join could not be passed to another node',
      );
      return false;
    });
    if (!given) return void options.clock.after(RESEND_MS, () => this.matchmaking.touch());
    // Questions that came meanwhile are answered here.
    while (this.#isCurrent(agent) && agent.unanswered > 0) await agent.answering;
    if (!this.#isCurrent(agent)) return;
    const waiter = queue.of(agentId);
    const waiting = waiter === undefined ? null : { buyIn: waiter.wish, since: waiter.since, greeted: true };
    if (waiter !== undefined) queue.delete(waiter);
    agents.close(agent.socket);
    agent.release?.();
    const memory: LobbyMemory = { conduct: conduct.memoryOf(agentId), pace: paces.memoryOf(agentId) };
    options.sockets.relay(agent.socket, node, { agentId, name, waiting, memory });
  }

  #isCurrent(agent: ConnectedAgent): boolean {
    return this.state.agents.at(agent.socket) === agent;
  }
}
