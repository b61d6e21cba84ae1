import { utc } from '../protocol/common.js';
import { Detail, HttpError } from '../protocol/rest/errors.js';
import { exportHandHistory, getHandHistory, getHandProof, getSeasonChipLedger } from '../protocol/rest/history.js';
import { defineRoute, type Route } from '../protocol/route.js';
import type { Database } from '../store/database.js';
import { decodeRecord } from '../table/record/record-codec.js';
import type { Format } from './export/formats.js';
import { askedFor, partIn } from './asked.js';
import { exportable, readable, type ExportSeason } from './export-rights.js';
import type { Exporter } from './exporter.js';
import { handFile } from './hand-file.js';
import { namesOf } from './item.js';
import { listedItems } from './listed.js';
import { historyPage } from './pages.js';
import { handProof } from './proof.js';
import { seasonExists, selectHandOf, selectLedger } from './queries.js';
import { searchOf } from './search/asked.js';
import { searchPage } from './search/page.js';
import { opensCards } from './sight.js';
import type { HistoryThread } from './thread.js';
import { timeOf } from './times.js';
import { Timeline } from './timeline.js';

export interface HistoryRoutesOptions {
  sql: Database;
  exporter: Exporter;
  thread: HistoryThread;
  season(): ExportSeason | null;
  /** Epoch ms. */
  now(): number;
}

export function historyRoutes({ sql, exporter, thread, season, now }: HistoryRoutesOptions): Route[] {
  return [
    defineRoute(getHandHistory)(async ({ agent: { agentId }, query, signal }) => {
      const { limit, offset, cursor } = query;
      const from = timeOf(query.from, 'from', 'start');
      const to = timeOf(query.to, 'to', 'end');
      const { parts, filter } = await askedFor(sql, agentId, { ...query, from, to }, season(), readable);
      const timeline = { limit, offset, cursor, ...filter };
      const asked = await searchOf(sql, query);
      const page =
        asked === null
          ? await historyPage(sql, agentId, timeline, parts)
          : await searchPage(sql, thread, { agentId, query: timeline, ...asked, parts, signal });
      const hands = await listedItems(sql, page.hands, query.with_players);
      return { status: 200, body: { ...page, hands } };
    }),

    defineRoute(getHandProof)(async ({ agent, params }) => {
      const row = await selectHandOf(sql, agent.agentId, params.hand_id);
      if (row === null) throw new HttpError(404, Detail.handNotFound);
      const proof = handProof(decodeRecord(row.record), row.seat, opensCards(row.competition));
      if (proof === null) throw new HttpError(404, Detail.handNotProvable);
      return { status: 200, body: proof };
    }),

    defineRoute(exportHandHistory)(async ({ agent: { agentId }, query, signal }) => {
      const { season_id: seasonId, limit, offset } = query;
      const from = timeOf(query.start_date, 'start_date', 'start');
      const to = timeOf(query.end_date, 'end_date', 'end');
      const { parts, filter, sight } = await askedFor(sql, agentId, { ...query, from, to }, season(), exportable);
      if (seasonId !== undefined && !(await seasonExists(sql, seasonId)))
        throw new HttpError(404, Detail.seasonNotFound);
      const timeline = (await Timeline.of(sql, agentId, filter, parts)).skip(offset).take(limit);
      const inCompetition = query.competition_id !== undefined;
      // One of FORMATS by the schema of the query.
      const order = { agentId, sight, format: query.format as Format, inCompetition };
      return { status: 200, body: handFile({ exporter, now }, order, timeline, signal) };
    }),

    defineRoute(getSeasonChipLedger)(async ({ agent, query }) => {
      const { limit, offset, competition_id: competitionId } = query;
      if (competitionId !== undefined) await partIn(sql, agent.agentId, competitionId);
      const rows = await selectLedger(sql, agent.agentId, competitionId, { limit, offset });
      const entries = rows.map(({ pool_id: poolId, ...row }) => ({
        ...row,
        ...namesOf(poolId, competitionId !== undefined),
        created_at: utc(row.created_at),
      }));
      return { status: 200, body: { entries, limit, offset } };
    }),
  ];
}
