import { Type, type Static } from 'typebox';

/**
 * What nodes tell each other. Each notice is a hint: a loop reads the same rows every few seconds. A node ignores kinds
 * that it does not know, so that a neighbouring release may have more.
 */
const Id = Type.String({ minLength: 1, maxLength: 64 });

export const NOTICE_KINDS = {
  /** Name, profile or ban of an agent changed. */
  agent_changed: Type.Object({ kind: Type.Literal('agent_changed'), agentId: Id }),
  /** The API key of the agent is no longer good. */
  key_ended: Type.Object({ kind: Type.Literal('key_ended'), agentId: Id }),
  /** A bot token of the agent is no longer good. */
  token_ended: Type.Object({ kind: Type.Literal('token_ended'), agentId: Id }),
  pool_changed: Type.Object({ kind: Type.Literal('pool_changed'), poolId: Id }),
  competition_changed: Type.Object({ kind: Type.Literal('competition_changed'), competitionId: Id }),
  /** The sender adopted tables of this node. */
  adopted: Type.Object({ kind: Type.Literal('adopted'), nodeId: Id }),
  /** Others declared this node dead. */
  ended: Type.Object({ kind: Type.Literal('ended'), nodeId: Id }),
  /** The node gives its shards up. */
  draining: Type.Object({ kind: Type.Literal('draining'), nodeId: Id }),
};

export type NoticeKind = keyof typeof NOTICE_KINDS;
export type NoticeOf<K extends NoticeKind> = Static<(typeof NOTICE_KINDS)[K]>;
export type Notice = { [K in NoticeKind]: NoticeOf<K> }[NoticeKind];
