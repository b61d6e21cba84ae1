import { Decisions, type Clock } from './decisions.js';
import type { ErrorMessage, ServerMessage, ServerMessages, ServerMessageType } from './generated/messages.js';
import type { Port, TimerName } from './port.js';
import { Lobby, NOT_NOW_MS, type LobbySettings } from './lobby.js';
import type { Rebuys } from './rebuys.js';
import { Seat } from './seat.js';
import { turnIn, turnOf, type AskedTurn } from './table.js';
import { Tally } from './tally.js';

/** Why a bot has ended; those of close codes are in connection.ts. */
export type PlayerEnd = 'hands' | 'left' | 'busted' | 'competition_ended';

export interface Place {
  readonly tableId: string;
  readonly seat: number;
}

export interface PlayerSettings extends Clock, LobbySettings {
  /** Leaves after so many; null: never. */
  hands: number | null;
}

type Handlers = { readonly [T in ServerMessageType]?: (message: ServerMessages[T]) => void };

/**
 * A player's reactions to frames: no socket, no clock, no promise. It tells a port what is to be done. Joins, plays,
 * and goes on through lost connections, rejections, busts and season ends until it has a `reason` to end.
 */
export class PlayerMind {
  name = '';
  readonly tally = new Tally();
  /** Null while it plays. */
  reason: PlayerEnd | null = null;
  readonly #decisions: Decisions;
  readonly #lobby: Lobby;
  readonly #rebuys: Rebuys;
  readonly #seat: Seat;
  /** Why it gives its seat up; null while it wants to play. */
  #leaving: PlayerEnd | null = null;

  readonly #on: Handlers = {
    connected: () => this.#askAgain(),
    lobby_joined: () => this.#lobby.waits(),
    table_joined: (message) => this.#joined(message),
    your_turn: (message) => this.#asked(message),
    action_ack: ({ client_action_id: id }) => this.#decisions.acknowledged(id),
    action_rejected: (message) => this.#rejected(message),
    player_action: (message) => this.#acted(message),
    hand_start: () => this.#decisions.drop(),
    table_state: (message) => this.#shown(message),
    hand_result: (message) => this.#result(message),
    resync_response: (message) => this.#resynced(message),
    player_left: (message) => this.#left(message),
    table_closed: (message) => this.#closed(message),
    busted: ({ options }) => this.#busted(options),
    rebuy_confirmed: (message) => this.#rebought(message),
    // Somebody turned the automatic rebuy on: the server does it, and says so.
    auto_rebuy_scheduled: () => void (this.#rebuys.never && this.#end('busted')),
    season_ended: () => this.#seasonEnded(),
    error: (message) => this.#error(message),
  };

  constructor(
    private readonly port: Port,
    private readonly settings: PlayerSettings,
  ) {
    this.#decisions = new Decisions(port, settings);
    this.#seat = new Seat(port);
    this.#lobby = new Lobby(port, settings);
    this.#rebuys = this.#lobby.rebuys;
  }

  // ---- from outside

  /** A frame of the server. Unknown types and fields are ignored, and so are numbers that do not rise. */
  read(message: ServerMessage): void {
    if (!this.#seat.follow(message)) return;
    (this.#on[message.type] as ((message: ServerMessage) => void) | undefined)?.(message);
  }

  /** Frames that come meanwhile may not be all. */
  get isResyncing(): boolean {
    return this.#seat.isUnsure;
  }

  /** The connection is gone, and will be made again. */
  disconnected(): void {
    this.port.cancel('again');
    this.#lobby.left();
    this.#seat.lost();
    this.#decisions.lost();
  }

  /** Where it sits, as far as it knows. */
  get place(): Place | null {
    const { table } = this.#seat;
    return table === null ? null : { tableId: table.id, seat: table.seat };
  }

  /** Takes the result of `decide`, or its error if `error` is not null. */
  decided(token: string, answer: unknown, error: unknown): void {
    this.#decisions.decided(token, answer, error);
  }

  /** Takes the answer of the rebuy function. */
  rebuyDecided(wanted: boolean): void {
    if (this.reason === null && this.#rebuys.decided(wanted) === 'refused') this.#end('busted');
  }

  /** It ends from outside: a decision that is under way is no longer wanted. */
  stopThinking(): void {
    this.#decisions.drop();
  }

  /** The time of a timer is up. */
  ring(timer: TimerName): void {
    if (timer === 'again') this.#askAgain();
    else this.#decisions.late();
  }

  /** Gives the seat up, at the end of the hand if there is one, and ends then. */
  leave(reason: PlayerEnd = 'left'): void {
    this.#leaving ??= reason;
    this.#decisions.drop();
    if (!this.#isSeated) this.#end(this.#leaving);
    else this.port.send({ type: 'leave_table' });
  }

  // ---- lobby and seat

  get #isSeated(): boolean {
    return this.#seat.table !== null;
  }

  /** Says what the state asks for: after a connect, or where something said was not heard. */
  #askAgain(): void {
    if (this.#isSeated) {
      const { isUnsure } = this.#seat;
      if (isUnsure) this.#seat.resync();
      if (this.#leaving !== null) this.port.send({ type: 'leave_table' });
      else if (!isUnsure) this.#decisions.sayAgain();
    } else if (this.#leaving !== null) this.#end(this.#leaving);
    else this.#lobby.seek();
  }

  #joined({ table_id: id, seat, table_seq: seq }: ServerMessages['table_joined']): void {
    this.#sit(id, seat).isNews(seq);
    if (this.#leaving !== null) this.leave();
  }

  #sit(id: string, seat: number) {
    this.port.cancel('again');
    this.#decisions.drop();
    this.#rebuys.forget();
    return this.#seat.take(id, seat);
  }

  /** Without a seat: another one, unless it was given up. */
  #seatLost(): void {
    this.#forgetSeat();
    if (this.#leaving !== null) this.#end(this.#leaving);
    else if (this.reason === null) this.#lobby.joinAgain();
  }

  /** It may be an answer to what was said before the seat's end was read: that has told already what to do. */
  #seatDenied(): void {
    if (this.#isSeated) this.#seatLost();
  }

  #forgetSeat(): void {
    this.#decisions.drop();
    if (this.#isSeated) this.#lobby.left();
    this.#seat.forget();
  }

  #left(message: ServerMessages['player_left']): void {
    if (!this.#seat.isOwn(message)) return;
    // The answer to a bust comes next.
    if (message.reason === 'busted' && this.#leaving === null) this.#forgetSeat();
    else this.#seatLost();
  }

  #closed({ table_id: id, reason }: ServerMessages['table_closed']): void {
    if (!this.#seat.isAt(id)) return;
    if (reason !== 'competition_ended') return this.#seatLost();
    this.#forgetSeat();
    this.#end('competition_ended');
  }

  #seasonEnded(): void {
    // Everybody hears of it; whoever plays a competition goes on.
    if (this.settings.inCompetition) return;
    this.#lobby.seasonEnded();
    this.#seatLost();
  }

  #resynced(message: ServerMessages['resync_response']): void {
    const { table } = this.#seat;
    if (table === null || !this.#seat.isAt(message.table_id)) return;
    const { snapshot, role, replayed_events: events } = message;
    const wasLeaving = this.#leaving !== null;
    for (const event of events) if (event.type === 'hand_result') this.#result(event);
    this.#seat.resynced();
    const { hero } = snapshot;
    if (role === 'spectator' || hero === undefined) return this.#seatLost();
    table.seat = hero.seat;
    // The first one may have been lost.
    if (wasLeaving) return void this.port.send({ type: 'leave_table' });
    const turn = turnIn(snapshot);
    if (turn === null) this.#decisions.drop();
    else this.#ask(turn, table.openFor(snapshot));
  }

  // ---- turns

  #asked(message: ServerMessages['your_turn']): void {
    const turn = turnOf(message);
    this.#decisions.timed(turn);
    // While a resync is under way something of the hand may be missing: the turn comes again with its answer.
    if (this.#seat.isUnsure && !this.#decisions.knows(turn.token)) return;
    this.#ask(turn, 0);
  }

  #ask(turn: AskedTurn, elapsedMs: number): void {
    const { table } = this.#seat;
    // The server folds for those who leave.
    if (this.#leaving !== null || table === null) return;
    if (table.shows(turn.handId)) this.#decisions.ask(table, turn, elapsedMs);
    else this.#seat.resync();
  }

  /** A state without the hand of the open turn: a hand that was cut off is void, and its table was opened again. */
  #shown({ table_id: id, hand_id: handId }: ServerMessages['table_state']): void {
    if (this.#seat.isAt(id)) this.#decisions.dropUnlessOf(handId);
  }

  #rejected({ code, reason, details }: ServerMessages['action_rejected']): void {
    this.port.warn('rejected', `action_rejected ${code}: ${reason}`, { code, details });
    if (code === 'not_at_table' || code === 'table_not_found') return this.#seatDenied();
    // All others say that the turn went on: what comes next tells how.
    if (code === 'invalid_action') this.#decisions.refused(details);
  }

  #acted(message: ServerMessages['player_action']): void {
    if (!this.#seat.isOwn(message)) return;
    const { reason, action, hand_id: handId } = message;
    if (reason === 'timeout') this.port.warn('timeout', `the server played ${action}: time was up`, { handId });
    this.#decisions.drop();
  }

  #result(message: ServerMessages['hand_result']): void {
    this.#decisions.drop();
    const { table } = this.#seat;
    const { hands: most } = this.settings;
    // A table without a pause deals another hand before it reads of the leave, and passes it: that one is not asked for.
    if (table === null || (most !== null && this.tally.hands >= most)) return;
    if (!this.tally.count(message, table.seat)) return;
    const { hands, chips } = this.tally;
    if (this.tally.isWorthALine) {
      this.port.log('info', 'progress', `${hands} hands, a stack of ${String(chips)} chips`, { hands });
    }
    if (most !== null && hands >= most && this.#leaving === null) this.leave('hands');
  }

  // ---- chips

  #busted(options: readonly string[]): void {
    this.#forgetSeat();
    if (options.includes('rebuy')) this.#outOfChips(options);
    else this.#seatLost();
  }

  #outOfChips(options: readonly string[]): void {
    if (this.#leaving !== null || this.#rebuys.never) this.#end(this.#leaving ?? 'busted');
    else this.#rebuys.offer({ options, hands: this.tally.hands });
  }

  #rebought({ chip_balance: chips }: ServerMessages['rebuy_confirmed']): void {
    this.#rebuys.forget();
    if (this.#isSeated) return;
    this.port.log('info', 'rebuy', `rebought: a balance of ${chips} chips`, { chips });
    this.#seatLost();
  }

  // ---- errors

  #error(message: ErrorMessage): void {
    switch (message.code) {
      case 'already_seated':
        this.#sit(message.table_id, message.seat);
        return this.#seat.resync(true);
      case 'not_at_table':
        return this.#notAtTable();
      case 'table_not_found':
        return this.#seatDenied();
      case 'insufficient_season_chips':
        this.#lobby.left();
        return this.#outOfChips(['rebuy', 'leave']);
      default: {
        const reason = this.#lobby.refused(message, this.#isSeated);
        if (reason !== null) this.#end(reason);
      }
    }
  }

  /** To a leave: the seat is gone. To a rebuy: there are chips left. */
  #notAtTable(): void {
    this.#forgetSeat();
    this.#rebuys.forget();
    if (this.#leaving !== null) this.#end(this.#leaving);
    // At once could go round in circles.
    else this.port.later('again', NOT_NOW_MS);
  }

  #end(reason: PlayerEnd): void {
    this.reason ??= reason;
    this.#decisions.drop();
    this.port.cancel('again');
  }
}
