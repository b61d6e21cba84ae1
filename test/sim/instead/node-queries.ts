import type * as real from '../../../src/store/node/queries.js';
import { machine } from '../machine/machine.js';
import type { Leases } from '../vault/leases.js';
import type { Storage } from '../vault/storage.js';

/** src/store/node/queries.ts on the vault. A session lasts as long as the thread that began it, and the server. */
const run = <T>(sql: Parameters<Storage['statement']>[0], effect: (leases: Leases) => T): Promise<T> =>
  machine().storage.statement(sql, ({ leases }) => effect(leases));

export const knowsNodes: typeof real.knowsNodes = (sql) => run(sql, () => true);

export const leading: typeof real.leading = (sql) => run(sql, (leases) => leases.leading());

export const register: typeof real.register = (sql, node) => {
  const { current } = machine().kernel;
  return run(sql, (leases) => {
    const time = leases.register(node);
    leases.answers(node.nodeId, () => current.alive);
    return time;
  });
};

export const renew: typeof real.renew = (sql, nodeId, leaseMs) => {
  const { current } = machine().kernel;
  return run(sql, (leases) => {
    leases.answers(nodeId, () => current.alive);
    return leases.renew(nodeId, leaseMs);
  });
};

export const endOther: typeof real.endOther = (sql, dead, by, proof) =>
  run(sql, (leases) => leases.endOther(dead, by, proof));

export const endOwn: typeof real.endOwn = (sql, nodeId) => run(sql, (leases) => leases.endOwn(nodeId));

export const claimLeadership: typeof real.claimLeadership = (sql, nodeId, seen) => {
  const { current } = machine().kernel;
  return run(sql, (leases) => {
    const epoch = leases.claimLeadership(nodeId, seen);
    if (epoch !== null) leases.leads = current;
    return epoch;
  });
};

export const otherNodes: typeof real.otherNodes = (sql, nodeId) => run(sql, (leases) => leases.others(nodeId));

export { NOT_LEADER } from '../../../src/store/node/queries.js';

export const requireLeader: typeof real.requireLeader = (tx, epoch) => run(tx, (leases) => leases.requireLeader(epoch));

/** No part of a statement, but the epoch that it asks for: see led.ts. */
export const leads: typeof real.leads = (_sql, epoch) => epoch as unknown as ReturnType<typeof real.leads>;
