import type { LobbyControl } from '../../lobby/index.js';
import type { EmailQuota } from '../../email/index.js';
import type { Announce } from '../../ops/notices.js';
import type { Database } from '../../store/database.js';

/** The dependencies of invitations, links and participants. */
export interface PeopleOptions {
  sql: Database;
  lobby: Pick<LobbyControl, 'dismiss'>;
  announce: Announce;
  /** Epoch ms. */
  now: () => number;
  /** Our address as people reach it, without a slash at the end. */
  publicUrl: () => string;
  /** There are mails to be sent. */
  emailQueued: () => void;
  /** How many mails organizers may have sent. */
  quota?: EmailQuota;
}

/** The agent that asks for a change, and the competition. */
export interface PeopleRequest {
  competitionId: string;
  agentId: string;
  /** The Idempotency-Key header. */
  key: string | undefined;
  /** Address of the network that the request came from; null when it is not known. */
  ip?: string | null;
}
