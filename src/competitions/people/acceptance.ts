import type { Static } from 'typebox';
import { secretHash } from '../../accounts/index.js';
import { mailbox } from '../../lobby/index.js';
import type * as specs from '../../protocol/rest/competition-people/index.js';
import { Detail, HttpError, invitationIs, linkIs } from '../../protocol/rest/errors.js';
import type { Queryable, Transaction } from '../../store/database.js';
import { findCompetition, withCompetition } from '../guard.js';
import * as queries from './invitation-queries.js';
import type { InvitationRow, LinkRow } from './invitation-queries.js';
import { selectOwnInvitation } from './own-invitation-queries.js';
import { countParticipantsListed, selectPerson } from './participant-queries.js';
import { isEnrolling, type Participants } from './participants.js';
import { invitationStatus, linkStatus } from './bodies.js';
import type { PeopleOptions } from './options.js';
import { previewBody } from './preview-body.js';

/** The name of an invitation or a link: its token, or the id of the agent's own invitation. */
type Named = { token: string | undefined } | { inviteId: string };

/** The answer to an invitation, and the agent that answers. */
export interface Answering {
  by: Named;
  agentId: string;
  key: string | undefined;
}

type Declined = Static<typeof specs.Declined>;

/** Nobody's id. */
const NOBODY = '00000000-0000-0000-0000-000000000000';

/**
 * The rights of a token's holder. An invitation is good for one person: the agent with that verified mailbox. If its
 * address is the same to the letter, it needs no token. A link is good for whoever has it.
 */
export class Acceptance {
  constructor(
    private readonly options: PeopleOptions,
    private readonly participants: Participants,
  ) {}

  /** The competition of the token, in whatever state. */
  async preview(token: string | undefined) {
    const { sql } = this.options;
    const now = new Date(this.options.now());
    const opened = await this.#byToken(token);
    const { competition_id: competitionId } = opened.invitation ?? opened.link;
    const record = await findCompetition(sql, { competitionId, agentId: NOBODY, allow: 'anyone' });
    const [organizer, count] = await Promise.all([
      selectPerson(sql, record.organizer_id),
      countParticipantsListed(sql, competitionId, 'enrolled'),
    ]);
    const good =
      opened.invitation === undefined
        ? linkStatus(opened.link, now) === 'open'
        : invitationStatus(opened.invitation, now) === 'pending';
    const canAccept = good && isEnrolling(record, now.getTime()) && count < record.participant_cap;
    return previewBody(opened, record, { organizer, count, canAccept, now });
  }

  async accept({ by: named, agentId, key }: Answering, displayName: string | null) {
    const { sql } = this.options;
    const competitionId = await this.#whereTo(named, agentId);
    const operation = 'token' in named ? 'acceptInvite' : 'acceptOwnInvitation';
    const request = {
      competitionId,
      agentId,
      key,
      allow: 'anyone',
      operation,
      body: { ...unsaid(named), displayName },
    } as const;
    const answer = await withCompetition(sql, request, async (tx, record) => {
      const now = new Date(this.options.now());
      const { invitation, link } = await this.#open(named, agentId, tx);
      if (invitation === undefined) await take(tx, link, now);
      else await this.#mine(tx, invitation, agentId, now);
      const joined = await this.participants.join(tx, record, agentId, displayName);
      if (invitation !== undefined)
        await queries.updateAnswered(tx, invitation.invite_id, { state: 'accepted', agentId, now });
      const by = invitation === undefined ? { link_id: link.link_id } : { invite_id: invitation.invite_id };
      return { answer: joined, detail: { ...by, display_name: displayName } };
    });
    return answer.body;
  }

  /** A declined link leaves no record: it invites others, too. */
  async decline({ by: named, agentId, key }: Answering) {
    const { sql } = this.options;
    const competitionId = await this.#whereTo(named, agentId);
    const operation = 'token' in named ? 'declineInvite' : 'declineOwnInvitation';
    const request = { competitionId, agentId, key, allow: 'anyone', operation, body: unsaid(named) } as const;
    const answer = await withCompetition<Declined>(sql, request, async (tx) => {
      const now = new Date(this.options.now());
      const { invitation } = await this.#open(named, agentId, tx);
      const declined = { competition_id: competitionId, status: 'declined' } as const;
      if (invitation === undefined) return { answer: { kind: 'link', ...declined }, detail: null };
      await this.#mine(tx, invitation, agentId, now);
      await queries.updateAnswered(tx, invitation.invite_id, { state: 'declined', agentId, now });
      const detail = { invite_id: invitation.invite_id };
      return { answer: { kind: 'invitation', ...declined }, detail };
    });
    return answer.body;
  }

  async #whereTo(named: Named, agentId: string): Promise<string> {
    const { invitation, link } = await this.#open(named, agentId);
    return (invitation ?? link).competition_id;
  }

  /** Throws HttpError 400 without a token, 404 for one that opens nothing, and for what is not the agent's own. */
  async #open(named: Named, agentId: string, sql: Queryable = this.options.sql): Promise<queries.OpenedInvitation> {
    if ('token' in named) return this.#byToken(named.token, sql);
    const invitation = await selectOwnInvitation(sql, agentId, named.inviteId);
    if (invitation === undefined) throw new HttpError(404, Detail.invitationNotFound);
    return { invitation };
  }

  async #byToken(token: string | undefined, sql: Queryable = this.options.sql): Promise<queries.OpenedInvitation> {
    const opened = await queries.selectByToken(sql, hashed(token));
    if (opened === undefined) throw new HttpError(404, Detail.inviteNotFound);
    return opened;
  }

  /** Throws HttpError 403 unless the agent is the one invited, 409 where the invitation is good no more. */
  async #mine(tx: Transaction, invitation: InvitationRow, agentId: string, now: Date): Promise<void> {
    const person = await selectPerson(tx, agentId);
    if (mailbox(person.email) !== mailbox(invitation.email)) throw new HttpError(403, Detail.inviteOfAnother);
    if (!person.verified) throw new HttpError(403, Detail.emailNotVerified);
    const status = invitationStatus(invitation, now);
    if (status !== 'pending') throw new HttpError(409, invitationIs(status));
  }
}

/** For the idempotency keys: a token is stored nowhere. */
const unsaid = (named: Named) => ('token' in named ? { token: hashed(named.token).toString('hex') } : named);

/** Takes a use of the link: the statement itself counts, so that there are never more than there should be. */
async function take(tx: Transaction, link: LinkRow, now: Date): Promise<void> {
  if ((await queries.useInviteLink(tx, link.link_id, now)) !== undefined) return;
  throw new HttpError(409, linkIs(linkStatus(link, now)));
}

/** Throws HttpError 400 without a token, 404 for a text that is none. */
function hashed(token: string | undefined): Buffer {
  if (token === undefined || token === '') throw new HttpError(400, Detail.inviteTokenMissing);
  const hash = secretHash(token);
  if (hash === null) throw new HttpError(404, Detail.inviteNotFound);
  return hash;
}
