import type { Static } from 'typebox';
import { utc, utcOrNull } from '../../protocol/common.js';
import type { ListedCompetitions } from '../../protocol/rest/competition-index.js';
import type { Database } from '../../store/database.js';
import type { PageRequest } from '../page.js';
import { KeptAnswers } from '../../ops/kept-answers.js';
import {
  countListed,
  selectListed,
  selectPodiums,
  type ListedRow,
  type ListedStatus,
  type PodiumRow,
} from './listing-queries.js';

/** An answer is at most so old, in ms. */
const KEPT_MS = 1000;
const KEPT = 1000;

type Body = Static<typeof ListedCompetitions>;
type Asked = { status: ListedStatus; search: string } & PageRequest;

/** The list of competitions for everybody: no drafts, no cancelled ones. */
export class PublicListing {
  readonly #kept = new KeptAnswers<Body>(KEPT_MS, KEPT);

  constructor(private readonly sql: Database) {}

  of({ status, search: text, limit, offset }: Asked): Promise<Body> {
    const search = text.trim().toLowerCase();
    const asked = { status, search: search === '' ? null : search, limit, offset };
    return this.#kept.of(JSON.stringify(asked), () => this.#make(asked));
  }

  async #make(asked: Omit<Asked, 'search'> & { search: string | null }): Promise<Body> {
    const { status, search, limit, offset } = asked;
    const [rows, totals] = await Promise.all([selectListed(this.sql, asked), countListed(this.sql, search)]);
    const finished = status === 'finished' ? rows.map(({ competition_id: id }) => id) : [];
    const podiums = await selectPodiums(this.sql, finished);
    const competitions = rows.map((row) =>
      bodyOf(
        row,
        podiums.filter(({ competition_id: id }) => id === row.competition_id),
      ),
    );
    return { competitions, total: totals[status], totals, limit, offset };
  }
}

const bodyOf = (row: ListedRow, podium: readonly PodiumRow[]): Body['competitions'][number] => ({
  slug: row.slug,
  status: row.state,
  name: row.name,
  organizer_name: row.organizer_name,
  organizer_profile_slug: row.organizer_slug,
  organization_name: row.organization_name,
  participant_cap: row.participant_cap,
  join_requests: row.join_requests,
  participant_count: row.participant_count,
  enrollment_deadline: utcOrNull(row.enrollment_deadline),
  starts_at: utcOrNull(row.starts_at),
  ends_at: utc(row.ends_at),
  started_at: utcOrNull(row.started_at),
  ended_at: utcOrNull(row.ended_at),
  finalized_at: utcOrNull(row.finalized_at),
  duplicate: row.duplicate,
  podium: podium.map(({ rank, name, slug, score }) => ({ rank, name, public_profile_slug: slug, score })),
});
