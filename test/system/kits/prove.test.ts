/**
 * The kits on a line that cuts before and after their messages, stalls, delays, splits and refuses, and through kill -9
 * of the server. No message is rejected, no seat is lost, no turn times out, and every checked deal is fair. Also with
 * lean frames. npm run sdk:prove runs for hours.
 */
import t from 'tap';
import { seededRandom } from '../../../src/cards/shuffle.js';
import { stopCluster } from '../../support/database.js';
import { FILE_MS } from '../../support/limits.js';
import { SEED } from '../../support/seed.js';
import { KITS, NO_PYTHON } from '../../sdk/kits.js';
import { prove } from '../../sdk/prove.js';

t.setTimeout(FILE_MS);
t.teardown(stopCluster);

for (const [kit, command] of Object.entries(KITS)) {
  for (const lean of [false, true]) {
    const how = lean ? 'lean frames, seven cuts' : 'seven cuts and a kill';
    void t.test(`${kit}: ${how}`, { skip: command === null && NO_PYTHON }, async (t) => {
      if (command === null) return;
      const random = seededRandom(SEED);
      const chance = (below: number) => random.next16() % below;
      const kills = lean ? 0 : 1;
      const proof = await prove(t, { command, lean, cuts: 7, kills, turnSeconds: 60, deadLines: false, chance });
      t.same(proof.faults, [], `SEED=${SEED}`);
      const done = Object.values(proof.harm).reduce((sum, times) => sum + times, 0);
      t.equal(done, 7 + kills, 'all of it was done');
      t.ok(proof.hands >= 7 && proof.decisions >= 7 && proof.connections >= 5 + kills, 'it played on');
      t.equal(proof.verified > 0, !lean, 'deals were checked, where there is something to check');
    });
  }
}
