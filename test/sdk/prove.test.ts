/**
 * The kits on a line that is cut before and after what they say, stalls, delays, splits and refuses, and through kill -9
 * of the server: nothing they say is rejected, no seat is lost, no turn is left to the clock, every deal they check is
 * fair. npm run sdk:prove runs hours of it.
 */
import t from 'tap';
import { seededRandom } from '../../src/cards/shuffle.js';
import { stopCluster } from '../support/database.js';
import { FILE_MS } from '../support/limits.js';
import { SEED } from '../support/seed.js';
import { KITS, NO_PYTHON } from './kits.js';
import { prove } from './prove.js';

t.setTimeout(FILE_MS);
t.teardown(stopCluster);

for (const [kit, command] of Object.entries(KITS)) {
  void t.test(`${kit}: seven cuts and a kill`, { skip: command === null && NO_PYTHON }, async (t) => {
    if (command === null) return;
    const random = seededRandom(SEED);
    const chance = (below: number) => random.next16() % below;
    const proof = await prove(t, { command, cuts: 7, kills: 1, turnSeconds: 60, deadLines: false, chance });
    t.same(proof.faults, [], `SEED=${SEED}`);
    t.equal(
      Object.values(proof.harm).reduce((sum, times) => sum + times, 0),
      8,
      'all of it was done',
    );
    t.ok(proof.hands >= 8 && proof.decisions >= 8 && proof.connections >= 6, 'it played on');
    t.ok(proof.verified > 0, 'deals were checked');
  });
}
