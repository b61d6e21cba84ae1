import type { SocketId } from '../table/api.js';
import type { Identity, Scope } from './ports.js';

/** One connected agent. A newer connection of the same agent makes a new one. */
export interface ConnectedAgent {
  readonly socket: SocketId;
  identity: Identity;
  /** See owners.ts. */
  readonly owner: readonly string[];
  readonly scope: Scope;
  /** The node that its client is connected to; null: this one. */
  readonly edge: string | null;
  /** The answer to the client's last question is pending: the next question waits for it. */
  answering: Promise<void>;
  /** How many of its questions are not answered yet. */
  unanswered: number;
  /** It was told of a seat, or has read of one: should that be gone untold, its client would wait for ever. */
  knowsOfSeat: boolean;
  /** Lets go of the lease that the agent is connected by, if there is one. */
  readonly release?: (() => void) | undefined;
}

/** The connected agents, each once. */
export class ConnectedAgents {
  readonly #bySocket = new Map<SocketId, ConnectedAgent>();
  readonly #byAgent = new Map<string, ConnectedAgent>();

  get size(): number {
    return this.#byAgent.size;
  }

  /** Adds one; returns the one it takes over from, which is gone from here at once. */
  open(agent: ConnectedAgent): ConnectedAgent | undefined {
    const { agentId } = agent.identity;
    const older = this.#byAgent.get(agentId);
    if (older !== undefined) this.#bySocket.delete(older.socket);
    this.#byAgent.set(agentId, agent);
    this.#bySocket.set(agent.socket, agent);
    return older;
  }

  /** Removes the agent of a socket; undefined when it was none, or no longer its agent's. */
  close(socket: SocketId): ConnectedAgent | undefined {
    const agent = this.#bySocket.get(socket);
    if (agent === undefined) return undefined;
    this.#bySocket.delete(socket);
    this.#byAgent.delete(agent.identity.agentId);
    return agent;
  }

  at(socket: SocketId): ConnectedAgent | undefined {
    return this.#bySocket.get(socket);
  }

  of(agentId: string): ConnectedAgent | undefined {
    return this.#byAgent.get(agentId);
  }

  all(): IterableIterator<ConnectedAgent> {
    return this.#byAgent.values();
  }
}
