import { parseArgs } from 'node:util';
import { loadWorld } from './load.js';

/**
 * `npm run sim -- [--seeds N] [--seed S] [--plant NAME]`: N runs from seed S (default: one that nobody chose).
 * `npm run sim -- --seasons N`: so many seasons instead, ten of them in each run.
 */
const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '100' },
    seed: { type: 'string' },
    plant: { type: 'string' },
    seasons: { type: 'string', default: '0' },
  },
});
const IN_A_RUN = 10;
const seasons = Number(values.seasons);
const count = seasons > 0 ? Math.ceil(seasons / IN_A_RUN) : Number(values.seeds);
const first = values.seed === undefined ? Date.now() % 1_000_000_000 : Number(values.seed);
if (
  !Number.isSafeInteger(seasons) ||
  !Number.isSafeInteger(count) ||
  count < 1 ||
  !Number.isSafeInteger(first) ||
  first < 0
) {
  console.error('usage: npm run sim -- [--seeds N | --seasons N] [--seed S] [--plant NAME], whole numbers');
  process.exit(2);
}

const { simulate } = await loadWorld(values.plant);
const total = { hands: 0, frames: 0, tables: 0, seasons: 0, lostShards: 0, crashes: 0, restarts: 0, tasks: 0 };
const started = performance.now();
for (let seed = first; seed < first + count; seed++) {
  try {
    const result = await simulate(seed, seasons > 0 ? IN_A_RUN : 0);
    for (const key of Object.keys(total) as (keyof typeof total)[]) total[key] += result[key];
    if ((seed - first + 1) % 1_000 === 0) console.error(`${seed - first + 1} seeds, ${total.hands} hands`);
  } catch (error) {
    const plant = values.plant === undefined ? '' : ` --plant ${values.plant}`;
    console.error(
      `${(error as Error).message}\n\nRepeat with: npm run sim -- ${seasons > 0 ? '--seasons 1' : '--seeds 1'} --seed ${seed}${plant}`,
    );
    process.exit(1);
  }
}
const seconds = ((performance.now() - started) / 1000).toFixed(1);
console.log(
  `${count} seeds from ${first}: ${total.hands} hands at ${total.tables} tables in ${total.seasons} seasons, ` +
    `${total.frames} frames, ${total.lostShards} lost shards, ${total.crashes} killed and ${total.restarts} restarted processes, ` +
    `${total.tasks} steps in ${seconds} s; every invariant held`,
);
