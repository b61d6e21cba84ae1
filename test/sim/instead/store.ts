import { randomUUID } from '../machine/crypto.js';
import { setTimeout as sleep } from '../machine/timers-promises.js';
import type * as real from '../../../src/store/store.js';
import { Leadership } from '../../../src/store/node/leadership.js';
import { machine } from '../machine/machine.js';
import { connect } from './database.js';

/** src/store/store.ts over the vault: no server to start, no schema to bring up to date. */
export const openStore: typeof real.openStore = async (_config, _log, fatal) => {
  const address = { url: 'postgres://vault' };
  const sql = connect(address, { max: 1, name: 'front' });
  const asked = () =>
    sql`select 1`.then(
      () => true,
      () => false,
    );
  const { kernel, storage } = machine();
  const { current } = kernel;
  const id = randomUUID();
  const epoch = await storage.statement(sql, ({ leases }) => leases.succeed(id, current));
  return {
    sql,
    admission: sql,
    background: sql,
    address,
    // Its life is simulated elsewhere: test/sim/leases.
    node: { id, holds: true },
    leadership: new Leadership(epoch, fatal),
    installation: 'vault',
    folder: null,
    answers: () => Promise.race([asked(), sleep(1000, false, { ref: false })]),
    close: () => sql.end(),
  };
};
