import { Compile, type Validator } from 'typebox/compile';
import { CARD_NAMES } from '../../src/cards/card.js';
import {
  ServerMessages,
  type PublicTableState,
  type ServerMessage,
  type ServerMessageOf,
  type ServerMessageType,
} from '../../src/protocol/server.js';
import { stateHashOf } from '../support/canonical.js';
import { ensure, type Vault } from './vault.js';

/** Whose eyes read a frame; a spectator has no agent. */
export interface Reader {
  socket: number;
  agentId: string | null;
}

/** What has been told of one hand so far. */
interface ToldHand {
  hole: Map<string, string[]>;
  board: string[];
}

type State = ServerMessageOf['table_state'] | ServerMessageOf['resync_response']['snapshot'];

const validators = new Map<ServerMessageType, Validator>(
  Object.entries(ServerMessages).map(([type, schema]) => [type as ServerMessageType, Compile(schema)]),
);

/** Every how many states the hash is recomputed: it costs more than all the rest. */
const HASH_EVERY = 11;

/**
 * Reads every frame that leaves the table, over the reader's shoulder, and objects to whatever must never be sent: bad
 * shape, numbers that do not rise, cards of others, results that are not stored, two actors, frames out of order.
 */
export class Witness {
  readonly #vault: Vault;
  readonly #hands = new Map<string, ToldHand>();
  readonly #lastSeq = new Map<number, number>();
  readonly #lastType = new Map<number, ServerMessage>();
  #actorAt = { seq: 0, actor: -1 };
  /** Numbers up to here were sent by a table that is gone. */
  #floor = 0;
  #highest = 0;
  #states = 0;
  frames = 0;

  constructor(vault: Vault) {
    this.#vault = vault;
  }

  /** The table is gone; its successor must go on above every number sent. */
  tableLost(): void {
    this.#floor = this.#highest;
  }

  /** Nobody was there to be told: what the public state shows now has been opened all the same. */
  overhear({ hand_id, board }: PublicTableState): void {
    if (hand_id !== null && board.length > 0) this.#hand(hand_id).board = board;
  }

  read(reader: Reader, text: string): ServerMessage {
    const message = JSON.parse(text) as ServerMessage;
    this.frames++;
    ensure(validators.get(message.type)?.Check(message) === true, () => `a frame does not fit its schema: ${text}`);
    this.#numbers(reader, message, text);
    this.#order(reader, message, text);
    this.#facts(reader, message, text);
    this.#lastType.set(reader.socket, message);
    return message;
  }

  #numbers({ socket }: Reader, message: ServerMessage, text: string): void {
    if (!('table_seq' in message)) return;
    const seq = message.table_seq;
    ensure(seq > (this.#lastSeq.get(socket) ?? 0), () => `table_seq does not rise for socket ${socket}: ${text}`);
    ensure(seq > this.#floor, () => `table_seq ${seq} was used before the table was lost (${this.#floor})`);
    ensure(seq <= this.#vault.seqReserved, () => `table_seq ${seq} above the stored bound ${this.#vault.seqReserved}`);
    this.#lastSeq.set(socket, seq);
    this.#highest = Math.max(this.#highest, seq);
  }

  #order({ socket }: Reader, message: ServerMessage, text: string): void {
    const before = this.#lastType.get(socket);
    const after = (...types: ServerMessageType[]) =>
      ensure(before !== undefined && types.includes(before.type), () => `${before?.type} comes before: ${text}`);
    if (message.type === 'hole_cards') after('hand_start');
    if (message.type === 'your_turn') after('table_state');
    if (message.type === 'community_cards') after('player_action', 'community_cards', 'table_state');
    if (message.type !== 'hand_result') return;
    after('table_state');
    ensure(before?.type === 'table_state' && before.street === 'idle', () => `no settled state before: ${text}`);
  }

  #facts(reader: Reader, message: ServerMessage, text: string): void {
    switch (message.type) {
      case 'hole_cards':
        this.#hand(message.hand_id).hole.set(reader.agentId!, message.cards);
        break;
      case 'community_cards':
        this.#opens(message);
        break;
      case 'hand_result':
        this.#result(message);
        break;
      case 'table_state':
        this.#state(message);
        break;
      case 'your_turn':
        ensure(message.seat === this.#actorAt.actor, () => `a turn for another than the actor: ${text}`);
        break;
      case 'resync_response':
        return this.#resync(reader, message);
      default:
    }
    if ('hand_id' in message) this.#cards(reader, message.hand_id, text, message.type === 'hand_result');
  }

  #hand(handId: string): ToldHand {
    const known = this.#hands.get(handId) ?? { hole: new Map<string, string[]>(), board: [] };
    this.#hands.set(handId, known);
    return known;
  }

  /** The first to be told of new board cards: they make the board longer; all others are told the same. */
  #opens({ hand_id, street, cards }: ServerMessageOf['community_cards']): void {
    const { board } = this.#hand(hand_id);
    const open = { flop: 3, turn: 4, river: 5 }[street];
    const from = cards.length === open ? 0 : open - cards.length;
    cards.forEach((card, i) => {
      if (from + i === board.length) board.push(card);
      ensure(board[from + i] === card, () => `the board changed: ${card} for ${board[from + i]}`);
    });
    ensure(board.length >= open, () => `the ${street} opened without the street before`);
  }

  /** No card but the reader's own, the open board and what the stored result shows. */
  #cards({ agentId }: Reader, handId: string | null, text: string, shownToo: boolean): void {
    const told = handId === null ? undefined : this.#hands.get(handId);
    const own = agentId === null ? [] : (told?.hole.get(agentId) ?? []);
    const shown = shownToo && handId !== null ? this.#shown(handId) : [];
    for (const [, card] of text.matchAll(/"([2-9TJQKA][cdhs])"/g)) {
      const may = own.includes(card!) || told?.board.includes(card!) === true || shown.includes(card!);
      ensure(may, () => `${agentId ?? 'a spectator'} must not see ${card}: ${text}`);
    }
  }

  #shown(handId: string): string[] {
    const record = this.#vault.hands.get(handId);
    ensure(record !== undefined, () => `a result was told that is not stored: ${handId}`);
    return record.players.filter(({ shown }) => shown).flatMap(({ hole }) => hole.map((card) => CARD_NAMES[card]!));
  }

  #result(result: ServerMessageOf['hand_result']): void {
    const record = this.#vault.hands.get(result.hand_id);
    ensure(record !== undefined, () => `a result was told that is not stored: ${result.hand_id}`);
    const stacks = Object.fromEntries(record.players.map(({ seat, stackEnd }) => [String(seat), stackEnd]));
    ensure(
      same(result.final_stacks, stacks),
      () => `final stacks differ from the stored ones: ${JSON.stringify(result)}`,
    );
    const paid = result.payouts.reduce((sum, { amount }) => sum + amount, 0);
    ensure(paid === result.total_pot && paid === record.totalPot, () => `payouts of ${paid} for ${result.total_pot}`);
    ensure(result.actions.length === record.actions.length, () => 'actions differ from the stored ones');
  }

  #state(state: State): void {
    if (this.#states++ % HASH_EVERY === 0) {
      ensure(state.state_hash === null || state.state_hash === stateHashOf({ ...state }), () => 'state_hash differs');
    }
    const actor = state.actor_seat ?? -1;
    if (this.#actorAt.seq === state.table_seq) {
      ensure(this.#actorAt.actor === actor, () => `two actors in state ${state.table_seq}`);
    }
    this.#actorAt = { seq: state.table_seq, actor };
    const acting = state.hero?.valid_actions !== undefined;
    ensure(acting === (state.hero !== undefined && state.hero.seat === actor), () => 'valid_actions for a non-actor');
    if (state.street === 'idle') this.#settled(state);
  }

  /** Between hands every stack told is the stored one. */
  #settled(state: State): void {
    const stored = new Map([...this.#vault.sittings.values()].map(({ player, stack }) => [player.name, stack]));
    for (const { name, stack, bet } of state.seats) {
      if (name === null) continue;
      const expected = stored.get(name) ?? stack;
      ensure(stack === expected && bet === 0, () => `${name} is told ${stack}, stored is ${expected}`);
    }
    ensure(state.pot === 0 && state.board.length === 0, () => 'a pot or a board between hands');
  }

  #resync(
    reader: Reader,
    { snapshot, replayed_events, from_table_seq, to_table_seq }: ServerMessageOf['resync_response'],
  ) {
    this.#state(snapshot);
    this.#cards(reader, snapshot.hand_id, JSON.stringify(snapshot), false);
    let last = (from_table_seq ?? 1) - 1;
    for (const event of replayed_events) {
      ensure(event.table_seq > last && event.table_seq <= to_table_seq, () => 'replayed events are out of order');
      last = event.table_seq;
      this.#cards(reader, event.hand_id, JSON.stringify(event), event.type === 'hand_result');
    }
  }
}

const same = (a: Record<string, number>, b: Record<string, number>) =>
  Object.keys(a).length === Object.keys(b).length && Object.keys(a).every((key) => a[key] === b[key]);
