import type { ServerMessageOf } from '../../src/protocol/server.js';

/** One message of every type as protocol.md shows it: examples for the schemas' tests, and for reading. */

const agentId = '018f4e0a-7c1e-7d52-9d3f-2f6c1f0a9b11';
const handId = '018f4e0b-0000-7000-8000-000000000001';
const token = '5b0c7a52-3a4e-4a57-9f0c-0b7a3a0e5c11';
const ts = '2025-06-01T12:00:00.123456+00:00';
const table = { stream: 'event', table_id: 'c1a9d1c2-8f70-4a0e-9a52-5b1d1f6f0001' } as const;

const inHand = { ...table, hand_id: handId, table_seq: 17, hand_seq: 3, ts, state_hash: null } as const;
const between = { ...table, hand_id: null, table_seq: 12, hand_seq: null, ts, state_hash: null } as const;
const answer = { ...table, hand_id: handId, table_seq: 18, hand_seq: 4, ts } as const;

const ada = { seat: 0, name: 'ada_bot', stack: 1980 };
const bob = { seat: 3, name: 'bob', stack: 1990 };

const empty = (seat: number) => ({ seat, name: null, stack: 0, bet: 0, status: 'empty', is_pro: false }) as const;

const posts: ServerMessageOf['hand_start']['posts'] = [
  { seat: 0, amount: 10, kind: 'small_blind' },
  { seat: 3, amount: 20, kind: 'big_blind' },
];

const handStart = {
  ...inHand,
  hand_seq: 1,
  type: 'hand_start',
  seat: 0,
  dealer_seat: 3,
  blinds: { small_blind: 10, big_blind: 20 },
  posts,
} as const;

const state = {
  stream: 'state',
  table_id: table.table_id,
  hand_id: handId,
  table_seq: 19,
  hand_seq: 5,
  ts,
  state_hash: `sha256:${'0f'.repeat(32)}`,
  type: 'table_state',
  street: 'preflop',
  dealer_seat: 3,
  small_blind: 10,
  big_blind: 20,
  pot: 30,
  actor_seat: 0,
  to_call: 10,
  min_raise_to: 40,
  max_raise_to: 2000,
  board: [],
} as const;

const seats: ServerMessageOf['table_state']['seats'] = [
  {
    ...ada,
    bet: 10,
    status: 'active',
    in_hand: true,
    folded: false,
    is_pro: true,
    avatar_url: 'https://a.example/a.png',
  },
  empty(1),
  { seat: 2, name: 'house_1', stack: 0, bet: 0, status: 'sitting_out', in_hand: false, is_pro: false, is_house: true },
  { ...bob, bet: 20, status: 'disconnected', in_hand: true, folded: false, is_pro: false, public_profile_slug: 'bob' },
  empty(4),
  empty(5),
];

const hero = {
  seat: 0,
  hole_cards: ['As', 'Td'],
  valid_actions: [
    { action: 'fold' as const },
    { action: 'call' as const, amount: 10 },
    { action: 'raise' as const, min: 40, max: 2000 },
    { action: 'all_in' as const, amount: 1980 },
  ],
};

/** Between hands: the reason and the length of the table's wait. */
export const idleState: ServerMessageOf['table_state'] = {
  stream: 'state',
  table_id: table.table_id,
  hand_id: null,
  table_seq: 30,
  hand_seq: null,
  ts,
  state_hash: null,
  type: 'table_state',
  street: 'idle',
  dealer_seat: 3,
  small_blind: 10,
  big_blind: 20,
  pot: 0,
  board: [],
  seats: [
    { ...ada, bet: 0, status: 'active', in_hand: false, is_pro: false },
    { ...bob, bet: 0, status: 'away', in_hand: false, is_pro: false },
    ...[1, 2, 4, 5].map(empty),
  ],
  hero: { seat: 0 },
  waiting_reason: 'between_hands_delay',
  waiting_details: {
    player_count: 2,
    eligible_players: 2,
    min_required: 2,
    active_players: 1,
    away_players: 1,
    disconnected_players: 0,
    connected_players: 2,
    remaining_seconds: 1,
    configured_delay_seconds: 1,
  },
};

const hex = (digit: string) => digit.repeat(64);

const lean = { table_id: table.table_id, hand_id: handId, table_seq: 17 } as const;
const called = { seat: 3, action: 'call', amount: 10, street: 'preflop' } as const;

export const examples: ServerMessageOf = {
  hand: {
    ...lean,
    type: 'hand',
    seat: 0,
    dealer_seat: 3,
    blinds: { small_blind: 10, big_blind: 20 },
    players: [
      { ...ada, bet: 20 },
      { ...bob, bet: 10 },
    ],
    hole_cards: ['As', 'Td'],
  },
  turn: {
    ...lean,
    type: 'turn',
    first: 0,
    actions: [called],
    board: [],
    pot: 40,
    valid_actions: [
      { action: 'check', amount: null, min: null, max: null },
      { action: 'raise', amount: null, min: 40, max: 2000 },
      { action: 'all_in', amount: 1980, min: null, max: null },
    ],
    turn_token: token,
    deadline_ms: 120_000,
    time_bank_ms: null,
  },
  ack: { type: 'ack', client_action_id: 'ada-1' },
  result: {
    ...lean,
    type: 'result',
    first: 1,
    actions: [{ seat: 3, action: 'fold', amount: null, street: 'flop' }],
    board: ['Ah', 'Kd', '2c'],
    winners: [{ seat: 0, amount: 20, payout: 40 }],
    shown_cards: {},
    final_stacks: { '0': 2020, '3': 1980 },
  },
  deal_nonce_ack: { type: 'deal_nonce_ack', nonce: hex('a'), counts: true, hand_number: 2, deck_commitment: hex('b') },
  connected: { type: 'connected', agent_id: agentId, name: 'ada_bot', season_mode: true },
  error: { type: 'error', code: 'lobby_full', message: 'The lobby is full' },
  lobby_joined: { type: 'lobby_joined', position: 1, estimated_wait: '~5s' },
  table_joined: { ...between, type: 'table_joined', seat: 0, players: [ada, bob] },
  hand_start: handStart,
  hole_cards: { ...inHand, type: 'hole_cards', cards: ['As', 'Td'] },
  your_turn: {
    ...inHand,
    type: 'your_turn',
    seat: 0,
    valid_actions: [
      { action: 'fold', amount: null, min: null, max: null },
      { action: 'call', amount: 10, min: null, max: null },
      { action: 'raise', amount: null, min: 40, max: 2000 },
      { action: 'all_in', amount: 1980, min: null, max: null },
    ],
    pot: 30,
    community_cards: [],
    players: [ada, bob],
    min_raise: 40,
    max_raise: 2000,
    turn_token: token,
    deadline_ms: 120_000,
    time_bank_ms: null,
  },
  action_ack: { ...answer, type: 'action_ack', client_action_id: 'a-1', status: 'accepted' },
  action_rejected: {
    ...answer,
    type: 'action_rejected',
    code: 'stale_turn_token',
    reason: 'Stale or missing turn_token',
    details: { code: 'stale_turn_token' },
  },
  player_action: {
    ...inHand,
    type: 'player_action',
    seat: 3,
    name: 'bob',
    action: 'raise',
    amount: 60,
    street: 'preflop',
    stack: 1940,
    pot: 70,
    reason: null,
    action_id: 'a-1',
    amount_mode: 'to_total',
    pot_before: 30,
    pot_after: 70,
    to_call_before: null,
    stack_before: 1980,
    stack_after: 1940,
    contribution_delta: 40,
    player_stack_before: 1980,
    player_stack_after: 1940,
  },
  community_cards: { ...inHand, type: 'community_cards', cards: ['2c', '7d', 'Kh'], street: 'flop' },
  // protocol.md, "Values": 2213 put in, a pot of 4456 taken: a net gain of 2243, a payout of 4456.
  hand_result: {
    ...inHand,
    type: 'hand_result',
    winners: [
      { seat: 0, name: 'ada_bot', stack: 4456, amount: 2243, hand_description: 'Full House, Kings over Sevens' },
    ],
    pot: 2243,
    total_pot: 4456,
    transferable_pot: 2243,
    net_pot_after_rake: 2243,
    final_stacks: { '0': 4456, '3': 0 },
    pot_kind: 'transferable',
    rake: 0,
    rake_settled: 0,
    shown_cards: { '0': ['Ks', '7s'], '3': ['Ah', 'Ad'] },
    actions: [{ seat: 3, action: 'check', amount: null, street: 'river' }],
    payouts: [{ seat: 0, amount: 4456 }],
    outcome_kind: 'win',
  },
  busted: { type: 'busted', options: ['rebuy', 'leave'] },
  rebuy_confirmed: { type: 'rebuy_confirmed', new_stack: 0, chip_balance: 1500 },
  auto_rebuy_set: { type: 'auto_rebuy_set', enabled: true },
  auto_rebuy_scheduled: {
    type: 'auto_rebuy_scheduled',
    rebuy_at: '2025-06-01T12:10:00.000+00:00',
    cooldown_seconds: 600,
  },
  chips_skimmed: { type: 'chips_skimmed', excess: 100, new_stack: 5000, new_balance: 2100 },
  player_joined: { ...between, type: 'player_joined', seat: 3, name: 'bob', stack: 2000 },
  player_left: { ...inHand, type: 'player_left', seat: 3, name: 'bob', reason: 'disconnected' },
  table_closed: { ...between, type: 'table_closed', reason: 'insufficient_players' },
  table_state: { ...state, board: [], seats, hero },
  resync_response: {
    ...inHand,
    type: 'resync_response',
    role: 'player',
    from_table_seq: 3,
    to_table_seq: 19,
    replayed_events: [handStart],
    snapshot: { ...state, board: [], seats, hero: { ...hero, turn_token: token } },
  },
  season_ended: { type: 'season_ended', season_number: 1, next_season_number: 2 },
};
