import { parseCard, type Card } from '../cards/card.js';
import { UNKNOWN_CARD } from '../formats/card-text.js';
import { phhAction, type PhhAction } from '../formats/phh/words.js';
import { Hand } from '../holdem/hand.js';
import { countSeats } from '../holdem/seats.js';
import { Act, ActionRefusal } from '../holdem/types.js';
import { deckOf, weakestHole } from './deck.js';
import type { Difference, VectorResult } from './result.js';

/** A hand in PHH words. Places count from the left of the button: p1 is the small blind; heads-up p2 is the button. */
export interface PhhHand {
  id: string | number;
  antes?: number[];
  blinds: number[];
  min_bet: number;
  start: number[];
  actions: string[];
  finish: number[];
}

export function isPhhHand(value: unknown): value is PhhHand {
  if (typeof value !== 'object' || value === null) return false;
  const hand = value as Partial<PhhHand>;
  return (
    Array.isArray(hand.blinds) && Array.isArray(hand.start) && Array.isArray(hand.actions) && Array.isArray(hand.finish)
  );
}

/**
 * Requires that every action was its player's turn and legal when made, that streets open where it says, and the final
 * stacks.
 */
export function checkPhh(vector: PhhHand): VectorResult {
  const replay = new PhhReplay(vector);
  replay.run();
  return { decisions: replay.decisions, differences: replay.differences };
}

class PhhReplay {
  decisions = 0;
  readonly differences: Difference[] = [];
  private readonly hand = new Hand();
  private boardDealt = 0;
  private readonly actions: readonly (PhhAction | null)[];

  /** @throws {RangeError} for a word that is none of PHH */
  constructor(private readonly vector: PhhHand) {
    this.actions = vector.actions.map(phhAction);
  }

  run(): void {
    if (!this.start()) return;
    for (const [i, action] of this.actions.entries()) {
      if (action !== null && !this.step(action, `action ${i} "${this.vector.actions[i]}"`)) return;
    }
    this.expect('end', 'hand over', true, this.hand.over);
    if (!this.hand.over) return;
    const finish = Array.from(this.hand.outcome.finalStacks.subarray(0, this.vector.start.length));
    this.expect('end', 'final stacks', this.vector.finish, finish);
    this.expect('end', 'board cards', this.boardDealt, this.hand.boardCount);
  }

  /** False when the hand asks for what the house does not play. */
  private start(): boolean {
    const { vector } = this;
    const posted = vector.blinds.filter((chips) => chips > 0);
    const [small, big] = [...posted].sort((a, b) => a - b);
    // A returning player posts as much as the big blind. More would be a straddle.
    const returns = vector.blinds.reduce(
      (mask, chips, place) => (place > 1 && chips === big ? mask | (1 << place) : mask),
      0,
    );
    const antes = (vector.antes ?? []).filter((chips) => chips !== 0);
    if (!this.expect('start', 'antes', [], antes)) return false;
    if (!this.expect('start', 'number of blinds', 2 + countSeats(returns), posted.length)) return false;
    if (!this.expect('start', 'minimum bet', vector.min_bet, big)) return false;
    const n = vector.start.length;
    this.hand.start({
      button: n - 1,
      smallBlind: small!,
      bigBlind: big!,
      dealt: (1 << n) - 1,
      returns,
      stacks: vector.start,
      deck: deckOf(knownCards(vector, this.actions)),
      // The format reverses the blinds of two players, so the larger one first is the button's.
      headsUpBlinds: n === 2 && posted[0]! > posted[1]! ? 'ring' : 'standard',
      unbounded: true,
    });
    return true;
  }

  /** One PHH action; false when the replay cannot go on. */
  private step(action: PhhAction, where: string): boolean {
    switch (action.kind) {
      case 'hole':
        return true;
      case 'board':
        return this.openStreet(action.cards, where);
      case 'show':
      case 'muck':
        return this.expect(where, 'hand over at the showdown', true, this.hand.over);
      default:
        this.decisions++;
        if (!this.expect(where, 'actor', action.place, this.hand.actor)) return false;
        return this.expect(where, 'refusal', ActionRefusal.ok, this.act(action));
    }
  }

  private openStreet(cards: readonly string[], where: string): boolean {
    this.boardDealt += cards.length;
    const { boardCount, over } = this.hand;
    // When all are in, the engine has dealt the whole board at once.
    return this.expect(
      where,
      'board cards open',
      this.boardDealt,
      over ? Math.min(boardCount, this.boardDealt) : boardCount,
    );
  }

  private act(action: Extract<PhhAction, { kind: 'fold' | 'pass' | 'raise' }>): ActionRefusal {
    if (action.kind === 'fold') return this.hand.act(Act.fold);
    if (action.kind === 'raise') return this.hand.act(Act.raise, Number(action.amount));
    return this.hand.act(this.hand.legal().check ? Act.check : Act.call);
  }

  private expect(where: string, what: string, expected: unknown, actual: unknown): boolean {
    if (JSON.stringify(expected) === JSON.stringify(actual)) return true;
    this.differences.push({ hand: String(this.vector.id), where, what, expected, actual });
    return false;
  }
}

function knownCards(vector: PhhHand, actions: readonly (PhhAction | null)[]) {
  const holes: (Card | null)[][] = vector.start.map(() => [null, null]);
  const board: (Card | null)[] = [];
  for (const action of actions) {
    if (action?.kind === 'hole') holes[action.place] = cardsIn(action.cards);
    if (action?.kind === 'board') board.push(...cardsIn(action.cards));
  }
  return { holes: withLosers(actions, holes, board), board };
}

/** A player that mucked at the showdown had lost: its unseen cards are filled in so that it does. */
function withLosers(
  actions: readonly (PhhAction | null)[],
  holes: readonly (Card | null)[][],
  board: readonly (Card | null)[],
): (Card | null)[][] {
  const known = [...board, ...holes.flat()];
  const filled = [...holes];
  for (const action of actions) {
    if (action?.kind !== 'muck' || holes[action.place]?.[0] !== null) continue;
    const hole = weakestHole(board, known);
    filled[action.place] = hole;
    known.push(...hole);
  }
  return filled;
}

const cardsIn = (names: readonly string[]) => names.map((name) => (name === UNKNOWN_CARD ? null : parseCard(name)));
