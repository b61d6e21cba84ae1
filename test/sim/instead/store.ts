import { randomUUID } from '../machine/crypto.js';
import { setTimeout as sleep } from '../machine/timers-promises.js';
import type * as real from '../../../src/store/store.js';
import { Leadership } from '../../../src/store/node/leadership.js';
import { DatabaseClock } from '../../../src/store/node/database-clock.js';
import type { OwnNode } from '../../../src/store/node/own-node.js';
import { machine } from '../machine/machine.js';
import { connect } from './database.js';

const ADDRESS = { url: 'postgres://vault' };

/** src/store/store.ts over the vault: no server to start, no schema to bring up to date. */
export const openStore: typeof real.openStore = async (_config, _log, { fatal }) => {
  const background = connect(ADDRESS, { max: 1, name: 'front' });
  const { kernel, storage } = machine();
  const { current } = kernel;
  const id = randomUUID();
  // Lives that overlap are simulated elsewhere: in worlds of leases.
  const epoch = await storage.statement(background, ({ leases }) => leases.begin(id, current));
  const clock = new DatabaseClock();
  clock.read(Date.now(), clock.asking());
  const [claim, done] = [() => Promise.resolve(true), () => Promise.resolve()];
  const node: OwnNode = { id, holds: true, judges: true, epoch, clock, claim, end: done, leave: done };
  const sql = connect(ADDRESS, { max: 1, name: 'front' });
  const asked = () =>
    sql`select 1`.then(
      () => true,
      () => false,
    );
  return {
    sql,
    admission: sql,
    background,
    address: ADDRESS,
    node,
    installation: 'vault',
    folder: null,
    abandon: () => undefined,
    leadership: new Leadership(() => epoch, fatal),
    answers: () => Promise.race([asked(), sleep(1000, false, { ref: false })]),
    close: () => sql.end(),
  };
};
