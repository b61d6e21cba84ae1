import { Post } from '../../holdem/log.js';
import { cardText } from './card-text.js';
import { pokerStarsWords } from './hand-words.js';
import { summaryOf } from './pokerstars-summary.js';
import { moment } from './pokerstars-time.js';
import type { SeenHand } from './seen.js';
import { sharesOf } from './shares.js';
import type { StoryStep } from './story.js';

const STREETS = ['HOLE CARDS', 'FLOP', 'TURN', 'RIVER'];

/** A hand in the layout of PokerStars' own files (play money), which trackers read. Seats are counted from 1. */
export function pokerStarsHand(hand: SeenHand): string {
  const { players, smallBlind, bigBlind } = hand;
  const bySeat = [...players].sort((a, b) => a.seat - b.seat);
  const name = (seat: number) => players.find((player) => player.seat === seat)!.name;
  const isBlind = ({ kind }: StoryStep) => kind === 'blind';
  const isEnd = ({ kind }: StoryStep) => kind === 'show' || kind === 'muck';
  const lines = (steps: readonly StoryStep[]) => steps.flatMap((step) => linesOf(step, hand, name));
  return [
    `PokerStars Hand #${numberOf(hand.handId)}:  Hold'em No Limit (${smallBlind}/${bigBlind}) - ${moment(hand.startedAt)}`,
    `Table '${hand.tableId}' 6-max (Play Money) Seat #${hand.button + 1} is the button`,
    ...bySeat.map((player) => `Seat ${player.seat + 1}: ${player.name} (${player.stackStart} in chips)`),
    ...lines(hand.steps.filter(isBlind)),
    '*** HOLE CARDS ***',
    ...bySeat.filter(({ privy }) => privy).map((player) => `Dealt to ${player.name} ${cardText(player.cards ?? [])}`),
    ...lines(hand.steps.filter((step) => !isBlind(step) && !isEnd(step))),
    ...(hand.showdown ? ['*** SHOW DOWN ***', ...lines(hand.steps.filter(isEnd))] : []),
    ...sharesOf(hand).map(({ seat, chips, pot }) => `${name(seat)} collected ${chips} from ${pot}`),
    ...(hand.showdown ? [] : [`${name(winnerOf(hand))}: doesn't show hand`]),
    ...summaryOf(hand, bySeat),
    '',
    '',
    '',
  ].join('\n');
}

/** One number of 60 bits a hand, in the order of time: the id's moment to a fraction of a microsecond. */
function numberOf(handId: string): bigint {
  const hex = handId.replaceAll('-', '');
  return BigInt(`0x${hex.slice(0, 12)}${hex.slice(13, 16)}`);
}

const winnerOf = ({ players }: SeenHand) => players.find(({ payout }) => payout > 0)!.seat;

function linesOf(step: StoryStep, hand: SeenHand, name: (seat: number) => string): string[] {
  if (step.kind === 'street') {
    const open = hand.board.slice(0, step.street + 2);
    const before = step.street === 1 ? [] : open.slice(0, -1);
    return [`*** ${STREETS[step.street]} *** ${[before, step.cards].filter((c) => c.length > 0).map(cardText).join(' ')}`]; // prettier-ignore
  }
  const who = name(step.seat);
  const allIn = 'allIn' in step && step.allIn ? ' and is all-in' : '';
  switch (step.kind) {
    case 'blind':
      // The layout knows no other word for the post of a player that comes back.
      return [`${who}: posts ${step.post === Post.smallBlind ? 'small' : 'big'} blind ${step.amount}${allIn}`];
    case 'fold':
    case 'check':
      return [...(step.timeout ? [`${who} has timed out`] : []), `${who}: ${step.kind}s`];
    case 'call':
      return [`${who}: calls ${step.amount}${allIn}`];
    case 'bet':
      return [`${who}: bets ${step.to}${allIn}`];
    case 'raise':
      return [`${who}: raises ${step.by} to ${step.to}${allIn}`];
    case 'returned':
      return [`Uncalled bet (${step.amount}) returned to ${who}`];
    case 'show':
      return [`${who}: shows ${cardText(step.cards)} (${pokerStarsWords(step.value)})`];
    case 'muck':
      return [`${who}: mucks hand`];
  }
}
