import type { PlayerOptions } from './options.js';
import { OpenTurn, type AskedTurn } from './open-turn.js';
import { Retry } from './retry.js';
import { giveUp, type Choice, type SlowStrategy } from './strategy.js';
import type { FrameView } from './view.js';

/** Decides the turns that a player is asked for, and sends what was decided: once for each turn, whatever gets lost. */
export class Decisions {
  readonly #openTurn = new OpenTurn();
  /** The decision that is being paced. */
  readonly #thinking = new Retry();
  #sentAt = 0;

  constructor(
    private readonly options: Pick<PlayerOptions, 'strategy' | 'pace' | 'onLatency'>,
    private readonly view: FrameView,
    /** False where there is no open socket. */
    private readonly send: (message: object) => boolean,
  ) {}

  /** A turn is asked for, or told again. */
  asked(turn: AskedTurn): void {
    if (!this.#openTurn.asked(turn)) {
      this.answer();
      return;
    }
    const { strategy, pace } = this.options;
    if (strategy !== null) this.#thinking.after(pace?.(this.view) ?? 0, () => this.#think(turn, strategy));
  }

  #think(turn: AskedTurn, strategy: SlowStrategy): void {
    const choice = strategy(turn, this.view);
    if (!(choice instanceof Promise)) return void this.decide(choice);
    const decide = (late: Choice) => {
      if (this.#openTurn.turn?.token === turn.token) this.decide(late);
    };
    void choice.then(decide, () => decide(giveUp(turn.legal)));
  }

  /** Answers the open turn. False when there is none, it was answered already, or there is no open socket. */
  decide(choice: Choice): boolean {
    return this.#openTurn.decide(choice) && this.answer();
  }

  /** Sends the answer to the open turn, unless it was sent already. */
  answer(): boolean {
    const action = this.#openTurn.toSend();
    if (action === null) return false;
    this.#sentAt = performance.now();
    const sent = this.send(action);
    // Without a socket it goes out when the turn is told again on the next one.
    if (!sent) this.#openTurn.resend();
    return sent;
  }

  accepted(): void {
    this.#openTurn.accepted();
    this.options.onLatency?.(performance.now() - this.#sentAt);
  }

  /** The rules refused the answer: the safe one instead, once. */
  refused(): void {
    if (this.#openTurn.fallBack()) this.answer();
  }

  /** The answer may not have arrived: it is sent again with the next occasion. */
  resend(): void {
    this.#openTurn.resend();
  }

  /** Makes the decision that is being paced now. */
  hurry(): void {
    this.#thinking.now();
  }

  stopThinking(): void {
    this.#thinking.cancel();
  }

  /** The text of a table_state: where it is not of the turn's hand, that one was cut off, and is void. */
  seen(state: string): void {
    const { turn } = this.#openTurn;
    if (turn !== null && !state.includes(`"hand_id":"${turn.handId}"`)) this.drop();
  }

  /** The turn is over, or was never ours. */
  drop(): void {
    this.#thinking.cancel();
    this.#openTurn.clear();
  }
}
