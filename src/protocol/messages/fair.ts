import Type from 'typebox';
import { ActionName, CardName, Chips, described, Exact, MAX_TABLE_SEATS, Nullable, SeatNumber } from '../common.js';

/** Ours: decks that are committed to before the hand (protocol.md, "Fair deals"). Absent where FAIR_DEALS=off. */

/** SHA-256, or a nonce: 32 bytes in hex. */
export const Hex32 = Type.String({
  pattern: '^[0-9a-f]{64}$',
  examples: ['30bad432d4d75d15b407681e35ff84452c375e3a78fca1db48d13c4efa816b05'],
});
const HandNumber = Type.Integer({ minimum: 1 });

export const DealNonces = Type.Array(Exact({ seat: SeatNumber, nonce: Hex32 }), { maxItems: MAX_TABLE_SEATS });

/** In hand_start. */
export const DealStart = {
  /** Hands of the table, this one included. */
  hand_number: Type.Optional(HandNumber),
  deck_commitment: Type.Optional(Hex32),
  /** The nonces that chose the permutation of this deck, in seat order. */
  deal_nonces: Type.Optional(DealNonces),
  /** The deck of the next hand, fixed now, and what nonces that are to count in it must hash to. */
  next_deal: Type.Optional(
    Exact({
      deck_commitment: Hex32,
      anchors: Type.Array(Exact({ seat: SeatNumber, anchor: Hex32 }), { maxItems: MAX_TABLE_SEATS }),
    }),
  ),
};

export const OpenedCards = Type.Array(
  Exact({
    /** Place in dealing order. */
    index: Type.Integer({ minimum: 0, maximum: 16 }),
    /** Before the permutation. */
    card: CardName,
    salt: Type.String({ pattern: '^[0-9a-f]{32}$', examples: ['30bad432d4d75d15b407681e35ff8445'] }),
  }),
);

export const DealtDeck = Exact({
  /** The hashes of places 0 to 16. */
  hashes: Type.Array(Hex32, { minItems: 17, maxItems: 17 }),
  /** Over places 17 to 51 and the dice. */
  rest: Hex32,
  /** The board and the shown cards. */
  opened: OpenedCards,
});

/** A mixed action of the reader, and what was drawn of it. */
export const OwnMix = Exact(
  {
    number: described(Type.Integer({ minimum: 0 }), 'The number of the action in its hand, from 0: it names the draw'),
    u: described(Type.Number({ minimum: 0, exclusiveMaximum: 1 }), 'The draw'),
    part: described(Type.Integer({ minimum: 0, maximum: 7 }), 'The number of the part that was drawn, from 0'),
    parts: Type.Array(
      Exact({ action: ActionName, amount: Type.Optional(Chips), p: Type.Number({ exclusiveMinimum: 0 }) }),
      { minItems: 1, maxItems: 8 },
    ),
  },
  { title: 'OwnMix', description: 'A mixed action, and what was drawn of it: only for readers that see the cards' },
);

/** Opens the dice of the reader's seat. */
export const OwnDice = Exact(
  {
    seed: Type.String({ pattern: '^[0-9a-f]{32}$', examples: ['30bad432d4d75d15b407681e35ff8445'] }),
    undealt: described(Hex32, 'The hash of places 17 to 51'),
    hashes: described(
      Type.Array(Hex32, { minItems: MAX_TABLE_SEATS, maxItems: MAX_TABLE_SEATS }),
      'Of the dice by seat',
    ),
    mixes: Type.Array(OwnMix, { minItems: 1 }),
  },
  { title: 'OwnDice', description: 'Opens the dice of a player that mixed actions in the hand' },
);

/** In hand_result. */
export const DealProof = {
  deal_proof: Type.Optional(DealtDeck),
  /** The viewer's own cards; only to those who were dealt in. */
  own_opened: Type.Optional(OpenedCards),
  own_dice: Type.Optional(OwnDice),
};

/** Answer to deal_nonce. */
export const DealNonceAck = Exact({
  type: Type.Literal('deal_nonce_ack'),
  nonce: Hex32,
  /** It opens the announced anchor, and will be in hand_start.deal_nonces of this hand. Else it begins a chain. */
  counts: Type.Boolean(),
  /** The next hand, and its deck; null where FAIR_DEALS=off. */
  hand_number: Nullable(HandNumber),
  deck_commitment: Nullable(Hex32),
});
