import { sha256 as sha256Bytes } from '@noble/hashes/sha2';
import { shake256 } from '@noble/hashes/sha3';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils';
import { CARD_NAMES } from '../../src/cards/card.js';
import type { PublicHandAnswer } from '../game/public-hand.js';

/** Was a hand dealt from the deck that was committed to? protocol.md, "Fair deals" has the formulas. */

export interface DealFacts {
  tableId: string;
  handNumber: number;
  commitment: string;
  nonces: readonly { seat: number; nonce: string }[];
  hashes: readonly string[];
  rest: string;
  opened: readonly { index: number; card: string; salt: string }[];
  /** Seats that were dealt in, and who had the button. */
  seats: readonly number[];
  button: number;
  board: readonly string[];
  /** Hole cards that the reader sees, by seat. */
  holes: ReadonlyMap<number, readonly string[]>;
}

/** The facts of a stored hand, with all cards that its reader sees; null where its deck was not committed to. */
export function factsOf(hand: PublicHandAnswer): DealFacts | null {
  const start = hand.events.find((event) => event.type === 'hand_start');
  const result = hand.events.find((event) => event.type === 'hand_result');
  if (start?.deck_commitment === undefined || result?.deal_proof === undefined) return null;
  const { hashes, rest, opened } = result.deal_proof;
  const holes = new Map(
    hand.players.flatMap(({ seat, shown, hole_cards: cards }) => (shown && cards ? [[seat, cards] as const] : [])),
  );
  if (hand.own?.opened) holes.set(hand.own.seat, hand.own.hole_cards);
  for (const { seat, opened: proof, hole_cards: cards } of hand.players) if (proof && cards) holes.set(seat, cards);
  const closed = [hand.own?.opened ?? [], ...hand.players.map((player) => player.opened ?? [])].flat();
  const alsoOpened = closed.filter(({ index }) => !opened.some((other) => other.index === index));
  return {
    tableId: hand.table_id,
    handNumber: hand.hand_number,
    commitment: start.deck_commitment,
    nonces: start.deal_nonces ?? [],
    hashes,
    rest,
    opened: [...opened, ...alsoOpened],
    seats: hand.players.map(({ seat }) => seat),
    button: hand.dealer_seat,
    holes,
    board: hand.events.flatMap((event) => (event.type === 'community_cards' ? event.cards : [])),
  };
}

/** The announcement of the hand before, if this page read it. */
export interface Announced {
  commitment: string;
  anchors: readonly { seat: number; anchor: string }[];
}

export interface Verdict {
  /** The leaves make the commitment. */
  committed: boolean;
  /** Whether the announced deck was dealt; null if this page did not see the announcement. */
  announced: boolean | null;
  /** Every card that was opened is of the deck, and lies where the dealing order puts it. */
  opens: boolean;
  cards: number;
  /** Every nonce was fixed before; null where this page did not see that. */
  fixed: boolean | null;
  nonces: number;
}

/** By WebCrypto where the browser has it: pages without TLS have none. */
async function sha256(text: string): Promise<string> {
  const bytes = utf8ToBytes(text);
  if (globalThis.crypto?.subtle === undefined) return bytesToHex(sha256Bytes(bytes));
  return bytesToHex(new Uint8Array(await crypto.subtle.digest('SHA-256', Uint8Array.from(bytes))));
}

export async function verify(facts: DealFacts, announced: Announced | null): Promise<Verdict> {
  const { commitment, nonces, hashes, rest, opened } = facts;
  const place = `${facts.tableId}|${facts.handNumber}|`;
  const root = await sha256(`agent-poker/deck|${place}${hashes.join('')}${rest}`);
  const dealt = permutation(commitment, nonces);
  const lies = new Map<number, string>();
  let opens = true;
  for (const { index, card, salt } of opened) {
    const leaf = await sha256(`agent-poker/leaf|${place}${String(index).padStart(2, '0')}|${card}|${salt}`);
    opens &&= leaf === hashes[index];
    lies.set(index, dealt[CARD_NAMES.indexOf(card)] ?? '');
  }
  opens &&= new Set(lies.values()).size === lies.size && allLie(facts, lies);
  const isFixed = async ({ seat, nonce }: { seat: number; nonce: string }) => {
    const anchor = await sha256(nonce);
    return announced!.anchors.some((each) => each.seat === seat && each.anchor === anchor);
  };
  const fixed = announced && (await Promise.all(nonces.map(isFixed))).every(Boolean);
  return {
    committed: root === commitment,
    opens,
    cards: lies.size,
    fixed,
    nonces: nonces.length,
    announced: announced && announced.commitment === commitment,
  };
}

/** Whether each card that the reader sees is the one that was opened at its place. */
function allLie({ seats, button, board, holes }: DealFacts, lies: ReadonlyMap<number, string>): boolean {
  const left = (seat: number) => (seat - button + 63) % 64;
  const order = [...seats].sort((a, b) => left(a) - left(b));
  const n = order.length;
  const wanted = [
    ...board.map((card, i) => [2 * n + i, card] as const),
    ...[...holes].flatMap(([seat, cards]) => cards.map((card, i) => [order.indexOf(seat) + i * n, card] as const)),
  ];
  return wanted.every(([index, card]) => lies.get(index) === card);
}

/** The card that is dealt for each card of the deck: Fisher-Yates by 16-bit words, Lemire's choice below n. */
function permutation(commitment: string, nonces: DealFacts['nonces']): string[] {
  const dealt = [...CARD_NAMES];
  if (nonces.length === 0) return dealt;
  const seed = `agent-poker/nonces|${commitment}${nonces.map(({ seat, nonce }) => `|${seat}:${nonce}`).join('')}`;
  const bytes = shake256(utf8ToBytes(seed), { dkLen: 1024 });
  const words = new DataView(bytes.buffer, bytes.byteOffset);
  let at = 0;
  for (let i = 0; i < dealt.length; i++) {
    const bound = dealt.length - i;
    let product = 0;
    do {
      product = words.getUint16(at) * bound;
      at += 2;
    } while (product % 65536 < 65536 % bound);
    const chosen = i + Math.floor(product / 65536);
    [dealt[i], dealt[chosen]] = [dealt[chosen]!, dealt[i]!];
  }
  return dealt;
}
