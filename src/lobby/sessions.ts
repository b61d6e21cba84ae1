import type { SocketId } from '../table/api.js';
import type { Identity, Scope } from './ports.js';

/** One connected agent. A newer connection of the same agent makes a new session. */
export interface Session {
  readonly socket: SocketId;
  identity: Identity;
  /** See owners.ts. */
  readonly owner: readonly string[];
  readonly scope: Scope;
  /** What the client asked last and is still being answered: its next question waits for it. */
  answering: Promise<void>;
  /** Lets go of the lease that the agent is connected by, if there is one. */
  readonly release?: (() => void) | undefined;
}

/** Who is connected: at most one session an agent. */
export class Sessions {
  readonly #bySocket = new Map<SocketId, Session>();
  readonly #byAgent = new Map<string, Session>();

  get size(): number {
    return this.#byAgent.size;
  }

  /** Adds a session; returns the one it takes over from, which is gone from here at once. */
  open(session: Session): Session | undefined {
    const { agentId } = session.identity;
    const older = this.#byAgent.get(agentId);
    if (older !== undefined) this.#bySocket.delete(older.socket);
    this.#byAgent.set(agentId, session);
    this.#bySocket.set(session.socket, session);
    return older;
  }

  /** Removes the session of a socket; undefined when it was none, or no longer its agent's. */
  close(socket: SocketId): Session | undefined {
    const session = this.#bySocket.get(socket);
    if (session === undefined) return undefined;
    this.#bySocket.delete(socket);
    this.#byAgent.delete(session.identity.agentId);
    return session;
  }

  at(socket: SocketId): Session | undefined {
    return this.#bySocket.get(socket);
  }

  of(agentId: string): Session | undefined {
    return this.#byAgent.get(agentId);
  }

  all(): IterableIterator<Session> {
    return this.#byAgent.values();
  }
}
