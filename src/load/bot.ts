import { chooseAtRandom, numberAfter, rollOf, textAfter } from './choice.js';
import { actionsPlayed, CODE, dealtTo, leanWordAt, STREAM_LETTER, typeAt, type LeanWord } from './frames.js';
import { LoadLobby } from './lobby.js';
import type { LoadPace } from './pace.js';
import { Reconnect } from './reconnect.js';
import type { Schedule } from './schedule.js';
import { BareSocket, type LoadSocketListener, type Target } from './socket.js';
import type { LoadTally } from './tally.js';

export interface BotOptions {
  target: Target;
  apiKey: string;
  /** Local address of the socket. */
  from?: string;
  /** It reads lean frames (protocol.md, "Lean"). */
  lean: boolean;
  /** Number among all bots of a run, for its dice. */
  number: number;
  seed: number;
  tally: LoadTally;
  /** When turns are answered. */
  pace: LoadPace;
  /** The key of a table's players: its id, unless tables are known otherwise. */
  tableKey: (id: string) => string;
  /** A socket was greeted by the server, the first or a later one. */
  onGreeted: () => void;
  onSeated: () => void;
  /** A socket was not opened; another attempt follows. */
  onRefused: () => void;
  /** It has left, or has given up for ever. */
  onGone: () => void;
}

const ENDS_SEAT = /^\{"type":"(busted|season_ended|error","code":"not_at_table)"/;

/**
 * The cheapest player: it knows frames by a few of their bytes, parses its own turns only, and answers by its dice. It
 * comes again whatever a server does to it: a bust, a closed table, an ended socket.
 */
export class Bot implements LoadSocketListener {
  readonly #options: BotOptions;
  readonly #tally: LoadTally;
  readonly #lobby: LoadLobby;
  readonly #reconnect: Reconnect;
  #socket: BareSocket | null = null;
  #table: Schedule | null = null;
  #seat = -1;
  #hand = 0;
  #decision = 0;
  /** Actions of all players in this hand, and in the one before. */
  #actions = 0;
  #before = 0;
  #sentAt = 0;
  /** When the action that was sent last was due. */
  #dueAt = 0;
  #awaitsAck = false;
  #chunkAt = 0;
  #leaving = false;
  /** Reads every frame along; null when nobody does. */
  tap: ((text: string) => void) | null = null;
  /** Greeted by the server, and not lost since. */
  isUp = false;

  constructor(options: BotOptions) {
    this.#options = options;
    this.#tally = options.tally;
    this.#reconnect = new Reconnect(() => this.open());
    this.#lobby = new LoadLobby({
      send: (text) => this.#socket?.send(text),
      trouble: (code) => this.#tally.note('errors', code),
      seated: (table, seat) => this.#sit(table, seat),
    });
  }

  get isSeated(): boolean {
    return this.#table !== null;
  }

  /** Connects, and again after a while where that fails. */
  open(): void {
    const { target, apiKey, from, lean } = this.#options;
    this.#socket = new BareSocket(target, apiKey, this, { lean, from });
    this.#socket.opened.catch((error: Error) => {
      if (this.#leaving) return;
      this.#tally.note('refusals', this.#reconnect.refused(error));
      this.#options.onRefused();
    });
  }

  join(): void {
    this.#lobby.join();
  }

  /** Gives the seat up, if it has one; the hand that is played goes on to its end. */
  leave(): void {
    this.#leaving = true;
    this.#lobby.stop();
    this.#reconnect.cancel();
    if (this.isUp && this.isSeated) this.#socket?.send('{"type":"leave_table"}');
    else this.#options.onGone();
  }

  close(): void {
    this.#leaving = true;
    this.#lobby.stop();
    this.#reconnect.cancel();
    this.#socket?.close();
  }

  // ---- from the socket

  chunk(bytes: number): void {
    this.#chunkAt = performance.now();
    this.#tally.bytes += bytes;
  }

  text(bytes: Buffer, start: number, end: number): void {
    this.#tally.frames++;
    if (this.tap !== null) this.tap(bytes.toString('latin1', start, end));
    const first = bytes[start + 2];
    if (first === CODE.s && bytes[start + STREAM_LETTER] === CODE.e) {
      const type = typeAt(bytes, start, end);
      if (type > 0) this.#event(bytes, start, end, type);
    } else if (first === CODE.t && bytes[start + 3] === CODE.y) {
      const word = this.#options.lean ? leanWordAt(bytes, start) : null;
      if (word === null) this.#message(bytes.toString('latin1', start, end));
      else this.#leanFrame(word, bytes, start, end);
    }
  }

  closed(code: number): void {
    this.isUp = false;
    if (this.#awaitsAck) this.#tally.unanswered++;
    this.#awaitsAck = false;
    this.#lobby.lost();
    this.#tally.note('closes', String(code));
    if (this.#leaving || !this.#reconnect.closed(code)) this.#options.onGone();
  }

  broken(what: string): void {
    this.#tally.note('faults', what);
  }

  /** A frame with an envelope; `type` is where the name of its type starts. */
  #event(bytes: Buffer, start: number, end: number, type: number): void {
    switch (bytes[type]) {
      case CODE.y:
        return this.#turn(bytes.toString('latin1', start, end));
      case CODE.a:
        // action_ack, action_rejected
        if (bytes[type + 7] === CODE.a) return this.#acknowledged();
        return this.#rejected(bytes.toString('latin1', type, end));
      case CODE.h:
        // hand_start, hand_result, hole_cards
        if (bytes[type + 5] === CODE.s) this.#handStarts();
        else if (bytes[type + 5] === CODE.r) this.#handEnds(bytes, start);
        return;
      case CODE.t:
        // table_joined, table_closed
        return this.#tableMessage(bytes.toString('latin1', start, end), bytes[type + 6] === CODE.l);
      case CODE.p:
        // player_action, player_left, player_joined
        if (bytes[type + 7] === CODE.a) this.#actions++;
        else if (bytes[type + 7] === CODE.l) this.#playerLeft(bytes.toString('latin1', type, end));
    }
  }

  #leanFrame(word: LeanWord, bytes: Buffer, start: number, end: number): void {
    if (word === 'ack') return this.#acknowledged();
    if (word === 'hand') return this.#handStarts();
    const text = bytes.toString('latin1', start, end);
    this.#actions = actionsPlayed(text);
    if (word === 'turn') this.#turn(text);
    else this.#handEnds(bytes, start);
  }

  #handStarts(): void {
    this.#hand++;
    this.#decision = 0;
    this.#before = this.#actions;
    this.#actions = 0;
  }

  #handEnds(bytes: Buffer, start: number): void {
    const dealt = dealtTo(bytes, start, this.#seat);
    if (dealt === null) return this.#tally.note('faults', 'a result without final_stacks');
    this.#table?.dealtTo(dealt.players);
    // It does not know its turns of a hand that began before it came.
    if (dealt.mine && this.#hand > 0) this.#tally.handOver(dealt.players, this.#decision);
  }

  #tableMessage(text: string, closed: boolean): void {
    if (!closed) return this.#sit(textAfter(text, '"table_id":'), numberAfter(text, '"seat":'));
    this.#loseSeat();
    this.#comeAgain();
  }

  #sit(table: string, seat: number): void {
    const schedule = this.#options.pace.table(this.#options.tableKey(table));
    // A bot that only returns to its seat was late by all that time.
    if (schedule !== this.#table) {
      this.#table?.leave();
      schedule.join();
    }
    this.#table = schedule;
    this.#seat = seat;
    this.#lobby.arrived();
    this.#options.onSeated();
    // Seated by a join that was on its way when it left.
    if (this.#leaving) this.#socket?.send('{"type":"leave_table"}');
  }

  /** The answer to a bust comes next. Any other lost seat was taken away. */
  #playerLeft(body: string): void {
    if (numberAfter(body, '"seat":') !== this.#seat) return;
    this.#loseSeat();
    if (this.#leaving) return this.#options.onGone();
    if (textAfter(body, '"reason":') === 'busted') return;
    this.#tally.note('errors', 'seat_lost');
    this.#lobby.join();
  }

  #loseSeat(): void {
    this.#seat = -1;
    this.#table?.leave();
    this.#table = null;
  }

  /** A message without an envelope. */
  #message(text: string): void {
    if (text.startsWith('{"type":"connected"')) {
      this.isUp = true;
      this.#reconnect.greeted();
      if (this.#reconnect.wasLost) this.#tally.reconnects++;
      this.#lobby.greeted();
      return this.#options.onGreeted();
    }
    if (text.startsWith('{"type":"action_rejected"')) return this.#rejected(text);
    if (ENDS_SEAT.test(text)) this.#loseSeat();
    if (this.#leaving && !this.isSeated) this.#options.onGone();
    else this.#lobby.hear(text);
  }

  #comeAgain(): void {
    if (this.#leaving) this.#options.onGone();
    else this.#lobby.join();
  }

  #acknowledged(): void {
    this.#awaitsAck = false;
    this.#tally.acknowledged(this.#chunkAt - this.#dueAt, this.#chunkAt - this.#sentAt);
  }

  #rejected(text: string): void {
    this.#awaitsAck = false;
    this.#tally.note('rejections', textAfter(text, '"code":'));
  }

  #turn(text: string): void {
    const { pace } = this.#options;
    if (!pace.isScheduled) return pace.turn(() => this.#act(text, 0));
    if (this.#table === null) return;
    const turn = { hand: textAfter(text, '"hand_id":'), actions: this.#actions, before: this.#before };
    pace.scheduled(this.#table, turn, (dueAt) => this.#act(text, dueAt));
  }

  #act(turn: string, dueAt: number): void {
    if (this.#leaving) return;
    const { seed, number } = this.#options;
    const { action, amount } = chooseAtRandom(turn, rollOf(seed, number, this.#hand, this.#decision));
    const id = `${number}-${this.#hand}-${this.#decision++}`;
    const size = amount === null ? '' : `"amount":${amount},`;
    const token = textAfter(turn, '"turn_token":');
    const hand = textAfter(turn, '"hand_id":');
    this.#tally.actions++;
    this.#awaitsAck = true;
    this.#sentAt = performance.now();
    this.#dueAt = dueAt || this.#sentAt;
    this.#socket?.send(
      `{"type":"action","action":"${action}",${size}"client_action_id":"${id}","turn_token":"${token}","hand_id":"${hand}"}`,
    );
  }
}
