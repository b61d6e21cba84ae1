import { context, type BuildContext, type Plugin } from 'esbuild';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, isAbsolute, join, relative, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { leasePlants } from './lease-plants.js';
import { plants as worldPlants, type Plant } from './plants.js';
import type * as worlds from './world.js';

/**
 * Builds the simulated world: the product as it is, bundled with another Node (virtual time, seeded randomness, threads
 * that are none) and another database. Nothing in the product knows of it. With a plant, one place of the product's
 * source is changed on the way: a fault that the simulation must find.
 */

const plants = [...worldPlants, ...leasePlants];

/** From dist/test/sim. */
const root = fileURLToPath(new URL('../../..', import.meta.url));
const sim = join(root, 'test/sim');

/** Modules of the product that the world replaces, with what stands instead. */
const INSTEAD: Readonly<Record<string, string>> = {
  'src/accounts/queries.ts': 'instead/account-queries.ts',
  'src/admin/operator/routes.ts': 'instead/operator-routes.ts',
  'src/admin/queries.ts': 'instead/admin-queries.ts',
  'src/admin/watch.ts': 'instead/admin-watch.ts',
  'src/competitions/people/participant-queries.ts': 'instead/competition-participants.ts',
  'src/competitions/queries.ts': 'instead/competition-queries.ts',
  'src/gateway/documents.ts': 'instead/documents.ts',
  'src/gateway/limits.ts': 'instead/limits.ts',
  'src/gateway/listen.ts': 'instead/listen.ts',
  'src/hosted/queries.ts': 'instead/hosted-queries.ts',
  'src/lobby/matching/matchmake.ts': 'instead/matchmake.ts',
  'src/metrics/page.ts': 'instead/metrics-page.ts',
  'src/metrics/metrics.ts': 'instead/metrics.ts',
  'src/ops/port-check.ts': 'instead/port-check.ts',
  'src/platform/operator.ts': 'instead/operator.ts',
  'src/protocol/validation.ts': 'instead/validation.ts',
  'src/rebuys/queries.ts': 'instead/rebuy-queries.ts',
  'src/seasons/leaderboard.ts': 'instead/leaderboard.ts',
  'src/seasons/entry-queries.ts': 'instead/entry-queries.ts',
  'src/seasons/pass-queries.ts': 'instead/pass-queries.ts',
  'src/seasons/queries.ts': 'instead/season-queries.ts',
  'src/seasons/reminders.ts': 'instead/season-reminders.ts',
  'src/seasons/standing-queries.ts': 'instead/standing-queries.ts',
  'src/seasons/transition.ts': 'instead/season-transition.ts',
  'src/seasons/prize-queries.ts': 'instead/prize-queries.ts',
  'src/shard/link.ts': 'instead/link.ts',
  'src/shard/main/boot.ts': 'instead/shard-boot.ts',
  'src/shard/main/options.ts': 'instead/shard-options.ts',
  'src/shard/commit/queries.ts': 'instead/shard-queries.ts',
  'src/shard/stats.ts': 'instead/shard-stats.ts',
  'src/store/database.ts': 'instead/database.ts',
  'src/store/migrate.ts': 'instead/migrate.ts',
  'src/store/node/queries.ts': 'instead/node-queries.ts',
  'src/store/pool-phase.ts': 'instead/pool-phase.ts',
  'src/store/role-lock.ts': 'instead/role-lock.ts',
  'src/store/store.ts': 'instead/store.ts',
  'node:crypto': 'machine/crypto.ts',
  'node:perf_hooks': 'machine/perf-hooks.ts',
  'node:process': 'machine/process.ts',
  'node:timers/promises': 'machine/timers-promises.ts',
  'node:worker_threads': 'machine/worker-threads.ts',
  piscina: 'machine/piscina.ts',
};

/** What the product imports is replaced; what the simulation itself imports is the real thing. */
const replacing: Plugin = {
  name: 'replacing',
  setup({ onResolve }) {
    onResolve({ filter: /.*/ }, ({ path, importer, resolveDir }) => {
      if (isAbsolute(path)) return undefined;
      const file = path.startsWith('.') ? resolve(resolveDir, path).replace(/\.js$/, '.ts') : null;
      const instead = INSTEAD[file === null ? path : relative(root, file)];
      if (instead !== undefined && !importer.startsWith(sim)) return { path: join(sim, instead) };
      return file === null ? { path, external: true } : { path: file };
    });
  },
};

/** What is planted into the world that is built just now. */
let planted: Plant | undefined;
const plantable = new Set(plants.map(({ file }) => join(root, file)));
const anyOf = new RegExp(`(${plants.map(({ file }) => file.replaceAll('.', '\\.')).join('|')})$`);

/** Changes the one place; fails where the source has it not exactly once. */
const planting: Plugin = {
  name: 'planting',
  setup({ onLoad }) {
    onLoad({ filter: anyOf }, ({ path }) => {
      if (!plantable.has(path)) return undefined;
      const source = readFileSync(path, 'utf8');
      if (planted === undefined || path !== join(root, planted.file)) return { contents: source, loader: 'ts' };
      const { name, file, find, replace } = planted;
      if (source.split(find).length !== 2) {
        throw new Error(`the plant ${name} no longer fits ${file}: change test/sim/plants.ts along with the source`);
      }
      return { contents: source.replace(find, () => replace), loader: 'ts' };
    });
  },
};

/** The whole world tells places of the sources; of a planted one is asked what it finds. */
type Kind = 'whole' | 'planted';
/** Built again for each plant, they read but the one file that has changed. */
const builders = new Map<Kind, Promise<BuildContext<{ write: false }>>>();

const builder = (kind: Kind) =>
  context({
    entryPoints: [join(sim, 'world.ts')],
    inject: [join(sim, 'machine/globals.ts')],
    plugins: [planting, replacing],
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    sourcemap: kind === 'whole' ? 'inline' : false,
    sourcesContent: false,
    logLevel: 'silent',
    absWorkingDir: root,
    outdir: join(root, 'dist/test/sim/worlds'),
  });

/** One at a time. */
async function bundled(plant: Plant | undefined): Promise<string> {
  const kind = plant === undefined ? 'whole' : 'planted';
  const building = builders.get(kind) ?? builder(kind);
  builders.set(kind, building);
  planted = plant;
  const { outputFiles } = await (await building).rebuild();
  const [bundle] = outputFiles;
  if (bundle === undefined) throw new Error('the world was built without a file');
  return bundle.text;
}

/** No more worlds for now: while they may be built again, the process does not end. */
export async function endBuilding(): Promise<void> {
  const contexts = await Promise.all(builders.values());
  builders.clear();
  await Promise.all(contexts.map((each) => each.dispose()));
}

/** The world, whole or with a planted fault. Rejects for a plant that is unknown or does not fit the source any more. */
export async function loadWorld(plantName?: string): Promise<typeof worlds> {
  const plant = plants.find(({ name }) => name === plantName);
  if (plantName !== undefined && plant === undefined) {
    throw new Error(`there is no plant ${plantName}; there are ${plants.map(({ name }) => name).join(', ')}`);
  }
  const text = await bundled(plant);
  const path = join(root, 'dist/test/sim/worlds', `${plantName ?? 'whole'}-${process.pid}.js`);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  try {
    return (await import(pathToFileURL(path).href)) as typeof worlds;
  } finally {
    rmSync(path);
  }
}
