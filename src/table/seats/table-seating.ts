import { assert, assertWhole } from '../../ops/assert.js';
import { NO_SOCKET, type LeaveReason, type Sitting, type SocketId } from '../api.js';
import type { TableCore } from '../core.js';
import type { Dealer } from '../hand/dealer.js';
import { handsToBigBlind, memoryMs, type BlindDebt } from './blinds.js';
import { Seat } from './seat.js';

/** Arrivals and departures: buy-ins, sockets, leaves, releases, and the end of the table. */
export class TableSeating {
  readonly #core: TableCore;

  constructor(core: TableCore) {
    this.#core = core;
  }

  /** A player stored on a seat when the table was last open: disconnected, held from now. */
  restore(sitting: Sitting): void {
    const { seats, rules, now, last, play } = this.#core;
    assert(!play.inHand, 'stored players are seated before a hand');
    const seat = new Seat(sitting, this.#core.rules.timeBankMs ?? 0);
    // Its earlier blinds are not known. It is taken to have paid an orbit.
    seat.blinds.paidHands = seats.size - 1;
    // Whether a hand was under way then, and is void, is not known.
    seat.sees(last.handNumber + 1);
    seat.disconnect(now, now + rules.disconnectHoldMs);
    seats.put(seat);
    if (seat.isBust(rules.bigBlind)) this.release(seat, 'busted');
    else this.skim(seat, null);
  }

  /** The buy-in is paid: the newcomer reads table_joined, the others player_joined, all the new state. */
  sit(sitting: Sitting, socket: SocketId): void {
    const core = this.#core;
    assert(sitting.stack > 0, 'a buy-in brings chips', sitting.stack);
    const seat = new Seat(sitting, this.#core.rules.timeBankMs ?? 0);
    if (socket === NO_SOCKET) seat.disconnect(core.now, core.now + core.rules.disconnectHoldMs);
    else seat.connect(socket);
    if (core.play.inHand) seat.sees(core.play.handNumber);
    core.seats.put(seat);
    if (sitting.left !== undefined && !sitting.player.isHouse) {
      seat.blinds.comesBack(sitting.left, this.#handsToBigBlind(seat));
    }
    core.rebuysPending.delete(sitting.player.agentId);
    if (seat.connected) core.sender.tableJoined(seat);
    core.sender.event({ kind: 'player_joined', seat: seat.index, nameJson: seat.nameJson, stack: seat.stack }, seat);
    core.sendState();
    core.summaryChanged();
  }

  #handsToBigBlind({ index }: Seat): number {
    const { seats, play, last, rules } = this.#core;
    const { button, bigBlindSeat } = play.inHand
      ? { button: play.hand.setup.button, bigBlindSeat: play.hand.bigBlindSeat }
      : last;
    return handsToBigBlind(index, {
      previousButton: button,
      previousBigBlind: bigBlindSeat,
      dealt: seats.eligible | (1 << index),
      headsUpBlinds: rules.headsUpBlinds,
    });
  }

  /**
   * A socket takes the seat of its player over: the state, and the open turn once more to the actor. Nothing where it has
   * the seat already.
   */
  attach(agentId: string, socket: SocketId): void {
    const core = this.#core;
    const seat = core.seats.byAgent(agentId);
    if (seat === null || seat.socket === socket) return;
    const returned = !seat.connected;
    seat.connect(socket);
    if (returned) core.summaryChanged();
    if (core.numbers.exhausted) {
      core.stateChanged();
      seat.owedTurn = true;
      return;
    }
    if (returned) core.sendState();
    // A lean socket reads no states, but its cards.
    if (!returned || seat.dismissed || seat.lean) core.sender.stateTo(seat, core.view());
    if (core.play.actor === seat) core.sender.yourTurn(seat);
  }

  /** There are numbers again: who took its seat over without has read the state by now, and the actor lacks its turn. */
  catchUp(): void {
    const { seats, play, sender } = this.#core;
    for (const seat of seats.present) {
      if (seat.owedTurn && seat.lean && play.has(seat)) sender.lean.hand(seat);
      if (seat.owedTurn && play.actor === seat) sender.yourTurn(seat);
      seat.owedTurn = false;
    }
  }

  detach(agentId: string, socket: SocketId): void {
    const core = this.#core;
    const seat = core.seats.byAgent(agentId);
    if (seat === null || seat.socket !== socket || !seat.connected) return;
    seat.disconnect(core.now, core.now + core.rules.disconnectHoldMs);
    core.stateChanged();
    core.summaryChanged();
  }

  /** The seat shall be given up: at once, or at the end of the hand it plays, which it folds when its turn comes. */
  depart(seat: Seat, reason: LeaveReason, dealer: Dealer): void {
    const core = this.#core;
    assert(seat.staying, 'a stay ends once', seat.stay.is);
    seat.leave(reason);
    core.stateChanged();
    core.summaryChanged();
    if (!core.play.has(seat)) this.release(seat, reason);
    else if (core.play.actor === seat) dealer.passLeaver();
  }

  /** Too many of its decisions timed out: out at the end of the hand, its turns passed until then. */
  expel(seat: Seat): void {
    assert(this.#core.play.has(seat), 'a seat is expelled from a hand that it plays', seat.index);
    seat.away = true;
    seat.leave(seat.connected ? 'left' : 'disconnected');
    this.#core.summaryChanged();
  }

  /** Between hands, whoever is alone with held seats goes where others are (protocol.md, "Match-making"). */
  moveOn(agentId: string, reason: string): void {
    const core = this.#core;
    const { seats, play, closing } = core;
    const seat = seats.byAgent(agentId);
    if (seat === null || !seat.staying || !seat.connected || play.inHand || closing !== null) return;
    if (seats.reservations > 0 || seats.count((other) => other.connected && other.staying) > 1) return;
    this.release(seat, 'left', reason);
  }

  /** The player goes where others of its pace are: now, or once the hand is over (protocol.md, "Match-making"). */
  part(agentId: string, reason: string): void {
    const { seats, play, closing } = this.#core;
    const seat = seats.byAgent(agentId);
    if (seat === null || !seat.staying || closing !== null) return;
    if (play.has(seat) || !seat.connected) seat.partsWith = reason;
    else this.release(seat, 'left', reason);
  }

  /** Seats of players that did not return in time. */
  departUnreturned(dealer: Dealer): void {
    const { seats, now } = this.#core;
    for (const seat of seats.present) if (seat.heldUntil <= now) this.depart(seat, 'disconnected', dealer);
  }

  /** Asks the shard to cash the stay out; while its excess is on the way to the balance that has to wait. */
  release(seat: Seat, reason: LeaveReason, movesOn?: string): void {
    const core = this.#core;
    assert(!core.play.has(seat), 'no stay is cashed out during its hand', seat.index);
    assert(core.seats.all[seat.index] === seat, 'a stay that is cashed out has its seat', seat.index);
    if (seat.staying) core.stateChanged();
    if (seat.excess > 0) return seat.leave(reason, { out: reason !== 'closed', movesOn });
    seat.release(reason, movesOn);
    core.summaryChanged();
    const { sitting, index, player, stack, absent } = seat;
    const decksSeen = core.rules.duplicate === null ? 0 : seat.decksSeen;
    const owes = this.#owes(seat);
    const { agentId } = player;
    core.effect({ kind: 'release', sitting, seat: index, agentId, stack, reason, absent, decksSeen, owes });
  }

  /** A post that is still due stays so. Else only a leave of its own, or a removal, is remembered of a player. */
  #owes({ blinds, player, stay }: Seat): (BlindDebt & { forMs: number }) | null {
    const { rules, handMs } = this.#core;
    const { debt } = blinds;
    if (!rules.returnPost || player.isHouse || debt === null || stay.is !== 'releasing') return null;
    const byItself = (stay.reason === 'left' || stay.reason === 'disconnected') && stay.movesOn === null;
    return byItself || blinds.due ? { ...debt, forMs: memoryMs(handMs) } : null;
  }

  /** Asks the shard to take what the stack has above the maximum back to the balance. */
  skim(seat: Seat, handId: string | null): void {
    const { maxStack } = this.#core.rules;
    if (maxStack === null || seat.stack <= maxStack) return;
    const { sitting, player, stack } = seat;
    assert(seat.excess === 0, 'an excess is taken once', seat.excess);
    assert(!this.#core.play.has(seat), 'no stack is skimmed during its hand', seat.index);
    seat.excess = stack - maxStack;
    this.#core.effect({ kind: 'skim', sitting, agentId: player.agentId, stack, excess: seat.excess, handId });
  }

  /** The excess is in the balance: the player reads so, and all read the new stack. A leave that waited goes on. */
  skimmed(sitting: string, balance: number): void {
    const core = this.#core;
    const seat = core.seats.bySitting(sitting);
    if (seat === null || seat.excess === 0) return;
    const { excess } = seat;
    assert(seat.stack >= excess, 'a stack covers its excess', seat.stack - excess);
    assertWhole(balance, 'the balance after an excess');
    seat.stack -= excess;
    seat.excess = 0;
    core.stateChanged();
    core.summaryChanged();
    core.sender.answers.chipsSkimmed(seat, excess, balance);
    if (seat.why !== null) this.release(seat, seat.why);
  }

  /** The chips are back off the table: the seat is free. When the whole table goes it waits for the others. */
  released(sitting: string): void {
    const core = this.#core;
    const seat = core.seats.bySitting(sitting);
    if (seat === null || seat.stay.is !== 'releasing') return;
    const { reason, movesOn } = seat.stay;
    core.summaryChanged();
    seat.cashOut();
    if (reason === 'closed') return;
    const { index, nameJson } = seat;
    core.sender.event({ kind: 'player_left', seat: index, nameJson, reason }, movesOn === null ? null : seat);
    if (movesOn !== null) core.sender.closedTo(seat, movesOn);
    core.seats.clear(seat);
    core.stateChanged();
  }

  /** Brings a closing table nearer to its end: all seats given up, then table_closed, once every stack is back. */
  windUp(): void {
    const core = this.#core;
    const { closing, play, seats } = core;
    if (closing === null || play.inHand) return;
    for (const seat of seats.present) if (seat.staying || seat.stay.is === 'leaving') this.release(seat, 'closed');
    if (seats.reservations > 0 || seats.count((seat) => seat.stay.is !== 'cashed_out') > 0) return;
    assert(
      seats.present.every((seat) => seat.stay.is === 'cashed_out'),
      'a table closes once all stacks are back',
    );
    core.closed();
    core.sender.event({ kind: 'table_closed', reason: closing });
    for (const seat of seats.present) seats.clear(seat);
    core.effect({ kind: 'closed' });
  }
}
