/** A hand that is written and read back is the same hand: in PHH, in PokerStars text, in our JSON and in our CSV. */
import t from 'tap';
import { FILE_MS } from '../support/limits.js';
import { SEED } from '../support/seed.js';
import { roundTrips } from './round-trips.js';

t.setTimeout(FILE_MS);
t.comment(`SEED=${SEED}`);

const RUNS = 2000;

for (const [name, check] of Object.entries(roundTrips())) {
  void t.test(name, (t) => {
    t.doesNotThrow(() => check({ seed: SEED, numRuns: RUNS }));
    t.end();
  });
}
