import type { FromShard } from '../shard/messages.js';
import { balance } from './matching/balance.js';
import { takeBack, type Message, type Move, type MoveWays } from './move.js';
import type { RestoredTable } from './restored-tables.js';
import type { LobbyState } from './state.js';
import type { LobbyTable } from './tables.js';

/** Tables that are under way at once. */
const AT_ONCE = 4;
const LOOK_MS = 1000;
/** So long a table may be unknown whose shard is late to report. */
const MISSING_MS = 5000;
const ROUND_MS = 50;
const FINISH_MS = 2000;

/**
 * Moves tables from shard to shard, between hands. Nobody notices: seats, sockets and numbers stay. Whatever dies on the
 * way, the database says whose the table is (shard/host/hand-overs.ts), and that shard opens it again.
 */
export class Moves {
  moved = 0;
  readonly #moves = new Map<string, Move>();
  #begun = 0;
  /** Shards that shall have no tables, and whom to tell when they have none. */
  readonly #leaving = new Map<number, () => void>();
  /** Their tables are looked after, each round. */
  #vacating = false;
  #cancel: () => void = () => undefined;

  constructor(
    private readonly state: LobbyState,
    private readonly ways: MoveWays,
    /** Whoever of the table is connected attaches again, and whoever was on the way there waits again. */
    private readonly comeBack: (table: LobbyTable) => void,
    /** The table has closed, of which its shard could not tell any more. */
    private readonly closed: (tableId: string) => void,
  ) {}

  get underWay(): number {
    return this.#moves.size;
  }

  /** From now on shards are kept equally full; or tables move all the time, to see that nobody notices. */
  start(mode: 'on' | 'constantly'): void {
    this.#cancel = this.state.options.clock.after(mode === 'on' ? LOOK_MS : ROUND_MS, () => {
      if (mode === 'on') this.#rebalance();
      else this.#goRound();
      this.start(mode);
    });
  }

  stop(): void {
    this.#cancel();
    this.#leaving.clear();
  }

  /** No table begins to move; resolves once none is on its way, or after a while. */
  async finish(): Promise<void> {
    this.stop();
    const { clock } = this.state.options;
    for (const end = clock.now() + FINISH_MS; this.#moves.size > 0 && clock.now() < end;) {
      await new Promise<void>((resolve) => void clock.after(ROUND_MS, resolve));
    }
  }

  /** False where it cannot: it is opening, or closes, or moves already, or a shard is down. */
  begin(tableId: string, to: number): boolean {
    const { tables, shards, settled } = this.state;
    const table = tables.get(tableId);
    if (!settled.over) return false;
    if (table?.state !== 'open' || this.#moves.has(tableId)) return false;
    const from = table.shard;
    if (from === to || !(shards.isUp(from) || this.#leaving.has(from)) || !shards.isUp(to)) return false;
    this.#moves.set(tableId, { from, to, stage: 'resting', given: null });
    this.ways.send(from, { t: 'rest', table: tableId });
    return true;
  }

  /**
   * Somebody holds messages for the table, for a lobby before this one: `then` is called with its shard, once that is
   * known. What moves now is released when it has moved.
   */
  whereIs(tableId: string, then: (shard: number) => void, patience = MISSING_MS): void {
    const { tables, settled, options } = this.state;
    settled.when(() => {
      const table = tables.get(tableId);
      if (this.#moves.has(tableId) && this.#moves.get(tableId)?.stage !== 'resting') return;
      if (table !== undefined) then(table.shard);
      // Its shard may be late, or it has closed, which any shard answers.
      else if (patience > 0) options.clock.after(LOOK_MS, () => this.whereIs(tableId, then, patience - LOOK_MS));
      else then(this.state.shards.up[0] ?? 0);
    });
  }

  /** Somebody who would have to hold messages for the table cannot be reached: it stays where it is. */
  stuck(table: string): void {
    const move = this.#moves.get(table);
    if (move?.stage !== 'holding' || move.given !== null) return;
    this.ways.send(move.from, { t: 'playOn', table });
    this.#giveUp(table, move);
  }

  /** All tables of this shard go to others, a few at a time, as long as there are such. `empty` is called once none is left. */
  vacate(shard: number, empty: () => void): void {
    this.#leaving.set(shard, empty);
    if (!this.#vacating) this.#vacate();
  }

  /** What a shard says about a table that moves. */
  heard(shard: number, message: FromShard): void {
    switch (message.t) {
      case 'rested':
        return this.#rested(shard, message);
      case 'kept':
        return this.#kept(shard, message);
      case 'handedOver':
        return this.#handedOver(shard, message);
      case 'adopted':
        return this.#adopted(shard, message);
      default:
        return;
    }
  }

  #rested(shard: number, { table }: Message<'rested'>): void {
    const move = this.#moves.get(table);
    if (move?.stage !== 'resting' || move.from !== shard) return;
    move.stage = 'holding';
    this.ways.hold(table, () => {
      if (this.#moves.get(table) === move) this.ways.send(shard, { t: 'handOver', table });
    });
  }

  #kept(shard: number, { table }: Message<'kept'>): void {
    const move = this.#moves.get(table);
    if (move?.from === shard && move.given === null) this.#giveUp(table, move);
  }

  #handedOver(shard: number, given: Message<'handedOver'>): void {
    const { table: tableId } = given;
    const move = this.#moves.get(tableId);
    const table = this.state.tables.get(tableId);
    if (table === undefined) return;
    // A lobby before this one had asked for it: nobody else is about to take it.
    if (move?.stage !== 'holding' || move.from !== shard) return takeBack(this.ways, shard, given);
    move.given = given;
    const to = this.state.shards.isUp(move.to) ? move.to : move.from;
    move.stage = 'adopting';
    this.#adopt(move, given, to, true);
    this.#settle(table, to, false);
  }

  #adopted(shard: number, { table: tableId, ok, has }: Message<'adopted'>): void {
    const move = this.#moves.get(tableId);
    const table = this.state.tables.get(tableId);
    if (move?.stage === 'refused' && move.to === shard) {
      this.#moves.delete(tableId);
      if (move.again !== undefined && table?.shard === shard) {
        this.ways.send(shard, { t: 'open', opening: move.again, restored: true });
        this.comeBack(table);
      }
    }
    // Else a late word of an earlier move.
    if ((move?.stage !== 'adopting' && move?.stage !== 'returning') || table?.shard !== shard) return;
    this.#moves.delete(tableId);
    // Neither is it stored as the giver's any more, nor has it come back with the taker: it closed there before that one died.
    if (!ok && !has && move.stage === 'returning') return this.closed(tableId);
    // The giver has begun another life, and has the table again.
    if (!ok) return this.#settle(table, move.from, true);
    if (shard !== move.to) return;
    this.moved++;
    this.state.options.log.info({ table_id: tableId, from: move.from, to: shard }, 'table moved');
  }

  /**
   * What a shard was asked for is lost with it; what it gave away is not. What comes for a table that it was about to
   * take waits until it is known whose that is.
   */
  shardDown(shard: number): void {
    this.#leaving.delete(shard);
    for (const [table, move] of this.#moves) {
      if (move.stage === 'refused') {
        if (move.to === shard) this.#moves.delete(table);
      } else if (move.given !== null) {
        if (this.state.tables.get(table)?.shard === shard) this.ways.hold(table, () => undefined);
      } else if (move.from === shard) this.#giveUp(table, move);
      else if (move.to === shard && move.stage === 'resting') {
        this.ways.send(move.from, { t: 'playOn', table });
        this.#giveUp(table, move);
      }
    }
  }

  /**
   * The shard plays again, or others do in its place, with these tables: those that it had, or had taken, and not those
   * that it was about to take.
   */
  shardRestored(shard: number, tables: readonly RestoredTable[]): void {
    const restored = new Map(tables.map((table) => [table.opening.tableId, table]));
    for (const [tableId, move] of this.#moves) {
      const table = this.state.tables.get(tableId);
      if (table === undefined || move.given === null || move.stage === 'refused') continue;
      const now = restored.get(tableId);
      if (now !== undefined) {
        if (table.shard !== shard && this.state.shards.isUp(table.shard)) {
          move.stage = 'refused';
          if (table.shard === now.shard) move.again = now.opening;
        } else this.#moves.delete(tableId);
        this.#settle(table, now.shard, false);
      } else if (move.stage === 'adopting' && table.shard === shard) {
        move.stage = 'returning';
        this.#adopt(move, move.given, move.from, false);
        this.#settle(table, move.from, true);
        this.comeBack(table);
      }
    }
  }

  /** The table has closed: its shard answers whoever still asks. */
  gone({ tableId, shard }: LobbyTable): void {
    if (this.#moves.delete(tableId)) this.ways.release(tableId, shard, false);
  }

  #adopt({ from }: Move, { opening, refusedSits, epoch }: Message<'handedOver'>, to: number, present: boolean): void {
    this.ways.send(to, { t: 'adopt', opening, refusedSits, from: { shard: from, epoch }, present });
  }

  #giveUp(table: string, { from, stage }: Move): void {
    this.#moves.delete(table);
    if (stage === 'holding') this.ways.release(table, from, false);
  }

  /** The table is that shard's from now on. */
  #settle(table: LobbyTable, shard: number, anew: boolean): void {
    table.shard = shard;
    this.state.directory.move(table.tableId, shard);
    this.ways.release(table.tableId, shard, anew);
  }

  #vacate(): void {
    const { tables, shards, options } = this.state;
    const all = tables.all();
    for (const [leaving, empty] of this.#leaving) {
      const left = all.filter(({ shard, tableId }) => shard === leaving || this.#moves.get(tableId)?.from === leaving);
      if (left.length === 0) {
        this.#leaving.delete(leaving);
        empty();
      }
      for (const { tableId } of left) {
        const to = this.#emptiest(all, shards.up);
        if (this.#moves.size < AT_ONCE && to !== null) this.begin(tableId, to);
      }
    }
    this.#vacating = this.#leaving.size > 0;
    if (this.#vacating) options.clock.after(ROUND_MS, () => this.#vacate());
  }

  #emptiest(all: readonly LobbyTable[], shards: readonly number[]): number | null {
    const players = new Map(shards.map((shard) => [shard, 0]));
    for (const { tableId, shard, occupants } of all) {
      const at = this.#moves.get(tableId)?.to ?? shard;
      if (players.has(at)) players.set(at, players.get(at)! + occupants.size);
    }
    const [emptiest] = [...players].sort(([, a], [, b]) => a - b);
    return emptiest?.[0] ?? null;
  }

  /** Every table to the shard after its own, one after the other. */
  #goRound(): void {
    const { tables, shards } = this.state;
    const all = tables.all();
    const first = this.#begun % all.length;
    for (const { tableId, shard } of [...all.slice(first), ...all.slice(0, first)]) {
      if (this.#moves.size >= AT_ONCE) return;
      const to = shards.up.find((other) => other > shard) ?? shards.up[0];
      if (to !== undefined && this.begin(tableId, to)) this.#begun++;
    }
  }

  #rebalance(): void {
    const { tables, shards } = this.state;
    const all = tables.all().map(({ tableId, shard, occupants, incoming }) => ({
      ...{ tableId, shard: this.#moves.get(tableId)?.to ?? shard },
      players: occupants.size + incoming.size,
    }));
    for (const { tableId, to } of balance(all, shards.up, AT_ONCE - this.#moves.size)) this.begin(tableId, to);
  }
}
