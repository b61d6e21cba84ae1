import { endSeasonIn, wakeServer } from '../../src/admin/queries.js';
import { transaction } from '../../src/store/database.js';
import type { Scope } from '../support/database.js';
import { ForkedPlatform } from '../support/forked-platform.js';
import { PATIENCE_MS } from '../support/limits.js';
import { Crowd, LOAD } from './crowd.js';
import type { Guest } from './guest.js';
import { INSPECTED, runInAllThreads } from './inspector.js';
import { FATES, type Fate } from './threads.js';
import { Truth } from './truth.js';

/** Times are ms from the season's end date. */
export interface LateEnd {
  fate: Fate;
  /** Until the first was sent the end, and the last. */
  firstMs: number;
  lastMs: number;
  /** Until a hand of the next season was over. */
  playMs: number;
}

export interface LateEndOptions {
  fates: readonly Fate[];
  seed: number;
  guests?: number;
  onEnd?: (end: LateEnd) => void;
}

const SHARDS = 2;

/**
 * Every shard thread is lost under load, and at that moment the season ends: what is left of it must close all the
 * same.
 */
export async function endWithoutShards(t: Scope, { fates, seed, guests = 12, onEnd }: LateEndOptions) {
  const platform = await ForkedPlatform.start(t, { ...LOAD, ...INSPECTED, THREADS: SHARDS, WIND_DOWN_SECONDS: 1 });
  const crowd = new Crowd(platform, seed);
  const truth = new Truth(crowd, platform.sql!);
  const ends: LateEnd[] = [];
  const findings: string[] = [];
  await crowd.gather(guests);
  for (const fate of fates) {
    await crowd.moreHands(50);
    const end = await endOf(crowd, fate);
    ends.push(end);
    onEnd?.(end);
    findings.push(...(await truth.check({ records: false })));
  }
  findings.push(...troubles(platform.output));
  await platform.stop();
  await crowd.closed();
  findings.push(...(await truth.checkAll()));
  return { findings, ends, truth };
}

/**
 * The obstacles that hold up an end for seconds although its shards are back: seats or statements that it waits for.
 */
const troubles = (log: string) =>
  [...log.matchAll(/season waits for seats|season did not end|the season waits/g)].map(String);

async function endOf(crowd: Crowd, fate: Fate): Promise<LateEnd> {
  const { platform } = crowd;
  const sql = platform.sql!;
  const [season] = await sql<{ season_number: number }[]>`select season_number from seasons where status = 'active'`;
  const { season_number: number } = season!;
  const sent = everybodySent(crowd, number);
  await runInAllThreads(platform, 'shard', SHARDS, FATES[fate]);
  const ended = performance.now();
  await transaction(sql, async (tx) => {
    await endSeasonIn(tx, number, 0);
    await wakeServer(tx);
  });
  const times = await sent;
  await crowd.moreHands(1);
  return {
    fate,
    firstMs: Math.min(...times) - ended,
    lastMs: Math.max(...times) - ended,
    playMs: performance.now() - ended,
  };
}

/** When each guest was sent the end of a season, by performance.now(). */
async function everybodySent(crowd: Crowd, number: number): Promise<number[]> {
  const times = new Map<Guest, number>();
  await new Promise<void>((resolve, reject) => {
    const late = setTimeout(
      () => reject(new Error(`${times.size} were sent the end of season ${number}\n${crowd.describe()}`)),
      PATIENCE_MS,
    );
    crowd.onFrame = (guest, frame) => {
      if (frame.type !== 'season_ended' || frame.season_number !== number) return;
      times.set(guest, performance.now());
      if (times.size < crowd.guests.length) return;
      clearTimeout(late);
      resolve();
    };
  });
  return [...times.values()];
}
