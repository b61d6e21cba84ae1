import type { Port, RebuyOffer } from './port.js';

/** Whether to rebuy: always where it can, never, or as a function of what is offered says. */
export type RebuyPolicy = 'auto' | 'never' | ((offer: RebuyOffer) => boolean | Promise<boolean>);

/** A rebuy is asked for under one id until it is confirmed, so that it is granted once however often it is asked. */
export class Rebuys {
  #requestId: string | null = null;
  /** The function thinks. `moot`: nobody needs what it will say. */
  #asking: false | 'wanted' | 'moot' = false;

  constructor(
    private readonly port: Port,
    private readonly policy: RebuyPolicy,
  ) {}

  get never(): boolean {
    return this.policy === 'never';
  }

  /** The bot waits for chips: it does not join the lobby. */
  get underWay(): boolean {
    return this.#asking === 'wanted' || this.#requestId !== null;
  }

  /** Chips are out, and a rebuy may be had. */
  offer(offer: RebuyOffer): void {
    if (typeof this.policy !== 'function') return this.request();
    const isAsked = this.#asking !== false;
    this.#asking = 'wanted';
    if (!isAsked) this.port.askRebuy(offer);
  }

  /** Takes the function's answer; `moot` if it comes too late. */
  decided(wanted: boolean): 'asked' | 'refused' | 'moot' {
    const isMoot = this.#asking === 'moot';
    this.#asking = false;
    if (isMoot) return 'moot';
    if (!wanted) return 'refused';
    this.request();
    return 'asked';
  }

  /** Asks the server, again under the same id if the answer may be lost. Not while the function thinks. */
  request(): void {
    if (this.#asking !== false) return;
    this.#requestId ??= crypto.randomUUID();
    this.port.send({ type: 'rebuy', amount: 0, request_id: this.#requestId });
  }

  /** It was granted, or refused for good, or nobody needs it any more. */
  forget(): void {
    this.#requestId = null;
    if (this.#asking !== false) this.#asking = 'moot';
  }
}
