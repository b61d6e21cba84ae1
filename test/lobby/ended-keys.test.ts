/** A key that ends while its holder comes in: no session of it goes on. */
import t from 'tap';
import type { Identity } from '../../src/lobby/index.js';
import { FILE_MS } from '../support/limits.js';
import { identity, LobbyHouse } from '../support/lobby-house.js';

t.setTimeout(FILE_MS);

await t.test('while it is looked up: it is looked up again', async (t) => {
  const house = new LobbyHouse();
  const asked: ((found: Identity | null) => void)[] = [];
  house.authenticate = () => new Promise((resolve) => asked.push(resolve));
  const line = house.dial('ada');
  house.lobby.control.disconnect('ada');
  asked[0]!(identity('ada'));
  await house.clock.settle();
  t.equal(line.agentId, null);
  asked[1]!(null);
  await house.clock.settle();
  t.same([line.closeCode, asked.length], [4001, 2]);
});
