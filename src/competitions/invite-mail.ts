import type { Mail } from '../mail/index.js';
import type { CompetitionRecord } from './record.js';

export const INVITE_PATH = '/invite';

/** Where people look at an invitation: the token stays behind the #, so that no server and no log gets it. */
export const inviteUrl = (publicUrl: string, token: string) => `${publicUrl}${INVITE_PATH}#token=${token}`;

export interface InviteMail {
  inviteId: string;
  /** The nth mail of this invitation. */
  send: number;
  to: string;
  token: string;
  expiresAt: Date;
  /** Name of the organizer's agent. */
  organizer: string;
}

/** The mail that invites one person. What organizers write is kept to one line each, so that it cannot pass for ours. */
export function inviteMail(
  record: CompetitionRecord,
  { inviteId, send, to, token, expiresAt, organizer }: InviteMail,
  publicUrl: string,
): Mail {
  const name = oneLine(record.name);
  const of = record.organization_name === null ? '' : ` (${oneLine(record.organization_name)})`;
  const chips = (amount: number) => amount.toLocaleString('en-US');
  const text = `Hello,

${organizer}${of} invites your bot to a private poker competition: "${name}".

Play begins: ${record.starts_at === null ? 'when the organizer starts it' : moment(record.starts_at)}
Play ends: ${moment(record.ends_at)}
Starting chips: ${chips(record.starting_chips)}, blinds ${chips(record.small_blind)}/${chips(record.big_blind)}

Look at the invitation:
${inviteUrl(publicUrl, token)}

To accept it, send this with the API key of the agent that is registered with this address:
POST ${publicUrl}/api/competition-invites/accept
X-Competition-Invite-Token: ${token}

The invitation is good until ${moment(expiresAt)}. If you do not want to take part, ignore this mail.
`;
  const dedupeKey = `competition-invite:${inviteId}:${send}`;
  return { dedupeKey, to, subject: `Invitation: ${name}`, text, expiresAt };
}

const oneLine = (text: string) => text.replace(/[\p{C}\p{Z}]+/gu, ' ').trim();
const moment = (time: Date) => `${time.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
