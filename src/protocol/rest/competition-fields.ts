import Type, { type TProperties } from 'typebox';
import { Exact, Nullable } from '../common.js';

/**
 * An organizer's fields of a competition: the one home of their bounds and defaults. The schemas of requests and the
 * metadata are made of it; the SQL has them once more, and a test compares.
 */

/** In the order of life. */
export const COMPETITION_STATES = [
  'draft',
  'enrolling',
  'enrollment_closed',
  'active',
  'paused',
  'ending',
  'results_pending',
  'finalized',
  'cancelled',
] as const;

export const PARTICIPANT_STATES = ['enrolled', 'withdrawn', 'removed', 'disqualified'] as const;

/** The spectators: anybody, participants and organizers, or nobody. */
export const SPECTATORS = ['public', 'participants', 'none'] as const;

/** When folded and mucked hole cards open to the readers of hands. */
export const OPEN_CARD_RULES = ['never', 'after_pool', 'after_hand'] as const;
export type OpenCards = (typeof OPEN_CARD_RULES)[number];

export interface FieldBounds {
  type: 'string' | 'integer' | 'boolean' | 'date-time' | 'enum';
  required: boolean;
  /** The default of a missing field; null: none. */
  default: string | number | boolean | null;
  /** The bounds of a number, or of a text's length in characters. */
  minimum: number | null;
  maximum: number | null;
  /** The values of an enum. */
  values?: string[];
}

const integer = (byDefault: number, minimum: number, maximum: number) =>
  ({ type: 'integer', required: false, default: byDefault, minimum, maximum }) as const;
/** A number that may be left open. */
const open = (minimum: number, maximum: number) =>
  ({ type: 'integer', required: false, default: null, minimum, maximum }) as const;
const text = (maximum: number, minimum = 0) =>
  ({ type: 'string', required: minimum > 0, default: null, minimum, maximum }) as const;
const flag = { type: 'boolean', required: false, default: false, minimum: null, maximum: null } as const;
const time = (required: boolean) =>
  ({ type: 'date-time', required, default: null, minimum: null, maximum: null }) as const;

/** docs/reference/rest.md, "Competitions" has the bounds. Chips are whole. */
export const COMPETITION_FIELDS = {
  name: text(80, 3),
  organization_name: text(100),
  description: text(4000),
  reward_description: text(4000),
  display_timezone: { type: 'string', required: false, default: 'UTC', minimum: 1, maximum: 64 },
  participant_cap: integer(24, 2, 2000),
  enrollment_deadline: time(false),
  starts_at: time(false),
  ends_at: time(true),
  starting_chips: integer(5000, 100, 1_000_000),
  minimum_buy_in: integer(1000, 20, 1_000_000),
  default_buy_in: integer(2000, 20, 1_000_000),
  maximum_buy_in: integer(5000, 20, 1_000_000),
  small_blind: integer(10, 1, 100_000),
  big_blind: integer(20, 2, 200_000),
  max_players: integer(6, 2, 6),
  minimum_hands: integer(0, 0, 100_000),
  rebuys_enabled: flag,
  max_rebuys: integer(0, 0, 20),
  rebuy_chips: integer(1000, 1000, 5000),
  rebuy_score_penalty: integer(0, 0, 5000),
  rebuy_cooldown_seconds: integer(0, 0, 86_400),
  duplicate: flag,
  between_hands_ms: open(0, 10_000),
  action_timeout_ms: open(1000, 120_000),
  time_bank: { ...flag, default: true },
  hand_limit: open(1, 1_000_000),
  spectators: {
    type: 'enum',
    required: false,
    default: 'public',
    minimum: null,
    maximum: null,
    values: [...SPECTATORS] as string[],
  },
  open_cards: {
    type: 'enum',
    required: false,
    default: 'after_pool',
    minimum: null,
    maximum: null,
    values: [...OPEN_CARD_RULES] as string[],
  },
  join_requests: flag,
} as const satisfies Record<string, FieldBounds>;

const F = COMPETITION_FIELDS;

const whole = ({ default: byDefault, minimum, maximum }: ReturnType<typeof integer>) =>
  Type.Integer({ minimum, maximum, default: byDefault });
const optionalWhole = ({ minimum, maximum }: ReturnType<typeof open>) =>
  Type.Optional(Nullable(Type.Integer({ minimum, maximum })));
/** May be left out, or be null: nothing said. */
const optionalText = ({ maximum }: { maximum: number }) => Type.Optional(Nullable(Type.String({ maxLength: maximum })));
const Moment = Type.String({ format: 'date-time' });
const OptionalMoment = Type.Optional(Nullable(Moment));

const fields = {
  name: Type.String({ minLength: F.name.minimum, maxLength: F.name.maximum }),
  organization_name: optionalText(F.organization_name),
  description: optionalText(F.description),
  reward_description: optionalText(F.reward_description),
  /** An IANA name. */
  display_timezone: Type.String({
    minLength: F.display_timezone.minimum,
    maxLength: F.display_timezone.maximum,
    default: F.display_timezone.default,
  }),
  participant_cap: whole(F.participant_cap),
  enrollment_deadline: OptionalMoment,
  starts_at: OptionalMoment,
  ends_at: Moment,
  starting_chips: whole(F.starting_chips),
  minimum_buy_in: whole(F.minimum_buy_in),
  default_buy_in: whole(F.default_buy_in),
  maximum_buy_in: whole(F.maximum_buy_in),
  small_blind: whole(F.small_blind),
  big_blind: whole(F.big_blind),
  max_players: whole(F.max_players),
  minimum_hands: whole(F.minimum_hands),
  rebuys_enabled: Type.Boolean({ default: F.rebuys_enabled.default }),
  max_rebuys: whole(F.max_rebuys),
  rebuy_chips: whole(F.rebuy_chips),
  rebuy_score_penalty: whole(F.rebuy_score_penalty),
  rebuy_cooldown_seconds: whole(F.rebuy_cooldown_seconds),
  duplicate: Type.Boolean({ default: F.duplicate.default }),
  /** Null: as in a season. */
  between_hands_ms: optionalWhole(F.between_hands_ms),
  action_timeout_ms: optionalWhole(F.action_timeout_ms),
  /** Players have a time bank at tables with faster ones. */
  time_bank: Type.Boolean({ default: F.time_bank.default }),
  /** The hands of all tables together; null: play ends by time or by hand alone. */
  hand_limit: optionalWhole(F.hand_limit),
  /** The readers of tables and hands. Duplicates are hidden before play is over. */
  spectators: Type.Enum([...SPECTATORS], { default: F.spectators.default }),
  /** When folded and mucked cards open. With duplicate decks not after each hand. */
  open_cards: Type.Enum([...OPEN_CARD_RULES], { default: F.open_cards.default }),
  /** Bots without an invitation may ask to join. */
  join_requests: Type.Boolean({ default: F.join_requests.default }),
};

/** The defaults of all fields with one. */
const defaults = Object.fromEntries(
  Object.entries(F).flatMap(([name, { default: byDefault }]) => (byDefault === null ? [] : [[name, byDefault]])),
);

export const CreateCompetition = Exact(fields, {
  title: 'CreateCompetition',
  examples: [
    {
      name: 'Autumn cup',
      organization_name: 'University of Poker',
      ...defaults,
      participant_cap: 12,
      enrollment_deadline: '2026-12-01T18:00:00Z',
      starts_at: '2026-12-01T18:30:00Z',
      ends_at: '2026-12-01T21:30:00Z',
      rebuys_enabled: true,
      max_rebuys: 2,
      rebuy_score_penalty: 500,
    },
  ],
});

/** The same field, left as it is where it is left out. */
const changed = <P extends TProperties>(properties: P) =>
  Type.Partial(
    Exact(
      Object.fromEntries(
        Object.entries(properties).map(([name, { default: _, ...schema }]: [string, { default?: unknown }]) => [
          name,
          schema,
        ]),
      ) as unknown as P,
    ),
  );

export const UpdateCompetition = Type.Object(changed(fields).properties, {
  title: 'UpdateCompetition',
  additionalProperties: false,
  examples: [{ name: 'Winter cup', ends_at: '2026-12-02T21:30:00Z' }],
});
