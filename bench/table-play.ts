import { secureRandom } from '../src/cards/shuffle.js';
import type { ActionMessage } from '../src/protocol/client.js';
import { leanSocket, MAX_SERIAL, type TableRules } from '../src/table/api.js';
import { Outbox, START, type FrameBatch } from '../src/table/outbox.js';
import { createTable } from '../src/table/table.js';

/*
 * A full table of six playing whole hands as a shard runs it. Every action is checked and every frame of every player
 * is written as bytes. The batch is taken after each action, and the hand is "stored" at once. Counted is the CPU time
 * of all that, the bots' reading of their turn included (they look for a few bytes only). No sockets, no threads, no
 * database.
 */

const SEATS = 6;
const TURN = /"type":"(your_)?turn"/;
const RAISE_FROM = /"raise","amount":null,"min":(\d+)/;

const rules: TableRules = {
  seats: SEATS,
  smallBlind: 10,
  bigBlind: 20,
  headsUpBlinds: 'standard',
  returnPost: true,
  freeFold: 'check',
  boardEvents: 'new',
  actionProtocol: 'strict',
  stateHash: true,
  actionTimeoutMs: 120_000,
  timeBankMs: 120_000,
  betweenHandsMs: 0,
  disconnectHoldMs: 120_000,
  missedHandsLimit: 3,
  replayHands: 20,
  replayBytes: 1 << 20,
  resyncBytes: 4 << 20,
  maxStack: null,
  fairDeals: false,
  spectators: true,
  duplicate: null,
};

export interface Played {
  hands: number;
  actions: number;
  frames: number;
  bytes: number;
  cpuMs: number;
}

/** Marsaglia's xorshift: the bots' choices, cheap beside the hands. */
let state = 20_190_711;
function random(bound: number): number {
  state ^= state << 13;
  state ^= state >>> 17;
  state ^= state << 5;
  return Math.floor(((state >>> 0) / 2 ** 32) * bound);
}

/** One table with its six bots. A bust seat is taken again at once. */
export class BenchTable {
  readonly #out = new Outbox();
  readonly #table;
  #now = Date.UTC(2026, 0, 1);
  #sittings = 0;
  #actions = 0;
  readonly played: Played = { hands: 0, actions: 0, frames: 0, bytes: 0, cpuMs: 0 };
  #turn: { seat: number; handId: string; token: string; text: string } | null = null;

  /** `lean`: its players read lean frames. */
  constructor(
    change: Partial<TableRules>,
    private readonly lean = false,
  ) {
    const opening = {
      tableId: '7e1a1f0c-6d5e-4a6b-9d0e-0c6f3a3f9b10',
      poolId: 'bench',
      rules: { ...rules, ...change },
    };
    this.#table = createTable(
      this.#now,
      { ...opening, handNumber: 0, button: -1, bigBlindSeat: -1, seqFloor: 0, sittings: [] },
      { random: secureRandom(), out: this.#out },
    );
  }

  play(hands: number): void {
    for (let seat = this.#table.summary().occupied; seat < SEATS; seat++) this.#sit();
    const until = this.played.hands + hands;
    const before = process.cpuUsage();
    while (this.played.hands < until) {
      if (this.#turn === null) this.#table.tick(this.#now);
      else this.#act();
      this.#flush();
      this.#now += 0.05;
    }
    const { user, system } = process.cpuUsage(before);
    this.played.cpuMs += (user + system) / 1000;
  }

  #sit(): void {
    const sitting = `sitting-${++this.#sittings}`;
    const seat = this.#table.reserveSeat(sitting);
    const player = {
      agentId: `00000000-0000-4000-8000-00000000000${seat}`,
      name: `bench_bot_${seat}`,
      avatarUrl: null,
      publicProfileSlug: null,
      isPro: false,
      isHouse: false,
      autoRebuy: false,
    };
    this.#table.sit(this.#now, { sitting, seat, stack: 2000, player }, this.#socketOf(seat));
  }

  #socketOf(seat: number): number {
    return this.lean ? leanSocket(seat + 1) : seat + 1;
  }

  /** Mostly calls and checks, some folds and raises: about 19 actions a hand. */
  #act(): void {
    const { seat, handId, token, text } = this.#turn!;
    this.#turn = null;
    const message: ActionMessage = {
      type: 'action',
      action: this.#choice(text),
      amount: null,
      client_action_id: `${handId}-${++this.#actions}`,
      turn_token: token,
      hand_id: handId,
    };
    if (message.action === 'raise') message.amount = Number(RAISE_FROM.exec(text)![1]);
    this.#table.act(this.#now, `00000000-0000-4000-8000-00000000000${seat}`, this.#socketOf(seat), message);
    this.played.actions++;
  }

  #choice(text: string): ActionMessage['action'] {
    const roll = random(100);
    if (roll < 12 && text.includes('"action":"raise"')) return 'raise';
    if (text.includes('"action":"check"')) return 'check';
    return roll < 42 ? 'fold' : 'call';
  }

  #flush(): void {
    const batch = this.#out.takeFrames();
    if (batch !== null) {
      this.#read(batch);
      this.#out.recycle(batch.bytes);
    }
    for (const { effect } of this.#out.takeEffects()) {
      if (effect.kind === 'commit') {
        this.played.hands++;
        this.#table.handCommitted(this.#now, effect.record.handId);
      } else if (effect.kind === 'release') {
        this.#table.released(this.#now, effect.sitting);
        this.#sit();
      } else if (effect.kind === 'reserve') {
        this.#table.reserved(this.#now, effect.upTo);
      }
    }
  }

  /** A turn, if there is one, is the last frame of a batch. */
  #read({ bytes, index }: FrameBatch): void {
    this.played.frames += index.length / 3;
    for (let i = 0; i < index.length; i += 3) this.played.bytes += index[i + 2]! - (index[i + 1]! & START);
    const [socket, start, end] = index.subarray(-3);
    const text = Buffer.from(bytes, start! & START, end! - (start! & START)).toString('latin1');
    if (text.includes('"type":"action_rejected"')) throw new Error(`no action was to be rejected: ${text}`);
    if (!TURN.test(text)) return;
    const handId = /"hand_id":"([^"]+)"/.exec(text)![1]!;
    this.#turn = {
      seat: (socket! & MAX_SERIAL) - 1,
      handId,
      token: /"turn_token":"([^"]+)"/.exec(text)![1]!,
      text: text.slice(text.indexOf('"valid_actions"')),
    };
  }
}
