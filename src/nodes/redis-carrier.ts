import type { Logger } from '../ops/log.js';
import { LEASE_MS } from '../store/node/lease.js';
import type { Carrier, CarrierListener } from './carrier.js';
import type { NodeId } from './peer.js';
import { redisAddress, type RedisAddress } from '../ops/redis-address.js';
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

/** Sharded pub/sub came with this version. */
const LEAST_VERSION = 7;
const ECHO = 'echo ';
/** Looks in the time after which a node is silent. */
const LOOKS = 20;

/**
 * The bus between nodes: sharded pub/sub of Redis, a channel for each node. A node also writes to itself: as long as its
 * echo comes back the whole way stands, whatever connections say of themselves, and when it stays away, all of them are
 * opened anew.
 */
export class RedisCarrier implements Carrier {
  readonly #address: RedisAddress;
  readonly #silentMs: number;
  #listener: CarrierListener | null = null;
  #way: Way | null = null;
  #up = false;
  #heardAt = 0;
  /** Number of the echo sent last; those up to `#void` say nothing any more. */
  #asked = 0;
  #void = 0;
  /** Looks since an echo was heard, and since one was sent: a process that froze has not looked. */
  #looksSilent = 0;
  #looksAsked = 0;
  #reason = '';
  #warned = false;
  #timer: NodeJS.Timeout | undefined;
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

  publish(to: NodeId, post: Buffer): Promise<number> {
    return this.#way?.publish(this.#channel(to), post) ?? Promise.reject(new Error('the bus is closed'));
  }

  async close(): Promise<void> {
    this.#end();
    this.#begun?.reject(new Error('the bus was closed before it could be reached'));
  }

  #channel(id: NodeId): string {
    return `${this.options.installation}:node:${id}`;
  }

  #open(): void {
    this.#way?.close();
    this.#void = this.#asked;
    this.#looksSilent = 0;
    const current = () => this.#way === way;
    const way: Way = openWay(this.#address, this.#channel(this.options.id), this.#silentMs, {
      heard: (bytes) => current() && this.#heard(bytes),
      opened: () => current() && this.#ask(),
      lost: (reason) => current() && this.#lost(reason),
      refused: (error) => current() && this.#refused(error),
    });
    this.#way = way;
  }

  /** An echo, and the version where this is not known to be the one it was. */
  #ask(): void {
    const way = this.#way;
    if (way === null) return;
    this.#looksAsked = 0;
    const number = ++this.#asked;
    const failed = (error: Error) => void (this.#reason = error.message);
    way.publish(this.#channel(this.options.id), `${ECHO}${number}`).catch(failed);
    if (!this.#up) way.info().then((info) => this.#check(info), failed);
  }

  #check(info: string): void {
    const version = /^redis_version:(\d+)(\S*)/m.exec(info);
    if (version === null || Number(version[1]) >= LEAST_VERSION) return;
    this.#impossible(
      `Redis ${version[1]}${version[2]} cannot carry what nodes say to each other: ${LEAST_VERSION}.0 or newer is needed`,
    );
  }

  /** An old one knows no such command: then its version is the better answer. */
  #refused(error: Error): void {
    const way = this.#way;
    const impossible = () => {
      if (this.#way === way) this.#impossible(`Redis refuses what nodes say to each other: ${error.message}`);
    };
    way?.info().then((info) => {
      this.#check(info);
      impossible();
    }, impossible);
  }

  #heard(bytes: Buffer): void {
    this.#heardAt = performance.now();
    if (bytes.length > 32 || !bytes.subarray(0, ECHO.length).equals(Buffer.from(ECHO))) {
      this.#listener?.post(bytes);
      return;
    }
    if (Number(bytes.subarray(ECHO.length).toString()) <= this.#void) return;
    this.#looksSilent = 0;
    if (this.#up) return;
    this.#up = true;
    this.#warned = false;
    this.options.log.info({}, 'Redis is connected: this node can be reached');
    this.#begun?.resolve();
    this.#begun = null;
    this.#listener?.up();
  }

  #lost(reason: string): void {
    this.#reason = reason;
    this.#void = this.#asked;
    this.#up = false;
    if (!this.#warned) this.options.log.warn({ reason }, 'Redis is away: this node hears nothing of others');
    this.#warned = true;
  }

  #look(): void {
    this.#looksAsked++;
    if (++this.#looksSilent > LOOKS) {
      this.#lost(this.#reason || 'its answers stay away');
      this.#open();
    } else this.#ask();
  }

  /** At the start that is its end; later somebody may mend it. */
  #impossible(message: string): void {
    const begun = this.#begun;
    if (begun === null) return this.#lost(message);
    this.#begun = null;
    this.#end();
    begun.reject(new Error(message));
  }

  #end(): void {
    clearInterval(this.#timer);
    this.#way?.close();
    this.#way = null;
    this.#up = false;
  }
}
