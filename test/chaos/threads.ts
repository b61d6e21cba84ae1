import { setTimeout as sleep } from 'node:timers/promises';
import { Dice } from '../sim/dice.js';
import type { Scope } from '../support/database.js';
import { ForkedPlatform } from '../support/forked-platform.js';
import { Crowd, LOAD } from './crowd.js';
import { restless } from './guest.js';
import { untilReady } from './home.js';
import { INSPECTED, runInThread } from './inspector.js';
import { Truth } from './truth.js';
import { PATIENCE_MS } from '../support/limits.js';

/**
 * The fate of a thread, as a script that it runs. A timer gets it out of the debugger's hands first. A thread that
 * exits while the debugger reads a module goes on for a moment, and Node 20 ends the process
 * (FileHandle::ClosePromise).
 */
export const FATES = {
  exits: later('process.exit(1)'),
  throws: later('throw new Error("chaos")'),
  spins: later('for (;;);'),
  sleeps: later('Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)'),
  /** In native code nothing can interrupt it: it wakes up when its shard has long been given to another. */
  blocks: later('process.getBuiltinModule("child_process").execSync("sleep 5")'),
  /** Not long enough to be given up. */
  stalls: later('for (const end = Date.now() + 600; Date.now() < end; );'),
} as const;
export type Fate = keyof typeof FATES;

const BLOCKED_MS = 5000;
const SHARDS = 2;

/** One thread's end. Times are ms from the moment it was asked to; 0 where nothing was lost. */
export interface ThreadLoss {
  fate: Fate;
  /** Until the platform gave the thread up, and until every table of its shard had finished another hand. */
  lostMs: number;
  playMs: number;
  /** Tables of its shard, hands of theirs that were cut off, and hands that the others played meanwhile. */
  tables: number;
  others: number;
}

export interface ThreadOptions {
  /** One after the other. */
  fates: readonly Fate[];
  seed: number;
  guests?: number;
  /** So long guests think at most before they act, where they do not act at once. */
  thinksMs?: number;
  onLoss?: (loss: ThreadLoss, n: number) => void;
}

/** Shard threads that die or hang under load: theirs are void hands, the others play on (reliability.md, "Campaigns"). */
export async function loseThreads(t: Scope, options: ThreadOptions): Promise<ThreadCampaign> {
  const platform = await ForkedPlatform.start(t, { ...LOAD, ...INSPECTED, THREADS: SHARDS });
  const crowd = new Crowd(platform, options.seed, restless(options.thinksMs));
  const campaign = new ThreadCampaign(crowd, options);
  await crowd.gather(options.guests ?? 24);
  await campaign.run();
  return campaign;
}

export class ThreadCampaign {
  readonly findings: string[] = [];
  readonly losses: ThreadLoss[] = [];
  readonly truth: Truth;
  voided = 0;
  readonly #dice: Dice;
  /** How often the shard of each table was lost. */
  readonly #lost = new Map<string, number>();

  constructor(
    readonly crowd: Crowd,
    private readonly options: ThreadOptions,
  ) {
    this.truth = new Truth(crowd, crowd.platform.sql!);
    this.#dice = new Dice(options.seed);
  }

  async run(): Promise<void> {
    for (const fate of this.options.fates) {
      await this.crowd.moreHands(this.#dice.int(20, 100));
      await sleep(this.#dice.int(0, 20));
      const loss = await this.#lose(fate);
      this.losses.push(loss);
      this.#find(fate, await this.truth.check({ records: false }));
      if (this.findings.length > 0) return;
      this.options.onLoss?.(loss, this.losses.length);
    }
    const { platform } = this.crowd;
    await platform.stop();
    await this.crowd.closed();
    this.#find('the end', await this.truth.checkAll());
    for (const [table, count] of await this.truth.settle()) {
      this.voided += count;
      const lost = this.#lost.get(table) ?? 0;
      if (count > lost)
        this.#find('the end', [`${count} void hands at table ${table}, whose shard was lost ${lost} times`]);
    }
  }

  async #lose(fate: Fate): Promise<ThreadLoss> {
    const { crowd } = this;
    const { platform } = crowd;
    const before = await this.#tables();
    const mark = platform.output.length;
    crowd.reopened.clear();
    await runInThread(platform, 'shard', SHARDS, (threads) => this.#dice.int(0, threads - 1), FATES[fate]);
    const started = performance.now();
    if (fate === 'stalls') return this.#stall(mark);

    const sent = new Set(crowd.sent.keys());
    const shard = await this.#lostShard(mark);
    const lostMs = performance.now() - started;
    await untilReady(platform, 200);
    const after = await this.#tables();
    const shardOf = new Map([...before, ...after]);
    for (const [table, number] of shardOf)
      if (number === shard) this.#lost.set(table, 1 + (this.#lost.get(table) ?? 0));
    const others = [...crowd.sent].filter(([hand, table]) => !sent.has(hand) && shardOf.get(table) !== shard).length;
    if (HANGS.has(fate) && others === 0) this.#find(fate, ['the other shard did not play meanwhile']);

    const tables = [...before].flatMap(([table, number]) => (number === shard && after.has(table) ? [table] : []));
    await this.#playOn(fate, tables);
    const playMs = performance.now() - started;
    for (const table of tables.filter((table) => !crowd.reopened.has(table))) {
      this.#find(fate, [`table ${table} played on under its old numbers`]);
    }
    for (const table of crowd.reopened) {
      if (shardOf.get(table) !== shard) this.#find(fate, [`table ${table} of the other shard was opened again`]);
    }
    // It lives yet, and might be picked for the next fate.
    if (fate === 'blocks') await sleep(Math.max(0, BLOCKED_MS - playMs) + 500);
    return { fate, lostMs, playMs, tables: tables.length, others };
  }

  /** A thread that was silent for a moment is kept, with its tables. */
  async #stall(mark: number): Promise<ThreadLoss> {
    await this.crowd.moreHands(100);
    const said = lostShards(this.crowd.platform.output.slice(mark));
    if (said.length > 0) this.#find('stalls', [`shard ${said[0]} was given up`]);
    return { fate: 'stalls', lostMs: 0, playMs: 0, tables: 0, others: 0 };
  }

  /** The shard of each open table. */
  async #tables(): Promise<Map<string, number>> {
    const rows = await this.crowd.platform.sql!<{ table_id: string; shard_no: number }[]>`
      select table_id, shard_no from tables where status = 'open'`;
    return new Map(rows.map(({ table_id, shard_no }) => [table_id, shard_no]));
  }

  /** The shard that the log gives up. */
  async #lostShard(mark: number): Promise<number> {
    const { platform } = this.crowd;
    for (const deadline = performance.now() + PATIENCE_MS; ; await sleep(2)) {
      const [shard] = lostShards(platform.output.slice(mark));
      if (shard !== undefined) return shard;
      if (performance.now() > deadline) throw new Error(`no shard was given up:\n${platform.output.slice(-4000)}`);
    }
  }

  /** Every one of the tables finishes another hand, unless it closes. */
  async #playOn(fate: Fate, tables: readonly string[]): Promise<void> {
    const { crowd } = this;
    const before = new Set(crowd.sent.keys());
    for (const deadline = performance.now() + PATIENCE_MS; ; await sleep(20)) {
      const played = new Set([...crowd.sent].flatMap(([hand, table]) => (before.has(hand) ? [] : [table])));
      const open = await this.#tables();
      const waiting = tables.filter((table) => open.has(table) && !played.has(table));
      if (waiting.length === 0) return;
      if (performance.now() < deadline) continue;
      this.#find(fate, [`tables ${waiting.join(', ')} did not play on\n${crowd.describe()}`]);
      return;
    }
  }

  #find(when: string, findings: readonly string[]): void {
    const { seed } = this.options;
    this.findings.push(...findings.map((what) => `thread ${this.losses.length} (seed ${seed}), ${when}: ${what}`));
  }
}

/** Fates that the platform can only notice by silence. */
const HANGS: ReadonlySet<Fate> = new Set(['spins', 'sleeps', 'blocks']);

function later(statement: string): string {
  return `setTimeout(() => { ${statement} })`;
}

/** The shards that a piece of log gives up. */
function lostShards(log: string): number[] {
  return [...log.matchAll(/"shard":(\d+),"reason":"[^"]*","msg":"shard lost/g)].map(([, shard]) => Number(shard));
}
