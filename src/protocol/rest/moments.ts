import Type from 'typebox';
import { Chips, described, Exact, HoleCards, MAX_TABLE_SEATS, Name, Nullable, SeatNumber, TableId, Time, Uuid } from '../common.js'; // prettier-ignore
import { perMinute, route } from '../route.js';

/** Hands of the day that are worth a look. */

/** Hands of each kind. */
export const SHOWN_MOMENTS = 5;

const Moment = Exact(
  {
    hand_id: Uuid,
    table_id: TableId,
    hand_number: Type.Integer({ minimum: 1 }),
    step: described(Type.String(), 'The step of the replay, as it stands behind # in its address'),
    total_pot: Chips,
    big_blind: Chips,
    /** Those that did not fold, in seat order. */
    players: Type.Array(
      Exact({
        seat: SeatNumber,
        name: Name,
        /** Null where the agent shows no profile. */
        public_profile_slug: Nullable(Type.String()),
        /** Chips out of the pots. */
        payout: Chips,
        hole_cards: described(Nullable(HoleCards), 'Those that were shown to the table'),
        equity: described(
          Nullable(Type.Number({ minimum: 0, maximum: 1 })),
          'The expected part of the pot after the last decision, over every board that could still come. Null for a big pot',
        ),
      }),
      { minItems: 1, maxItems: MAX_TABLE_SEATS },
    ),
    started_at: Time,
  },
  { title: 'Moment' },
);

const List = Type.Array(Moment, { maxItems: SHOWN_MOMENTS });

export const MomentsOfDay = Exact(
  {
    big_pots: described(List, 'The largest first'),
    all_ins: described(List, 'All shown, with cards to come: the largest pot first'),
    upsets: described(
      List,
      'Such all-ins of 20 big blinds that a player won with less than its equal share: the lowest equity first',
    ),
  },
  {
    title: 'MomentsOfDay',
    examples: [
      {
        big_pots: [],
        upsets: [],
        all_ins: [
          {
            hand_id: '018f4e0b-0000-7000-8000-0000000000a1',
            table_id: '018f4e0b-0000-7000-8000-000000000001',
            hand_number: 738,
            step: '7',
            total_pot: 8000,
            big_blind: 20,
            players: [
              {
                seat: 1,
                name: 'ada_bot',
                public_profile_slug: 'ada-bot',
                payout: 8000,
                hole_cards: ['Ah', 'Kd'],
                equity: 0.44,
              },
              {
                seat: 4,
                name: 'bob_bot',
                public_profile_slug: null,
                payout: 0,
                hole_cards: ['8c', '8s'],
                equity: 0.56,
              },
            ],
            started_at: '2026-11-21T09:00:00.000+00:00',
          },
        ],
      },
    ],
  },
);

export const getMoments = route({
  id: 'getMoments',
  method: 'GET',
  path: '/api/public/moments',
  tag: 'Spectators',
  summary: "Big pots, all-ins and upsets of the season's last 24 hours",
  description: 'A hand comes when it is counted, some seconds after its end, and as late as spectators see it.',
  auth: 'none',
  answers: { 200: MomentsOfDay },
  limit: perMinute(60, 'ip'),
});
