import { AuditRun, History, operatorRoutes, type OperatorOptions, type Reading } from '../admin/index.js';
import type { RecentLines } from '../ops/recent-lines.js';
import { utc } from '../protocol/common.js';
import type { Route } from '../protocol/route.js';
import { ThreadStats } from '../shard/stats.js';
import type { Core } from './core.js';
import type { Ground } from './ground.js';
import type { Features } from './features.js';
import type { Part } from './parts.js';

/** The operator's views and actions, and the kept hour of figures. */
export function buildOperator(
  core: Core,
  features: Features,
  { log, store }: Ground,
  recent: RecentLines,
): { part: Part; routes: Route[] } {
  const main = new ThreadStats();
  const history = new History(() => readingOf(core, main));
  const audit = new AuditRun({ address: store.address, now: () => core.dates.now(), log });
  return {
    part: {
      start: () => history.start(),
      stop: async () => {
        history.stop();
        main.stop();
        await audit.stop();
      },
    },
    routes: operatorRoutes({
      sql: store.sql,
      history,
      recent,
      audit,
      now: () => core.dates.now(),
      shardsWithoutDatabase: () => core.away.shards,
      season: () => seasonOf(features),
      credits: () => creditsOf(features),
    }),
  };
}

/** The last reading. */
let lastResident = 0;

/** The last value again where it cannot be read, such as when the process has as many open files as it may. */
export function residentBytes(read: () => number = () => process.memoryUsage.rss()): number {
  try {
    lastResident = read();
  } catch {
    // A measurement that fails is left out.
  }
  return lastResident;
}

function readingOf({ threads, gateway, lobby, emails, dates }: Core, main: ThreadStats): Reading {
  const { user, system } = process.cpuUsage();
  const { waiting, tables } = lobby.views.counts();
  const { sockets, watchers, messages } = gateway.sockets.stats;
  return {
    at: dates.now(),
    processCpuMs: (user + system) / 1000,
    memoryBytes: residentBytes(),
    main: main.report(0),
    shards: threads.numbers.map((shard) => ({ running: threads.isReady(shard), stats: threads.stats(shard) })),
    messages,
    tables,
    sockets,
    watchers,
    lobby: waiting,
    mails: emails.waiting,
  };
}

function seasonOf({ seasons: { season } }: Features): ReturnType<OperatorOptions['season']> {
  const { current, windingDown } = season;
  return (
    current && {
      season_id: current.seasonId,
      season_number: current.number,
      end_date: utc(current.endsAt),
      winding_down: windingDown,
    }
  );
}

function creditsOf({ credits }: Features): ReturnType<OperatorOptions['credits']> {
  const { books } = credits.reconciliation;
  return {
    paying: credits.paying(),
    withdrawals_waiting: Object.values<number>(credits.waiting()).reduce((sum, count) => sum + count, 0),
    books: books && {
      deposited_ucents: books.deposited,
      balance_ucents: books.balance,
      agents_ucents: books.agents,
      rake_ucents: books.rake,
      withdrawn_ucents: books.withdrawn,
      in_flight_ucents: books.inFlight,
      drift_ucents: books.drift,
      treasury_surplus_units: books.surplusUnits,
    },
  };
}
