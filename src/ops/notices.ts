/**
 * A hint for the other nodes: a row has changed that their memory may hold. A node that hears it reads the row. A node
 * that misses it reads the row within 5 s all the same.
 */
export type Notice =
  /** Name, picture or profile. */
  | { kind: 'agent_changed'; agentId: string }
  /** The agent's key is no longer good: it has another, or is banned. `at`: since when, by its row, in epoch ms. */
  | { kind: 'key_ended'; agentId: string; at: number }
  /** Some bot tokens of the agent are no longer good. */
  | { kind: 'token_ended'; agentId: string }
  /** Its record or its phase; `dismissed` is an agent that takes part no more. */
  | { kind: 'competition_changed'; competitionId: string; dismissed?: string }
  /** The active season has another phase or end, or another season is active. */
  | { kind: 'season_changed' };

/** Tells the other nodes. Resolves once each living one has confirmed, or after 1 s; never rejects. */
export type Announce = (notice: Notice) => Promise<void>;

/** For a process that is alone. */
export const announceToNobody: Announce = () => Promise.resolve();
