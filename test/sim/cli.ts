import { command, oneOf, seed, whole } from '../../src/command/options.js';
import { Progress } from '../../src/command/progress.js';
import { endBuilding, loadWorld } from './load.js';
import { leasePlants } from './lease-plants.js';
import { plants } from './plants.js';

const IN_A_RUN = 10;
const { values } = command({
  name: 'npm run campaign -- sim',
  purpose:
    'Simulated platforms: the product on a virtual clock, network and database, with bad-mannered bots and failing\n' +
    'machines. Exit code 1: an invariant was broken, told with the seed that shows it again.',
  takes:
    'a tenth of a second a run on a fast core, half a second on a slow one; ten seasons take as long as a run or two',
  options: {
    seeds: whole('runs', 100, { least: 1 }),
    seasons: whole(`seasons to end instead, ${IN_A_RUN} in a run`, 0),
    leases: whole('worlds of leases alone instead: processes that want to lead one database', 0),
    seed: seed('of the first run; the next ones follow'),
    plant: oneOf(
      'a fault planted into the product, to be found',
      [...plants, ...leasePlants].map(({ name }) => name),
      null,
    ),
  },
});
const { seasons, leases, seed: first } = values;
const count = leases || (seasons > 0 ? Math.ceil(seasons / IN_A_RUN) : values.seeds);
const asked = (['leases', 'seasons'] as const).find((name) => values[name] > 0) ?? 'seeds';
const worlds = `--${asked} 1`;

const { simulate, simulateLeases } = await loadWorld(values.plant ?? undefined);
await endBuilding();
const progress = new Progress(count, 'runs');
const total = { hands: 0, frames: 0, tables: 0, seasons: 0, lostShards: 0, crashes: 0, restarts: 0, tasks: 0 };
const terms = { terms: 0, ended: 0, refused: 0, writes: 0, late: 0 };
const started = performance.now();
for (let seed = first; seed < first + count; seed++) {
  try {
    if (leases > 0) {
      const result = await simulateLeases(seed);
      for (const key of Object.keys(terms) as (keyof typeof terms)[]) terms[key] += result[key];
    } else {
      const result = await simulate(seed, seasons > 0 ? IN_A_RUN : 0);
      for (const key of Object.keys(total) as (keyof typeof total)[]) total[key] += result[key];
    }
    progress.show(seed - first + 1);
  } catch (error) {
    progress.clear();
    const plant = values.plant === null ? '' : ` --plant ${values.plant}`;
    console.error(
      `${(error as Error).message}\n\nRepeat with: npm run campaign -- sim ${worlds} --seed ${seed}${plant}`,
    );
    process.exit(1);
  }
}
progress.clear();
const seconds = ((performance.now() - started) / 1000).toFixed(1);
const what =
  leases > 0
    ? `${terms.terms} began to lead, ${terms.ended} were ended by others, ${terms.refused} refused; ` +
      `of ${terms.writes + terms.late} writes of leaders ${terms.late} came too late`
    : `${total.hands} hands at ${total.tables} tables in ${total.seasons} seasons, ${total.frames} frames, ` +
      `${total.lostShards} lost shards, ${total.crashes} killed and ${total.restarts} restarted processes, ` +
      `${total.tasks} steps`;
console.log(`${count} seeds from ${first}: ${what} in ${seconds} s; every invariant held`);
