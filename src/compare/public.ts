import type { Static } from 'typebox';
import { setTimeout as sleep } from 'node:timers/promises';
import { columns } from '../command/columns.js';
import type { DuplicateDeck } from '../protocol/rest/duplicate-decks.js';
import type { PublicCompetition } from '../protocol/rest/competition-results.js';
import type { AgentProfile } from '../protocol/rest/public.js';
import { CLIP, Judge, type Verdict } from './judge.js';
import { cellsOf, verdictText, type BotDifference } from './report.js';

/** Compares two agents of a server by what its public API tells. */

export interface PublicAsk {
  url: string;
  /** Of the season, slugs of profiles; of a competition, names in its standings. */
  old: string;
  new: string;
  competition: string | undefined;
  /** Big blinds per 100 hands. */
  within: number;
  alpha: number;
}

export interface PublicReport extends BotDifference {
  verdict: Verdict;
  /** Decks that both held, or two public intervals at 95 % beside each other. */
  by: 'same_decks' | 'two_intervals';
  old: string;
  new: string;
  within_bb_per_100: number;
  alpha: number;
  /** Decks that both held in the same place; null for two intervals. */
  decks: number | null;
  clipped_decks: number | null;
  /** The figures that were compared, and their hands. */
  figures: readonly (BotDifference & { agent: string; figure: string; hands: number })[];
}

/** The server did not answer as asked: the message says in one line why. */
export class PublicAnswerError extends Error {}

interface Answer<T> {
  status: number;
  body: T;
}

/** Reads with the pauses that the server asks for. */
class PublicReader {
  constructor(
    private readonly url: string,
    private readonly abort: AbortSignal,
  ) {}

  async get<T>(path: string): Promise<Answer<T>> {
    for (;;) {
      const key = process.env['API_KEY'];
      const headers = key === undefined ? {} : { authorization: `Bearer ${key}` };
      const answer = await fetch(new URL(path, this.url), { headers }).catch((error: unknown) => {
        throw new PublicAnswerError(`${this.url} cannot be read: ${(error as Error).message}`);
      });
      if (answer.status !== 429) return { status: answer.status, body: (await answer.json()) as T };
      await sleep(1000 * Math.max(1, Number(answer.headers.get('retry-after') ?? 5)), undefined, {
        signal: this.abort,
      });
    }
  }
}

/** One deck's differences by place, the new agent less the old one, in big blinds; empty where they have no place in common. */
export function deckDifferences(
  { hands }: Pick<Static<typeof DuplicateDeck>, 'hands'>,
  old: string,
  young: string,
): number[] {
  const held = new Map<string, [number[], number[]]>();
  for (const { players, big_blind } of hands) {
    for (const { name, place, profit } of players) {
      if (name !== old && name !== young) continue;
      const key = `${players.length} ${place}`;
      const both = held.get(key) ?? [[], []];
      both[name === old ? 0 : 1].push(profit / big_blind);
      held.set(key, both);
    }
  }
  return [...held.values()].filter(([a, b]) => a.length > 0 && b.length > 0).map(([a, b]) => mean(b) - mean(a));
}

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;

export async function comparePublic(ask: PublicAsk, abort: AbortSignal): Promise<{ data: PublicReport; text: string }> {
  const reader = new PublicReader(ask.url, abort);
  const data =
    ask.competition === undefined
      ? betweenIntervals(ask, await Promise.all([ask.old, ask.new].map((slug) => seasonFigure(reader, slug))))
      : ((await byDecks(reader, ask, ask.competition, abort)) ??
        betweenIntervals(ask, await competitionFigures(reader, ask, ask.competition)));
  return { data, text: publicText(data) };
}

/** Null where the competition has no open decks: it is not one of duplicates, or its play is not over. */
async function byDecks(
  reader: PublicReader,
  ask: PublicAsk,
  slug: string,
  abort: AbortSignal,
): Promise<PublicReport | null> {
  const judge = new Judge({ within: ask.within / 100, alpha: ask.alpha });
  let verdict: Verdict = 'unknown';
  const hands = [0, 0];
  for (let deck = 1, decks = 1; deck <= decks && verdict === 'unknown' && !abort.aborted; deck++) {
    const path = `/api/public/competitions/${encodeURIComponent(slug)}/decks/${deck}`;
    const { status, body } = await reader.get<Static<typeof DuplicateDeck>>(path);
    if (status !== 200) return deck === 1 ? null : refused(path, status);
    ({ decks } = body);
    const differences = deckDifferences(body, ask.old, ask.new);
    [ask.old, ask.new].forEach((agent, at) => {
      hands[at]! += body.hands.filter(({ players }) => players.some(({ name }) => name === agent)).length;
    });
    if (differences.length > 0) verdict = judge.add(mean(differences));
  }
  const interval = judge.interval();
  return {
    verdict,
    by: 'same_decks',
    old: ask.old,
    new: ask.new,
    within_bb_per_100: ask.within,
    alpha: ask.alpha,
    decks: judge.sample.count,
    clipped_decks: judge.clipped,
    bb_per_100: interval && 100 * interval.mean,
    interval: interval && [100 * interval.low, 100 * interval.high],
    figures: [ask.old, ask.new].map((agent, at) => ({ agent, figure: 'decks', hands: hands[at]!, bb_per_100: null, interval: null })), // prettier-ignore
  };
}

const refused = (path: string, status: number): never => {
  throw new PublicAnswerError(`${path} was answered with ${status}`);
};

type Figure = PublicReport['figures'][number];

const limitsOf = (limits: readonly number[] | null): Figure['interval'] => limits && [limits[0]!, limits[1]!];

async function seasonFigure(reader: PublicReader, slug: string): Promise<Figure> {
  const path = `/api/agents/${encodeURIComponent(slug)}`;
  const { status, body } = await reader.get<Static<typeof AgentProfile>>(path);
  if (status === 404) throw new PublicAnswerError(`there is no public profile ${slug}`);
  if (status !== 200) return refused(path, status);
  const { season } = body;
  return {
    agent: slug,
    figure: 'bb_per_100',
    hands: season?.hands_played ?? 0,
    bb_per_100: season?.bb_per_100 ?? null,
    interval: limitsOf(season?.bb_per_100_ci95 ?? null),
  };
}

/** The pages of standings that are looked through. */
const [PAGE, PAGES] = [100, 30];

async function competitionFigures(reader: PublicReader, ask: PublicAsk, slug: string): Promise<Figure[]> {
  const found = new Map<string, Figure>();
  for (let page = 0; page < PAGES && found.size < 2; page++) {
    const path = `/api/public/competitions/${encodeURIComponent(slug)}?limit=${PAGE}&offset=${page * PAGE}`;
    const { status, body } = await reader.get<Static<typeof PublicCompetition>>(path);
    if (status === 404) throw new PublicAnswerError(`there is no competition ${slug}`);
    if (status !== 200) return refused(path, status);
    for (const { name, duplicate, all_in_adj_bb_per_100: adjusted, ci95, hands_played: hands } of body.standings.rows) {
      if (name !== ask.old && name !== ask.new) continue;
      const figure = duplicate === null ? { figure: 'all_in_adj_bb_per_100', hands, bb_per_100: adjusted, interval: limitsOf(ci95) } : { figure: 'duplicate', hands: duplicate.hands, bb_per_100: duplicate.bb_per_100, interval: limitsOf(duplicate.ci95) }; // prettier-ignore
      found.set(name, { agent: name, ...figure });
    }
    if (body.standings.rows.length < PAGE) break;
  }
  return [ask.old, ask.new].map((name) => {
    const figure = found.get(name);
    if (figure === undefined) throw new PublicAnswerError(`${name} does not stand in the competition ${slug}`);
    return figure;
  });
}

/** Where two intervals part, at least one of them would have to be wrong if the verdict were false. */
export function betweenIntervals(ask: PublicAsk, [old, young]: readonly Figure[]): PublicReport {
  const [a, b] = [old!.interval, young!.interval];
  const interval = a === null || b === null ? null : ([b[0] - a[1], b[1] - a[0]] as const);
  const isKnown = old!.bb_per_100 !== null && young!.bb_per_100 !== null;
  return {
    verdict: interval === null ? 'unknown' : verdictOf(interval, ask.within),
    by: 'two_intervals',
    old: ask.old,
    new: ask.new,
    within_bb_per_100: ask.within,
    // The intervals of the API are 95 % each.
    alpha: 0.1,
    decks: null,
    clipped_decks: null,
    bb_per_100: isKnown ? young!.bb_per_100! - old!.bb_per_100! : null,
    interval,
    figures: [old!, young!],
  };
}

function verdictOf([low, high]: readonly [number, number], within: number): Verdict {
  if (low > 0) return 'better';
  if (high < 0) return 'worse';
  return low >= -within && high <= within ? 'no_difference' : 'unknown';
}

function publicText(report: PublicReport): string {
  const rows = [['difference', ...cellsOf(report), ''], ...report.figures.map((each) => [each.agent, ...cellsOf(each), String(each.hands)])]; // prettier-ignore
  const how =
    report.by === 'same_decks'
      ? `paired: ${report.decks} decks that both held in the same place; ${report.clipped_decks} were clipped to ${CLIP} big blinds a hand`
      : 'unpaired: the two public intervals at 95 % beside each other; only intervals that part give a verdict';
  return [verdictText(report), '', ...columns([['', 'bb/100', 'interval', 'hands'], ...rows], 1), '', how].join('\n');
}
