import type { Logger } from '../../src/ops/log.js';
import { startPlatform, type Platform } from '../../src/platform/index.js';
import { codeOf } from '../../src/store/database.js';
import { Broken, ensure } from './broken.js';
import type { Thread } from './machine/kernel.js';
import type { World } from './world.js';

/** So soon after a process or its way failed all is well again: whoever led is found to be dead, and somebody leads. */
const TAKEOVER_MS = 12_000;
/** Whoever watches over a process starts it again so soon. */
const AGAIN_MS = 1_000;

/** One that runs the product: alone, or as one of several nodes. */
export class Process {
  platform: Platform | null = null;
  /** Its main thread. */
  front: Thread;

  constructor(
    private readonly world: World,
    readonly name: string,
    /** There are others beside it. */
    readonly isNode: boolean,
  ) {
    this.front = world.kernel.world;
  }

  /** Starts a platform on the vault as it is. */
  start(): void {
    const { world } = this;
    const { kernel } = world;
    const front = kernel.spawn(this.name, kernel.world, (error) => kernel.fail(error));
    this.front = front;
    const started = (platform: Platform) => {
      world.note(`${this.#words} is up`);
      this.platform = platform;
    };
    const fatal = (error: Error) => this.#fatal(front, error);
    const begin = () => void startPlatform(world.config, this.#log(), fatal).then(started, (e: unknown) => again(e));
    const again = (error: unknown) => {
      if (!front.alive) return;
      // The database has trouble: the process ends, and whoever watches over it starts it again.
      if (codeOf(error) === '' && !this.#excuses(error)) return fatal(error as Error);
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
    world.note(`${this.isNode ? this.name : 'the process'} is killed`);
    world.result.crashes++;
    this.#end();
    if (this.isNode) world.kernel.later(world.nodeDice.int(100, 6_000), () => this.start());
    else this.start();
  }

  /** SIGTERM and a new start: hands in progress may finish, seats stay stored. */
  restart(): void {
    const { platform, world, front } = this;
    const { kernel } = world;
    if (platform === null) return;
    world.note(`${this.#words} is restarted`);
    world.stops(front, world.config.DRAIN_MS + (this.isNode ? TAKEOVER_MS : 0));
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
    world.note(`${this.name} freezes for ${ms} ms`);
    for (const thread of [front, ...front.children]) thread.hang(world.kernel.now, ms);
    world.troubled(ms + TAKEOVER_MS);
  }

  /** Resolves once it has ended by itself. */
  stop(then: () => void): void {
    const { platform, front, world } = this;
    this.platform = null;
    world.kernel.plan(world.kernel.now, () => void platform!.stop().then(then), front);
  }

  get #words(): string {
    return this.isNode ? this.name : 'the platform';
  }

  #end(): void {
    this.platform = null;
    this.front.end();
    this.world.processEnded(this.isNode);
    if (this.isNode) this.world.troubled(TAKEOVER_MS);
  }

  /** Whoever led and was ended by others ends. */
  #fatal(front: Thread, error: Error): void {
    const { world } = this;
    if (!this.#excuses(error)) return world.kernel.fail(error);
    if (!front.alive) return;
    world.note(`${this.name} must end: ${error.message}`);
    world.result.displaced++;
    this.#end();
    world.kernel.later(AGAIN_MS, () => this.start());
  }

  /** That another took over needs a reason. */
  #excuses(error: unknown): boolean {
    const { name } = error as Error;
    return this.isNode && (name === 'RoleTaken' || name === 'Displaced') && !this.world.healthyFor(0);
  }

  /** What the platform logs as an error must have a cause outside of it. */
  #log(): Logger {
    const { world, isNode } = this;
    const by = isNode ? `${this.name} ` : '';
    const line = (level: string) => (detail: Record<string, unknown>, message: string) => {
      const { err } = detail as { err?: Error };
      world.note(`${by}${level}: ${message} ${JSON.stringify(detail)} ${err?.stack ?? ''}`);
      // Whoever stops waits for the next leader in vain.
      const alone = UNSUCCEEDED.test(message) && world.voidHands.stopsUndisturbed(this.front);
      if (level !== 'error' && !alone) return;
      const away = AWAY.test(message) || (isNode && OF_NODES.test(message));
      const excused = LOSSES.test(message) || (away && !world.healthyFor(20_000));
      if (!excused) {
        world.kernel.fail(new Broken(`logged: ${message} ${JSON.stringify(detail)} ${err?.stack ?? ''}`));
      }
    };
    return { info: line('info'), warn: line('warn'), error: line('error') } as unknown as Logger;
  }
}

/** All processes of a world. */
export class Processes {
  readonly all: readonly Process[];

  /** With a number of nodes, so many; else one process alone. */
  constructor(
    private readonly world: World,
    nodes: number,
  ) {
    const names = Array.from({ length: nodes }, (_, n) => `front ${n + 1}`);
    this.all = nodes === 0 ? [new Process(world, 'front', false)] : names.map((name) => new Process(world, name, true));
  }

  get areUp(): boolean {
    return this.all.every(({ platform }) => platform !== null);
  }

  /** The one whose thread claimed the lead last. */
  get leader(): Process | undefined {
    const { leads } = this.world.vault.leases;
    return this.all.find(({ front, platform }) => front === leads && platform !== null);
  }

  start(): void {
    const { kernel, nodeDice } = this.world;
    for (const [n, process] of this.all.entries()) {
      if (n === 0) process.start();
      else kernel.later(nodeDice.int(0, 2_000), () => process.start());
    }
  }

  /** Of several one after the other, each with those that are left. */
  async stop(until: (what: string, holds: () => boolean) => Promise<void>): Promise<void> {
    for (const process of this.all) {
      ensure(process.platform !== null, () => `${process.name} is not up`);
      let stopped = false;
      process.stop(() => (stopped = true));
      await until('the platform has stopped', () => stopped);
    }
  }
}

/** What may be logged when threads die, and when the database is away. */
const LOSSES = /shard lost|shard was lost|taken over|took the shard over|did not stop by itself/;
const AWAY =
  /admission failed|entry failed|not answered|not settled|request failed|database trouble|could not be opened|season did not end|season waits|not recovered|cannot be recovered yet/;
/** …and while nobody leads, or a node cannot be heard. */
const OF_NODES = /no other node can join|does not reach the other node/;
const UNSUCCEEDED = /no other node leads yet/;
