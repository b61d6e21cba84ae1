import type { Card } from '../cards/card.js';
import { Hand } from '../holdem/hand.js';
import { Rulebook, type RulebookDecision } from './rulebook.js';
import { Act, ActionRefusal, type HandSetup } from '../holdem/types.js';
import { deckOf, vectorCard } from './deck.js';
import type { Difference, VectorResult } from './result.js';

/** One decision of a vector: what the player faced and what he did. Raise limits are null when PokerKit has no raise. */
export interface VectorDecision {
  p: number;
  street: number;
  to_call: number;
  min_to: number | null;
  max_to: number | null;
  pot: number;
  bets: number[];
  stacks: number[];
  /** Whether TDA rule 47 lets the player raise. */
  tda_raise: boolean;
  act: 'f' | 'cc' | 'cbr';
  to: number | null;
}

/** A hand with all its decisions; arrays are indexed by place, usually counted from the left of the button. */
export interface DecisionHand {
  id: string | number;
  button: number;
  start: number[];
  holes: string[][];
  board: string[];
  decisions: VectorDecision[];
  /** Stacks at the end, odd chips one by one. */
  finish_each: number[];
  tags?: string[];
  small_blind?: number;
  big_blind?: number;
}

const SMALL_BLIND = 10;
const BIG_BLIND = 20;

export function isDecisionHand(value: unknown): value is DecisionHand {
  if (typeof value !== 'object' || value === null) return false;
  const hand = value as Partial<DecisionHand>;
  return (
    Array.isArray(hand.start) &&
    Array.isArray(hand.decisions) &&
    Array.isArray(hand.holes) &&
    Array.isArray(hand.board) &&
    Array.isArray(hand.finish_each)
  );
}

/**
 * Compares actor, price, raise limits, pot, bets and stacks at every decision, and the stacks at the end.
 *
 * Where PokerKit lets a player raise and TDA rule 47 does not, `tda_raise` is followed. A hand with a big blind posted
 * short (`short-bb-post`) was made under a lower price, so our hand soon becomes another one. There the rulebook must
 * first reproduce every number of the vector under PokerKit's price. Then the house's price is the only change, and the
 * hand must match the rulebook in every decision. Each player acts as in the vector, as nearly as possible.
 */
export function checkDecisions(vector: DecisionHand): VectorResult {
  const cards = {
    holes: dealingOrder(vector).map((seat) => vector.holes[seat]!.map(vectorCard)),
    board: vector.board.map(vectorCard),
  };
  const replay = new Replay(vector, deckOf(cards));
  if (vector.tags?.includes('short-bb-post') === true) {
    replay.rulebookAgainstVector();
    replay.handAgainstRulebook();
  } else if (!replay.handAgainstVector()) {
    replay.handAgainstRulebook();
  }
  return { decisions: replay.decisions, differences: replay.differences };
}

/** All places, the first left of the button first. */
function dealingOrder({ start, button }: DecisionHand): number[] {
  return start.map((_, i) => (button + 1 + i) % start.length);
}

class Replay {
  decisions = 0;
  readonly differences: Difference[] = [];
  private readonly setup: HandSetup;

  constructor(
    private readonly vector: DecisionHand,
    private readonly deck: Card[],
  ) {
    this.setup = {
      button: vector.button,
      smallBlind: vector.small_blind ?? SMALL_BLIND,
      bigBlind: vector.big_blind ?? BIG_BLIND,
      dealt: (1 << vector.start.length) - 1,
      stacks: vector.start,
      deck,
      headsUpBlinds: 'standard',
      unbounded: true,
    };
  }

  /**
   * Replays the vector as it stands. False when it could not be followed to the end, because a player raises where rule
   * 47 forbids it.
   */
  handAgainstVector(): boolean {
    const hand = new Hand();
    hand.start(this.setup);
    for (const [i, decision] of this.vector.decisions.entries()) {
      this.decisions++;
      const where = `decision ${i}`;
      this.compareDecision(where, ourExpectation(decision), facedBy(hand));
      if (hand.over) return true;
      const refusal = act(hand, decision);
      if (refusal === ActionRefusal.raiseNotOffered && decision.act === 'cbr' && !decision.tda_raise) return false;
      if (refusal !== ActionRefusal.ok) {
        this.differ(where, 'action refused', decision.act, refusal);
        return true;
      }
    }
    this.compareEnd('hand over', true, hand.over);
    if (hand.over) this.compareEnd('final stacks', this.vector.finish_each, finalStacks(hand, this.setup));
    return true;
  }

  /** The rulebook under PokerKit's price must give every number of the vector. */
  rulebookAgainstVector(): void {
    const book = this.rulebook('posted');
    for (const [i, decision] of this.vector.decisions.entries()) {
      this.decisions++;
      const faced = book.decision();
      this.compareDecision(`decision ${i}, price as posted`, ourExpectation(decision), faced);
      if (faced === null) return;
      book.play(decision.act === 'f' ? 'fold' : decision.to === null ? 'checkOrCall' : { to: decision.to });
    }
    this.compareEnd('hand over, price as posted', null, book.decision());
    this.compareEnd('final stacks, price as posted', this.vector.finish_each, book.finalStacks());
  }

  /** The hand must match the rulebook under the rules of the house, each player doing what he did in the vector. */
  handAgainstRulebook(): void {
    const hand = new Hand();
    hand.start(this.setup);
    const book = this.rulebook('full');
    const intents = [...this.vector.decisions];
    for (let i = 0; ; i++) {
      const faced = book.decision();
      this.compareDecision(`decision ${i}, price in full`, faced, facedBy(hand));
      if (faced === null || hand.over) break;
      const move = nextMove(intents, faced);
      book.play(move);
      const refusal = play(hand, move, faced.toCall);
      if (refusal === ActionRefusal.ok) continue;
      this.differ(`decision ${i}, price in full`, 'action refused', move, refusal);
      return;
    }
    if (hand.over) this.compareEnd('final stacks, price in full', book.finalStacks(), finalStacks(hand, this.setup));
  }

  private rulebook(shortBlindPrice: 'full' | 'posted'): Rulebook {
    const n = this.vector.start.length;
    const holes: Card[][] = [];
    for (const [i, seat] of dealingOrder(this.vector).entries()) holes[seat] = [this.deck[i]!, this.deck[n + i]!];
    return new Rulebook({
      stacks: this.vector.start,
      button: this.setup.button,
      smallBlind: this.setup.smallBlind,
      bigBlind: this.setup.bigBlind,
      holes,
      board: this.deck.slice(2 * n),
      shortBlindPrice,
      unbounded: true,
    });
  }

  private compareDecision(where: string, expected: RulebookDecision | null, actual: RulebookDecision | null): void {
    if (expected === null || actual === null) {
      if (expected !== actual) this.differ(where, 'a decision to make', expected, actual);
      return;
    }
    for (const key of Object.keys(expected) as (keyof RulebookDecision)[]) {
      if (!same(expected[key], actual[key])) this.differ(where, key, expected[key], actual[key]);
    }
  }

  private compareEnd(what: string, expected: unknown, actual: unknown): void {
    if (!same(expected, actual)) this.differ('end', what, expected, actual);
  }

  private differ(where: string, what: string, expected: unknown, actual: unknown): void {
    this.differences.push({ hand: String(this.vector.id), where, what, expected, actual });
  }
}

/** The vector's decision in the rulebook's words, no raise where TDA rule 47 forbids it. */
function ourExpectation(d: VectorDecision): RulebookDecision {
  const stack = d.stacks[d.p]!;
  const raise = d.tda_raise && d.max_to !== null;
  return {
    seat: d.p,
    street: d.street,
    toCall: d.to_call,
    minTo: d.tda_raise ? d.min_to : null,
    maxTo: d.tda_raise ? d.max_to : null,
    allIn: raise || d.to_call === stack ? stack : 0,
    pot: d.pot,
    bets: d.bets,
    stacks: d.stacks,
  };
}

/**
 * The decision of the engine's actor; null when the hand is over. Throws if the offered actions contradict each other.
 */
function facedBy(hand: Hand): RulebookDecision | null {
  if (hand.over) return null;
  const n = hand.setup.stacks.length;
  const legal = hand.legal();
  const seats = Array.from({ length: n }, (_, seat) => seat).filter((seat) => (hand.dealt & (1 << seat)) !== 0);
  const stack = hand.stack[hand.actor]!;
  const allIn = legal.raiseMax > 0 || legal.call === stack;
  if (legal.check === legal.fold || legal.check !== (legal.call === 0) || legal.allIn !== (allIn ? stack : 0)) {
    throw new Error(`offered actions contradict each other: ${JSON.stringify(legal)}`);
  }
  return {
    seat: hand.actor,
    street: hand.street,
    toCall: legal.call,
    minTo: legal.raiseMin === 0 ? null : legal.raiseMin,
    maxTo: legal.raiseMax === 0 ? null : legal.raiseMax,
    allIn: legal.allIn,
    pot: hand.pot,
    bets: seats.map((seat) => hand.bet[seat]!),
    stacks: seats.map((seat) => hand.stack[seat]!),
  };
}

function act(hand: Hand, decision: VectorDecision): ActionRefusal {
  if (decision.act === 'f') return hand.act(Act.fold);
  if (decision.act === 'cbr') return hand.act(Act.raise, decision.to ?? NaN);
  return hand.act(hand.legal().check ? Act.check : Act.call);
}

type Move = 'fold' | 'checkOrCall' | { to: number };

/** The vector's action at this point, as near as possible; check or call if it has none. */
function nextMove(intents: VectorDecision[], faced: RulebookDecision): Move {
  const at = intents.findIndex((d) => d.p === faced.seat && d.street === faced.street);
  if (at < 0) return 'checkOrCall';
  const [intent] = intents.splice(at, 1);
  if (intent!.act === 'f') return faced.toCall > 0 ? 'fold' : 'checkOrCall';
  if (intent!.act === 'cc' || faced.minTo === null || faced.maxTo === null) return 'checkOrCall';
  return { to: Math.min(Math.max(intent!.to ?? 0, faced.minTo), faced.maxTo) };
}

function play(hand: Hand, move: Move, toCall: number): ActionRefusal {
  if (move === 'fold') return hand.act(Act.fold);
  if (move === 'checkOrCall') return hand.act(toCall > 0 ? Act.call : Act.check);
  return hand.act(Act.raise, move.to);
}

function finalStacks(hand: Hand, setup: HandSetup): number[] {
  return Array.from(hand.outcome.finalStacks.subarray(0, setup.stacks.length));
}

function same(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
