/** Frames that may wait: those of another node's shards have waited at that node, so they do so here for the rest only. */
import t from 'tap';
import { Exchange } from '../../src/gateway/exchange.js';
import type { WireSocket } from '../../src/gateway/transport.js';
import { Member } from '../../src/nodes/member.js';
import { MAY_WAIT, MAY_WAIT_LONG } from '../../src/table/outbox.js';
import { FakePeer, framesFor } from '../support/fake-peer.js';
import { FakeLog } from '../support/gateway.js';
import { FILE_MS } from '../support/limits.js';
import { Net } from '../support/nodes.js';

t.setTimeout(FILE_MS);

/** So long frames wait in all, and at the sender. */
const [DEFER_MS, WAITED_MS] = [200, 190];

const REQUEST = new Exchange({ method: 'GET', path: '/ws', query: '', remote: '', headers: {} });
const NEVER = () => {
  throw new Error('nobody asks for it');
};

/** A node that neither leads nor has a shard, with sockets that write down what they are sent, all in one list. */
function member() {
  const log = new FakeLog();
  const node = new Member({
    ...{ id: 'here', place: 1, release: 'test', bus: new Net().bus('here', log), log },
    ...{ holds: () => true, ended: NEVER, publish: NEVER },
    shards: { count: 0, thread: NEVER, counts: { shard: NEVER, shardEnded: NEVER } },
    sockets: {
      ...{ messagesPerSecond: 20, bufferBytes: 1000, delayHands: 0, clientIp: () => '1.1.1.1' },
      ...{ deferMs: DEFER_MS, waitedMs: WAITED_MS },
    },
  });
  t.teardown(() => node.guests.end());
  const said: string[] = [];
  const heard = new Map<string, () => void>();
  const socket: WireSocket = {
    send: (frame) => {
      const text = Buffer.from(frame as Uint8Array).toString();
      said.push(text);
      heard.get(text)?.();
      return true;
    },
    cork: (write) => write(),
    ...{ buffered: () => 0, subscribe: NEVER, unsubscribe: NEVER, close: NEVER },
  };
  /** Its number, once nothing waits that it was greeted with. */
  const open = async (): Promise<number> => {
    node.hub.open(socket, REQUEST);
    const id = node.hub.arriving()[0]!.socket;
    node.hub.welcome(id, { agentId: `agent ${id}`, name: 'ada' }, null);
    await new Promise(setImmediate);
    said.length = 0;
    return id;
  };
  const hear = (text: string) => new Promise<void>((resolve) => heard.set(text, resolve));
  return { node, open, said, hear };
}

function marked(socket: number, text: string, marks: number) {
  const frames = framesFor([socket, text]);
  frames.index[1]! |= marks;
  return frames;
}

await t.test(
  'frames of another node leave before those of this one that came sooner, and long ones behind them',
  async (t) => {
    const { node, open, said, hear } = member();
    const [own, other, out] = [await open(), await open(), await open()];
    const all = Promise.all(['own', 'other', 'long'].map(hear));
    const { bytes, index } = marked(own, 'own', MAY_WAIT);
    node.hub.forward(bytes, index);
    const peer = new FakePeer('there');
    node.frames(peer, marked(out, 'long', MAY_WAIT | MAY_WAIT_LONG));
    node.frames(peer, marked(other, 'other', MAY_WAIT));
    t.same(said, [], 'all of them wait');
    await all;
    t.same(said, ['other', 'own', 'long']);
  },
);

await t.test('what may not wait takes along what of another node does', async (t) => {
  const { node, open, said } = member();
  const socket = await open();
  const peer = new FakePeer('there');
  node.frames(peer, marked(socket, 'first', MAY_WAIT));
  t.same(said, []);
  node.frames(peer, framesFor([socket, 'second']));
  t.same(said, ['first', 'second']);
});
