/** A node without its database: after 15 s its clients go to other nodes. A process alone waits. */
import t from 'tap';
import { DatabaseOutage } from '../../src/cluster/database-outage.js';
import { LEASE_MS } from '../../src/store/node/lease.js';

function outage() {
  const state = { holds: true, others: true, now: 0, ended: 0, warnings: 0 };
  const watch = new DatabaseOutage({
    holds: () => state.holds,
    hasOthers: () => state.others,
    endSockets: () => void state.ended++,
    now: () => state.now,
    log: { warn: () => void state.warnings++ },
  });
  /** Looks at this time. Resolves to the number of times that sockets were ended. */
  const at = (ms: number): number => {
    state.now = ms;
    watch.look();
    return state.ended;
  };
  return { state, at };
}

/** The database's last answer was at 0. */
const OVER = LEASE_MS;

void t.test('15 s after the last answer sockets end, and those that come back end, too', async (t) => {
  const { state, at } = outage();
  t.equal(at(0), 0);
  state.holds = false;
  t.same([OVER, 14_999].map(at), [0, 0]);
  t.equal(at(15_000), 1);
  t.equal(at(16_000), 2);
  t.equal(state.warnings, 1, 'it is said once');
});

void t.test('an answer of the database ends the outage', async (t) => {
  const { state, at } = outage();
  state.holds = false;
  at(OVER);
  state.holds = true;
  at(14_000);
  state.holds = false;
  t.equal(at(20_000), 0, 'the time begins anew');
  t.equal(at(29_999), 0);
  t.equal(at(30_000), 1);
});

void t.test('where no other node lived, sockets stay open', async (t) => {
  const { state, at } = outage();
  state.holds = state.others = false;
  t.same([OVER, 15_000, 3_600_000].map(at), [0, 0, 0]);
  t.equal(state.warnings, 0);
});
