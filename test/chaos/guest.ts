import { setTimeout as sleep } from 'node:timers/promises';
import { seededRandom } from '../../src/cards/shuffle.js';
import { UNTOLD } from '../../src/protocol/codes.js';
import type { ServerMessage, ServerMessageOf } from '../../src/protocol/server.js';
import { Bot } from '../support/bot.js';
import { Diary } from './diary.js';
import type { Account, TestPlatform } from '../support/platform.js';

/**
 * A guest's habits: how often in a thousand hands it leaves its table, and how often its connection breaks. Also the
 * longest time before it acts, in ms.
 */
export interface Manners {
  leaves: number;
  drops: number;
  thinksMs?: number;
}

export const CALM: Manners = { leaves: 0, drops: 0 };
export const RESTLESS: Manners = { leaves: 25, drops: 25 };
export const restless = (thinksMs = 0): Manners => ({ ...RESTLESS, thinksMs });

/** Refusals that may be over in a moment: the guest joins again. */
const PASSING = new Set(['not_at_table', 'season_buy_in_failed', 'season_error', 'invalid_rebuy', 'rate_limited']);
const RETRY_MS = 100;
const MOST_ACKS = 10_000;
/** A table that is opened again continues a million numbers above the last stored one. No hand needs half as many. */
export const ANOTHER_LIFE = 500_000;
/** The client's text for an upgrade with the answer 503. */
const NOT_NOW = 'server response: 503';

/** An acknowledged action: when it was sent (performance.now), at which table, and the time until the answer. */
export interface Acked {
  at: number;
  table: string;
  ms: number;
}

/** A bot that leaves, loses its connection, comes back, and counts its frames. */
export class Guest extends Bot {
  /** Each of these was committed before it was sent, so the ledger has at least as many entries. */
  readonly sent = { satDown: 0, gotUp: 0, rebuys: 0 };
  /** How often it asked to leave. */
  leaves = 0;
  /** The number of sockets that ended after a stay, where the table could not tell them that the stay had ended. */
  untold = 0;
  /** The table of each hand that the guest saw begin. */
  readonly tableOf = new Map<string, string>();
  /**
   * Refusals of actions that the guest neither caused nor could foresee. It causes one by a leave that crosses its
   * turn, or by a late action. It can foresee none: a table in its next life refuses an action for the hand that was
   * cut off.
   */
  readonly refusals: string[] = [];
  /** The first table_state since this was last set to null: the state of its seat after a return. */
  cameBack: ServerMessageOf['table_state'] | null = null;
  /** The latest acknowledged actions. The test that counts them removes them. */
  readonly acks: Acked[] = [];
  readonly diary = new Diary();
  #autoRebuy: boolean;
  /** From its leave until it sits again. */
  #leaving = false;
  #coming: Promise<void> | null = null;
  /** Its last sent action, the hand of the action, and the table_seq that it had read by then. */
  #acted: { id: string; hand: string; at: number; read: number | undefined } | null = null;
  /** A hand in which it was too late, because its node or its table's stood still. */
  #late: string | null = null;
  /** The last frame that it read of each table. */
  readonly #read = new Map<string, number>();

  constructor(
    platform: TestPlatform,
    account: Account,
    seed: number,
    private readonly manners: Manners,
    competitionId: string | null = null,
  ) {
    super(platform, account, seededRandom(seed), competitionId);
    this.#autoRebuy = seed % 2 === 0;
    this.thinksMs = manners.thinksMs ?? 0;
    this.onFrame = (frame, text) => {
      this.diary.note(`< ${text}`);
      this.#note(frame);
      if ('table_seq' in frame) this.#read.set(frame.table_id, frame.table_seq);
    };
    this.onSend = (text) => this.#said(text);
  }

  /** Waits while the platform cannot admit anybody. A second caller meanwhile gets the same connection. */
  override connect(): Promise<void> {
    return (this.#coming ??= this.#enter().finally(() => (this.#coming = null)));
  }

  async #enter(): Promise<void> {
    for (;;) {
      try {
        this.diary.note('connects');
        await super.connect();
        const { player } = this;
        void player.closed.then(({ code, reason }) => {
          this.diary.note(`closed with ${code} ${reason}`);
          if (reason === UNTOLD) this.untold++;
        });
        return;
      } catch (error) {
        if (!(error as Error).message.includes(NOT_NOW)) throw error;
        await sleep(RETRY_MS);
      }
    }
  }

  /** Breaks its connection and comes back. Rejects when the platform is gone. */
  async relapse(): Promise<void> {
    await this.player.drop();
    await this.connect();
  }

  /** Resolves with the code once its socket is closed, and none is being opened. */
  async gone(): Promise<number> {
    await this.#coming?.catch(() => undefined);
    return (await this.player.closed).code;
  }

  #said(text: string): void {
    this.diary.note(`> ${text}`);
    const message = JSON.parse(text) as { type: string; client_action_id?: string; hand_id?: string };
    const { type, client_action_id: id, hand_id: hand } = message;
    if (type !== 'action' || id === undefined || hand === undefined) return;
    this.#acted = { id, hand, at: performance.now(), read: this.#read.get(this.tableOf.get(hand) ?? '') };
  }

  #note(frame: ServerMessage): void {
    switch (frame.type) {
      case 'table_state':
        this.cameBack ??= frame;
        return;
      case 'table_joined':
        this.sent.satDown++;
        this.#leaving = false;
        if (this.#autoRebuy) this.player.send({ type: 'set_auto_rebuy', enabled: true });
        this.#autoRebuy = false;
        return;
      case 'table_closed':
        this.sent.gotUp++;
        return;
      case 'player_left':
        // A bust counts, too: `busted` only tells the next steps.
        if (frame.name === this.account.name) this.sent.gotUp++;
        return;
      case 'rebuy_confirmed':
        this.sent.rebuys++;
        return;
      case 'hand_start':
        this.tableOf.set(frame.hand_id, frame.table_id);
        return;
      case 'hand_result':
        return this.#live();
      case 'player_action':
        if (frame.name === this.account.name && frame.reason === 'timeout') this.#late = frame.hand_id;
        return;
      case 'action_ack':
        return this.#acknowledged(frame);
      case 'action_rejected':
        return this.#refused(frame);
      case 'error':
        if (PASSING.has(frame.code)) void this.#joinAgain();
        return;
      default:
        return;
    }
  }

  #acknowledged({ client_action_id: id, table_id: table }: ServerMessageOf['action_ack']): void {
    if (this.#acted === null || this.#acted.id !== id) return;
    const { at } = this.#acted;
    this.acks.push({ at, table, ms: performance.now() - at });
    if (this.acks.length > MOST_ACKS) this.acks.splice(0, MOST_ACKS / 2);
  }

  #refused(frame: ServerMessageOf['action_rejected']): void {
    const { id, hand } = this.#acted ?? {};
    const { details } = frame;
    const isLast = 'client_action_id' in details && details.client_action_id === id;
    // It may have acted again by then.
    const isLate = 'hand_id' in frame && frame.hand_id !== null && frame.hand_id === this.#late;
    if (this.#leaving || isLate || (isLast && (hand === this.#late || this.#isOfAnotherLife(frame)))) return;
    this.refusals.push(`${this.account.name} was refused: ${JSON.stringify(frame)}\n    ${this.diary}`);
  }

  #isOfAnotherLife(frame: ServerMessageOf['action_rejected']): boolean {
    if (frame.code !== 'no_hand_in_progress' || !('table_seq' in frame)) return false;
    return frame.table_seq - (this.#acted?.read ?? frame.table_seq) > ANOTHER_LIFE;
  }

  #live(): void {
    const { leaves, drops } = this.manners;
    const dice = this.below(1000);
    if (dice < leaves) {
      this.#leaving = true;
      this.leaves++;
      this.player.send({ type: 'leave_table' });
    }
    // If the platform is gone, the test that restarts it brings all guests back.
    if (dice >= leaves && dice < leaves + drops) void this.relapse().catch(() => undefined);
  }

  async #joinAgain(): Promise<void> {
    const { player } = this;
    await sleep(RETRY_MS, undefined, { ref: false });
    if (!player.isClosed) player.send({ type: 'join_lobby' });
  }
}
