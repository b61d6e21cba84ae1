import Type from 'typebox';
import { Count, Exact } from '../common.js';
import { route } from '../route.js';
import { Detail } from './errors.js';

/** Probes. Outside /api, without credentials, never limited. */

export const API_VERSION = '0.1.0';

const ServiceStatus = Type.Enum(['ok', 'unavailable']);

export const Health = Exact(
  {
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
    financial_reconciliation: Exact({
      units_match: Type.Boolean(),
      balance_cents: Type.Integer(),
      balance_ucents: Type.Integer(),
      locked_cents: Type.Integer(),
      locked_ucents: Type.Integer(),
    }),
  },
  { title: 'Health' },
);

export const Alive = Exact({ status: Type.Literal('ok') }, { title: 'Alive' });

const tag = 'Health';

export const getHealth = route({
  id: 'getHealth',
  method: 'GET',
  path: '/health',
  tag,
  summary: 'State of the platform and its services',
  auth: 'none',
  answers: { 200: Health },
  limit: null,
});

export const getLive = route({
  id: 'getLive',
  method: 'GET',
  path: '/health/live',
  tag,
  summary: '200 while the process runs',
  auth: 'none',
  answers: { 200: Alive },
  limit: null,
});

export const getReady = route({
  id: 'getReady',
  method: 'GET',
  path: '/health/ready',
  tag,
  summary: '200 while database, cache and coordinator are healthy; 503 otherwise or while draining',
  auth: 'none',
  answers: { 200: Alive },
  errors: { 503: [Detail.notReady, Detail.draining] },
  limit: null,
});
