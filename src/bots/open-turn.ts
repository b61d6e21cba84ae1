import { giveUp, type Choice, type Turn } from './strategy.js';

/** A turn as the server asked for it. */
export interface AskedTurn extends Turn {
  token: string;
}

export interface ActionFrame {
  type: 'action';
  action: Choice['action'];
  amount?: number;
  client_action_id: string;
  turn_token: string;
  hand_id: string;
}

/**
 * The turn that is open, and what was answered to it. The server tells a turn again after a reconnect and in a resync;
 * the answer is then the same, under the same client_action_id, so that it counts once however often it arrives.
 */
export class OpenTurn {
  #turn: AskedTurn | null = null;
  #choice: Choice | null = null;
  #attempt = 1;
  /** Whether the present socket carried the answer. */
  #sent = false;
  #accepted = false;

  get turn(): AskedTurn | null {
    return this.#turn;
  }

  /** True when this turn is a new one, to be decided. */
  asked(turn: AskedTurn): boolean {
    if (this.#turn?.token === turn.token) return false;
    this.#turn = turn;
    this.#choice = null;
    this.#attempt = 1;
    this.#sent = this.#accepted = false;
    return true;
  }

  /** False when no turn waits for an answer. */
  decide(choice: Choice): boolean {
    if (this.#turn === null || this.#choice !== null) return false;
    this.#choice = choice;
    return true;
  }

  /** The answer, when there is one that the present socket has not carried yet. */
  toSend(): ActionFrame | null {
    const [turn, choice] = [this.#turn, this.#choice];
    if (turn === null || choice === null || this.#sent) return null;
    this.#sent = true;
    return {
      type: 'action',
      ...choice,
      client_action_id: this.#attempt === 1 ? turn.token : `${turn.token}-${this.#attempt}`,
      turn_token: turn.token,
      hand_id: turn.handId,
    };
  }

  /** The answer may not have arrived: `toSend` gives it once more. */
  resend(): void {
    this.#sent = this.#accepted;
  }

  accepted(): void {
    this.#accepted = true;
  }

  /** The rules refused the answer and the turn is still open: the safe one instead, once. False when that was it. */
  fallBack(): boolean {
    if (this.#turn === null || this.#choice === null || this.#attempt > 1) return false;
    this.#attempt++;
    this.#choice = giveUp(this.#turn.legal);
    this.#sent = false;
    return true;
  }

  /** The turn is over, or was never ours. */
  clear(): void {
    this.#turn = null;
    this.#choice = null;
  }
}

type Offer = { action: Choice['action']; amount?: number | null; min?: number | null; max?: number | null };

/** The valid_actions of your_turn (all keys) or of table_state (only those that apply). */
export function turnOf(handId: string, token: string, seat: number, offers: readonly Offer[]): AskedTurn {
  const legal = { fold: false, check: false, call: 0, raiseMin: 0, raiseMax: 0, allIn: 0 };
  for (const { action, amount, min, max } of offers) {
    if (action === 'fold' || action === 'check') legal[action] = true;
    else if (action === 'call') legal.call = amount ?? 0;
    else if (action === 'all_in') legal.allIn = amount ?? 0;
    else [legal.raiseMin, legal.raiseMax] = [min ?? 0, max ?? 0];
  }
  return { handId, token, seat, legal };
}
