import { Bundle, MACHINE } from './bundle.js';
import { leasePlants } from './lease-plants.js';
import { plants } from './plants.js';
import type * as worlds from './world.js';

/** Modules of the product that the world replaces, with what stands instead. */
const INSTEAD: Readonly<Record<string, string>> = {
  'src/accounts/queries.ts': 'test/sim/instead/account-queries.ts',
  'src/admin/operator/routes.ts': 'test/sim/instead/operator-routes.ts',
  'src/admin/queries.ts': 'test/sim/instead/admin-queries.ts',
  'src/admin/watch.ts': 'test/sim/instead/admin-watch.ts',
  'src/competitions/people/participant-queries.ts': 'test/sim/instead/competition-participants.ts',
  'src/competitions/queries.ts': 'test/sim/instead/competition-queries.ts',
  'src/gateway/documents.ts': 'test/sim/instead/documents.ts',
  'src/gateway/limits.ts': 'test/sim/instead/limits.ts',
  'src/gateway/listen.ts': 'test/sim/instead/listen.ts',
  'src/hosted/queries.ts': 'test/sim/instead/hosted-queries.ts',
  'src/lobby/matching/matchmake.ts': 'test/sim/instead/matchmake.ts',
  'src/metrics/page.ts': 'test/sim/instead/metrics-page.ts',
  'src/metrics/metrics.ts': 'test/sim/instead/metrics.ts',
  'src/ops/port-check.ts': 'test/sim/instead/port-check.ts',
  'src/platform/operator.ts': 'test/sim/instead/operator.ts',
  'src/protocol/validation.ts': 'test/sim/instead/validation.ts',
  'src/ratings/index.ts': 'test/sim/instead/ratings.ts',
  'src/rebuys/queries.ts': 'test/sim/instead/rebuy-queries.ts',
  'src/seasons/leaderboard.ts': 'test/sim/instead/leaderboard.ts',
  'src/seasons/entry-queries.ts': 'test/sim/instead/entry-queries.ts',
  'src/seasons/pass-queries.ts': 'test/sim/instead/pass-queries.ts',
  'src/seasons/queries.ts': 'test/sim/instead/season-queries.ts',
  'src/seasons/reminders.ts': 'test/sim/instead/season-reminders.ts',
  'src/seasons/standing-queries.ts': 'test/sim/instead/standing-queries.ts',
  'src/seasons/transition.ts': 'test/sim/instead/season-transition.ts',
  'src/seasons/prize-queries.ts': 'test/sim/instead/prize-queries.ts',
  'src/shard/link.ts': 'test/sim/instead/link.ts',
  'src/shard/main/boot.ts': 'test/sim/instead/shard-boot.ts',
  'src/shard/main/options.ts': 'test/sim/instead/shard-options.ts',
  'src/shard/commit/queries.ts': 'test/sim/instead/shard-queries.ts',
  'src/shard/stats.ts': 'test/sim/instead/shard-stats.ts',
  'src/store/database.ts': 'test/sim/instead/database.ts',
  'src/store/migrate.ts': 'test/sim/instead/migrate.ts',
  'src/store/node/queries.ts': 'test/sim/instead/node-queries.ts',
  'src/store/pool-phase.ts': 'test/sim/instead/pool-phase.ts',
  'src/store/role-lock.ts': 'test/sim/instead/role-lock.ts',
  'src/store/store.ts': 'test/sim/instead/store.ts',
  'node:worker_threads': 'test/sim/machine/worker-threads.ts',
  piscina: 'test/sim/machine/piscina.ts',
  ...MACHINE,
};

/** The whole platform on a simulated machine (world.ts). */
const bundle = new Bundle<typeof worlds>({
  entry: 'test/sim/world.ts',
  own: 'test/sim',
  instead: INSTEAD,
  plants: [...plants, ...leasePlants],
});

/** The world, whole or with a planted fault. Rejects for a plant that is unknown or does not fit the source any more. */
export const loadWorld = (plantName?: string): Promise<typeof worlds> => bundle.load(plantName);

/** No more worlds for now: while they may be built again, the process does not end. */
export const endBuilding = (): Promise<void> => bundle.end();
