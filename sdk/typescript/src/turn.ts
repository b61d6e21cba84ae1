import type { ActionMessage } from './generated/messages.js';
import type { Action, Hand, Mix } from './hand.js';

/**
 * The turn that is open, and what was answered to it. The server sends a turn again after a reconnect and in a resync.
 * The answer is the same message with the same `client_action_id`, so it counts once however often it arrives
 * (protocol.md, "Actions").
 */
export class OpenTurn {
  #message: ActionMessage | null = null;
  /** Whether the present connection carried it. */
  #sent = false;
  #accepted = false;
  #fellBack = false;

  constructor(
    readonly token: string,
    readonly hand: Hand,
  ) {}

  get isDecided(): boolean {
    return this.#message !== null;
  }

  /** Sets the answer of this turn. Its id is made here, before it is sent for the first time. */
  decide(choice: Action | Mix): void {
    this.#write(choice, this.token);
  }

  /** The answer, if the present connection has not carried it yet. */
  toSend(): ActionMessage | null {
    if (this.#sent || this.#accepted) return null;
    this.#sent = this.#message !== null;
    return this.#message;
  }

  /** The answer may not have arrived: `toSend` gives it once more, unless it was acknowledged. */
  resend(): void {
    this.#sent = false;
  }

  accept(actionId: string | null): void {
    if (this.#isMine(actionId)) this.#accepted = true;
  }

  /** The rules refused this answer and the turn is still open: the safe one instead, once. False if that was it. */
  fallBack(actionId: string | null): boolean {
    if (this.#fellBack || this.#accepted || !this.#isMine(actionId)) return false;
    this.#fellBack = true;
    this.#sent = false;
    this.#write(this.hand.safe, `${this.token}-safe`);
    return true;
  }

  #isMine(actionId: string | null): boolean {
    return actionId !== null && this.#message?.client_action_id === actionId;
  }

  #write(choice: Action | Mix, id: string): void {
    const said = 'mix' in choice ? { action: { mix: choice.mix.map((part) => ({ ...part })) } } : { ...choice };
    this.#message = {
      type: 'action',
      ...said,
      client_action_id: id,
      turn_token: this.token,
      hand_id: this.hand.handId,
    };
  }
}
