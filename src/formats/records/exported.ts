import type { Static } from 'typebox';
import type { CompetitionHand } from '../../protocol/rest/competition-hands.js';
import type { ExportedHand } from '../../protocol/rest/history.js';
import { CHIPS, STREETS } from '../hand.js';
import type { RawHand, RawSeat, Statement } from '../raw.js';

type Exported = Omit<Static<typeof ExportedHand>, 'opened_cards'> &
  Partial<Pick<Static<typeof ExportedHand>, 'opened_cards'>>;
type OfPool = Static<typeof CompetitionHand>;
/** The fields of both records. */
type Shared = Omit<OfPool, 'players' | 'competition_id'>;

/** A player's own record of a hand. */
export function rawOfExport(hand: Exported, line: number): RawHand {
  const { seat: own, hole_cards: cards, shown_cards: shown, players } = hand;
  const seats = players.map(({ seat, name, stack_start: stack }) => ({
    seat,
    name,
    stack,
    slug: null,
    own: seat === own,
    line,
  }));
  // Files of older releases do not have the field.
  const opened = Object.entries(hand.opened_cards ?? {});
  const dealt = [{ seat: own, cards }, ...opened.map(([seat, hole]) => ({ seat: Number(seat), cards: hole }))].map(
    (known): Statement => ({ kind: 'dealt', ...known, line }),
  );
  return rawOf(hand, seats, dealt, new Map(Object.entries(shown).map(([seat, hole]) => [Number(seat), hole])), [
    ...players.map(({ seat, stack_end: stack }): Statement => ({ kind: 'end', seat, stack, line })),
  ]);
}

/** A record of a hand of a pool, of no player in particular. */
export function rawOfCompetition(hand: OfPool, line: number): RawHand {
  const { players } = hand;
  const seats = players.map(({ seat, name, stack_start: stack }) => ({ seat, name, stack, slug: null, own: false, line })); // prettier-ignore
  const dealt = players.flatMap(({ seat, hole_cards: cards }): Statement[] =>
    cards === null ? [] : [{ kind: 'dealt', seat, cards, line }],
  );
  const shown = new Map(
    players.flatMap(({ seat, shown: is, hole_cards: cards }) => (is && cards !== null ? [[seat, cards]] : [])),
  );
  return rawOf(hand, seats, dealt, shown, [
    ...players.map(({ seat, stack_end: stack }): Statement => ({ kind: 'end', seat, stack, line })),
    ...players.map(({ seat, payout: chips }): Statement => ({ kind: 'won', seat, chips, line })),
  ]);
}

function rawOf(
  hand: Shared,
  seats: readonly RawSeat[],
  dealt: readonly Statement[],
  shown: ReadonlyMap<number, readonly string[]>,
  ends: readonly Statement[],
): RawHand {
  const line = seats[0]!.line;
  const { small_blind: smallBlind, big_blind: bigBlind } = hand;
  const folded = new Set(hand.actions.flatMap(({ seat, action }) => (action === 'fold' ? [seat] : [])));
  const mucked = seats.filter(({ seat }) => shown.size > 0 && !folded.has(seat) && !shown.has(seat));
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
    button: hand.button,
    seats: [...seats].sort((a, b) => a.seat - b.seat),
    statements: [
      ...dealt,
      ...hand.posts.map(({ seat, amount, kind }): Statement => ({
        kind: 'post',
        seat,
        word: kind,
        stated: amount,
        line,
        owed: kind === 'small_blind' ? smallBlind : bigBlind,
      })),
      ...played(hand, line),
      ...[...shown].map(([seat, cards]): Statement => ({ kind: 'shown', seat, cards, words: null, line })),
      ...mucked.map(({ seat }): Statement => ({ kind: 'mucked', seat, cards: null, line })),
      { kind: 'total', pot: hand.total_pot, pots: [], rake: 0, line },
      ...ends,
    ],
    rules: 'engine',
    rake: 'none',
    lastLine: line,
  };
}

/** The actions, each street before its first action, and at the end the streets without one. */
function played({ actions, board }: Shared, line: number): Statement[] {
  const statements: Statement[] = [];
  let opened = 0;
  const openTo = (street: number) => {
    for (; opened < street; opened++) {
      const from = opened === 0 ? 0 : opened + 2;
      statements.push({ kind: 'street', cards: board.slice(from, opened + 3), before: null, line });
    }
  };
  for (const { seat, action, amount, street } of actions) {
    openTo(STREETS.indexOf(street as (typeof STREETS)[number]));
    const raised = action === 'raise';
    statements.push({
      kind: 'action',
      seat,
      action,
      by: null,
      allIn: false,
      reason: null,
      line,
      added: raised ? null : amount,
      to: raised ? amount : null,
    });
  }
  // A board of one or two cards opens no whole street: the gate says so.
  openTo(board.length === 0 ? 0 : Math.max(1, board.length - 2));
  return statements;
}
