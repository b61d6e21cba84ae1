import { UNTOLD } from '../../src/protocol/codes.js';
import type { ServerMessage, ServerMessageOf } from '../../src/protocol/server.js';
import type { Knowledge } from './messages.js';
import type { Ending } from './raw-socket.js';

type Turn = ServerMessageOf['your_turn'];

/** The errors of a client that has a seat, or is being given one. */
const PLACED: ReadonlySet<string> = new Set(['already_seated', 'already_in_lobby']);

/** A client's own place, by the frames it has read. */
export class Place {
  greeted = false;
  waiting = false;
  seat: number | null = null;
  turn: Turn | null = null;
  /** The seat is being given up: its end will be told. */
  leaving = false;
  /** It was kicked, so that the end of its seat answers nothing. */
  kicked = false;
  /**
   * The seat may be on its way out without the client's leave: its time ran out, or something happened while it was
   * away. Its own leave may then cross the news.
   */
  uncertain = true;
  /** It was told that it sits, or that it waits for a seat, and its table has yet to say so. */
  expectsState = false;
  /** Survives the socket: stale knowledge is what a hostile client likes best. */
  readonly known: Knowledge = { token: 'none', hand: 'none', table: 'none', spent: 'one' };

  constructor(private readonly name: string) {}

  /** A new socket: whatever was true of the old one, this one has read nothing yet. */
  lost(): void {
    [this.greeted, this.waiting, this.kicked, this.leaving, this.uncertain] = [false, false, false, false, true];
    [this.seat, this.turn, this.expectsState] = [null, null, false];
  }

  get state(): string {
    if (!this.greeted) return 'not greeted';
    if (this.seat !== null) return 'seated';
    return this.waiting ? 'in the lobby' : 'unseated';
  }

  /** Whether the message is the end of the own seat. */
  isOwnEnd(message: ServerMessage): boolean {
    if (message.type === 'player_left') return message.name === this.name;
    return message.type === 'busted' || message.type === 'table_closed';
  }

  /**
   * Whether a seat ended before its socket came. The socket was told that it has the seat, and is closed so that it
   * comes back.
   */
  isUntold(ending: Ending): boolean {
    return this.expectsState && ending.how === 'close' && ending.reason === UNTOLD;
  }

  follow(message: ServerMessage): void {
    switch (message.type) {
      case 'connected':
        this.greeted = true;
        return;
      case 'lobby_joined':
        this.waiting = true;
        return;
      case 'table_joined':
        [this.waiting, this.seat] = [false, message.seat];
        [this.kicked, this.leaving, this.uncertain] = [false, false, false];
        return;
      case 'table_state':
        [this.seat, this.expectsState] = [message.hero?.seat ?? null, false];
        this.known.table = message.table_id;
        return;
      case 'your_turn':
        this.turn = message;
        [this.known.token, this.known.hand] = [message.turn_token, message.hand_id];
        return;
      case 'action_ack':
        this.known.spent = message.client_action_id ?? this.known.spent;
        return;
      case 'player_action':
        if (message.seat === this.seat) this.#acted(message);
        return;
      case 'error':
        this.expectsState ||= PLACED.has(message.code) && this.seat === null;
        this.kicked ||= message.code === 'flood_kick';
        this.leaving ||= message.code === 'flood_kick' || message.code === 'leave_pending';
        return;
      default:
        if (this.isOwnEnd(message)) [this.seat, this.turn] = [null, null];
    }
  }

  #acted({ reason }: ServerMessageOf['player_action']): void {
    this.turn = null;
    this.uncertain ||= reason === 'timeout';
  }
}
