import { Decisions, type Clock } from './decisions.js';
import type { ErrorMessage, ServerMessage, ServerMessages, ServerMessageType } from './generated/messages.js';
import type { Port, TimerName } from './port.js';
import { Rebuys, type RebuyPolicy } from './rebuys.js';
import { Table, type AskedTurn } from './table.js';

/** In ms: where the server said "not now"; the window of its limits; for somebody to verify an address. */
const [NOT_NOW_MS, RATE_MS, UNVERIFIED_MS] = [2000, 1000, 60_000];

/** Errors after which the same may be said again, and when. */
const PAUSES: Readonly<Partial<Record<ErrorMessage['code'], number>>> = {
  rate_limited: RATE_MS,
  email_not_verified: UNVERIFIED_MS,
  no_active_season: NOT_NOW_MS,
  season_error: NOT_NOW_MS,
  season_buy_in_failed: NOT_NOW_MS,
  lobby_full: NOT_NOW_MS,
  not_registered_for_season: NOT_NOW_MS,
};

/** Results whose hands are remembered, so that each counts once. */
const COUNTED = 64;
/** Hands from one report in the log to the next. */
const REPORT = 20;

/** Why a bot has ended; those of close codes are in connection.ts. */
export type PlayerEnd = 'hands' | 'left' | 'busted' | 'competition_ended';

export interface PlayerSettings extends Clock {
  buyIn: number | null;
  rebuy: RebuyPolicy;
  /** Leaves after so many; null: never. */
  hands: number | null;
  inCompetition: boolean;
}

type Handlers = { readonly [T in ServerMessageType]?: (message: ServerMessages[T]) => void };

/**
 * What a player says to what it reads: no socket, no clock, no promise. It tells a port what is to be done. Joins, plays,
 * and goes on through lost connections, rejections, busts and season ends until it has a `reason` to end.
 */
export class PlayerMind {
  name = '';
  handsPlayed = 0;
  /** The stack after the last hand; null before the first. */
  chips: number | null = null;
  /** Null while it plays. */
  reason: PlayerEnd | null = null;
  readonly #decisions: Decisions;
  readonly #rebuys: Rebuys;
  #table: Table | null = null;
  /** The number to ask from while a resync is under way: whether the seat is still ours is not known. */
  #resyncFrom: number | null = null;
  /** Why it gives its seat up; null while it wants to play. */
  #leaving: PlayerEnd | null = null;
  #counted: string[] = [];

  readonly #on: Handlers = {
    connected: ({ name }) => {
      this.name = name;
      this.#askAgain();
    },
    table_joined: (message) => this.#joined(message),
    your_turn: (message) => this.#asked(message),
    action_ack: ({ client_action_id: id }) => this.#decisions.acknowledged(id),
    action_rejected: (message) => this.#rejected(message),
    player_action: (message) => this.#acted(message),
    hand_start: () => this.#decisions.drop(),
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
    this.#rebuys = new Rebuys(port, settings.rebuy);
  }

  // ---- from outside

  /** A frame of the server. Unknown types and fields are ignored, and so are numbers that do not rise. */
  read(message: ServerMessage): void {
    if ('table_seq' in message && message.table_id === this.#table?.id) {
      if (!this.#table.isNews(message.table_seq)) return;
      this.#table.tell(message);
    }
    (this.#on[message.type] as ((message: ServerMessage) => void) | undefined)?.(message);
  }

  /** What comes meanwhile may not be all of it. */
  get isResyncing(): boolean {
    return this.#resyncFrom !== null;
  }

  /** The connection is gone, and will be made again. */
  disconnected(): void {
    this.port.cancel('again');
    if (this.#table !== null) {
      this.#table.lost();
      this.#resyncFrom ??= this.#table.lastSeq;
    }
    this.#decisions.lost();
  }

  /** What `decide` returned, or threw where `error` is not null. */
  decided(token: string, answer: unknown, error: unknown): void {
    this.#decisions.decided(token, answer, error);
  }

  /** What the rebuy function said. */
  rebuyDecided(wanted: boolean): void {
    if (this.reason !== null) return;
    this.#rebuys.decided(wanted);
    if (!wanted) this.#end('busted');
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
    if (this.#table === null) this.#end(this.#leaving);
    else this.port.send({ type: 'leave_table' });
  }

  // ---- lobby and seat

  /** Says what the state asks for: after a connect, or where something said was not heard. */
  #askAgain(): void {
    if (this.#table !== null) {
      if (this.#resyncFrom !== null) this.#resync(this.#table, this.#resyncFrom);
      if (this.#leaving !== null) this.port.send({ type: 'leave_table' });
      else if (this.#resyncFrom === null) this.#decisions.sayAgain();
    } else if (this.#leaving !== null) this.#end(this.#leaving);
    else if (this.#rebuys.underWay) this.#rebuys.request();
    else this.#join();
  }

  #join(): void {
    const { buyIn } = this.settings;
    this.port.send({ type: 'join_lobby', ...(buyIn === null ? {} : { buy_in: buyIn }) });
  }

  #resync(table: Table, since: number): void {
    this.#resyncFrom = since;
    this.port.send({ type: 'resync_request', table_id: table.id, last_table_seq: since === 0 ? null : since });
  }

  #joined({ table_id: id, seat, table_seq: seq }: ServerMessages['table_joined']): void {
    this.#sit(id, seat).isNews(seq);
    if (this.#leaving !== null) this.leave();
  }

  #sit(id: string, seat: number): Table {
    this.port.cancel('again');
    this.#decisions.drop();
    this.#rebuys.forget();
    this.#resyncFrom = null;
    this.port.log('info', 'seated', `sits at table ${id}, seat ${seat}`, { tableId: id, seat });
    return (this.#table = new Table(id, seat));
  }

  /** Without a seat: another one, unless it was given up. */
  #seatLost(): void {
    this.#forgetSeat();
    if (this.#leaving !== null) this.#end(this.#leaving);
    else if (this.reason === null) this.#join();
  }

  #forgetSeat(): void {
    this.#decisions.drop();
    this.#table = this.#resyncFrom = null;
  }

  #left({ table_id: id, seat, reason }: ServerMessages['player_left']): void {
    if (id !== this.#table?.id || seat !== this.#table.seat) return;
    // What comes of a bust is told next.
    if (reason === 'busted' && this.#leaving === null) this.#forgetSeat();
    else this.#seatLost();
  }

  #closed({ table_id: id, reason }: ServerMessages['table_closed']): void {
    if (id !== this.#table?.id) return;
    if (reason !== 'competition_ended') return this.#seatLost();
    this.#forgetSeat();
    this.#end('competition_ended');
  }

  #seasonEnded(): void {
    // Everybody hears of it; whoever plays a competition goes on.
    if (this.settings.inCompetition) return;
    this.#rebuys.forget();
    this.#seatLost();
  }

  #resynced(message: ServerMessages['resync_response']): void {
    const table = this.#table;
    if (message.table_id !== table?.id) return;
    const { snapshot, role, replayed_events: events } = message;
    const wasLeaving = this.#leaving !== null;
    for (const event of events) if (event.type === 'hand_result') this.#result(event);
    this.#resyncFrom = null;
    const { hero, hand_id: handId } = snapshot;
    if (role === 'spectator' || hero === undefined) return this.#seatLost();
    table.seat = hero.seat;
    // The first one may have been lost.
    if (wasLeaving) return void this.port.send({ type: 'leave_table' });
    if (hero.turn_token === undefined || handId === null) return this.#decisions.drop();
    const turn = { token: hero.turn_token, handId, actions: hero.valid_actions ?? [], timeoutSeconds: null };
    this.#ask(turn, table.openFor(snapshot));
  }

  // ---- turns

  #asked(message: ServerMessages['your_turn']): void {
    // While a resync is under way something of the hand may be missing: the turn comes again with its answer.
    if (this.#resyncFrom !== null && !this.#decisions.knows(message.turn_token)) return;
    const { turn_token: token, hand_id: handId, valid_actions: actions } = message;
    this.#ask({ token, handId, actions, timeoutSeconds: clockOf(message) }, 0);
  }

  #ask(turn: AskedTurn, elapsedMs: number): void {
    const table = this.#table;
    // The server folds for those who leave.
    if (this.#leaving !== null || table === null) return;
    if (table.shows(turn.handId)) this.#decisions.ask(table, turn, elapsedMs);
    else this.#resync(table, table.lastSeq);
  }

  #rejected({ code, reason, details }: ServerMessages['action_rejected']): void {
    this.port.warn('rejected', `action_rejected ${code}: ${reason}`, { code, details });
    if (code === 'not_at_table' || code === 'table_not_found') return this.#seatLost();
    // All others say that the turn went on: what comes next tells how.
    if (code === 'invalid_action') this.#decisions.refused(actionIdOf(details));
  }

  #acted({ table_id: id, seat, reason, action, hand_id: handId }: ServerMessages['player_action']): void {
    if (id !== this.#table?.id || seat !== this.#table.seat) return;
    if (reason === 'timeout') this.port.warn('timeout', `the server played ${action}: time was up`, { handId });
    this.#decisions.drop();
  }

  #result({ hand_id: handId, final_stacks: stacks }: ServerMessages['hand_result']): void {
    this.#decisions.drop();
    const stack = this.#table === null ? undefined : stacks[String(this.#table.seat)];
    if (stack === undefined || this.#counted.includes(handId)) return;
    this.#counted = [...this.#counted.slice(1 - COUNTED), handId];
    this.chips = stack;
    const hands = ++this.handsPlayed;
    if (hands % REPORT === 0) this.port.log('info', 'progress', `${hands} hands, a stack of ${stack} chips`, { hands });
    const { hands: most } = this.settings;
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
    else this.#rebuys.offer({ options, hands: this.handsPlayed });
  }

  #rebought({ chip_balance: chips }: ServerMessages['rebuy_confirmed']): void {
    this.#rebuys.forget();
    if (this.#table !== null) return;
    this.port.log('info', 'rebuy', `rebought: a balance of ${chips} chips`, { chips });
    this.#seatLost();
  }

  // ---- errors

  #error(message: ErrorMessage): void {
    const text = `error ${message.code}: ${message.message}`;
    switch (message.code) {
      case 'already_seated':
        return this.#resync(this.#sit(message.table_id, message.seat), 0);
      case 'already_in_lobby':
        return this.port.log('debug', 'error', text);
      case 'not_at_table':
        return this.#notAtTable();
      case 'table_not_found':
        return this.#seatLost();
      case 'insufficient_season_chips':
        return this.#outOfChips(['rebuy', 'leave']);
      case 'rebuy_cooldown':
        this.port.log('info', 'rebuy', `the next rebuy is at ${message.rebuy_at}`, { rebuyAt: message.rebuy_at });
        return this.port.later('again', Math.max(RATE_MS, message.cooldown_seconds * 1000));
      default:
        return this.#scolded(message.code, text);
    }
  }

  /** What a sound bot does not hear every day. */
  #scolded(code: ErrorMessage['code'], text: string): void {
    if (code === 'no_active_season' && this.settings.inCompetition) return this.#end('competition_ended');
    this.port.warn(code === 'rate_limited' ? 'rate_limited' : 'error', text, { code });
    if (code === 'flood_warning') return this.port.slowDown();
    if (code === 'invalid_rebuy' && this.#table === null) return this.#end('busted');
    if (code === 'not_registered_for_season') this.#rebuys.forget();
    const pause = PAUSES[code];
    // auth_failed and scope_connection_already_active: the close says what is to be done.
    if (pause !== undefined) this.port.later('again', pause);
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

/** Seconds for the decision, where a later server tells them. */
function clockOf(message: ServerMessages['your_turn']): number | null {
  const { timeout_seconds: seconds } = message as { timeout_seconds?: unknown };
  return typeof seconds === 'number' && seconds > 0 ? seconds : null;
}

function actionIdOf(details: object): string | null {
  const { client_action_id: id } = details as { client_action_id?: unknown };
  return typeof id === 'string' ? id : null;
}
