import Type from 'typebox';
import { Exact, Nullable, TableId, Time, Uuid } from '../common.js';
import { MISHAP_KINDS } from '../mishap.js';
import { perMinute, route } from '../route.js';

/** The own agent's recent mishaps. */

const Frame = Nullable(Type.String({ description: 'As text; of a long one the beginning' }));

const timing = {
  used_ms: Nullable(Type.Integer({ minimum: 0, description: 'Of a timeout: how long the bot had the turn' })),
  server_lag_ms: Nullable(
    Type.Integer({
      minimum: 0,
      description: 'Of a timeout: how long the server stood still, which was added to the turn',
    }),
  ),
  sent_at: Nullable(Time),
  deadline_at: Nullable(Time),
};

export const MishapItem = Exact(
  {
    at: Time,
    kind: Type.Enum([...MISHAP_KINDS], {
      description:
        'rejected: an action; timeout: a decision; error: another message; flood: too many of them; disconnect: the end of a socket',
    }),
    code: Type.String({
      description: 'Of the rejection or error; of a timeout what was done instead; the close code of a disconnect',
    }),
    message: Type.String(),
    table_id: Nullable(TableId),
    hand_id: Nullable(Uuid),
    /** The bot's message, if it is to blame and was kept. */
    sent: Frame,
    /** The answer to it, or the frame that it did not answer in time. */
    received: Frame,
    ...timing,
  },
  { title: 'Mishap' },
);

export const MishapList = Exact(
  { mishaps: Type.Array(MishapItem, { maxItems: 100, description: 'The newest first' }) },
  {
    title: 'Mishaps',
    examples: [
      {
        mishaps: [
          {
            at: '2026-11-21T09:00:00.000+00:00',
            kind: 'rejected',
            code: 'not_your_turn',
            message: 'Not your turn',
            table_id: 'tbl_1',
            hand_id: '018f4e0b-0000-7000-8000-0000000000a1',
            sent: '{"type":"action","action":"fold","client_action_id":"17"}',
            received: '{"type":"action_rejected","code":"not_your_turn","reason":"Not your turn"}',
            used_ms: null,
            server_lag_ms: null,
            sent_at: null,
            deadline_at: null,
          },
        ],
      },
    ],
  },
);

export const listMishaps = route({
  id: 'listMishaps',
  at: 'home',
  method: 'GET',
  path: '/api/me/mishaps',
  tag: 'Registration and profile',
  summary: 'The latest mishaps of the agent: rejections, errors, timeouts, floods, disconnects, each with its frame',
  description: 'The last 100, kept in memory. They go after a day without one, and with a restart of the server.',
  auth: 'owner',
  answers: { 200: MishapList },
  limit: perMinute(60, 'key'),
});
