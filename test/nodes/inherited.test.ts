/**
 * Another node takes the lead: shards of nodes that live play on as they are, once they have said what is there; those of
 * dead ones are dealt out. What was said to the leader before and by it is not said again: the report has all of it.
 */
import t from 'tap';
import { closed, LentHouse, opening, state } from '../support/lent-house.js';
import { eventually, FILE_MS } from '../support/limits.js';

t.setTimeout(FILE_MS);

const TABLE = '00000000-0000-4000-8000-00000000000a';

await t.test('a shard that lives is taken as it is', async (t) => {
  const house = await LentHouse.open(t, 1);
  const { node, leader: before } = house;
  const thread = node.thread(0);
  before.links[0]!.send(state('read'));
  await eventually('what the leader said', () => thread.tables.length === 1);
  house.net.cut = true;
  before.links[0]!.send(state('never read'));
  thread.say(closed('never heard'));
  await house.broken();
  house.net.cut = false;
  await before.dies();
  node.follow(null);
  thread.say(closed('said to nobody'));

  const next = await house.succeed({ living: house.livingOf(node), orphaned: [] });
  next.stored = { 0: [opening('a'), opening('lost on its way')] };
  t.same(next.heard, ['0 down', '0 somewhere']);
  next.links[0]!.send(state('said before it answers'));
  const settled = next.remote.settled();
  node.follow(next);
  await eventually('the question', () => thread.read.some(({ t }) => t === 'report'));
  thread.say(closed('said before its report'));
  t.same(next.remote.counts, { borrowed: 1, down: 1 });
  await thread.reports('a', 'b');
  thread.say(closed('b'));
  await settled;
  t.same(next.heard.slice(2, 3), ['0 has a,b']);
  await next.hears('0 closed b');
  await next.hears('0 should have a,lost on its way');
  t.same(next.heard.filter((line) => line.includes('closed')), ['0 closed b']); // prettier-ignore
  await eventually('what it said first', () => thread.tables.length === 2);
  t.same(thread.tables, ['read', 'said before it answers']);
  const order = thread.read.map(({ t }) => t).filter((kind) => kind === 'report' || kind === 'state');
  t.same(order, ['state', 'report', 'state'], 'the question is the first that it reads of the next');
  t.notOk(thread.stopped);
  t.same(next.remote.counts, { borrowed: 1, down: 0 });
  thread.say(closed('a'));
  next.links[0]!.send(state('later'));
  await next.hears('0 closed a');
  await eventually('what is said later', () => thread.tables.at(-1) === 'later');
});

await t.test('a link that breaks before the report is read changes nothing', async (t) => {
  const house = await LentHouse.open(t, 1);
  const { node, leader: before } = house;
  await before.dies();
  const next = await house.succeed({ living: house.livingOf(node), orphaned: [] });
  node.follow(next);
  const thread = node.thread(0);
  await eventually('the question', () => thread.read.some(({ t }) => t === 'report'));
  await eventually('the leader to know that it was read', () => next.beats > 0);
  house.net.cut = true;
  await thread.reports('a');
  await house.broken();
  house.net.cut = false;
  await next.hears('0 has a');
  await next.remote.settled();
  t.equal(thread.read.filter(({ t }) => t === 'report').length, 1, 'it is asked once');
  thread.say(closed('a'));
  await next.hears('0 closed a');
  t.notOk(thread.stopped);
});

await t.test('…nor does one that breaks before the question is read', async (t) => {
  const house = await LentHouse.open(t, 1);
  const { node, leader: before, net } = house;
  await before.dies();
  const next = await house.succeed({ living: house.livingOf(node), orphaned: [] });
  node.follow(next);
  await eventually('the link', () => node.bus.peer(next.id).up && next.bus.peer(node.id).up);
  net.cut = true;
  await house.broken();
  net.cut = false;
  await node.thread(0).reports('a');
  await next.hears('0 has a');
  t.notOk(node.thread(0).stopped);
});

await t.test('shards of dead nodes are dealt out once some shard is up', async (t) => {
  const house = await LentHouse.open(t, 1, 1);
  const [lives, dies] = house.nodes;
  await house.leader.dies();
  await dies!.bus.close();
  const next = await house.succeed({ living: house.livingOf(lives!), orphaned: [1] });
  next.dealt[1] = Promise.resolve([{ opening: opening(TABLE), shard: 0 }]);
  t.same(next.heard, ['0 down', '0 somewhere', '1 down']);
  next.links[1]!.send(state(TABLE));
  let isSettled = false;
  const settled = next.remote.settled().then(() => (isSettled = true));
  lives!.follow(next);
  const thread = lives!.thread(0);
  await eventually('the question', () => thread.read.some(({ t }) => t === 'report'));
  t.notOk(next.heard.includes('1 goes to 0'), 'nobody could have them yet');
  t.notOk(isSettled);
  await thread.reports();
  await settled;
  t.ok(next.heard.includes('1 dealt out 0'));
  await eventually('its table, and what came for it', () => thread.tables.includes(TABLE));
  t.match(thread.read.slice(-2), [{ t: 'open', opening: { tableId: TABLE } }, { t: 'state', table: TABLE }]); // prettier-ignore
});

await t.test(
  'of a shard that lives and is late it is known what is stored, so that nobody there is taken for free',
  async (t) => {
    const house = await LentHouse.open(t, 1);
    const { node, leader: before } = house;
    await before.dies();
    const next = await house.succeed({ living: house.livingOf(node), orphaned: [] });
    next.stored = { 0: [opening('a')] };
    await next.remote.settled();
    t.same(next.heard.slice(2), ['0 is not heard, with a']);
    node.follow(next);
    const thread = node.thread(0);
    await eventually('the question', () => thread.read.some(({ t }) => t === 'report'));
    await thread.reports('a');
    await next.hears('0 has a');
  },
);

await t.test('…and so are those of a node that ends before it has said what is there', async (t) => {
  const house = await LentHouse.open(t, 1, 1);
  const [lives, dies] = house.nodes;
  await house.leader.dies();
  const next = await house.succeed({ living: house.livingOf(lives!, dies!), orphaned: [] });
  lives!.follow(next);
  await lives!.thread(0).reports();
  await dies!.bus.close();
  next.ended.add(dies!.id);
  await next.hears('1 goes to 0');
  t.notOk(next.heard.includes('1 lost'), 'nothing of it was known');
  await next.remote.settled();
  t.same(next.remote.counts, { borrowed: 1, down: 0 });
});

await t.test('a node that has lost its shard meanwhile is given another', async (t) => {
  const house = await LentHouse.open(t, 1);
  const { node, leader: before } = house;
  const living = house.livingOf(node);
  await before.dies();
  node.follow(null);
  node.thread(0).listener.onLost!(0, 'a test');
  const next = await house.succeed({ living, orphaned: [] });
  node.follow(next);
  await next.hears('1 ready');
  await next.hears('0 goes to 1');
  await next.remote.settled();
  t.same(next.remote.counts, { borrowed: 1, down: 0 });
});

await t.test('a shard that the next leader knows nothing of is over', async (t) => {
  const house = await LentHouse.open(t, 1);
  const { node, leader: before } = house;
  const thread = node.thread(0);
  await before.dies();
  const next = await house.succeed({ living: [], orphaned: [0] });
  node.follow(next);
  await eventually('its end', () => thread.stopped);
  await next.hears('0 goes to 1');
  t.ok(node.guests.ready);
});
