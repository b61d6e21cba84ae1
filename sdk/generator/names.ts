import type { TSchema } from 'typebox';
import { ClientMessages } from '../../src/protocol/client.js';
import * as fair from '../../src/protocol/messages/fair.js';
import * as hand from '../../src/protocol/messages/hand.js';
import * as session from '../../src/protocol/messages/session.js';
import * as state from '../../src/protocol/messages/state.js';
import * as table from '../../src/protocol/messages/table.js';
import { ServerMessages } from '../../src/protocol/server.js';

/** Names for schemas that have no title of their own, and other names for titles that languages use themselves. */

const messageName = (type: string) =>
  `${type.replaceAll(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase())}Message`;

const named = (messages: Readonly<Record<string, TSchema>>) =>
  Object.fromEntries(Object.entries(messages).map(([type, schema]) => [messageName(type), schema]));

const [seatInHand, seatWaiting, emptySeat] = state.SeatEntry.anyOf;
const [rejectedAtTable, rejectedWithoutTable] = hand.ActionRejected.anyOf;

/** By name. A schema is known again wherever it stands. */
export const KNOWN_TYPES: Readonly<Record<string, TSchema>> = {
  ...named(ServerMessages),
  ...named(ClientMessages),
  PlainError: session.PlainError,
  AlreadySeatedError: session.AlreadySeated,
  RebuyCooldownError: session.RebuyCooldown,
  ActionRejectedAtTable: rejectedAtTable,
  ActionRejectedWithoutTable: rejectedWithoutTable,
  DealtDeck: fair.DealtDeck,
  OpenedCard: fair.OpenedCards.items,
  SeatNonce: fair.DealNonces.items,
  NextDeal: fair.DealStart.next_deal,
  PlayerAtSeat: table.PlayerAtSeat,
  TurnAction: hand.TurnAction,
  StateAction: state.StateAction,
  SeatEntry: state.SeatEntry,
  SeatInHand: seatInHand,
  SeatWaiting: seatWaiting,
  EmptySeat: emptySeat,
  WaitingDetails: state.WaitingDetails,
  ReplayedEvent: state.ReplayedEvent,
  ResyncSnapshot: state.ResyncResponse.properties.snapshot,
};

export { messageName };

/** By title. */
export const TITLES: Readonly<Record<string, string>> = { Error: 'ErrorBody', TableState: 'PublicTableState' };
