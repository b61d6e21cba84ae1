import type { Dice } from '../dice.js';
import type { Thread } from './kernel.js';
import { machine } from './machine.js';

type Listener = (value: unknown) => void;

/**
 * One end of a channel between two threads. A message takes a while, and never overtakes another. The listener owns the
 * end. Messages before it are kept. The far end hears of the closing after all that was posted before.
 */
export class VirtualPort {
  #far: VirtualPort | null = null;
  #dice: Dice | null = null;
  #owner: Thread | null = null;
  #early: unknown[] = [];
  #onMessage: Listener | null = null;
  readonly #onClose: (() => void)[] = [];
  #closed = false;
  /** When the last message arrives at the far end. */
  #lastArrival = 0;

  join(far: VirtualPort, dice: Dice): void {
    this.#far = far;
    this.#dice = dice;
  }

  postMessage(value: unknown): void {
    if (!this.#closed) this.#send((far) => far.#take(value));
  }

  on(event: 'message' | 'close', listener: Listener): this {
    if (event === 'close') this.#onClose.push(() => listener(undefined));
    else this.#listen(listener);
    return this;
  }

  once(event: 'close', listener: Listener): this {
    return this.on(event, listener);
  }

  close(): void {
    if (this.#closed) return;
    this.#send((far) => far.#end());
    this.#end();
  }

  ref(): void {
    // A simulated process ends by being told to.
  }

  unref(): void {
    // See ref.
  }

  #listen(listener: Listener): void {
    const thread = machine().kernel.current;
    this.#owner = thread;
    this.#onMessage = listener;
    thread.onEnd(() => this.close());
    for (const value of this.#early.splice(0)) this.#take(value);
  }

  #send(deliver: (far: VirtualPort) => void): void {
    const { kernel } = machine();
    const far = this.#far!;
    this.#lastArrival = Math.max(this.#lastArrival, kernel.now + this.#dice!.delay(0.2));
    kernel.plan(this.#lastArrival, () => deliver(far), kernel.world);
  }

  #take(value: unknown): void {
    if (this.#closed) return;
    const listener = this.#onMessage;
    if (listener === null || this.#owner === null) this.#early.push(value);
    else this.#run(() => !this.#closed && listener(value));
  }

  #end(): void {
    if (this.#closed) return;
    this.#closed = true;
    for (const listener of this.#onClose) this.#run(listener);
  }

  #run(task: () => void): void {
    const { kernel } = machine();
    kernel.plan(kernel.now, task, this.#owner ?? kernel.current);
  }
}
