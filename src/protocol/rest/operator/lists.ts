import Type from 'typebox';
import { Count, Exact, Limit, Nullable, Offset, Time, Uuid } from '../../common.js';
import { route } from '../../route.js';
import { MomentQuery } from '../history.js';
import { prizeFields } from '../seasons.js';
import { read } from './reads.js';

/** The operator's lists, page by page. */

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
        /** Stored hands, in all seasons and competitions. */
        hands: Count,
        /** The end of its newest stored hand. */
        last_hand_at: Nullable(Time),
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
        /** Its agent is banned or has a lost deposit, and nobody has released it. */
        held: Type.Boolean(),
        /** The wallet had changed: it is not paid before, unless it is released. Null where it does not wait. */
        waits_until: Nullable(Time),
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

export const OperatorPrizes = Exact(
  {
    prizes: Type.Array(
      Exact({
        ...prizeFields,
        agent_id: Uuid,
        agent_name: Type.String(),
        /** A held prize of a banned agent is paid by the operator alone. */
        banned: Type.Boolean(),
      }),
    ),
    ...page,
  },
  { title: 'OperatorPrizes' },
);

export const OperatorDeposits = Exact(
  {
    deposits: Type.Array(
      Exact({
        deposit_id: Uuid,
        agent_id: Uuid,
        agent_name: Type.String(),
        tx_hash: Type.String(),
        /** It came from here. */
        wallet: Type.String(),
        /** The token's. */
        units: Type.Integer(),
        status: Type.Enum(['pending', 'confirmed', 'orphaned']),
        confirmations: Count,
        /** When the chain dropped it though it was credited. */
        lost_at: Nullable(Time),
        /** When the operator let its agent withdraw all the same. */
        loss_accepted_at: Nullable(Time),
        created_at: Time,
      }),
    ),
    ...page,
  },
  { title: 'OperatorDeposits' },
);

export const OperatorTables = Exact(
  {
    tables: Type.Array(
      Exact({
        table_id: Uuid,
        /** The season of a season's table. */
        season_number: Nullable(Type.Integer()),
        competition_name: Nullable(Type.String()),
        shard: Count,
        players: Count,
        hands: Count,
        opened_at: Time,
        /** An operator wants it closed: it ends after its hand. */
        closing: Type.Boolean(),
      }),
    ),
    ...page,
  },
  { title: 'OperatorTables' },
);

export const OperatorNodes = Exact(
  {
    nodes: Type.Array(
      Exact({
        node_id: Uuid,
        /** By which metrics and logs name it. */
        name: Type.String(),
        /** It has the lobby, and the tables but for those on shards that others lend it. */
        leads: Type.Boolean(),
        started_at: Time,
        /** How many shards it has: its own where it leads, else those that it lends. */
        shards: Count,
        /** Open tables on them. */
        tables: Count,
        /** Its lease has run out: it is dead, or has lost the database. */
        silent: Type.Boolean(),
        /** It was asked to leave. */
        drains: Type.Boolean(),
      }),
    ),
  },
  { title: 'OperatorNodes' },
);

export const OperatorInvites = Exact(
  {
    invites: Type.Array(
      Exact({
        code: Type.String(),
        max_uses: Type.Integer({ minimum: 1 }),
        uses: Count,
        expires_at: Nullable(Time),
        note: Nullable(Type.String()),
        created_at: Time,
      }),
    ),
  },
  { title: 'OperatorInvites' },
);

export const OperatorLog = Exact(
  {
    entries: Type.Array(
      Exact({
        entry_id: Count,
        at: Time,
        /** An agent's id, `cli`, `operator` or `system`. */
        actor: Type.String(),
        /** The agent's name; null where the actor is no agent. */
        actor_name: Nullable(Type.String()),
        action: Type.String(),
        subject: Nullable(Type.String()),
        /** The name of the agent or competition; null where the subject is another thing. */
        subject_name: Nullable(Type.String()),
        /** As JSON. */
        detail: Type.String(),
      }),
    ),
    /** For the next page; null on the last one. */
    next_before: Nullable(Type.Integer({ minimum: 1 })),
  },
  { title: 'OperatorLog' },
);

const paged = { limit: Limit, offset: Offset };

export const listOperatorAgents = route({
  ...read,
  id: 'listOperatorAgents',
  path: '/api/admin/agents',
  summary: 'Agents with the text in their id, name or address, the newest first',
  query: Type.Object({
    search: Type.String({ maxLength: 100, default: '' }),
    banned: Type.Boolean({ default: false, description: 'Only banned agents' }),
    ...paged,
  }),
  answers: { 200: OperatorAgents },
});

export const listOperatorCompetitions = route({
  ...read,
  id: 'listOperatorCompetitions',
  path: '/api/admin/competitions',
  summary: 'Competitions that are not over, or all, the newest first',
  query: Type.Object({ all: Type.Boolean({ default: false }), ...paged }),
  answers: { 200: OperatorCompetitions },
});

export const listOperatorWithdrawals = route({
  ...read,
  id: 'listOperatorWithdrawals',
  path: '/api/admin/withdrawals',
  summary: 'Withdrawals, the newest first',
  query: Type.Object({
    open: Type.Boolean({ default: false, description: 'Only withdrawals that are neither paid nor given back' }),
    held: Type.Boolean({
      default: false,
      description: 'Only withdrawals of banned agents, which wait for the operator',
    }),
    ...paged,
  }),
  answers: { 200: OperatorWithdrawals },
});

export const listOperatorPrizes = route({
  ...read,
  id: 'listOperatorPrizes',
  path: '/api/admin/prizes',
  summary: 'Prizes of seasons, the newest first',
  query: Type.Object({
    held: Type.Boolean({ default: false, description: 'Only prizes that are not decided yet' }),
    ...paged,
  }),
  answers: { 200: OperatorPrizes },
});

export const listOperatorDeposits = route({
  ...read,
  id: 'listOperatorDeposits',
  path: '/api/admin/deposits',
  summary: 'Deposits, the newest first',
  query: Type.Object({
    open: Type.Boolean({
      default: false,
      description: 'Only deposits that are not credited, or that the chain dropped',
    }),
    ...paged,
  }),
  answers: { 200: OperatorDeposits },
});

export const listOperatorNodes = route({
  ...read,
  id: 'listOperatorNodes',
  path: '/api/admin/nodes',
  summary: 'The processes that work on the database, the oldest first, and the leader',
  answers: { 200: OperatorNodes },
});

export const listOperatorTables = route({
  ...read,
  id: 'listOperatorTables',
  path: '/api/admin/tables',
  summary: 'The open tables, the oldest first',
  query: Type.Object(paged),
  answers: { 200: OperatorTables },
});

export const listOperatorInvites = route({
  ...read,
  id: 'listOperatorInvites',
  path: '/api/admin/invites',
  summary: 'The codes of the beta gate with their uses, the newest first',
  answers: { 200: OperatorInvites },
});

export const getOperatorLog = route({
  ...read,
  id: 'getOperatorLog',
  path: '/api/admin/log',
  summary: 'The audit log: all acts with their actors, the newest first',
  query: Type.Object({
    search: Type.String({
      maxLength: 100,
      default: '',
      description: 'A part of the action, or of the id or name of the actor or the subject',
    }),
    from: MomentQuery('Entries that were made then or later'),
    to: MomentQuery('Entries that were made then or earlier. A day includes all its entries'),
    before: Type.Optional(
      Type.Integer({ minimum: 1, description: 'next_before of the last page: entries below this number' }),
    ),
    limit: Limit,
  }),
  answers: { 200: OperatorLog },
});
