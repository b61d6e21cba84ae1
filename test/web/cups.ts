import type { Static } from 'typebox';
import type { PublicCompetitionHands } from '../../src/protocol/rest/competition-hands.js';
import type { ListedCompetitions, LISTED } from '../../src/protocol/rest/competition-index.js';
import type { JoinRequestList } from '../../src/protocol/rest/competition-people/index.js';
import { EXAMPLE_RULES } from '../../src/protocol/rest/competition-record.js';
import type { PublicCompetition } from '../../src/protocol/rest/competition-results.js';

/** Competitions with all that is hard for a page: names of 32 letters, seven digits, intervals of ± 9,999. */

type Index = Static<typeof ListedCompetitions>;
type Status = (typeof LISTED)[number];

const WIDEST = 'W'.repeat(32);
const LONG = 'ada_is_a_bot_with_a_very_long_id';
const names = (n: number) => (n % 3 === 0 ? WIDEST : n % 3 === 1 ? LONG : `bot_${n}`);
const STATES = {
  running: ['active', 'paused', 'enrollment_closed'],
  open: ['enrolling'],
  finished: ['finalized'],
} as const;

const headOf = (status: Status, n: number): Omit<Index['competitions'][number], 'duplicate' | 'podium'> => ({
  slug: `cup-${n}`,
  status: STATES[status][n % STATES[status].length]!,
  name:
    n % 4 === 0 ? 'W'.repeat(80) : n % 4 === 1 ? 'The cup of all bots that never sleep and fold too often' : `Cup ${n}`,
  organizer_name: names(n),
  organizer_profile_slug: n % 2 === 0 ? `org-${n}` : null,
  organization_name: n % 3 === 0 ? 'W'.repeat(100) : null,
  participant_cap: 2000,
  participant_count: n % 5 === 0 ? 0 : 1999,
  join_requests: n % 2 === 0,
  enrollment_deadline: '2030-12-01T18:00:00.000+00:00',
  starts_at: '2030-12-01T18:30:00.000+00:00',
  ends_at: '2030-12-01T21:30:00.000+00:00',
  started_at: status === 'open' ? null : '2026-01-01T18:30:00.000+00:00',
  ended_at: status === 'finished' ? '2026-01-01T21:30:00.000+00:00' : null,
  finalized_at: status === 'finished' ? '2026-01-01T22:30:00.000+00:00' : null,
});

const cup = (status: Status, n: number): Index['competitions'][number] => ({
  ...headOf(status, n),
  duplicate: n % 3 === 0,
  podium:
    status !== 'finished' || n % 5 === 0
      ? []
      : [1, 2, 3].map((rank) => ({
          rank,
          name: names(n + rank),
          public_profile_slug: rank === 1 ? `bot-${n}` : null,
          score: 9_876_543 - rank,
        })),
});

const index = (status: Status): Index => ({
  competitions: Array.from({ length: 50 }, (_, n) => cup(status, n)),
  total: 10_000,
  totals: { running: 10_000, open: 10_000, finished: 10_000 },
  limit: 50,
  offset: 0,
});

export const LONG_INDEX: Readonly<Record<Status, Index>> = {
  running: index('running'),
  open: index('open'),
  finished: index('finished'),
};

const line = (rank: number): Static<typeof PublicCompetition>['standings']['rows'][number] => ({
  rank: rank > 9 ? null : rank,
  name: rank === 1 ? WIDEST : rank === 2 ? LONG : `bot_${rank}`,
  public_profile_slug: rank === 3 ? null : `bot-${rank}`,
  status: rank === 10 ? 'disqualified' : 'enrolled',
  score: 9_876_543 - 1_234_567 * rank,
  chip_balance: 9_876_543,
  chips_at_table: 0,
  rebuys: rank,
  rebuy_penalty: 500 * rank,
  hands_played: rank > 8 ? 0 : 1_234_567,
  hands_won: rank > 8 ? 0 : 234_567,
  win_rate: rank > 8 ? 0 : 0.19,
  hands_counted: 0,
  bb_per_100: null,
  bb_per_100_ci95: null,
  bb_per_100_all_in_adjusted: rank > 8 ? null : -1234.5,
  bb_per_100_all_in_adjusted_ci95: rank > 8 ? null : [-9999, 9999],
  hands_luck_adjusted: 0,
  bb_per_100_luck_adjusted: null,
  bb_per_100_luck_adjusted_ci95: null,
  all_in_adj_bb_per_100: rank > 8 ? null : -1234.5,
  ci95: rank > 8 ? null : [-9999, 9999],
  duplicate: null,
});

export const FINISHED_CUP: Static<typeof PublicCompetition> = {
  ...headOf('finished', 0),
  competition_id: null,
  slug: 'cup-of-wide',
  description: null,
  reward_description: 'A cup, and the first choice of seats in the next one.',
  display_timezone: 'UTC',
  rules: EXAMPLE_RULES,
  standings: {
    total: 10,
    ranked: 9,
    duplicate_note: null,
    rows: Array.from({ length: 10 }, (_, n) => line(n + 1)),
    limit: 50,
    offset: 0,
  },
  tables: [],
};

export const CUP_HANDS: Static<typeof PublicCompetitionHands> = {
  hands: Array.from({ length: 10 }, (_, n) => ({
    hand_id: `018f4e0b-0000-7000-8000-0000000000a${n}`,
    table_id: `018f4e0b-0000-7000-8000-0000000000b${n}`,
    hand_number: 1_234_567,
    big_blind: 20,
    total_pot: 9_876_543,
    board: ['As', 'Kd', '2c'],
    players: [names(n), names(n + 1)].map((name, place) => ({
      name,
      public_profile_slug: n % 2 === 0 ? `bot-${n}` : null,
      profit: place === 0 ? 4_938_271 : -4_938_271,
    })),
    ended_at: '2026-01-01T21:30:00.000+00:00',
  })),
  limit: 10,
};

export const ASKED: Static<typeof JoinRequestList> = {
  requests: Array.from({ length: 5 }, (_, n) => ({
    competition_id: '018f4e0b-3333-4d52-9d3f-2f6c1f0a9b33',
    agent_id: `018f4e0a-7c1e-7d52-9d3f-2f6c1f0a9b1${n}`,
    name: names(n),
    public_profile_slug: n % 2 === 0 ? `bot-${n}` : null,
    display_name: n % 2 === 0 ? 'W'.repeat(64) : null,
    status: 'open' as const,
    asked_at: '2026-01-01T21:30:00.000+00:00',
    answered_at: null,
  })),
  total: 5,
  limit: 100,
  offset: 0,
};
