import type { Logger } from '../../src/ops/log.js';
import { startPlatform, type Platform } from '../../src/platform/index.js';
import { codeOf } from '../../src/store/database.js';
import { Broken } from './broken.js';
import type { Thread } from './machine/kernel.js';
import type { World } from './world.js';

/** A process is started again so soon. */
const AGAIN_MS = 1_000;

/** The process that runs the product, in all its lives. */
export class Process {
  platform: Platform | null = null;
  /** Its main thread. */
  front: Thread;

  constructor(private readonly world: World) {
    this.front = world.kernel.world;
  }

  get isUp(): boolean {
    return this.platform !== null;
  }

  /** Starts a platform on the vault as it is. */
  start(): void {
    const { world } = this;
    const { kernel } = world;
    const front = kernel.spawn('front', kernel.world, (error) => kernel.fail(error));
    this.front = front;
    const started = (platform: Platform) => {
      world.note('the platform is up');
      this.platform = platform;
    };
    const fatal = (error: Error) => kernel.fail(error);
    const begin = () => void startPlatform(world.config, this.#log(), fatal).then(started, (e: unknown) => again(e));
    const again = (error: unknown) => {
      if (!front.alive) return;
      // The database has trouble: the process ends, and whoever watches over it starts it again.
      if (codeOf(error) === '') return fatal(error as Error);
      world.note('the process cannot start yet');
      front.end();
      kernel.later(AGAIN_MS, () => this.start());
    };
    kernel.plan(kernel.now, begin, front);
  }

  /** kill -9: the front and all its threads are gone; what the database was asked last may still happen. */
  crash(): void {
    if (this.platform === null) return;
    const { world } = this;
    world.note('the process is killed');
    world.result.crashes++;
    this.#end();
    this.start();
  }

  /** SIGTERM and a new start: hands in progress may finish, seats stay stored. */
  restart(): void {
    const { platform, world, front } = this;
    const { kernel } = world;
    if (platform === null) return;
    world.note('the platform is restarted');
    world.troubled(world.config.DRAIN_MS);
    this.platform = null;
    const again = () => {
      if (!front.alive) return;
      world.result.restarts++;
      this.#end();
      kernel.later(500, () => this.start());
    };
    kernel.plan(kernel.now, () => void platform.stop().then(again), front);
  }

  /** As by SIGSTOP: all its threads. */
  freeze(ms: number): void {
    const { world, front } = this;
    world.note(`the process freezes for ${ms} ms`);
    for (const thread of [front, ...front.children]) thread.hang(world.kernel.now, ms);
  }

  /** Resolves once it has ended by itself. */
  stop(then: () => void): void {
    const { platform, front, world } = this;
    this.platform = null;
    world.kernel.plan(world.kernel.now, () => void platform!.stop().then(then), front);
  }

  #end(): void {
    this.platform = null;
    this.front.end();
    this.world.processEnded();
  }

  /** An error in the platform's log must have a cause outside of it. */
  #log(): Logger {
    const { world } = this;
    const line = (level: string) => (detail: Record<string, unknown>, message: string) => {
      const { err } = detail as { err?: Error };
      world.note(`${level}: ${message} ${JSON.stringify(detail)} ${err?.stack ?? ''}`);
      if (level !== 'error') return;
      const excused = LOSSES.test(message) || (AWAY.test(message) && !world.healthyFor(20_000));
      if (!excused) {
        world.kernel.fail(new Broken(`logged: ${message} ${JSON.stringify(detail)} ${err?.stack ?? ''}`));
      }
    };
    return { info: line('info'), warn: line('warn'), error: line('error') } as unknown as Logger;
  }
}

/** Log lines that are allowed when threads die, and when the database is away. */
const LOSSES = /shard lost|shard was lost|taken over|took the shard over|did not stop when asked/;
const AWAY =
  /admission failed|entry failed|not answered|not settled|request failed|database error|could not be opened|season did not end|season waits|not recovered|cannot be recovered yet/;
