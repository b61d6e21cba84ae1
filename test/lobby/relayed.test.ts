/** Tables of an ended node keep their seats, and relayed players leave a table for their own nodes. */
import t from 'tap';
import type { JoinPlace, OtherNodes, WaitingPlace } from '../../src/lobby/ports.js';
import type { TableOpening } from '../../src/table/api.js';
import { FILE_MS } from '../support/limits.js';
import { LobbyHouse, type Line } from '../support/lobby-house.js';

t.setTimeout(FILE_MS);

/** The tables that an ended node has left: one table with these players. */
async function left(...names: string[]): Promise<TableOpening[]> {
  const ended = new LobbyHouse();
  await ended.join(...names);
  return ended.shard.revive();
}

async function adopted(house: LobbyHouse, openings: readonly TableOpening[]): Promise<string> {
  house.lobby.node.adopt(0, openings);
  await house.clock.settle();
  return openings[0]!.tableId;
}

await t.test('a connected player has its seat at once, and any other when it comes', async (t) => {
  const house = new LobbyHouse();
  const ada = await house.connect('ada');
  const table = await adopted(house, await left('ada', 'bob'));
  t.match(ada.route, { table, shard: 0, seat: 0 });
  t.match(house.lobby.views.counts(), { seated: 2, tables: 1 });
  const bob = await house.connect('bob');
  t.match(bob.route, { table, shard: 0, seat: 1 });
  t.same(
    house.shard.received.map(({ t }) => t),
    ['open', 'attach', 'attach'],
  );
  ada.send({ type: 'leave_table' });
  t.match(house.shard.last('leave'), { table, agentId: 'ada' });
  t.same(house.errors, []);
});

await t.test('a table is opened once, and busts that the end of the node swallowed are looked up', async (t) => {
  const house = new LobbyHouse();
  const openings = await left('ada', 'bob');
  await adopted(house, openings);
  t.same([house.play.calls, house.competitions.recovered], [['shardRecovered'], 1]);
  await adopted(house, openings);
  t.equal(house.shard.count('open'), 1);
});

await t.test('a newcomer sits down beside those whose seats are held', async (t) => {
  const house = new LobbyHouse();
  await house.connect('ada');
  const table = await adopted(house, await left('ada', 'bob'));
  const [cid] = await house.join('cid');
  await house.clock.advance(10_000);
  t.match(cid!.route, { table });
});

/** Other nodes: joins of their sockets go to them, unless the pool gathers here. */
class Others implements OtherNodes {
  readonly nodeId = 'this node';
  gather = false;
  /** The pool gathers at another node. */
  gathersAt: string | null = null;

  placeOf({ edge }: WaitingPlace): JoinPlace {
    if (this.gathersAt !== null) return { at: 'node', node: this.gathersAt };
    return this.gather || edge === this.nodeId ? { at: 'here' } : { at: 'node', node: edge };
  }

  homeOf = () => Promise.resolve(null);
  give = () => Promise.resolve(false);
  nodeOfTable = () => Promise.resolve(null);
  seatOf = () => Promise.resolve(null);
  tableView = () => Promise.resolve(null);
  tables = () => Promise.resolve([]);
}

/** A table with players from these nodes; null is this node. */
class Scene {
  readonly others = new Others();
  readonly house = new LobbyHouse({ others: this.others });
  readonly lines: Line[] = [];

  /** The table comes from an ended node. */
  async adopt(...edges: (string | null)[]): Promise<void> {
    await adopted(this.house, await left(...edges.map((_, n) => `bot ${n}`)));
    await this.#dial(edges);
    this.house.lobby.node.lookAfterRelayed();
  }

  /** The table is this node's, and the pool gathers here. */
  async gather(...edges: (string | null)[]): Promise<void> {
    this.others.gather = true;
    await this.#dial(edges);
    for (const line of this.lines) line.join();
    await this.house.clock.settle();
  }

  async pass(ms: number): Promise<void> {
    await this.house.clock.advance(ms);
    this.house.lobby.node.lookAfterRelayed();
    await this.house.clock.settle();
  }

  /** The numbers of the players with a seat. */
  get seated(): number[] {
    return [...this.lines.keys()].filter((n) => this.house.seated.has(`bot ${n}`));
  }

  async #dial(edges: readonly (string | null)[]): Promise<void> {
    for (const [n, edge] of edges.entries()) {
      this.lines.push(this.house.dial(`bot ${n}`, '127.0.0.1', null, edge ?? undefined));
    }
    await this.house.clock.settle();
  }
}

await t.test('of a reopened table every relayed player leaves after a minute, and it plays on', async (t) => {
  const scene = new Scene();
  await scene.adopt('b', 'c', null, null);
  await scene.pass(59_000);
  t.same(scene.seated, [0, 1, 2, 3], 'not before');
  await scene.pass(1000);
  t.same(scene.seated, [2, 3]);
  t.match(scene.house.shard.last('part'), { agentId: 'bot 1', reason: 'insufficient_players' });
});

await t.test('a table closes where only one player would stay', async (t) => {
  const scene = new Scene();
  await scene.adopt('b', 'c', null);
  await scene.pass(60_000);
  t.same(scene.seated, []);
  t.match(scene.house.shard.last('close'), { reason: 'insufficient_players', voidHand: false });
});

await t.test('a minute counts anew after a moment in which nobody was relayed', async (t) => {
  const scene = new Scene();
  await scene.adopt('b', null, null);
  await scene.pass(59_000);
  scene.lines[0]!.drop();
  await scene.pass(500);
  scene.house.dial('bot 0', '127.0.0.1', null, 'b');
  await scene.pass(500);
  await scene.pass(59_000);
  t.same(scene.seated, [0, 1, 2]);
  await scene.pass(1000);
  t.same(scene.seated, [1, 2]);
});

await t.test('two of one node leave together, and one alone stays', async (t) => {
  const scene = new Scene();
  await scene.gather('b', 'c', 'b', null, null);
  scene.others.gather = false;
  await scene.pass(0);
  await scene.pass(60_000);
  t.same(scene.seated, [1, 3, 4]);
  await scene.pass(120_000);
  t.same(scene.seated, [1, 3, 4], 'it has no company at its node');
});

await t.test('house bots stay', async (t) => {
  const house = new LobbyHouse({ others: new Others() });
  const names = ['house 1', 'house 2', 'ada', 'bob'];
  await adopted(house, await left(...names));
  for (const name of names) house.dial(name, '127.0.0.1', null, 'b');
  await house.clock.settle();
  house.lobby.node.lookAfterRelayed();
  await house.clock.advance(60_000);
  house.lobby.node.lookAfterRelayed();
  await house.clock.settle();
  t.same([...house.seated.keys()], ['house 1', 'house 2']);
});

await t.test('players that gather stay, and every relayed one leaves once its pool is large', async (t) => {
  const scene = new Scene();
  await scene.gather('b', 'c', 'b', null, null);
  for (let minutes = 0; minutes < 3; minutes++) await scene.pass(60_000);
  t.same(scene.seated, [0, 1, 2, 3, 4]);
  scene.others.gather = false;
  await scene.pass(0);
  await scene.pass(60_000);
  t.same(scene.seated, [3, 4]);
  t.same(scene.house.errors, []);
});

await t.test(
  'a table of a pool that gathers at another node closes, so that newcomers there find company',
  async (t) => {
    const scene = new Scene();
    await scene.gather(null, null, 'b');
    t.same(scene.seated, [0, 1, 2]);
    scene.others.gathersAt = 'c';
    await scene.pass(0);
    await scene.pass(59_000);
    t.same(scene.seated, [0, 1, 2], 'not before a minute');
    await scene.pass(1000);
    t.same(scene.seated, []);
    t.match(scene.house.shard.last('close'), { reason: 'insufficient_players', voidHand: false });
    t.same(scene.house.errors, []);
  },
);
