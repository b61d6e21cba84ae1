import type { Carrier, CarrierListener, Outgoing } from '../../../src/nodes/carrier.js';
import type { RedisCarrierOptions } from '../../../src/nodes/redis-carrier.js';
import { machine } from '../machine/machine.js';

/** src/nodes/redis-carrier.ts over the simulated bus. */
export class RedisCarrier implements Carrier {
  readonly #carrier: Carrier;

  constructor({ id }: Pick<RedisCarrierOptions, 'id'>) {
    this.#carrier = machine().carrier!(id);
  }

  get up(): boolean {
    return this.#carrier.up;
  }

  get deafMs(): number {
    return this.#carrier.deafMs;
  }

  begin(listener: CarrierListener): Promise<void> {
    return this.#carrier.begin(listener);
  }

  publish(posts: readonly Outgoing[]): Promise<readonly number[]> {
    return this.#carrier.publish(posts);
  }

  close(): Promise<void> {
    return this.#carrier.close();
  }
}
