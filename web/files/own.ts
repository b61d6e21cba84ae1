import type { Static } from 'typebox';
import type { ExportedHand } from '../../src/protocol/rest/history.js';
import type { ReplayHand } from '../../src/formats/hand.js';
import { STREETS } from '../../src/formats/hand.js';
import { fromPublicHand, type PublicHandAnswer } from '../game/public-hand.js';
import { FileError, HandWriter, holeOf } from './writer.js';

type Exported = Static<typeof ExportedHand>;

/** Our own JSON: a hand of GET /api/hands/{hand_id}, or an export of the hand history. */
export function ownHands(text: string): ReplayHand[] {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    throw new FileError('The file is no JSON.');
  }
  const list = isRecord(json) && Array.isArray(json['hands']) ? json['hands'] : Array.isArray(json) ? json : [json];
  return list.map((hand) => {
    if (isRecord(hand) && Array.isArray(hand['events']) && Array.isArray(hand['blinds'])) {
      return fromPublicHand(hand as unknown as PublicHandAnswer);
    }
    if (isRecord(hand) && Array.isArray(hand['actions']) && Array.isArray(hand['players'])) {
      return exportedHand(hand as unknown as Exported);
    }
    throw new FileError('The file holds no hand: take the JSON of a hand, or of an export with players.');
  });
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

function exportedHand(hand: Exported): ReplayHand {
  const writer = new HandWriter(
    hand.players.map(({ seat, name, stack_start: stack }) => {
      const own = seat === hand.seat;
      const cards = holeOf(own ? hand.hole_cards : (hand.shown_cards[String(seat)] ?? []));
      return { seat, name, stack, slug: null, cards, own };
    }),
  );
  for (const { seat, amount, kind } of postsOf(hand)) writer.post(seat, amount, kind);
  for (const { seat, action, amount, street } of hand.actions) {
    openTo(writer, hand, STREETS.indexOf(street));
    if (action === 'fold') writer.fold(seat);
    else if (action === 'raise') writer.raiseTo(seat, amount ?? 0);
    else if (action === 'all_in') writer.add(seat, 'all_in', amount ?? 0);
    else writer.checkOrCall(seat);
  }
  writer.returnUncalled();
  openTo(writer, hand, hand.board.length === 0 ? 0 : hand.board.length - 2);
  for (const [seat, cards] of Object.entries(hand.shown_cards)) writer.show(Number(seat), cards);
  writer.settle(new Map(hand.players.map(({ seat, stack_end: stack }) => [seat, stack])));
  return writer.hand({
    ...{ handId: hand.hand_id, tableId: hand.table_id, title: `Hand ${hand.hand_number}` },
    ...{ handNumber: hand.hand_number, startedAt: hand.started_at, button: hand.button },
    ...{ smallBlind: hand.small_blind, bigBlind: hand.big_blind },
  });
}

/** A saved file may not tell its posts. Then they are the two blinds. */
function postsOf(hand: Omit<Exported, 'posts'> & Partial<Pick<Exported, 'posts'>>): Exported['posts'] {
  if (hand.posts !== undefined) return hand.posts;
  const order = inOrder(hand);
  const [small, big] = order.length === 2 ? [order[1]!, order[0]!] : [order[0]!, order[1]!];
  return [
    { seat: small, amount: hand.small_blind, kind: 'small_blind' },
    { seat: big, amount: hand.big_blind, kind: 'big_blind' },
  ];
}

/** Seats in the order of dealing, the button last. */
function inOrder({ players, button }: Pick<Exported, 'players' | 'button'>): number[] {
  const turn = (seat: number) => (seat > button ? seat : seat + players.length + 64);
  return players.map(({ seat }) => seat).sort((a, b) => turn(a) - turn(b));
}

function openTo(writer: HandWriter, { board }: Exported, streets: number): void {
  while (writer.opened < streets) {
    const from = writer.opened === 0 ? 0 : writer.opened + 2;
    writer.street(board.slice(from, writer.opened + 3));
  }
}
