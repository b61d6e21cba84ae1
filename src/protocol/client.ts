import Type, { type Static } from 'typebox';
import { ActionName, BotVersion, described } from './common.js';

/**
 * The messages of a bot on /ws. Unknown extra keys are ignored; chip amounts may be written 100, 100.0 or 1e2 (JSON
 * makes no difference). A frame that fits none of these is `invalid_message`; an unknown `type` is `unknown_message`.
 */
const Id = Type.String({ minLength: 1, maxLength: 128 });
const OptionalId = Type.Optional(Type.Union([Id, Type.Null()]));

export const JoinLobby = Type.Object({
  type: Type.Literal('join_lobby'),
  /** BUY_IN_OUT_OF_RANGE settles a number out of range, not the schema. */
  buy_in: described(Type.Optional(Type.Union([Type.Integer(), Type.Null()])), 'Chips to take to the table'),
  version: described(
    Type.Optional(Type.Union([BotVersion, Type.Null()])),
    'The version of your bot. Its hands are rated apart for you (GET /api/me/versions), for the first 50 versions of a season',
  ),
});

/** An alternative of a mixed action. */
export const MixPart = Type.Object(
  {
    action: ActionName,
    amount: described(
      Type.Optional(Type.Union([Type.Number(), Type.Null()])),
      'The raise-to total; read for a raise only',
    ),
    p: described(Type.Number({ exclusiveMinimum: 0 }), 'Its probability; all sum to 1'),
  },
  { title: 'MixPart' },
);

/** Stands in the place of the action's name. `invalid_action` where the probabilities do not sum to 1. */
export const ActionMix = Type.Object(
  { mix: Type.Array(MixPart, { minItems: 1, maxItems: 8 }) },
  { title: 'ActionMix', description: 'The server draws one of the parts (protocol.md, "Mixed actions")' },
);

export const Action = Type.Object({
  type: Type.Literal('action'),
  action: Type.Union([
    Type.Literal('fold'),
    Type.Literal('check'),
    Type.Literal('call'),
    Type.Literal('raise'),
    Type.Literal('all_in'),
    ActionMix,
  ]),
  /** Read only for a raise, where a fraction or a total out of range is the engine's `invalid_action`. */
  amount: described(
    Type.Optional(Type.Union([Type.Number(), Type.Null()])),
    'The raise-to total. It counts only for a raise',
  ),
  client_action_id: described(OptionalId, 'Your own id of this decision. Required, unless ACTION_PROTOCOL=loose'),
  turn_token: described(OptionalId, 'As in your_turn. Required, unless ACTION_PROTOCOL=loose'),
  hand_id: described(OptionalId, 'As in your_turn. Required, unless ACTION_PROTOCOL=loose'),
});

/** An action that is a mix: for words about what does not fit. */
export const MixedActionMessage = Type.Object({ ...Action.properties, action: ActionMix });

export const Rebuy = Type.Object({
  type: Type.Literal('rebuy'),
  amount: described(Type.Optional(Type.Union([Type.Integer(), Type.Null()])), 'Not read'),
  request_id: described(
    OptionalId,
    'In a competition: the server confirms a repetition with the same id, and grants nothing again',
  ),
});

export const LeaveTable = Type.Object({ type: Type.Literal('leave_table') });

export const ResyncRequest = Type.Object({
  type: Type.Literal('resync_request'),
  table_id: Id,
  last_table_seq: described(
    Type.Optional(Type.Union([Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }), Type.Null()])),
    'The highest number that you read. Null or 0 asks for all events that the table remembers',
  ),
});

export const SetAutoRebuy = Type.Object({ type: Type.Literal('set_auto_rebuy'), enabled: Type.Boolean() });

/** Ours: the sender's part in the next deck (protocol.md, "Fair deals"). Nobody needs to send it. */
export const DealNonce = Type.Object({
  type: Type.Literal('deal_nonce'),
  nonce: Type.String({ pattern: '^[0-9a-f]{64}$' }),
});

/** Schema by message type: the gateway's catalogue of what may come in. */
export const ClientMessages = {
  join_lobby: JoinLobby,
  action: Action,
  rebuy: Rebuy,
  leave_table: LeaveTable,
  resync_request: ResyncRequest,
  set_auto_rebuy: SetAutoRebuy,
  deal_nonce: DealNonce,
} as const;

export type ActionMessage = Static<typeof Action>;
export type ActionMixMessage = Static<typeof ActionMix>;
export type MixPartMessage = Static<typeof MixPart>;
export type JoinLobbyMessage = Static<typeof JoinLobby>;
export type RebuyMessage = Static<typeof Rebuy>;
export type ResyncRequestMessage = Static<typeof ResyncRequest>;
export type SetAutoRebuyMessage = Static<typeof SetAutoRebuy>;
export type DealNonceMessage = Static<typeof DealNonce>;
export type ClientMessage =
  | JoinLobbyMessage
  | ActionMessage
  | RebuyMessage
  | Static<typeof LeaveTable>
  | ResyncRequestMessage
  | SetAutoRebuyMessage
  | DealNonceMessage;
