import * as queries from '../../../src/store/node/queries.js';
import type { Step, Twins } from './twins.js';

/** The statements of nodes. Their leases have long run out or run for long, since the two do not share a clock. */

const [LONG, OVER] = [3_600_000, -3_600_000];

export function node(twins: Twins): Step {
  const { dice, sql, vault } = twins;
  const { leases } = vault;
  const [own, other] = [twins.node(), twins.node()];
  const lease = dice.chance(0.7) ? LONG : OVER;
  const proof = dice.pick(['lease', 'lease', 'alone'] as const);
  const seen = dice.chance(0.7) ? leases.leader.holder : dice.pick([own, null]);
  switch (dice.int(0, 6)) {
    case 0: {
      if (leases.nodes.has(own)) return node(twins);
      const fresh = { nodeId: own, name: 'name', internal: dice.pick([null, 'host:1']), leaseMs: lease };
      return twins.statement(
        'register',
        async () => typeof (await queries.register(sql, fresh)),
        () => typeof leases.register(fresh),
      );
    }
    case 1:
      return twins.statement(
        'renew',
        async () => timeless(await queries.renew(sql, own, lease)),
        () => timeless(leases.renew(own, lease)),
      );
    case 2:
      return twins.statement(`end by ${proof}`, () => queries.endOther(sql, other, own, proof), () => leases.endOther(other, own, proof)); // prettier-ignore
    case 3:
      return twins.statement(
        'end own',
        () => queries.endOwn(sql, own),
        () => leases.endOwn(own),
      );
    case 4:
      return twins.statement('lead', () => queries.claimLeadership(sql, own, seen), () => leases.claimLeadership(own, seen)); // prettier-ignore
    case 5:
      return twins.statement(
        'other nodes',
        async () => (await queries.otherNodes(sql, own)).map(untimed),
        () => leases.others(own).map(untimed),
      );
    default:
      return twins.statement(
        'leading',
        () => queries.leading(sql),
        () => leases.leading(),
      );
  }
}

const timeless = <T extends { time: number }>(answer: T | null) => answer && { ...answer, time: null };

/** Sessions are simulated in worlds of leases. */
const untimed = (other: queries.LivingNode) => ({ ...other, since: null, until: null, silent: null });
