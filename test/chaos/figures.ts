import type { Kill } from './kills.js';
import type { Outage } from './outages.js';
import type { LateEnd } from './season-end.js';
import type { ThreadLoss } from './threads.js';

/** Times in ms as text: the median, a high percentile, the worst, and the count. */
export function spread(name: string, times: readonly number[], most = 0.95): string {
  if (times.length === 0) return `${name}: none`;
  const sorted = [...times].sort((a, b) => a - b);
  const at = (share: number) => seconds(sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))]!);
  return `${name}: median ${at(0.5)}, ${100 * most} % ${at(most)}, worst ${at(1)} of ${times.length}`;
}

export const seconds = (ms: number) => `${(ms / 1000).toFixed(2)} s`;

/** How often each name is there. */
export function tally(names: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, 1 + (counts.get(name) ?? 0));
  return [...counts].map(([name, count]) => `${count} ${name}`).join(', ');
}

/** The returns after kills. */
export function returnsOf(kills: readonly Kill[]): string[] {
  const lives = kills.flatMap(({ next }) => next ?? []);
  const ready = lives.map(({ readyMs }) => readyMs);
  const play = lives.map(({ playMs }) => playMs);
  const seats = lives.reduce((sum, life) => sum + life.seats, 0);
  return [
    `seats reclaimed: ${seats}`,
    spread('ready again', ready),
    spread('all seats reclaimed and a hand over', play),
  ];
}

export function describeKill({ moment, all, hands, voided, next }: Kill): string {
  const after = next === null ? '' : `; ready in ${seconds(next.readyMs)}, ${next.seats} seats reclaimed`;
  return `${moment}${all ? ', its database too' : ''}: ${hands} hands, ${voided} void${after}`;
}

export function describeLoss({ fate, lostMs, playMs, tables, others }: ThreadLoss): string {
  if (fate === 'stalls') return 'stalls: kept, and plays on';
  const back = `its ${tables} tables play in ${seconds(playMs)}`;
  return `${fate}: given up in ${seconds(lostMs)}, ${back}; ${others} hands elsewhere meanwhile`;
}

export function describeEnd({ fate, firstMs, lastMs, playMs }: LateEnd): string {
  const sent = `season_ended after ${seconds(firstMs)}, at the latest ${seconds(lastMs)}`;
  return `${fate}: ${sent}; a hand of the next season after ${seconds(playMs)}`;
}

export function describeOutage({ kind, awayMs, noticedMs, readyMs, playMs }: Outage): string {
  const play = `every table has played in ${seconds(playMs)}`;
  if (kind === 'crash') return `crash: ${play}`;
  const away = `503 in ${seconds(noticedMs)}, away for ${seconds(awayMs)}`;
  return `${kind}: ${away}; after its end ready in ${seconds(readyMs)}, ${play}`;
}
