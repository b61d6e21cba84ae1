/** A notice is confirmed once the other node obeys it. An absent node delays no other. */
import t, { type Test } from 'tap';
import { Notices, NOTICE_PATH } from '../../../src/cluster/wire/notices.js';
import type { NodeNotice } from '../../../src/cluster/wire/notice-messages.js';
import { FakeLog } from '../../support/gateway.js';
import { introduce, openInternalNode } from '../../support/internal-ports.js';
import { FILE_MS } from '../../support/limits.js';

t.setTimeout(FILE_MS);

const IDS = ['a', 'b', 'c'].map((letter) => `${letter}0000000-0000-4000-8000-000000000000`);
const [A, B, C] = IDS as [string, string, string];

async function open(t: Test, nodeId: string, log: FakeLog) {
  const box: { notices?: Notices } = {};
  const calls = { [NOTICE_PATH]: (call: Parameters<Notices['serve']>[0]) => box.notices!.serve(call) };
  const node = await openInternalNode(t, { nodeId, log, calls, sockets: {} });
  const notices = (box.notices = new Notices(node.peers, log));
  const heard: { notice: NodeNotice; from: string }[] = [];
  return { node, notices, heard };
}

async function threeNodes(t: Test) {
  const log = new FakeLog();
  const nodes = await Promise.all(IDS.map((id) => open(t, id, log)));
  introduce(...nodes.map(({ node }) => node));
  return { log, nodes, a: nodes[0]!, b: nodes[1]!, c: nodes[2]! };
}

await t.test('one node, and all nodes', async (t) => {
  const { a, b, c, log } = await threeNodes(t);
  for (const { notices, heard } of [a, b, c]) {
    notices.on('key_ended', (notice, from) => void heard.push({ notice, from }));
    notices.on('draining', async (notice, from) => void heard.push({ notice, from }));
  }
  const ended: NodeNotice = { kind: 'key_ended', agentId: 'x', at: 1 };
  t.same(new Set(await a.notices.tellAll(ended)), new Set([B, C]));
  t.same(b.heard, [{ notice: ended, from: A }]);
  t.same(c.heard, b.heard);
  t.same(a.heard, [], 'the sender knows');
  t.equal(await b.notices.tell(C, { kind: 'draining', nodeId: B }), true);
  t.same(c.heard.at(-1), { notice: { kind: 'draining', nodeId: B }, from: B });
  t.same(log.lines, []);
});

await t.test('it is confirmed once it is obeyed', async (t) => {
  const { a, b } = await threeNodes(t);
  let obeyed = false;
  b.notices.on('token_ended', async () => {
    await new Promise(setImmediate);
    obeyed = true;
  });
  t.equal(await a.notices.tell(B, { kind: 'token_ended', agentId: 'x' }), true);
  t.equal(obeyed, true);
});

await t.test('nodes that do not confirm are named in the log', async (t) => {
  const { a, b, c, log } = await threeNodes(t);
  b.notices.on('season_changed', () => new Promise(() => undefined));
  t.same(await a.notices.tellAll({ kind: 'season_changed' }), [C], 'one is silent');
  t.match(log.lines, [{ level: 'warn', detail: { node: B, notice: { kind: 'season_changed' } } }]);
  c.notices.on('agent_changed', () => {
    throw new Error('a planted fault');
  });
  t.equal(await a.notices.tell(C, { kind: 'agent_changed', agentId: 'x' }), false, 'one fails');
  await c.node.port.close();
  t.equal(await a.notices.tell(C, { kind: 'agent_changed', agentId: 'x' }), false, 'one is away');
  t.equal(await a.notices.tell('nobody', { kind: 'ended', nodeId: 'nobody' }), false);
});

await t.test('kinds of another release are ignored, and logged once', async (t) => {
  const { a, log } = await threeNodes(t);
  const unknown = { kind: 'of_tomorrow', more: 1 } as unknown as NodeNotice;
  t.equal(await a.notices.tell(B, unknown), true);
  t.equal(await a.notices.tell(B, unknown), true);
  t.match(log.lines, [{ level: 'info', detail: { kind: 'of_tomorrow', node: A } }]);
  t.equal(log.lines.length, 1);
});

await t.test('fields of another release do no harm', async (t) => {
  const { a, b } = await threeNodes(t);
  b.notices.on('ended', (notice, from) => void b.heard.push({ notice, from }));
  t.equal(await a.notices.tell(B, { kind: 'ended', nodeId: A, more: 1 } as NodeNotice), true);
  t.match(b.heard, [{ notice: { kind: 'ended', nodeId: A } }]);
});

await t.test('what is no notice is refused', async (t) => {
  const { a, b, log } = await threeNodes(t);
  b.notices.on('ended', () => void t.fail('it was heard'));
  const texts = ['', 'null', '[]', '{}', '{"kind":1}', '{"kind":"ended"}', '{"kind":"ended","nodeId":7}', 'x'];
  for (const text of [...texts, JSON.stringify({ kind: 'ended', nodeId: A, more: 'x'.repeat(65_536) })]) {
    const answer = await a.node.peers.call(B, NOTICE_PATH, Buffer.from(text));
    t.equal(answer.statusCode, 400, text.slice(0, 40));
    answer.resume();
  }
  t.equal(log.lines.length, texts.length + 1);
});

await t.test('a kind has one handler', async (t) => {
  const { a } = await threeNodes(t);
  a.notices.on('ended', () => undefined);
  t.throws(() => a.notices.on('ended', () => undefined), /has one handler/);
});
