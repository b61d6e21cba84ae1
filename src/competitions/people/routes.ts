import type { RequestAgent } from '../../protocol/route.js';
import { defineRoute, type Route } from '../../protocol/route.js';
import { IDEMPOTENCY_HEADER } from '../../protocol/rest/credits.js';
import * as specs from '../../protocol/rest/competition-people/index.js';
import { Acceptance } from './acceptance.js';
import { etag } from '../guard.js';
import { JoinRequests } from './join-requests.js';
import { Invitations } from './invitations.js';
import { InviteLinks } from './links.js';
import { ownInvitationRoutes } from './own-invitations.js';
import { Participants } from './participants.js';
import type { PeopleRequest, PeopleOptions } from './options.js';

type Headers = Readonly<Record<string, string>>;

const asked = (
  params: { competition_id: string },
  { agentId }: RequestAgent,
  headers: Headers,
  ip: string | null = null,
): PeopleRequest => ({ competitionId: params.competition_id, agentId, key: headers[IDEMPOTENCY_HEADER], ip });

const tokenOf = (headers: Headers) => headers[specs.INVITE_TOKEN_HEADER];

/** Invitations, links and participants; `dismissOutsiders` once the lobby knows the tables. */
export function createPeople(options: PeopleOptions): { routes: Route[]; dismissOutsiders(): Promise<void> } {
  const participants = new Participants(options);
  const acceptance = new Acceptance(options, participants);
  return {
    routes: [
      ...invitationRoutes(new Invitations(options)),
      ...linkRoutes(new InviteLinks(options)),
      ...answerRoutes(acceptance),
      ...ownInvitationRoutes(options, acceptance),
      ...participantRoutes(participants),
      ...joinRequestRoutes(new JoinRequests(options, participants)),
    ],
    dismissOutsiders: () => participants.dismissOutsiders(),
  };
}

function invitationRoutes(invitations: Invitations): Route[] {
  return [
    defineRoute(specs.listInvitations)(async ({ agent, params, query: { limit, offset } }) => ({
      status: 200,
      body: await invitations.list(params.competition_id, agent.agentId, { limit, offset }),
    })),

    defineRoute(specs.invitePeople)(async ({ agent, params, body, headers, ip }) => ({
      status: 201,
      body: await invitations.invite(asked(params, agent, headers, ip), body.emails),
    })),

    defineRoute(specs.resendInvitation)(async ({ agent, params, headers, ip }) => {
      const by = asked(params, agent, headers, ip);
      const body = await invitations.resend(by, params.invite_id, headers['if-match']);
      return { status: 200, body, headers: { etag: etag(body.version) } };
    }),

    defineRoute(specs.revokeInvitation)(async ({ agent, params, headers }) => {
      const body = await invitations.revoke(asked(params, agent, headers), params.invite_id, headers['if-match']);
      return { status: 200, body, headers: { etag: etag(body.version) } };
    }),
  ];
}

function linkRoutes(links: InviteLinks): Route[] {
  return [
    defineRoute(specs.listInviteLinks)(async ({ agent, params, query: { limit, offset } }) => ({
      status: 200,
      body: await links.list(params.competition_id, agent.agentId, { limit, offset }),
    })),

    defineRoute(specs.createInviteLink)(async ({ agent, params, body, headers }) => {
      const until = typeof body.expires_at === 'string' ? new Date(body.expires_at) : null;
      return { status: 201, body: await links.create(asked(params, agent, headers), body.max_uses, until) };
    }),

    defineRoute(specs.revokeInviteLink)(async ({ agent, params, headers }) => ({
      status: 200,
      body: await links.revoke(asked(params, agent, headers), params.link_id),
    })),
  ];
}

function answerRoutes(acceptance: Acceptance): Route[] {
  const answering = ({ agentId }: RequestAgent, headers: Headers) => ({
    by: { token: tokenOf(headers) },
    agentId,
    key: headers[IDEMPOTENCY_HEADER],
  });
  return [
    defineRoute(specs.previewInvite)(async ({ headers }) => ({
      status: 200,
      body: await acceptance.preview(tokenOf(headers)),
      // The answer is for who holds the token.
      headers: { 'cache-control': 'no-store' },
    })),

    defineRoute(specs.acceptInvite)(async ({ agent, body, headers }) => ({
      status: 200,
      body: await acceptance.accept(answering(agent, headers), body.display_name ?? null),
    })),

    defineRoute(specs.declineInvite)(async ({ agent, headers }) => ({
      status: 200,
      body: await acceptance.decline(answering(agent, headers)),
    })),
  ];
}

function participantRoutes(participants: Participants): Route[] {
  const changes = {
    remove: specs.removeParticipant,
    disqualify: specs.disqualifyParticipant,
    restore: specs.restoreParticipant,
  } as const;
  return [
    defineRoute(specs.enrollInCompetition)(async ({ agent, params, body, headers }) => ({
      status: 200,
      body: await participants.enrollOrganizer(asked(params, agent, headers), body.display_name ?? null),
    })),

    defineRoute(specs.listParticipants)(async ({ agent, params, query: { status = null, limit, offset } }) => ({
      status: 200,
      body: await participants.list(params.competition_id, agent.agentId, status, { limit, offset }),
    })),

    defineRoute(specs.withdrawFromCompetition)(async ({ agent, params, headers }) => ({
      status: 200,
      body: await participants.withdraw(asked(params, agent, headers)),
    })),

    ...(['remove', 'disqualify', 'restore'] as const).map((kind) =>
      defineRoute(changes[kind])(async ({ agent, params, body, headers }) => {
        const reason = body.reason ?? null;
        const { agent_id: of } = params;
        return { status: 200, body: await participants.change(kind, asked(params, agent, headers), of, reason) };
      }),
    ),
  ];
}

function joinRequestRoutes(requests: JoinRequests): Route[] {
  return [
    defineRoute(specs.askToJoin)(async ({ agent, params, body, headers }) => ({
      status: 201,
      body: await requests.ask(asked(params, agent, headers), body.display_name ?? null),
    })),

    defineRoute(specs.withdrawJoinRequest)(async ({ agent, params, headers }) => ({
      status: 200,
      body: await requests.withdraw(asked(params, agent, headers)),
    })),

    defineRoute(specs.listJoinRequests)(async ({ agent, params, query: { status = null, limit, offset } }) => ({
      status: 200,
      body: await requests.list(params.competition_id, agent.agentId, status, { limit, offset }),
    })),

    defineRoute(specs.acceptJoinRequest)(async ({ agent, params, headers }) => ({
      status: 200,
      body: await requests.accept(asked(params, agent, headers), params.agent_id),
    })),

    defineRoute(specs.declineJoinRequest)(async ({ agent, params, headers }) => ({
      status: 200,
      body: await requests.decline(asked(params, agent, headers), params.agent_id),
    })),

    defineRoute(specs.listOwnJoinRequests)(async ({ agent, query: { slug = null, limit, offset } }) => ({
      status: 200,
      body: await requests.own(agent.agentId, slug, { limit, offset }),
      // The answer is for the signed-in user only.
      headers: { 'cache-control': 'no-store' },
    })),
  ];
}
