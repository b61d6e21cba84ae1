/** A message of another node that has a known name and a wrong shape breaks the link to that node, and nothing else. */
import t from 'tap';
import type { NodeMessage } from '../../src/nodes/node-messages.js';
import { FakeLog } from '../support/gateway.js';
import { eventually, FILE_MS } from '../support/limits.js';
import { Net } from '../support/nodes.js';

t.setTimeout(FILE_MS);
const [A, B] = ['a', 'b'].map((digit) => `${digit}0000000-0000-4000-8000-000000000000`) as [string, string];

await t.test('the link breaks, stands again, and carries what follows', async (t) => {
  const net = new Net();
  const log = new FakeLog();
  const [a, b] = [net.bus(A, log), net.bus(B, log)];
  t.teardown(() => Promise.all([a.close(), b.close()]));
  const told: string[] = [];
  const quiet = { frames: () => undefined, knocked: () => undefined };
  await b.begin({
    ...quiet,
    healed: () => told.push('healed'),
    broken: (_peer, why) => told.push(`broken: ${why}`),
    message: (_peer, message) => {
      // As a handler reads a field that is not there.
      if (message.t === 'hello') told.push(message.release.toUpperCase());
    },
  });
  await a.begin({ ...quiet, healed: () => undefined, broken: () => undefined, message: () => undefined });
  b.peer(A);
  const peer = a.peer(B);
  await eventually('a link', () => peer.up && told.includes('healed'));

  peer.send({ t: 'hello' } as NodeMessage);
  peer.send({ t: 'hello', release: 'lost with the link', place: 1 });
  await eventually('another link', () => told.filter((said) => said === 'healed').length === 2 && peer.up);
  peer.send({ t: 'hello', release: 'heard', place: 1 });
  await eventually('what follows', () => told.includes('HEARD'));
  t.same(told, ['healed', 'broken: malformed', 'healed', 'HEARD']);
  t.equal(b.counts.broken.malformed, 1);
  t.match(log.lines, [{ level: 'warn', detail: { node: A }, message: /cannot be handled/ }]);
});
