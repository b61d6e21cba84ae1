import { setTimeout as sleep } from 'node:timers/promises';
import { Dice } from '../sim/dice.js';
import { retrying } from '../../src/store/database.js';
import type { Scope } from '../support/database.js';
import { ForkedPlatform } from '../support/forked-platform.js';
import { OwnCluster } from './cluster.js';
import { Crowd, LOAD } from './crowd.js';
import { restless } from './guest.js';
import { answering, untilReady } from './home.js';
import { Truth } from './truth.js';

/**
 * - stop: the server shuts down and is started again after a while.
 * - freeze: the server is silent with open connections.
 * - crash: the server gets kill -9 and restarts by itself.
 */
export type OutageKind = 'stop' | 'freeze' | 'crash';

/**
 * Times in ms: until /health/ready was 503, and from the end of the outage until it was 200 and until all tables
 * played.
 */
export interface Outage {
  kind: OutageKind;
  awayMs: number;
  noticedMs: number;
  readyMs: number;
  playMs: number;
}

export interface OutageOptions {
  /** One after the other, each with its length. */
  outages: readonly { kind: OutageKind; ms: number }[];
  seed: number;
  guests?: number;
  /** So long guests think at most before they act, where they do not act at once. */
  thinksMs?: number;
  onOutage?: (outage: Outage, n: number) => void;
}

/** A database that goes away under load: tables pause and go on, nothing sent is lost (reliability.md, "Campaigns"). */
export async function loseDatabase(t: Scope, options: OutageOptions): Promise<OutageCampaign> {
  const cluster = await OwnCluster.open(t);
  const platform = await ForkedPlatform.start(t, LOAD, cluster.address);
  const crowd = new Crowd(platform, options.seed, restless(options.thinksMs));
  const campaign = new OutageCampaign(crowd, cluster, options);
  await crowd.gather(options.guests ?? 24);
  await campaign.run();
  return campaign;
}

/** Frames from before the outage may still be on their way to their readers. */
const SETTLED_MS = 500;

export class OutageCampaign {
  readonly findings: string[] = [];
  readonly outages: Outage[] = [];
  readonly truth: Truth;
  readonly #dice: Dice;

  constructor(
    readonly crowd: Crowd,
    private readonly cluster: OwnCluster,
    private readonly options: OutageOptions,
  ) {
    this.truth = new Truth(crowd, crowd.platform.sql!);
    this.#dice = new Dice(options.seed);
  }

  async run(): Promise<void> {
    const { crowd } = this;
    const { platform } = crowd;
    for (const { kind, ms } of this.options.outages) {
      await crowd.moreHands(this.#dice.int(50, 200));
      const outage: Outage = { kind, awayMs: 0, noticedMs: 0, readyMs: 0, playMs: 0 };
      this.outages.push(outage);
      await (kind === 'crash' ? this.#crash(outage) : this.#away(outage, ms));
      await answering(platform.sql!);
      this.#find(kind, await this.truth.check({ records: false }));
      if (this.findings.length > 0) return;
      this.options.onOutage?.(outage, this.outages.length);
    }
    await platform.stop();
    await crowd.closed();
    this.#find('the end', await this.truth.checkAll());
    const voided = [...(await this.truth.settle()).values()].reduce((sum, count) => sum + count, 0);
    if (voided > 0) this.#find('the end', [`${voided} hands were cut off: an outage costs time, and no hand`]);
  }

  async #away(outage: Outage, ms: number): Promise<void> {
    const { platform, sent } = this.crowd;
    const { kind } = outage;
    const began = performance.now();
    await (kind === 'stop' ? this.cluster.stop() : this.cluster.freeze());
    outage.noticedMs = await untilReady(platform, 503);
    await sleep(SETTLED_MS);
    const sentBefore = sent.size;
    const live = await platform.api('GET', '/health/live');
    if (live.status !== 200) this.#find(kind, [`/health/live answered ${live.status}`]);
    const { services } = await platform.health();
    if (services['database'] !== 'unavailable')
      this.#find(kind, [`/health called the database ${services['database']}`]);
    const back = this.#dice.pick(this.crowd.guests).relapse();
    await sleep(began + ms - performance.now());
    const ready = await platform.api('GET', '/health/ready');
    if (ready.status !== 503) this.#find(kind, [`/health/ready answered ${ready.status} without a database`]);
    if (sent.size > sentBefore) this.#find(kind, [`${sent.size - sentBefore} results were sent without a database`]);

    const ended = performance.now();
    outage.awayMs = ended - began;
    if (kind === 'stop') await this.cluster.start();
    else this.cluster.thaw();
    await untilReady(platform, 200);
    outage.readyMs = performance.now() - ended;
    await this.#playOn(kind);
    outage.playMs = performance.now() - ended;
    await back;
  }

  async #crash(outage: Outage): Promise<void> {
    const began = performance.now();
    this.cluster.crash();
    await this.#playOn('crash');
    await untilReady(this.crowd.platform, 200);
    outage.playMs = performance.now() - began;
  }

  /** Everybody who sits with company is dealt another hand and sent its result. */
  async #playOn(when: OutageKind): Promise<void> {
    const { crowd } = this;
    const before = new Set(crowd.sent.keys());
    const tables = await this.#tables();
    const playing = () => new Set([...crowd.sent].flatMap(([hand, table]) => (before.has(hand) ? [] : [table]))).size;
    await crowd
      .untilSent(`a hand at each of ${tables} tables, after ${when}`, () => playing() >= tables)
      .catch((error: unknown) => this.#find(when, [(error as Error).message]));
  }

  /** Tables with company, by number; asked until the database answers. */
  #tables(): Promise<number> {
    const sql = this.crowd.platform.sql!;
    return retrying(async () => {
      const [row] = await sql<{ tables: number }[]>`
        select count(*) as tables from (
          select 1 from entries where table_id is not null group by table_id having count(*) >= 2) t`;
      return row!.tables;
    });
  }

  #find(when: string, findings: readonly string[]): void {
    const { seed } = this.options;
    this.findings.push(...findings.map((what) => `outage ${this.outages.length} (seed ${seed}), ${when}: ${what}`));
  }
}
