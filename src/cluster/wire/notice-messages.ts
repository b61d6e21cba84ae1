import { Type, type Static } from 'typebox';

/**
 * The notices between nodes. Each notice is a hint: a loop reads the same rows every few seconds. A node ignores kinds
 * that it does not know, so that a neighbouring release may have more.
 */
const Id = Type.String({ minLength: 1, maxLength: 64 });

export const NOTICE_KINDS = {
  agent_changed: Type.Object({ kind: Type.Literal('agent_changed'), agentId: Id }),
  key_ended: Type.Object({ kind: Type.Literal('key_ended'), agentId: Id, at: Type.Number() }),
  token_ended: Type.Object({ kind: Type.Literal('token_ended'), agentId: Id }),
  competition_changed: Type.Object({
    kind: Type.Literal('competition_changed'),
    competitionId: Id,
    dismissed: Type.Optional(Id),
  }),
  season_changed: Type.Object({ kind: Type.Literal('season_changed') }),
  /** Other nodes have ended this one. */
  ended: Type.Object({ kind: Type.Literal('ended'), nodeId: Id }),
  /** The node has given its tables up. */
  draining: Type.Object({ kind: Type.Literal('draining'), nodeId: Id }),
};

export type NoticeKind = keyof typeof NOTICE_KINDS;
export type NoticeOf<K extends NoticeKind> = Static<(typeof NOTICE_KINDS)[K]>;
/** Between nodes: what features announce (ops/notices.ts), and what nodes say of their lives. */
export type NodeNotice = { [K in NoticeKind]: NoticeOf<K> }[NoticeKind];
