import type { Identity } from '../../src/lobby/ports.js';
import type { SocketId } from '../../src/table/api.js';
import { Dice } from '../sim/dice.js';
import { Kernel } from '../sim/machine/kernel.js';
import { turnOff, turnOn, type Machine } from '../sim/machine/machine.js';
import { Balancer } from './balancer.js';
import { ShareBot } from './bot.js';
import { ShareDatabase } from './database.js';
import { Figures, type Sample } from './figures.js';
import { ShareNode } from './node.js';

export interface ShareOptions {
  nodes: number;
  /** In all. */
  bots: number;
  seed: number;
  /** See Balancer. */
  balancer?: 'hash' | 'any';
  /** The share of bots that take seconds to decide. */
  slow?: number;
}

const SECOND = 1000;
/** Bots come within this time after all nodes have started. */
const COMING_MS = 30 * SECOND;
/** A supervisor starts a killed node again after this. */
const RESTART_MS = 3 * SECOND;
/** From one node to the next of a rolling restart, once that is up; and how many start at a time at most. */
const PAUSE_MS = 5 * SECOND;
const AT_A_TIME = 0.1;

/**
 * Nodes of a cluster in virtual time: lobby, match-making and cluster are the product's. Sockets, tables and rows are of
 * this world. Bots come and go as the seed decides.
 */
export class ShareWorld {
  readonly kernel = new Kernel(Date.UTC(2026, 0, 31, 12));
  readonly dice: Dice;
  readonly rows = new ShareDatabase(this.kernel);
  readonly balancer: Balancer;
  /** Living nodes by id. */
  readonly nodes = new Map<string, ShareNode>();
  readonly #bots: ShareBot[];
  readonly #figures = new Figures();
  #sockets = 0;

  constructor(private readonly options: ShareOptions) {
    const { seed, bots, balancer = 'hash' } = options;
    this.dice = new Dice(seed);
    this.balancer = new Balancer(balancer, this.dice);
    const dice = new Dice(seed + 1e9);
    turnOn({ kernel: this.kernel, dice } as unknown as Machine);
    this.#bots = Array.from({ length: bots }, (_, place) => new ShareBot(this, place));
  }

  /** One process without others. */
  get alone(): boolean {
    return this.options.nodes === 1;
  }

  // ---- for nodes and bots

  nextSocket(): SocketId {
    return ++this.#sockets;
  }

  /** Every third owner has three bots. */
  identityOf(agentId: string): Identity {
    const place = placeOf(agentId);
    const owner = place % 9 < 3 ? `owner${Math.floor(place / 9)}` : agentId.replaceAll(/\W/g, '');
    const profile = { avatarUrl: null, publicProfileSlug: null, isHouse: false };
    return { agentId, name: agentId, email: `${owner}@example.org`, ...profile };
  }

  thinksMs(agentId: string): number {
    const place = placeOf(agentId);
    const isSlow = (place * 0.618) % 1 < (this.options.slow ?? 0);
    return isSlow ? 2000 + 500 * (place % 10) : 100 + 60 * (place % 10);
  }

  waited(ms: number): void {
    this.#figures.waited(ms);
  }

  played(relayed: boolean): void {
    this.#figures.played(relayed);
  }

  died(node: ShareNode): void {
    this.nodes.delete(node.nodeId);
    this.balancer.delete(node);
  }

  // ---- for whoever measures

  /** All nodes start, the bots come, and play so long. */
  async begin(settleMs: number): Promise<void> {
    this.#look();
    await this.#startAll();
    for (const bot of this.#bots) bot.come(this.dice.unit() * COMING_MS);
    await this.pass(settleMs);
  }

  /** So much time passes; what is measured in it. */
  async measure(ms: number): Promise<Sample> {
    this.#figures.take();
    await this.pass(ms);
    return this.#figures.take();
  }

  async pass(ms: number): Promise<void> {
    await this.kernel.runUntil(this.kernel.now + ms);
  }

  /** One node is killed, and starts again: the host of the pool. */
  async kill(): Promise<void> {
    const [host] = this.rows.hosts.values();
    const node = this.nodes.get(host!)!;
    node.thread.end();
    await this.pass(RESTART_MS);
    await this.#start([node.slot]);
  }

  /** Nodes are drained and started anew, some at a time. */
  async rollingRestart(): Promise<void> {
    for (const group of this.#groups()) {
      const old = [...this.nodes.values()].filter(({ slot }) => group.includes(slot));
      for (const node of old) this.kernel.plan(this.kernel.now, () => void node.drain(), node.thread);
      await this.#until(() => old.every(({ thread }) => !thread.alive));
      await this.#start(group);
      await this.pass(PAUSE_MS);
    }
  }

  /** All nodes are killed at once, and start again, some at a time. */
  async coldStart(): Promise<void> {
    for (const node of [...this.nodes.values()]) node.thread.end();
    await this.pass(RESTART_MS);
    await this.#startAll();
  }

  end(): void {
    for (const node of [...this.nodes.values()]) node.thread.end();
    turnOff();
  }

  async #startAll(): Promise<void> {
    for (const group of this.#groups()) await this.#start(group);
  }

  /** The nodes' places, some at a time. */
  #groups(): number[][] {
    const size = Math.max(1, Math.floor(AT_A_TIME * this.options.nodes));
    const slots = [...Array(this.options.nodes).keys()];
    return Array.from({ length: Math.ceil(slots.length / size) }, () => slots.splice(0, size));
  }

  async #start(slots: readonly number[]): Promise<void> {
    for (const slot of slots) this.#begin(slot);
    await this.#until(() => this.#areUp(slots));
  }

  #begin(slot: number): void {
    const { kernel } = this;
    const thread = kernel.spawn(`node ${slot}`, kernel.world, (error) => kernel.fail(error));
    const node = new ShareNode(this, slot, thread);
    this.nodes.set(node.nodeId, node);
    kernel.plan(kernel.now, () => void node.start(), thread);
  }

  #areUp(slots: readonly number[]): boolean {
    const up = [...this.nodes.values()].filter(({ listens }) => listens).map(({ slot }) => slot);
    return slots.every((slot) => up.includes(slot));
  }

  async #until(holds: () => boolean): Promise<void> {
    while (!holds()) await this.pass(100);
  }

  /** Once a second. */
  #look(): void {
    const connected = this.#bots.filter(({ connection }) => connection !== null);
    const seated = connected.filter(({ tableId }) => tableId !== null);
    this.#figures.looked({
      pairs: seated.length,
      local: seated.filter(({ connection }) => connection?.isRelayed === false).length,
      bots: connected.length,
      tables: new Set(seated.map(({ tableId }) => tableId)).size,
    });
    this.kernel.later(SECOND, () => this.#look());
  }
}

const placeOf = (agentId: string) => Number(/ (\d+)\./.exec(agentId)![1]);

/** Runs a world; an error of the product ends it. */
export async function inShareWorld<T>(options: ShareOptions, run: (world: ShareWorld) => Promise<T>): Promise<T> {
  const world = new ShareWorld(options);
  const rejected = (error: unknown) => world.kernel.fail(error as Error);
  process.on('unhandledRejection', rejected);
  try {
    return await run(world);
  } finally {
    process.off('unhandledRejection', rejected);
    world.end();
  }
}
