import { setTimeout as sleep } from 'node:timers/promises';
import type { AskedPage, PageCard, PageCards } from '../gateway/pages/page-card.js';
import type { Limiter } from '../gateway/limits.js';
import type { HttpRequest, Log } from '../gateway/transport.js';
import type { LobbyViews } from '../lobby/index.js';
import { tableName } from '../protocol/table-name.js';
import { PAGE_PATHS } from '../protocol/page-paths.js';
import { STEP_ID } from './share-pictures.js';
import { handBody, NO_HANDS_BESIDE, shownHand } from './hands.js';
import { KeptAnswers } from '../ops/kept-answers.js';
import { selectAgentBySlug, selectCompetitionCard } from './queries.js';
import type { AgentsOptions } from './agents.js';

export interface PageCardOptions extends AgentsOptions {
  /** Our address as people reach it, without a slash at the end; null where it is not known. */
  origin: string | null;
  views: Pick<LobbyViews, 'tableState'>;
  /** The first bots of the season being played. */
  leaders(most: number): Promise<readonly { botName: string; score: number }[]>;
  /** The client's key for limits. */
  clientOf(request: HttpRequest): string;
  /** How many look-ups an address has a minute. */
  limiter: Limiter;
  log: Pick<Log, 'warn'>;
}

const KEPT_MS = 10_000;
const KEPT = 1000;
/** Look-ups at a time. */
const AT_ONCE = 4;
/** A page does not wait longer for its card. */
const WAIT_MS = 500;
const LOG_MS = 60_000;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const STATES: Readonly<Record<string, string>> = {
  enrolling: 'open for bots',
  enrollment_closed: 'about to start',
  active: 'being played',
  paused: 'paused',
  ending: 'being played out',
  results_pending: 'played to its end',
  finalized: 'finished',
  cancelled: 'cancelled',
};

type Make = (params: Readonly<Record<string, string>>, query: string) => Promise<PageCard | null>;

/**
 * The cards of pages, as anybody sees them who has no key. A page has no card of its own for an unknown, hidden or
 * sealed subject. The same holds while an address asks for too many, or the database does not answer.
 */
export function pageCards(options: PageCardOptions): PageCards {
  const { sql, house, views, placeOf, leaders, origin, limiter, clientOf, log } = options;
  const kept = new KeptAnswers<PageCard | null>(KEPT_MS, KEPT);
  let busy = 0;
  let logged = -Infinity;

  const hand: Make = async ({ hand_id: id = '' }, query) => {
    const shown = UUID.test(id.toLowerCase()) ? await shownHand(sql, house, id.toLowerCase(), null) : null;
    if (shown === null) return null;
    const body = handBody(shown, NO_HANDS_BESIDE);
    const at = stepIn(query);
    const winners = body.players
      .filter(({ payout }) => payout > 0)
      .map(({ name, payout }) => `${name} wins ${figure(payout)}`);
    return {
      title: `${tableName(body.table_id)} #${figure(body.hand_number)}`,
      description: `${winners.join(', ')}. ${body.players.length} bots, blinds ${figure(body.small_blind)} / ${figure(body.big_blind)}.`,
      path: PAGE_PATHS.hand.replace('{hand_id}', body.hand_id) + (at === null ? '' : `?at=${at}`),
      image: `/share/hands/${body.hand_id}.png${at === null ? '' : `?at=${at}`}`,
    };
  };

  const makes: Partial<Record<AskedPage['name'], Make>> = {
    home: async () => ({
      title: 'Bots play poker here',
      description: 'Write a bot in any language, let it play live, and see its rank.',
      path: PAGE_PATHS.home,
      image: CARD,
    }),
    leaderboard: async () => {
      const first = await leaders(3);
      const places = first.map(({ botName, score }, i) => `${i + 1}. ${botName} (${figure(score)})`);
      return {
        title: 'Leaderboard',
        description: places.length === 0 ? 'No bot has a place in this season yet.' : places.join(', '),
        path: PAGE_PATHS.leaderboard,
        image: CARD,
      };
    },
    agent: async ({ slug = '' }) => {
      const agent = /^[a-z0-9-]{1,64}$/.test(slug) ? await selectAgentBySlug(sql, slug) : undefined;
      if (agent === undefined) return null;
      const place = await placeOf(agent.agentId);
      return {
        title: agent.name,
        description:
          place === null
            ? 'A bot that plays no hands in this season.'
            : `${agent.isHouse ? 'A bot of the house' : `Rank ${figure(place.rank)} of ${figure(place.total)}, score ${figure(place.score)}`}. ${figure(place.handsPlayed)} hands in season ${place.number}.`,
        path: PAGE_PATHS.agent.replace('{slug}', slug),
        image: CARD,
      };
    },
    competition: async ({ slug = '' }) => {
      const found = /^[a-z0-9-]{1,200}$/.test(slug) ? await selectCompetitionCard(sql, slug) : undefined;
      if (found === undefined) return null;
      return {
        title: found.name,
        description: `A competition of ${found.bots} ${found.bots === 1 ? 'bot' : 'bots'}, ${STATES[found.state] ?? found.state}.`,
        path: PAGE_PATHS.competition.replace('{slug}', slug),
        image: CARD,
      };
    },
    table: async ({ table_id: id = '' }) => {
      const text = UUID.test(id) ? await views.tableState(id) : null;
      if (text === null) return null;
      const { seats, small_blind: small, big_blind: big } = JSON.parse(text) as TableCardState;
      const names = seats.flatMap(({ name }) => (name ? [name] : []));
      return {
        title: `${tableName(id)}, live`,
        description: `Blinds ${figure(small)} / ${figure(big)}. ${names.length === 0 ? 'No bot sits here now.' : `At the table: ${names.join(', ')}.`}`,
        path: PAGE_PATHS.table.replace('{table_id}', id),
        image: CARD,
      };
    },
    hand,
    embedHand: hand,
  };

  /** A look-up that an address may make now; null where it may not. */
  async function looked({ name, params, request }: AskedPage, make: Make): Promise<PageCard | null> {
    const at = stepIn(request.query) ?? '';
    const key = [name, ...Object.values(params), at].join(' ');
    const known = kept.get(key);
    if (known !== undefined) return known;
    if ((await limiter.take(clientOf(request))) > 0 || busy >= AT_ONCE) return null;
    busy++;
    const answer = make(params, request.query).finally(() => busy--);
    return kept.keep(key, answer);
  }

  return {
    origin,
    async of(page) {
      const make = makes[page.name];
      if (make === undefined) return null;
      try {
        const late = new AbortController();
        const none = sleep(WAIT_MS, null, { signal: late.signal }).catch(() => null);
        return await Promise.race([looked(page, make), none]).finally(() => late.abort());
      } catch (error) {
        // The page itself needs no database. It says what does not work.
        if (performance.now() - logged > LOG_MS) log.warn({ err: error }, 'a page went out without its own card');
        logged = performance.now();
        return null;
      }
    },
  };
}

interface TableCardState {
  seats: readonly { name?: string | null }[];
  small_blind: number;
  big_blind: number;
}

const CARD = '/card.png';

/** The step of a replay that a link names; null for none. */
const stepIn = (query: string): string | null => {
  const at = new URLSearchParams(query).get('at');
  return at !== null && STEP_ID.test(at) ? at : null;
};

const grouped = new Intl.NumberFormat('en', { maximumFractionDigits: 0 });
const figure = (value: number) => grouped.format(value);
