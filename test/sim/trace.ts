import type { ServerMessage } from '../../src/protocol/server.js';

const KEPT = 400;

/** The last things that happened, for the report of a broken invariant: one short line each. */
export class Trace {
  readonly #lines: (() => string)[] = [];

  constructor(private readonly now: () => number) {}

  add(who: string, what: () => string): void {
    const time = new Date(this.now()).toISOString().slice(14, 23);
    this.#lines.push(() => `${time} ${who} ${what()}`);
    if (this.#lines.length > 2 * KEPT) this.#lines.splice(0, KEPT);
  }

  toString(): string {
    return this.#lines
      .slice(-KEPT)
      .map((line) => line())
      .join('\n');
  }
}

/** A message of the server in few words. */
export function brief(message: ServerMessage): string {
  const { type } = message;
  if (!('table_seq' in message)) return `${type} ${JSON.stringify({ ...message, type: undefined }).slice(0, 120)}`;
  const head = `${message.table_id.slice(0, 4)}#${message.table_seq} ${message.hand_id?.slice(-4) ?? ''} ${type}`;
  switch (type) {
    case 'table_state': {
      const { street, pot, actor_seat, board, waiting_reason, hero, seats } = message;
      const taken = seats.filter(({ name }) => name !== null);
      const people = taken.map((seat) => `${seat.seat}:${seat.name}=${seat.stack}/${seat.status[0]}`).join(' ');
      return `${head} ${street} pot ${pot} actor ${actor_seat} hero ${hero?.seat} ${board.join('')} ${waiting_reason ?? ''} [${people}]`;
    }
    case 'player_action':
      return `${head} ${message.name} ${message.action} ${message.amount} ${message.reason ?? ''}`;
    case 'player_left':
      return `${head} ${message.name} ${message.reason}`;
    case 'action_rejected':
      return `${head} ${JSON.stringify(message.details)}`;
    case 'action_ack':
      return `${head} ${message.client_action_id}`;
    case 'community_cards':
      return `${head} ${message.cards.join('')}`;
    case 'hand_result':
      return `${head} ${JSON.stringify(message.final_stacks)}`;
    case 'resync_response':
      return `${head} from ${message.from_table_seq} to ${message.to_table_seq}`;
    default:
      return head;
  }
}
