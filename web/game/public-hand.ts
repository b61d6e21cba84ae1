import type { Static } from 'typebox';
import { handName } from '../../src/protocol/table-name.js';
import { CHIPS } from '../../src/formats/hand.js';
import type { PublicHand } from '../../src/protocol/rest/public.js';
import type { ReplayPlayer, HandMove, PostWord, ReplayHand, StreetName } from '../../src/formats/hand.js';

export type PublicHandAnswer = Static<typeof PublicHand>;
type Event = PublicHandAnswer['events'][number];

/** The answer of GET /api/hands/{hand_id} as it is replayed. */
export function fromPublicHand(hand: PublicHandAnswer): ReplayHand {
  return {
    handId: hand.hand_id,
    tableId: hand.table_id,
    title: handName(hand.table_id, hand.hand_number),
    handNumber: hand.hand_number,
    startedAt: hand.started_at,
    unit: CHIPS,
    rake: 0,
    smallBlind: hand.small_blind,
    bigBlind: hand.big_blind,
    button: hand.dealer_seat,
    players: hand.players.map((player) => playerOf(hand, player)),
    moves: movesOf(hand),
  };
}

function playerOf({ own }: PublicHandAnswer, player: PublicHandAnswer['players'][number]): ReplayPlayer {
  const { seat, name, stack_start: stack, public_profile_slug: slug, hole_cards: cards } = player;
  const isOwn = own?.seat === seat;
  const seen = (isOwn ? own.hole_cards : cards) as [string, string] | null;
  return { seat, name, stack, slug, cards: seen, own: isOwn };
}

function movesOf(hand: PublicHandAnswer): HandMove[] {
  const posts = hand.blinds.map(({ seat, amount, kind }, i) => {
    // A saved file may not tell the kinds of its two blinds.
    const blind: PostWord = (kind as PostWord | undefined) ?? (i === 0 ? 'small_blind' : 'big_blind');
    return { kind: 'post' as const, seat, chips: amount, blind };
  });
  const played = hand.events.flatMap((event) => moveOf(event));
  const ends = hand.events.flatMap((event) => (event.type === 'hand_result' ? resultOf(hand, event) : []));
  const { returned } = hand;
  const back: HandMove[] = returned === null ? [] : [{ kind: 'returned', seat: returned.seat, chips: returned.amount }];
  // An uncalled bet goes back after the last action, before streets on which nobody could bet.
  const last = played.findLastIndex(({ kind }) => kind === 'action') + 1;
  return [...posts, ...played.slice(0, last), ...back, ...played.slice(last), ...ends];
}

function moveOf(event: Event): HandMove[] {
  if (event.type === 'player_action') {
    const { seat, reason, contribution_delta: chips } = event;
    const opens = event.action === 'raise' && event.to_call_before === null;
    return [{ kind: 'action', seat, chips, reason, action: opens ? 'bet' : event.action }];
  }
  if (event.type === 'community_cards') {
    return [{ kind: 'street', street: event.street as StreetName, cards: event.cards }];
  }
  return [];
}

type Result = Extract<Event, { type: 'hand_result' }>;

function resultOf(hand: PublicHandAnswer, result: Result): HandMove[] {
  const folded = new Set(
    hand.events.flatMap((event) => (event.type === 'player_action' && event.action === 'fold' ? [event.seat] : [])),
  );
  const words = new Map(result.winners.map(({ seat, hand_description: text }) => [seat, text]));
  const shown = Object.entries(result.shown_cards).map(([seat, cards]): HandMove => ({
    kind: 'shown',
    seat: Number(seat),
    cards,
    words: words.get(Number(seat)) ?? null,
  }));
  const isShowdown = shown.length > 0;
  const mucked = hand.players
    .filter(({ seat }) => isShowdown && !folded.has(seat) && result.shown_cards[String(seat)] === undefined)
    .map(({ seat }): HandMove => ({ kind: 'mucked', seat }));
  const won = result.payouts.map(({ seat, amount }): HandMove => ({ kind: 'won', seat, chips: amount }));
  return [...shown, ...mucked, ...won];
}
