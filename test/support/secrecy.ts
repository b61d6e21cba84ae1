import type { ServerMessage, ServerMessageOf } from '../../src/protocol/server.js';
import type { StoredHand } from '../../src/table/record/record-codec.js';
import {
  asWatched,
  boardSoFar,
  cardsInFile,
  inFile,
  opened,
  openedAtEnd,
  own,
  proven,
  shownDown,
  type Claim,
  type ProofBody,
  type PublicHandBody,
  type Viewer,
} from './claims.js';

export type { ProofBody, PublicHandBody } from './claims.js';

type State = ServerMessageOf['table_state'] | ServerMessageOf['resync_response']['snapshot'];
type Event = ServerMessageOf['resync_response']['replayed_events'][number];

/** Anything in a text that looks like a card. `~5s` is a time to wait. */
const CARD = /(?<![A-Za-z0-9~])[2-9TJQKA][cdhs](?![A-Za-z0-9])/g;

export const cardsIn = (text: string): string[] => text.match(CARD) ?? [];

/**
 * Compares every card that anybody was shown with the stored record of its hand. A viewer may see its own hole cards,
 * the board as far as the betting has come, and shown cards, and no others. `frame`, `view` and `silent` take what is
 * read. `judge` returns the leaks of stored hands, and forgets these hands.
 */
export class Secrecy {
  readonly #claims = new Map<string, Claim[]>();
  /** Actions read so far of the hand that each viewer saw begin. */
  readonly #acted = new Map<Viewer, { hand: string; actions: number }>();
  /** Leaks that are certain without a record. */
  readonly #leaks: string[] = [];
  /** Cards accounted for so far. */
  cards = 0;

  /** A frame as a viewer's socket got it. `reader` names the socket of a viewer with several. */
  frame(viewer: Viewer, frame: ServerMessage, text: string, reader: string | null = viewer): void {
    const all = cardsIn(text);
    this.#count(reader, frame);
    const explained = this.#explain(viewer, frame, reader);
    this.#settle(frame.type, all, explained, text);
  }

  /** A public table_state by REST. Its time is unknown, so only its cards are judged. */
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

  /** The same as a file for other programs. */
  file(viewer: Viewer, handId: string, format: string, text: string): void {
    this.cards += cardsInFile(text).length;
    this.#claim(handId, inFile(viewer, format, text));
  }

  /** The proof of a hand to one of its players. */
  proof(viewer: string, proof: ProofBody, text: string): void {
    const openings = [...proof.deal_proof.opened, ...proof.own_opened].map(({ card }) => card);
    this.#claim(proof.hand_id, proven(viewer, proof));
    const cards = [...proof.hole_cards, ...proof.board, ...Object.values(proof.shown_cards).flat(), ...openings];
    this.#settle('a proof by REST', cardsIn(text), cards, text);
  }

  /** A text that may hold no card at all, such as a log. */
  silent(what: string, text: string): void {
    this.#settle(what, cardsIn(text), [], text);
  }

  #count(viewer: Viewer, frame: ServerMessage): void {
    // Actions while the viewer was away are unknown.
    if (frame.type === 'connected') this.#acted.delete(viewer);
    if (frame.type === 'hand_start') this.#acted.set(viewer, { hand: frame.hand_id, actions: 0 });
    const count = this.#acted.get(viewer);
    if (frame.type === 'player_action' && count?.hand === frame.hand_id) count.actions++;
  }

  /**
   * A viewer that came in the middle of a hand has not seen all of its actions. Infinity means that they prove nothing.
   */
  #actedIn(viewer: Viewer, hand: string | null): number {
    const count = this.#acted.get(viewer);
    return count !== undefined && count.hand === hand ? count.actions : Infinity;
  }

  /** The cards in a frame's card fields. Each field adds its claim. */
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
      // A resync window that begins within a hand does not have all of its actions.
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

  /** Hands with claims that are not judged yet. */
  get pending(): string[] {
    return [...this.#claims.keys()];
  }

  /** The leaks of these hands, and all leaks that need no record. */
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
