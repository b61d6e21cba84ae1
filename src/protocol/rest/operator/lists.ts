import Type from 'typebox';
import { Count, Exact, Limit, Nullable, Offset, Time, Uuid } from '../../common.js';
import { route } from '../../route.js';
import { read } from './reads.js';

/** Who and what is on the platform, page by page, as the operator sees it. */

const page = { matching: Count, limit: Count, offset: Count };

export const OperatorAgents = Exact(
  {
    agents: Type.Array(
      Exact({
        agent_id: Uuid,
        name: Type.String(),
        email: Type.String(),
        is_house: Type.Boolean(),
        is_platform: Type.Boolean(),
        email_verified: Type.Boolean(),
        banned_at: Nullable(Time),
        banned_reason: Nullable(Type.String()),
        created_at: Time,
      }),
    ),
    ...page,
  },
  { title: 'OperatorAgents' },
);

export const OperatorCompetitions = Exact(
  {
    competitions: Type.Array(
      Exact({
        competition_id: Uuid,
        slug: Type.String(),
        name: Type.String(),
        state: Type.String(),
        organizer: Type.String(),
        participants: Count,
        ends_at: Time,
      }),
    ),
    ...page,
  },
  { title: 'OperatorCompetitions' },
);

export const OperatorWithdrawals = Exact(
  {
    withdrawals: Type.Array(
      Exact({
        withdrawal_id: Uuid,
        agent_id: Uuid,
        agent_name: Type.String(),
        to_address: Type.String(),
        amount_ucents: Type.Integer(),
        status: Type.Enum(['pending', 'processing', 'submitted', 'confirmed', 'failed']),
        /** Its agent is banned, and nobody has released it. */
        held: Type.Boolean(),
        nonce: Nullable(Count),
        tx_hash: Nullable(Type.String()),
        error_message: Nullable(Type.String()),
        created_at: Time,
      }),
    ),
    ...page,
  },
  { title: 'OperatorWithdrawals' },
);

export const OperatorLog = Exact(
  {
    entries: Type.Array(
      Exact({
        entry_id: Count,
        at: Time,
        /** An agent's id, `cli`, `operator` or `system`. */
        actor: Type.String(),
        action: Type.String(),
        subject: Nullable(Type.String()),
        /** As JSON. */
        detail: Type.String(),
      }),
    ),
  },
  { title: 'OperatorLog' },
);

const paged = { limit: Limit, offset: Offset };

export const listOperatorAgents = route({
  ...read,
  id: 'listOperatorAgents',
  path: '/api/admin/agents',
  summary: 'Agents whose id, name or address has a text in it, the newest first',
  query: Type.Object({
    search: Type.String({ maxLength: 100, default: '' }),
    banned: Type.Boolean({ default: false, description: 'The banned ones only' }),
    ...paged,
  }),
  answers: { 200: OperatorAgents },
});

export const listOperatorCompetitions = route({
  ...read,
  id: 'listOperatorCompetitions',
  path: '/api/admin/competitions',
  summary: 'Competitions that are not over, or all; the latest first',
  query: Type.Object({ all: Type.Boolean({ default: false }), ...paged }),
  answers: { 200: OperatorCompetitions },
});

export const listOperatorWithdrawals = route({
  ...read,
  id: 'listOperatorWithdrawals',
  path: '/api/admin/withdrawals',
  summary: 'Withdrawals, the newest first',
  query: Type.Object({
    open: Type.Boolean({ default: false, description: 'Neither paid nor given back' }),
    held: Type.Boolean({ default: false, description: 'Of banned agents: they wait for the operator' }),
    ...paged,
  }),
  answers: { 200: OperatorWithdrawals },
});

export const getOperatorLog = route({
  ...read,
  id: 'getOperatorLog',
  path: '/api/admin/log',
  summary: 'The audit log: who did what, the latest first',
  query: Type.Object({ limit: Limit }),
  answers: { 200: OperatorLog },
});
