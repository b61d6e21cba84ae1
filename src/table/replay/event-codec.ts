import type { Post } from '../../holdem/log.js';
import { MAX_SEATS, type Act, type Street } from '../../holdem/types.js';
import { packDeal, packDealStart, unpackDeal, unpackDealStart } from './deal-codec.js';
import { ActionReason } from '../events.js';
import type {
  ActionEvent,
  ActionLine,
  BoardEvent,
  DealtPlayer,
  HandStartEvent,
  JoinedEvent,
  LeftEvent,
  OutcomeKind,
  PublicEvent,
  ResultEvent,
  TurnTiming,
} from '../events.js';
import type { DrawnMix } from '../mix.js';
import type { Packer, Unpacker } from './packer.js';

/** Public events as compact bytes, for the replay window: about a tenth of their frames. */

const KINDS = [
  'hand_start',
  'player_action',
  'community_cards',
  'hand_result',
  'player_joined',
  'player_left',
  'table_closed',
] as const satisfies readonly PublicEvent['kind'][];
const LEAVE_REASONS = ['left', 'disconnected', 'busted'] as const;

export function packEvent(p: Packer, event: PublicEvent): void {
  p.uint(KINDS.indexOf(event.kind));
  switch (event.kind) {
    case 'hand_start':
      return packHandStart(p, event);
    case 'player_action':
      return packAction(p, event);
    case 'community_cards':
      return packBoard(p, event);
    case 'hand_result':
      return packResult(p, event);
    case 'player_joined':
      return packJoined(p, event);
    case 'player_left':
      return packLeft(p, event);
    case 'table_closed':
      p.text(event.reason);
  }
}

/**
 * The next event. `players` are the hand's players, `actions` its actions unpacked so far. A record does not repeat the
 * contents of earlier records of its hand.
 */
export function unpackEvent(u: Unpacker, players: DealtPlayer[], actions: ActionLine[]): PublicEvent {
  const kind = KINDS[u.uint()]!;
  switch (kind) {
    case 'hand_start':
      return unpackHandStart(u);
    case 'player_action':
      return unpackAction(u, players);
    case 'community_cards':
      return unpackBoard(u);
    case 'hand_result':
      return unpackResult(u, players, actions);
    case 'player_joined':
      return { kind, seat: u.uint(), nameJson: u.text(), stack: u.uint() };
    case 'player_left':
      return { kind, seat: u.uint(), nameJson: u.text(), reason: LEAVE_REASONS[u.uint()]! };
    case 'table_closed':
      return { kind, reason: u.text() };
  }
}

function packHandStart(p: Packer, event: HandStartEvent): void {
  p.uint(event.dealer).uint(event.smallBlind).uint(event.bigBlind).uint(event.players.length);
  for (const { seat, agentId, nameJson } of event.players) p.uint(seat).text(agentId).text(nameJson);
  p.uint(event.posts.length);
  for (const { seat, amount, post } of event.posts) p.uint(seat | (post << 3)).uint(amount);
  packDealStart(p, event.deal);
}

function unpackHandStart(u: Unpacker): HandStartEvent {
  const event: HandStartEvent = {
    kind: 'hand_start',
    dealer: u.uint(),
    smallBlind: u.uint(),
    bigBlind: u.uint(),
    posts: [],
    players: [],
    deal: null,
  };
  for (let left = u.uint(); left > 0; left--) {
    event.players.push({ seat: u.uint(), agentId: u.text(), nameJson: u.text() });
  }
  event.posts = Array.from({ length: u.uint() }, () => {
    const who = u.uint();
    return { seat: who & 7, post: (who >> 3) as Post, amount: u.uint() };
  });
  event.deal = unpackDealStart(u);
  return event;
}

/** The player's name stands in the hand's hand_start. */
function packAction(p: Packer, event: ActionEvent): void {
  p.uint(event.seat | (event.act << 3)).uint(
    event.street | (event.reason << 2) | (event.freeFold ? 16 : 0) | (event.mix === null ? 0 : 32),
  );
  p.uintOrNull(event.amount).uint(event.potBefore).uint(event.toCall).uint(event.stackBefore).uint(event.added);
  p.text(event.turnToken)
    .text(event.clientId ?? '')
    .numberOrNull(event.requested);
  if (event.mix !== null) packMix(p, event.mix);
  if (event.reason !== ActionReason.timeout) return;
  p.uintOrNull(event.timing?.usedMs ?? null);
  if (event.timing !== null) p.uint(event.timing.serverLagMs).uint(event.timing.sentAt).uint(event.timing.deadlineAt);
}

function packMix(p: Packer, { parts, number, u, part }: DrawnMix): void {
  p.uint(number).number(u).uint(part).uint(parts.length);
  for (const each of parts) p.uint(each.act).uintOrNull(each.amount).number(each.p);
}

function unpackMix(u: Unpacker): DrawnMix {
  const [number, draw, part] = [u.uint(), u.number(), u.uint()];
  const parts = Array.from({ length: u.uint() }, () => {
    return { act: u.uint() as Act, amount: u.uintOrNull(), p: u.number() };
  });
  return { parts, number, u: draw, part };
}

function unpackTiming(u: Unpacker): TurnTiming | null {
  const usedMs = u.uintOrNull();
  return usedMs === null ? null : { usedMs, serverLagMs: u.uint(), sentAt: u.uint(), deadlineAt: u.uint() };
}

function unpackAction(u: Unpacker, players: readonly DealtPlayer[]): ActionEvent {
  const who = u.uint();
  const when = u.uint();
  const seat = who & 7;
  const reason = ((when >> 2) & 3) as ActionReason;
  return {
    kind: 'player_action',
    seat,
    nameJson: players.find((player) => player.seat === seat)?.nameJson ?? '""',
    act: (who >> 3) as Act,
    street: (when & 3) as Street,
    reason,
    freeFold: (when & 16) !== 0,
    amount: u.uintOrNull(),
    potBefore: u.uint(),
    toCall: u.uint(),
    stackBefore: u.uint(),
    added: u.uint(),
    turnToken: u.text(),
    // An id has at least one character, so the empty text is "none".
    clientId: u.text() || null,
    requested: u.numberOrNull(),
    mix: (when & 32) === 0 ? null : unpackMix(u),
    timing: reason === ActionReason.timeout ? unpackTiming(u) : null,
  };
}

function packBoard(p: Packer, event: BoardEvent): void {
  p.uint(event.street).uint(event.cards.length);
  for (const card of event.cards) p.uint(card);
}

function unpackBoard(u: Unpacker): BoardEvent {
  const street = u.uint() as Street;
  return { kind: 'community_cards', street, cards: Array.from({ length: u.uint() }, () => u.uint()) };
}

/** Players and actions of the hand stand in its earlier events; of the hole cards only the shown ones are kept. */
function packResult(p: Packer, event: ResultEvent): void {
  p.uint(event.outcome | (event.showdown ? 4 : 0))
    .uint(event.shown)
    .uint(event.boardCount);
  for (let i = 0; i < event.boardCount; i++) p.uint(event.board[i]!);
  for (const { seat } of event.players) {
    p.uint(event.payouts[seat]!).uint(event.contributed[seat]!).uint(event.finalStacks[seat]!);
    if ((event.shown & (1 << seat)) !== 0) p.uint(event.hole[2 * seat]!).uint(event.hole[2 * seat + 1]!);
  }
  p.uint(event.button);
  packDeal(p, event.deal);
}

function unpackResult(u: Unpacker, players: DealtPlayer[], actions: ActionLine[]): ResultEvent {
  const how = u.uint();
  const shown = u.uint();
  const boardCount = u.uint();
  const board = Array.from({ length: boardCount }, () => u.uint());
  const payouts = new Float64Array(MAX_SEATS);
  const contributed = new Float64Array(MAX_SEATS);
  const finalStacks = new Float64Array(MAX_SEATS);
  const hole = new Uint8Array(2 * MAX_SEATS);
  for (const { seat } of players) {
    payouts[seat] = u.uint();
    contributed[seat] = u.uint();
    finalStacks[seat] = u.uint();
    if ((shown & (1 << seat)) === 0) continue;
    hole[2 * seat] = u.uint();
    hole[2 * seat + 1] = u.uint();
  }
  return {
    kind: 'hand_result',
    players,
    payouts,
    contributed,
    finalStacks,
    outcome: (how & 3) as OutcomeKind,
    showdown: how >= 4,
    shown,
    hole,
    board,
    boardCount,
    actions,
    button: u.uint(),
    deal: unpackDeal(u),
  };
}

function packJoined(p: Packer, event: JoinedEvent): void {
  p.uint(event.seat).text(event.nameJson).uint(event.stack);
}

function packLeft(p: Packer, event: LeftEvent): void {
  p.uint(event.seat).text(event.nameJson).uint(LEAVE_REASONS.indexOf(event.reason));
}
