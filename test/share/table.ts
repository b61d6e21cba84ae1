import type { FromShard, SitFailure, ToShard } from '../../src/shard/messages.js';
import type { LeaveReason, SocketId, TableOpening, TableSummary } from '../../src/table/api.js';
import type { Dice } from '../sim/dice.js';
import type { ShareDatabase } from './database.js';

const BETWEEN_HANDS_MS = 1000;
const HOLD_MS = 120_000;
/** The share of hands in which two players are all in. */
const ALL_IN = 0.03;
const DEALING_MS = 200;

type Of<T extends ToShard['t']> = Extract<ToShard, { t: T }>;

interface Seat {
  readonly agentId: string;
  readonly seat: number;
  readonly sitting: string;
  stack: number;
  socket: SocketId;
  /** Its buy-in is stored. */
  bought: boolean;
  /** Why it goes between hands; null: it stays. */
  leaving: 'left' | 'disconnected' | null;
  decisionsMs: number[];
  cancelHold: () => void;
}

/** A table's needs of its shard. */
export interface TableHost {
  readonly rows: ShareDatabase;
  readonly dice: Dice;
  readonly drains: boolean;
  /** The table is still of this shard: its writes count. */
  owns(tableId: string): boolean;
  /** Mean time of the agent's decisions, in ms. */
  thinksMs(agentId: string): number;
  after(ms: number, run: () => void): () => void;
  post(message: FromShard): void;
  sits(socket: SocketId, tableId: string): void;
  left(socket: SocketId, tableId: string): void;
  /** A hand is over. Sockets of its players, at its start. */
  played(sockets: readonly SocketId[]): void;
  gone(table: ShareTable): void;
}

/**
 * A table without cards, as match-making meets it: seats, holds, hands that take the time of their players' decisions,
 * chips that change hands, busts. Its row is what its last commit left.
 */
export class ShareTable {
  readonly #seats: (Seat | null)[];
  #inHand = false;
  #planned = false;
  #closing = false;
  #ending = false;

  constructor(
    readonly opening: TableOpening,
    private readonly host: TableHost,
  ) {
    this.#seats = Array.from({ length: opening.rules.seats }, () => null);
    for (const { sitting, seat, player, stack } of opening.sittings) {
      const held = this.#seat(player.agentId, seat, sitting, stack, 0);
      held.bought = true;
      this.#hold(held);
    }
  }

  get tableId(): string {
    return this.opening.tableId;
  }

  get inHand(): boolean {
    return this.#inHand;
  }

  seatOf(agentId: string): Seat | undefined {
    return this.#seats.find((seat) => seat?.agentId === agentId) ?? undefined;
  }

  get #taken(): Seat[] {
    return this.#seats.filter((seat) => seat !== null);
  }

  /** Its buy-in is one statement. */
  async sit({ ticket, sitting, player, buyIn, socket }: Of<'sit'>): Promise<void> {
    const { rows } = this.host;
    const { agentId } = player;
    const fails = (code: SitFailure) => this.host.post({ t: 'sitFailed', table: this.tableId, ticket, agentId, code });
    const at = this.#seats.indexOf(null);
    if (this.#closing) return fails('table_gone');
    if (at < 0) return fails('table_full');
    const seat = this.#seat(agentId, at, sitting, buyIn, socket);
    const paid = await rows.statement(() => {
      const balance = rows.balances.get(agentId) ?? 0;
      const row = rows.tables.get(this.tableId);
      if (balance < buyIn || row === undefined || !this.host.owns(this.tableId)) return null;
      rows.balances.set(agentId, balance - buyIn);
      row.sittings.push({ sitting, seat: at, player, stack: buyIn });
      return balance - buyIn;
    });
    if (paid === null) {
      this.#seats[at] = null;
      return fails('season_buy_in_failed');
    }
    seat.bought = true;
    if (seat.socket === 0) this.#hold(seat);
    else this.host.sits(seat.socket, this.tableId);
    const bought = { sitting, seat: at, stack: buyIn, balance: paid };
    this.host.post({ t: 'sat', table: this.tableId, ticket, agentId, ...bought });
    await this.#settle();
  }

  attach({ agentId, socket }: Of<'attach'>): void {
    const seat = this.seatOf(agentId);
    if (seat === undefined) {
      return this.host.post({ t: 'unknownTable', table: this.tableId, socket, of: 'attach' });
    }
    seat.cancelHold();
    seat.socket = socket;
    this.host.sits(socket, this.tableId);
    this.#tell();
    this.#plan();
  }

  detach({ agentId, socket }: Of<'detach'>): void {
    const seat = this.seatOf(agentId);
    if (seat?.socket !== socket) return;
    this.#hold(seat);
    this.#tell();
  }

  /** By its own wish, or by that of match-making: once its hand is over. */
  async leave(agentId: string, sitting: string | null): Promise<void> {
    const seat = this.seatOf(agentId);
    if (seat === undefined || (sitting !== null && seat.sitting !== sitting)) return;
    seat.leaving = 'left';
    await this.#settle();
  }

  /** Once the hand is over. */
  async close(): Promise<void> {
    this.#closing = true;
    await this.#settle();
  }

  summary(): TableSummary {
    const { tableId, poolId, rules, handNumber } = this.opening;
    const { seats, smallBlind, bigBlind } = rules;
    return {
      tableId,
      poolId,
      seats,
      smallBlind,
      bigBlind,
      handNumber,
      occupied: this.#taken.length,
      inHand: this.#inHand,
      closing: this.#closing || this.host.drains,
      players: this.#taken.map(({ agentId, seat, socket, leaving, decisionsMs }) => ({
        agentId,
        seat,
        isHouse: false,
        connected: socket !== 0,
        leaving: leaving !== null,
        decisionsMs: decisionsMs.splice(0),
        bankMs: 0,
      })),
    };
  }

  #seat(agentId: string, at: number, sitting: string, stack: number, socket: SocketId): Seat {
    const nothing = { bought: false, leaving: null, decisionsMs: [], cancelHold: () => undefined };
    const seat: Seat = { agentId, seat: at, sitting, stack, socket, ...nothing };
    this.#seats[at] = seat;
    return seat;
  }

  #hold(seat: Seat): void {
    seat.socket = 0;
    seat.cancelHold();
    seat.cancelHold = this.host.after(HOLD_MS, () => void this.#expired(seat));
  }

  async #expired(seat: Seat): Promise<void> {
    seat.leaving = 'disconnected';
    await this.#settle();
  }

  #tell(): void {
    this.host.post({ t: 'summary', summary: this.summary() });
  }

  get #players(): Seat[] {
    return this.#taken.filter(({ bought, socket, leaving }) => bought && socket !== 0 && leaving === null);
  }

  #plan(): void {
    if (this.#planned || this.#inHand || this.#closing || this.#players.length < 2) return;
    this.#planned = true;
    this.host.after(BETWEEN_HANDS_MS, () => {
      this.#planned = false;
      if (!this.#inHand && !this.#closing && !this.host.drains && this.#players.length >= 2) this.#deal();
    });
  }

  #deal(): void {
    const { dice, thinksMs } = this.host;
    const players = this.#players;
    this.#inHand = true;
    let ms = DEALING_MS;
    for (const player of players) {
      const mean = thinksMs(player.agentId);
      for (let left = dice.int(1, 5); left > 0; left--) {
        const decisionMs = mean * (0.5 + dice.unit());
        player.decisionsMs.push(decisionMs);
        ms += decisionMs;
      }
    }
    this.#tell();
    const sockets = players.map(({ socket }) => socket);
    this.host.after(ms, () => {
      this.#pay(players);
      this.host.played(sockets);
      this.#inHand = false;
      void this.#settle();
    });
  }

  /** Chips go from one player to another. */
  #pay(players: readonly Seat[]): void {
    const { dice } = this.host;
    const winner = dice.pick(players);
    const loser = dice.pick(players.filter((each) => each !== winner));
    const most = dice.chance(ALL_IN) ? Infinity : dice.int(20, 300);
    const chips = Math.min(winner.stack, loser.stack, most);
    winner.stack += chips;
    loser.stack -= chips;
    this.opening.handNumber++;
  }

  /** Between hands: the hand is stored, players go, a closing table closes. */
  async #settle(): Promise<void> {
    if (this.#inHand || this.#ending) return this.#tell();
    const bought = this.#taken.filter((seat) => seat.bought);
    // A buy-in under way is stored first: then this is called again.
    this.#ending = this.#closing && bought.length === this.#taken.length;
    if (this.#ending) return this.#end();
    await this.#release(
      bought.flatMap((seat) => {
        const reason = seat.stack === 0 ? 'busted' : seat.leaving;
        return reason === null ? [] : [{ seat, reason }];
      }),
    );
    this.#tell();
    this.#plan();
  }

  async #end(): Promise<void> {
    const sockets = this.#taken.map(({ socket }) => socket);
    await this.#release(this.#taken.map((seat) => ({ seat, reason: 'closed' })));
    for (const socket of sockets) this.host.left(socket, this.tableId);
    this.#tell();
    if (this.host.owns(this.tableId)) this.host.rows.tables.delete(this.tableId);
    this.host.post({ t: 'closed', table: this.tableId });
    this.host.gone(this);
  }

  /** Their stacks go back to their balances, in one statement with the stacks of all others. */
  async #release(goers: readonly { seat: Seat; reason: LeaveReason }[]): Promise<void> {
    const { rows } = this.host;
    for (const { seat } of goers) {
      this.#seats[seat.seat] = null;
      seat.cancelHold();
    }
    const stored = await rows.statement(() => {
      const row = rows.tables.get(this.tableId);
      if (row === undefined || !this.host.owns(this.tableId)) return false;
      row.handNumber = this.opening.handNumber;
      row.sittings = row.sittings.flatMap((stay) => {
        const seat = this.seatOf(stay.player.agentId);
        return seat?.sitting === stay.sitting ? [{ ...stay, stack: seat.stack }] : [];
      });
      for (const { seat } of goers) rows.balances.set(seat.agentId, rows.balances.get(seat.agentId)! + seat.stack);
      return true;
    });
    if (!stored) return;
    for (const { seat, reason } of goers) {
      const { agentId, stack, socket } = seat;
      if (reason !== 'closed') this.host.left(socket, this.tableId);
      const ended = { agentId, seat: seat.seat, reason, absent: reason === 'disconnected', stack };
      const balance = rows.balances.get(agentId)!;
      this.host.post({ t: 'left', table: this.tableId, poolId: this.opening.poolId, ...ended, balance });
    }
  }
}
