/** A join that belongs to another node goes there with its session, and whatever comes meanwhile goes after it. */
import t from 'tap';
import type { OtherNodes } from '../../src/lobby/index.js';
import { FILE_MS } from '../support/limits.js';
import { LobbyHouse } from '../support/lobby-house.js';

t.setTimeout(FILE_MS);

const [HERE, HOST] = ['here', 'the host'];

/** A cluster where every join belongs to the host. `answer` decides on the oldest request for a home. */
function cluster() {
  const requests: ((given: boolean) => void)[] = [];
  const homes = new Map<string, string>();
  const others: OtherNodes = {
    nodeId: HERE,
    homeOf: async (agentId) => {
      const home = homes.get(agentId) ?? HERE;
      homes.set(agentId, home);
      return home === HERE ? null : home;
    },
    give: async (agentId, node) => {
      const given = await new Promise<boolean>((resolve) => requests.push(resolve));
      if (given) homes.set(agentId, node);
      return given;
    },
    placeOf: () => ({ at: 'node', node: HOST }),
    nodeOfTable: () => Promise.resolve(null),
    seatOf: () => Promise.resolve(null),
    tableView: () => Promise.resolve(null),
    tables: () => Promise.resolve([]),
  };
  const house = new LobbyHouse({ others });
  const answer = async (given: boolean) => {
    requests.shift()!(given);
    await house.clock.settle();
  };
  return { house, requests, homes, answer };
}

await t.test('a join goes with its session once the home is given', async (t) => {
  const { house, answer } = cluster();
  const [ada] = await house.join('ada');
  t.equal(ada!.relayed, null, 'the database has not answered');
  await answer(true);
  t.match(ada!.relayed, { node: HOST, handOver: { agentId: 'ada', waiting: { buyIn: null, greeted: true } } });
  t.equal(house.lobby.node.has('ada'), false);
});

await t.test('a socket that comes meanwhile waits, and goes to the host, too', async (t) => {
  const { house, answer } = cluster();
  const [ada] = await house.join('ada');
  const again = await house.connect('ada');
  t.same([again.agentId, again.relayed, ada!.closeCode], [null, null, null]);
  await answer(true);
  t.match(ada!.relayed, { node: HOST });
  t.same(again.relayed, { node: HOST, handOver: null });
  t.equal(house.lobby.node.has('ada'), false, 'this node has nothing of an agent whose home is elsewhere');
});

await t.test('a socket that comes meanwhile takes over where the home is not given', async (t) => {
  const { house, answer } = cluster();
  const [ada] = await house.join('ada');
  const again = await house.connect('ada');
  await answer(false);
  t.same([again.agentId, again.relayed, ada!.relayed, ada!.closeCode], ['ada', null, null, 4002]);
});

await t.test('a session whose season winds down meanwhile goes all the same', async (t) => {
  const { house, answer } = cluster();
  const [ada] = await house.join('ada');
  house.lobby.control.windDown('season 1');
  await house.clock.settle();
  await answer(true);
  t.match(ada!.relayed, { node: HOST });
  t.equal(house.lobby.node.has('ada'), false);
});

await t.test('a join whose home is not given is sent again', async (t) => {
  const { house, requests, answer } = cluster();
  const [ada] = await house.join('ada');
  await answer(false);
  t.equal(requests.length, 0);
  await house.clock.advance(1000);
  await answer(true);
  t.match(ada!.relayed, { node: HOST });
});
