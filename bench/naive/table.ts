import { randomUUID } from 'node:crypto';
import type { ActionMessage } from '../../src/protocol/client.js';
import { REJECTION_REASONS, type RejectionCode } from '../../src/protocol/codes.js';
import { NaiveHand, type Taken } from './hand.js';
import * as messages from './messages.js';

export interface Player {
  agentId: string;
  name: string;
  /** JSON.stringify for every send, as everybody does it. */
  send: (message: object) => void;
}

interface Seated extends messages.SeatView {
  player: Player;
  gone: boolean;
}

export interface FinishedHand {
  id: string;
  tableId: string;
  startedAt: Date;
  endedAt: Date;
  record: object;
}

const SEATS = 6;

/**
 * A table in its plainest form: an object for every viewer of every event, and a hand that is reported once it is
 * stored. It knows no clock, no resync and no reconnect: each would only cost more.
 */
export class NaiveTable {
  readonly id = randomUUID();
  readonly #seats: (Seated | null)[] = Array.from({ length: SEATS }, () => null);
  readonly #acked = new Map<string, object>();
  #hand: NaiveHand | null = null;
  #button = 0;
  #seq = 0;
  #handSeq = 0;

  constructor(
    private readonly store: (hand: FinishedHand) => Promise<void>,
    private readonly onBust: (player: Player) => void,
  ) {}

  get hasRoom(): boolean {
    return this.#seats.includes(null);
  }

  sit(player: Player, stack: number): void {
    const seat = this.#seats.indexOf(null);
    this.#seats[seat] = { player, name: player.name, stack, gone: false };
    const players = this.#present().map(({ seat: at, name, stack: chips }) => ({ seat: at, name, stack: chips }));
    player.send({ ...messages.event(this.#next()), type: 'table_joined', seat, players });
    this.#state(seat);
    this.#tell(
      (moment) => ({ ...messages.event(moment), type: 'player_joined', seat, name: player.name, stack }),
      seat,
    );
    if (this.#hand === null) this.#begin();
  }

  /** The socket is gone: the seat folds its turns and is free after the hand. */
  leave(player: Player): void {
    const seat = this.#seats.findIndex((seated) => seated?.player === player);
    if (seat < 0) return;
    this.#seats[seat]!.gone = true;
    if (this.#hand === null) this.#free(seat, 'left');
    else this.#passGone();
  }

  act(player: Player, message: ActionMessage): void {
    const hand = this.#hand;
    const id = `${player.agentId} ${message.hand_id} ${message.client_action_id}`;
    const known = this.#acked.get(id);
    if (known !== undefined) return player.send(known);
    const code = this.#refusal(player, message);
    const taken = code === null ? hand!.act(message.action, message.amount ?? null) : null;
    if (taken === null) return this.#reject(player, code ?? 'invalid_action');
    const clientId = message.client_action_id!;
    const ack = {
      ...messages.answer(this.#next()),
      type: 'action_ack',
      client_action_id: clientId,
      status: 'accepted',
    };
    this.#acked.set(id, ack);
    player.send(ack);
    this.#told(taken, clientId);
  }

  #refusal(player: Player, message: ActionMessage): RejectionCode | null {
    const { hand_id: handId = null, turn_token: token = null, client_action_id: clientId = null } = message;
    const hand = this.#hand;
    if (clientId === null) return 'missing_action_id';
    if (token === null || handId === null) return 'legacy_action_protocol';
    if (hand?.id !== handId) return 'stale_hand_action';
    const seat = hand.actor?.seat;
    if (seat === undefined || this.#seats[seat]?.player !== player) return 'not_your_turn';
    return hand.token === token ? null : 'stale_turn_token';
  }

  #reject(player: Player, code: RejectionCode): void {
    const details = { code, reason: REJECTION_REASONS[code], details: { code } };
    player.send({ ...messages.answer(this.#next()), type: 'action_rejected', ...details });
  }

  // ---- the hand

  #begin(): void {
    const dealt = this.#present().filter(({ stack }) => stack > 0);
    if (dealt.length < 2) return;
    this.#button = (dealt.find(({ seat }) => seat > this.#button) ?? dealt[0]!).seat;
    this.#hand = new NaiveHand(dealt, this.#button);
    this.#handSeq = 0;
    this.#acked.clear();
    this.#tell((moment, seat) => messages.handStart(moment, seat));
    for (const { seat, cards } of this.#hand.players) {
      this.#seats[seat]!.player.send({ ...messages.event(this.#next()), type: 'hole_cards', cards });
    }
    this.#goOn();
  }

  #told(taken: Taken, clientId: string): void {
    const publicId = randomUUID();
    const actor = taken.player.seat;
    this.#tell((moment, seat) => messages.playerAction(moment, taken, seat === actor ? clientId : publicId));
    this.#goOn();
  }

  /** Opens the board as far as it is due, then the next turn, or the end. */
  #goOn(): void {
    const hand = this.#hand!;
    for (let cards = hand.nextStreet(); cards !== null; cards = hand.nextStreet()) {
      const opened = cards;
      this.#tell((moment) => messages.communityCards(moment, opened));
    }
    const { actor } = hand;
    if (actor === null) return void this.#finish();
    this.#states(false);
    if (this.#seats[actor.seat]!.gone) return this.#passGone();
    this.#seats[actor.seat]!.player.send(messages.yourTurn(this.#next()));
  }

  #passGone(): void {
    const hand = this.#hand!;
    const { actor } = hand;
    if (actor === null || !this.#seats[actor.seat]!.gone) return;
    this.#told(hand.act(hand.decision!.toCall > 0 ? 'fold' : 'check', null)!, randomUUID());
  }

  /** Nothing of the result is told before it is stored. */
  async #finish(): Promise<void> {
    const hand = this.#hand!;
    const settlement = hand.settle();
    const { players, board, actions, button } = hand;
    const record = { players, board, actions, button, payouts: [...settlement.payouts] };
    await this.store({ id: hand.id, tableId: this.id, startedAt: hand.startedAt, endedAt: new Date(), record });
    for (const { seat, stack } of players) this.#seats[seat]!.stack = stack;
    this.#states(true);
    this.#tell((moment) => messages.handResult(moment, settlement));
    this.#hand = null;
    for (const { seat, stack, gone } of this.#present()) {
      if (gone) this.#free(seat, 'left');
      else if (stack === 0) this.#bust(seat);
    }
    this.#begin();
  }

  #bust(seat: number): void {
    const { player } = this.#seats[seat]!;
    this.#free(seat, 'busted');
    this.onBust(player);
  }

  #free(seat: number, reason: 'left' | 'busted'): void {
    const { name } = this.#seats[seat]!;
    this.#seats[seat] = null;
    this.#tell((moment) => ({ ...messages.event(moment), type: 'player_left', seat, name, reason }));
  }

  // ---- telling

  #present(): (Seated & { seat: number })[] {
    return this.#seats.flatMap((seated, seat) => (seated === null ? [] : [{ ...seated, seat }]));
  }

  #next(): messages.Moment {
    if (this.#hand !== null) this.#handSeq++;
    return { tableId: this.id, seq: ++this.#seq, hand: this.#hand, handSeq: this.#handSeq };
  }

  /** An event, as an object for each viewer. */
  #tell(messageFor: (moment: messages.Moment, seat: number) => object, except = -1): void {
    const moment = this.#next();
    this.#seats.forEach((seated, seat) => {
      if (seated !== null && seat !== except) seated.player.send(messageFor(moment, seat));
    });
  }

  #states(settled: boolean): void {
    this.#tell((moment, seat) => messages.tableState(moment, this.#seats, this.#button, seat, settled));
  }

  #state(seat: number): void {
    this.#seats[seat]!.player.send(messages.tableState(this.#next(), this.#seats, this.#button, seat, false));
  }
}
