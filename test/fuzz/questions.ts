import type { ServerMessage } from '../../src/protocol/server.js';
import { answers, isAnswer, isDropped, isTableDropped, OF_TABLE, type Verdict } from './answers.js';
import type { Place } from './place.js';

export interface Question {
  verdict: Verdict;
  bytes: Buffer;
  /** The client's place when it asked. */
  state: string;
  step: number;
  /** Asked by the client's better half: to sit, to leave, to act on its turn. Not counted. */
  polite: boolean;
}

/** Refusals that may follow, as an answer of its own, a leave that seemed to be answered by the end of the seat. */
const CROSSED: ReadonlySet<string> = new Set(['not_at_table', 'leave_pending', 'invalid_rebuy', 'rebuy_during_hand']);

/** The open questions of a socket. Several parts of the server answer, each in its own order. */
export class Questions {
  readonly #open: Question[] = [];
  /** How many answers may come for questions that seemed to be answered. */
  #crossed = 0;
  /** The number of open ones that a table has dropped. */
  #dropped = 0;

  get count(): number {
    return this.#open.length - this.#dropped;
  }

  isOpen(verdict: Verdict): boolean {
    return this.#open.some((question) => question.verdict === verdict);
  }

  countOf(verdicts: readonly Verdict[]): number {
    return this.#open.filter(({ verdict }) => verdicts.includes(verdict)).length;
  }

  ask(question: Question): void {
    this.#open.push(question);
  }

  /** The question of an answer; null for a message that answers none. Throws for an answer without a question. */
  answered(message: ServerMessage, place: Place): Question | null {
    const ownEnd = place.isOwnEnd(message);
    if (ownEnd && place.kicked) {
      place.kicked = false;
      return null;
    }
    if (isTableDropped(message) && this.#dropped < this.countOf(OF_TABLE)) {
      this.#dropped++;
      return null;
    }
    const fits = ({ verdict }: Question) => (ownEnd ? verdict === 'leave_table' : answers(message, verdict));
    const at = isDropped(message) ? this.#open.findLastIndex(fits) : this.#open.findIndex(fits);
    if (at >= 0) {
      if (ownEnd && (place.uncertain || message.type !== 'player_left')) this.#crossed++;
      return this.#open.splice(at, 1)[0]!;
    }
    if (this.#crossed > 0 && message.type === 'error' && CROSSED.has(message.code)) {
      this.#crossed--;
      return null;
    }
    if (isAnswer(message))
      throw new Error(`an answer that fits nothing asked: ${JSON.stringify(message).slice(0, 500)}`);
    return null;
  }

  /** Gives up what is still open: nobody will answer it any more. */
  drop(): Question[] {
    const ofTable = this.#open.filter(({ verdict }) => OF_TABLE.includes(verdict));
    const dropped = ofTable.slice(ofTable.length - this.#dropped);
    this.#crossed = this.#dropped = 0;
    return this.#open.splice(0).filter((question) => !dropped.includes(question));
  }
}
