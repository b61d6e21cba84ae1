import type { Static } from 'typebox';
import { defineRoute, type JsonText, type Route, type RouteAnswer } from '../protocol/route.js';
import { Detail, HttpError } from '../protocol/rest/errors.js';
import { API_VERSION, getHealth, getHealthDetail, type Health, getLive, getReady } from '../protocol/rest/health.js';

/** The sources of the probes. Each check answers at once from what is known, or within its own time-out. */
export interface HealthSources {
  /** Resolves to whether the database answers. */
  database(): Promise<boolean>;
  /** Whether no table waits for the database. */
  tables(): boolean;
  /** Whether limits are counted where they should be: always, without Redis. */
  cache(): boolean;
  /** Whether every shard plays, and the lease of this node has not run out. */
  coordinator(): boolean;
  draining(): boolean;
  game(): { tables: number; connected: number; waiting: number };
  /** On a node that does not lead: the leader's report. */
  credits(): Promise<CreditsHealth>;
  logStorage(): Promise<LogStorage>;
}

/** Deposits that wait for confirmations, whether withdrawals are being paid, and the books. */
export interface CreditsHealth {
  pending: number;
  paying: boolean;
  books: Static<typeof Health>['financial_reconciliation'];
}

export type LogStorage = Exclude<RouteAnswer<typeof getHealthDetail>['body'], JsonText>['log_storage'];

/** How old the answer to a probe may be (docs/reference/rest.md, "What holds for all endpoints"): each look asks the database. */
const LOOK_MS = 1000;

/** The same answer for so long after it was begun; a failed one is not kept. `now` in ms. */
export function remembered<T>(look: () => Promise<T>, now: () => number = () => performance.now()): () => Promise<T> {
  let last: { at: number; answer: Promise<T> } | null = null;
  return () => {
    if (last !== null && now() - last.at < LOOK_MS) return last.answer;
    const begun = { at: now(), answer: look() };
    begun.answer.catch(() => (last = last === begun ? null : last));
    last = begun;
    return begun.answer;
  };
}

const named = (ok: boolean) => (ok ? 'ok' : 'unavailable');

/** GET /health, /health/detail, /health/live and /health/ready. */
export function healthRoutes(sources: HealthSources): Route[] {
  const started = performance.now();
  const database = remembered(() => sources.database());
  const credits = remembered(() => sources.credits());
  const look = async () => ({
    database: (await database()) && sources.tables(),
    cache: sources.cache(),
    coordinator: sources.coordinator(),
  });
  const figures = async () => {
    const { database, cache, coordinator } = await look();
    const { tables, connected, waiting } = sources.game();
    const { pending, paying, books } = await credits();
    return {
      status: database && cache && coordinator && !sources.draining() ? 'ok' : 'degraded',
      version: API_VERSION,
      uptime_seconds: Math.round(performance.now() - started) / 1000,
      services: { database: named(database), cache: named(cache), coordinator: named(coordinator) },
      game: { active_tables: tables, active_connections: connected, lobby_queue: waiting },
      deposits_pending: pending,
      withdrawal: { running: paying },
      financial_reconciliation: books,
    } as const;
  };
  return [
    defineRoute(getHealth)(async () => ({ status: 200, body: await figures() })),
    defineRoute(getHealthDetail)(async () => {
      const [body, storage] = await Promise.all([figures(), sources.logStorage()]);
      return { status: 200, body: { ...body, log_storage: storage } };
    }),
    ...probeRoutes(sources.draining, async () => Object.values(await look()).every((ok) => ok)),
  ];
}

/** GET /health/live and /health/ready. */
function probeRoutes(draining: () => boolean, isReady: () => Promise<boolean>): Route[] {
  return [
    defineRoute(getLive)(() => ({ status: 200, body: { status: 'ok' } })),
    defineRoute(getReady)(async () => {
      if (draining()) throw new HttpError(404, Detail.draining);
      if (!(await isReady())) throw new HttpError(503, Detail.notReady);
      return { status: 200, body: { status: 'ok' } };
    }),
  ];
}
