import Type from 'typebox';
import { Exact, Nullable, TableId, Time, Uuid } from '../common.js';
import { MISHAP_KINDS } from '../mishap.js';
import { perMinute, route } from '../route.js';

/** The own agent's recent mishaps. */

const Frame = Nullable(Type.String({ description: 'The frame as text. A long frame is cut' }));

const timing = {
  used_ms: Nullable(Type.Integer({ minimum: 0, description: 'For a timeout: the time that the bot had' })),
  server_lag_ms: Nullable(
    Type.Integer({
      minimum: 0,
      description: 'For a timeout: the time that the server stood still. It was added to the turn',
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
        'rejected: an action was rejected. timeout: a decision came too late. error: another message got an error. flood: too many of them. disconnect: a socket ended',
    }),
    code: Type.String({
      description:
        'The code of the rejection or error. For a timeout: the action taken instead. For a disconnect: the close code',
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
  description: 'The server keeps the last 100 in memory. They go after a day without a mishap, and with a restart.',
  auth: 'owner',
  answers: { 200: MishapList },
  limit: perMinute(60, 'key'),
});
