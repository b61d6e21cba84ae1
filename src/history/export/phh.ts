import { Post } from '../../holdem/log.js';
import { CARD_NAMES, type Card } from '../../cards/card.js';
import type { SeenHand } from './seen.js';
import type { StoryStep } from './story.js';

/**
 * A hand in the public PHH format (TOML), as the nth of a .phhs file. Players are counted in the order of dealing: p1
 * sits left of the button. Cards that the reader may not know are `??`.
 */
export function phhHand(hand: SeenHand, n: number, inCompetition: boolean): string {
  const { players, bigBlind } = hand;
  const [date, time] = new Date(hand.startedAt).toISOString().slice(0, -1).split('T') as [string, string];
  const [year, month, day] = date.split('-').map(Number);
  return [
    `[${n}]`,
    `variant = 'NT'`,
    `antes = ${list(players.map(() => 0))}`,
    `blinds_or_straddles = ${list(blindsOf(hand))}`,
    `min_bet = ${bigBlind}`,
    `starting_stacks = ${list(players.map(({ stackStart }) => stackStart))}`,
    `actions = ${texts(actionsOf(hand))}`,
    `hand = ${hand.handNumber}`,
    `table = '${hand.tableId}'`,
    `seats = ${list(players.map(({ seat }) => seat + 1))}`,
    `players = ${texts(players.map(({ name }) => name))}`,
    `finishing_stacks = ${list(players.map(({ stackEnd }) => stackEnd))}`,
    `winnings = ${list(players.map(({ payout }) => payout))}`,
    `year = ${year}`,
    `month = ${month}`,
    `day = ${day}`,
    `time = ${time}`,
    `time_zone = 'UTC'`,
    `_hand_id = '${hand.handId}'`,
    `_${inCompetition ? 'competition' : 'season'}_id = '${hand.poolId}'`,
    ...(hand.hero === null ? [] : [`_hero = ${placeOf(hand, hand.hero)}`]),
    '',
    '',
  ].join('\n');
}

/**
 * What each place owes before the cards, also where its stack is shorter. The format reverses the blinds of two players:
 * with [10, 20] the second, who has the button, posts 10.
 */
function blindsOf({ players, steps, smallBlind, bigBlind, headsUpBlinds }: SeenHand): number[] {
  if (players.length === 2 && headsUpBlinds === 'ring') return [bigBlind, smallBlind];
  const returns = steps.flatMap((step) => (step.kind === 'blind' && step.post === Post.return ? [step.seat] : []));
  return players.map(({ seat }, place) => (returns.includes(seat) ? bigBlind : ([smallBlind, bigBlind][place] ?? 0)));
}

/** From 1, in the order of dealing. */
const placeOf = ({ players }: SeenHand, seat: number) => players.findIndex((player) => player.seat === seat) + 1;

function actionsOf(hand: SeenHand): string[] {
  const dealt = hand.players.map(({ cards }, i) => `d dh p${i + 1} ${cards === null ? '????' : cardText(cards)}`);
  return [...dealt, ...showdownFirst(hand.steps).flatMap((step) => actionOf(hand, step) ?? [])];
}

/** Where all are in before the river, the format lets them show before the other cards come. */
function showdownFirst(steps: readonly StoryStep[]): StoryStep[] {
  const isShow = ({ kind }: StoryStep) => kind === 'show' || kind === 'muck';
  const isStreet = ({ kind }: StoryStep) => kind === 'street';
  const decided = steps.findLastIndex((step) => !isShow(step) && !isStreet(step)) + 1;
  const end = steps.slice(decided);
  return [...steps.slice(0, decided), ...end.filter(isShow), ...end.filter(isStreet)];
}

function actionOf(hand: SeenHand, step: StoryStep): string | null {
  switch (step.kind) {
    case 'fold':
      return `p${placeOf(hand, step.seat)} f`;
    case 'check':
    case 'call':
      return `p${placeOf(hand, step.seat)} cc`;
    case 'bet':
    case 'raise':
      return `p${placeOf(hand, step.seat)} cbr ${step.to}`;
    case 'street':
      return `d db ${cardText(step.cards)}`;
    case 'show':
      return `p${placeOf(hand, step.seat)} sm ${cardText(step.cards)}`;
    case 'muck':
      return `p${placeOf(hand, step.seat)} sm`;
    case 'blind':
    case 'returned':
      return null;
  }
}

const cardText = (cards: readonly Card[]) => cards.map((card) => CARD_NAMES[card]!).join('');
const list = (numbers: readonly number[]) => `[${numbers.join(', ')}]`;
/** Names and actions have no quotes in them. */
const texts = (words: readonly string[]) => `[${words.map((word) => `'${word}'`).join(', ')}]`;
