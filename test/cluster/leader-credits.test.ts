/** /health of a follower has the leader's part about credits. */
import t from 'tap';
import { LeaderCredits } from '../../src/cluster/cluster.js';
import { NodeAway } from '../../src/cluster/wire/peers.js';
import type { HttpAnswer, HttpRequest } from '../../src/gateway/transport.js';
import { freshDatabase, stopCluster } from '../support/database.js';
import { FILE_MS } from '../support/limits.js';
import { NODE } from '../support/nodes.js';
import { TestPlatform } from '../support/platform.js';

t.setTimeout(FILE_MS);
t.teardown(stopCluster);

const books = { units_match: true, balance_cents: 5, balance_ucents: 5000, locked_cents: 0, locked_ucents: 0 };
const told = { deposits_pending: 3, withdrawal: { running: true }, financial_reconciliation: books };

await t.test('of a leader that answers, and of none', async (t) => {
  const asked: string[] = [];
  const warned: string[] = [];
  let leader: string | null = 'a';
  let forward: () => Promise<HttpAnswer> = async () => ({ status: 200, headers: {}, body: JSON.stringify(told) });
  const credits = new LeaderCredits(
    {
      forward: (node: string, request: HttpRequest) => {
        asked.push(`${node} ${request.method} ${request.path}`);
        return forward();
      },
    },
    () => Promise.resolve(leader),
    { warn: (detail) => void warned.push((detail as { error: string }).error) },
  );
  forward = () => Promise.reject(new NodeAway('a', 'it was killed'));
  t.equal(await credits.ask(), null, 'nothing was ever told');
  forward = async () => ({ status: 200, headers: {}, body: JSON.stringify(told) });
  t.same(await credits.ask(), { pending: 3, paying: true, books });
  t.same(asked, ['a GET /health', 'a GET /health']);
  forward = () => Promise.reject(new NodeAway('a', 'it was killed'));
  const unpaid = { pending: 3, paying: false, books };
  t.same(await credits.ask(), unpaid);
  t.same(await credits.ask(), unpaid);
  t.equal(warned.length, 2, 'each time that it goes away is told once');
  leader = null;
  t.same(await credits.ask(), unpaid);
});

await t.test('of a leader whose books have credits', async (t) => {
  const address = await freshDatabase(t);
  const first = await TestPlatform.start(t, { ...NODE }, address);
  const { key } = await first.register('rich');
  const deposit = { amount: 12.34 };
  t.match(await first.api('POST', '/api/deposit', { key, body: deposit }), { status: 200 });
  await first.stop();
  const nodes = [await TestPlatform.start(t, { ...NODE }, address), await TestPlatform.start(t, { ...NODE }, address)];
  for (const node of nodes) {
    const { body } = await node.api('GET', '/health');
    t.match(body, { financial_reconciliation: { balance_cents: 1234, units_match: true } });
  }
});
