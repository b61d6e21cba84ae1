/**
 * A key that ends while its holder comes in, or while a lobby that inherits has not settled: no session of it goes on, and
 * a new key lets in.
 */
import t from 'tap';
import type { Identity } from '../../src/lobby/index.js';
import { FILE_MS } from '../support/limits.js';
import { identity, LobbyHouse } from '../support/lobby-house.js';

t.setTimeout(FILE_MS);

/** Ada plays with bob, and comes anew while the lobby changes. */
async function changing(key: string) {
  const house = new LobbyHouse();
  const valid = new Set(['ada', 'bob']);
  house.authenticate = (shown) => Promise.resolve(valid.has(shown) ? identity(shown.split(' ')[0]!) : null);
  const [ada, bob] = await house.join('ada', 'bob');
  house.begin();
  await house.report();
  const newKey = () => {
    valid.delete('ada');
    valid.add('ada anew');
    house.lobby.control.disconnect('ada');
  };
  return { house, ada: ada!, bob: bob!, newKey, dial: () => house.connect(key) };
}

await t.test('before the lobby has settled', async (t) => {
  await t.test('a socket that resumes with it ends, and nobody else does', async (t) => {
    const { house, ada, bob, newKey } = await changing('ada');
    house.resume();
    await house.clock.settle();
    newKey();
    await house.settle();
    t.same([ada.closeCode, bob.closeCode], [4001, null]);
    t.match(house.lobby.views.counts(), { connected: 1, seated: 2 });
  });

  await t.test('one that opens with it is refused', async (t) => {
    const { house, ada, newKey, dial } = await changing('ada');
    ada.gone = true;
    const next = await dial();
    newKey();
    await house.settle();
    t.same([next.closeCode, next.agentId, next.types], [4001, null, ['auth_failed']]);
  });

  await t.test('one that opens with the new key is welcome', async (t) => {
    const { house, ada, newKey, dial } = await changing('ada anew');
    ada.gone = true;
    newKey();
    const next = await dial();
    house.lobby.control.disconnect('ada');
    await house.settle();
    t.same([next.closeCode, next.agentId], [null, 'ada']);
  });

  await t.test('of two sockets of an agent both end', async (t) => {
    const { house, ada, newKey } = await changing('ada');
    const other = house.dial('ada');
    other.agentId = 'ada';
    house.resume();
    await house.clock.settle();
    newKey();
    await house.settle();
    t.same([ada.closeCode, other.closeCode], [4001, 4001]);
    t.match(house.lobby.views.counts(), { connected: 1, seated: 2 });
  });
});

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
