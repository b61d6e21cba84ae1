import Type from 'typebox';
import { Chips, Count, Exact, Nullable, Time, Uuid, ValueFunctionHash } from '../common.js';
import {
  COMPETITION_FIELDS as F,
  COMPETITION_STATES,
  OPEN_CARD_RULES,
  PARTICIPANT_STATES,
  SPECTATORS,
} from './competition-fields.js';

/** A competition as it is answered, and what all endpoints about competitions have in common. */

export const COMPETITIONS_TAG = 'Competitions';
export const CompetitionStatus = Type.Enum([...COMPETITION_STATES]);
export const CompetitionPath = Type.Object({ competition_id: Uuid });
/** Pages of any list about competitions. */
export const CompetitionLimit = Type.Integer({ minimum: 1, maximum: 100, default: 50 });

/** The rules of the competition in examples. */
export const EXAMPLE_RULES = {
  starting_chips: 5000,
  minimum_buy_in: 1000,
  default_buy_in: 2000,
  maximum_buy_in: 5000,
  small_blind: 10,
  big_blind: 20,
  max_players: 6,
  minimum_hands: 0,
  rebuys_enabled: true,
  max_rebuys: 2,
  rebuy_chips: 1000,
  rebuy_score_penalty: 500,
  rebuy_cooldown_seconds: 0,
  duplicate: false,
  between_hands_ms: null,
  action_timeout_ms: 5000,
  time_bank: true,
  hand_limit: null,
  spectators: 'public',
  open_cards: 'after_pool',
} as const;

const example = {
  competition_id: '018f4e0b-3333-4d52-9d3f-2f6c1f0a9b33',
  slug: 'autumn-cup-7f3a9c',
  status: 'enrolling',
  version: 2,
  organizer_id: '018f4e0a-7c1e-7d52-9d3f-2f6c1f0a9b11',
  is_organizer: true,
  is_co_organizer: false,
  participation: null,
  participant_count: 0,
  name: 'Autumn cup',
  organization_name: 'University of Poker',
  description: null,
  reward_description: null,
  display_timezone: 'UTC',
  participant_cap: 12,
  join_requests: false,
  enrollment_deadline: '2026-12-01T18:00:00.000+00:00',
  starts_at: '2026-12-01T18:30:00.000+00:00',
  ends_at: '2026-12-01T21:30:00.000+00:00',
  ...EXAMPLE_RULES,
  duplicate_note: null,
  value_function_sha256: 'b2c7'.repeat(16),
  created_at: '2026-11-21T06:00:00.000+00:00',
  updated_at: '2026-11-21T06:01:00.000+00:00',
  started_at: null,
  ended_at: null,
  finalized_at: null,
  cancelled_at: null,
} as const;

/** How play goes: the same in the record and on the public page. */
export const competitionRules = {
  starting_chips: Chips,
  minimum_buy_in: Chips,
  default_buy_in: Chips,
  maximum_buy_in: Chips,
  small_blind: Chips,
  big_blind: Chips,
  max_players: Type.Integer({ minimum: F.max_players.minimum, maximum: F.max_players.maximum }),
  /** Fewer do not rank. */
  minimum_hands: Count,
  rebuys_enabled: Type.Boolean(),
  max_rebuys: Count,
  rebuy_chips: Chips,
  /** Taken off the score for each rebuy. */
  rebuy_score_penalty: Chips,
  rebuy_cooldown_seconds: Count,
  /** All tables deal the same decks, to rotated seats. */
  duplicate: Type.Boolean(),
  /** Null: as in a season. */
  between_hands_ms: Nullable(Count),
  action_timeout_ms: Nullable(Count),
  /** Players have a time bank at tables with faster ones. */
  time_bank: Type.Boolean(),
  /** Play ends after so many hands of all tables together. */
  hand_limit: Nullable(Count),
  /** The readers of tables and hands. Duplicates are hidden before play is over. */
  spectators: Type.Enum([...SPECTATORS]),
  /** When folded and mucked hole cards open to those readers. */
  open_cards: Type.Enum([...OPEN_CARD_RULES]),
};

const competition = {
  competition_id: Uuid,
  /** Names the public page. */
  slug: Type.String({ minLength: 1 }),
  status: CompetitionStatus,
  /** Rises with every change of this record; the ETag is this number in quotes. */
  version: Type.Integer({ minimum: 1 }),
  organizer_id: Uuid,
  is_organizer: Type.Boolean(),
  /** The caller may do what the organizer may, but for naming co-organizers. */
  is_co_organizer: Type.Boolean(),
  /** The caller's own part. */
  participation: Nullable(Type.Enum([...PARTICIPANT_STATES])),
  /** Those enrolled. */
  participant_count: Count,
  name: Type.String(),
  organization_name: Nullable(Type.String()),
  description: Nullable(Type.String()),
  reward_description: Nullable(Type.String()),
  display_timezone: Type.String(),
  participant_cap: Type.Integer(),
  /** Bots without an invitation may ask to join. */
  join_requests: Type.Boolean(),
  /** When enrollment closes, play starts and play ends by themselves. */
  enrollment_deadline: Nullable(Time),
  starts_at: Nullable(Time),
  ends_at: Time,
  ...competitionRules,
  /** The parts of a duplicate competition that cannot be compared, by the number of its participants; null: none. */
  duplicate_note: Nullable(Type.String()),
  value_function_sha256: ValueFunctionHash,
  created_at: Time,
  updated_at: Time,
  started_at: Nullable(Time),
  ended_at: Nullable(Time),
  finalized_at: Nullable(Time),
  cancelled_at: Nullable(Time),
};

export const Competition = Exact(competition, { title: 'Competition', examples: [example] });

export const Competitions = Exact(
  {
    competitions: Type.Array(Competition, { maxItems: 100 }),
    total: Count,
    limit: Type.Integer({ minimum: 1, maximum: 100 }),
    offset: Count,
  },
  { title: 'Competitions' },
);
