import type { RandomSource } from '../cards/random.js';
import type { TableEffect, TableEnv, TableOpening, TableRules } from './api.js';
import { decksOf, type Decks } from './decks.js';
import { Envelope } from './envelope.js';
import { Numbering } from './numbering.js';
import { Play } from './play.js';
import { ReplayWindow } from './replay.js';
import { Seats } from './seats.js';
import type { StateSource } from './state-frame.js';
import { Teller } from './teller.js';
import { MIN_PLAYERS, waitingNow, waitingReason, type WaitingFacts } from './waiting.js';
import type { WaitingReason } from '../protocol/codes.js';

/** What the rooms of one table share: its rules and numbers, who sits, the hand on the table, and the way to tell. */
export class TableCore {
  readonly tableId: string;
  readonly poolId: string;
  readonly rules: TableRules;
  readonly random: RandomSource;
  readonly decks: Decks;
  readonly seats: Seats;
  readonly play = new Play();
  readonly numbers: Numbering;
  readonly window: ReplayWindow;
  readonly teller: Teller;
  readonly #env: TableEnv;

  /** Number of the last committed hand, its button and its big blind (-1 before a table's first). */
  handNumber: number;
  button: number;
  bigBlindSeat: number;
  /** Epoch ms before which no hand starts. */
  nextHandAt = 0;
  /** No new hands; with a reason the seats are given up too and the table ends. */
  draining = false;
  closing: string | null = null;
  closed = false;
  /** Agents that busted here and wait for a rebuy. */
  readonly rebuysPending = new Set<string>();

  /** Epoch ms of the call in progress. */
  now = 0;
  /** Something that table_state tells has changed and is not told yet. */
  stale = false;
  /** Something that the summary tells has changed. */
  summaryStale = true;
  /** The waiting reason last told; null while a decision is open. */
  toldReason: WaitingReason | null = null;

  /** False while too few players are there. */
  #enough = false;

  constructor(opening: TableOpening, env: TableEnv) {
    this.tableId = opening.tableId;
    this.poolId = opening.poolId;
    this.rules = opening.rules;
    this.random = env.random;
    this.decks = decksOf(opening, env.random);
    this.#env = env;
    this.seats = new Seats(opening.rules.seats);
    this.numbers = new Numbering(opening.seqFloor);
    this.window = new ReplayWindow(opening.rules, this.numbers.tableSeq);
    this.handNumber = opening.handNumber;
    this.button = opening.button;
    this.bigBlindSeat = opening.bigBlindSeat;
    this.teller = new Teller(this.tableId, this.rules, {
      out: env.out,
      seats: this.seats,
      play: this.play,
      numbers: this.numbers,
      window: this.window,
      envelope: new Envelope(this.tableId),
    });
  }

  effect(effect: TableEffect): void {
    this.#env.out.effect(this.tableId, effect);
  }

  /** When enough players are there at last, the usual delay runs before they are dealt in. */
  planNextHand(): void {
    if (this.play.inHand) return;
    const enough = this.seats.count((seat) => seat.eligible) >= MIN_PLAYERS;
    if (enough && !this.#enough) this.nextHandAt = Math.max(this.nextHandAt, this.now + this.rules.betweenHandsMs);
    this.#enough = enough;
  }

  /** table_state to everybody. */
  tellState(): void {
    this.planNextHand();
    const view = this.view();
    this.teller.state(view);
    this.toldReason = view.waiting?.reason ?? null;
    this.stale = false;
  }

  /**
   * Whether table_state should be told: something in it has changed, or the reason for waiting. While a result is being
   * stored it can wait: the settled state follows.
   */
  get stateDue(): boolean {
    if (this.closed || this.play.phase === 'storing') return false;
    return this.stale || (this.play.phase === 'idle' && this.#waitingReason !== this.toldReason);
  }

  /** What table_state tells now. */
  view(): StateSource {
    const { seats, play } = this;
    const waiting = play.phase === 'betting' ? null : waitingNow(seats, this.#waitingFacts(), this.now);
    const dealer = play.inHand ? play.hand.setup.button : Math.max(0, this.button);
    return { seats, play, dealer, waiting };
  }

  get #waitingReason(): WaitingReason {
    return waitingReason(this.seats, this.#waitingFacts(), this.now);
  }

  #waitingFacts(): WaitingFacts {
    return {
      closing: this.draining,
      storing: this.play.phase === 'storing',
      rebuysPending: this.rebuysPending.size,
      nextHandAt: this.nextHandAt,
      delayMs: this.rules.betweenHandsMs,
    };
  }
}
