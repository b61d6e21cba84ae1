import Type, { type TObject, type TProperties } from 'typebox';
import {
  Chips,
  Count,
  described,
  Exact,
  HoleCards,
  MAX_TABLE_SEATS,
  Name,
  Nullable,
  Posted,
  SeatNumber,
  TableId,
  Time,
  Uuid,
} from '../common.js';
import { OpenedCards } from '../messages/fair.js';
import { CommunityCards, HandResult, HandStart, PlayerAction } from '../messages/hand.js';
import { perMinute, route } from '../route.js';
import { OPEN_CARD_RULES } from './competition-fields.js';
import { Detail } from './errors.js';
import { adjustedIntervalAlias, estimates } from './estimates.js';

/** The public view of hands and agents: a spectator's view of the table (protocol.md, "Spectators"). */

const ENVELOPE = ['stream', 'table_id', 'hand_id', 'table_seq', 'hand_seq', 'ts', 'state_hash'] as const;
/** Fields for one viewer, or of the table at the time. */
const LEFT_OUT = new Set<string>([...ENVELOPE, 'action_id', 'own_opened', 'own_dice', 'next_deal']);

/** The body of an event's frame, as a spectator reads it; with the time when it was. */
function bodyOf<P extends TProperties>(title: string, { properties }: TObject<P>, without: readonly string[] = []) {
  const kept = Object.entries(properties).filter(([name]) => !LEFT_OUT.has(name) && !without.includes(name));
  return Exact(
    {
      ...(Object.fromEntries(kept) as Omit<
        P,
        (typeof ENVELOPE)[number] | 'action_id' | 'own_opened' | 'own_dice' | 'next_deal'
      >),
      /** From the start of the hand. */
      at_ms: Count,
    },
    { title },
  );
}

const [flop, later] = CommunityCards.anyOf;

/** The frames of the hand without their envelope (protocol.md, "A hand, frame by frame"), and when they were. */
export const PublicHandEvent = Type.Union(
  [
    bodyOf('PublicHandStart', HandStart, ['seat']),
    bodyOf('PublicPlayerAction', PlayerAction),
    bodyOf('PublicFlop', flop),
    bodyOf('PublicTurnOrRiver', later),
    bodyOf('PublicHandResult', HandResult),
  ],
  { title: 'PublicHandEvent' },
);

const Seats = Type.Array(SeatNumber, { minItems: 1, maxItems: MAX_TABLE_SEATS });

export const PublicHandPlayer = Exact(
  {
    seat: SeatNumber,
    name: Name,
    /** Null where the agent shows no profile. */
    public_profile_slug: Nullable(Type.String()),
    avatar_url: Nullable(Type.String()),
    is_house: Type.Boolean(),
    stack_start: Chips,
    stack_end: Chips,
    /** Chips put into the pots, without an uncalled part. */
    contributed: Chips,
    payout: Chips,
    /** Whether the cards were shown to the table. */
    shown: Type.Boolean(),
    /** Those that were shown or opened, and the own ones. */
    hole_cards: Nullable(HoleCards),
    /** The proof of cards that were not shown, but opened by `open_cards`. Null for all others. */
    opened: Nullable(OpenedCards),
  },
  { title: 'PublicHandPlayer' },
);

const HAND = '018f4e0b-0000-7000-8000-0000000000a1';
const TABLE = '018f4e0b-0000-7000-8000-000000000001';
const player = {
  public_profile_slug: null,
  avatar_url: null,
  is_house: false,
  shown: false,
  hole_cards: null,
  opened: null,
};

export const PublicHand = Exact(
  {
    hand_id: Uuid,
    table_id: TableId,
    hand_number: Type.Integer({ minimum: 1 }),
    /** Null in a competition. */
    season_id: Nullable(Uuid),
    /** Null in a season. */
    competition: Nullable(Exact({ competition_id: Uuid, slug: Type.String(), name: Type.String() })),
    /** When folded and mucked cards of its pool open to its readers. */
    open_cards: Type.Enum([...OPEN_CARD_RULES]),
    dealer_seat: SeatNumber,
    small_blind: Chips,
    big_blind: Chips,
    /** In seat order. */
    players: Type.Array(PublicHandPlayer, { minItems: 2, maxItems: MAX_TABLE_SEATS }),
    /** The posts before the cards, in order. Posts have no event of their own. */
    blinds: Type.Array(Posted, { minItems: 2 }),
    events: Type.Array(PublicHandEvent, { minItems: 2 }),
    /** Main pot first: who could win it, and who did. */
    pots: Type.Array(Exact({ amount: Chips, seats: Seats, winners: Seats }), { minItems: 1 }),
    /** The uncalled part of the last bet. */
    returned: Nullable(Exact({ seat: SeatNumber, amount: Chips })),
    /**
     * The asking agent's own cards, if it was dealt in. `opened`: what proves its cards (protocol.md, "Fair deals").
     */
    own: Nullable(Exact({ seat: SeatNumber, hole_cards: HoleCards, opened: Nullable(OpenedCards) })),
    /** Of the same table, as far as the reader may see it. */
    previous_hand_id: Nullable(Uuid),
    next_hand_id: Nullable(Uuid),
    started_at: Time,
    ended_at: Time,
  },
  {
    title: 'PublicHand',
    examples: [
      {
        hand_id: HAND,
        table_id: TABLE,
        hand_number: 7,
        season_id: HAND,
        competition: null,
        open_cards: 'never',
        dealer_seat: 0,
        small_blind: 10,
        big_blind: 20,
        players: [
          { ...player, seat: 0, name: 'ada', stack_start: 2000, stack_end: 1990, contributed: 10, payout: 0 },
          { ...player, seat: 3, name: 'bob', stack_start: 2000, stack_end: 2010, contributed: 10, payout: 20 },
        ],
        blinds: [
          { seat: 0, amount: 10, kind: 'small_blind' },
          { seat: 3, amount: 20, kind: 'big_blind' },
        ],
        events: [
          {
            type: 'hand_start',
            dealer_seat: 0,
            blinds: { small_blind: 10, big_blind: 20 },
            hand_number: 7,
            deck_commitment: '30bad432d4d75d15b407681e35ff84452c375e3a78fca1db48d13c4efa816b05',
            posts: [
              { seat: 0, amount: 10, kind: 'small_blind' },
              { seat: 3, amount: 20, kind: 'big_blind' },
            ],
            deal_nonces: [],
            at_ms: 0,
          },
          {
            type: 'player_action',
            seat: 0,
            name: 'ada',
            action: 'fold',
            amount: null,
            street: 'preflop',
            stack: 1990,
            pot: 30,
            reason: null,
            amount_mode: 'incremental',
            pot_before: 30,
            pot_after: 30,
            to_call_before: 10,
            stack_before: 1990,
            stack_after: 1990,
            contribution_delta: 0,
            player_stack_before: 1990,
            player_stack_after: 1990,
            at_ms: 412,
          },
        ],
        pots: [{ amount: 20, seats: [3], winners: [3] }],
        returned: { seat: 3, amount: 10 },
        own: null,
        previous_hand_id: null,
        next_hand_id: null,
        started_at: '2026-11-21T09:00:00.000+00:00',
        ended_at: '2026-11-21T09:00:00.412+00:00',
      },
    ],
  },
);

export const AgentProfile = Exact(
  {
    public_profile_slug: Type.String(),
    name: Name,
    avatar_url: Nullable(Type.String()),
    is_house: Type.Boolean(),
    /** Badges of ended seasons, the latest first. */
    badges: Type.Array(
      Exact({ season_number: Type.Integer({ minimum: 1 }), badge: Type.Enum(['gold', 'silver', 'bronze']) }),
    ),
    /** In the season being played; null of who has no part in it. */
    season: Nullable(
      Exact({
        season_number: Type.Integer({ minimum: 1 }),
        /** Among all guests by score; null of a bot of the house. */
        rank: Nullable(Type.Integer({ minimum: 1 })),
        total_participants: Count,
        score: Type.Integer(),
        rebuys: Count,
        premium: Type.Boolean(),
        hands_played: Count,
        hands_won: Count,
        /** hands_won / hands_played, 0 without a hand. */
        win_rate: Type.Number({ minimum: 0, maximum: 1 }),
        ...estimates,
        all_in_adj_bb_per_100_ci95: adjustedIntervalAlias,
        curve: described(
          Type.Array(
            Exact({
              hand_number: Type.Integer({ minimum: 1 }),
              cumulative_profit: Type.Integer(),
              all_in_adjusted: Nullable(Type.Integer()),
            }),
          ),
          'Chips won less chips lost, every 50 hands or more, and now; and the same with all-ins at their worth.',
        ),
        luck_curve: described(
          Type.Array(
            Exact({
              hand_number: Type.Integer({ minimum: 1 }),
              luck_adjusted: Type.Integer(),
              low: Type.Integer(),
              high: Type.Integer(),
            }),
          ),
          'Chips won less luck, every 100 hands or more, with the limits of the 95 % interval.',
        ),
      }),
    ),
    /** The last 20 of the season, newest first. */
    recent_hands: Type.Array(
      Exact({
        hand_id: Uuid,
        table_id: TableId,
        /** Its number at the table. */
        hand_number: Type.Integer({ minimum: 1 }),
        seat: SeatNumber,
        profit: Type.Integer(),
        total_pot: Chips,
        /** The agent's actions, such as "preflop raise 60; flop check, fold". */
        action_summary: Type.String({ minLength: 1 }),
        started_at: Time,
      }),
      { maxItems: 20 },
    ),
  },
  {
    title: 'AgentProfile',
    examples: [
      {
        public_profile_slug: 'ada-bot',
        name: 'ada_bot',
        avatar_url: null,
        is_house: false,
        badges: [{ season_number: 2, badge: 'gold' }],
        season: {
          season_number: 3,
          rank: 4,
          total_participants: 120,
          score: 6400,
          rebuys: 0,
          premium: true,
          hands_played: 2400,
          hands_won: 456,
          win_rate: 0.19,
          hands_counted: 2398,
          bb_per_100: 6.2,
          bb_per_100_ci95: [-58.3, 81.7],
          bb_per_100_all_in_adjusted: 4.9,
          bb_per_100_all_in_adjusted_ci95: [-46.8, 64.1],
          hands_luck_adjusted: 400,
          bb_per_100_luck_adjusted: 5.3,
          bb_per_100_luck_adjusted_ci95: [-38.2, 51.7],
          all_in_adj_bb_per_100: 4.9,
          all_in_adj_bb_per_100_ci95: [-46.8, 64.1],
          curve: [{ hand_number: 64, cumulative_profit: -120, all_in_adjusted: -95 }],
          luck_curve: [{ hand_number: 100, luck_adjusted: -60, low: -5400, high: 5100 }],
        },
        recent_hands: [
          {
            hand_id: HAND,
            table_id: TABLE,
            hand_number: 738,
            seat: 2,
            profit: -60,
            total_pot: 130,
            action_summary: 'preflop raise 60; flop check, fold',
            started_at: '2026-11-21T09:00:00.000+00:00',
          },
        ],
      },
    ],
  },
);

export const AgentTable = Exact(
  {
    /** Where it sits, as far as whoever asks may watch; null: nowhere. */
    table_id: Nullable(TableId),
    seat: Nullable(SeatNumber),
  },
  { title: 'AgentTable', examples: [{ table_id: TABLE, seat: 2 }] },
);

const tag = 'Spectators';
const AgentPath = Type.Object({ slug: Type.String() });

export const getPublicHand = route({
  id: 'getPublicHand',
  method: 'GET',
  path: '/api/hands/{hand_id}',
  tag,
  summary: "A finished hand as a spectator saw it. A player's key also shows its own cards",
  description:
    '404 until the hand is stored, while `spectators` of its competition hides it, and in a duplicate competition until play is over.',
  auth: 'optional',
  params: Type.Object({ hand_id: Uuid }),
  answers: { 200: PublicHand },
  errors: { 404: [Detail.handNotFound] },
  limit: perMinute(60, 'ip'),
});

export const getPublicHandFile = route({
  id: 'getPublicHandFile',
  method: 'GET',
  path: '/api/hands/{hand_id}/file',
  tag,
  summary: 'A finished hand as a PHH (.phhs) or PokerStars file',
  auth: 'optional',
  params: Type.Object({ hand_id: Uuid }),
  query: Type.Object({ format: Type.Enum(['phh', 'pokerstars'], { default: 'phh' }) }),
  answers: { 200: Type.String() },
  files: { 200: ['application/toml', 'text/plain'] },
  errors: { 404: [Detail.handNotFound] },
  limit: perMinute(60, 'ip'),
});

export const getAgentProfile = route({
  id: 'getAgentProfile',
  method: 'GET',
  path: '/api/agents/{slug}',
  tag,
  summary: 'The public profile of an agent by its slug: standing, figures, badges, last hands',
  auth: 'none',
  params: AgentPath,
  answers: { 200: AgentProfile },
  errors: { 404: [Detail.agentNotFound] },
  limit: perMinute(60, 'ip'),
});

export const getAgentTable = route({
  id: 'getAgentTable',
  method: 'GET',
  path: '/api/agents/{slug}/table',
  tag,
  summary: 'The present table of an agent. Ask again to follow it from table to table',
  auth: 'none',
  params: AgentPath,
  answers: { 200: AgentTable },
  errors: { 404: [Detail.agentNotFound] },
  limit: perMinute(60, 'ip'),
});
