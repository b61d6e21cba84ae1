import { randomUUID } from 'node:crypto';
import { newSecret } from '../../accounts/index.js';
import { Detail, HttpError, invalidField, linkIs, notFrom } from '../../protocol/rest/errors.js';
import { findCompetition, withCompetition } from '../guard.js';
import * as queries from './invitation-queries.js';
import { enrollmentEnds, expiryOf, hashOf, mayInvite } from './invitations.js';
import { inviteUrl } from './invite-email.js';
import { linkBody, listedLinkBody } from './bodies.js';
import type { PeopleRequest, PeopleOptions } from './options.js';
import type { PageRequest } from '../page.js';

/** Links of a competition that are good for something at the same time. */
const OPEN_LINKS = 100;

/** Links that let in whoever has them, so many times. */
export class InviteLinks {
  constructor(private readonly options: PeopleOptions) {}

  /** The answer alone holds the token: only its hash is stored, so that a second one cannot be given. */
  async create({ competitionId, agentId }: Omit<PeopleRequest, 'key'>, maxUses: number, until: Date | null) {
    const { sql, publicUrl } = this.options;
    const token = newSecret();
    const linkId = randomUUID();
    const request = { competitionId, agentId, operation: 'createInviteLink' };
    const answer = await withCompetition(sql, request, async (tx, record) => {
      const now = new Date(this.options.now());
      if (!mayInvite(record, now.getTime())) throw new HttpError(409, notFrom('invite', record.state));
      const expiresAt = until ?? expiryOf(record, now);
      // Also what looks like a date and is none.
      if (!(expiresAt > now)) throw invalidField('expires_at', 'Input should be in the future', 'value_error');
      if (expiresAt.getTime() > enrollmentEnds(record)) {
        throw invalidField('expires_at', 'Input should not be after the end of enrollment', 'value_error');
      }
      const { open } = await queries.countLinks(tx, competitionId, now);
      if (open >= OPEN_LINKS) throw new HttpError(409, Detail.tooManyLinks);
      const link = { competitionId, linkId, tokenHash: hashOf(token), maxUses, expiresAt, now };
      const body = linkBody(await queries.insertInviteLink(tx, link), now);
      return { answer: body, detail: { link_id: linkId, max_uses: maxUses } };
    });
    return { ...answer.body, token, url: inviteUrl(publicUrl(), token) };
  }

  async list(competitionId: string, agentId: string, page: PageRequest) {
    const { sql } = this.options;
    await findCompetition(sql, { competitionId, agentId });
    const now = new Date(this.options.now());
    const [rows, { total }] = await Promise.all([
      queries.selectLinks(sql, competitionId, page),
      queries.countLinks(sql, competitionId, now),
    ]);
    return { links: rows.map((row) => listedLinkBody(row, now)), total, ...page };
  }

  async revoke(asked: PeopleRequest, linkId: string) {
    const request = { ...asked, operation: 'revokeInviteLink', body: { linkId } };
    const answer = await withCompetition(this.options.sql, request, async (tx) => {
      const now = new Date(this.options.now());
      if ((await queries.selectLink(tx, asked.competitionId, linkId)) === undefined) {
        throw new HttpError(404, Detail.linkNotFound);
      }
      const row = await queries.updateLinkRevoked(tx, linkId, now);
      if (row === undefined) throw new HttpError(409, linkIs('revoked'));
      return { answer: listedLinkBody(row, now), detail: { link_id: linkId } };
    });
    return answer.body;
  }
}
