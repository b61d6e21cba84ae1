import { utc } from '../../protocol/common.js';
import * as specs from '../../protocol/rest/own-invitations.js';
import { IDEMPOTENCY_HEADER } from '../../protocol/rest/credits.js';
import { defineRoute, type Route } from '../../protocol/route.js';
import type { Acceptance } from './acceptance.js';
import type { InvitationRow } from './invitation-queries.js';
import * as queries from './own-invitation-queries.js';
import type { InvitedTo } from './own-invitation-queries.js';
import { selectPerson } from './participant-queries.js';
import { isEnrolling } from './participants.js';
import { invitationStatus } from './bodies.js';
import type { PeopleOptions } from './options.js';
import type { PageRequest } from '../page.js';

/** The invitations of one agent: to its address, as far as that is known to be its own, and those it has answered. */
export async function ownInvitations(
  { sql, now }: Pick<PeopleOptions, 'sql' | 'now'>,
  agentId: string,
  page: PageRequest,
) {
  const [person, { rows, total }] = await Promise.all([
    selectPerson(sql, agentId),
    queries.selectOwnInvitations(sql, agentId, page),
  ]);
  const competitions = await queries.selectInvitedTo(sql, [...new Set(rows.map((row) => row.competition_id))], agentId);
  const byId = new Map(competitions.map((competition) => [competition.competition_id, competition]));
  const at = new Date(now());
  const invitations = rows.map((row) => body(row, byId.get(row.competition_id)!, at));
  return { invitations, email_verified: person.verified, total, ...page };
}

function body(row: InvitationRow, competition: InvitedTo, now: Date) {
  const status = invitationStatus(row, now);
  const acceptable = status === 'pending' && mayEnroll(competition, now);
  return {
    invite_id: row.invite_id,
    competition_id: row.competition_id,
    competition_name: competition.name,
    competition_status: competition.state,
    organizer_name: competition.organizer_name,
    organization_name: competition.organization_name,
    status,
    expires_at: utc(row.expires_at),
    created_at: utc(row.created_at),
    answered_at: row.answered_at && utc(row.answered_at),
    accept_path: acceptable ? specs.acceptOwnInvitation.path.replace('{invite_id}', row.invite_id) : null,
  };
}

/** As `Participants.join` decides it. */
const mayEnroll = (competition: InvitedTo, now: Date): boolean =>
  isEnrolling(competition, now.getTime()) &&
  competition.participant_count < competition.participant_cap &&
  (competition.participation === null || competition.participation === 'withdrawn');

export function ownInvitationRoutes(options: PeopleOptions, acceptance: Acceptance): Route[] {
  const answering = (inviteId: string, agentId: string, headers: Readonly<Record<string, string>>) => ({
    by: { inviteId },
    agentId,
    key: headers[IDEMPOTENCY_HEADER],
  });
  return [
    defineRoute(specs.listOwnInvitations)(async ({ agent, query: { limit, offset } }) => ({
      status: 200,
      body: await ownInvitations(options, agent.agentId, { limit, offset }),
      // The answer is for the signed-in user only.
      headers: { 'cache-control': 'no-store' },
    })),

    defineRoute(specs.acceptOwnInvitation)(async ({ agent, params, body: { display_name: name }, headers }) => ({
      status: 200,
      body: await acceptance.accept(answering(params.invite_id, agent.agentId, headers), name ?? null),
    })),

    defineRoute(specs.declineOwnInvitation)(async ({ agent, params, headers }) => ({
      status: 200,
      body: await acceptance.decline(answering(params.invite_id, agent.agentId, headers)),
    })),
  ];
}
