import Type from 'typebox';
import {
  Board,
  Chips,
  Count,
  Exact,
  HoleCards,
  Limit,
  Nullable,
  Offset,
  SeatNumber,
  TableId,
  Time,
  Uuid,
} from '../../common.js';
import { route } from '../../route.js';
import { Detail } from '../errors.js';
import { read } from './reads.js';

/** The observed figure of a pair, and the expectation from the same agents' play against others. */
const Compared = Exact({ seen: Type.Number(), expected: Type.Number() }, { title: 'Compared' });

/** One of the two, with what it did against the other. */
const CollusionSide = Exact(
  {
    agent_id: Uuid,
    name: Type.String(),
    banned: Type.Boolean(),
    /** Chips that it lost to the other in pots where only the two were left. */
    chips_lost: Chips,
    /** All-ins of the other that it called there. */
    all_ins_called: Compared,
    /** Folds of the better hand to the other there. */
    better_hands_folded: Compared,
    /** Whole stacks that it lost to the other, in any pot. */
    stacks_lost: Count,
  },
  { title: 'CollusionSide' },
);

const CollusionPair = Exact(
  {
    first: CollusionSide,
    second: CollusionSide,
    /** Hands that both were dealt into, and those of them in which only the two were left. */
    hands: Count,
    duels: Count,
    /** Big blinds from the first to the second there, each pot cut off at 40; `deviation` is the standard one of chance. */
    flow_bb: Exact({ seen: Type.Number(), expected: Type.Number(), deviation: Type.Number() }),
    /** log10 of the evidence, all of it together and by question. */
    score: Type.Number(),
    evidence: Exact({
      /** Chips into pots where the other is ahead, and none where it is behind. */
      giving: Type.Number(),
      /** Folds behind and stays ahead, as if the other's cards were known. */
      reading: Type.Number(),
      /** Neither bets nor raises with nobody else left. */
      soft_play: Type.Number(),
      /** Raises the other's raise while a third player is in. */
      squeezing: Type.Number(),
      /** Net chips in one direction. */
      chips: Type.Number(),
    }),
    /** An honest pair ever reaches this score with a chance of at most this. */
    false_alarm_rate: Type.Number({ minimum: 0, maximum: 1 }),
    /** Whether it is among the marked pairs. At most `honest_share` of them are honest, in the mean. */
    marked: Type.Boolean(),
    shared: Exact({
      same_mailbox: Type.Boolean(),
      /** A mail domain of both that is no public provider's. */
      mail_domain: Nullable(Type.String()),
      /** Both were registered from one address (IPv6: one /64), or from its neighbourhood (/24, IPv6: /48). */
      same_address: Type.Boolean(),
      same_network: Type.Boolean(),
      /** Both named, proved, paid from or were paid to one wallet. */
      same_wallet: Type.Boolean(),
      /** Part of the one's decision times under the other's; null: fewer than 100 are known. */
      pace_overlap: Nullable(Type.Number({ minimum: 0, maximum: 1 })),
      /** Fewer than one in a hundred pairs of the pool have paces as alike. */
      pace_is_rare: Type.Boolean(),
    }),
  },
  { title: 'CollusionPair' },
);

export const OperatorCollusion = Exact(
  {
    pool_id: Uuid,
    /** When it was judged; it stands for half a minute. */
    judged_at: Time,
    /** The most suspicious first. */
    pairs: Type.Array(CollusionPair),
    /** Agents that whole stacks go to, the most suspicious first; 20 at most. */
    takers: Type.Array(
      Exact({
        agent_id: Uuid,
        name: Type.String(),
        banned: Type.Boolean(),
        /** Whole stacks that it took, and how many agents lost one to it. */
        stacks_taken: Count,
        givers: Count,
        /** Agents that would have lost one to a good player in as many hands. */
        expected_givers: Type.Number({ minimum: 0 }),
        score: Type.Number(),
        false_alarm_rate: Type.Number({ minimum: 0, maximum: 1 }),
      }),
    ),
    /** Pairs that have met, and those with the most hands together, which were judged. */
    pairs_met: Count,
    pairs_judged: Count,
    /** The mean part of honest pairs among the marked ones is at most this. */
    honest_share: Type.Number({ minimum: 0, maximum: 1 }),
    /** Pairs of at least `hands` and `score`, among the 1,000 most suspicious. */
    matching: Count,
    limit: Count,
    offset: Count,
  },
  { title: 'OperatorCollusion' },
);

/** One of the two in a hand. */
const PairSeat = Exact(
  {
    seat: SeatNumber,
    /** Chips gained in the hand, from all players. */
    profit: Type.Integer(),
    hole_cards: HoleCards,
    /** Whether the table saw these cards. */
    shown: Type.Boolean(),
  },
  { title: 'CollusionSeat' },
);

export const CollusionHands = Exact(
  {
    /** Null where there is no such agent. */
    first_name: Nullable(Type.String()),
    second_name: Nullable(Type.String()),
    /** The newest common hands that were looked through. */
    looked_through: Count,
    /** Those of them that the two played to the end alone. */
    duels: Count,
    /** The duels with the most chips between the two; 50 at most. */
    hands: Type.Array(
      Exact({
        hand_id: Uuid,
        table_id: TableId,
        hand_number: Type.Integer({ minimum: 1 }),
        big_blind: Chips,
        board: Board,
        total_pot: Chips,
        /** From the first to the second; negative for the other direction. */
        chips: Type.Integer(),
        first: PairSeat,
        second: PairSeat,
        started_at: Time,
      }),
    ),
  },
  { title: 'CollusionHands' },
);

const PoolId = Type.Optional(
  Type.String({ format: 'uuid', description: 'A season or a competition. By default the current season' }),
);

export const listCollusionHands = route({
  ...read,
  id: 'listCollusionHands',
  path: '/api/admin/collusion/hands',
  summary: 'The hands that two agents played to the end alone, with the cards of both, the largest exchange first',
  query: Type.Object({ pool_id: PoolId, first: Uuid, second: Uuid }),
  answers: { 200: CollusionHands },
  errors: { 404: [Detail.noActiveSeason] },
});

export const listCollusion = route({
  ...read,
  id: 'listCollusion',
  path: '/api/admin/collusion',
  summary: 'Pairs of agents of a season or competition, ranked by signs of collusion',
  query: Type.Object({
    pool_id: PoolId,
    hands: Type.Integer({
      minimum: 0,
      maximum: 1_000_000_000,
      default: 0,
      description: 'The least number of hands together',
    }),
    score: Type.Number({ minimum: -100, maximum: 1000, default: 0, description: 'The least score' }),
    limit: Limit,
    offset: Offset,
  }),
  answers: { 200: OperatorCollusion },
  errors: { 404: [Detail.noActiveSeason] },
});
