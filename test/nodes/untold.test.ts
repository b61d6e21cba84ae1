/** A stay that ended at a shard whose node died: whom nobody told of it comes back, wherever its socket is. */
import t from 'tap';
import { Exchange } from '../../src/gateway/exchange.js';
import { SocketHub } from '../../src/gateway/sockets.js';
import type { WireSocket } from '../../src/gateway/transport.js';
import { Member } from '../../src/nodes/member.js';
import type { NodeMessage } from '../../src/nodes/node-messages.js';
import type { PeerBus } from '../../src/nodes/peer.js';
import { RemoteFronts } from '../../src/nodes/remote-fronts.js';
import { UNHEARD, UNTOLD } from '../../src/protocol/codes.js';
import { PLACES, type SocketId } from '../../src/table/api.js';
import { LAST } from '../../src/table/outbox.js';
import { FakePeer, framesFor } from '../support/fake-peer.js';
import { FakeLog } from '../support/gateway.js';
import { FILE_MS } from '../support/limits.js';
import { Net } from '../support/nodes.js';

t.setTimeout(FILE_MS);

const REQUEST = new Exchange({ method: 'GET', path: '/ws', query: '', remote: '', headers: {} });
const silent = () => undefined;
const NEVER = () => {
  throw new Error('nobody asks for it');
};
/** Their shards. */
const [THEIRS, OTHERS] = [3, 4];
const sat = (shard: number) => ({ shard, table: 'T', seat: 1 });

/** Opens sockets at a hub, and notes with which reasons they end. */
function opener(hub: SocketHub) {
  const ends: [SocketId, number, string][] = [];
  const says = new Map<SocketId, (text: string) => void>();
  const open = (shard: number): SocketId => {
    const socket: WireSocket = {
      ...{ send: () => true, cork: (write: () => void) => write(), buffered: () => 0 },
      ...{ subscribe: silent, unsubscribe: silent },
      close: (code: number, reason: string) => void ends.push([id, code, reason]),
    };
    const listener = hub.open(socket, REQUEST);
    const id = hub.arriving()[0]!.socket;
    hub.welcome(id, { agentId: `agent ${id}`, name: 'ada' }, sat(shard));
    says.set(id, (text) => listener.message(Buffer.from(text)));
    return id;
  };
  const ended = async () => {
    await new Promise(setImmediate);
    return ends;
  };
  return { open, ended, says };
}

const SOCKETS = { messagesPerSecond: 20, bufferBytes: 1000, delayHands: 0, deferMs: 0, clientIp: () => '1.1.1.1' };

await t.test(
  'the word of it came from the leader, and the frames died with the link to the shard’s node',
  async (t) => {
    const log = new FakeLog();
    const node = new Member({
      ...{ id: 'here', place: 1, release: 'test', bus: new Net().bus('here', log), log },
      ...{ holds: () => true, ended: NEVER, publish: NEVER },
      shards: { count: 0, thread: NEVER, counts: { shard: NEVER, shardEnded: NEVER } },
      sockets: SOCKETS,
    });
    t.teardown(() => node.guests.end());
    const { open, ended, says: clients } = opener(node.hub);
    const leader = new FakePeer('leader');
    const says = (message: NodeMessage) => node.fromLeader(leader, message);
    says({ t: 'shardAt', shard: THEIRS, node: 'there' });
    says({ t: 'shardAt', shard: OTHERS, node: 'elsewhere' });
    const [untold, told, other, seated] = [open(THEIRS), open(THEIRS), open(OTHERS), open(THEIRS)];
    const last = framesFor([told, 'player_left']);
    last.index[1]! |= LAST;
    node.frames(new FakePeer('there'), last);
    for (const socket of [untold, told]) says({ t: 'route', socket, route: { ...sat(THEIRS), seat: null } });
    says({ t: 'route', socket: other, route: { ...sat(OTHERS), seat: null } });
    t.same(await ended(), [], 'what tells of it may be on its way');
    says({ t: 'ended', node: 'there' });
    t.same(await ended(), [[untold, 1013, UNTOLD]]);
    says({ t: 'untold', socket: told });
    t.equal((await ended()).length, 1);
    // It attached elsewhere, and its stay was over by what is stored.
    says({ t: 'untold', socket: seated });
    t.same((await ended()).slice(1), [[seated, 1013, UNTOLD]]);
    // Both have no seat, and say what the leader answers at once; it has handled that of one.
    for (const socket of [told, other]) clients.get(socket)!('{"type":"leave_table"}');
    says({ t: 'handled', socket: told });
    node.hub.endUnheard();
    t.same((await ended()).slice(2), [[other, 1013, UNHEARD]]);
  },
);

await t.test('the leader asks the node that has the socket, its own among them', async (t) => {
  const hub = new SocketHub({ ...SOCKETS, log: new FakeLog(), firstId: PLACES });
  const registry = {
    opened: silent,
    watching: silent,
    message: silent,
    mishap: silent,
    closed: silent,
    resumed: silent,
  };
  hub.serve({ registry, link: NEVER });
  const { open, ended } = opener(hub);
  const bus = { peer: (id: string) => new FakePeer(id) } as unknown as PeerBus<NodeMessage>;
  const fronts = new RemoteFronts({
    ...{ bus, release: 'test', expected: [], links: [], hasEnded: async () => false, lapsed: async () => [] },
    ...{ log: new FakeLog(), own: { sockets: hub, place: 0, peer: new FakePeer('own') } },
  });
  const peer = new FakePeer('there');
  fronts.message(peer, { t: 'hello', release: 'test', place: 2 });
  const own = open(THEIRS);
  const other = 7 * PLACES + 2;
  fronts.sockets.untold(other);
  fronts.sockets.untold(own);
  t.same(peer.messages.at(-1), { t: 'untold', socket: other });
  t.same(await ended(), [[own, 1013, UNTOLD]]);
  fronts.sockets.handled(other);
  t.same(peer.messages.at(-1), { t: 'handled', socket: other });
});

await t.test(
  'a node whose life is over says nothing more to the leader, though its link heals before the bus is closed',
  async (t) => {
    const leader = new FakePeer('leader');
    const node = new Member({
      ...{ id: 'here', place: 1, release: 'test', log: new FakeLog() },
      bus: { peer: () => leader, deafMs: 0 } as unknown as PeerBus<NodeMessage>,
      ...{ holds: () => true, ended: NEVER, publish: NEVER },
      shards: { count: 1, thread: NEVER, counts: { shard: NEVER, shardEnded: NEVER } },
      sockets: SOCKETS,
    });
    node.follow('leader');
    t.same(leader.kinds, ['hello', 'lend']);
    node.end(1012);
    t.same(leader.kinds.slice(2), ['bye']);
    node.healed(leader);
    node.message(leader, { t: 'borrow', shard: 0, epoch: 1, now: 1 });
    t.same(leader.kinds.slice(3), [], 'it is no member any more, and asks for no shard');
  },
);
