import { potName, type Account } from '../account.js';
import { amountText } from '../amount.js';
import { bracketed, isKnownPair, worthOf } from '../card-text.js';
import { pokerStarsWords } from '../hand-words.js';
import { STREETS, type ReplayHand, type ReplayPlayer } from '../hand.js';

const FOLDED = { preflop: 'before Flop', flop: 'on the Flop', turn: 'on the Turn', river: 'on the River' } as const;

/** The last part of a hand: pots, board, and what became of each seat. */
export function summaryLines(hand: ReplayHand, account: Account): string[] {
  const amount = (units: number) => amountText(units, hand.unit);
  const count = account.pots.length;
  const named = account.pots.map((pot, i) => ` ${capital(potName(i, count))} ${amount(pot.amount)}.`);
  const pots = account.byRule && count > 1 ? named.join('') : '';
  return [
    '*** SUMMARY ***',
    `Total pot ${amount(account.total)}${pots} | Rake ${amount(hand.rake)}`,
    ...(account.board.length > 0 ? [`Board ${bracketed(account.board)}`] : []),
    ...hand.players.map(
      (player) => `Seat ${player.seat + 1}: ${player.name}${placeOf(hand, player.seat)} ${fateOf(account, player, amount)}`, // prettier-ignore
    ),
  ];
}

const capital = (text: string) => text[0]!.toUpperCase() + text.slice(1);

function placeOf({ button, moves }: ReplayHand, seat: number): string {
  const posts = (word: string) => moves.find((move) => move.kind === 'post' && move.blind === word);
  const isAt = (word: string) => {
    const post = posts(word);
    return post !== undefined && 'seat' in post && post.seat === seat;
  };
  return [
    seat === button ? ' (button)' : '',
    isAt('small_blind') ? ' (small blind)' : '',
    isAt('big_blind') ? ' (big blind)' : '',
  ].join('');
}

function fateOf(account: Account, { seat, cards }: ReplayPlayer, amount: (units: number) => string): string {
  const folded = account.foldedOn.get(seat);
  if (folded !== undefined) {
    return `folded ${FOLDED[folded]}${account.contributed(seat) === 0 ? " (didn't bet)" : ''}`;
  }
  const won = account.payout(seat);
  if (!account.showdown) return `collected (${amount(won)})`;
  const shown = account.shown.get(seat);
  if (shown === undefined) return cards === null ? 'mucked' : `mucked ${bracketed(cards)}`;
  const isWhole = isKnownPair(shown) && account.board.length === STREETS.length + 1;
  const words = isWhole ? ` with ${pokerStarsWords(worthOf(shown, account.board))}` : '';
  return `showed ${bracketed(shown)} and ${won > 0 ? `won (${amount(won)})` : 'lost'}${words}`;
}
