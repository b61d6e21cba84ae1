import { pokerStarsWords } from './hand-words.js';
import { cardText } from './card-text.js';
import type { SeenHand, SeenPlayer } from './seen.js';
import { potNames } from './shares.js';

const FOLDED = ['before Flop', 'on the Flop', 'on the Turn', 'on the River'];

/** The last part of a hand: pots, board, and what became of each seat. */
export function summaryOf(hand: SeenHand, bySeat: readonly SeenPlayer[]): string[] {
  return [
    '*** SUMMARY ***',
    `Total pot ${hand.totalPot}${potList(hand)} | Rake 0`,
    ...(hand.board.length > 0 ? [`Board ${cardText(hand.board)}`] : []),
    ...bySeat.map(
      (player) => `Seat ${player.seat + 1}: ${player.name}${place(hand, player.seat)} ${fate(hand, player)}`,
    ),
  ];
}

function potList({ pots }: SeenHand): string {
  if (pots.length === 1) return '';
  const names = potNames(pots.length).map((name) => name[0]!.toUpperCase() + name.slice(1));
  return pots.map(({ amount }, i) => ` ${names[i]} ${amount}.`).join('');
}

function place({ button, smallBlindSeat, bigBlindSeat }: SeenHand, seat: number): string {
  return [
    seat === button ? ' (button)' : '',
    seat === smallBlindSeat ? ' (small blind)' : '',
    seat === bigBlindSeat ? ' (big blind)' : '',
  ].join('');
}

function fate({ steps, showdown }: SeenHand, { seat, cards, shown, payout, contributed }: SeenPlayer): string {
  const fold = steps.find((step) => step.kind === 'fold' && step.seat === seat);
  if (fold?.kind === 'fold') return `folded ${FOLDED[fold.street]}${contributed === 0 ? " (didn't bet)" : ''}`;
  if (!showdown) return `collected (${payout})`;
  const show = steps.find((step) => step.kind === 'show' && step.seat === seat);
  if (!shown || show?.kind !== 'show') return cards === null ? 'mucked' : `mucked ${cardText(cards)}`;
  const words = pokerStarsWords(show.value);
  return `showed ${cardText(show.cards)} and ${payout > 0 ? `won (${payout})` : 'lost'} with ${words}`;
}
