import { utc } from '../protocol/common.js';
import { getHandHistory, getSeasonChipLedger } from '../protocol/rest/history.js';
import { defineRoute, type Route } from '../protocol/route.js';
import type { Database } from '../store/database.js';
import { historyPage } from './pages.js';
import { selectLedger } from './queries.js';
import { timeOf } from './times.js';

export function historyRoutes({ sql }: { sql: Database }): Route[] {
  return [
    defineRoute(getHandHistory)(async ({ agent, query }) => {
      const { limit, offset, cursor, season_id: seasonId } = query;
      const from = query.from === undefined ? undefined : timeOf(query.from, 'from', 'start');
      const to = query.to === undefined ? undefined : timeOf(query.to, 'to', 'end');
      const page = await historyPage(sql, agent.agentId, { limit, offset, cursor, seasonId, from, to });
      return { status: 200, body: page };
    }),

    defineRoute(getSeasonChipLedger)(async ({ agent, query }) => {
      const { limit, offset } = query;
      const rows = await selectLedger(sql, agent.agentId, { limit, offset });
      const entries = rows.map((row) => ({ ...row, created_at: utc(row.created_at) }));
      return { status: 200, body: { entries, limit, offset } };
    }),
  ];
}
