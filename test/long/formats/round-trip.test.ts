/** 10,000 hands, written and read back, are the same hands in each format. */
import t from 'tap';
import { roundTrips } from '../../formats/round-trips.js';
import { FILE_MS } from '../../support/limits.js';
import { SEED } from '../../support/seed.js';

t.setTimeout(FILE_MS);
t.comment(`SEED=${SEED}`);

const RUNS = 10_000;

for (const [name, check] of Object.entries(roundTrips())) {
  void t.test(name, (t) => {
    t.doesNotThrow(() => check({ seed: SEED, numRuns: RUNS }));
    t.end();
  });
}
