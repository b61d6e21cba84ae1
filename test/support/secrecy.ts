import { CARD_NAMES } from '../../src/cards/card.js';
import type { Static } from 'typebox';
import type { PublicHand } from '../../src/protocol/rest/public.js';
import type { ServerMessage, ServerMessageOf } from '../../src/protocol/server.js';
import type { StoredHand } from '../../src/table/record/record-codec.js';
import type { Deal } from '../../src/table/deal/deal.js';
import { dealOf, dealtHandOf } from '../../src/table/record/stored-deal.js';

type State = ServerMessageOf['table_state'] | ServerMessageOf['resync_response']['snapshot'];
type Event = ServerMessageOf['resync_response']['replayed_events'][number];

export type PublicHandBody = Static<typeof PublicHand>;

/** Anything that reads as a card, wherever it stands in a text; `~5s` is a time to wait. */
const CARD = /(?<![A-Za-z0-9~])[2-9TJQKA][cdhs](?![A-Za-z0-9])/g;
const FOLD = 0;

export const cardsIn = (text: string): string[] => text.match(CARD) ?? [];

/** Somebody who reads: an agent by its id, or nobody in particular (spectators, REST). */
type Viewer = string | null;

/** What must hold of a hand for something that was read, judged once the hand is stored. */
type Claim = (hand: StoredHand) => string | null;

/**
 * Holds every card that anybody was shown against the stored record of its hand: own hole cards, the board as far as
 * the betting had come, and what was shown down; nothing else may be there. What is read goes in by `frame`, `view` and
 * `silent`; `judge` gives the leaks of hands that are stored, and forgets them.
 */
export class Secrecy {
  readonly #claims = new Map<string, Claim[]>();
  /** Actions read so far of the hand that each viewer saw begin. */
  readonly #acted = new Map<Viewer, { hand: string; actions: number }>();
  /** Leaks that need no record to be known as such. */
  readonly #leaks: string[] = [];
  /** Cards accounted for so far. */
  cards = 0;

  /** A frame as a viewer's socket got it; `reader` names the socket where a viewer has several. */
  frame(viewer: Viewer, frame: ServerMessage, text: string, reader: string | null = viewer): void {
    const all = cardsIn(text);
    this.#count(reader, frame);
    const explained = this.#explain(viewer, frame, reader);
    this.#settle(frame.type, all, explained, text);
  }

  /** A public table_state by REST. When it was taken is not known, so only what it shows is judged. */
  view(state: ServerMessageOf['table_state'], text: string): void {
    this.#settle('REST view', cardsIn(text), this.#state(null, state, Infinity), text);
  }

  /** A finished hand as it is given out to a viewer. */
  hand(viewer: Viewer, hand: PublicHandBody, text: string): void {
    const cards: string[] = [];
    for (const event of hand.events) {
      if (event.type === 'community_cards') cards.push(...event.cards);
      if (event.type !== 'hand_result') continue;
      cards.push(...Object.values(event.shown_cards).flat());
      cards.push(...(event.deal_proof?.opened ?? []).map(({ card }) => card));
    }
    for (const { hole_cards: hole } of hand.players) cards.push(...(hole ?? []));
    cards.push(...(hand.own?.hole_cards ?? []), ...(hand.own?.opened ?? []).map(({ card }) => card));
    this.#claim(hand.hand_id, asWatched(viewer, hand));
    this.#settle('a hand by REST', cardsIn(text), cards, text);
  }

  /** A text that may hold no card at all, such as a log. */
  silent(what: string, text: string): void {
    this.#settle(what, cardsIn(text), [], text);
  }

  #count(viewer: Viewer, frame: ServerMessage): void {
    // What was told while nobody read is not known.
    if (frame.type === 'connected') this.#acted.delete(viewer);
    if (frame.type === 'hand_start') this.#acted.set(viewer, { hand: frame.hand_id, actions: 0 });
    const count = this.#acted.get(viewer);
    if (frame.type === 'player_action' && count?.hand === frame.hand_id) count.actions++;
  }

  /** Who came in the middle of a hand has not seen all of its actions: then they say nothing. */
  #actedIn(viewer: Viewer, hand: string | null): number {
    const count = this.#acted.get(viewer);
    return count !== undefined && count.hand === hand ? count.actions : Infinity;
  }

  /** The cards of a frame that stand where cards belong; each place lodges its claim. */
  #explain(viewer: Viewer, frame: ServerMessage, reader: Viewer): string[] {
    switch (frame.type) {
      case 'hole_cards':
        this.#claim(frame.hand_id, own(viewer, frame.cards, 'hole_cards'));
        return frame.cards;
      case 'table_state':
        return this.#state(viewer, frame, this.#actedIn(reader, frame.hand_id));
      case 'your_turn':
        this.#claim(frame.hand_id, boardSoFar(frame.community_cards, this.#actedIn(reader, frame.hand_id), frame.type));
        return frame.community_cards;
      case 'community_cards':
      case 'hand_result':
        return this.#event(viewer, frame, this.#actedIn(reader, frame.hand_id));
      case 'resync_response':
        return this.#resync(viewer, frame);
      default:
        return [];
    }
  }

  #state(viewer: Viewer, { hand_id, board, hero }: State, acted: number): string[] {
    const hole = hero?.hole_cards ?? [];
    if (hand_id === null) return [];
    this.#claim(hand_id, boardSoFar(board, acted, 'table_state'));
    if (hole.length > 0) this.#claim(hand_id, own(viewer, hole, 'hero'));
    return [...board, ...hole];
  }

  #event(viewer: Viewer, event: Event, acted: number): string[] {
    if (event.type === 'community_cards') {
      this.#claim(event.hand_id, opened(event.cards, event.street, acted));
      return event.cards;
    }
    if (event.type !== 'hand_result') return [];
    this.#claim(event.hand_id, shownDown(event));
    this.#claim(event.hand_id, openedAtEnd(viewer, event));
    const openings = [...(event.deal_proof?.opened ?? []), ...(event.own_opened ?? [])];
    return [...Object.values(event.shown_cards).flat(), ...openings.map(({ card }) => card)];
  }

  #resync(viewer: Viewer, { replayed_events, snapshot }: ServerMessageOf['resync_response']): string[] {
    let [hand, acted]: [string | null, number] = [null, 0];
    const cards = replayed_events.flatMap((event) => {
      if (event.type === 'hand_start') [hand, acted] = [event.hand_id, 0];
      if (event.type === 'player_action') acted++;
      // A window that begins within a hand does not show all of its actions.
      return this.#event(viewer, event, event.hand_id === hand ? acted : Infinity);
    });
    return [...cards, ...this.#state(viewer, snapshot, snapshot.hand_id === hand ? acted : Infinity)];
  }

  #claim(handId: string, claim: Claim): void {
    const claims = this.#claims.get(handId);
    if (claims === undefined) this.#claims.set(handId, [claim]);
    else claims.push(claim);
  }

  #settle(what: string, all: readonly string[], explained: readonly string[], text: string): void {
    this.cards += all.length;
    if ([...all].sort().join() === [...explained].sort().join()) return;
    this.#leaks.push(
      `${what} holds ${all.join(' ')}, of which only ${explained.join(' ')} are in place: ${text.slice(0, 500)}`,
    );
  }

  /** Hands that something was read of and that are not judged yet. */
  get pending(): string[] {
    return [...this.#claims.keys()];
  }

  /** What was wrong about these hands and about all that needs no record. */
  judge(hands: readonly StoredHand[]): string[] {
    const leaks = this.#leaks.splice(0);
    for (const hand of hands) {
      for (const claim of this.#claims.get(hand.handId) ?? []) {
        const leak = claim(hand);
        if (leak !== null) leaks.push(`hand ${hand.handId}: ${leak}`);
      }
      this.#claims.delete(hand.handId);
    }
    return leaks;
  }
}

const named = (codes: readonly number[]) => codes.map((code) => CARD_NAMES[code]!);
const boardOf = (hand: StoredHand) => named(hand.board).slice(0, hand.boardCount);
const same = (a: readonly string[], b: readonly string[]) => a.join() === b.join();

function own(viewer: Viewer, cards: readonly string[], where: string): Claim {
  return ({ players }) => {
    const player = players.find(({ agentId }) => agentId === viewer);
    if (player !== undefined && same(cards, named(player.hole))) return null;
    return `${viewer ?? 'a spectator'} was shown ${cards.join(' ')} as its own (${where})`;
  };
}

/** How many board cards may be open after so many actions: each street waits for all actions of those before it. */
function openAfter({ actions }: StoredHand, acted: number): number {
  const before = (street: number) => actions.filter((action) => action.street < street).length;
  return acted < before(1) ? 0 : acted < before(2) ? 3 : acted < before(3) ? 4 : 5;
}

function boardSoFar(board: readonly string[], acted: number, where: string): Claim {
  return (hand) => {
    if (same(board, boardOf(hand).slice(0, board.length)) && board.length <= openAfter(hand, acted)) return null;
    return `${where} showed the board ${board.join(' ')} after ${acted} actions; it became ${boardOf(hand).join(' ')}`;
  };
}

/** New cards, or with BOARD_EVENTS=cumulative all of them: either way they end where their street does. */
function opened(cards: readonly string[], street: 'flop' | 'turn' | 'river', acted: number): Claim {
  const end = { flop: 3, turn: 4, river: 5 }[street];
  return (hand) => {
    const expected = boardOf(hand).slice(0, end).slice(-cards.length);
    if (same(cards, expected) && end <= openAfter(hand, acted)) return null;
    return `the ${street} ${cards.join(' ')} was opened after ${acted} actions; it became ${expected.join(' ')}`;
  };
}

/** Exactly those hands that the record calls shown, and those only that a showdown can show. */
function shownDown({ shown_cards, winners }: ServerMessageOf['hand_result']): Claim {
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

/** The board that was opened, hands that were shown and the viewer's own, and what proves just these. */
function asWatched(viewer: Viewer, given: PublicHandBody): Claim {
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

/** Exactly the places of the deck that everybody saw, and the viewer's own; and no salt or secret of any other. */
function openedAtEnd(viewer: Viewer, result: ServerMessageOf['hand_result']): Claim {
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

/** Many viewers ask for the deal of one hand, and a deck takes some hashing. */
const deals = new WeakMap<StoredHand, Deal>();

function provableDeal(hand: StoredHand): Deal | null {
  const deal = deals.get(hand) ?? dealOf(hand);
  if (deal !== null) deals.set(hand, deal);
  return deal;
}
