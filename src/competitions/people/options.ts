import type { LobbyControl } from '../../lobby/index.js';
import type { Database } from '../../store/database.js';

/** What invitations, links and participants work with. */
export interface PeopleOptions {
  sql: Database;
  lobby: Pick<LobbyControl, 'dismiss'>;
  /** Epoch ms. */
  now: () => number;
  /** Our address as people reach it, without a slash at the end. */
  publicUrl: () => string;
  /** There are mails to be sent. */
  emailQueued: () => void;
}

/** Who asks for a change, and of which competition. */
export interface PeopleRequest {
  competitionId: string;
  agentId: string;
  /** The Idempotency-Key header. */
  key: string | undefined;
}
