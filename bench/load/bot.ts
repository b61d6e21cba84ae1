import { choose, numberAfter, rollOf, textAfter } from './choice.js';
import { LeanSocket, type SocketListener, type Target } from './socket.js';
import type { Tally } from './tally.js';

export interface BotOptions {
  target: Target;
  apiKey: string;
  /** Local address of the socket. */
  from?: string;
  /** Number among all bots of a run, for its dice. */
  number: number;
  seed: number;
  tally: Tally;
  /** Runs what answers a turn, at once or later. */
  think: (answer: () => void) => void;
  onGreeted: () => void;
  onSeated: () => void;
}

const CODE = { quote: 0x22, a: 0x61, e: 0x65, h: 0x68, l: 0x6c, p: 0x70, r: 0x72, s: 0x73, t: 0x74, y: 0x79 } as const;
/** `{"stream":"event"` and `{"stream":"state"` differ here. */
const STREAM_LETTER = 11;
/** No envelope is so short that its `"type":` begins before. */
const SHORTEST_ENVELOPE = 100;
const FINAL_STACKS = Buffer.from('"final_stacks":{"');
/** The most that a seat may bring (PROTOCOL.md, "From the lobby to a seat"), so that it lasts. */
const BUY_IN = 5000;

/**
 * A player that is as cheap as can be: it knows frames by a few of their bytes, parses its own turns only, and answers
 * by its dice. Whatever a table may do to it (bust, close) it joins again.
 */
export class Bot implements SocketListener {
  readonly #socket: LeanSocket;
  readonly #options: BotOptions;
  readonly #tally: Tally;
  #seat = -1;
  #hand = 0;
  #decision = 0;
  #sentAt = 0;
  #chunkAt = 0;
  /** Reads every frame along; null when nobody does. */
  tap: ((text: string) => void) | null = null;
  isOpen = true;

  constructor(options: BotOptions) {
    this.#options = options;
    this.#tally = options.tally;
    this.#socket = new LeanSocket(options.target, options.apiKey, this, options.from);
  }

  get opened(): Promise<void> {
    return this.#socket.opened;
  }

  join(): void {
    this.#socket.send(`{"type":"join_lobby","buy_in":${BUY_IN}}`);
  }

  close(): void {
    this.#socket.close();
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
    } else if (first === CODE.t && bytes[start + 3] === CODE.y) this.#message(bytes.toString('latin1', start, end));
  }

  closed(code: number): void {
    this.isOpen = false;
    this.#tally.fault(`a socket was closed with ${code}`);
  }

  /** A frame with an envelope; `type` is where the name of its type starts. */
  #event(bytes: Buffer, start: number, end: number, type: number): void {
    switch (bytes[type]) {
      case CODE.y:
        return this.#turn(bytes.toString('latin1', start, end));
      case CODE.a:
        // action_ack, action_rejected
        if (bytes[type + 7] === CODE.a) return this.#acknowledged();
        return this.#tally.fault(bytes.toString('latin1', type, end));
      case CODE.h:
        // hand_start, hand_result, hole_cards
        if (bytes[type + 5] === CODE.s) this.#handStarts();
        else if (bytes[type + 5] === CODE.r) this.#handEnds(bytes, start);
        return;
      case CODE.t:
        // table_joined, table_closed
        return this.#table(bytes.toString('latin1', type, end));
      case CODE.p:
        // player_left, not player_action and player_joined
        if (bytes[type + 7] === CODE.l) this.#playerLeft(bytes.toString('latin1', type, end));
    }
  }

  #handStarts(): void {
    this.#hand++;
    this.#decision = 0;
  }

  /** Of those who were dealt in the lowest seat counts the hand: final_stacks begins with it. */
  #handEnds(bytes: Buffer, start: number): void {
    const lowest = bytes.indexOf(FINAL_STACKS, start) + FINAL_STACKS.length;
    if (bytes[lowest]! - 0x30 === this.#seat) this.#tally.hands++;
  }

  #table(body: string): void {
    this.#seat = -1;
    if (body.startsWith('table_closed')) return this.join();
    this.#seat = numberAfter(body, '"seat":');
    this.#options.onSeated();
  }

  /** Only a bust or a closed table takes a seat away here, and neither tells its player so. */
  #playerLeft(body: string): void {
    if (numberAfter(body, '"seat":') === this.#seat) this.#tally.fault(body);
  }

  /** A message without an envelope. */
  #message(text: string): void {
    if (text.startsWith('{"type":"connected"')) this.#options.onGreeted();
    else if (text.startsWith('{"type":"busted"')) {
      this.#seat = -1;
      this.join();
    } else if (text.startsWith('{"type":"error"')) this.#tally.fault(text);
  }

  #acknowledged(): void {
    this.#tally.acks.add(this.#chunkAt - this.#sentAt);
  }

  #turn(text: string): void {
    this.#options.think(() => this.#act(text));
  }

  #act(turn: string): void {
    const { seed, number } = this.#options;
    const { action, amount } = choose(turn, rollOf(seed, number, this.#hand, this.#decision));
    const id = `${number}-${this.#hand}-${this.#decision++}`;
    const size = amount === null ? '' : `"amount":${amount},`;
    const token = textAfter(turn, '"turn_token":');
    const hand = textAfter(turn, '"hand_id":');
    this.#tally.actions++;
    this.#sentAt = performance.now();
    this.#socket.send(
      `{"type":"action","action":"${action}",${size}"client_action_id":"${id}","turn_token":"${token}","hand_id":"${hand}"}`,
    );
  }
}

/** Where the name of an event's type starts, 0 where there is none. The envelope before it has no other `"type"`. */
function typeAt(bytes: Buffer, start: number, end: number): number {
  for (let at = start + SHORTEST_ENVELOPE; at < end - 10; at++) {
    if (
      bytes[at] === CODE.t &&
      bytes[at + 1] === CODE.y &&
      bytes[at + 2] === CODE.p &&
      bytes[at + 3] === CODE.e &&
      bytes[at + 4] === CODE.quote
    ) {
      return at + 7;
    }
  }
  return 0;
}
