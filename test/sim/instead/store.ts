import { randomUUID } from '../machine/crypto.js';
import { setTimeout as sleep } from '../machine/timers-promises.js';
import type * as real from '../../../src/store/store.js';
import { Leadership } from '../../../src/store/node/leadership.js';
import { DatabaseClock } from '../../../src/store/node/database-clock.js';
import type { OwnNode } from '../../../src/store/node/own-node.js';
import { Broken } from '../broken.js';
import { machine } from '../machine/machine.js';
import { connect } from './database.js';

const ADDRESS = { url: 'postgres://vault' };

/** src/store/store.ts over the vault: no server to start, no schema to bring up to date. */
export const openStore: typeof real.openStore = async (config, log, fatal) => {
  const sql = connect(ADDRESS, { max: 1, name: 'front' });
  const { kernel, storage } = machine();
  const { current } = kernel;
  const id = randomUUID();
  const epoch = await storage.statement(sql, ({ leases }) => leases.succeed(id, current));
  // Its life is simulated elsewhere: in worlds of leases.
  const clock = new DatabaseClock();
  clock.read(Date.now(), clock.asking());
  const node: OwnNode = { id, place: 0, holds: true, epoch, clock, leave: () => Promise.resolve() };
  return storeOn(node, { address: ADDRESS, config, log, fatal, background: sql });
};

export const storeOn: typeof real.storeOn = async (node, { address, fatal, background }) => {
  const sql = background ?? connect(address, { max: 1, name: 'front' });
  const asked = () =>
    sql`select 1`.then(
      () => true,
      () => false,
    );
  return {
    ...{
      sql,
      admission: sql,
      background: sql,
      address,
      node,
      installation: 'vault',
      folder: null,
      abandon: () => undefined,
    },
    leadership: new Leadership(node.epoch, fatal),
    answers: () => Promise.race([asked(), sleep(1000, false, { ref: false })]),
    close: () => sql.end(),
  };
};

export const migrated: typeof real.migrated = () => Promise.resolve();
export const installationAt: typeof real.installationAt = () => Promise.resolve('vault');
export const nodeName: typeof real.nodeName = () => machine().kernel.current.name;

export const leaveAsAsked: typeof real.leaveAsAsked = () => {
  throw new Broken('no operator asks a node of the simulation to leave');
};
