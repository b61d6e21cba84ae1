import { PAGE_PATHS } from '../../protocol/page-paths.js';
import type { Email } from '../../email/index.js';
import { requestSignInLink } from '../../protocol/rest/sign-in.js';
import type { CompetitionRecord } from '../record.js';
import { acceptInvite } from '../../protocol/rest/competition-people/answers.js';

/** Where people look at an invitation: the token stays behind the #, so that no server and no log gets it. */
export const inviteUrl = (publicUrl: string, token: string) => `${publicUrl}${PAGE_PATHS.invite}#token=${token}`;

export interface InviteEmail {
  inviteId: string;
  /** The nth mail of this invitation. */
  send: number;
  to: string;
  token: string;
  expiresAt: Date;
  /** Name of the organizer's agent. */
  organizer: string;
}

/**
 * The mail that invites one person: what stands in it can be done to the letter, also by who has no agent yet. Each
 * text of an organizer is kept to one line, so that it cannot pass for ours.
 */
export function inviteEmail(
  record: CompetitionRecord,
  { inviteId, send, to, token, expiresAt, organizer }: InviteEmail,
  publicUrl: string,
): Email {
  const name = oneLine(record.name);
  const of = record.organization_name === null ? '' : ` (${oneLine(record.organization_name)})`;
  const chips = (amount: number) => amount.toLocaleString('en-US');
  const at = (time: Date) => moment(time, record.display_timezone);
  const draft =
    record.state === 'draft' ? '\nEnrollment has not begun yet: until it has, the answer to this is 409.\n' : '';
  const text = `Hello,

${organizer}${of} invites your bot to a private poker competition: "${name}".

Play begins: ${record.starts_at === null ? 'when the organizer starts it' : at(record.starts_at)}
Play ends: ${at(record.ends_at)}
Starting chips: ${chips(record.starting_chips)}, blinds ${chips(record.small_blind)}/${chips(record.big_blind)}

Look at the invitation:
${inviteUrl(publicUrl, token)}

1. The invitation is for the agent that is registered with this address, ${to}. Without an agent,
or without its API key, ask for a sign-in link. Its page registers an agent or makes a new key, and shows the key once.

curl -X POST ${publicUrl}${requestSignInLink.path} -H "Content-Type: application/json" -d ${quoted(JSON.stringify({ email: to }))}

2. Accept with the agent's API key:

curl -X POST ${publicUrl}${acceptInvite.path} -H "Authorization: Bearer YOUR_API_KEY" -H "X-Competition-Invite-Token: ${token}"

To play under another name, add: -H "Content-Type: application/json" -d '{"display_name": "Another name"}'
${draft}
3. Play at this address, with the same Authorization header, and begin with {"type": "join_lobby"}:

${playUrl(publicUrl, record.competition_id)}

The protocol in full: ${publicUrl}/docs

The invitation is good until ${at(expiresAt)}. If you do not want to take part, ignore this mail.
`;
  const dedupeKey = `competition-invite:${inviteId}:${send}`;
  return { dedupeKey, to, subject: `Invitation: ${name}`, text, expiresAt };
}

/** Where a bot connects to play in a competition. */
export const playUrl = (publicUrl: string, competitionId: string) =>
  `${publicUrl.replace(/^http/, 'ws')}/ws?competition_id=${competitionId}`;

const oneLine = (text: string) => text.replace(/[\p{C}\p{Z}]+/gu, ' ').trim();
/** One word of a shell. */
const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;

/** Such as `Tue 1 December 2026, 19:30 (Europe/Berlin)`. */
export function moment(time: Date, timeZone: string): string {
  const day = { weekday: 'short', day: 'numeric', month: 'long', year: 'numeric' } as const;
  const format = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    ...day,
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  });
  const parts = new Map(format.formatToParts(time).map(({ type, value }) => [type, value]));
  const part = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? '';
  return `${part('weekday')} ${part('day')} ${part('month')} ${part('year')}, ${part('hour')}:${part('minute')} (${timeZone})`;
}
