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
import { ensure } from './broken.js';
import type { Vault } from './vault/vault.js';

type TableMessage = Extract<ServerMessage, { table_seq: number }>;
type State = ServerMessageOf['table_state'] | ServerMessageOf['resync_response']['snapshot'];
type Replayed = ServerMessageOf['resync_response']['replayed_events'][number];

/** One socket as the witness remembers it. */
export class Reader {
  /** The table of its stream; null before the first and after the last frame of a seat. */
  table: string | null = null;
  /** It was told of a rebuy, which nobody with a seat gets: what it reads next may be of another table. */
  free = false;
  /** The last frame of a table, and the last state. */
  last: TableMessage | null = null;
  state: State | null = null;
  greeted = false;
  readonly lastSeq = new Map<string, number>();

  constructor(
    readonly id: number,
    /** The reader's agent. A spectator has none. */
    readonly agentId: string | null,
  ) {}
}

/** The frames of one hand so far. */
interface ToldHand {
  hole: Map<string, string[]>;
  board: string[];
}

/** The frames of one table so far. */
interface ToldTable {
  highest: number;
  /** Actor by the number of the state that told it: the same to everybody. */
  actors: Map<number, number>;
  /** Public events by number, without what is private in them. */
  events: Map<number, string>;
  /** Numbers of table_closed: one is no event where the table went on without its reader. */
  ends: Set<number>;
}

const validators = new Map<ServerMessageType, Validator>(
  Object.entries(ServerMessages).map(([type, schema]) => [type as ServerMessageType, Compile(schema)]),
);

/** Every how many frames the schema is checked, and the hash recomputed: they cost more than all the rest. */
const SCHEMA_EVERY = 7;
const HASH_EVERY = 29;
/** A frame is this long on the way at most, in ms: so old may be what it tells. */
const ON_THE_WAY_MS = 200;

/** Frames that answer one socket, whether it has a seat at the table or not. */
const ANSWERS: ReadonlySet<ServerMessageType> = new Set(['action_ack', 'action_rejected', 'resync_response']);

/**
 * Reads every frame and objects to forbidden ones. These are a bad shape, falling numbers, cards of others, results
 * that are not stored, two actors, frames out of order, and a second seat.
 */
export class Witness {
  readonly #vault: Vault;
  readonly #hands = new Map<string, ToldHand>();
  readonly #tables = new Map<string, ToldTable>();
  #states = 0;
  #momentMs = ON_THE_WAY_MS;
  frames = 0;

  constructor(vault: Vault) {
    this.#vault = vault;
  }

  /** A table opens (again); it must go on above every number sent. */
  tableOpens(tableId: string, seqFloor: number): void {
    const { highest } = this.#table(tableId);
    ensure(seqFloor >= highest, () => `table ${tableId} opens above ${seqFloor}, though ${highest} was sent`);
  }

  /** Nobody was there to be told: what the public state shows now has been opened all the same. */
  overhear({ hand_id, board }: PublicTableState): void {
    if (hand_id !== null && board.length > 0) this.#hand(hand_id).board = board;
  }

  /** A frame as it is sent, parsed and as text. `lateBy`: so many ms it may have waited beside the usual. */
  read(reader: Reader, message: ServerMessage, text: string, lateBy = 0): void {
    this.#momentMs = ON_THE_WAY_MS + lateBy;
    if (this.frames++ % SCHEMA_EVERY === 0) {
      ensure(validators.get(message.type)?.Check(message) === true, () => `a frame does not fit its schema: ${text}`);
    }
    const { greeted } = reader;
    reader.greeted = true;
    ensure(greeted !== (message.type === 'connected') || message.type === 'error', () => `first or again: ${text}`);
    if ('table_seq' in message) this.#tableFrame(reader, message, text);
    // A busted player reads no player_left of its own.
    else if (message.type === 'busted') reader.table = null;
    // The rebuy may be quicker than the word of the cash-out that called for it.
    else if (message.type === 'auto_rebuy_scheduled') reader.free = true;
  }

  /** A spectator's table_state that came by REST. */
  view(state: PublicTableState): void {
    this.#momentMs = ON_THE_WAY_MS;
    this.#cards(null, state.hand_id, JSON.stringify(state), false);
    if (state.street === 'idle') this.#settled(state);
  }

  #tableFrame(reader: Reader, message: TableMessage, text: string): void {
    this.#numbers(reader, message, text);
    this.#stream(reader, message, text);
    this.#order(reader, message, text);
    this.#facts(reader, message, text);
    if (!ANSWERS.has(message.type)) reader.last = message;
  }

  #numbers({ id, lastSeq }: Reader, { table_seq: seq, table_id }: TableMessage, text: string): void {
    const table = this.#table(table_id);
    ensure(seq > (lastSeq.get(table_id) ?? 0), () => `table_seq does not rise for socket ${id}: ${text}`);
    const bound = this.#vault.tables.get(table_id)?.seqReserved ?? 0;
    ensure(seq <= bound, () => `table_seq ${seq} above the stored bound ${bound}`);
    lastSeq.set(table_id, seq);
    table.highest = Math.max(table.highest, seq);
  }

  /** A socket reads one table at a time: the one where its player sits. */
  #stream(reader: Reader, { type, table_id }: TableMessage, text: string): void {
    if (ANSWERS.has(type)) return;
    const begins = type === 'table_joined' || (type === 'table_state' && (reader.table === null || reader.free));
    ensure(begins || reader.table === table_id, () => `of a table where the reader does not sit: ${text}`);
    if (reader.table !== table_id) reader.free = false;
    reader.table = table_id;
  }

  #order(reader: Reader, message: TableMessage, text: string): void {
    const before = reader.last?.table_id === message.table_id ? reader.last : null;
    const after = (...types: ServerMessageType[]) =>
      ensure(before !== null && types.includes(before.type), () => `${before?.type} comes before: ${text}`);
    if (message.type === 'hole_cards') after('hand_start');
    if (message.type === 'your_turn') after('table_state');
    if (message.type === 'community_cards') after('player_action', 'community_cards', 'table_state');
    if (message.type !== 'hand_result' || !this.#playsIn(reader, message)) return;
    after('table_state');
    ensure(before?.type === 'table_state' && before.street === 'idle', () => `no settled state before: ${text}`);
  }

  /** A player without a part in a hand (it left before) reads no more states: only events until its own player_left. */
  #playsIn({ agentId }: Reader, { hand_id }: ServerMessageOf['hand_result']): boolean {
    return this.#vault.hands.get(hand_id)?.players.some((player) => player.agentId === agentId) !== false;
  }

  #facts(reader: Reader, message: TableMessage, text: string): void {
    switch (message.type) {
      case 'hole_cards':
        this.#dealt(reader.agentId!, message.hand_id, message.cards);
        break;
      case 'community_cards':
        this.#opens(message);
        this.#event(message, text);
        break;
      case 'hand_result':
        this.#result(message);
        this.#event(message, text);
        break;
      case 'hand_start':
      case 'player_action':
      case 'player_joined':
        this.#event(message, text);
        break;
      case 'player_left':
      case 'table_closed':
        this.#event(message, text);
        this.#leaves(reader, message);
        break;
      case 'table_state':
        this.#state(reader, message);
        reader.state = message;
        break;
      case 'your_turn':
        ensure(message.seat === reader.state?.actor_seat, () => `a turn for another than the actor: ${text}`);
        break;
      case 'resync_response':
        return this.#resync(reader, message);
      default:
    }
    this.#cards(reader.agentId, message.hand_id, text, message.type === 'hand_result');
  }

  #leaves(reader: Reader, message: ServerMessageOf['player_left' | 'table_closed']): void {
    const own = reader.agentId === null ? undefined : this.#vault.agents.get(reader.agentId)?.name;
    if (message.type === 'table_closed' || message.name === own) reader.table = null;
  }

  #table(tableId: string): ToldTable {
    const known = this.#tables.get(tableId) ?? { highest: 0, actors: new Map(), events: new Map(), ends: new Set() };
    this.#tables.set(tableId, known);
    return known;
  }

  #hand(handId: string): ToldHand {
    const known = this.#hands.get(handId) ?? { hole: new Map<string, string[]>(), board: [] };
    this.#hands.set(handId, known);
    return known;
  }

  /** A public event is the same to everybody, whenever it is told. */
  #event({ type, table_id, table_seq }: Replayed, text: string): void {
    const { events, ends } = this.#table(table_id);
    if (type === 'table_closed') ends.add(table_seq);
    const told = events.get(table_seq);
    const bare = withoutPrivate(type, text);
    if (told === undefined) events.set(table_seq, bare);
    else ensure(told === bare, () => `an event told in two ways: ${told} and ${bare}`);
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

  /** Cards told as one's own: the same each time, and nobody else's. The stored hand will say whether they were. */
  #dealt(agentId: string, handId: string, cards: readonly string[]): void {
    const { hole, board } = this.#hand(handId);
    const known = hole.get(agentId);
    if (known !== undefined) {
      ensure(
        known.join() === cards.join(),
        () => `${agentId} must not see ${cards.join()}, its own are ${known.join()}`,
      );
      return;
    }
    for (const [other, theirs] of [...hole, ['the board', board] as const]) {
      ensure(!theirs.some((card) => cards.includes(card)), () => `${agentId} must not see ${cards.join()} of ${other}`);
    }
    hole.set(agentId, [...cards]);
  }

  /** Holds what was told as one's own cards, and as the board, against the stored hands. */
  judge(): void {
    for (const [handId, { hole, board }] of this.#hands) {
      const record = this.#vault.hands.get(handId);
      if (record === undefined) continue;
      for (const { agentId, hole: cards } of record.players) {
        const told = hole.get(agentId)?.join() ?? named(cards).join();
        ensure(told === named(cards).join(), () => `${agentId} was told ${told} in hand ${handId}`);
      }
      const told = board.join();
      ensure(named(record.board).join().startsWith(told), () => `the board ${told} was told in hand ${handId}`);
    }
  }

  /** No card but the reader's own, the open board and what the stored result shows. */
  #cards(agentId: string | null, handId: string | null, text: string, shownToo: boolean): void {
    const told = handId === null ? undefined : this.#hands.get(handId);
    const own = agentId === null ? [] : (told?.hole.get(agentId) ?? []);
    const shown = shownToo && handId !== null ? this.#shown(handId) : [];
    for (const [, card] of text.matchAll(/"([2-9TJQKA][cdhs])"/g)) {
      const may = own.includes(card!) || told?.board.includes(card!) === true || shown.includes(card!);
      ensure(may, () => `${agentId ?? 'a spectator'} must not see ${card}: ${text}`);
    }
  }

  /** A player that was away at its deal reads its cards here for the first time. */
  #ownOpened({ agentId }: Reader, { hand_id, own_opened = [] }: ServerMessageOf['hand_result']): void {
    if (agentId !== null && own_opened.length === 2) {
      this.#dealt(agentId, hand_id, own_opened.map(({ card }) => card)); // prettier-ignore
    }
  }

  /** The cards of a stored result: shown hands, and the board, which perhaps nobody was there to read. */
  #shown(handId: string): string[] {
    const record = this.#vault.hands.get(handId);
    ensure(record !== undefined, () => `a result was told that is not stored: ${handId}`);
    const { board, boardCount, players } = record;
    return named([...board.slice(0, boardCount), ...players.filter(({ shown }) => shown).flatMap(({ hole }) => hole)]);
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

  #state({ agentId }: Reader, state: State): void {
    if (this.#states++ % HASH_EVERY === 0) {
      ensure(state.state_hash === null || state.state_hash === stateHashOf({ ...state }), () => 'state_hash differs');
    }
    const actor = state.actor_seat ?? -1;
    const { actors } = this.#table(state.table_id);
    const told = actors.get(state.table_seq) ?? actor;
    ensure(told === actor, () => `two actors in state ${state.table_seq}`);
    actors.set(state.table_seq, actor);
    const acting = state.hero?.valid_actions !== undefined;
    ensure(acting === (state.hero !== undefined && state.hero.seat === actor), () => 'valid_actions for a non-actor');
    const hole = state.hero?.hole_cards;
    if (hole !== undefined && state.hand_id !== null) this.#dealt(agentId!, state.hand_id, hole);
    if (state.street === 'idle') this.#settled(state);
  }

  /** Between hands every stack told is the stored one, and no pot is there. */
  #settled(state: State | PublicTableState): void {
    for (const { name, stack, bet } of state.seats) {
      if (name === null) continue;
      const stored = this.#vault.storedStacks(state.table_id, name, this.#momentMs);
      ensure(stored.includes(stack) && bet === 0, () => `${name} is told ${stack}, stored is ${stored.join(' or ')}`);
    }
    ensure(state.pot === 0 && state.board.length === 0, () => 'a pot or a board between hands');
  }

  #resync(reader: Reader, resync: ServerMessageOf['resync_response']): void {
    const { table_id, snapshot, replayed_events, from_table_seq, to_table_seq } = resync;
    this.#state(reader, snapshot);
    this.#cards(reader.agentId, snapshot.hand_id, JSON.stringify(snapshot), false);
    const from = from_table_seq ?? to_table_seq + 1;
    const replayed = new Set<number>();
    let last = from - 1;
    for (const event of replayed_events) {
      ensure(event.table_seq > last && event.table_seq <= to_table_seq, () => 'replayed events are out of order');
      last = event.table_seq;
      replayed.add(last);
      if (event.type === 'community_cards') this.#opens(event);
      if (event.type === 'hand_result') this.#ownOpened(reader, event);
      const text = JSON.stringify(event);
      this.#event(event, text);
      this.#cards(reader.agentId, event.hand_id, text, event.type === 'hand_result');
    }
    const { events, ends } = this.#table(table_id);
    const open = snapshot.seats.some(({ name }) => name !== null);
    // A player that leaves while the table goes on reads its end alone. Only the last end is everybody's.
    const end = open ? Infinity : Math.max(...ends);
    for (const seq of events.keys()) {
      if (ends.has(seq) && seq < end) continue;
      const lacks = seq >= from && seq <= to_table_seq && !replayed.has(seq);
      ensure(!lacks, () => `event ${seq} is not replayed from ${from} to ${to_table_seq}`);
    }
  }
}

/** As text, without the seat that hand_start tells its reader and without the id of an action, which is the actor's own. */
function withoutPrivate(type: Replayed['type'], text: string): string {
  if (type === 'hand_start') return text.replace(/,"seat":\d+\}$/, '}');
  if (type === 'hand_result') return text.replace(/,"own_opened":\[[^\]]*\]/, '');
  return type === 'player_action' ? text.replace(/,"action_id":"(?:[^"\\]|\\.)*"/, '') : text;
}

const named = (codes: readonly number[]) => codes.map((code) => CARD_NAMES[code]!);

const same = (a: Record<string, number>, b: Record<string, number>) =>
  Object.keys(a).length === Object.keys(b).length && Object.keys(a).every((key) => a[key] === b[key]);
