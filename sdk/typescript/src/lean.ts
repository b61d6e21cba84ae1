import type {
  HandMessage,
  HandResultMessage,
  HandStartMessage,
  HoleCardsMessage,
  PlayerActionMessage,
  ResultMessage,
  ResyncResponseMessage,
  ServerMessage,
  TableStateMessage,
  TurnMessage,
  YourTurnMessage,
} from './generated/messages.js';
import { STREETS, type Street } from './hand.js';

/** The subprotocols that a socket of the kit offers. The server takes the first that it knows. */
export const protocolsOf = (lean: boolean): readonly string[] => (lean ? ['agent-poker.lean.1', 'agent-poker'] : []);

type Line = TurnMessage['actions'][number];
/** A player of the hand. Chips: `stack` behind, `bet` on this street. */
interface Seat {
  readonly seat: number;
  readonly name: string;
  stack: number;
  bet: number;
  folded: boolean;
}

/** Board cards open, by street. */
const STREET_OF: Readonly<Record<number, Street>> = { 0: 'preflop', 3: 'flop', 4: 'turn', 5: 'river' };

/**
 * Reads the frames of the lean subprotocol (protocol.md, "Lean") and tells them in the words of the others, so that the
 * player knows one language. Lean leaves out everything that follows from the rest. It is worked out here: stacks, bets
 * and the pot after each action. Other frames pass.
 */
export class LeanReader {
  #hand: HandMessage | null = null;
  #seats: Seat[] = [];
  #pot = 0;
  #street: Street = 'preflop';
  /** The actions of the hand that are known, and the number of the frame that told the last of them. */
  #lines: Line[] = [];
  #seq = 0;

  /** Lean frames have no time: theirs is that of their arrival, in ms since 1970. */
  constructor(private readonly now: () => number = Date.now) {}

  read(message: ServerMessage): readonly ServerMessage[] {
    switch (message.type) {
      case 'hand':
        return this.#begin(message);
      case 'turn':
        return this.#turn(message);
      case 'result':
        return this.#result(message);
      case 'ack':
        return [{ ...message, type: 'action_ack', status: 'accepted' } as ServerMessage];
      case 'resync_response':
        return [this.#renumbered(message)];
      default:
        return [message];
    }
  }

  #begin(hand: HandMessage): ServerMessage[] {
    // Told again to a new socket: what is known of the hand holds, and so does its open turn.
    if (hand.hand_id === this.#hand?.hand_id) return [];
    this.#hand = hand;
    return numbered(hand.table_seq, this.#deal(hand));
  }

  #turn(turn: TurnMessage): ServerMessage[] {
    const hand = this.#handOf(turn);
    const events = this.#catchUp(hand, turn);
    this.#open(STREET_OF[turn.board.length] ?? this.#street);
    const { valid_actions, pot, turn_token, deadline_ms, time_bank_ms } = turn;
    const asked = { type: 'your_turn', seat: hand.seat, valid_actions, pot, turn_token, deadline_ms, time_bank_ms };
    const told = { ...headOf(hand, this.now()), ...asked } as YourTurnMessage;
    return numbered(turn.table_seq, [...events, this.#state(hand, turn.board), told]);
  }

  #result(result: ResultMessage): ServerMessage[] {
    const hand = this.#handOf(result);
    const { final_stacks, shown_cards } = result;
    const ended = { ...headOf(hand, this.now()), type: 'hand_result', final_stacks, shown_cards } as HandResultMessage;
    return numbered(result.table_seq, [...this.#catchUp(hand, result), ended]);
  }

  #handOf({ hand_id: id, first }: TurnMessage | ResultMessage): HandMessage {
    if (id === this.#hand?.hand_id && first <= this.#lines.length) return this.#hand;
    throw new Error(`actions of hand ${id} are missing`);
  }

  /** The actions that are news. A new socket is told all of the hand again. */
  #catchUp(hand: HandMessage, { first, actions, table_seq: seq }: TurnMessage | ResultMessage): ServerMessage[] {
    const known = this.#lines.slice(first);
    const isSo = known.every((line, i) => isSame(line, actions[i]));
    const news = isSo ? actions.slice(known.length) : [...this.#lines.slice(0, first), ...actions];
    const again = isSo ? [] : this.#deal(hand);
    const played = news.map((line) => this.#play(hand, line));
    this.#seq = seq;
    return [...again, ...played];
  }

  /** A resync tells actions of the hand in full: under the numbers that they have, or would have, as lean ones. */
  #renumbered(answer: ResyncResponseMessage): ResyncResponseMessage {
    const hand = this.#hand;
    if (hand === null || answer.snapshot.hand_id !== hand.hand_id) return answer;
    const told = answer.replayed_events.filter(
      (event): event is PlayerActionMessage => event.type === 'player_action' && event.hand_id === hand.hand_id,
    );
    const before = this.#lines.length - told.filter(({ table_seq: seq }) => seq <= this.#seq).length;
    for (const event of told) {
      if (event.table_seq <= this.#seq) continue;
      this.#play(hand, event);
      this.#seq = event.table_seq;
    }
    const numbers = new Map<object, number>(told.map((event, i) => [event, before + i + 1]));
    const replayed = answer.replayed_events.map((event) => {
      const number = numbers.get(event);
      return number === undefined ? event : ({ ...event, hand_seq: number } as typeof event);
    });
    return { ...answer, replayed_events: replayed };
  }

  // ---- what follows

  #deal(hand: HandMessage): ServerMessage[] {
    this.#seats = hand.players.map((player) => ({ ...player, folded: false }));
    this.#pot = hand.players.reduce((sum, { bet }) => sum + bet, 0);
    this.#street = 'preflop';
    this.#lines = [];
    this.#seq = 0;
    const { seat, dealer_seat, blinds, hole_cards: cards } = hand;
    return [
      { ...headOf(hand, this.now()), type: 'hand_start', seat, dealer_seat, blinds } as HandStartMessage,
      { ...headOf(hand, this.now()), type: 'hole_cards', cards } as HoleCardsMessage,
      this.#state(hand, []),
    ];
  }

  #play(hand: HandMessage, { seat, action, amount, street }: Line): PlayerActionMessage {
    const player = this.#seats.find((other) => other.seat === seat);
    if (player === undefined) throw new Error(`seat ${seat} is not in hand ${hand.hand_id}`);
    this.#open(street);
    const [stackBefore, potBefore] = [player.stack, this.#pot];
    const added = amount === null ? 0 : action === 'raise' ? amount - player.bet : amount;
    player.stack -= added;
    player.bet += added;
    player.folded ||= action === 'fold';
    this.#pot += added;
    this.#lines.push({ seat, action, amount, street });
    return {
      ...headOf(hand, this.now()),
      hand_seq: this.#lines.length,
      type: 'player_action',
      seat,
      name: player.name,
      action,
      amount,
      street,
      reason: null,
      action_id: 'lean',
      stack: player.stack,
      pot: this.#pot,
      amount_mode: action === 'raise' ? 'to_total' : 'incremental',
      pot_before: potBefore,
      pot_after: this.#pot,
      to_call_before: null,
      contribution_delta: added,
      stack_before: stackBefore,
      stack_after: player.stack,
      player_stack_before: stackBefore,
      player_stack_after: player.stack,
    } as PlayerActionMessage;
  }

  /** On a later street nobody has bet yet. */
  #open(street: Street): void {
    if (STREETS.indexOf(street) <= STREETS.indexOf(this.#street)) return;
    this.#street = street;
    for (const seat of this.#seats) seat.bet = 0;
  }

  #state(hand: HandMessage, board: readonly string[]): TableStateMessage {
    const seats = this.#seats.map(({ seat, name, stack, bet, folded }) => {
      return { seat, name, stack, bet, folded, in_hand: true, status: 'active', is_pro: false };
    });
    return {
      ...headOf(hand, this.now()),
      stream: 'state',
      type: 'table_state',
      street: this.#street,
      board,
      pot: this.#pot,
      seats,
      dealer_seat: hand.dealer_seat,
      ...hand.blinds,
      hero: { seat: hand.seat, hole_cards: hand.hole_cards },
    } as unknown as TableStateMessage;
  }
}

/** The common start of all events. */
function headOf({ hand_id, table_id }: HandMessage, now: number) {
  const ts = new Date(now).toISOString();
  return { stream: 'event', table_id, hand_id, table_seq: 0, hand_seq: 1, ts, state_hash: null } as const;
}

const isSame = (line: Line, other: Line | undefined): boolean =>
  (['seat', 'action', 'amount', 'street'] as const).every((key) => line[key] === other?.[key]);

/** One frame has become several: the last has its number, those before it are between that and the one below. */
function numbered(seq: number, messages: readonly ServerMessage[]): ServerMessage[] {
  return messages.map((message, i) => ({
    ...message,
    table_seq: seq - 1 + (i + 1) / messages.length,
  })) as ServerMessage[];
}
