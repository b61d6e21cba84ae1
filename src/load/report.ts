import { Histogram } from './histogram.js';
import type { ServerUse } from './metrics.js';
import { judge, type JudgedSlo, type Slo, type SloFigures } from './slo.js';
import { addTotals, addTroubles, sumOf, TROUBLES, type LoadTotals, type Troubles } from './tally.js';

/** One stretch of a run, about a second. */
export interface Moment {
  /** Seconds since the bots began to come. */
  at: number;
  up: number;
  handsPerSecond: number;
  /** ms, of what was acknowledged in it; null of nothing. */
  p50: number | null;
  p99: number | null;
  /** Since the beginning. */
  errors: number;
}

/** ms; null where nothing was acknowledged. */
export interface Percentiles {
  mean: number | null;
  p50: number | null;
  p90: number | null;
  p99: number | null;
  'p99.9': number | null;
  max: number | null;
}

/** A run's measurements: of one process of this tool, or of several put together. All plain values. */
export interface Measured {
  /** The version of this form. */
  version: 1;
  url: string;
  startedAt: string;
  /** The parts of the run in it, and the number of all parts. */
  parts: { numbers: number[]; of: number };
  /** How turns were answered, and of a hundred bots how many read lean frames. */
  mode: { pace: number | null; thinkMs: number | null; leanPercent: number };
  /** Ended by a signal, before its time. */
  interrupted: boolean;
  bots: { wanted: number; registered: number; up: number; seated: number };
  /** The counts are of so many seconds, after the bots had come. */
  seconds: number;
  totals: LoadTotals;
  /** Encoded Histograms; what was due counts from when it was due. */
  latencies: string;
  /** The same from when it was sent; null where nothing was due. */
  uncorrected: string | null;
  /** The rest was counted from the first bot's coming until the last one had left. */
  whole: LoadTotals;
  reconnects: number;
  unanswered: number;
  troubles: Troubles;
  server: ServerUse | null;
  /** CPU time of the bots a hand. */
  botsCpuMs: number;
  moments: Moment[];
}

export interface LoadReport extends Measured {
  acks: Percentiles;
  acksUncorrected: Percentiles | null;
  rates: { hands: number; actions: number; frames: number; bytes: number };
  errors: number;
  slo: JudgedSlo[];
}

/** Events that a correct client should not meet. */
export const errorsOf = ({ troubles, unanswered }: Pick<Measured, 'troubles' | 'unanswered'>): number =>
  TROUBLES.reduce((sum, kind) => sum + sumOf(troubles[kind]), unanswered);

const finite = (value: number): number | null => (Number.isFinite(value) ? value : null);

const percentilesOf = (histogram: Histogram): Percentiles => ({
  mean: finite(histogram.mean),
  p50: finite(histogram.quantile(0.5)),
  p90: finite(histogram.quantile(0.9)),
  p99: finite(histogram.quantile(0.99)),
  'p99.9': finite(histogram.quantile(0.999)),
  max: finite(histogram.max),
});

export function loadReportOf(measured: Measured, slos: readonly Slo[]): LoadReport {
  const { seconds, totals, latencies, uncorrected, bots, reconnects, server, whole } = measured;
  const perSecond = (count: number) => (seconds > 0 ? count / seconds : 0);
  const acks = percentilesOf(new Histogram(latencies));
  const errors = errorsOf(measured);
  const rates = {
    hands: perSecond(totals.hands),
    actions: perSecond(totals.actions),
    frames: perSecond(totals.frames),
    bytes: perSecond(totals.bytes),
  };
  const figures: SloFigures = {
    'ack.mean': acks.mean,
    'ack.p50': acks.p50,
    'ack.p90': acks.p90,
    'ack.p99': acks.p99,
    'ack.p99.9': acks['p99.9'],
    'ack.max': acks.max,
    errors,
    errorsPercent: whole.actions > 0 ? (100 * errors) / whole.actions : null,
    hands: rates.hands,
    bots: bots.up,
    reconnects,
    'server.cpu': server?.cpuMsPerHand ?? null,
  };
  return {
    ...measured,
    acks,
    acksUncorrected: uncorrected === null ? null : percentilesOf(new Histogram(uncorrected)),
    rates,
    errors,
    slo: judge(slos, figures),
  };
}

/** Whether others may rely on the server: goals met, and bots connected at the end. */
export const isGood = ({ slo, bots }: LoadReport): boolean => slo.every(({ met }) => met) && bots.up > 0;

/** Several parts of one run as one. Throws where they are of different servers, or one is there twice. */
export function mergeMeasured(all: readonly Measured[]): Measured {
  const [first] = all;
  if (first === undefined) throw new Error('nothing to put together');
  const { url, mode, parts } = first;
  for (const each of all) {
    const sameMode = (['pace', 'thinkMs', 'leanPercent'] as const).every((name) => each.mode[name] === mode[name]);
    if (each.url !== url || !sameMode || each.parts.of !== parts.of)
      throw new Error(`these are different runs: of ${url} and ${each.url}`);
  }
  const numbers = all.flatMap((each) => each.parts.numbers);
  const twice = numbers.find((number, i) => numbers.indexOf(number) < i);
  if (twice !== undefined) throw new Error(`part ${twice} is there twice`);
  return all.reduce((a, b) => ({
    ...a,
    startedAt: a.startedAt < b.startedAt ? a.startedAt : b.startedAt,
    parts: { numbers: [...a.parts.numbers, ...b.parts.numbers], of: a.parts.of },
    interrupted: a.interrupted || b.interrupted,
    bots: {
      wanted: a.bots.wanted + b.bots.wanted,
      registered: a.bots.registered + b.bots.registered,
      up: a.bots.up + b.bots.up,
      seated: a.bots.seated + b.bots.seated,
    },
    seconds: Math.max(a.seconds, b.seconds),
    totals: addTotals(a.totals, b.totals),
    latencies: addEncoded(a.latencies, b.latencies),
    uncorrected: a.uncorrected === null || b.uncorrected === null ? null : addEncoded(a.uncorrected, b.uncorrected),
    whole: addTotals(a.whole, b.whole),
    reconnects: a.reconnects + b.reconnects,
    unanswered: a.unanswered + b.unanswered,
    troubles: addTroubles(a.troubles, b.troubles),
    server: a.server ?? b.server,
    botsCpuMs: (a.botsCpuMs * a.totals.hands + b.botsCpuMs * b.totals.hands) / Math.max(1, a.totals.hands + b.totals.hands), // prettier-ignore
    moments: [],
  }));
}

const addEncoded = (a: string, b: string): string => new Histogram(a).merge(new Histogram(b)).encoded;
