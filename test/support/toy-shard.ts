import type { ShardLink } from '../../src/gateway/ports.js';
import type { SitFailure, FromShard, ToShard } from '../../src/shard/messages.js';
import type { LeaveReason, SocketId, TableOpening, TableRules, TableSummary } from '../../src/table/api.js';
import { RULES } from './table-rules.js';

interface Seat {
  agentId: string;
  seat: number;
  stack: number;
  isHouse: boolean;
  socket: SocketId;
  leaving: boolean;
  sitting: string;
}

interface ToyTable {
  tableId: string;
  poolId: string;
  rules: TableRules;
  seats: (Seat | null)[];
  /** A hand is running: leaves and the closing wait for its end. */
  inHand: boolean;
  closing: string | null;
  drained: boolean;
}

/**
 * A shard as the lobby sees it, without cards. Tables take buy-ins, leaves and closings and answer as real ones do. A
 * wrong order of the lobby throws. Balances are kept here, in place of a real shard's database.
 */
export class ToyShard implements ShardLink {
  readonly received: ToShard[] = [];
  readonly tables = new Map<string, ToyTable>();
  /** While true, messages wait in `received` for `answerAll`. */
  silent = false;
  /** The failure of the next buy-ins. */
  refuse: SitFailure | null = null;
  openFails = false;
  /** The decision times of an agent in the next summary. */
  readonly paces = new Map<string, number[]>();
  /** Hands start by themselves and end only by `endHands`. */
  slowHands = false;
  /** The socket of a player reads that its stay is over, before the lobby does. */
  tells: (socket: SocketId) => void = () => undefined;
  #unanswered: ToShard[] = [];

  constructor(
    private readonly balances: Map<string, number>,
    /** All seats over all shards. */
    private readonly seated: Map<string, string>,
    private readonly post: (message: FromShard) => void,
  ) {}

  send(message: ToShard): void {
    this.received.push(message);
    if (this.silent) this.#unanswered.push(message);
    else this.#answer(message);
  }

  /** Answers the messages that came while it was silent. */
  answerAll(): void {
    this.silent = false;
    for (const message of this.#unanswered.splice(0)) this.#answer(message);
  }

  /** The thread dies. Open messages never get an answer, and the tables stand still. */
  die(): void {
    this.silent = true;
    this.#unanswered = [];
  }

  /** A new thread plays on with the same stored tables. */
  revive(): TableOpening[] {
    this.silent = false;
    this.#unanswered = [];
    for (const table of this.tables.values()) {
      table.inHand = false;
      for (const seat of table.seats) if (seat !== null) seat.socket = 0;
    }
    return [...this.tables.values()].map((table) => this.#stored(table));
  }

  endHands(): void {
    for (const table of [...this.tables.values()]) {
      table.inHand = false;
      this.#settle(table);
    }
  }

  /** A player loses all its chips, or disconnects for good. */
  remove(agentId: string, reason: LeaveReason, untold?: true): void {
    for (const table of this.tables.values()) {
      const seat = table.seats.find((each) => each?.agentId === agentId);
      if (!seat) continue;
      if (reason === 'busted') seat.stack = 0;
      this.#release(table, seat, reason, untold);
      this.#tell(table);
      return;
    }
    throw new Error(`${agentId} sits nowhere here`);
  }

  count(t: ToShard['t']): number {
    return this.received.filter((message) => message.t === t).length;
  }

  last<T extends ToShard['t']>(t: T): Extract<ToShard, { t: T }> | undefined {
    return this.received.findLast((message) => message.t === t) as Extract<ToShard, { t: T }> | undefined;
  }

  players(tableId: string): string[] {
    return (this.tables.get(tableId)?.seats ?? []).flatMap((seat) => (seat === null ? [] : [seat.agentId]));
  }

  #answer(message: ToShard): void {
    switch (message.t) {
      case 'open':
        this.#open(message.opening);
        return;
      case 'sit':
        this.#sit(message);
        return;
      case 'attach':
      case 'detach':
        this.#connection(message);
        return;
      case 'leave':
        this.#leave(message);
        return;
      case 'moveOn':
      case 'part':
        this.#leave(message);
        return;
      case 'close':
      case 'windDown':
        this.#end(message);
        return;
      case 'resumePlay':
        this.#resume(message.table);
        return;
      case 'seat': {
        const seat = this.tables.get(message.table)?.seats.find((each) => each?.agentId === message.agentId);
        const told = seat ? { seat: seat.seat, stack: seat.stack, leaving: seat.leaving } : null;
        this.post({ t: 'seat', ticket: message.ticket, seat: told });
        return;
      }
      case 'state': {
        const known = this.tables.has(message.table);
        this.post({ t: 'state', ticket: message.ticket, json: known ? `{"table_id":"${message.table}"}` : null });
        return;
      }
      case 'resync':
      case 'rebuy': {
        const { table, socket } = message;
        const more = message.t === 'rebuy' ? { requestId: message.requestId } : {};
        if (!this.tables.has(table)) this.post({ t: 'unknownTable', table, socket, of: message.t, ...more });
        return;
      }
      default:
        return;
    }
  }

  #open({ tableId, poolId, rules, sittings }: TableOpening): void {
    if (this.openFails) {
      this.post({ t: 'opened', table: tableId, ok: false, detail: 'no database' });
      return;
    }
    const seats = Array.from({ length: rules.seats }, (): Seat | null => null);
    for (const { sitting, seat, player, stack } of sittings) {
      const { agentId, isHouse } = player;
      seats[seat] = { agentId, seat, stack, isHouse, socket: 0, leaving: false, sitting };
      this.seated.set(agentId, tableId);
    }
    const table = { tableId, poolId, rules, seats, inHand: false, closing: null, drained: false };
    this.tables.set(tableId, table);
    this.post({ t: 'opened', table: tableId, ok: true, detail: null });
    this.#tell(table);
  }

  #sit({ table: tableId, ticket, sitting, player, buyIn, socket }: Extract<ToShard, { t: 'sit' }>): void {
    const { agentId, isHouse } = player;
    if (this.seated.has(agentId)) throw new Error(`${agentId} is seated twice`);
    const table = this.tables.get(tableId);
    const at = table?.seats.indexOf(null) ?? -1;
    const balance = this.balances.get(agentId) ?? 0;
    const code = this.refuse ?? (table === undefined ? 'table_gone' : at < 0 ? 'table_full' : null);
    this.refuse = null;
    if (code !== null || table === undefined || table.closing !== null || balance < buyIn) {
      const failure = code ?? (balance < buyIn ? 'season_buy_in_failed' : 'table_gone');
      this.post({ t: 'sitFailed', table: tableId, ticket, agentId, code: failure });
      return;
    }
    this.balances.set(agentId, balance - buyIn);
    this.seated.set(agentId, tableId);
    table.seats[at] = { agentId, seat: at, stack: buyIn, isHouse, socket, leaving: false, sitting };
    const left = balance - buyIn;
    this.post({ t: 'sat', table: tableId, ticket, agentId, sitting, seat: at, stack: buyIn, balance: left });
    table.inHand = this.slowHands;
    this.#tell(table);
  }

  #connection({ t, table: tableId, agentId, socket }: Extract<ToShard, { t: 'attach' | 'detach' }>): void {
    const table = this.tables.get(tableId);
    const seat = table?.seats.find((each) => each?.agentId === agentId);
    if (!table || !seat) {
      if (t === 'attach') this.post({ t: 'unknownTable', table: tableId, socket, of: t });
      return;
    }
    if (t === 'attach') seat.socket = socket;
    else if (seat.socket === socket) seat.socket = 0;
    this.#tell(table);
  }

  #leave({ table: tableId, agentId }: Extract<ToShard, { t: 'leave' | 'moveOn' | 'part' }>): void {
    const table = this.tables.get(tableId);
    const seat = table?.seats.find((each) => each?.agentId === agentId);
    if (!table || !seat) return;
    seat.leaving = true;
    this.#settle(table);
  }

  #resume(tableId: string): void {
    const table = this.tables.get(tableId);
    if (table === undefined || table.closing !== null) return;
    table.drained = false;
    this.#tell(table);
  }

  #end(message: Extract<ToShard, { t: 'close' | 'windDown' }>): void {
    const table = this.tables.get(message.table);
    if (!table) return;
    if (message.t === 'close') table.closing = message.reason;
    else table.drained = true;
    this.#settle(table);
  }

  /** Between hands leaving players go, and a closing table closes. */
  #settle(table: ToyTable): void {
    if (!table.inHand) {
      for (const seat of table.seats) {
        if (seat !== null && (seat.leaving || table.closing !== null)) {
          this.#release(table, seat, table.closing !== null ? 'closed' : 'left');
        }
      }
      if (table.closing !== null) {
        this.tables.delete(table.tableId);
        this.post({ t: 'closed', table: table.tableId });
        return;
      }
    }
    this.#tell(table);
  }

  #release(table: ToyTable, { agentId, seat, stack, socket }: Seat, reason: LeaveReason, untold?: true): void {
    table.seats[seat] = null;
    this.seated.delete(agentId);
    const balance = (this.balances.get(agentId) ?? 0) + stack;
    this.balances.set(agentId, balance);
    const { tableId, poolId } = table;
    if (untold === undefined) this.tells(socket);
    this.post({
      t: 'left',
      table: tableId,
      poolId,
      agentId,
      seat,
      reason,
      absent: reason === 'disconnected',
      ...(untold === undefined ? {} : { untold }),
      stack,
      balance,
    });
  }

  #tell(table: ToyTable): void {
    this.post({ t: 'summary', summary: summaryOf(table, this.paces) });
  }

  #stored(table: ToyTable): TableOpening {
    const { tableId, poolId, rules } = table;
    const nothing = { handNumber: 7, button: -1, bigBlindSeat: -1, seqFloor: 0 };
    const look = { avatarUrl: null, publicProfileSlug: null, isPro: false, autoRebuy: false };
    const sittings = table.seats.flatMap((seat) => {
      if (seat === null) return [];
      const { agentId, isHouse, stack } = seat;
      const player = { agentId, name: agentId, isHouse, ...look };
      return [{ sitting: `stay of ${agentId}`, seat: seat.seat, player, stack }];
    });
    return { tableId, poolId, rules, ...nothing, sittings };
  }
}

export const TOY_RULES: TableRules = { ...RULES, betweenHandsMs: 0, replayBytes: 100_000 };

function summaryOf(
  { tableId, poolId, rules, seats, inHand, closing, drained }: ToyTable,
  paces: Map<string, number[]>,
): TableSummary {
  const taken = seats.filter((seat) => seat !== null);
  return {
    tableId,
    poolId,
    seats: seats.length,
    smallBlind: rules.smallBlind,
    bigBlind: rules.bigBlind,
    handNumber: 7,
    occupied: taken.length,
    inHand,
    closing: closing !== null || drained,
    players: taken.map(({ agentId, seat, isHouse, socket, leaving }) => ({
      agentId,
      seat,
      isHouse,
      connected: socket !== 0,
      leaving,
      decisionsMs: paces.get(agentId)?.splice(0) ?? [],
      bankMs: 0,
    })),
  };
}
