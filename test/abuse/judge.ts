import type { Histogram } from '../../src/load/histogram.js';
import type { AbuseCase, Met } from './case.js';
import type { Felt } from './honest.js';

/** Goals: what honest clients may feel of an attack, against what they feel alone. */
const ACK_TIMES = 3;
const HANDS_SHARE = 0.7;
/** A p99 below this is nobody's trouble: it is the scheduler of a machine that attacker and server share. */
const ACK_FREE_MS = 10;
/** The same of the median of a REST request, which waits for nobody's many others. */
const REST_TIMES = 3;
const REST_FREE_MS = 20;
/** More memory than alone, in MiB. */
const MEMORY_MIB = 200;

/** The effects of an attack beyond its limits; empty when all is well. */
export function judge(attack: Pick<AbuseCase, 'meets' | 'handsShare'>, met: Met, alone: Felt, during: Felt): string[] {
  const findings: string[] = [];
  const [before, now] = [alone.acks.quantile(0.99), during.acks.quantile(0.99)];
  if (!(now <= Math.max(ACK_FREE_MS, ACK_TIMES * before))) {
    findings.push(`ack p99 ${ms(now)}, alone ${ms(before)}: more than ${ACK_TIMES} times`);
  }
  const [restBefore, restNow] = [alone.requests.quantile(0.5), during.requests.quantile(0.5)];
  if (!(restNow <= Math.max(REST_FREE_MS, REST_TIMES * restBefore))) {
    findings.push(`REST median ${ms(restNow)}, alone ${ms(restBefore)}: more than ${REST_TIMES} times`);
  }
  const share = during.handsPerSecond / alone.handsPerSecond;
  if (!(share >= (attack.handsShare ?? HANDS_SHARE))) findings.push(`only ${share.toFixed(2)} of the hands a second`);
  if (during.rss - alone.rss > MEMORY_MIB) findings.push(`memory grew from ${alone.rss} to ${during.rss} MiB`);
  const missing = attack.meets.filter((name) => !met.counts.has(name));
  if (missing.length > 0) findings.push(`the attacker never met: ${missing.join(', ')}`);
  for (const [what, count] of Object.entries(during.faults)) {
    if (count > (alone.faults[what] ?? 0)) findings.push(`honest clients met ${count} times: ${what}`);
  }
  return findings;
}

/** One line of figures. */
export function describe(name: string, { acks, handsPerSecond, pings, requests, rss }: Felt): string {
  const pair = (times: Histogram) => `${ms(times.quantile(0.5))} / ${ms(times.quantile(0.99))}`.padStart(20);
  return [
    name.padEnd(8),
    `ack ${pair(acks)}`,
    `hands/s ${handsPerSecond.toFixed(1).padStart(5)}`,
    `ping ${pair(pings)}`,
    `REST ${pair(requests)}`,
    `${String(rss).padStart(5)} MiB`,
  ].join('  ');
}

const ms = (value: number) => `${value < 10 ? value.toFixed(1) : value.toFixed(0)} ms`;
