import type { ActionName } from '../../../sdk/typescript/src/hand.js';
import { CARD_NAMES } from '../../cards/card.js';
import { STREETS } from '../../formats/hand.js';
import type { Hand } from '../../holdem/hand.js';
import { actOf, EventKind, streetOf } from '../../holdem/log.js';
import { Act } from '../../holdem/types.js';

/** By Act. */
const ACT_NAMES: readonly ActionName[] = ['fold', 'check', 'call', 'raise', 'all_in'];

/** Writes what one seat of one table sees, as the JSON of a line's `hand`; each action of a hand once. */
export class TurnWriter {
  #handId: string | null = null;
  /** Events of the hand's log that were written. */
  #written = 0;

  /** `names` by seat. Seats are 0 and up, without a gap. A seat that is not the actor is offered nothing. */
  write(hand: Hand, handId: string, seat: number, names: readonly string[]): string {
    let text = '{';
    if (handId !== this.#handId) {
      this.#handId = handId;
      this.#written = 0;
      const { hole, setup } = hand;
      const cards = `"${CARD_NAMES[hole[2 * seat]!]!}","${CARD_NAMES[hole[2 * seat + 1]!]!}"`;
      text += `"hand_id":"${handId}","seat":${seat},"button":${setup.button},"names":${JSON.stringify(names)},"hole":[${cards}],`;
    }
    text += `"street":"${STREETS[hand.street]!}","board":[`;
    for (let i = 0; i < hand.boardCount; i++) text += `${i > 0 ? ',' : ''}"${CARD_NAMES[hand.boardCards[i]!]!}"`;
    text += `],"pot":${hand.pot},"stacks":${bySeat(hand.stack, names.length)},"bets":${bySeat(hand.bet, names.length)}`;
    return `${text},"actions":[${this.#news(hand, names.length)}],${seat === hand.actor ? offers(hand) : NOTHING}}`;
  }

  /** Actions since the last line. The log has no stacks and pots: they are reckoned from its beginning. */
  #news(hand: Hand, seats: number): string {
    const { log, setup } = hand;
    const stacks = setup.stacks.slice(0, seats);
    const bets = new Int32Array(seats);
    let [text, pot] = ['', 0];
    for (let event = 0; event < log.length; event++) {
      const kind = log.kind(event);
      if (kind === EventKind.street) bets.fill(0);
      if (kind !== EventKind.blind && kind !== EventKind.action) continue;
      const [seat, amount, detail] = [log.seat(event), log.amount(event), log.detail(event)];
      const act = kind === EventKind.action ? actOf(detail) : null;
      const added = act === Act.raise ? amount - bets[seat]! : amount;
      stacks[seat]! -= added;
      bets[seat]! += added;
      pot += added;
      if (act === null || event < this.#written) continue;
      const shown = act === Act.fold || act === Act.check ? 'null' : String(amount);
      const street = STREETS[streetOf(detail)]!;
      text += `${text === '' ? '' : ','}{"seat":${seat},"action":"${ACT_NAMES[act]!}","amount":${shown},"street":"${street}","stack":${stacks[seat]!},"pot":${pot}}`;
    }
    this.#written = log.length;
    return text;
  }
}

const NOTHING = '"can":[],"to_call":0,"min_raise":0,"max_raise":0';

function offers(hand: Hand): string {
  const { fold, check, call, raiseMin, raiseMax, allIn } = hand.legal();
  let can = '';
  if (fold) can += ',"fold"';
  if (check) can += ',"check"';
  if (call > 0) can += ',"call"';
  if (raiseMax > 0) can += ',"raise"';
  if (allIn > 0) can += ',"all_in"';
  return `"can":[${can.slice(1)}],"to_call":${call},"min_raise":${raiseMin},"max_raise":${raiseMax}`;
}

function bySeat(numbers: Int32Array, seats: number): string {
  let text = `[${numbers[0]!}`;
  for (let seat = 1; seat < seats; seat++) text += `,${numbers[seat]!}`;
  return `${text}]`;
}
