import { assert } from '../../ops/assert.js';
import type { TableMessage } from '../messages.js';

/** Messages that a client may send at any rate. The rest comes of what the house does, or asks, itself. */
const CLIENTS: ReadonlySet<TableMessage['t']> = new Set(['act', 'leave', 'rebuy', 'nonce', 'invalid', 'resync']);
/** Questions with a short wait. */
const QUESTIONS: ReadonlySet<TableMessage['t']> = new Set(['state', 'seat']);

/**
 * Messages that wait for a table or a buy-in while the database is away. Their number is limited: so many of clients,
 * so many questions, and each agent's latest socket.
 */
export class HeldMessages {
  #messages: TableMessage[] = [];
  #bounded = 0;

  constructor(private readonly most: number) {}

  /** False where there are too many: the message is dropped. */
  hold(message: TableMessage): boolean {
    if (CLIENTS.has(message.t) || QUESTIONS.has(message.t)) {
      if (this.#bounded >= this.most) return false;
      this.#bounded++;
    }
    // A later socket makes what was said of the earlier ones void.
    if (message.t === 'attach') {
      this.#messages = this.#messages.filter(
        (other) => (other.t !== 'attach' && other.t !== 'detach') || other.agentId !== message.agentId,
      );
    }
    this.#messages.push(message);
    assert(this.#bounded <= this.#messages.length, 'bounded messages are held', this.#bounded);
    return true;
  }

  get all(): readonly TableMessage[] {
    return this.#messages;
  }

  /** All of them, in order; none is left. */
  take(): TableMessage[] {
    assert(this.#bounded <= this.most, 'no more messages of clients are held than there is room for', this.#bounded);
    this.#bounded = 0;
    return this.#messages.splice(0);
  }
}

/** The agent and socket that get the error of a dropped message, or null: a fault was answered already. */
export const dropped = (message: TableMessage) =>
  CLIENTS.has(message.t) && message.t !== 'invalid' && 'socket' in message
    ? ({ t: 'dropped', socket: message.socket } as const)
    : null;
