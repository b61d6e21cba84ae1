import { assert, assertWhole } from '../ops/assert.js';
import type { RandomSource } from '../cards/random.js';
import { NO_SOCKET, type SocketId, type TableOpening, type TableRules } from './api.js';
import type { TableEnv } from './env.js';
import { decksOf, type Decks } from './deal/decks.js';
import { Envelope } from './frames/envelope.js';
import { Numbering } from './numbering.js';
import { HandInPlay } from './hand/hand-in-play.js';
import { ReplayWindow } from './replay/window.js';
import { Seats } from './seats/seats.js';
import type { StateSource } from './frames/state.js';
import { FrameSender } from './frames/frame-sender.js';
import { MIN_PLAYERS, waitingNow, waitingReason, type WaitingFacts } from './seats/waiting.js';
import { ERROR_MESSAGES, type WaitingReason } from '../protocol/codes.js';
import type { PlainErrorCode } from '../protocol/messages/session.js';
import { mishapOf, type Mishap } from '../protocol/mishap.js';
import { errorMessage } from '../protocol/server.js';
import type { TableEffect } from './effects.js';

/** Standstills older than this no open clock has anything of. */
const KEPT_MS = 600_000;

/** Puts the standstills of several threads together, so that time in which two of them stood still counts once. */
export class StandstillSum {
  /** What counted already, apart from each other and in order. */
  #counted: { from: number; to: number }[] = [];

  /** Of a standstill the parts that have not counted yet. */
  add(from: number, to: number): { from: number; to: number }[] {
    assert(to >= from, 'a standstill ends after it began', to - from);
    const fresh: { from: number; to: number }[] = [];
    const kept: { from: number; to: number }[] = [];
    let at = from;
    const whole = { from, to };
    for (const past of this.#counted) {
      if (past.to < from || past.from > to) {
        if (past.to >= to - KEPT_MS) kept.push(past);
        continue;
      }
      if (past.from > at) fresh.push({ from: at, to: past.from });
      at = Math.max(at, past.to);
      whole.from = Math.min(whole.from, past.from);
      whole.to = Math.max(whole.to, past.to);
    }
    if (at < to) fresh.push({ from: at, to });
    this.#counted = [...kept, whole].sort((a, b) => a.from - b.from);
    return fresh;
  }
}

/** Effects that change stacks or balances. */
const MOVES_CHIPS: ReadonlySet<TableEffect['kind']> = new Set(['commit', 'release', 'skim']);

/** Whether the shard is to fetch the summary: not at all, with the next heartbeat, or at once. */
type SummaryHaste = 'no' | 'later' | 'now';

/** No new hands while draining; closing gives the seats up too, and ends. */
type Life = { is: 'open' } | { is: 'draining' } | { is: 'closing'; reason: string } | { is: 'closed' };

/** What the parts of one table share: its rules and numbers, who sits, the hand on the table, and the sender of frames. */
export class TableCore {
  readonly tableId: string;
  readonly poolId: string;
  readonly rules: TableRules;
  readonly random: RandomSource;
  readonly decks: Decks;
  readonly seats: Seats;
  readonly play = new HandInPlay();
  readonly numbers: Numbering;
  readonly window: ReplayWindow;
  readonly sender: FrameSender;
  readonly #env: TableEnv;

  /** The last committed hand: its number, button and big blind (-1 before a table's first). */
  last: { handNumber: number; button: number; bigBlindSeat: number };
  /** Epoch ms before which no hand starts. */
  nextHandAt = 0;
  /** How long a hand takes here with its pause, in ms, the latest ones counting most; 0: none is over yet. */
  handMs = 0;
  #life: Life = { is: 'open' };
  /** Agents that busted here and wait for a rebuy. */
  readonly rebuysPending = new Set<string>();

  /** Epoch ms of the call in progress. */
  now = 0;
  /** What the summary tells has changed: the hands that were played alone (`later`), or who sits here (`now`). */
  #summaryDue: SummaryHaste = 'now';
  /** Standstills of two threads may overlap: each moment counts once. */
  readonly #standstills = new StandstillSum();
  /** The shard knows that the summary changed and has not fetched it yet: it will at once, or may wait. */
  #summaryAsked: SummaryHaste = 'no';
  /** The waiting reason of the last table_state; null: none was sent, or a decision was open. stale: another is due. */
  #sent: WaitingReason | null | 'stale' = null;

  /** False while too few players are there. */
  #enough = false;

  constructor(opening: TableOpening, env: TableEnv) {
    assertWhole(opening.handNumber, 'the number of the last hand');
    assertWhole(opening.seqFloor, 'the stored bound of table_seq');
    assert(opening.rules.seats >= MIN_PLAYERS, 'a table has seats for a hand', opening.rules.seats);
    this.tableId = opening.tableId;
    this.poolId = opening.poolId;
    this.rules = opening.rules;
    this.random = env.random;
    this.decks = decksOf(opening, env.random);
    this.#env = env;
    this.seats = new Seats(opening.rules.seats);
    this.numbers = new Numbering(opening.seqFloor);
    this.window = new ReplayWindow(opening.rules, this.numbers.tableSeq);
    const { handNumber, button, bigBlindSeat } = opening;
    this.last = { handNumber, button, bigBlindSeat };
    this.sender = new FrameSender(this.tableId, this.rules, {
      out: env.out,
      seats: this.seats,
      play: this.play,
      numbers: this.numbers,
      window: this.window,
      envelope: new Envelope(this.tableId),
    });
  }

  effect(effect: TableEffect): void {
    assert(this.#life.is !== 'closed' || !MOVES_CHIPS.has(effect.kind), 'a closed table moves no chips', effect.kind);
    this.#env.out.effect(this.tableId, effect);
  }

  /** Something went wrong for an agent here. */
  mishap(agentId: string, mishap: Omit<Mishap, 'tableId' | 'handId'>): void {
    const { tableId, numbers } = this;
    this.effect({ kind: 'mishap', agentId, mishap: { ...mishap, tableId, handId: numbers.handId } });
  }

  /** An error frame, which counts as a mishap. */
  refuse(agentId: string, socket: SocketId, code: PlainErrorCode, message: string = ERROR_MESSAGES[code]): void {
    this.sender.answers.error(socket, code, message);
    this.mishap(agentId, mishapOf(errorMessage(code, message))!);
  }

  /** table_state is to be sent again. */
  stateChanged(): void {
    this.#sent = 'stale';
  }

  /** Lobby and GET /tables are to read the summary again. */
  summaryChanged(): void {
    this.#summaryDue = 'now';
  }

  /** The same of what nobody waits for: the hands that were played, and how long decisions took. */
  handsChanged(): void {
    if (this.#summaryDue === 'no') this.#summaryDue = 'later';
  }

  /** The shard fetches the summary. */
  summaryTaken(): void {
    this.#summaryAsked = 'no';
  }

  /** In this time nobody could be heard: it is added to all that runs out on a player. */
  stood(from: number, to: number): void {
    for (const part of this.#standstills.add(from, to)) {
      this.play.stood(part.from, part.to);
      for (const seat of this.seats.present) seat.stood(part.from, part.to);
    }
  }

  /** The socket of a player on whom something runs out now; NO_SOCKET: one who has none. Null: nothing does. */
  get dueSocket(): SocketId | null {
    if (this.play.turnDeadline <= this.now) return this.play.actor?.socket ?? NO_SOCKET;
    return this.seats.present.some((seat) => seat.heldUntil <= this.now) ? NO_SOCKET : null;
  }

  /** Nobody is there yet to whom anything could be sent. */
  opened(): void {
    this.#sent = null;
  }

  /** No new hands until `resume`. */
  drain(): void {
    if (this.#life.is !== 'open') return;
    this.#life = { is: 'draining' };
    this.#summaryDue = 'now';
  }

  /** Hands go on after the usual pause; a table that closes stays closing. */
  resume(): void {
    if (this.#life.is !== 'draining') return;
    this.#life = { is: 'open' };
    this.#summaryDue = 'now';
    this.nextHandAt = Math.max(this.nextHandAt, this.now + this.rules.betweenHandsMs);
  }

  /** No new hands, and all seats are given up; the first reason stays. */
  close(reason: string): void {
    if (this.#life.is === 'closing' || this.#life.is === 'closed') return;
    this.drain();
    this.#life = { is: 'closing', reason };
  }

  /** All stacks are back. */
  closed(): void {
    assert(this.#life.is === 'closing', 'a table closes before it has closed', this.#life.is);
    assert(!this.play.inHand, 'no hand is open at a table that has closed');
    this.#life = { is: 'closed' };
    this.#summaryDue = 'now';
  }

  get draining(): boolean {
    return this.#life.is !== 'open';
  }

  /** Why the table closes, as table_closed will say it; null where it does not, or has closed. */
  get closing(): string | null {
    return this.#life.is === 'closing' ? this.#life.reason : null;
  }

  /** Ends every call: what has changed is sent. */
  tellChanges(): void {
    this.planNextHand();
    if (this.#stateDue) this.sendState();
    const bound = this.numbers.due();
    assert(this.numbers.isWithinBound, 'no number above the stored bound is used', this.numbers.tableSeq);
    if (bound > 0) this.effect({ kind: 'reserve', upTo: bound });
    this.#tellSummary();
  }

  #tellSummary(): void {
    const due = this.#summaryDue;
    this.#summaryDue = 'no';
    if (due === 'no' || due === this.#summaryAsked || this.#summaryAsked === 'now') return;
    this.#summaryAsked = due;
    this.effect({ kind: 'summary', mayWait: due === 'later' });
  }

  /** When enough players are there at last, the usual delay runs before they are dealt in. */
  planNextHand(): void {
    if (this.play.inHand) return;
    const enough = this.seats.count((seat) => seat.eligible) >= MIN_PLAYERS;
    if (enough && !this.#enough) this.nextHandAt = Math.max(this.nextHandAt, this.now + this.rules.betweenHandsMs);
    this.#enough = enough;
  }

  /** table_state to everybody. */
  sendState(): void {
    this.planNextHand();
    const view = this.view();
    this.sender.state(view);
    this.#sent = view.waiting?.reason ?? null;
  }

  /**
   * Whether table_state should be sent: something in it has changed, or the reason for waiting. While a result is being
   * stored it can wait: the settled state follows. So it can while table_seq has come near its bound.
   */
  get #stateDue(): boolean {
    if (this.#life.is === 'closed' || this.numbers.exhausted || this.play.phase === 'storing') return false;
    return this.#sent === 'stale' || (this.play.phase === 'idle' && this.#waitingReason !== this.#sent);
  }

  /** What table_state tells now. */
  view(): StateSource {
    const { seats, play } = this;
    const waiting = play.phase === 'betting' ? null : waitingNow(seats, this.#waitingFacts(), this.now);
    const dealer = play.inHand ? play.hand.setup.button : Math.max(0, this.last.button);
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
