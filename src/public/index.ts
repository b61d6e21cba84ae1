import type { LobbyViews } from '../lobby/index.js';
import { Detail, HttpError } from '../protocol/rest/errors.js';
import { getAgentProfile, getAgentTable, getPublicHand } from '../protocol/rest/public.js';
import { defineRoute, TextBody, type Route } from '../protocol/route.js';
import { profileBody, type AgentsOptions } from './agents.js';
import { handBody, handFileOf, shownHand } from './hands.js';
import { selectAgentBySlug, type AgentFace } from './queries.js';

export interface PublicOptions extends AgentsOptions {
  views: Pick<LobbyViews, 'shownSeat'>;
}

/** What anybody may read, without a key: hands that were played, and agents. */
export function publicRoutes(options: PublicOptions): Route[] {
  const { sql, house, views } = options;
  return [
    defineRoute(getPublicHand)(async ({ agent, params, query: { format } }) => {
      const shown = await shownHand(sql, house, params.hand_id.toLowerCase(), agent?.agentId ?? null);
      if (shown === null) throw new HttpError(404, Detail.handNotFound);
      if (format === 'json') return { status: 200, body: handBody(shown) };
      const { text, contentType, fileName } = handFileOf(shown, format as 'phh' | 'pokerstars');
      const headers = { 'content-type': contentType, 'content-disposition': `attachment; filename="${fileName}"` };
      return { status: 200, body: new TextBody(text), headers };
    }),

    defineRoute(getAgentProfile)(async ({ params: { slug } }) => ({
      status: 200,
      body: await profileBody(options, await agentBy(slug)),
    })),

    defineRoute(getAgentTable)(async ({ params: { slug } }) => {
      const { agentId } = await agentBy(slug);
      const seat = views.shownSeat(agentId);
      return { status: 200, body: { table_id: seat?.tableId ?? null, seat: seat?.seat ?? null } };
    }),
  ];

  /** Throws HttpError 404. */
  async function agentBy(slug: string): Promise<AgentFace> {
    // What is none was never given out, and may hold what the database takes for no text.
    const agent = /^[a-z0-9-]{1,64}$/.test(slug) ? await selectAgentBySlug(sql, slug) : undefined;
    if (agent === undefined) throw new HttpError(404, Detail.agentNotFound);
    return agent;
  }
}
