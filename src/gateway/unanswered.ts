import type { ClientMessage, JoinLobbyMessage } from '../protocol/client.js';
import type { SentErrorCode } from '../protocol/codes.js';
import type { ServerMessage } from '../protocol/server.js';
import type { TableRoute, WaitingJoin } from './ports.js';

/** Of join_lobby, rebuy and set_auto_rebuy (PROTOCOL.md, "Limits of a socket"): what waits for the database has a bound. */
export const MAX_UNANSWERED = 2;
/** The answer to one beyond it. */
export const BEYOND_BOUND = `Wait for an answer first: ${MAX_UNANSWERED} are under way; this one was dropped`;
/** Kept of one socket while nobody answers, so that the client hears of what is beyond the bound. */
const MOST_KEPT = 8;

interface Question {
  message: ClientMessage;
  since: number;
}

const QUESTIONS: ReadonlySet<ClientMessage['type']> = new Set(['join_lobby', 'rebuy', 'set_auto_rebuy']);
/** Its answer may wait for the database. All others are answered at once, by the registry or a table. */
export const isQuestion = ({ type }: ClientMessage): boolean => QUESTIONS.has(type);
const JOIN: readonly ClientMessage['type'][] = ['join_lobby'];
const REBUY: readonly ClientMessage['type'][] = ['rebuy', 'set_auto_rebuy'];
const ANY: readonly ClientMessage['type'][] = [...JOIN, ...REBUY];

/** What an error may be the answer to; one that answers nothing that waits may be the end of a join. */
const ANSWERED: Partial<Record<SentErrorCode, readonly ClientMessage['type'][]>> = {
  lobby_full: JOIN,
  already_seated: JOIN,
  invalid_buy_in: JOIN,
  insufficient_season_chips: JOIN,
  season_buy_in_failed: JOIN,
  season_error: ANY,
  no_active_season: ANY,
  not_registered_for_season: ANY,
  invalid_rebuy: REBUY,
  rebuy_cooldown: REBUY,
  not_at_table: REBUY,
  email_not_verified: REBUY,
};

/**
 * What a session waits for from the registry, so that it can be said again to another: read off what the registry sends,
 * which answers one question after the other.
 */
export class Unanswered {
  #questions: Question[] = [];
  /** How many others were said that nobody has handled, as far as is known here. */
  #underWay = 0;
  /** It was greeted in the lobby, and has no seat yet. */
  #joined: { message: JoinLobbyMessage; since: number } | null = null;
  /** It lost its seat, and nothing was sent since of what comes of a bust. */
  seatLost = false;
  /** It was told of the end of the stay that it had last, by its table or by what comes of a bust, or had none. */
  #left = true;
  /** …before it was known here where that was. */
  #leftEarly = false;
  #sits = false;

  /** `now`: by a clock that never goes back, ms. */
  asked(message: ClientMessage, now: number): void {
    if (!isQuestion(message)) this.#underWay++;
    else if (this.#questions.length < MOST_KEPT) this.#questions.push({ message, since: now });
  }

  /** One more of those that are no questions is answered, or is with its table. */
  handled(): void {
    if (this.#underWay > 0) this.#underWay--;
  }

  /** Something was said that is not to be asked again, since it may be answered all the same. */
  get isUnderWay(): boolean {
    return this.#underWay > 0;
  }

  answered(message: ServerMessage): void {
    switch (message.type) {
      case 'lobby_joined':
        return this.#greeted();
      case 'auto_rebuy_set':
        return void this.#take(['set_auto_rebuy']);
      case 'rebuy_confirmed':
        this.#bustKnown();
        return void this.#take(['rebuy']);
      case 'busted':
      case 'auto_rebuy_scheduled':
        return this.#bustKnown();
      case 'error':
        // It comes at once, before the answers to those that wait.
        if (message.message === BEYOND_BOUND) this.#questions.pop();
        return this.#failed(message.code as SentErrorCode);
      default:
        return;
    }
  }

  /** Where its agent sits has changed. */
  routed(before: TableRoute | null, after: TableRoute | null): void {
    const sat = before !== null && before.seat !== null ? before.table : null;
    const sits = after !== null && after.seat !== null ? after.table : null;
    if (sits === sat) return;
    this.seatLost = sits === null;
    this.#sits = sits !== null;
    if (sits === null) return;
    this.#left = this.#leftEarly;
    this.#leftEarly = false;
    this.#joined = null;
    // Its table answers these.
    this.#questions = this.#questions.filter(({ message }) => message.type !== 'rebuy');
  }

  /** Its table asks it for something. */
  plays(): void {
    this.#left = this.#leftEarly = false;
  }

  /** Its table tells it of the end of its stay. */
  left(): void {
    this.#left = true;
    this.#leftEarly = !this.#sits;
  }

  /** It knows that it has no seat where it has none, or waits for one: else it would wait for ever for what a table says. */
  get aware(): boolean {
    return this.#left || this.#joined !== null || this.#first(JOIN) !== undefined;
  }

  /** A join that has no seat yet; `epoch` is the time by the wall clock, `now` by the one of `asked`. */
  waiting(now: number, epoch: number): WaitingJoin | null {
    const join = this.#joined ?? this.#first(JOIN);
    if (join?.message.type !== 'join_lobby') return null;
    const greeted = join === this.#joined;
    return { buyIn: join.message.buy_in ?? null, since: epoch - (now - join.since), greeted };
  }

  /** The rest, in order. */
  get others(): ClientMessage[] {
    const waiting = this.#joined ?? this.#first(JOIN);
    return this.#questions.filter((question) => question !== waiting).map(({ message }) => message);
  }

  /** Only who has no seat is sent so. */
  #bustKnown(): void {
    this.seatLost = false;
    this.#left = true;
  }

  #greeted(): void {
    const join = this.#take(JOIN);
    if (join?.message.type === 'join_lobby') this.#joined = { message: join.message, since: join.since };
  }

  #failed(code: SentErrorCode): void {
    // It waits by another session's join, whose seat will be its own.
    if (code === 'already_in_lobby') return this.#joined === null ? this.#greeted() : void this.#take(JOIN);
    const types = ANSWERED[code];
    if (types === undefined) return;
    const ended = types === JOIN && this.#joined !== null ? undefined : this.#take(types);
    if (ended === undefined && types !== REBUY) this.#joined = null;
  }

  #first(types: readonly ClientMessage['type'][]): Question | undefined {
    return this.#questions.find(({ message }) => types.includes(message.type));
  }

  #take(types: readonly ClientMessage['type'][]): Question | undefined {
    const first = this.#first(types);
    if (first !== undefined) this.#questions.splice(this.#questions.indexOf(first), 1);
    return first;
  }
}
