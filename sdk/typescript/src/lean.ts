import type {
  CommunityCardsMessage,
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

/** What a socket of the kit offers; the server takes the first that it knows. */
export const protocolsOf = (lean: boolean): readonly string[] => (lean ? ['agent-poker.lean.1', 'agent-poker'] : []);

type Line = TurnMessage['actions'][number];
/** Whoever plays the hand. Chips: `stack` behind, `bet` on this street. */
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
 * Reads the frames of the lean subprotocol (PROTOCOL.md, "Lean") and tells them in the words of the others, so that the
 * player knows one language. What lean leaves out because it follows from the rest is worked out here: stacks, bets and
 * the pot after each action. Other frames pass.
 */
export class LeanReader {
  #hand: HandMessage | null = null;
  #seats: Seat[] = [];
  #pot = 0;
  #street: Street = 'preflop';
  /** Actions of the hand that were told. */
  #told = 0;

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
        return [this.#resynced(message)];
      default:
        return [message];
    }
  }

  #begin(hand: HandMessage): ServerMessage[] {
    this.#hand = hand;
    this.#seats = hand.players.map((player) => ({ ...player, folded: false }));
    this.#pot = hand.players.reduce((sum, { bet }) => sum + bet, 0);
    this.#street = 'preflop';
    this.#told = 0;
    const { seat, dealer_seat, blinds, hole_cards: cards } = hand;
    return numbered(hand.table_seq, [
      { ...this.#event(hand), type: 'hand_start', seat, dealer_seat, blinds } as HandStartMessage,
      { ...this.#event(hand), type: 'hole_cards', cards } as HoleCardsMessage,
      this.#state(hand, []),
    ]);
  }

  #turn(turn: TurnMessage): ServerMessage[] {
    const events = this.#catchUp(turn);
    const { valid_actions, pot, turn_token } = turn;
    const seat = this.#hand?.seat ?? -1;
    const asked = { ...this.#event(turn), type: 'your_turn', seat, valid_actions, pot, turn_token } as YourTurnMessage;
    return numbered(turn.table_seq, [...events, this.#state(turn, turn.board), asked]);
  }

  #result(result: ResultMessage): ServerMessage[] {
    const { final_stacks, shown_cards } = result;
    const ended = { ...this.#event(result), type: 'hand_result', final_stacks, shown_cards } as HandResultMessage;
    return numbered(result.table_seq, [...this.#catchUp(result), ended]);
  }

  /** What was done since; from the beginning of the hand where the server tells all of it again. */
  #catchUp(message: TurnMessage | ResultMessage): ServerMessage[] {
    const again = message.first === 0 && this.#told > 0 && this.#hand !== null ? this.#begin(this.#hand) : [];
    // A frame that comes twice tells nothing new.
    const known = Math.max(0, this.#told - message.first);
    const played = message.actions.slice(known).map((line) => this.#play(message, line));
    this.#told = Math.max(this.#told, message.first + message.actions.length);
    this.#open(STREET_OF[message.board.length] ?? this.#street);
    const cards = { ...this.#event(message), type: 'community_cards', street: this.#street, cards: message.board };
    const opened = message.board.length === 0 ? [] : [cards as CommunityCardsMessage];
    return [...again, ...played, ...opened];
  }

  #play(message: TurnMessage | ResultMessage, { seat, action, amount, street }: Line): PlayerActionMessage {
    this.#open(street);
    const player = this.#seats.find((other) => other.seat === seat);
    if (player === undefined) throw new Error(`seat ${seat} is not in hand ${message.hand_id}`);
    const [stackBefore, potBefore] = [player.stack, this.#pot];
    const added = amount === null ? 0 : action === 'raise' ? amount - player.bet : amount;
    player.stack -= added;
    player.bet += added;
    player.folded ||= action === 'fold';
    this.#pot += added;
    return {
      ...this.#event(message),
      ...{ type: 'player_action', seat, name: player.name, action, amount, street, reason: null, action_id: 'lean' },
      ...{ stack: player.stack, pot: this.#pot, amount_mode: action === 'raise' ? 'to_total' : 'incremental' },
      ...{ pot_before: potBefore, pot_after: this.#pot, to_call_before: null, contribution_delta: added },
      ...{ stack_before: stackBefore, stack_after: player.stack },
      ...{ player_stack_before: stackBefore, player_stack_after: player.stack },
    } as PlayerActionMessage;
  }

  /** On a later street nobody has bet yet. */
  #open(street: Street): void {
    if (STREETS.indexOf(street) <= STREETS.indexOf(this.#street)) return;
    this.#street = street;
    for (const seat of this.#seats) seat.bet = 0;
  }

  #state(of: { hand_id: string; table_id: string }, board: readonly string[]): TableStateMessage {
    const hand = this.#hand;
    const seats = this.#seats.map(({ seat, name, stack, bet, folded }) => {
      return { seat, name, stack, bet, folded, in_hand: true, status: 'active', is_pro: false };
    });
    return {
      ...this.#event(of),
      ...{ stream: 'state', type: 'table_state', street: this.#street, board, pot: this.#pot, seats },
      dealer_seat: hand?.dealer_seat ?? 0,
      small_blind: hand?.blinds.small_blind ?? 0,
      big_blind: hand?.blinds.big_blind ?? 0,
      hero: { seat: hand?.seat ?? -1, hole_cards: hand?.hole_cards ?? [] },
    } as unknown as TableStateMessage;
  }

  /** The answer to a resync repeats what was told already, under other numbers. */
  #resynced(message: ResyncResponseMessage): ResyncResponseMessage {
    if (this.#told === 0 || message.snapshot.hand_id !== this.#hand?.hand_id) return message;
    const isTold = ({ type, hand_id: id }: { type: string; hand_id: string | null }) =>
      type === 'player_action' && id === this.#hand?.hand_id;
    return { ...message, replayed_events: message.replayed_events.filter((event) => !isTold(event)) };
  }

  #event({ hand_id, table_id }: { hand_id: string; table_id: string }) {
    const ts = new Date().toISOString();
    return { stream: 'event', table_id, hand_id, table_seq: 0, hand_seq: 1, ts, state_hash: null } as const;
  }
}

/** One frame has become several: the last has its number, those before it are between that and the one below. */
function numbered(seq: number, messages: readonly ServerMessage[]): ServerMessage[] {
  return messages.map((message, i) => ({
    ...message,
    table_seq: seq - 1 + (i + 1) / messages.length,
  })) as ServerMessage[];
}
