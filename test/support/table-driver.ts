import type { ActionMessage } from '../../src/protocol/client.js';
import type { ServerMessage, ServerMessageOf, ServerMessageType } from '../../src/protocol/server.js';
import { leanSocket } from '../../src/table/api.js';
import type { Player, TableApi, TableOpening, TableRules } from '../../src/table/api.js';
import { Outbox, START as OFFSET } from '../../src/table/outbox.js';
import type { BlindDebt } from '../../src/table/seats/blinds.js';
import { createTable } from '../../src/table/table.js';
import { stateHashOf } from './canonical.js';
import { recordFrame } from './recorder.js';
import { RiggedRandom } from '../../src/memory/rigged-random.js';
import type { HandRecord, TableEffect } from '../../src/table/effects.js';
import { RULES } from './table-rules.js';

export const START = Date.UTC(2026, 0, 31, 12);

export type Release = Extract<TableEffect, { kind: 'release' }>;

export type Skim = Extract<TableEffect, { kind: 'skim' }>;

export interface DriverOptions {
  rules?: Partial<TableRules>;
  opening?: Partial<TableOpening>;
  seed?: number;
}

/**
 * A table on a virtual clock, with the test as its shard. Frames are delivered, parsed and checked against their
 * schemas, and sequence numbers and hashes are verified. Hands are stored at once and stays cashed out at once, unless
 * the test holds them back.
 */
export class TableDriver {
  now = START;
  readonly random: RiggedRandom;
  readonly out = new Outbox();
  table: TableApi;
  readonly rules: TableRules;
  /** With these two the shard answers nothing until `commit` or `cashOut` is called. */
  holdCommits = false;
  holdReleases = false;
  holdSkims = false;
  readonly records: HandRecord[] = [];
  readonly releases: Release[] = [];
  readonly skims: Skim[] = [];
  readonly reserves: number[] = [];
  summaries = 0;
  tableClosed = false;
  /** Every frame in sending order, as text and parsed. */
  readonly sent: { socket: number; text: string; message: ServerMessage; marks: number }[] = [];
  /** The blind debts of leavers that the pool remembers, and until when. */
  readonly #owed = new Map<string, BlindDebt & { until: number }>();
  readonly #clients = new Map<number, Client>();
  #sockets = 0;
  #sittings = 0;

  constructor({ rules = {}, opening = {}, seed = 1 }: DriverOptions = {}) {
    this.rules = { ...RULES, ...rules };
    this.random = new RiggedRandom(seed);
    const fresh = { tableId: 'table-1', poolId: 'season-1', handNumber: 0, button: -1, bigBlindSeat: -1, seqFloor: 0 };
    this.table = createTable(
      this.now,
      { ...fresh, rules: this.rules, sittings: [], ...opening },
      { random: this.random, out: this.out, deepChecks: true },
    );
    this.settle();
  }

  /** A player who sits down with a stack. */
  join(name: string, stack = 2000, player: Partial<Player> = {}, decksSeen = 0, lean = false): Client {
    const sitting = `sitting-${++this.#sittings}`;
    const seat = this.table.reserveSeat(sitting);
    if (seat < 0) throw new Error('no free seat');
    const client = new Client(this, { ...playerNamed(name), ...player }, lean);
    this.plug(client);
    const owed = this.#owed.get(client.agentId);
    const left = owed !== undefined && owed.until > this.now ? { left: owed } : {};
    const stay = { sitting, seat, stack, player: client.player, decksSeen, ...left };
    this.do((now) => this.table.sit(now, stay, client.socket));
    return client;
  }

  /** Gives a client a new socket. */
  plug(client: Client): void {
    const serial = ++this.#sockets;
    client.socket = client.lean ? leanSocket(serial) : serial;
    this.#clients.set(client.socket, client);
  }

  do(call: (now: number) => void): void {
    call(this.now);
    this.settle();
  }

  /** Lets time pass, and runs every deadline in between. */
  advance(ms: number): void {
    const until = this.now + ms;
    while (this.table.nextDeadline <= until) {
      this.now = Math.max(this.now, this.table.nextDeadline);
      this.do((now) => this.table.tick(now));
    }
    this.now = until;
  }

  /** Runs the next deadline, whenever it is. */
  nextDeadline(): void {
    this.now = Math.max(this.now, this.table.nextDeadline);
    this.do((now) => this.table.tick(now));
  }

  /** Deals the next hand, from these cards if given. */
  deal(cards?: string): void {
    if (cards !== undefined) this.random.stack(cards);
    const before = this.#hands;
    this.advance(this.rules.betweenHandsMs);
    if (this.#hands === before) throw new Error('no hand was dealt');
  }

  /** The client that was asked to act last. */
  get actor(): Client {
    const asked = this.sent.findLast(({ message }) => message.type === 'your_turn' || message.type === 'turn');
    if (asked === undefined) throw new Error('nobody was asked to act');
    return this.#clients.get(asked.socket)!;
  }

  /** Empties every client's inbox. */
  forget(): void {
    for (const client of this.#clients.values()) client.take();
  }

  /** Plays the hand to its end. All players check, or else call, or else fold. Absent players time out. */
  checkDown(): void {
    while (this.table.inHand) {
      const { actor } = this;
      if (!actor.asked || actor.socket === 0) {
        this.nextDeadline();
        continue;
      }
      const offered = actor.turn!.valid_actions.map(({ action }) => action);
      actor.act(offered.includes('check') ? 'check' : offered.includes('call') ? 'call' : 'fold');
    }
  }

  commit(record: HandRecord = this.records.at(-1)!): void {
    this.do((now) => this.table.handCommitted(now, record.handId));
  }

  cashOut(release: Release = this.releases.at(-1)!): void {
    this.do((now) => this.table.released(now, release.sitting));
  }

  /** Answers a skim. The balance before it is 0. */
  skimmed({ sitting, excess }: Skim = this.skims.at(-1)!): void {
    this.table.skimmed(this.now, sitting, excess);
  }

  get #hands(): number {
    const begun = this.sent.flatMap(({ message }) =>
      message.type === 'hand_start' || message.type === 'hand' ? [message.hand_id] : [],
    );
    return new Set(begun).size;
  }

  /** Answers as the shard until the table asks nothing more. */
  settle(): void {
    for (;;) {
      this.#deliver();
      const effects = this.out.takeEffects();
      if (effects.length === 0) return;
      for (const { effect } of effects) {
        switch (effect.kind) {
          case 'commit':
            this.records.push(effect.record);
            if (!this.holdCommits) this.table.handCommitted(this.now, effect.record.handId);
            break;
          case 'release':
            this.releases.push(effect);
            this.#remember(effect);
            if (!this.holdReleases) this.table.released(this.now, effect.sitting);
            break;
          case 'skim':
            this.skims.push(effect);
            if (!this.holdSkims) this.skimmed(effect);
            break;
          case 'reserve':
            this.reserves.push(effect.upTo);
            break;
          case 'summary':
            this.summaries++;
            break;
          case 'closed':
            this.tableClosed = true;
            break;
          case 'mishap': // held by platform/mishaps
        }
      }
    }
  }

  /** Two players at a fresh table; ada (seat 0) is the first button. Frames read so far are forgotten. */
  static headsUp(options: DriverOptions = {}, stacks: [number, number] = [2000, 2000]) {
    const { driver, players } = TableDriver.ring('ada bob', options, stacks);
    return { driver, ada: players[0], bob: players[1] };
  }

  /** A player for each name, with 2000 chips or the given ones. The first player is the first button. */
  static ring(names: string, options: DriverOptions = {}, stacks: number[] = []) {
    const driver = new TableDriver(options);
    const players = names.split(' ').map((name, seat) => driver.join(name, stacks[seat] ?? 2000));
    driver.forget();
    return { driver, players: players as [Client, Client, Client, ...Client[]] };
  }

  /** Remembers a leaver's debt as the entry of a pool does. */
  #remember({ agentId, owes }: Release): void {
    if (owes === null) this.#owed.delete(agentId);
    else this.#owed.set(agentId, { ...owes, until: this.now + owes.forMs });
  }

  #deliver(): void {
    const batch = this.out.takeFrames();
    if (batch === null) return;
    const bytes = Buffer.from(batch.bytes);
    for (let i = 0; i < batch.index.length; i += 3) {
      const [socket, start, end] = batch.index.subarray(i, i + 3) as unknown as [number, number, number];
      const text = bytes.toString('utf8', start & OFFSET, end);
      const message = recordFrame(text);
      this.sent.push({ socket, text, message, marks: (start & ~OFFSET) >>> 0 });
      this.#clients.get(socket)?.receive(socket, message);
    }
  }
}

export function playerNamed(name: string): Player {
  return {
    agentId: `agent-${name}`,
    name,
    avatarUrl: null,
    publicProfileSlug: null,
    isPro: false,
    isHouse: false,
    autoRebuy: false,
  };
}

/** A bot's end of the connection: its frames, its state, and its messages. */
export class Client {
  readonly driver: TableDriver;
  readonly player: Player;
  socket = 0;
  /** All frames since `take`. */
  inbox: ServerMessage[] = [];
  /** The last turn that was read. */
  turn: Pick<ServerMessageOf['your_turn'], 'turn_token' | 'hand_id' | 'valid_actions'> | null = null;
  /** True from a turn until the next acknowledged action. */
  asked = false;
  #lastSeq = new Map<number, number>();
  #actions = 0;

  constructor(
    driver: TableDriver,
    player: Player,
    readonly lean = false,
  ) {
    this.driver = driver;
    this.player = player;
  }

  get agentId(): string {
    return this.player.agentId;
  }

  receive(socket: number, message: ServerMessage): void {
    if (socket !== this.socket) throw new Error(`${this.player.name} reads a frame for its old socket`);
    if ('table_seq' in message) {
      const before = this.#lastSeq.get(socket) ?? 0;
      if (message.table_seq <= before) throw new Error(`table_seq ${message.table_seq} after ${before}`);
      this.#lastSeq.set(socket, message.table_seq);
    }
    if (message.type === 'table_state') checkHash(message);
    if (message.type === 'resync_response') checkHash(message.snapshot);
    if (message.type === 'your_turn' || message.type === 'turn') {
      this.turn = message;
      this.asked = true;
    }
    if (message.type === 'action_ack' || message.type === 'ack') this.asked = false;
    this.inbox.push(message);
  }

  /** The messages since the last call. */
  take(): ServerMessage[] {
    const taken = this.inbox;
    this.inbox = [];
    return taken;
  }

  /** The types of the messages since the last call. */
  types(): ServerMessageType[] {
    return this.take().map((message) => message.type);
  }

  /** The last message of this type in the inbox. */
  last<T extends ServerMessageType>(type: T): ServerMessageOf[T] {
    const found = this.inbox.findLast((message) => message.type === type);
    if (found === undefined) throw new Error(`${this.player.name} read no ${type}`);
    return found as ServerMessageOf[T];
  }

  /** All messages of this type in the inbox. */
  all<T extends ServerMessageType>(type: T): ServerMessageOf[T][] {
    return this.inbox.filter((message): message is ServerMessageOf[T] => message.type === type);
  }

  /** Sends an action for the open turn; `more` overrides or removes (undefined) its fields. */
  act(
    action: ActionMessage['action'],
    amount: number | null = null,
    more: Partial<Record<keyof ActionMessage, unknown>> = {},
  ) {
    const message = {
      type: 'action',
      action,
      amount,
      client_action_id: `${this.player.name}-${++this.#actions}`,
      turn_token: this.turn?.turn_token,
      hand_id: this.turn?.hand_id,
      ...more,
    } as ActionMessage;
    this.send(message);
    return message;
  }

  send(message: ActionMessage): void {
    this.driver.do((now) => this.driver.table.act(now, this.agentId, this.socket, message));
  }

  leave(): void {
    this.driver.do((now) => this.driver.table.leave(now, this.agentId, this.socket));
  }

  rebuy(): void {
    this.driver.do((now) => this.driver.table.rebuy(now, this.agentId, this.socket));
  }

  sendRubbish(): void {
    this.driver.do((now) => this.driver.table.invalid(now, this.agentId, this.socket));
  }

  resync(lastTableSeq: number | null): ServerMessageOf['resync_response'] {
    this.driver.do((now) => this.driver.table.resync(now, this.agentId, this.socket, lastTableSeq));
    return this.last('resync_response');
  }

  drop(): void {
    const { socket } = this;
    this.socket = 0;
    this.driver.do((now) => this.driver.table.detach(now, this.agentId, socket));
  }

  /** Opens a new socket: after a drop a reconnect, else a takeover. */
  connect(): void {
    this.driver.plug(this);
    this.driver.do((now) => this.driver.table.attach(now, this.agentId, this.socket));
  }
}

function checkHash(state: { state_hash: string | null }): void {
  if (state.state_hash === null) return;
  const expected = stateHashOf({ ...state });
  if (state.state_hash !== expected) throw new Error(`state_hash ${state.state_hash}, not ${expected}`);
}
