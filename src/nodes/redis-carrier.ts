import type { Logger } from '../ops/log.js';
import { redisAddress, type RedisAddress } from '../ops/redis-address.js';
import { LEASE_MS } from '../store/node/lease.js';
import type { Carrier, CarrierListener, Outgoing } from './carrier.js';
import type { NodeId } from './peer.js';
import { openWay, type Way } from './redis-ways.js';

export interface RedisCarrierOptions {
  id: NodeId;
  /** As `redisAddress` reads it. */
  address: string;
  /** Names those who share a database; the same Redis may serve others. */
  installation: string;
  log: Pick<Logger, 'info' | 'warn' | 'error'>;
  silentMs?: number;
}

const ECHO = Buffer.from('echo ');
/** An echo is no longer: no post is so short. */
const MOST_ECHO_BYTES = 32;
/** Looks in the time after which a node is silent. */
const LOOKS = 20;

const RETRY_MS = 50;
const MOST_RETRY_MS = 500;

/**
 * The bus between nodes: sharded pub/sub of Redis, a channel for each node, all of them in one slot, so that one server
 * has them all and its order is that of all posts. A node also writes to itself: as long as its echo comes back the whole
 * way stands, whatever connections say of themselves, and when it stays away, or anything else goes wrong, the way is
 * given up and another one opened.
 */
export class RedisCarrier implements Carrier {
  readonly #address: RedisAddress;
  readonly #silentMs: number;
  #listener: CarrierListener | null = null;
  #way: Way | null = null;
  /** Something may have been read or written over the present way. */
  #opened = false;
  #up = false;
  /** When anything came, the own echo or a post. */
  #heardAt = 0;
  /** Number of the echo sent last; those up to `#void` say nothing any more. */
  #asked = 0;
  #void = 0;
  /** Looks since an echo was heard: a process that froze has not looked. */
  #looksSilent = 0;
  #warned = false;
  #timer: NodeJS.Timeout | undefined;
  #retry: NodeJS.Timeout | undefined;
  #retries = 0;
  #begun: { resolve: () => void; reject: (error: Error) => void } | null = null;

  constructor(private readonly options: RedisCarrierOptions) {
    this.#address = redisAddress(options.address);
    this.#silentMs = options.silentMs ?? LEASE_MS;
  }

  get up(): boolean {
    return this.#up;
  }

  get deafMs(): number {
    return this.#up ? performance.now() - this.#heardAt : Infinity;
  }

  async begin(listener: CarrierListener): Promise<void> {
    this.#listener = listener;
    const begun = new Promise<void>((resolve, reject) => (this.#begun = { resolve, reject }));
    this.#open();
    this.#timer = setInterval(() => this.#look(), this.#silentMs / LOOKS);
    await begun;
  }

  publish(posts: readonly Outgoing[]): Promise<readonly number[]> {
    return this.#way?.publish(posts) ?? Promise.reject(new Error('the bus is closed, or away'));
  }

  async close(): Promise<void> {
    this.#end();
    this.#begun?.reject(new Error('the bus was closed before it could be reached'));
  }

  #open(): void {
    // Its echoes may come yet, over this way.
    this.#void = this.#asked;
    this.#looksSilent = 0;
    const { id, installation } = this.options;
    const current = () => this.#way === way;
    const way: Way = openWay(
      {
        ...{ address: this.#address, own: id, silentMs: this.#silentMs },
        // A Cluster goes by what is in braces.
        channelOf: (node) => `{${installation}}:node:${node}`,
      },
      {
        heard: (bytes) => current() && this.#heard(bytes),
        opened: () => {
          if (!current()) return;
          this.#opened = true;
          this.#ask();
        },
        lost: (reason) => current() && this.#lost(reason),
        refused: (reason) => current() && this.#refused(reason),
      },
    );
    this.#way = way;
  }

  #ask(): void {
    const post = Buffer.concat([ECHO, Buffer.from(String(++this.#asked))]);
    // Where it fails, the way is over, and says so.
    this.#way?.publish([{ to: this.options.id, post }]).catch(() => undefined);
  }

  #heard(bytes: Buffer): void {
    this.#heardAt = performance.now();
    if (bytes.length > MOST_ECHO_BYTES || bytes.compare(ECHO, 0, ECHO.length, 0, ECHO.length) !== 0) {
      this.#listener?.post(bytes);
      return;
    }
    if (Number(bytes.subarray(ECHO.length).toString()) <= this.#void) return;
    this.#looksSilent = 0;
    if (this.#up) return;
    this.#up = true;
    this.#warned = false;
    this.#retries = 0;
    this.options.log.info({}, 'Redis is connected: this node can be reached');
    this.#begun?.resolve();
    this.#begun = null;
    this.#listener?.up();
  }

  /** The order that the way belonged to has ended, before anything of the next one is read or written. */
  #lost(reason: string): void {
    const way = this.#way;
    this.#way = null;
    way?.close();
    this.#up = false;
    if (!this.#warned) this.options.log.warn({ reason }, 'Redis is away: this node hears nothing of others');
    this.#warned = true;
    this.#retry = setTimeout(() => this.#open(), Math.min(++this.#retries * RETRY_MS, MOST_RETRY_MS));
    if (!this.#opened) return;
    this.#opened = false;
    this.#listener?.lost();
  }

  #look(): void {
    if (this.#way === null) return;
    if (++this.#looksSilent > LOOKS) this.#lost('its answers stay away');
    else if (this.#opened) this.#ask();
  }

  /** At the start that is its end; later somebody may mend it. */
  #refused(reason: string): void {
    const begun = this.#begun;
    if (begun === null) return this.#lost(reason);
    this.#begun = null;
    this.#end();
    begun.reject(new Error(reason));
  }

  #end(): void {
    clearInterval(this.#timer);
    clearTimeout(this.#retry);
    this.#way?.close();
    this.#way = null;
    this.#up = false;
  }
}
