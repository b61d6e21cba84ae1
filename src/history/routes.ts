import { utc } from '../protocol/common.js';
import { Detail, HttpError } from '../protocol/rest/errors.js';
import { exportHandHistory, getHandHistory, getHandProof, getSeasonChipLedger } from '../protocol/rest/history.js';
import { defineRoute, StreamBody, type Route } from '../protocol/route.js';
import type { Database } from '../store/database.js';
import { decodeRecord } from '../table/record-codec.js';
import { FORMATS, type Format } from './export/formats.js';
import { exportable, type CurrentSeason } from './export-rights.js';
import type { Exporter } from './exporter.js';
import { historyPage } from './pages.js';
import { handProof } from './proof.js';
import { seasonExists, selectHandOf, selectLedger, selectSeasonsOf } from './queries.js';
import { timeOf } from './times.js';
import { Timeline } from './timeline.js';

export interface HistoryRoutesOptions {
  sql: Database;
  exporter: Exporter;
  season(): CurrentSeason | null;
  /** Epoch ms. */
  now(): number;
}

const RETRY_AFTER = { 'retry-after': '5' };

export function historyRoutes({ sql, exporter, season, now }: HistoryRoutesOptions): Route[] {
  return [
    defineRoute(getHandHistory)(async ({ agent, query }) => {
      const { limit, offset, cursor, season_id: seasonId } = query;
      const from = timeOf(query.from, 'from', 'start');
      const to = timeOf(query.to, 'to', 'end');
      const page = await historyPage(sql, agent.agentId, { limit, offset, cursor, seasonId, from, to });
      return { status: 200, body: page };
    }),

    defineRoute(getHandProof)(async ({ agent, params }) => {
      const row = await selectHandOf(sql, agent.agentId, params.hand_id);
      if (row === null) throw new HttpError(404, Detail.handNotFound);
      const proof = handProof(decodeRecord(row.record), row.seat);
      if (proof === null) throw new HttpError(404, Detail.handNotProvable);
      return { status: 200, body: proof };
    }),

    defineRoute(exportHandHistory)(async ({ agent: { agentId }, query, signal }) => {
      const { season_id: seasonId, limit, offset } = query;
      const from = timeOf(query.start_date, 'start_date', 'start');
      const to = timeOf(query.end_date, 'end_date', 'end');
      const seasons = await selectSeasonsOf(sql, agentId);
      const filter = exportable({ seasonId, from, to }, seasons, season());
      if (seasonId !== undefined && !(await seasonExists(sql, seasonId)))
        throw new HttpError(404, Detail.seasonNotFound);
      if (exporter.isBusy(agentId)) throw new HttpError(429, Detail.exportsUnderWay, RETRY_AFTER);
      const timeline = (await Timeline.of(sql, agentId, filter, seasons)).skip(offset).take(limit);
      // One of FORMATS by the schema of the query.
      const format = query.format as Format;
      const { contentType, extension } = FORMATS[format];
      const name = `hands-${utc(now()).slice(0, 10)}.${extension}`;
      const body = new StreamBody(exporter.file(agentId, format, timeline, signal), contentType, name);
      return { status: 200, body };
    }),

    defineRoute(getSeasonChipLedger)(async ({ agent, query }) => {
      const { limit, offset } = query;
      const rows = await selectLedger(sql, agent.agentId, { limit, offset });
      const entries = rows.map((row) => ({ ...row, created_at: utc(row.created_at) }));
      return { status: 200, body: { entries, limit, offset } };
    }),
  ];
}
