import { seededRandom, uniformBelow } from '../../src/cards/shuffle.js';
import type { DatabaseAddress } from '../../src/store/database.js';
import type { Scope } from './database.js';
import { NODE } from './nodes.js';
import { OwnPlatform, placeOf, spreadBy, TestPlatform, type Env, type Health } from './platform.js';
import { SEED } from './seed.js';

/** Several nodes that a test uses as one platform. Each request and each socket comes to a random node. */
export class SpreadPlatform extends TestPlatform {
  override readonly nodes: number;
  readonly #nodes: OwnPlatform[];
  readonly #random = seededRandom(SEED);

  private constructor(count: number, ...[env, sql]: Awaited<ReturnType<typeof placeOf>>) {
    super({ ...NODE, ...env }, sql);
    this.nodes = count;
    this.#nodes = Array.from({ length: count }, () => new OwnPlatform(this.env, sql, this));
  }

  static async prepare(
    t: Scope,
    count: number,
    env: Env,
    database?: DatabaseAddress,
    through = database,
  ): Promise<SpreadPlatform> {
    return new SpreadPlatform(count, ...(await placeOf(t, env, database, through)));
  }

  get #node(): OwnPlatform {
    return this.#nodes[uniformBelow(this.#nodes.length, this.#random)]!;
  }

  override get url(): string {
    return this.#node.url;
  }

  override get wsUrl(): string {
    return this.#node.wsUrl;
  }

  override async launch(change: Env = {}): Promise<void> {
    for (const node of this.#nodes) await node.launch(change);
    this.port = this.#nodes[0]!.port;
  }

  override async stop(): Promise<void> {
    await Promise.all(this.#nodes.map((node) => node.stop()));
  }

  /** The worst status and the counts of all nodes together. */
  override async health(): Promise<Health> {
    const all = await Promise.all(this.#nodes.map((node) => node.health()));
    const sum = (pick: (game: Health['game']) => number) => all.reduce((total, { game }) => total + pick(game), 0);
    return {
      ...(all.find(({ status }) => status !== 'ok') ?? all[0]!),
      game: {
        active_tables: sum((game) => game.active_tables),
        active_connections: sum((game) => game.active_connections),
        lobby_queue: sum((game) => game.lobby_queue),
      },
    };
  }

  protected override async whyNot(): Promise<string | null> {
    for (const node of this.#nodes) {
      const reason = await node.whyNot();
      if (reason !== null) return reason;
    }
    return null;
  }
}

/** Each platform of the tests that are imported next is three nodes. */
spreadBy((t, env, database, through) => SpreadPlatform.prepare(t, 3, env, database, through));
