import { NO_SOCKET, type LeaveReason, type Sitting, type SocketId } from './api.js';
import type { TableCore } from './core.js';
import type { Dealer } from './dealer.js';
import { Seat } from './seat.js';

/** Who comes and goes: buy-ins, sockets, leaves, releases, and the end of the table. */
export class Door {
  readonly #core: TableCore;

  constructor(core: TableCore) {
    this.#core = core;
  }

  /** A player stored on a seat when the table was last open: disconnected, held from now. */
  restore(sitting: Sitting): void {
    const { seats, rules, now } = this.#core;
    const seat = new Seat(sitting, NO_SOCKET);
    seat.heldUntil = now + rules.disconnectHoldMs;
    seats.put(seat);
    if (seat.isBust(rules.bigBlind)) this.release(seat, 'busted');
    else this.skim(seat, null);
  }

  /** The buy-in is paid: the newcomer reads table_joined, the others player_joined, all the new state. */
  sit(sitting: Sitting, socket: SocketId): void {
    const core = this.#core;
    const seat = new Seat(sitting, socket);
    if (socket === NO_SOCKET) seat.heldUntil = core.now + core.rules.disconnectHoldMs;
    core.seats.put(seat);
    core.rebuysPending.delete(sitting.player.agentId);
    if (seat.connected) core.teller.tableJoined(seat);
    core.teller.event({ kind: 'player_joined', seat: seat.index, nameJson: seat.nameJson, stack: seat.stack }, seat);
    core.tellState();
    core.summaryStale = true;
  }

  /** A socket takes the seat of its player over: the state, and the open turn once more to the actor. */
  attach(agentId: string, socket: SocketId): void {
    const core = this.#core;
    const seat = core.seats.byAgent(agentId);
    if (seat === null) return;
    const returned = !seat.connected;
    seat.socket = socket;
    seat.heldUntil = Infinity;
    if (returned) {
      core.summaryStale = true;
      core.tellState();
    } else {
      core.teller.stateTo(seat, core.view());
    }
    if (core.play.actor === seat) core.teller.yourTurn(seat);
  }

  detach(agentId: string, socket: SocketId): void {
    const core = this.#core;
    const seat = core.seats.byAgent(agentId);
    if (seat === null || seat.socket !== socket || !seat.connected) return;
    seat.socket = NO_SOCKET;
    if (seat.staying) seat.heldUntil = core.now + core.rules.disconnectHoldMs;
    core.stale = true;
    core.summaryStale = true;
  }

  /** The seat shall be given up: at once, or at the end of the hand it plays, which it folds when its turn comes. */
  depart(seat: Seat, reason: LeaveReason, dealer: Dealer): void {
    const core = this.#core;
    seat.heldUntil = Infinity;
    seat.leaving = reason;
    core.stale = true;
    core.summaryStale = true;
    if (!core.play.has(seat)) this.release(seat, reason);
    else if (core.play.actor === seat) dealer.passLeaver();
  }

  /** Seats whose players did not come back in time. */
  departUnreturned(dealer: Dealer): void {
    const { seats, now } = this.#core;
    for (const seat of seats.present) if (seat.heldUntil <= now) this.depart(seat, 'disconnected', dealer);
  }

  /** Asks the shard to cash the stay out; while its excess is on the way to the balance that has to wait. */
  release(seat: Seat, reason: LeaveReason): void {
    const core = this.#core;
    if (seat.staying) core.stale = true;
    seat.leaving ??= reason;
    if (seat.excess > 0) return;
    seat.releasing = reason;
    seat.heldUntil = Infinity;
    core.summaryStale = true;
    const { sitting, index, player, stack } = seat;
    core.effect({ kind: 'release', sitting, seat: index, agentId: player.agentId, stack, reason });
  }

  /** Asks the shard to take what the stack has above the maximum back to the balance. */
  skim(seat: Seat, handId: string | null): void {
    const { maxStack } = this.#core.rules;
    if (maxStack === null || seat.stack <= maxStack) return;
    const { sitting, player, stack } = seat;
    seat.excess = stack - maxStack;
    this.#core.effect({ kind: 'skim', sitting, agentId: player.agentId, stack, excess: seat.excess, handId });
  }

  /** The excess is in the balance: the player is told, and all read the new stack. A leave that waited goes on. */
  skimmed(sitting: string, balance: number): void {
    const core = this.#core;
    const seat = core.seats.bySitting(sitting);
    if (seat === null || seat.excess === 0) return;
    const { excess } = seat;
    seat.stack -= excess;
    seat.excess = 0;
    core.stale = true;
    core.summaryStale = true;
    core.teller.chipsSkimmed(seat, excess, balance);
    if (seat.leaving !== null) this.release(seat, seat.leaving);
  }

  /** The chips are back off the table: the seat is free. When the whole table goes it waits for the others. */
  released(sitting: string): void {
    const core = this.#core;
    const seat = core.seats.bySitting(sitting);
    if (seat === null || seat.releasing === null || seat.cashedOut) return;
    core.summaryStale = true;
    if (seat.releasing === 'closed') {
      seat.cashedOut = true;
      return;
    }
    const { index, nameJson, releasing: reason } = seat;
    const except = reason === 'busted' ? seat : null;
    core.teller.event({ kind: 'player_left', seat: index, nameJson, reason }, except);
    core.seats.clear(seat);
    core.stale = true;
  }

  /** Brings a closing table nearer to its end: all seats given up, then table_closed, once every stack is back. */
  windUp(): void {
    const core = this.#core;
    const { closing, play, seats } = core;
    if (closing === null || core.closed || play.inHand) return;
    for (const seat of seats.present) if (seat.releasing === null) this.release(seat, 'closed');
    if (seats.reservations > 0 || seats.count((seat) => !seat.cashedOut) > 0) return;
    core.closed = true;
    core.teller.event({ kind: 'table_closed', reason: closing });
    for (const seat of seats.present) seats.clear(seat);
    core.stale = false;
    core.summaryStale = true;
    core.effect({ kind: 'closed' });
  }
}
