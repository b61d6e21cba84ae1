import { createHash } from 'node:crypto';
import type { ServerMessage } from '../../src/protocol/server.js';

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

/**
 * A client's nonces as protocol.md requires: a chain of hashes, sent from its end. Each is sent once its hash is
 * announced.
 */
export class ClientNonces {
  #chain: string[] = [];
  #told = '';
  #seat = -1;

  constructor(
    private readonly name: string,
    private readonly length = 20,
  ) {}

  /** The message to send after a frame, or null. */
  after(frame: ServerMessage): string | null {
    if (frame.type !== 'hand_start') return null;
    this.#seat = frame.seat ?? this.#seat;
    const announced = frame.next_deal?.anchors.find(({ seat }) => seat === this.#seat)?.anchor;
    if (announced !== this.#told || this.#chain.length === 0) this.#begin();
    this.#told = this.#chain.pop()!;
    return this.#told;
  }

  #begin(): void {
    this.#chain = [sha256(`${this.name}|${this.#told}`)];
    while (this.#chain.length < this.length) this.#chain.push(sha256(this.#chain.at(-1)!));
  }
}
