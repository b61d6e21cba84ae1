import { seededRandom } from '../../src/cards/shuffle.js';
import type { Action, Hand } from '../../sdk/typescript/src/hand.js';
import { createStrategy, STRATEGY_NAMES, type Strategy } from '../../src/bots/index.js';
import { parseCard } from '../../src/cards/card.js';
import { handStrength } from '../../src/collusion/strength.js';

/** Bots of a collusion bench: honest ones in the house's styles, and four planted kinds of pairs. */

export const KINDS = ['dumping', 'soft_play', 'whipsaw', 'signals'] as const;
export type Kind = (typeof KINDS)[number];

export interface Player {
  agentId: string;
  mind: Strategy;
  /** Null of honest ones. */
  plot: Plot | null;
}

/** A colluder's action at its turn; null: its style decides. `partner` is its partner's seat in this hand. */
type Plot = (hand: Hand, partner: number) => Action | null;

interface Pair {
  kind: Kind;
  players: [Player, Player];
}

const uuid = (number: number) => `00000000-0000-4000-8000-${number.toString(16).padStart(12, '0')}`;

/** An honest bot: the style goes by the number. */
export function honest(number: number, seed: number): Player {
  const style = STRATEGY_NAMES[number % STRATEGY_NAMES.length]!;
  return { agentId: uuid(number), mind: createStrategy(style, seed + number), plot: null };
}

/** Two that collude in a share of `zeal` of the decisions that they could, and play their styles otherwise. */
export function colluders(kind: Kind, number: number, other: number, seed: number, zeal: number): Pair {
  const random = seededRandom(seed * 7919 + number);
  const chance = (share: number) => random.next16() / 0x10000 < share;
  const [first, second] = [honest(number, seed), honest(other, seed)];
  const plots = PLOTS[kind](chance, zeal);
  return {
    kind,
    players: [
      { ...first, plot: plots[0] },
      { ...second, plot: plots[1] },
    ],
  };
}

type Chance = (share: number) => boolean;

/** The choice of one of the players of a hand. */
export function choose(player: Player, hand: Hand, partner: number): Action {
  const plotted = partner < 0 || player.plot === null ? null : player.plot(hand, partner);
  return plotted ?? player.mind(hand);
}

const PLOTS: Record<Kind, (chance: Chance, zeal: number) => [Plot, Plot]> = {
  /** The first comes in after the second's raise, whatever it holds, and loses all it can once the two are alone. */
  dumping: (chance, zeal) => [
    (hand, partner) => {
      const last = hand.actions.findLast(({ action }) => action === 'raise' || action === 'all_in');
      if (!isAlone(hand, partner)) {
        const comesIn = hand.street === 'preflop' && last?.seat === partner && hand.toCall > 0 && chance(zeal);
        return comesIn && hand.toCall <= 12 * hand.bigBlind ? { action: 'call' } : null;
      }
      if (!chance(zeal)) return null;
      const strong = strengthOf(hand) > 0.6;
      if (hand.canCheck) return strong ? { action: 'check' } : raiseBy(hand, 1);
      if (strong) return { action: 'fold' };
      return hand.toCall > 0 && chance(0.7) ? { action: 'call' } : raiseBy(hand, 1);
    },
    () => null,
  ],

  /** Neither bets nor raises where only the two are left. */
  soft_play: (chance, zeal) => {
    const plot: Plot = (hand, partner) => {
      if (!isAlone(hand, partner) || !chance(zeal)) return null;
      if (hand.canCheck) return { action: 'check' };
      return strengthOf(hand) > 0.5 ? { action: 'call' } : { action: 'fold' };
    };
    return [plot, plot];
  },

  /** They raise each other while a third player has chips in, with whatever they hold, and stop when it has folded. */
  whipsaw: (chance, zeal) => {
    const plot: Plot = (hand, partner) => {
      if (isAlone(hand, partner)) return hand.canCheck && chance(zeal) ? { action: 'check' } : null;
      const raised = hand.actions.filter(({ action }) => action === 'raise' || action === 'all_in');
      const own = raised.filter((action) => action.seat === hand.seat).length;
      if (raised.at(-1)?.seat !== partner || own >= 2 || !chance(zeal)) return null;
      return raiseBy(hand, 0.75);
    };
    return [plot, plot];
  },

  /** The last digit of a raise says how strong the hand is, and the other folds, calls or raises by that. */
  signals: (chance, zeal) => {
    const plot: Plot = (hand, partner) => {
      const own = strengthOf(hand);
      const last = hand.actions.findLast(({ action }) => action === 'raise' || action === 'all_in');
      const street = hand.street === 'preflop' ? 'preflop' : null;
      const bet = hand.players.find((other) => other.seat === partner)?.bet ?? 0;
      if (last?.seat === partner && hand.toCall > 0 && (street === null || bet > hand.bigBlind) && chance(zeal)) {
        const told = ((bet % CODES) + 0.5) / CODES;
        if (told > own + 0.1) return { action: 'fold' };
        return told < own - 0.25 ? raiseBy(hand, 0.75, codeOf(own)) : { action: 'call' };
      }
      return null;
    };
    return [plot, plot];
  },
};

const CODES = 5;
const codeOf = (strength: number) => Math.min(CODES - 1, Math.floor(strength * CODES));

/** A raise of a bot that signals, with its last digit set to what the hand is worth. */
export function signalled(choice: Action, hand: Hand): Action {
  if (choice.amount === undefined) return choice;
  const amount = choice.amount - (choice.amount % CODES) + codeOf(strengthOf(hand));
  const { minRaise, maxRaise } = hand;
  return {
    action: 'raise',
    amount: amount < minRaise ? Math.min(maxRaise, amount + CODES) : Math.min(maxRaise, amount),
  };
}

function isAlone({ players, seat }: Hand, partner: number): boolean {
  const live = players.filter(({ inHand }) => inHand);
  return live.length === 2 && live.every((other) => other.seat === seat || other.seat === partner);
}

function strengthOf({ board, hole }: Hand): number {
  const [first, second] = hole.map(parseCard);
  return handStrength(board.map(parseCard), board.length, [first!, second!]);
}

/** A raise by a part of the pot, with a last digit where one is given; what comes next to it where none is allowed. */
function raiseBy(hand: Hand, part: number, digit = 0): Action {
  const { toCall, pot, bet, canRaise, minRaise, maxRaise } = hand;
  if (!canRaise) return hand.canCheck ? { action: 'check' } : toCall > 0 ? { action: 'call' } : { action: 'all_in' };
  const wanted = Math.round(bet + toCall + part * (pot + toCall));
  const amount = Math.max(minRaise, Math.min(maxRaise, wanted - (wanted % CODES) + digit));
  return { action: 'raise', amount };
}
