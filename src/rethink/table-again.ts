import { Buffer } from 'node:buffer';
import { assert } from '../ops/assert.js';
import type { ActionMessage } from '../protocol/client.js';
import { RiggedRandom } from '../memory/rigged-random.js';
import type { ToShard } from '../shard/messages.js';
import { deliver, type PlainMessage } from '../shard/host/table-calls.js';
import { leanSocket, type Player, type SocketId, type TableApi, type TableRules } from '../table/api.js';
import type { Outbox } from '../table/outbox.js';
import { createTable } from '../table/table.js';
import type { BotLine, RethinkTable } from './bot-line.js';
import { deckText, type PreparedHand } from './prepare.js';

const RULES: TableRules = {
  seats: 6,
  smallBlind: 10,
  bigBlind: 20,
  headsUpBlinds: 'standard',
  returnPost: false,
  freeFold: 'check',
  boardEvents: 'new',
  actionProtocol: 'strict',
  stateHash: true,
  actionTimeoutMs: 120_000,
  timeBankMs: null,
  betweenHandsMs: 0,
  disconnectHoldMs: 3_600_000,
  missedHandsLimit: 1_000_000,
  replayHands: 20,
  replayBytes: 1 << 20,
  resyncBytes: 4 << 20,
  maxStack: null,
  // The cards are those of the record: nobody committed to them here.
  fairDeals: false,
  duplicate: null,
  spectators: false,
};

/** Numbers of frames that a hand cannot use up. */
const SEQ_A_HAND = 100_000;
/** ms from one action to the next, by the table's clock. */
const STEP_MS = 1000;
/** Sockets of the other players begin here; those of the gateway stay far below. */
const OTHERS_SOCKET = 0x7fff_ff00;

const TOKEN = Buffer.from('"turn_token":"');
const TOKEN_LENGTH = 36;

/** A real table that plays one recorded hand, in time of its own. */
export class TableAgain implements RethinkTable {
  readonly #table: TableApi;
  readonly #out: Outbox;
  readonly #random = new RiggedRandom(1);
  readonly #own: string;
  #now: number;
  /** The token of the turn that is open, by the socket that was asked. */
  #token = '';
  /** Takes the next action of the bot for the open turn; null: none is waited for. */
  #asked: ((message: ActionMessage) => void) | null = null;

  /**
   * `stays`: the bot has this seat already, from a hand before. Else it reads table_joined. `past`: hands before it.
   */
  constructor(
    private readonly line: BotLine,
    private readonly prepared: PreparedHand,
    { stays, past }: { stays: boolean; past: number },
  ) {
    const { hand, buttonBefore } = prepared;
    this.#own = line.agentId;
    this.#out = line.out;
    this.#now = startOf(hand.hand_id);
    const sittings = hand.players.map(({ seat, name, stack_start: stack }) => ({
      sitting: `${hand.hand_id}-${seat}`,
      seat,
      stack,
      player: this.#player(seat, seat === hand.seat ? line.name : name),
    }));
    const rules = { ...RULES, smallBlind: hand.small_blind, bigBlind: hand.big_blind };
    this.#table = createTable(
      this.#now,
      {
        tableId: hand.table_id,
        poolId: 'recorded',
        rules,
        handNumber: hand.hand_number - 1,
        button: buttonBefore,
        bigBlindSeat: -1,
        seqFloor: past * SEQ_A_HAND,
        sittings: sittings.filter(({ seat }) => stays || seat !== hand.seat),
      },
      { random: this.#random, out: this.#out },
    );
    for (const { seat } of hand.players) {
      if (seat !== hand.seat) this.#table.attach(this.#now, this.#agentAt(seat), leanSocket(OTHERS_SOCKET + seat));
    }
    if (stays) this.#table.attach(this.#now, this.#own, line.socket);
    else this.#sitDown(sittings.find(({ seat }) => seat === hand.seat)!);
    this.flush();
  }

  get route() {
    return { shard: 0, table: this.prepared.hand.table_id, seat: this.prepared.hand.seat };
  }

  get isOver(): boolean {
    return !this.#table.inHand;
  }

  /** Deals the cards of the record under the id of the record. */
  deal(): void {
    const { hand, deck } = this.prepared;
    this.#random.stack(deckText(deck), wordsOf(hand.hand_id));
    this.#now = startOf(hand.hand_id);
    this.#table.tick(this.#now);
    this.#settle();
    assert(this.#table.inHand || hand.actions.length === 0, 'the recorded hand begins');
  }

  /** The action of the player in turn, as recorded. The bot's is acknowledged under the id of its own message. */
  play(seat: number, action: ActionMessage['action'], amount: number | null, said: ActionMessage | null = null): void {
    this.#now += STEP_MS;
    const ids = said ?? {
      client_action_id: `${this.prepared.hand.hand_id.slice(0, 8)}-${this.#now}`,
      turn_token: this.#token,
      hand_id: this.prepared.hand.hand_id,
    };
    const socket = seat === this.prepared.hand.seat ? this.line.socket : leanSocket(OTHERS_SOCKET + seat);
    this.#table.act(this.#now, this.#agentAt(seat), socket, { ...ids, type: 'action', action, amount });
    this.#settle();
  }

  /** The turn's time is up. An answer of the bot that came for it is too late, and is rejected as such. */
  timeOut(said: ActionMessage | null): void {
    this.#now = Math.max(this.#now, this.#table.nextDeadline);
    this.#table.tick(this.#now);
    if (said !== null) this.#table.act(this.#now, this.#own, this.line.socket, said);
    this.#settle();
  }

  /** Gives the next action that the bot sends for the open turn; null: nobody waits for one any more. */
  ask(take: ((message: ActionMessage) => void) | null): void {
    this.#asked = take;
    if (take !== null) this.flush();
  }

  /** Gives the bot's seat up: it reads table_closed. */
  close(): void {
    this.#table.close(this.#now, 'insufficient_players');
    this.flush();
  }

  // ---- the bot's line

  act(socket: SocketId, message: ActionMessage): void {
    const ask = this.#asked;
    const { turn_token: token, hand_id: handId, client_action_id: id } = message;
    const isForTurn = token === this.#token && handId === this.prepared.hand.hand_id && typeof id === 'string';
    if (ask !== null && isForTurn) {
      this.#asked = null;
      return ask(message);
    }
    // Out of turn, or with other ids: the table itself says so.
    this.#table.act(this.#now, this.#own, socket, message);
    this.flush();
  }

  take(message: Exclude<ToShard, { t: 'act' }>): void {
    if (!('table' in message) || ['sit', 'state', 'replay', 'seat', 'heard', 'open'].includes(message.t)) return;
    deliver(this.#table, this.#now, message as PlainMessage);
    this.flush();
  }

  attach(socket: SocketId): void {
    this.#table.attach(this.#now, this.#own, socket);
    this.flush();
  }

  // ---- the table

  /** On the seat of the record: the table gives out the lowest one that is free. */
  #sitDown(sitting: { sitting: string; seat: number; stack: number; player: Player }): void {
    const others: string[] = [];
    for (let seat = this.#table.reserveSeat(sitting.sitting); seat !== sitting.seat;) {
      assert(seat >= 0 && seat < sitting.seat, 'the seat of the record is free', seat);
      this.#table.unreserveSeat(sitting.sitting);
      others.push(`free-${seat}`);
      this.#table.reserveSeat(`free-${seat}`);
      seat = this.#table.reserveSeat(sitting.sitting);
    }
    for (const other of others) this.#table.unreserveSeat(other);
    this.#table.sit(this.#now, sitting, this.line.socket);
  }

  #player(seat: number, name: string): Player {
    const nobody = { avatarUrl: null, publicProfileSlug: null, isPro: false, isHouse: false, autoRebuy: false };
    return { agentId: this.#agentAt(seat), name, ...nobody };
  }

  #agentAt(seat: number): string {
    return seat === this.prepared.hand.seat ? this.#own : `player-${seat}`;
  }

  /** Grants what the table asks for. */
  #settle(): void {
    for (let effects = this.#out.takeEffects(); effects.length > 0; effects = this.#out.takeEffects()) {
      for (const { effect } of effects) {
        if (effect.kind === 'commit') this.#table.handCommitted(this.#now, effect.record.handId);
        else if (effect.kind === 'release') this.#table.released(this.#now, effect.sitting);
        else if (effect.kind === 'reserve') this.#table.reserved(this.#now, effect.upTo);
      }
    }
    // One turn is open at a time: the last token is its.
    const { buffer, pos } = this.#out.bytes;
    const at = buffer.subarray(0, pos).lastIndexOf(TOKEN) + TOKEN.length;
    if (at >= TOKEN.length) this.#token = buffer.toString('latin1', at, at + TOKEN_LENGTH);
  }

  /** Sends the frames so far, in one write: those between two answers of the bot go together. */
  flush(): void {
    this.#settle();
    const batch = this.#out.takeFrames();
    if (batch !== null) this.line.forward(batch.bytes, batch.index, (bytes) => this.#out.recycle(bytes));
  }
}

const hexOf = (id: string): string => id.replaceAll('-', '');

/** The time that a hand's id was made of, epoch ms with its fraction (table/uuid.ts). */
function startOf(handId: string): number {
  const hex = hexOf(handId);
  return parseInt(hex.slice(0, 12), 16) + parseInt(hex.slice(13, 16), 16) / 0x1000;
}

/** The random words of a hand's id. */
function wordsOf(handId: string): number[] {
  const tail = hexOf(handId).slice(16);
  return [0, 4, 8, 12].map((at) => parseInt(tail.slice(at, at + 4), 16) & (at === 0 ? 0x3fff : 0xffff));
}
