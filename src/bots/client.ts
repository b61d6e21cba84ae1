import type { ServerMessage, ServerMessageOf, ServerMessageType } from '../protocol/server.js';
import { Connection } from './connection.js';
import type { PlayerOptions } from './options.js';
import { Retry } from './retry.js';
import { Decisions } from './decisions.js';
import type { Choice } from './strategy.js';
import { turnOf, type AskedTurn } from './open-turn.js';
import { FrameView } from './view.js';

/** How long to wait where the server said "not now". */
const RETRY_MS = 2000;
/** The server counts messages in any one second. */
const RATE_MS = 1000;
/** How long to wait for somebody to verify an address. */
const PATIENCE_MS = 60_000;

/**
 * A player over the ordinary protocol: joins, plays by its strategy, and goes on through lost connections, rejections,
 * busts, closed tables and season ends until it is stopped.
 */
export class PlayerClient {
  readonly view = new FrameView();
  readonly #connection: Connection;
  readonly #decisions: Decisions;
  /** Joining or rebuying later. */
  readonly #retry = new Retry();
  #place: { table: string; seat: number } | null = null;
  /** The highest table_seq read, for resync. */
  #lastSeq = 0;
  /** Whether it is giving its seat up, and comes back after that. */
  #leaving: 'no' | 'to return' | 'for good' = 'no';
  #autoRebuySet = false;
  /** A resync was asked for: whether the seat is still ours is not known. */
  #unsure = false;

  constructor(private readonly options: PlayerOptions) {
    this.#connection = new Connection(options, {
      text: (text) => this.#read(text),
      lost: () => this.#lost(),
      ended: (code) => this.#ended(code),
    });
    this.#decisions = new Decisions(options, this.view, (message) => this.#send(message));
  }

  start(): void {
    this.#connection.open();
  }

  /** Ends the connection; the seat is held by the server's rules. */
  async stop(): Promise<void> {
    this.#retry.cancel();
    this.#decisions.stopThinking();
    await this.#connection.close();
  }

  /** Where it sits, as far as it knows. */
  get place(): Readonly<{ table: string; seat: number }> | null {
    return this.#place;
  }

  // ---- what a player may say; each is false when there is no open socket

  /** Without a wish the server's standard buy-in, or the balance where that is less. */
  join(buyIn?: number): boolean {
    this.#leaving = 'no';
    return this.#send({ type: 'join_lobby', ...(buyIn === undefined ? {} : { buy_in: buyIn }) });
  }

  /** Answers the open turn. False also when there is none, or an answer was given already. */
  act(choice: Choice): boolean {
    return this.#decisions.decide(choice);
  }

  /** Gives the seat up, and does not join again until `join`. */
  leave(): boolean {
    this.#retry.cancel();
    return this.#giveUpSeat('for good');
  }

  /** Takes its chips off the table and sits down anew with the buy-in. */
  changeSeat(): boolean {
    return this.#giveUpSeat('to return');
  }

  rebuy(): boolean {
    return this.#send({ type: 'rebuy', amount: 0 });
  }

  setAutoRebuy(enabled: boolean): boolean {
    return this.#send({ type: 'set_auto_rebuy', enabled });
  }

  resync(table: string, lastTableSeq: number | null = null): boolean {
    return this.#send({ type: 'resync_request', table_id: table, last_table_seq: lastTableSeq });
  }

  /** Makes the decision that is being paced now. */
  hurry(): void {
    this.#decisions.hurry();
  }

  #giveUpSeat(how: 'to return' | 'for good'): boolean {
    this.#leaving = how;
    this.#decisions.drop();
    return this.#send({ type: 'leave_table' });
  }

  #send(message: object): boolean {
    return this.#connection.send(message);
  }

  // ---- from the server

  /**
   * The first "type" in a frame of this server is the frame's own. Most frames are states and actions of others, which
   * the view keeps as they are.
   */
  #read(text: string): void {
    const { on, onText } = this.options;
    onText?.(text);
    const at = text.indexOf('"type":"') + 8;
    const type = text.slice(at, text.indexOf('"', at)) as ServerMessageType;
    if (type === 'table_state') this.#look(text);
    else if (type === 'player_action') this.view.add(text);
    else {
      const message = JSON.parse(text) as ServerMessage;
      this.#notifyListener(message);
      this.#on(message);
      return;
    }
    if (on?.[type] !== undefined) this.#notifyListener(JSON.parse(text) as ServerMessage);
  }

  #look(state: string): void {
    this.view.tell(state);
    this.#decisions.seen(state);
  }

  #notifyListener(message: ServerMessage): void {
    const listener = this.options.on?.[message.type] as ((message: ServerMessage) => void) | undefined;
    listener?.(message);
  }

  #on(message: ServerMessage): void {
    if ('table_seq' in message) this.#lastSeq = Math.max(this.#lastSeq, message.table_seq);
    switch (message.type) {
      case 'connected':
        return this.#connected();
      case 'lobby_joined':
        return this.#inLobby();
      case 'table_joined':
        this.#sit(message.table_id, message.seat);
        // Seated by a join that went before the leave.
        if (this.#leaving !== 'no') this.#giveUpSeat(this.#leaving);
        return;
      case 'hand_start':
        this.#decisions.drop();
        return this.view.begin();
      case 'your_turn':
        return this.#onTurn(turnOf(message.hand_id, message.turn_token, message.seat, message.valid_actions));
      case 'action_ack':
        return this.#decisions.accepted();
      case 'action_rejected':
        return this.#rejected(message.code);
      case 'resync_response':
        return this.#resynced(message);
      case 'hand_result':
        return this.#decisions.drop();
      case 'auto_rebuy_set':
        this.#autoRebuySet = true;
        return;
      case 'player_left':
        if (message.table_id !== this.#place?.table || message.seat !== this.#place.seat) return;
        // What comes of a bust is told next.
        return message.reason === 'busted' ? this.#forgetSeat() : this.#seatLost();
      case 'table_closed':
      case 'busted':
      case 'rebuy_confirmed':
        return this.#seatLost();
      case 'season_ended':
        this.#autoRebuySet = false;
        return this.#seatLost();
      case 'error':
        return this.#onError(message);
      default:
        // What asks for nothing, new types of later servers included.
        return;
    }
  }

  /** After a lost connection: is our seat still there? */
  #connected(): void {
    this.#connection.welcomed();
    if (this.#place !== null) this.#recover(this.#place.table);
    else if (this.#leaving !== 'for good') this.join();
  }

  /** Only now there is a season entry that can hold the preference. */
  #inLobby(): void {
    const { autoRebuy } = this.options;
    if (autoRebuy !== undefined && !this.#autoRebuySet) this.setAutoRebuy(autoRebuy);
  }

  #recover(table: string): void {
    this.#unsure = true;
    this.resync(table, this.#lastSeq || null);
  }

  #sit(table: string, seat: number): void {
    this.#retry.cancel();
    this.#place = { table, seat };
  }

  #resynced(message: ServerMessageOf['resync_response']): void {
    this.#unsure = false;
    const { hero } = message.snapshot;
    if (message.role === 'spectator' || hero === undefined) return this.#seatLost();
    this.#sit(message.table_id, hero.seat);
    this.view.resync(message);
    // A leave may have been lost with the old connection; said twice it does no harm.
    if (this.#leaving !== 'no') this.#giveUpSeat(this.#leaving);
    if (hero.turn_token === undefined || message.snapshot.hand_id === null) return this.#decisions.drop();
    this.#onTurn(turnOf(message.snapshot.hand_id, hero.turn_token, hero.seat, hero.valid_actions ?? []));
  }

  #seatLost(): void {
    this.#forgetSeat();
    if (this.#leaving !== 'for good') this.#retry.after(this.options.rejoinMs ?? 0, () => this.join());
  }

  #forgetSeat(): void {
    this.#decisions.drop();
    this.#place = null;
    this.#unsure = false;
    this.#lastSeq = 0;
    this.options.onUnseated?.();
  }

  #onError(message: ServerMessageOf['error']): void {
    switch (message.code) {
      case 'already_seated':
        this.#sit(message.table_id, message.seat);
        return this.#recover(message.table_id);
      case 'table_not_found':
        return this.#seatLost();
      case 'not_at_table':
        // Also said to a rebuy that finds chips left: to join at once could go round in circles.
        this.#forgetSeat();
        return this.#retry.after(RETRY_MS, () => this.#askAgain());
      case 'insufficient_season_chips':
        if (this.options.autoRebuy !== false) this.rebuy();
        return;
      case 'email_not_verified':
        return this.#retry.after(PATIENCE_MS, () => this.rebuy());
      case 'rebuy_cooldown':
        return this.#retry.after(Date.parse(message.rebuy_at) - Date.now(), () => this.rebuy());
      case 'no_active_season':
      case 'season_error':
      case 'season_buy_in_failed':
      case 'lobby_full':
        return this.#retry.after(RETRY_MS, () => this.#askAgain());
      case 'rate_limited':
        return this.#retry.after(RATE_MS, () => this.#askAgain());
      default:
        return;
    }
  }

  /** Something we said was not heard: what our state asks for is said again. */
  #askAgain(): void {
    if (this.#place === null) {
      if (this.#leaving !== 'for good') this.join();
      return;
    }
    if (this.#unsure) this.#recover(this.#place.table);
    if (this.#leaving !== 'no') this.#giveUpSeat(this.#leaving);
    this.#decisions.resend();
    this.#decisions.answer();
  }

  #onTurn(turn: AskedTurn): void {
    // The server folds for those who leave.
    if (this.#leaving === 'no') this.#decisions.asked(turn);
  }

  #rejected(code: ServerMessageOf['action_rejected']['code']): void {
    if (code === 'not_at_table' || code === 'table_not_found') this.#seatLost();
    // Any other says that the turn went on without us.
    else if (code === 'invalid_action') this.#decisions.refused();
  }

  // ---- the connection

  /** The server tells the open turn again on the next socket; an answer that got lost is sent again then. */
  #lost(): void {
    this.#retry.cancel();
    this.#decisions.resend();
  }

  #ended(code: number): void {
    this.#retry.cancel();
    this.#decisions.drop();
    this.options.onEnded?.(code);
  }
}
