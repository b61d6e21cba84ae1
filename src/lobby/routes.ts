import { utc } from '../protocol/common.js';
import { listMishaps } from '../protocol/rest/mishaps.js';
import { getPublicConfig, getTable, listTables } from '../protocol/rest/tables.js';
import { Detail, HttpError } from '../protocol/rest/errors.js';
import { defineRoute, JsonText, type Route } from '../protocol/route.js';
import type { NotedMishap } from './mishaps.js';
import type { LobbyViews } from './views.js';

interface PublicSettings {
  identityAuthUrl: string;
  actionTimeoutMs: number;
}

/** GET /tables, /tables/{table_id} and /public-config. */
export function tableRoutes(views: LobbyViews, publicConfig: PublicSettings): Route[] {
  return [
    defineRoute(listTables)(async () => ({ status: 200, body: await views.listTables() })),
    defineRoute(getTable)(async ({ params }) => {
      const state = await views.tableState(params.table_id);
      if (state === null) throw new HttpError(404, Detail.tableNotFound);
      return { status: 200, body: new JsonText(state) };
    }),
    defineRoute(getPublicConfig)(() => ({
      status: 200,
      body: { identity_auth_url: publicConfig.identityAuthUrl, action_timeout_ms: publicConfig.actionTimeoutMs },
    })),
  ];
}

/** GET /me/mishaps. */
export function mishapRoutes(views: Pick<LobbyViews, 'mishapsOf'>): Route[] {
  return [
    defineRoute(listMishaps)(({ agent: { agentId } }) => ({
      status: 200,
      body: { mishaps: views.mishapsOf(agentId).map(itemOf) },
    })),
  ];
}

const itemOf = ({ at, kind, code, message, tableId, handId, sent, received, timing }: NotedMishap) => ({
  at: utc(at),
  kind,
  code,
  message,
  table_id: tableId,
  hand_id: handId,
  sent,
  received,
  used_ms: timing?.usedMs ?? null,
  server_lag_ms: timing?.serverLagMs ?? null,
  sent_at: timing ? utc(timing.sentAt) : null,
  deadline_at: timing ? utc(timing.deadlineAt) : null,
});
