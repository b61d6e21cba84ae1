import { setTimeout as sleep } from 'node:timers/promises';
import { Histogram } from './histogram.js';
import { Load, type Seen } from './load.js';
import { scrape, serverReading, serverUse, type ServerReading, type ServerUse } from './metrics.js';
import { errorsOf, type Measured, type Moment } from './report.js';
import type { Target } from './socket.js';
import { TROUBLES, type Troubles } from './tally.js';

/** How often the run is looked at. */
const LOOK_MS = 1000;
/** How long hands that are played may take to end; with a signal somebody waits. */
const LEAVE_MS = { planned: 15_000, interrupted: 4000 };

export interface RunOptions {
  /** As it was given. */
  url: string;
  target: Target;
  apiKeys: readonly string[];
  registered: number;
  /** The bots of this part. */
  wanted: number;
  /** Number of the first bot among those of all parts. */
  first: number;
  part: { number: number; of: number };
  /** Hands a second of this part; null without a pace. */
  pace: number | null;
  /** The pace of all parts. */
  paceOfAll: number | null;
  thinkMs: number | null;
  leanPercent: number;
  inOrder: boolean;
  processes: number;
  rampSeconds: number;
  warmUpSeconds: number;
  seconds: number;
  metrics: { url: string; key: string | null } | null;
}

/** Looks at the run while it goes on. */
export interface RunWatcher {
  moment: (moment: Moment, phase: 'coming' | 'measured') => void;
}

/**
 * Plays with the bots of one part and returns the measurements after the ramp and the warm-up. If `abort` ends it
 * earlier, the measurements begin with the first bot.
 */
export async function runLoad(options: RunOptions, watcher: RunWatcher, abort: AbortSignal): Promise<Measured> {
  const { target, apiKeys, processes, first, inOrder, rampSeconds, leanPercent } = options;
  const startedAt = new Date().toISOString();
  const started = performance.now();
  const load = await Load.come(
    { target, apiKeys, first, leanPercent, processes: Math.max(1, Math.min(processes, apiKeys.length)) },
    { rampMs: 1000 * rampSeconds, inOrder },
  );
  try {
    if (options.pace !== null) await load.pace(options.pace);
    if (options.thinkMs !== null) await load.think(options.thinkMs);
    const moments = new Moments(started);
    const look = async (phase: 'coming' | 'measured', until: number) => {
      while (!abort.aborted && performance.now() < until) {
        const wait = Math.min(LOOK_MS, Math.max(0, until - performance.now()));
        await sleep(wait, undefined, { signal: abort }).catch(() => undefined);
        watcher.moment(moments.add(await load.tell()), phase);
      }
    };
    await look('coming', started + 1000 * (rampSeconds + options.warmUpSeconds));
    // Before that there is nothing better to tell than what came of the ramp.
    const measured = !abort.aborted;
    const before = await read(options.metrics);
    let began = started;
    if (measured) {
      await load.begin();
      moments.begin();
      began = performance.now();
      await look('measured', began + 1000 * options.seconds);
    }
    const seen = await load.tell();
    const ended = performance.now();
    const after = await read(options.metrics);
    const interrupted = abort.aborted;
    const last = await load.leave(interrupted ? LEAVE_MS.interrupted : LEAVE_MS.planned);
    return measuredOf(options, {
      startedAt,
      interrupted,
      seen,
      last,
      ms: ended - began,
      moments: moments.list,
      server: before === null || after === null ? null : serverUse(before, after, ended - began, seen.hands),
    });
  } catch (error) {
    await load.end();
    throw error;
  }
}

const read = async (metrics: RunOptions['metrics']): Promise<ServerReading | null> =>
  metrics === null ? null : serverReading(await scrape(metrics.url, metrics.key));

/** A run's reports, look by look. */
class Moments {
  readonly list: Moment[] = [];
  #lastHands = 0;
  #lastAt: number;
  #last = new Histogram();

  constructor(private readonly started: number) {
    this.#lastAt = started;
  }

  /** Latencies are counted from zero. */
  begin(): void {
    this.#last = new Histogram();
  }

  add(seen: Seen): Moment {
    const now = performance.now();
    const latencies = seen.latencies.since(this.#last);
    const some = latencies.count > 0;
    const moment = {
      at: (now - this.started) / 1000,
      up: seen.up,
      handsPerSecond: (1000 * (seen.whole.hands - this.#lastHands)) / Math.max(1, now - this.#lastAt),
      p50: some ? latencies.quantile(0.5) : null,
      p99: some ? latencies.quantile(0.99) : null,
      errors: errorsOf({ troubles: seen, unanswered: seen.unanswered }),
    };
    this.#lastHands = seen.whole.hands;
    this.#lastAt = now;
    this.#last = seen.latencies;
    this.list.push(moment);
    return moment;
  }
}

interface Ended {
  startedAt: string;
  interrupted: boolean;
  /** At the end of the measuring, and when all had left. */
  seen: Seen;
  last: Seen;
  ms: number;
  moments: Moment[];
  server: ServerUse | null;
}

function measuredOf(options: RunOptions, { seen, last, ms, ...ended }: Ended): Measured {
  const { url, part, paceOfAll, thinkMs, leanPercent, wanted, registered } = options;
  const { hands, actions, acks, frames, bytes } = seen;
  return {
    version: 1,
    url,
    ...ended,
    parts: { numbers: [part.number], of: part.of },
    mode: { pace: paceOfAll, thinkMs, leanPercent },
    bots: { wanted, registered, up: seen.up, seated: seen.seated },
    seconds: ms / 1000,
    totals: { hands, actions, acks, frames, bytes },
    latencies: seen.latencies.encoded,
    uncorrected: seen.uncorrected?.encoded ?? null,
    whole: last.whole,
    reconnects: last.reconnects,
    unanswered: last.unanswered,
    troubles: Object.fromEntries(TROUBLES.map((kind) => [kind, last[kind]])) as unknown as Troubles,
    botsCpuMs: hands > 0 ? seen.cpuMs / hands : 0,
  };
}
