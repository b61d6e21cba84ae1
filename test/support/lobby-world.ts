import { matchmake } from '../../src/lobby/matching/matchmake.js';
import {
  NO_GRACES,
  type Graces,
  type OpenTable,
  type MatchRules,
  type SeatedPlayer,
  type WaitingPlayer,
} from '../../src/lobby/matching/plan.js';

const HOLD_MS = 120_000;
/** How long a closing table plays its last hand. */
const HAND_MS = 700;

interface Sitter extends SeatedPlayer {
  pro: boolean;
  /** When a disconnected player gives its seat up. */
  heldUntil: number;
}

interface WorldTable {
  tableId: string;
  players: Sitter[];
  /** When all players go back to the lobby. */
  closesAt: number;
}

/** A lobby that carries out plans at once. Players come, leave and disconnect. Tables close and send players back. */
export class World {
  now = 0;
  #waiting: WaitingPlayer[] = [];
  #tables: WorldTable[] = [];
  #graces: Graces = NO_GRACES;
  #wakeAt = Infinity;
  #arrivals = 0;
  #ids = 0;

  constructor(private readonly rules: MatchRules) {}

  join(agentId: string, more: Partial<Pick<WaitingPlayer, 'pro' | 'house' | 'owner'>> = {}): void {
    this.#enqueue(agentId, { pro: false, house: false, owner: [], ...more });
    this.#run();
  }

  /** The nth seated player leaves, or loses its connection. */
  lose(n: number, drops: boolean): void {
    const seated = this.#tables.filter(({ closesAt }) => closesAt === Infinity).flatMap(({ players }) => players);
    const player = seated[n % Math.max(1, seated.length)];
    if (player === undefined) return;
    if (drops) {
      player.connected = false;
      player.heldUntil = this.now + HOLD_MS;
    } else this.#remove(player);
    this.#run();
  }

  /** Lets time pass, from event to event. */
  wait(ms: number): void {
    const end = this.now + ms;
    for (;;) {
      const next = Math.min(this.#wakeAt, ...this.#tables.map((table) => table.closesAt), ...this.#holds());
      if (next > end) break;
      this.now = Math.max(this.now, next);
      this.#close();
      for (const table of this.#tables) {
        for (const player of table.players) if (player.heldUntil <= this.now) this.#remove(player);
      }
      this.#run();
    }
    this.now = end;
  }

  /** Players by table, the fullest first; 0 for a table with only absent players. */
  get sizes(): number[] {
    return this.#tables.map(({ players }) => players.length).sort((a, b) => b - a);
  }

  get waiting(): number {
    return this.#waiting.length;
  }

  /** Throws unless every player that can play does, at as few tables as possible. */
  checkAtRest(): void {
    const real = (players: readonly { house: boolean }[]) => players.filter(({ house }) => !house).length;
    if (this.#waiting.filter(({ house }) => !house).length > 1) throw new Error('two wait and are not seated');
    const short = this.#tables.filter(({ players }) => players.length < this.rules.seats);
    if (real(this.#waiting) > 0 && short.length > 0) throw new Error('somebody starves beside an open seat');
    if (short.some(({ players }) => players.length < 2)) throw new Error('somebody is left alone');
    for (const a of short) {
      for (const b of short) {
        if (a === b || a.players.length + b.players.length > this.rules.seats) continue;
        if (this.rules.separateOwners && sharesOwner(a.players, b.players)) continue;
        throw new Error(`${a.tableId} and ${b.tableId} fit one table`);
      }
    }
  }

  #enqueue(agentId: string, who: Pick<WaitingPlayer, 'pro' | 'house' | 'owner'>): void {
    const { pro, house, owner } = who;
    this.#waiting.push({ agentId, arrival: ++this.#arrivals, since: this.now, pace: null, pro, house, owner });
  }

  #holds(): number[] {
    return this.#tables.flatMap(({ players }) => players.map((player) => player.heldUntil));
  }

  #remove(player: Sitter): void {
    for (const table of this.#tables) table.players = table.players.filter((other) => other !== player);
  }

  #close(): void {
    const closing = this.#tables.filter((table) => table.closesAt <= this.now);
    this.#tables = this.#tables.filter((table) => table.closesAt > this.now);
    for (const player of closing.flatMap(({ players }) => players)) {
      if (player.connected) this.#enqueue(player.agentId, player);
    }
  }

  #run(): void {
    const open = this.#tables.filter(({ closesAt }) => closesAt === Infinity);
    const closing = this.#tables.filter(({ closesAt }) => closesAt !== Infinity);
    const plan = matchmake(
      {
        now: this.now,
        waiting: this.#waiting,
        tables: open.map((table) => this.#view(table)),
        opening: 0,
        returning: closing.reduce((sum, { players }) => sum + players.length, 0),
        shards: [{ shard: 0, players: 0 }],
        graces: this.#graces,
      },
      this.rules,
    );
    this.#graces = plan.graces;
    this.#wakeAt = plan.wakeAt;
    for (const { agentId, tableId } of plan.sit) this.#sit(agentId, tableId);
    for (const { agentIds } of plan.open) {
      const tableId = `t${++this.#ids}`;
      this.#tables.push({ tableId, players: [], closesAt: Infinity });
      for (const agentId of agentIds) this.#sit(agentId, tableId);
    }
    for (const tableId of plan.close) this.#table(tableId).closesAt = this.now + HAND_MS;
    for (const { agentId, tableId } of plan.move) {
      const player = this.#table(tableId).players.find((each) => each.agentId === agentId);
      if (player === undefined) throw new Error(`${agentId} is sent from a table it does not sit at`);
      this.#remove(player);
      this.#enqueue(agentId, player);
    }
    for (const { agentId, tableId } of plan.retire) {
      const bot = this.#table(tableId).players.find((player) => player.agentId === agentId);
      if (bot === undefined) throw new Error(`${agentId} is asked to leave a table it does not sit at`);
      this.#remove(bot);
      this.#enqueue(agentId, bot);
    }
    if (plan.retire.length + plan.move.length > 0) this.#run();
  }

  #sit(agentId: string, tableId: string): void {
    const at = this.#waiting.findIndex((waiting) => waiting.agentId === agentId);
    const [waiting] = this.#waiting.splice(at, 1);
    const table = this.#table(tableId);
    if (at < 0 || waiting === undefined) throw new Error(`${agentId} is seated but does not wait`);
    if (table.players.length >= this.rules.seats) throw new Error(`${tableId} is over-full`);
    const { pro, house, owner } = waiting;
    table.players.push({ agentId, pro, house, owner, pace: null, parts: false, connected: true, heldUntil: Infinity });
  }

  #table(tableId: string): WorldTable {
    const table = this.#tables.find((each) => each.tableId === tableId);
    if (table === undefined) throw new Error(`there is no ${tableId}`);
    return table;
  }

  #view({ tableId, players }: WorldTable): OpenTable {
    const { seats } = this.rules;
    return { tableId, shard: 0, seats, players, leaving: 0, inHand: false, free: seats - players.length };
  }
}

const sharesOwner = (a: readonly SeatedPlayer[], b: readonly SeatedPlayer[]) =>
  a.some(({ owner }) => b.some((other) => other.owner.some((key) => owner.includes(key))));
