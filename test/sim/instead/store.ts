import { randomUUID } from '../machine/crypto.js';
import { setTimeout as sleep } from '../machine/timers-promises.js';
import type * as real from '../../../src/store/store.js';
import { connect } from './database.js';

/** src/store/store.ts over the vault: no server to start, no schema to bring up to date. */
export const openStore: typeof real.openStore = () => {
  const address = { url: 'postgres://vault' };
  const sql = connect(address, { max: 1, name: 'front' });
  const asked = () =>
    sql`select 1`.then(
      () => true,
      () => false,
    );
  return Promise.resolve({
    sql,
    admission: sql,
    background: sql,
    address,
    // Its life is simulated elsewhere: test/sim/leases.
    node: { id: randomUUID(), holds: true },
    installation: 'vault',
    folder: null,
    answers: () => Promise.race([asked(), sleep(1000, false, { ref: false })]),
    close: () => sql.end(),
  });
};
