import Type from 'typebox';
import { Count, Exact, Nullable, Time, Uuid } from '../../common.js';
import { route } from '../../route.js';

/** The operator's view of the running platform. */

const Rate = Type.Number({ minimum: 0 });
const Ms = Type.Number({ minimum: 0 });

/** A thread of the platform, as of the last sample. */
const Thread = Exact(
  {
    /** `main`, `shard-0`. */
    name: Type.String(),
    /** False of a shard that is being recovered. */
    running: Type.Boolean(),
    /** CPU seconds a second: 1 is a whole core. */
    cpu: Rate,
    /** How late its event loop is. */
    loop_mean_ms: Ms,
    loop_p99_ms: Ms,
    /** Null where it hosts none. */
    tables: Nullable(Count),
    hands_per_second: Nullable(Rate),
    /** Null where it holds none. */
    sockets: Nullable(Count),
  },
  { title: 'OperatorThread' },
);

/** The ledger's totals, as of the last minute; 1 cent is 100 ucents. */
const Books = Exact(
  {
    deposited_ucents: Type.Integer(),
    balance_ucents: Type.Integer(),
    agents_ucents: Type.Integer(),
    rake_ucents: Type.Integer(),
    withdrawn_ucents: Type.Integer(),
    in_flight_ucents: Type.Integer(),
    /** 0, or the ledger is broken. */
    drift_ucents: Type.Integer(),
    /** The treasury's units beyond the debts; null without a chain. */
    treasury_surplus_units: Nullable(Type.Integer()),
  },
  { title: 'OperatorBooks' },
);

export const OperatorOverview = Exact(
  {
    now: Time,
    uptime_seconds: Type.Number({ minimum: 0 }),
    threads: Type.Array(Thread),
    rates: Exact({ hands_per_second: Rate, actions_per_second: Rate, messages_per_second: Rate }),
    commits: Exact({
      /** Mean of the group commits since the sample before; null where there were none. */
      mean_ms: Nullable(Ms),
      /** Hands that are finished and not stored yet. */
      hands_waiting: Count,
    }),
    play: Exact({ tables: Count, sockets: Count, watchers: Count, lobby: Count }),
    mails_waiting: Count,
    /** Their tables wait. */
    shards_without_database: Count,
    season: Nullable(
      Exact({ season_id: Uuid, season_number: Type.Integer(), end_date: Time, winding_down: Type.Boolean() }),
    ),
    credits: Exact({
      /** Whether the chain is followed and withdrawals are paid. */
      paying: Type.Boolean(),
      /** As of the signer's last round. */
      withdrawals_waiting: Count,
      books: Nullable(Books),
    }),
  },
  { title: 'OperatorOverview' },
);

const Column = Type.Array(Rate);

export const OperatorHistory = Exact(
  {
    /** Between two samples. */
    every_seconds: Type.Integer({ minimum: 1 }),
    /** Epoch seconds, the oldest first; the n-th of each column below belongs to the n-th of these. */
    at: Type.Array(Type.Number()),
    hands_per_second: Column,
    actions_per_second: Column,
    messages_per_second: Column,
    /** Null where nothing was stored meanwhile. */
    commit_ms: Type.Array(Nullable(Ms)),
    /** CPU of the process with all its threads, of the main thread, and of all shards together. */
    cpu: Column,
    main_cpu: Column,
    shards_cpu: Column,
    /** The worst of its kind. */
    main_loop_p99_ms: Column,
    shards_loop_p99_ms: Column,
    memory_mb: Column,
    tables: Column,
    sockets: Column,
    lobby: Column,
    mails_waiting: Column,
  },
  { title: 'OperatorHistory' },
);

export const OperatorErrors = Exact(
  {
    /** Warnings and errors of this process, the newest first; 200 at most. */
    lines: Type.Array(
      Exact({
        at: Time,
        level: Type.Enum(['warn', 'error', 'fatal']),
        message: Type.String(),
        /** The line's other fields as JSON, cut off where they are long. */
        detail: Type.String(),
      }),
    ),
    /** All since the start. */
    total: Count,
  },
  { title: 'OperatorErrors' },
);

export const OperatorAudit = Exact(
  {
    /** `failed`: it could not be made, and the log says why. */
    state: Type.Enum(['none', 'running', 'done', 'failed']),
    started_at: Nullable(Time),
    ended_at: Nullable(Time),
    progress: Exact({ done: Count, of: Count, unit: Type.Enum(['checks', 'hands']) }),
    /** Whether every chip is accounted for; null until it is done. */
    ok: Nullable(Type.Boolean()),
    /** The report, line by line; its first 1,000. */
    lines: Type.Array(Type.String()),
  },
  { title: 'OperatorAudit' },
);

/** For the holder of ADMIN_KEY, and whoever is signed in as the platform's own agent. */
export const read = { method: 'GET', tag: 'Operator', auth: 'operator' } as const;

export const getOperatorOverview = route({
  ...read,
  id: 'getOperatorOverview',
  inMemory: true,
  path: '/api/admin/overview',
  summary: 'The present state of the platform: threads, rates, mails, season, credits',
  answers: { 200: OperatorOverview },
});

export const getOperatorHistory = route({
  ...read,
  id: 'getOperatorHistory',
  inMemory: true,
  path: '/api/admin/history',
  summary: 'The same figures of the last hour, as columns',
  answers: { 200: OperatorHistory },
});

export const getOperatorErrors = route({
  ...read,
  id: 'getOperatorErrors',
  inMemory: true,
  path: '/api/admin/errors',
  summary: 'The latest warnings and errors of the log',
  answers: { 200: OperatorErrors },
});

export const getOperatorAudit = route({
  ...read,
  id: 'getOperatorAudit',
  inMemory: true,
  path: '/api/admin/audit',
  summary: 'The audit in progress, or the last one with its result',
  answers: { 200: OperatorAudit },
});
