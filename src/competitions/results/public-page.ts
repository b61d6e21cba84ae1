import type { Static } from 'typebox';
import type { LobbyViews } from '../../lobby/index.js';
import type { PublicTableStateSchema } from '../../protocol/messages/state.js';
import type { PublicCompetition } from '../../protocol/rest/competition-results.js';
import { Detail, HttpError } from '../../protocol/rest/errors.js';
import type { Database } from '../../store/database.js';
import { selectPerson } from '../people/participant-queries.js';
import { shownBody } from '../people/preview-body.js';
import { selectBySlug } from '../queries.js';
import { KeptAnswers } from '../../ops/kept-answers.js';
import type { Boards } from './results.js';
import type { PageRequest } from '../page.js';

/** An answer is at most so old, in ms. */
const KEPT_MS = 1000;
const KEPT = 1000;

export type Views = Pick<LobbyViews, 'listTables' | 'tableState' | 'activeGame'>;

type Body = Static<typeof PublicCompetition>;

/** The most tables with a shown state. */
const SHOWN = 12;
/** The public pages of a competition. */
export class PublicPages {
  readonly #kept = new KeptAnswers<Body>(KEPT_MS, KEPT);

  constructor(
    private readonly sql: Database,
    private readonly views: Views,
    private readonly boards: Boards,
  ) {}

  /** Throws HttpError 404 where there is no such competition, or it is a draft. */
  async of(slug: string, page: PageRequest): Promise<Body> {
    // A text of another form was never given out, and may hold bytes that the database refuses.
    if (!/^[a-z0-9-]{1,200}$/.test(slug)) throw new HttpError(404, Detail.competitionNotFound);
    const key = `${slug} ${page.limit} ${page.offset}`;
    return this.#kept.of(key, () => this.#make(slug, page));
  }

  async #make(slug: string, page: PageRequest): Promise<Body> {
    const record = await selectBySlug(this.sql, slug);
    if (record === undefined || record.state === 'draft') throw new HttpError(404, Detail.competitionNotFound);
    const [organizer, standings, tables] = await Promise.all([
      selectPerson(this.sql, record.organizer_id),
      this.boards.publicLines(record, page),
      this.#tables(record.competition_id),
    ]);
    const shown = shownBody(record, { organizer, count: record.participant_count });
    const id = record.join_requests ? record.competition_id : null;
    return { competition_id: id, ...shown, standings, tables };
  }

  async #tables(competitionId: string) {
    const tables = (await this.views.listTables(competitionId)).sort((a, b) => b.players - a.players);
    return Promise.all(
      tables.map(async (table, n) => ({ ...table, state: n < SHOWN ? await this.#state(table.table_id) : null })),
    );
  }

  async #state(tableId: string) {
    try {
      return stateOf(await this.views.tableState(tableId));
    } catch (error) {
      // The page does without a table that does not answer.
      if (error instanceof HttpError && error.status === 503) return null;
      throw error;
    }
  }
}

/** The spectators' view that a table has written. */
export const stateOf = (text: string | null) =>
  text === null ? null : (JSON.parse(text) as Static<typeof PublicTableStateSchema>);
