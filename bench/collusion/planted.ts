import { seededRandom } from '../../src/cards/shuffle.js';
import {
  createStrategy,
  STRATEGY_NAMES,
  type Choice,
  type Strategy,
  type StrategyView,
  type Turn,
} from '../../src/bots/index.js';
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

/** What a colluder does at its turn; null: as its style would. `partner` is its partner's seat in this hand. */
type Plot = (turn: Turn, view: StrategyView, partner: number) => Choice | null;

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
export function choose(player: Player, turn: Turn, view: StrategyView, partner: number): Choice {
  const plotted = partner < 0 || player.plot === null ? null : player.plot(turn, view, partner);
  return plotted ?? player.mind(turn, view);
}

const PLOTS: Record<Kind, (chance: Chance, zeal: number) => [Plot, Plot]> = {
  /** The first comes in after the second's raise, whatever it holds, and loses all it can once the two are alone. */
  dumping: (chance, zeal) => [
    (turn, view, partner) => {
      const { legal } = turn;
      const last = view.actions.findLast(({ action }) => action === 'raise' || action === 'all_in');
      if (!isAlone(view, turn.seat, partner)) {
        const comesIn = view.board.length === 0 && last?.seat === partner && legal.call > 0 && chance(zeal);
        return comesIn && legal.call <= 12 * view.bigBlind ? { action: 'call' } : null;
      }
      if (!chance(zeal)) return null;
      const strong = strengthOf(view) > 0.6;
      if (legal.check) return strong ? { action: 'check' } : raiseBy(turn, view, 1);
      if (strong) return { action: 'fold' };
      return legal.call > 0 && chance(0.7) ? { action: 'call' } : raiseBy(turn, view, 1);
    },
    () => null,
  ],

  /** Neither bets nor raises where only the two are left. */
  soft_play: (chance, zeal) => {
    const plot: Plot = ({ seat, legal }, view, partner) => {
      if (!isAlone(view, seat, partner) || !chance(zeal)) return null;
      if (legal.check) return { action: 'check' };
      return strengthOf(view) > 0.5 ? { action: 'call' } : { action: 'fold' };
    };
    return [plot, plot];
  },

  /** They raise each other while a third player has chips in, with whatever they hold, and stop when it has folded. */
  whipsaw: (chance, zeal) => {
    const plot: Plot = (turn, view, partner) => {
      const { seat, legal } = turn;
      if (isAlone(view, seat, partner)) return legal.check && chance(zeal) ? { action: 'check' } : null;
      const raised = view.actions.filter(({ action }) => action === 'raise' || action === 'all_in');
      const own = raised.filter((action) => action.seat === seat).length;
      if (raised.at(-1)?.seat !== partner || own >= 2 || !chance(zeal)) return null;
      return raiseBy(turn, view, 0.75);
    };
    return [plot, plot];
  },

  /** The last digit of a raise says how strong the hand is, and the other folds, calls or raises by that. */
  signals: (chance, zeal) => {
    const plot: Plot = (turn, view, partner) => {
      const { legal } = turn;
      const own = strengthOf(view);
      const last = view.actions.findLast(({ action }) => action === 'raise' || action === 'all_in');
      const street = view.board.length === 0 ? 'preflop' : null;
      const bet = view.seats.find((other) => other.seat === partner)?.bet ?? 0;
      if (last?.seat === partner && legal.call > 0 && (street === null || bet > view.bigBlind) && chance(zeal)) {
        const told = ((bet % CODES) + 0.5) / CODES;
        if (told > own + 0.1) return { action: 'fold' };
        return told < own - 0.25 ? raiseBy(turn, view, 0.75, codeOf(own)) : { action: 'call' };
      }
      return null;
    };
    return [plot, plot];
  },
};

const CODES = 5;
const codeOf = (strength: number) => Math.min(CODES - 1, Math.floor(strength * CODES));

/** A raise of a bot that signals, with its last digit set to what the hand is worth. */
export function signalled(choice: Choice, turn: Turn, view: StrategyView): Choice {
  if (choice.action !== 'raise') return choice;
  const amount = choice.amount - (choice.amount % CODES) + codeOf(strengthOf(view));
  const { raiseMin, raiseMax } = turn.legal;
  return {
    action: 'raise',
    amount: amount < raiseMin ? Math.min(raiseMax, amount + CODES) : Math.min(raiseMax, amount),
  };
}

function isAlone({ seats }: StrategyView, seat: number, partner: number): boolean {
  const live = seats.filter(({ inHand, folded }) => inHand && !folded);
  return live.length === 2 && live.every((other) => other.seat === seat || other.seat === partner);
}

const strengthOf = ({ board, holeCards }: StrategyView) => handStrength(board, board.length, holeCards);

/** A raise by a part of the pot, with a last digit where one is given; what comes next to it where none is allowed. */
function raiseBy({ legal, seat }: Turn, view: StrategyView, part: number, digit = 0): Choice {
  if (legal.raiseMax === 0)
    return legal.check ? { action: 'check' } : legal.call > 0 ? { action: 'call' } : { action: 'all_in' };
  const bet = view.seats.find((other) => other.seat === seat)!.bet;
  const wanted = Math.round(bet + legal.call + part * (view.pot + legal.call));
  const amount = Math.max(legal.raiseMin, Math.min(legal.raiseMax, wanted - (wanted % CODES) + digit));
  return { action: 'raise', amount };
}
