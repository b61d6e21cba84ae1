/** A bot's knowledge of its table at its turn. */
export interface TurnSeen {
  hand: string;
  /** Actions of all players in this hand so far, and in the hand before. */
  actions: number;
  before: number;
}

export interface LoadStep {
  /** All in ms; `now` is when the turn came. */
  now: number;
  /** Pause before an action. */
  gapMs: number;
  /** The server's time from the last action of a hand to the first turn of the next. */
  betweenMs: number;
}

/**
 * When the actions of one table are due. While all actions are of our bots, each is due a pause after the one before
 * was due. It does not count from the sending, so the server's delays are not left out (coordinated omission). Where
 * others act it begins anew with each turn, since nobody knows when theirs were due.
 */
export class Schedule {
  /** How long the hand's first turn came after the last action of ours, where nothing else lay between; else null. */
  pauseMs: number | null = null;
  #seated = 0;
  #players = 0;
  #hand = '';
  /** Actions of this hand up to our last one, that one included. */
  #actions = -1;
  #dueAt = 0;
  #sentAt = 0;

  /** `empty` is called when the last of our bots is gone. */
  constructor(private readonly empty: () => void) {}

  /** One of ours sits down: what happens at the table until it plays is nobody's delay. */
  join(): void {
    this.#seated++;
    this.#actions = -1;
  }

  leave(): void {
    this.#actions = -1;
    if (--this.#seated === 0) this.empty();
  }

  /** A hand was dealt to so many. */
  dealtTo(players: number): void {
    this.#players = players;
  }

  /** Our part of the players; 1 where all are ours. */
  get share(): number {
    return Math.min(1, this.#seated / Math.max(this.#players, 1));
  }

  /** When the action is due that is asked for now. */
  due({ hand, actions, before }: TurnSeen, { now, gapMs, betweenMs }: LoadStep): number {
    const same = hand === this.#hand;
    const ours = same ? actions === this.#actions : actions === 0 && before === this.#actions;
    this.pauseMs = ours && !same ? now - this.#sentAt : null;
    this.#dueAt = (ours ? this.#dueAt + (same ? 0 : betweenMs) : now) + gapMs;
    this.#hand = hand;
    this.#actions = actions + 1;
    this.#sentAt = Math.max(now, this.#dueAt);
    return this.#dueAt;
  }
}

export const between = (low: number, high: number): number => low + Math.random() * (high - low);
