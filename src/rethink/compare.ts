import type { Hole } from '../cards/card.js';
import type { StreetName } from '../formats/hand.js';
import { refusalOf } from '../holdem/betting.js';
import { Act, ActionRefusal, type Legal } from '../holdem/types.js';
import type { ActionMessage } from '../protocol/client.js';
import { ACT_NUMBERS, ACTION_NAMES } from '../table/frames/words.js';
import { partsOf } from '../table/mix.js';
import type { ValuedState } from '../value/state-value.js';

/** An action in plain terms: an all-in is the call or the raise that it comes to. */
export interface PlainChoice {
  action: (typeof ACTION_NAMES)[number];
  /** The raise-to total; null for all others. */
  amount: number | null;
}

/** The answer of the bot: parts with probabilities, one without a mix. Null: it gave none in time. */
export type GivenChoice = readonly (PlainChoice & { p: number; isLegal: boolean })[] | null;

/** A decision that was asked for again. */
export interface Rethought {
  handId: string;
  street: StreetName;
  /** The number of the decision among the actions of the hand, from 0. */
  number: number;
  recorded: PlainChoice;
  timedOut: boolean;
  given: GivenChoice;
  /** The probability with which the bot does what was recorded. */
  agrees: number;
  /** Where it was made. */
  at: DecisionPoint;
}

/** The offer of the open turn, and what the actor has before it. */
export interface Offer {
  legal: Readonly<Legal>;
  stack: number;
  bet: number;
}

/** A turn that is open, as it stands before the action. */
export interface DecisionPoint extends Offer {
  seat: number;
  hole: Hole;
  state: ValuedState;
  /** Nobody bets any more after a call or a check. */
  ends: boolean;
}

/** A fold where checking is free is a check. An all-in is a call, or a raise to all that the actor has. */
export function plainChoice(act: Act, amount: number | null, { legal, stack, bet }: Offer): PlainChoice {
  if (act === Act.fold && legal.check) return { action: 'check', amount: null };
  if (act === Act.allIn) {
    if (legal.call > 0 && legal.call >= stack) return { action: 'call', amount: null };
    return { action: 'raise', amount: bet + stack };
  }
  return { action: ACTION_NAMES[act], amount: act === Act.raise ? amount : null };
}

/** The choice in a message of the bot, in plain terms. */
export function givenChoice({ action, amount }: ActionMessage, offer: Offer): GivenChoice {
  const parts =
    typeof action === 'object' ? partsOf(action) : [{ act: ACT_NUMBERS[action], amount: amount ?? null, p: 1 }];
  return parts.map(({ act, amount: total, p }) => {
    const isFreeFold = act === Act.fold && offer.legal.check;
    const isLegal = isFreeFold || refusalOf(offer.legal, act, total ?? undefined) === ActionRefusal.ok;
    return { ...plainChoice(act, total, offer), p, isLegal };
  });
}

/** The probability of the recorded choice in an answer. */
export const agreement = (given: GivenChoice, recorded: PlainChoice): number =>
  (given ?? [])
    .filter(({ action, amount, isLegal }) => isLegal && action === recorded.action && amount === recorded.amount)
    .reduce((sum, { p }) => sum + p, 0);

/** A difference in words, such as "call, now raise". Other sizes of a raise are "raise, other size". */
export function kindOf({ recorded, given }: Pick<Rethought, 'recorded' | 'given'>): string {
  if (given === null) return `${recorded.action}, now no answer`;
  if (given.some(({ isLegal }) => !isLegal)) return `${recorded.action}, now illegal`;
  if (given.length > 1) return `${recorded.action}, now mixed`;
  const action = given[0]!.action;
  return action === recorded.action ? `${action}, other size` : `${recorded.action}, now ${action}`;
}
