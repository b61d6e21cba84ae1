import type { LobbyViews } from '../lobby/index.js';
import { Detail, HttpError } from '../protocol/rest/errors.js';
import { listPublicCompetitionHands } from '../protocol/rest/competition-hands.js';
import { getDuplicateDeck } from '../protocol/rest/duplicate-decks.js';
import { getMoments } from '../protocol/rest/moments.js';
import { getAgentProfile, getAgentTable, getPublicHand, getPublicHandFile } from '../protocol/rest/public.js';
import { getVersus } from '../protocol/rest/versus.js';
import { defineRoute, TextBody, type RequestAgent, type Route } from '../protocol/route.js';
import { profileBody, type AgentsOptions } from './agents.js';
import { competitionHandsBody } from './competition-hands.js';
import { deckBody } from './decks.js';
import { handBody, handFileOf, handsBeside, shownHand, type ShownHand } from './hands.js';
import { MomentsPage } from './moments.js';
import { versusBody, type VersusOptions } from './versus.js';
import { selectAgentBySlug, type AgentFace, type PoolHandsOrder } from './queries.js';

export { pageCards } from './page-cards.js';
export { PictureThread } from './picture-thread.js';
export { SHARE_PATH, sharePictures } from './share-pictures.js';

export interface PublicOptions extends AgentsOptions, VersusOptions {
  views: Pick<LobbyViews, 'shownSeat'>;
}

/** The public pages, without a key: played hands, and agents. */
export function publicRoutes(options: PublicOptions): Route[] {
  const { sql, house, views } = options;
  const moments = new MomentsPage(sql, house);
  return [
    defineRoute(getPublicHand)(async ({ agent, params }) => {
      const shown = await handFor(agent, params.hand_id);
      const beside = await handsBeside(sql, house, shown, agent?.agentId ?? null);
      return { status: 200, body: handBody(shown, beside) };
    }),

    defineRoute(getMoments)(async () => ({ status: 200, body: await moments.body() })),

    defineRoute(getPublicHandFile)(async ({ agent, params, query: { format } }) => {
      // One of these by the schema of the query.
      const file = handFileOf(await handFor(agent, params.hand_id), format as 'phh' | 'pokerstars');
      const { text, contentType, fileName } = file;
      const headers = { 'content-type': contentType, 'content-disposition': `attachment; filename="${fileName}"` };
      return { status: 200, body: new TextBody(text), headers };
    }),

    defineRoute(listPublicCompetitionHands)(async ({ agent, params, query: { order, limit } }) => ({
      status: 200,
      body: await competitionHandsBody(sql, house, {
        slug: params.competition_slug,
        order: order as PoolHandsOrder,
        limit,
        viewer: agent?.agentId ?? null,
      }),
    })),

    defineRoute(getDuplicateDeck)(async ({ agent, params: { competition_slug: slug, deck } }) => ({
      status: 200,
      body: await deckBody(sql, house, { slug, deck: Number(deck), viewer: agent?.agentId ?? null }),
    })),

    defineRoute(getAgentProfile)(async ({ params: { slug } }) => ({
      status: 200,
      body: await profileBody(options, await agentBy(slug)),
    })),

    defineRoute(getVersus)(async ({ params: { slug, other } }) => {
      const season = options.season();
      if (season === null) throw new HttpError(404, Detail.noActiveSeason);
      const faces = [await agentBy(slug), await agentBy(other)] as const;
      if (faces[0].agentId === faces[1].agentId) throw new HttpError(400, Detail.sameAgent);
      return { status: 200, body: await versusBody(options, season, faces) };
    }),

    defineRoute(getAgentTable)(async ({ params: { slug } }) => {
      const { agentId } = await agentBy(slug);
      const seat = await views.shownSeat(agentId);
      return { status: 200, body: { table_id: seat?.tableId ?? null, seat: seat?.seat ?? null } };
    }),
  ];

  /** Throws HttpError 404. */
  async function handFor(agent: RequestAgent | null, handId: string): Promise<ShownHand> {
    const shown = await shownHand(sql, house, handId.toLowerCase(), agent?.agentId ?? null);
    if (shown === null) throw new HttpError(404, Detail.handNotFound);
    return shown;
  }

  /** Throws HttpError 404. */
  async function agentBy(slug: string): Promise<AgentFace> {
    // A text of another form was never given out, and may hold bytes that the database refuses.
    const agent = /^[a-z0-9-]{1,64}$/.test(slug) ? await selectAgentBySlug(sql, slug) : undefined;
    if (agent === undefined) throw new HttpError(404, Detail.agentNotFound);
    return agent;
  }
}
