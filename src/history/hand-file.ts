import { utc } from '../protocol/common.js';
import { Detail, HttpError } from '../protocol/rest/errors.js';
import { StreamBody } from '../protocol/route.js';
import { frameOf, type Format } from './export/formats.js';
import type { ExportOrder } from './export/task.js';
import type { Exporter, Source } from './exporter.js';
import { poolSource, rangeOf, type AskedHands } from './pool-hands.js';
import type { Sight } from './sight.js';

export interface Files {
  exporter: Exporter;
  /** Epoch ms. */
  now(): number;
}

/** Throws HttpError 429 where the agent has as many files under way as it may. */
export function handFile(
  { exporter, now }: Files,
  order: ExportOrder,
  source: Source,
  signal: AbortSignal,
): StreamBody {
  const { contentType, extension } = frameOf(order.sight, order.format);
  const file = exporter.file(order, source, signal);
  if (file === null) throw new HttpError(429, Detail.exportsUnderWay, { 'retry-after': '5' });
  return new StreamBody(file, contentType, `hands-${utc(now()).slice(0, 10)}.${extension}`);
}

export interface PoolFileAsked extends AskedHands {
  format: Format;
  limit: number;
}

/** Hands of a whole competition as a file for one agent, with the cards of `sight`. Throws HttpError 422, 429. */
export type PoolFile = (agentId: string, sight: Sight, asked: PoolFileAsked, signal: AbortSignal) => StreamBody;

export const poolFiles =
  (files: Files): PoolFile =>
  (agentId, sight, { format, limit, ...asked }, signal) => {
    const range = rangeOf(asked, { from: 'start_date', to: 'end_date' });
    const order = { agentId, sight, format, inCompetition: true, downTo: range.downTo };
    return handFile(files, order, poolSource(range, limit), signal);
  };
