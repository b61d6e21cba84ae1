import Type from 'typebox';
import { Count, Exact, Nullable, Time, Uuid } from '../../common.js';
import { IDEMPOTENCY_KEY, route } from '../../route.js';
import { COMPETITIONS_TAG as tag, CompetitionPath } from '../competition-record.js';
import { Detail, linkIs, notFrom } from '../errors.js';
import { competition_id, TOKEN, page, PageQuery, here, ORGANIZER } from './shared.js';

/** Links for whoever has them. */

export const LINK_STATUS = ['open', 'used_up', 'revoked', 'expired'] as const;

const link = {
  link_id: Uuid,
  competition_id: Uuid,
  status: Type.Enum([...LINK_STATUS]),
  max_uses: Type.Integer({ minimum: 1, maximum: 100 }),
  uses: Count,
  expires_at: Time,
  created_at: Time,
};

const linkExample = {
  link_id: '018f4e0c-6666-4d52-9d3f-2f6c1f0a9b66',
  competition_id,
  status: 'open',
  max_uses: 5,
  uses: 0,
  expires_at: '2026-12-01T18:00:00.000+00:00',
  created_at: '2026-11-21T12:00:00.000+00:00',
};

export const InviteLink = Exact(
  { ...link, revoked_at: Nullable(Time) },
  { title: 'InviteLink', examples: [{ ...linkExample, revoked_at: null }] },
);

export const InviteLinkList = Exact(
  { links: Type.Array(InviteLink, { maxItems: 100 }), ...page },
  { title: 'InviteLinks' },
);

export const NewInviteLink = Exact(
  {
    ...link,
    /** Shown this once. */
    token: Type.String({ minLength: 43 }),
    /** A page for people that shows the invitation. */
    url: Type.String(),
  },
  {
    title: 'NewInviteLink',
    examples: [{ ...linkExample, token: TOKEN, url: `https://poker.example/invite#token=${TOKEN}` }],
  },
);

export const CreateInviteLink = Exact(
  {
    max_uses: Type.Integer({ minimum: 1, maximum: 100, default: 1 }),
    /** Left out: in 14 days, or at the end of enrollment. */
    expires_at: Type.Optional(Nullable(Type.String({ format: 'date-time' }))),
  },
  { title: 'CreateInviteLink', examples: [{ max_uses: 5, expires_at: '2026-12-01T18:00:00Z' }] },
);

export const createInviteLink = route({
  id: 'createInviteLink',
  method: 'POST',
  path: `${here}/invite-links`,
  tag,
  summary: 'Make a link for a number of agents. The answer shows its token, once',
  auth: 'owner',
  params: CompetitionPath,
  body: CreateInviteLink,
  answers: { 201: NewInviteLink },
  errors: { ...ORGANIZER, 409: [Detail.tooManyLinks, notFrom('invite', 'active')] },
});

export const listInviteLinks = route({
  id: 'listInviteLinks',
  method: 'GET',
  path: `${here}/invite-links`,
  tag,
  summary: 'The invite links without their tokens, the newest first. For organizers',
  auth: 'owner',
  params: CompetitionPath,
  query: PageQuery,
  answers: { 200: InviteLinkList },
  errors: ORGANIZER,
});

export const revokeInviteLink = route({
  id: 'revokeInviteLink',
  method: 'DELETE',
  path: `${here}/invite-links/{link_id}`,
  tag,
  summary: 'Revoke an invite link. Agents that used it stay',
  auth: 'owner',
  headers: IDEMPOTENCY_KEY,
  params: Type.Object({ competition_id: Uuid, link_id: Uuid }),
  answers: { 200: InviteLink },
  errors: {
    403: [Detail.organizerOnly],
    404: [Detail.competitionNotFound, Detail.linkNotFound],
    409: [linkIs('revoked'), Detail.keyReused],
  },
});
