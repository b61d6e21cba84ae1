import Type from 'typebox';
import { Count, Exact, Nullable, Time } from '../common.js';
import { perMinute, route } from '../route.js';
import { Detail } from './errors.js';

/** Probes. Outside /api, without credentials, never limited. */

export const API_VERSION = '0.1.0';

const ServiceStatus = Type.Enum(['ok', 'unavailable']);

const figures = {
  /** Degraded is answered with 200 too. */
  status: Type.Enum(['ok', 'degraded']),
  version: Type.Literal(API_VERSION),
  uptime_seconds: Type.Number({ minimum: 0 }),
  /** The coordinator is what joins lobby and shards. Further services may stand beside these. */
  services: Type.Object(
    { database: ServiceStatus, cache: ServiceStatus, coordinator: ServiceStatus },
    { additionalProperties: ServiceStatus },
  ),
  game: Exact({ active_tables: Count, active_connections: Count, lobby_queue: Count }),
  deposits_pending: Count,
  withdrawal: Exact({ running: Type.Boolean() }),
  /** The credits of all agents, a few seconds old at most; nothing is ever locked at a table. */
  financial_reconciliation: Exact({
    /** Every account of the double-entry ledger together is zero. */
    units_match: Type.Boolean(),
    balance_cents: Type.Integer(),
    balance_ucents: Type.Integer(),
    locked_cents: Type.Integer(),
    locked_ucents: Type.Integer(),
  }),
};

export const Health = Exact(figures, { title: 'Health' });

export const HealthDetail = Exact(
  {
    ...figures,
    /** Finished hands and their storage; what only the database knows is null while that is away. */
    log_storage: Exact({
      status: ServiceStatus,
      hands_stored: Nullable(Count),
      bytes: Nullable(Count),
      newest_hand_at: Nullable(Time),
      /** Finished hands with a commit under way. */
      hands_waiting: Count,
      /** Mean duration of a group commit since the shards started. */
      commit_lag_ms: Type.Number({ minimum: 0 }),
    }),
  },
  { title: 'HealthDetail' },
);

export const Alive = Exact({ status: Type.Literal('ok') }, { title: 'Alive' });

const tag = 'Health';
/** Five a second an address: load balancers probe less often. */
const PROBES_A_MINUTE = 300;

export const getHealth = route({
  id: 'getHealth',
  inMemory: true,
  method: 'GET',
  path: '/health',
  tag,
  summary: 'State of the platform and its services',
  auth: 'none',
  answers: { 200: Health },
  limit: perMinute(PROBES_A_MINUTE, 'ip'),
});

export const getHealthDetail = route({
  id: 'getHealthDetail',
  method: 'GET',
  path: '/health/detail',
  tag,
  summary: 'The state of the platform, and how hands are stored',
  auth: 'admin',
  answers: { 200: HealthDetail },
});

export const getLive = route({
  id: 'getLive',
  inMemory: true,
  method: 'GET',
  path: '/health/live',
  tag,
  summary: '200 while the process runs',
  auth: 'none',
  answers: { 200: Alive },
  limit: perMinute(PROBES_A_MINUTE, 'ip'),
});

export const getReady = route({
  id: 'getReady',
  inMemory: true,
  method: 'GET',
  path: '/health/ready',
  tag,
  summary: '200 while database, cache and coordinator are healthy. 404 while the server drains. Otherwise 503',
  auth: 'none',
  answers: { 200: Alive },
  errors: { 404: [Detail.draining], 503: [Detail.notReady] },
  limit: perMinute(PROBES_A_MINUTE, 'ip'),
});
