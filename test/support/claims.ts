import type { Static } from 'typebox';
import { CARD_NAMES } from '../../src/cards/card.js';
import type { HandProof } from '../../src/protocol/rest/history.js';
import type { PublicHand } from '../../src/protocol/rest/public.js';
import type { ServerMessageOf } from '../../src/protocol/server.js';
import type { Deal } from '../../src/table/deal/deal.js';
import type { StoredHand } from '../../src/table/record/record-codec.js';
import { dealOf, dealtHandOf } from '../../src/table/record/stored-deal.js';

/** Claims about cards that somebody read, checked against the stored record of their hand. */

export type PublicHandBody = Static<typeof PublicHand>;
export type ProofBody = Static<typeof HandProof>;

/** Somebody who reads: an agent by its id, or nobody in particular (spectators, REST). */
export type Viewer = string | null;

/** A claim about a hand, judged once the hand is stored. Null if it holds. */
export type Claim = (hand: StoredHand) => string | null;

const FOLD = 0;

const named = (codes: readonly number[]) => codes.map((code) => CARD_NAMES[code]!);
const boardOf = (hand: StoredHand) => named(hand.board).slice(0, hand.boardCount);
const same = (a: readonly string[], b: readonly string[]) => a.join() === b.join();

export function own(viewer: Viewer, cards: readonly string[], where: string): Claim {
  return ({ players }) => {
    const player = players.find(({ agentId }) => agentId === viewer);
    if (player !== undefined && same(cards, named(player.hole))) return null;
    return `${viewer ?? 'a spectator'} was shown ${cards.join(' ')} as its own (${where})`;
  };
}

/** How many board cards may be open after `acted` actions: each street waits for all actions of the earlier streets. */
function openAfter({ actions }: StoredHand, acted: number): number {
  const before = (street: number) => actions.filter((action) => action.street < street).length;
  return acted < before(1) ? 0 : acted < before(2) ? 3 : acted < before(3) ? 4 : 5;
}

export function boardSoFar(board: readonly string[], acted: number, where: string): Claim {
  return (hand) => {
    if (same(board, boardOf(hand).slice(0, board.length)) && board.length <= openAfter(hand, acted)) return null;
    return `${where} showed the board ${board.join(' ')} after ${acted} actions; it became ${boardOf(hand).join(' ')}`;
  };
}

/** New cards, or with BOARD_EVENTS=cumulative all of them. In both cases the last one belongs to the street. */
export function opened(cards: readonly string[], street: 'flop' | 'turn' | 'river', acted: number): Claim {
  const end = { flop: 3, turn: 4, river: 5 }[street];
  return (hand) => {
    const expected = boardOf(hand).slice(0, end).slice(-cards.length);
    if (same(cards, expected) && end <= openAfter(hand, acted)) return null;
    return `the ${street} ${cards.join(' ')} was opened after ${acted} actions; it became ${expected.join(' ')}`;
  };
}

/** Exactly the hands that the record calls shown, and only hands that a showdown can show. */
export function shownDown({ shown_cards, winners }: ServerMessageOf['hand_result']): Claim {
  return ({ players, actions }) => {
    const folded = new Set(actions.filter(({ act }) => act === FOLD).map(({ seat }) => seat));
    const left = players.filter(({ seat }) => !folded.has(seat));
    const allowed = left.length > 1 ? left.filter(({ shown }) => shown) : [];
    const expected = Object.fromEntries(allowed.map(({ seat, hole }) => [String(seat), named(hole)]));
    if (JSON.stringify(shown_cards) !== JSON.stringify(expected)) {
      return `hand_result shows ${JSON.stringify(shown_cards)}, not ${JSON.stringify(expected)}`;
    }
    const described = winners.find(
      ({ seat, hand_description }) => (hand_description !== 'Uncontested') !== String(seat) in expected,
    );
    return described === undefined
      ? null
      : `hand_result describes the hand of ${described.name}: ${described.hand_description}`;
  };
}

/** The opened board, shown hands and the viewer's own hand, with the proof of just these cards. */
export function asWatched(viewer: Viewer, given: PublicHandBody): Claim {
  return (hand) => {
    const board = given.events.flatMap((event) => (event.type === 'community_cards' ? event.cards : []));
    if (!same(board, boardOf(hand))) return `a hand by REST has the board ${board.join(' ')}`;
    for (const { seat, agentId, hole, shown } of hand.players) {
      const seen = given.players.find((player) => player.seat === seat)?.hole_cards ?? [];
      const may = shown || agentId === viewer ? named(hole) : [];
      if (!same(seen, may)) return `a hand by REST shows ${viewer ?? 'a stranger'} ${seen.join(' ')} of seat ${seat}`;
    }
    const deal = provableDeal(hand);
    if (deal === null) return null;
    const dealt = dealtHandOf(hand);
    const own = hand.players.find(({ agentId }) => agentId === viewer);
    const opened = [...deal.shared(dealt), ...(own === undefined ? [] : deal.own(dealt, own.seat))];
    const open = new Set(opened.map(({ index }) => index));
    const text = JSON.stringify(given);
    if (text.includes(hand.deal!.secret)) return 'a hand by REST holds the secret of its deck';
    const hidden = Array.from({ length: 52 }, (_, index) => deal.deck.open(index)).find(
      ({ index, salt }) => !open.has(index) && text.includes(salt),
    );
    return hidden === undefined ? null : `a hand by REST holds the salt of place ${hidden.index}`;
  };
}

/** Exactly the places of the deck that everybody saw, and the viewer's own. No salt or secret of another place. */
export function openedAtEnd(
  viewer: Viewer,
  result: Pick<ServerMessageOf['hand_result'], 'deal_proof' | 'own_opened'>,
): Claim {
  const text = JSON.stringify(result);
  return (hand) => {
    const deal = provableDeal(hand);
    if (deal === null) return result.deal_proof === undefined ? null : 'a deck is proven that was not committed to';
    const seen = dealtHandOf(hand);
    const player = hand.players.find(({ agentId }) => agentId === viewer);
    const shared = deal.shared(seen);
    const own = player === undefined ? [] : deal.own(seen, player.seat);
    const open = new Set([...shared, ...own].map(({ index }) => index));
    if (JSON.stringify(result.deal_proof?.opened) !== JSON.stringify(shared)) return 'other places are opened to all';
    if (JSON.stringify(result.own_opened ?? []) !== JSON.stringify(own)) return `${viewer} is opened other places`;
    if (text.includes(hand.deal!.secret)) return 'hand_result holds the secret of its deck';
    const hidden = Array.from({ length: 52 }, (_, index) => deal.deck.open(index)).filter(
      ({ index }) => !open.has(index),
    );
    const leak = hidden.find(({ salt }) => text.includes(salt));
    return leak === undefined ? null : `hand_result holds the salt of place ${leak.index}, ${leak.card}`;
  };
}

/** Cards as files write them, also one after the other: `AhKd`. Texts between dashes are parts of ids. */
const RUNS = /(?<![A-Za-z0-9~-])(?:[2-9TJQKA][cdhs])+(?![A-Za-z0-9-])/g;

export const cardsInFile = (text: string): string[] =>
  (text.match(RUNS) ?? []).flatMap((run) => run.match(/../g) ?? []);

/** A file of the hand. It has cards of the board, shown hands and the reader's own cards, and nothing of the deck. */
export function inFile(viewer: Viewer, format: string, text: string): Claim {
  return (hand) => {
    const own = hand.players.filter(({ agentId, shown }) => shown || agentId === viewer);
    const may = new Set([...boardOf(hand), ...own.flatMap(({ hole }) => named(hole))]);
    const strange = cardsInFile(text).find((card) => !may.has(card));
    if (strange !== undefined) return `a ${format} file shows ${viewer ?? 'a stranger'} the ${strange}`;
    if (boardOf(hand).some((card) => !cardsInFile(text).includes(card))) return `a ${format} file lacks the board`;
    const secret = hand.deal?.secret;
    return secret !== undefined && text.includes(secret) ? `a ${format} file holds the secret of its deck` : null;
  };
}

/** A hand's proof to one of its players: its own cards, the board, and the shown cards. */
export function proven(viewer: Viewer, proof: ProofBody): Claim {
  const atEnd = openedAtEnd(viewer, proof);
  return (hand) => {
    const shown = hand.players.filter((player) => player.shown);
    const expected = Object.fromEntries(shown.map(({ seat, hole }) => [String(seat), named(hole)]));
    const wrong =
      JSON.stringify(proof.shown_cards) === JSON.stringify(expected) ? null : 'a proof shows hands that were not shown';
    return (
      wrong ??
      own(viewer, proof.hole_cards, 'proof')(hand) ??
      boardSoFar(proof.board, Infinity, 'proof')(hand) ??
      atEnd(hand)
    );
  };
}

/** A cache: many viewers need the deal of one hand, and a deck takes much hashing. */
const deals = new WeakMap<StoredHand, Deal>();

function provableDeal(hand: StoredHand): Deal | null {
  const deal = deals.get(hand) ?? dealOf(hand);
  if (deal !== null) deals.set(hand, deal);
  return deal;
}
