import { createHash } from 'node:crypto';
import { BIG_BLIND, SMALL_BLIND, STREETS, type NaiveHand, type Taken } from './hand.js';
import type { Settlement } from './showdown.js';

/** The messages as objects, one for each viewer, in the forms of the protocol. */

export interface SeatView {
  name: string;
  stack: number;
}

/** The common fields of a moment's messages. */
export interface Moment {
  tableId: string;
  seq: number;
  hand: NaiveHand | null;
  handSeq: number;
}

const timestamp = () => `${new Date().toISOString().slice(0, -1)}000+00:00`;

export function answer({ tableId, seq, hand, handSeq }: Moment) {
  return {
    stream: 'event' as const,
    table_id: tableId,
    hand_id: hand?.id ?? null,
    table_seq: seq,
    hand_seq: hand === null ? null : handSeq,
    ts: timestamp(),
  };
}

export const event = (moment: Moment) => ({ ...answer(moment), state_hash: null });

export const handStart = (moment: Moment, seat: number) => ({
  ...event(moment),
  type: 'hand_start',
  seat,
  dealer_seat: moment.hand!.button,
  blinds: { small_blind: SMALL_BLIND, big_blind: BIG_BLIND },
  posts: moment.hand!.posts,
});

export function yourTurn(moment: Moment) {
  const hand = moment.hand!;
  const { minTo, maxTo } = hand.decision!;
  return {
    ...event(moment),
    type: 'your_turn',
    seat: hand.actor!.seat,
    valid_actions: hand.offers,
    pot: hand.pot,
    community_cards: hand.openBoard,
    players: hand.players.map(({ seat, name, stack }) => ({ seat, name, stack })),
    min_raise: minTo ?? 0,
    max_raise: maxTo ?? 0,
    turn_token: hand.token,
    deadline_ms: 120_000,
    time_bank_ms: null,
  };
}

export const playerAction = (moment: Moment, taken: Taken, actionId: string) => ({
  ...event(moment),
  type: 'player_action',
  seat: taken.player.seat,
  name: taken.player.name,
  action: taken.action,
  amount: taken.amount,
  street: taken.street,
  stack: taken.stackBefore - taken.added,
  pot: taken.potBefore + taken.added,
  reason: null,
  action_id: actionId,
  amount_mode: taken.action === 'raise' ? 'to_total' : 'incremental',
  pot_before: taken.potBefore,
  pot_after: taken.potBefore + taken.added,
  to_call_before: taken.toCall === 0 ? null : taken.toCall,
  stack_before: taken.stackBefore,
  stack_after: taken.stackBefore - taken.added,
  contribution_delta: taken.added,
  player_stack_before: taken.stackBefore,
  player_stack_after: taken.stackBefore - taken.added,
});

export const communityCards = (moment: Moment, cards: readonly string[]) => ({
  ...event(moment),
  type: 'community_cards',
  cards,
  street: STREETS[moment.hand!.street],
});

export function handResult(moment: Moment, { payouts, descriptions }: Settlement) {
  const hand = moment.hand!;
  const winners = hand.players
    .filter(({ seat }) => payouts.has(seat))
    .map(({ seat, name, stack, put }) => {
      const amount = Math.max(0, payouts.get(seat)! - put);
      return { seat, name, stack, amount, hand_description: descriptions.get(seat) ?? 'Uncontested' };
    });
  const pot = winners.reduce((sum, { amount }) => sum + amount, 0);
  return {
    ...event(moment),
    type: 'hand_result',
    winners,
    pot,
    total_pot: [...payouts.values()].reduce((sum, amount) => sum + amount, 0),
    transferable_pot: pot,
    net_pot_after_rake: pot,
    final_stacks: Object.fromEntries(hand.players.map(({ seat, stack }) => [seat, stack])),
    pot_kind: 'transferable',
    rake: 0,
    rake_settled: 0,
    // Everybody shows here, in this simple house.
    shown_cards: Object.fromEntries(descriptions.size === 0 ? [] : hand.live.map(({ seat, cards }) => [seat, cards])),
    actions: hand.actions,
    payouts: [...payouts].map(([seat, amount]) => ({ seat, amount })),
    outcome_kind: winners.length === 1 ? 'win' : 'multiple_winners',
  };
}

/** table_state for one viewer. `hand` is the running one; `settled` tells that it is over and paid. */
export function tableState(
  moment: Moment,
  seats: readonly (SeatView | null)[],
  dealer: number,
  viewer: number,
  settled: boolean,
) {
  const hand = settled ? null : moment.hand;
  const acting = hand?.actor?.seat === viewer && hand.decision !== null ? hand.decision : null;
  const taken = seats.filter((seat) => seat !== null).length;
  const own = hand?.players.find(({ seat }) => seat === viewer);
  const state = {
    type: 'table_state',
    stream: 'state',
    table_id: moment.tableId,
    hand_id: moment.hand?.id ?? null,
    street: hand === null ? 'idle' : STREETS[hand.street],
    dealer_seat: dealer,
    small_blind: SMALL_BLIND,
    big_blind: BIG_BLIND,
    pot: hand?.pot ?? 0,
    board: hand?.openBoard ?? [],
    seats: seats.map((seat, index) => seatEntry(index, seat, hand)),
    hero: {
      seat: viewer,
      ...(own ? { hole_cards: own.cards } : {}),
      ...(acting ? { valid_actions: bare(hand!) } : {}),
    },
    ...(hand?.actor ? { actor_seat: hand.actor.seat } : waiting(taken)),
    ...(acting ? { to_call: acting.toCall } : {}),
    ...(acting !== null && acting.minTo !== null ? { min_raise_to: acting.minTo, max_raise_to: acting.maxTo } : {}),
  };
  const { table_seq, hand_seq, ts } = answer(moment);
  return { ...state, table_seq, hand_seq, ts, state_hash: hashOf(state) };
}

function seatEntry(index: number, seat: SeatView | null, hand: NaiveHand | null) {
  if (seat === null) return { seat: index, name: null, stack: 0, bet: 0, status: 'empty', is_pro: false };
  const player = hand?.players.find((candidate) => candidate.seat === index);
  const entry = { seat: index, name: seat.name, status: 'active', is_pro: false };
  if (player === undefined) return { ...entry, stack: seat.stack, bet: 0, in_hand: false };
  return { ...entry, stack: player.stack, bet: player.bet, in_hand: true, folded: player.folded };
}

/** valid_actions without the keys that do not apply. */
const bare = (hand: NaiveHand) =>
  hand.offers.map((offer) => Object.fromEntries(Object.entries(offer).filter(([, value]) => value !== null)));

const waiting = (players: number) => ({
  waiting_reason: players < 2 ? 'insufficient_players' : 'awaiting_hand_start',
  waiting_details: {
    player_count: players,
    eligible_players: players,
    min_required: 2,
    active_players: players,
    away_players: 0,
    disconnected_players: 0,
    connected_players: players,
  },
});

/** SHA-256 of the JSON text with its keys sorted at every level. Names are ASCII here, by their own rule. */
function hashOf(state: object): string {
  return `sha256:${createHash('sha256')
    .update(JSON.stringify(sorted(state)))
    .digest('hex')}`;
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, inner]) => [key, sorted(inner)]),
  );
}
