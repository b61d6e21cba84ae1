import type { Percentiles, LoadReport } from './report.js';
import type { Counts } from './tally.js';

/** Three significant digits; large numbers get thousands marks instead. */
export const number = (value: number): string =>
  Math.abs(value) >= 1000 ? Math.round(value).toLocaleString('en-US') : String(Number(value.toPrecision(3)));

const ms = (value: number | null): string => (value === null ? '–' : `${number(value)} ms`);

export const percentilesText = ({ mean, p50, p90, p99, max, ...rest }: Percentiles): string =>
  `p50 ${ms(p50)}, p90 ${ms(p90)}, p99 ${ms(p99)}, p99.9 ${ms(rest['p99.9'])}, max ${ms(max)}, mean ${ms(mean)}`;

const countsText = (counts: Counts): string =>
  Object.entries(counts)
    .sort(([, a], [, b]) => b - a)
    .map(([name, count]) => `${number(count)} × ${name}`)
    .join(', ') || 'none';

const optional = (value: number | null, write: (value: number) => string): string[] =>
  value === null ? [] : [write(value)];

export function modeText({ mode, rates }: LoadReport): string {
  if (mode.pace !== null) {
    const reached = rates.hands >= 0.9 * mode.pace ? '' : ': the server, or the bots, did not keep up';
    return `paced: ${number(mode.pace)} hands/s asked for, ${number(rates.hands)} played${reached}`;
  }
  return mode.thinkMs === null ? 'turns answered at once' : `turns answered after ${mode.thinkMs} ms in the mean`;
}

const leanText = (percent: number): string =>
  percent === 100 ? 'lean, for all bots' : `lean for ${percent} % of the bots`;

/** The measurements by name, as the text and the page show them. */
export function rowsOf(report: LoadReport): [name: string, value: string][] {
  const { bots, mode, rates, totals, whole, troubles, server, acks, acksUncorrected, seconds } = report;
  const perHand = (value: number) => (totals.hands > 0 ? number(value / totals.hands) : '–');
  const { rejections, errors, closes, refusals, faults } = troubles;
  const corrected = acksUncorrected !== null;
  return [
    ['bots', `${bots.up} of ${bots.wanted} connected, ${bots.seated} seated, ${bots.registered} registered for this`],
    ['play', modeText(report)],
    ...(mode.leanPercent === 0 ? [] : [['frames', leanText(mode.leanPercent)] as [string, string]]),
    ['measured', `${number(seconds)} s: ${number(totals.hands)} hands, ${number(totals.actions)} actions`],
    ['hands', `${number(rates.hands)}/s`],
    ['actions', `${number(rates.actions)}/s, ${perHand(totals.actions)} a hand`],
    [
      'received',
      `${number(rates.frames)} frames/s, ${number(rates.bytes / 1e6)} MB/s; a hand ${perHand(totals.frames)} frames, ${perHand(totals.bytes / 1000)} kB`,
    ],
    [corrected ? 'action to ack, from when it was due' : 'action to ack', percentilesText(acks)],
    ...(corrected ? [['… from when it was sent', percentilesText(acksUncorrected)] as [string, string]] : []),
    ['whole run', `${number(whole.hands)} hands, ${number(whole.actions)} actions, ${number(whole.acks)} acknowledged`],
    ['reconnects', number(report.reconnects)],
    ['rejections', countsText(rejections)],
    ['errors', countsText(errors)],
    ['closes', countsText(closes)],
    ['sockets refused', countsText(refusals)],
    ...(Object.keys(faults).length === 0 ? [] : [['not of this protocol', countsText(faults)] as [string, string]]),
    ...(report.unanswered === 0 ? [] : [['actions without an answer', number(report.unanswered)] as [string, string]]),
    ...(server === null
      ? []
      : [
          [
            'server',
            [
              ...optional(server.cpuMsPerHand, (value) => `${number(value)} ms CPU a hand`),
              ...optional(server.cpuPercent, (value) => `${number(value)} % of a core`),
              ...optional(server.committedHands, (value) => `${number(value)} hands committed`),
              ...optional(server.commits, (value) => `${number(value)} commits`),
              ...optional(server.commitMs, (value) => `${number(value)} ms each`),
              ...optional(server.loopP99Ms, (value) => `event loop p99 ${number(value)} ms late`),
            ].join(', '),
          ] as [string, string],
        ]),
    ['bots cost', `${number(report.botsCpuMs)} ms CPU a hand`],
  ];
}

export const sloText = ({ text, value, met }: LoadReport['slo'][number]): string =>
  `${met ? 'met   ' : 'MISSED'}  ${text}  (${value === null ? 'not measured' : number(value)})`;

export function loadReportText(report: LoadReport): string {
  const { parts, url, interrupted, slo } = report;
  const part = parts.of === 1 ? '' : ` (part ${parts.numbers.join(', ')} of ${parts.of})`;
  const rows = rowsOf(report);
  const width = Math.max(...rows.map(([name]) => name.length));
  return [
    `${url}${part}, ${report.startedAt}${interrupted ? ', interrupted: with the figures until then' : ''}\n`,
    ...rows.map(([name, value]) => `${name.padEnd(width)}  ${value}`),
    ...(slo.length === 0 ? [] : ['', ...slo.map(sloText)]),
  ].join('\n');
}
