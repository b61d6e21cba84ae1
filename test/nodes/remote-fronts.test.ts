/** What the leader tells nodes of tables that move: whoever comes meanwhile holds, too, and nobody holds for ever. */
import t from 'tap';
import { SocketHub } from '../../src/gateway/sockets.js';
import type { NodeMessage } from '../../src/nodes/node-messages.js';
import type { PeerBus } from '../../src/nodes/peer.js';
import { RemoteFronts } from '../../src/nodes/remote-fronts.js';
import { FakePeer } from '../support/fake-peer.js';
import { FILE_MS } from '../support/limits.js';

t.setTimeout(FILE_MS);

const silent = () => undefined;
const log = { info: silent, warn: silent, error: silent };

/** A leader, of which nodes hear by what is sent to them. */
class House {
  readonly own = new FakePeer('own');
  readonly fronts: RemoteFronts;

  constructor() {
    const hub = new SocketHub({
      ...{ messagesPerSecond: 1, bufferBytes: 1, deferMs: 0, delayHands: 0, log },
      clientIp: () => '192.0.2.1',
    });
    const bus = { peer: (id: string) => new FakePeer(id) } as unknown as PeerBus<NodeMessage>;
    this.fronts = new RemoteFronts({
      ...{ bus, release: 'test', expected: [], links: [], hasEnded: async () => false, lapsed: async () => [], log },
      own: { sockets: hub, place: 0, peer: this.own },
    });
  }

  comes(name: string, place: number): FakePeer {
    const peer = new FakePeer(name);
    this.fronts.message(peer, { t: 'hello', release: 'test', place });
    return peer;
  }
}

const movesOf = ({ messages }: FakePeer) =>
  messages.flatMap((message) => {
    if (message.t === 'hold') return [`hold ${message.table}`];
    return message.t === 'moved' ? [`${message.table} is of ${message.shard}`] : [];
  });

await t.test('a node that comes while a table moves holds, too', async (t) => {
  const house = new House();
  const first = house.comes('a', 1);
  let held = false;
  house.fronts.hold('x', () => (held = true));
  const second = house.comes('b', 2);
  t.same([movesOf(first), movesOf(second)], [['hold x'], ['hold x']]);
  house.fronts.message(second, { t: 'holds', table: 'x' });
  t.notOk(held, 'nothing of it is on its way from there');
  house.fronts.message(first, { t: 'holds', table: 'x' });
  t.ok(held);
  house.fronts.moved('x', 7, false);
  t.same([movesOf(first).at(-1), movesOf(second).at(-1)], ['x is of 7', 'x is of 7']);
  t.same(movesOf(house.comes('c', 3)), ['x is of 7']);
});

await t.test('a node that holds for a leader before this one is told whose the table is', async (t) => {
  const house = new House();
  const asked: string[] = [];
  house.fronts.whereIs = (table, then) => {
    asked.push(table);
    then(4);
  };
  const node = house.comes('a', 1);
  house.fronts.message(node, { t: 'holds', table: 'x' });
  t.same(movesOf(node), ['x is of 4']);
  house.fronts.moved('y', 5, false);
  house.fronts.hold('z', () => undefined);
  for (const table of ['y', 'z']) house.fronts.message(node, { t: 'holds', table });
  t.same(asked, ['x'], 'where y went it was told, and z is about to go');
});
