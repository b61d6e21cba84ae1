/**
 * Shards of nodes, and whoever leads them, with threads that are none: what is said to them and by them, who has their
 * tables when something breaks or ends, and when their clocks stand still. Who takes the lead is in inherited.test.ts.
 */
import t from 'tap';
import { Counters } from '../../src/shard/counters.js';
import type { DealtTable } from '../../src/shard/main/lending.js';
import { closed, LentHouse, opening, PLACE, state } from '../support/lent-house.js';
import { eventually, FILE_MS } from '../support/limits.js';

t.setTimeout(FILE_MS);

const TABLE = '00000000-0000-4000-8000-00000000000a';

await t.test(
  'a shard is down until it plays; what is said goes both ways in its order, frames go past the leader',
  async (t) => {
    const { leader, node } = await LentHouse.open(t, 2);
    t.same(leader.heard.filter((line) => line.endsWith('down')), ['0 down', '1 down']); // prettier-ignore
    t.equal(leader.links.length, 2);
    t.same(leader.remote.counts, { borrowed: 2, down: 0 });
    t.same([node.guests.numbers, node.guests.ready], [[0, 1], true]);
    const words = Array.from({ length: 20 }, (_, n) => String(n));
    for (const word of words) leader.links[1]!.send(state(word));
    const thread = node.thread(1);
    await eventually('messages', () => thread.tables.length === words.length);
    t.same(thread.tables, words);
    for (const word of words) thread.say(closed(word));
    await leader.hears('1 closed 19');
    t.same(leader.heard.slice(-20), words.map((word) => `1 closed ${word}`)); // prettier-ignore

    const frames = [new ArrayBuffer(4), new Uint32Array(), () => undefined] as const;
    thread.listener.onFrames(1, ...frames);
    t.same(node.frames, [frames]);
    t.ok(node.guests.take(1, state('from a socket')));
    t.equal(thread.tables.at(-1), 'from a socket');
    t.notOk(node.guests.take(7, state('x')), 'it is not here');
  },
);

await t.test('a break loses nothing, either way, and ends no shard', async (t) => {
  const house = await LentHouse.open(t, 1);
  const { leader, node, net } = house;
  const thread = node.thread(0);
  net.cut = true;
  leader.links[0]!.send(state('before'));
  thread.say(closed('a'));
  await house.broken();
  t.same(leader.remote.counts, { borrowed: 1, down: 1 });
  thread.say(closed('b'));
  leader.links[0]!.send(state('after'));
  net.cut = false;
  await leader.hears('0 closed b');
  t.same(leader.heard.slice(-2), ['0 closed a', '0 closed b']);
  await eventually('what was said to it', () => thread.tables.length === 2);
  t.same(thread.tables, ['before', 'after']);
  t.same(leader.remote.counts, { borrowed: 1, down: 0 });
  t.notOk(thread.stopped);
});

await t.test('too much that waits for a node ends the shard', async (t) => {
  const { leader, node, net } = await LentHouse.open(t, 1);
  net.cut = true;
  for (let n = 0; n < 28_000; n++) leader.links[0]!.send(state('x'));
  await leader.hears('0 lost');
  net.cut = false;
  await eventually('the end of its thread', () => node.threads[0]!.stopped);
});

await t.test('…and so does too much that waits for the leader', async (t) => {
  const { leader, node, net } = await LentHouse.open(t, 1);
  net.cut = true;
  const [thread] = node.threads;
  for (let n = 0; n < 28_000; n++) thread!.say(closed('x'));
  t.ok(thread!.stopped);
  net.cut = false;
  await leader.hears('0 lost');
});

await t.test(
  'a shard that is lost gives its tables to others, with what came for them; another takes its place',
  async (t) => {
    const { leader, node } = await LentHouse.open(t, 2);
    let deal = (_: DealtTable[]): void => undefined;
    leader.dealt[1] = new Promise((resolve) => (deal = resolve));
    const [taker, lost] = [node.thread(0), node.thread(1)];
    lost.stats = { ...new Counters().read(), hands: 4, tables: 1, loopMeanMs: 0, loopP99Ms: 0, cpuMs: 0 };
    lost.listener.onLost!(1, 'a test');
    await leader.hears('1 lost');
    t.same(node.counted, ['1 4', '1 ended'], 'what it counted last is told, too');
    t.equal(node.guests.lost, 1);
    await leader.hears('1 goes to 0');
    leader.links[1]!.send(state(TABLE));
    leader.links[1]!.send(state('gone'));
    t.same(taker.read.filter(({ t }) => t !== 'pause'), [], 'nobody has its tables yet'); // prettier-ignore
    deal([{ opening: opening(TABLE), shard: 0 }]);
    await leader.hears('1 dealt out 0');
    await leader.hears('1 state ');
    leader.links[1]!.send({ t: 'unwatch', table: TABLE, watch: 9 });
    await eventually('what comes late', () => taker.read.some(({ t }) => t === 'unwatch'));
    t.match(taker.read.slice(-3), [{ t: 'open', restored: true }, { t: 'state', table: TABLE }, { t: 'unwatch' }]); // prettier-ignore
    await eventually('another in its place', () => node.threads.length === 3 && node.guests.ready);
    t.ok(node.threads[2]!.epoch > lost.epoch, 'with an epoch of its own');
    await eventually('the leader has heard that it plays', () => leader.remote.counts.down === 0);
    t.same(leader.remote.counts, { borrowed: 2, down: 0 });
  },
);

await t.test('a table that was dealt out and moves on is spoken to where it is', async (t) => {
  const { leader, node } = await LentHouse.open(t, 3);
  leader.dealt[2] = Promise.resolve([{ opening: opening(TABLE), shard: 0 }]);
  node.thread(2).listener.onLost!(2, 'a test');
  await leader.hears('2 dealt out 0');
  leader.remote.hold(TABLE);
  leader.links[0]!.send(state(TABLE));
  leader.remote.release(TABLE, 1);
  leader.links[1]!.send({ t: 'handOver', table: TABLE });
  leader.links[2]!.send({ t: 'unwatch', table: TABLE, watch: 9 });
  const taker = node.thread(1);
  await eventually('all of it', () => taker.read.some(({ t }) => t === 'unwatch'));
  t.match(taker.read.filter((message) => 'table' in message), [{ t: 'state' }, { t: 'handOver' }, { t: 'unwatch' }]); // prettier-ignore
  t.same(node.thread(0).tables, [], 'and not where it was');
});

await t.test('a node that has ended has no shards: others have their tables', async (t) => {
  const house = await LentHouse.open(t, 1, 1);
  const { leader, nodes } = house;
  const [lives, ends] = nodes;
  leader.dealt[1] = Promise.resolve([{ opening: opening(TABLE), shard: 0 }]);
  await ends!.bus.close();
  leader.ended.add(ends!.id);
  await leader.hears('1 dealt out 0');
  t.ok(leader.heard.indexOf('a node has ended') < leader.heard.indexOf('1 lost'), 'first nobody reads it any more');
  t.ok(leader.heard.indexOf('1 lost') < leader.heard.indexOf('1 goes to 0'));
  await eventually('the table', () => lives!.thread(0).read.some(({ t }) => t === 'open'));
  t.same(leader.remote.counts, { borrowed: 1, down: 0 });
});

await t.test('the only shard is lost: its tables wait for the next that plays', async (t) => {
  const { leader, node } = await LentHouse.open(t, 1);
  node.thread(0).listener.onLost!(0, 'a test');
  await leader.hears('0 goes to 1');
  t.ok(leader.heard.indexOf('0 goes to 1') > leader.heard.indexOf('1 ready'));
});

await t.test(
  'a node that cannot hear others pauses those who play from there alone, until the leader has confirmed its shards',
  async (t) => {
    const house = await LentHouse.open(t, 1);
    const { node, net } = house;
    const thread = node.thread(0);
    t.equal(thread.paused, null);
    net.cut = true;
    await house.broken();
    node.deafMs = 5000;
    await eventually('its clocks to stand still', () => thread.paused !== null);
    t.same(thread.paused, { unheardMs: 5000, place: PLACE });
    t.ok(node.guests.paused);
    node.deafMs = 0;
    // The turns in which it looks are its own timer's: one that comes after several of them has seen what they did.
    await eventually('several looks', looks(3), 100);
    t.same(thread.paused, { unheardMs: 5000, place: PLACE }, 'it may have lost the shard meanwhile');
    net.cut = false;
    await eventually('its clocks to run', () => thread.paused === null);
    t.notOk(node.guests.paused);
  },
);

await t.test('without its lease a node says nothing, and all its clocks stand still', async (t) => {
  const { leader, node } = await LentHouse.open(t, 1);
  const thread = node.thread(0);
  node.holds = false;
  await eventually('its clocks to stand still', () => thread.paused !== null);
  t.equal(thread.paused!.place, null, 'of whoever plays there');
  thread.say(closed('a'));
  // Over the same link, so that what was said before would be heard before.
  node.bus.peer(leader.id).send({ t: 'lend', lent: null, more: 0, leaving: true });
  await leader.hears('0 retires');
  t.notOk(leader.heard.includes('0 closed a'));
  node.regained = 0;
  node.holds = true;
  await leader.hears('0 closed a');
  t.ok(node.regained > 0);
  await eventually('its clocks to run', () => thread.paused === null);
});

await t.test('…nor does it over a link that has just healed', async (t) => {
  const house = await LentHouse.open(t, 1);
  const { leader, node } = house;
  const thread = node.thread(0);
  node.holds = false;
  await house.breaks();
  thread.say(closed('a'));
  await eventually('the link', () => node.bus.peer(leader.id).up);
  node.bus.peer(leader.id).send({ t: 'lend', lent: null, more: 0, leaving: true });
  await leader.hears('0 retires');
  t.notOk(leader.heard.includes('0 closed a'));
  node.holds = true;
  await leader.hears('0 closed a');
});

await t.test('a node that leaves beside others gives its shards back once their tables have moved', async (t) => {
  const { leader, nodes } = await LentHouse.open(t, 1, 1);
  const [, leaves] = nodes;
  const drained = leaves!.guests.drain(600_000, true);
  await leader.hears('1 retires');
  t.notOk(leaves!.thread(1).drains, 'hands go on');
  leader.remote.vacated(1);
  t.equal(await drained, true);
  t.ok(leaves!.thread(1).stopped);
  t.equal(leaves!.guests.lost, 0);
  await eventually('one shard', () => leader.remote.counts.borrowed === 1);
  t.notOk(leader.heard.includes('1 lost'), 'nobody’s table was lost with it');
});

await t.test('…or finishes its hands, and gives them back', async (t) => {
  const { leader, nodes } = await LentHouse.open(t, 1, 1);
  const [, leaves] = nodes;
  t.equal(await leaves!.guests.drain(1, true), true);
  t.ok(leaves!.thread(1).drains);
  await leader.hears('1 goes to 0');
  await eventually('its end', () => leaves!.counted.includes('1 ended'));
  t.equal(leaves!.guests.lost, 0);
});

await t.test('…or keeps them while its hands finish, where nobody else could have them', async (t) => {
  const { leader, node } = await LentHouse.open(t, 1);
  t.equal(await node.guests.drain(600_000, false), true);
  const thread = node.thread(0);
  t.ok(thread.drains);
  leader.links[0]!.send(state('after'));
  await eventually('what is said to it', () => thread.tables.includes('after'));
  thread.say(closed('a'));
  await leader.hears('0 closed a');
  t.notOk(leader.heard.includes('0 lost'));
  t.notOk(thread.stopped);
});

await t.test('the leader drains a shard', async (t) => {
  const { leader, node } = await LentHouse.open(t, 1);
  t.equal(await leader.remote.drain(120_000), true);
  t.ok(node.thread(0).drains);
});

await t.test('what the lobby says to a table that moves waits, and goes where that went', async (t) => {
  const { leader, node } = await LentHouse.open(t, 2);
  leader.remote.hold(TABLE);
  leader.links[0]!.send(state(TABLE));
  leader.links[0]!.send(state('other'));
  leader.remote.send(0, { t: 'handOver', table: TABLE });
  const [from, to] = [node.thread(0), node.thread(1)];
  await eventually('what does not wait', () => from.tables.length === 2);
  t.same(from.tables, ['other', TABLE]);
  leader.remote.release(TABLE, 1);
  await eventually('what waited', () => to.tables.length === 1);
  t.match(to.read.at(-1), state(TABLE));
});

/** True when it is asked for the last time of so many. */
function looks(count: number): () => boolean {
  let asked = 0;
  return () => ++asked > count;
}
