import type { Static } from 'typebox';
import type { PublicHand } from '../../protocol/rest/public.js';
import { CHIPS } from '../hand.js';
import type { RawHand, Statement } from '../raw.js';

type Public = Static<typeof PublicHand>;
type Event = Public['events'][number];

/** A hand of GET /api/hands/{hand_id}. */
export function rawOfPublic(hand: Public, line: number): RawHand {
  const { small_blind: smallBlind, big_blind: bigBlind, own, players, returned, pots } = hand;
  const dealt = players.flatMap(({ seat, hole_cards: cards }): Statement[] =>
    cards === null ? [] : [{ kind: 'dealt', seat, cards, line }],
  );
  const pot = pots.reduce((sum, { amount }) => sum + amount, 0);
  return {
    handId: hand.hand_id,
    tableId: hand.table_id,
    title: `Hand ${hand.hand_number}`,
    handNumber: hand.hand_number,
    startedAt: new Date(hand.started_at).toISOString(),
    unit: CHIPS,
    smallBlind,
    bigBlind,
    leastBet: bigBlind,
    button: hand.dealer_seat,
    seats: players
      .map(({ seat, name, stack_start: stack, public_profile_slug: slug }) => ({
        seat,
        name,
        stack,
        slug,
        own: own?.seat === seat,
        line,
      }))
      .sort((a, b) => a.seat - b.seat),
    statements: [
      ...dealt,
      ...(own === null ? [] : [{ kind: 'dealt' as const, seat: own.seat, cards: own.hole_cards, line }]),
      ...hand.blinds.map(({ seat, amount, kind }): Statement => ({
        kind: 'post',
        seat,
        word: kind,
        stated: amount,
        line,
        owed: kind === 'small_blind' ? smallBlind : bigBlind,
      })),
      ...hand.events.flatMap((event) => statementsOf(event, hand, line)),
      ...(returned === null ? [] : [{ kind: 'returned' as const, seat: returned.seat, chips: returned.amount, line }]),
      { kind: 'total', pot, pots: pots.length < 2 ? [] : pots.map(({ amount }) => amount), rake: 0, line },
      ...players.map(({ seat, stack_end: stack }): Statement => ({ kind: 'end', seat, stack, line })),
      ...players.map(({ seat, payout: chips }): Statement => ({ kind: 'won', seat, chips, line })),
    ],
    rules: 'engine',
    rake: 'none',
    lastLine: line,
  };
}

function statementsOf(event: Event, hand: Public, line: number): Statement[] {
  switch (event.type) {
    case 'hand_start':
      return [];
    case 'player_action': {
      const { seat, action, amount, reason, contribution_delta: added } = event;
      const to = action === 'raise' ? amount : null;
      return [{ kind: 'action', seat, action, added, to, by: null, allIn: false, reason, line }];
    }
    case 'community_cards': {
      // With BOARD_EVENTS=cumulative the turn and the river repeat the board.
      const repeated = event.street === 'flop' ? 0 : event.cards.length - 1;
      const before = repeated === 0 ? null : event.cards.slice(0, repeated);
      return [{ kind: 'street', cards: event.cards.slice(repeated), before, line }];
    }
    case 'hand_result':
      return showdownOf(event.shown_cards, hand, line);
  }
}

/** A player that was in to the end and did not show has mucked. */
function showdownOf(shown: Readonly<Record<string, readonly string[]>>, hand: Public, line: number): Statement[] {
  const folded = new Set(
    hand.events.flatMap((event) => (event.type === 'player_action' && event.action === 'fold' ? [event.seat] : [])),
  );
  const shows = Object.entries(shown).map(([seat, cards]): Statement => ({
    kind: 'shown',
    seat: Number(seat),
    cards,
    words: null,
    line,
  }));
  const mucks = hand.players
    .filter(({ seat }) => shows.length > 0 && !folded.has(seat) && shown[String(seat)] === undefined)
    .map(({ seat }): Statement => ({ kind: 'mucked', seat, cards: null, line }));
  return [...shows, ...mucks];
}
