import { shake256 } from '@noble/hashes/sha3.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import type {
  ActionMix,
  ClientMessage,
  DealNonceAckMessage,
  DealtDeck,
  HandStartMessage,
  NextDeal,
  OpenedCard,
  OwnDice,
  ReplayedEvent,
  ResyncSnapshot,
  SeatNonce,
  ServerMessage,
  ServerMessages,
} from './generated/messages.js';
import { diceFaults, sha256, type KnownDraw } from './dice.js';
import { behind } from './hand.js';

/** Fair deals (protocol.md, "Fair deals"): was a hand dealt from the deck that was committed to, and the own part in it. */

const CARDS = Array.from('23456789TJQKA').flatMap((rank) => Array.from('cdhs', (suit) => rank + suit));
/** Nonces in a chain: one is sent in each hand. */
const CHAIN = 1024;
/** Acknowledgements that are remembered. */
const ACKS = 8;

export interface OpenedHand {
  readonly seat: number;
  readonly hole_cards: readonly string[];
  readonly opened: readonly OpenedCard[];
}

/** The input of `verify`: the answer of GET /api/hands/{hand_id}/proof, or the same with the announcement before it. */
export interface Deal {
  readonly table_id: string;
  readonly hand_number: number;
  readonly dealer_seat: number;
  /** The own seat; undefined for a spectator. */
  readonly seat?: number | undefined;
  readonly seats: readonly number[];
  readonly hole_cards?: readonly string[] | undefined;
  readonly board: readonly string[];
  readonly shown_cards: Readonly<Record<string, readonly string[]>>;
  readonly deck_commitment: string;
  readonly deal_nonces: readonly SeatNonce[];
  readonly deal_proof: DealtDeck;
  readonly own_opened?: readonly OpenedCard[] | undefined;
  /** Folded and mucked hands that the competition has opened. */
  readonly opened_hands?: readonly OpenedHand[] | undefined;
  /** `next_deal` of the hand before, where that was read. */
  readonly announced?: NextDeal | null | undefined;
  /** Own nonces that were told to count in this hand. */
  readonly acks?: readonly string[] | undefined;
  /** Where the player mixed actions. */
  readonly own_dice?: OwnDice | undefined;
  /** The actions of the hand, where they are known. */
  readonly actions?: readonly { readonly seat: number; readonly action: string; readonly amount: number | null }[];
  /** Draws that acknowledgements told. */
  readonly draws?: readonly KnownDraw[] | undefined;
}

/** The card dealt for each card of the deck: Fisher-Yates by the 16-bit words of SHAKE-256. */
function permutation(commitment: string, nonces: readonly SeatNonce[]): string[] {
  const dealt = [...CARDS];
  if (nonces.length === 0) return dealt;
  const seed = `agent-poker/nonces|${commitment}${nonces.map(({ seat, nonce }) => `|${seat}:${nonce}`).join('')}`;
  const bytes = shake256(new TextEncoder().encode(seed), { dkLen: 1024 });
  let at = 0;
  // Lemire's unbiased choice.
  const below = (n: number): number => {
    for (;;) {
      const product = (bytes[at]! * 256 + bytes[at + 1]!) * n;
      at += 2;
      if (product % 65536 >= 65536 % n) return Math.floor(product / 65536);
    }
  };
  for (let i = 0; i < dealt.length; i++) {
    const chosen = i + below(dealt.length - i);
    [dealt[i], dealt[chosen]] = [dealt[chosen]!, dealt[i]!];
  }
  return dealt;
}

/** The faults of a deal. An empty list means that it is fair. */
export function verify(deal: Deal): string[] {
  const faults: string[] = [];
  const check = (holds: boolean, fault: string) => {
    if (!holds) faults.push(fault);
  };
  const { deck_commitment: root, deal_nonces: nonces, deal_proof: proof } = deal;
  const place = `${deal.table_id}|${deal.hand_number}|`;
  check(sha256(`agent-poker/deck|${place}${proof.hashes.join('')}${proof.rest}`) === root, 'not the committed deck');
  const [dealt, opened] = [permutation(root, nonces), new Map<number, string | undefined>()];
  for (const { index, card, salt } of [
    ...proof.opened,
    ...(deal.own_opened ?? []),
    ...(deal.opened_hands ?? []).flatMap((hand) => hand.opened),
  ]) {
    const leaf = sha256(`agent-poker/leaf|${place}${String(index).padStart(2, '0')}|${card}|${salt}`);
    check(leaf === proof.hashes[index], `wrong leaf ${index}`);
    opened.set(index, dealt[CARDS.indexOf(card)]);
  }
  check(new Set(opened.values()).size === opened.size, 'a card is twice in the deck');
  for (const { what, places, cards } of seen(deal)) {
    check(
      cards.every((card, i) => opened.get(places[i]!) === card),
      `${what}: not the cards of the deck`,
    );
  }
  return [...faults, ...againstAnnouncement(deal), ...diceFaults(deal)];
}

/** The cards that were seen, and their places in dealing order. */
function seen(deal: Deal): { what: string; places: number[]; cards: readonly string[] }[] {
  const first = deal.dealer_seat + 1;
  const order = [...deal.seats].sort((a, b) => behind(a, first) - behind(b, first));
  const holes = (seat: number) => [order.indexOf(seat), order.indexOf(seat) + order.length];
  const hands = Object.entries(deal.shown_cards).map(([seat, cards]) => {
    return { what: `seat ${seat}`, places: holes(Number(seat)), cards };
  });
  for (const { seat, hole_cards: cards } of deal.opened_hands ?? []) {
    hands.push({ what: `opened seat ${seat}`, places: holes(seat), cards });
  }
  const { seat, hole_cards: own } = deal;
  if (seat !== undefined && own !== undefined) hands.push({ what: 'own cards', places: holes(seat), cards: own });
  const places = Array.from({ length: 5 }, (_, i) => 2 * order.length + i);
  return [...hands, { what: 'board', places, cards: deal.board }];
}

function againstAnnouncement(deal: Deal): string[] {
  const { deck_commitment: root, deal_nonces: nonces, announced, acks = [], seat: own, hole_cards: hole } = deal;
  const faults: string[] = [];
  if (announced !== undefined && announced !== null) {
    if (announced.deck_commitment !== root) faults.push('another deck than was announced');
    const anchors = new Map(announced.anchors.map(({ seat, anchor }) => [seat, anchor]));
    for (const { seat, nonce } of nonces) {
      if (anchors.get(seat) !== sha256(nonce)) faults.push(`nonce of seat ${seat} was not fixed`);
    }
  }
  const isIn = (nonce: string) => nonces.some((each) => each.seat === own && each.nonce === nonce);
  if (hole !== undefined) for (const nonce of acks) if (!isIn(nonce)) faults.push('own nonce left out');
  return faults;
}

/** Each nonce is the hash of the one that is sent after it. */
export class NonceChain {
  #chain: string[] = [];
  /** Where each nonce stands in the chain. */
  #places = new Map<string, number>();

  constructor(private readonly end: () => string = () => bytesToHex(crypto.getRandomValues(new Uint8Array(32)))) {}

  /**
   * The value to send after this anchor was announced for the own seat: the one with that hash, else the first of a new
   * chain.
   */
  next(anchor: string | null): string {
    const at = this.#places.get(anchor ?? '') ?? 0;
    if (at > 0) return this.#chain[at - 1]!;
    this.#chain = [this.end()];
    while (this.#chain.length < CHAIN) this.#chain.push(sha256(this.#chain.at(-1)!));
    this.#places = new Map(this.#chain.map((nonce, place) => [nonce, place]));
    return this.#chain.at(-1)!;
  }
}

/** A hand that was checked. */
export interface Verified {
  readonly handId: string;
  readonly handNumber: number;
  readonly faults: readonly string[];
  /** An own nonce had a part in its deck. */
  readonly counted: boolean;
}

/** A hand with a committed deck. */
interface Followed {
  start: HandStartMessage & Required<Pick<HandStartMessage, 'deck_commitment' | 'hand_number' | 'deal_nonces'>>;
  hole: readonly string[] | undefined;
  board: readonly string[];
  announced: NextDeal | null;
  acks: readonly string[];
  draws: readonly KnownDraw[];
  isOver: boolean;
}

/** Follows the deals of a table frame by frame: says what to send, and checks each hand that ends. */
export class Deals {
  #hand: Followed | null = null;
  #acks: DealNonceAckMessage[] = [];
  /** The mix that was sent last, and its id. */
  #mix: { id: string | null; parts: ActionMix['mix'] } | null = null;

  constructor(private readonly chain = new NonceChain()) {}

  /** An own message: a mix is compared with the one that the proof shows. */
  sent(message: ClientMessage): void {
    if (message.type !== 'action' || typeof message.action !== 'object') return;
    this.#mix = { id: message.client_action_id ?? null, parts: message.action.mix };
  }

  /** A frame, or an event of a resync. */
  read(frame: ServerMessage | ReplayedEvent | ResyncSnapshot): { send?: ClientMessage; verified?: Verified } {
    if (frame.type === 'hand_start') return this.#begin(frame);
    if (frame.type === 'deal_nonce_ack') {
      if (frame.counts) this.#acks = [...this.#acks.slice(1 - ACKS), frame];
      return {};
    }
    // Another sitting: what was sent before it has no part in what comes.
    if (frame.type === 'table_joined') this.#acks = [];
    const hand = this.#hand;
    if (hand === null || !('hand_id' in frame) || frame.hand_id !== hand.start.hand_id) return {};
    if (frame.type === 'action_ack' && frame.drawn !== undefined) {
      const { drawn, client_action_id: id } = frame;
      const parts = this.#mix?.id === id ? this.#mix.parts : null;
      hand.draws = [...hand.draws.filter(({ number }) => number !== drawn.number), { ...drawn, parts }];
    }
    if (frame.type === 'table_state') hand.hole ??= frame.hero?.hole_cards;
    if (frame.type === 'hole_cards') hand.hole = frame.cards;
    if (frame.type === 'community_cards') {
      // Only the new cards, or with a switch of the server all of them.
      hand.board = frame.cards.length > 3 ? frame.cards : [...hand.board, ...frame.cards];
    }
    return frame.type === 'hand_result' ? this.#finish(hand, frame) : {};
  }

  #begin(start: HandStartMessage): { send?: ClientMessage } {
    const before = this.#hand;
    if (start.hand_id === before?.start.hand_id) return {};
    this.#hand = null;
    const { deck_commitment, hand_number, deal_nonces = [], next_deal: next, seat } = start;
    if (deck_commitment === undefined || hand_number === undefined) return {};
    const follows = before?.isOver === true && before.start.table_id === start.table_id;
    const announced = follows && before.start.hand_number + 1 === hand_number ? (before.start.next_deal ?? null) : null;
    const acks = this.#acks.filter((ack) => ack.deck_commitment === deck_commitment).map(({ nonce }) => nonce);
    const whole = { ...start, deck_commitment, hand_number, deal_nonces };
    this.#hand = { start: whole, hole: undefined, board: [], announced, acks, draws: [], isOver: false };
    if (seat === undefined || next === undefined) return {};
    const anchor = next.anchors.find((each) => each.seat === seat)?.anchor ?? null;
    return { send: { type: 'deal_nonce', nonce: this.chain.next(anchor) } };
  }

  #finish(hand: Followed, result: ServerMessages['hand_result']): { verified?: Verified } {
    if (hand.isOver) return {};
    hand.isOver = true;
    const { start, hole, ...known } = hand;
    const { deal_proof, own_opened, own_dice, shown_cards, actions } = result;
    if (deal_proof === undefined) return {};
    const seats = Object.keys(result.final_stacks).map(Number);
    const opened = { deal_proof, own_opened, own_dice, shown_cards, actions };
    const faults = verify({ ...start, ...known, hole_cards: hole, ...opened, seats });
    const counted = start.deal_nonces.some(({ seat }) => seat === start.seat);
    return { verified: { handId: start.hand_id, handNumber: start.hand_number, faults, counted } };
  }
}
