import { IllegalAction, thrownText } from './errors.js';
import { legalChoice, type Action, type Mix } from './hand.js';
import type { Port } from './port.js';
import type { AskedTurn, Table } from './table.js';
import { OpenTurn } from './turn.js';

/** The server's seconds for a decision where it does not tell them (protocol.md, "Time"). */
const TURN_SECONDS = 120;

/** ms that are kept of a turn's clock for the way to the server. */
export const reserveOf = (clockSeconds: number): number => (clockSeconds >= 10 ? 2000 : clockSeconds * 200);

export interface Clock {
  /** ms kept in reserve; null: by the clock. */
  reserveMs: number | null;
  /** The server's clock for a turn; null: what it says, else 120. */
  turnSeconds: number | null;
}

/** Has turns decided in time, and answers each of them once: from the question to the acknowledgement. */
export class Decisions {
  #turn: OpenTurn | null = null;
  /** The clock of a turn that was told last: a snapshot tells a turn without it. Times in ms since 1970. */
  #told: { token: string; endsAt: number; bankMs: number | null } | null = null;

  constructor(
    private readonly port: Port,
    private readonly clock: Clock,
  ) {}

  /** Whether this turn was asked before. */
  knows(token: string): boolean {
    return this.#turn?.token === token;
  }

  /** The clock of `your_turn`. */
  timed({ token, leftMs, bankMs }: AskedTurn): void {
    if (leftMs !== null) this.#told = { token, endsAt: this.port.now() + leftMs, bankMs };
  }

  /** A turn, open for so many ms already. One that is told again gets its answer again, if that may be lost. */
  ask(table: Table, asked: AskedTurn, elapsedMs: number): void {
    if (this.#turn?.token === asked.token) return this.#answer(this.#turn);
    this.drop();
    const { turnSeconds, reserveMs } = this.clock;
    const now = this.port.now();
    const told = this.#told?.token === asked.token ? this.#told : null;
    let [clock, open] = [turnSeconds ?? TURN_SECONDS, elapsedMs];
    // The server knows best, but for an author who wants it shorter.
    const toldMs = told === null ? Infinity : told.endsAt - now;
    if (told !== null && (turnSeconds === null || toldMs < clock * 1000 - open)) [clock, open] = [toldMs / 1000, 0];
    const left = Math.max(0, clock * 1000 - open - (reserveMs ?? reserveOf(clock)));
    const hand = table.hand({ ...asked, bankMs: told?.bankMs ?? null }, now + left);
    this.#turn = new OpenTurn(asked.token, hand);
    this.port.later('guard', left);
    this.port.think(asked.token, hand);
  }

  /** Takes the result or the error of `decide`. A late one is dropped. */
  decided(token: string, answer: unknown, error: unknown): void {
    const turn = this.#turn;
    if (turn === null || turn.token !== token || turn.isDecided) return;
    try {
      if (error !== null) throw new IllegalAction(`decide threw ${thrownText(error)}`);
      this.#decide(turn, legalChoice(turn.hand, answer));
    } catch (why) {
      if (!(why instanceof IllegalAction)) throw why;
      this.port.warn('decide', why.message, { handId: turn.hand.handId, error: error ?? why });
      this.#decide(turn, turn.hand.safe);
    }
  }

  /** The clock is about to run out. */
  late(): void {
    const turn = this.#turn;
    if (turn === null || turn.isDecided) return;
    const { hand } = turn;
    this.port.warn('late', `decide is late: ${hand.safe.action}`, { handId: hand.handId });
    hand.cancel();
    this.#decide(turn, hand.safe);
  }

  acknowledged(actionId: string | null): void {
    this.#turn?.accept(actionId);
  }

  /** The rules forbade the answer, and the turn is still open: the safe one, once. */
  refused(details: object): void {
    const { client_action_id: id } = details as { client_action_id?: unknown };
    const actionId = typeof id === 'string' ? id : null;
    if (this.#turn?.fallBack(actionId) === true) this.#answer(this.#turn);
  }

  /** The connection is gone: what was sent may not have arrived. */
  lost(): void {
    this.#turn?.resend();
  }

  /** The last message may have been dropped. */
  sayAgain(): void {
    if (this.#turn === null) return;
    this.#turn.resend();
    this.#answer(this.#turn);
  }

  /** This hand is played now, or none (null): a turn of another is over. */
  dropUnlessOf(handId: string | null): void {
    if (this.#turn !== null && this.#turn.hand.handId !== handId) this.drop();
  }

  /** The turn is over, or no longer ours. */
  drop(): void {
    if (this.#turn === null) return;
    this.#turn.hand.cancel();
    this.#turn = null;
    this.port.cancel('guard');
  }

  #decide(turn: OpenTurn, choice: Action | Mix): void {
    turn.decide(choice);
    this.port.cancel('guard');
    this.port.decision(turn.hand, choice);
    this.#answer(turn);
  }

  #answer(turn: OpenTurn): void {
    const message = turn.toSend();
    // Between two connections it goes out when the turn is told again.
    if (message !== null && !this.port.send(message)) turn.resend();
  }
}
