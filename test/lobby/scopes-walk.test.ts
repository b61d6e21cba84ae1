/**
 * Agents in the season and in a competition come, go, and cross over. Meanwhile pools pause, go on and lose people, and
 * shards die. No agent is ever in two scopes, and in the end every agent that can play does.
 */
import fc from 'fast-check';
import t from 'tap';
import { FILE_MS } from '../support/limits.js';
import { LobbyHouse, type Line } from '../support/lobby-house.js';

t.setTimeout(FILE_MS);

const CUPS = ['cup'];
const SCOPES = [null, ...CUPS];
const AGENTS = ['ann', 'bob', 'cid', 'dan', 'eve', 'fay'];

const agent = fc.nat(AGENTS.length - 1);
const scope = fc.nat(SCOPES.length - 1);
const cup = fc.nat(CUPS.length - 1);
const step = fc.oneof(
  { weight: 8, arbitrary: fc.record({ do: fc.constant('connect' as const), agent, scope, joins: fc.boolean() }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('join' as const), agent }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('leave' as const), agent }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('drop' as const), agent }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('bust' as const), agent }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('dismiss' as const), agent, cup }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constantFrom('pause' as const, 'resume' as const), cup }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('die' as const), shard: fc.nat(1) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constantFrom('mute' as const, 'speak' as const), shard: fc.nat(1) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('settle' as const), ms: fc.constantFrom(0, 10, 5000) }) },
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

const isOpen = (line: Line | undefined): line is Line => line?.closeCode === null && line.agentId !== null;

class Walk {
  readonly house = new LobbyHouse({ shards: 2 });
  /** The last socket of each agent. */
  readonly lines = new Map<string, Line>();
  readonly paused = new Set<string>();

  constructor() {
    for (const id of CUPS) this.house.competitions.add(id, AGENTS);
  }

  async take(step: Step): Promise<void> {
    const { house, lines } = this;
    const name = 'agent' in step ? AGENTS[step.agent]! : '';
    const line = lines.get(name);
    switch (step.do) {
      case 'connect': {
        const next = house.dial(name, '127.0.0.1', SCOPES[step.scope] ?? null);
        lines.set(name, next);
        await house.clock.settle();
        if (step.joins && next.agentId !== null) next.join();
        return;
      }
      case 'join':
        if (isOpen(line)) line.join();
        return;
      case 'leave':
        if (isOpen(line)) line.send({ type: 'leave_table' });
        return;
      case 'drop':
        line?.drop();
        lines.delete(name);
        return;
      case 'bust': {
        const shard = house.shards.find((each) => each.players(house.seated.get(name) ?? '').includes(name));
        if (shard !== undefined && !shard.silent) shard.remove(name, 'busted');
        return;
      }
      case 'dismiss':
        house.lobby.control.dismiss(name, CUPS[step.cup]!);
        return;
      case 'pause':
        this.paused.add(CUPS[step.cup]!);
        house.lobby.control.windDown(CUPS[step.cup]!);
        return;
      case 'resume':
        this.paused.delete(CUPS[step.cup]!);
        house.lobby.control.resumePool(CUPS[step.cup]!);
        return;
      case 'die': {
        const shard = house.shards[step.shard]!;
        shard.die();
        house.lobby.shards.shardDown(step.shard);
        await house.clock.settle();
        house.lobby.shards.shardRestored(step.shard, shard.revive());
        return;
      }
      case 'mute':
        house.shards[step.shard]!.silent = true;
        return;
      case 'speak':
        house.shards[step.shard]!.answerAll();
        return;
      case 'settle':
        await house.clock.advance(step.ms);
        this.check();
    }
  }

  /** Every agent's session, seat and table are of one scope; a table plays by its pool's rules. */
  check(): void {
    const { house } = this;
    const tables = house.shards.flatMap((shard) => [...shard.tables.values()]);
    for (const { poolId, seats } of tables) {
      const isCup = CUPS.includes(poolId);
      if (seats.length !== (isCup ? 3 : 6)) throw new Error(`${poolId} plays at ${seats.length} seats`);
    }
    for (const [name, tableId] of house.seated) {
      const pool = tables.find((table) => table.tableId === tableId)?.poolId ?? null;
      const line = this.lines.get(name);
      if (!isOpen(line) || line.route === null || line.route.seat === null) continue;
      if (line.route.table !== tableId) throw new Error(`${name} is routed to ${line.route.table}, not ${tableId}`);
      const scope = CUPS.includes(pool ?? '') ? pool : null;
      if (scope !== line.scope) throw new Error(`${name}, who came for ${line.scope}, sits in ${pool}`);
    }
  }

  /** All pools go on, and nobody who waits could have company. */
  async end(): Promise<void> {
    for (const shard of this.house.shards) shard.answerAll();
    for (const id of this.paused) this.house.lobby.control.resumePool(id);
    await this.house.clock.advance(30_000);
    this.check();
    const { waiting } = this.house.lobby.views.counts();
    if (waiting > SCOPES.length) throw new Error(`${waiting} wait, so two of them for the same`);
    this.checkSockets();
  }

  /** Each table knows its players' sockets. */
  checkSockets(): void {
    const { house } = this;
    const open = [...house.lines.values()].filter((line) => isOpen(line) && !line.gone);
    for (const { seats } of house.shards.flatMap((shard) => [...shard.tables.values()])) {
      for (const seat of seats) {
        if (seat === null) continue;
        const socket = open.find(({ agentId }) => agentId === seat.agentId)?.id ?? 0;
        if (seat.socket !== socket) throw new Error(`${seat.agentId} sits on socket ${seat.socket}, not ${socket}`);
      }
    }
  }
}

await t.test('a walk through all of it', async (t) => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 60 }), async (steps) => {
      const walk = new Walk();
      for (const each of steps) await walk.take(each);
      await walk.end();
      t.same(walk.house.errors, []);
    }),
    { numRuns: 1000 },
  );
});
