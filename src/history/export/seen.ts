import { CARD_NAMES, type Card } from '../../cards/card.js';
import { pokerStarsWords } from '../../formats/hand-words.js';
import { CHIPS, STREETS, type ActionWord, type HandMove, type PostWord, type ReplayHand } from '../../formats/hand.js';
import type { Hand } from '../../holdem/hand.js';
import { actOf, EventKind, Post, unpackCards } from '../../holdem/log.js';
import { Act, MAX_SEATS } from '../../holdem/types.js';
import type { StoredHand } from '../../table/record/record-codec.js';
import { replayStored } from '../../table/record/stored-hand.js';
import { holeSeen, type Sight } from '../sight.js';

/**
 * Plays a finished hand again, in `engine`, and keeps what its sight shows. `names` by agent id. An all-in is a call, a
 * bet or a raise here, as in hand histories.
 */
export function seenBy(stored: StoredHand, sight: Sight, names: ReadonlyMap<string, string>, engine: Hand): ReplayHand {
  const { handId, tableId, handNumber, smallBlind, bigBlind, button } = stored;
  const hand = replayStored(stored, engine);
  const own = ownSeat(stored, sight);
  return {
    handId,
    tableId,
    handNumber,
    title: `Hand ${handNumber}`,
    unit: CHIPS,
    smallBlind,
    bigBlind,
    rake: 0,
    button,
    startedAt: new Date(stored.startedAt).toISOString(),
    players: stored.players.map((player) => {
      const { seat, agentId, stackStart: stack } = player;
      const cards = holeSeen(sight, player);
      return {
        seat,
        stack,
        slug: null,
        own: seat === own,
        name: names.get(agentId) ?? `seat_${seat + 1}`,
        cards: cards && [CARD_NAMES[cards[0]]!, CARD_NAMES[cards[1]]!],
      };
    }),
    moves: new MoveWriter(hand, stored).moves,
  };
}

function ownSeat({ players, handId }: StoredHand, sight: Sight): number | null {
  if (sight.kind !== 'player') return null;
  const own = players.find(({ agentId }) => agentId === sight.agentId);
  if (own === undefined) throw new Error(`agent ${sight.agentId} did not play hand ${handId}`);
  return own.seat;
}

const POSTS: Readonly<Record<Post, PostWord>> = {
  [Post.smallBlind]: 'small_blind',
  [Post.bigBlind]: 'big_blind',
  [Post.return]: 'return',
};

class MoveWriter {
  readonly moves: HandMove[] = [];
  readonly #bet = new Int32Array(MAX_SEATS);
  #price: number;
  /** Where the betting ended: uncalled chips go back there, before the cards that nobody bet on. */
  #betting = 0;
  #actions = 0;

  constructor(
    private readonly hand: Hand,
    private readonly stored: StoredHand,
  ) {
    this.#price = hand.setup.bigBlind;
    for (let event = 0; event < hand.log.length; event++) this.#add(event);
    for (const { seat, payout: chips } of stored.players) if (chips > 0) this.moves.push({ kind: 'won', seat, chips });
  }

  #add(event: number): void {
    const { log } = this.hand;
    const [seat, amount, detail] = [log.seat(event), log.amount(event), log.detail(event)];
    switch (log.kind(event)) {
      case EventKind.blind:
        this.#bet[seat]! += amount;
        return this.#bets({ kind: 'post', seat, chips: amount, blind: POSTS[detail as Post] });
      case EventKind.action:
        return this.#action(seat, actOf(detail), amount);
      case EventKind.street:
        this.#bet.fill(0);
        this.#price = 0;
        this.moves.push({ kind: 'street', street: STREETS[amount]!, cards: namesOf(unpackCards(detail)) });
        return;
      case EventKind.returned:
        this.moves.splice(this.#betting, 0, { kind: 'returned', seat, chips: amount });
        return;
      case EventKind.show:
        this.moves.push({ kind: 'shown', seat, cards: namesOf(unpackCards(detail)), words: pokerStarsWords(amount) });
        return;
      case EventKind.muck:
        this.moves.push({ kind: 'mucked', seat });
        return;
      case EventKind.payout:
        // A seat that wins several pots wins once here: see the payouts of the record.
        return;
    }
  }

  #action(seat: number, act: Act, amount: number): void {
    const chips = act === Act.raise ? amount - this.#bet[seat]! : amount;
    this.#bet[seat]! += chips;
    const [to, price] = [this.#bet[seat]!, this.#price];
    const put: ActionWord = to <= price ? 'call' : price === 0 ? 'bet' : 'raise';
    this.#price = Math.max(price, to);
    const action = act === Act.fold ? 'fold' : act === Act.check ? 'check' : put;
    const reason = this.stored.actions[this.#actions++]!.timeout ? 'timeout' : null;
    this.#bets({ kind: 'action', seat, action, chips, reason });
  }

  #bets(move: HandMove): void {
    this.moves.push(move);
    this.#betting = this.moves.length;
  }
}

const namesOf = (cards: readonly Card[]) => cards.map((card) => CARD_NAMES[card]!);
