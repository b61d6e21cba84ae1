/** The actions of the audit log as words. Before them stands who acted, behind them to whom or what. */
const WORDS: Readonly<Record<string, string>> = {
  audit: 'ran the audit',
  ban: 'banned',
  unban: 'let in again',
  verify_email: 'verified the address of',
  reset_key: 'made a new key for',
  key_ended: 'ended the key of',
  create_platform_agent: 'made the platform’s agent',
  create_invite: 'made an invitation code',
  clear_wallet: 'cleared the wallet of',
  wallet_changed: 'changed the wallet of',
  wallet_change_cancelled: 'took back the wallet change of',
  drain: 'took out the node',
  end_season: 'set the end of the season',
  tables_close: 'closed the table',
  prizes_release: 'paid the prize',
  prizes_refuse: 'refused the prize',
  withdrawals_retry: 'tried again the withdrawal',
  withdrawals_release: 'released the withdrawal',
  withdrawals_return: 'returned the withdrawal',
  deposits_retry: 'followed again the deposit',
  deposits_accept: 'accepted the lost deposit',
  deposits_reverse: 'took back the deposit',
  competitions_cancel: 'called off',
  competitions_finalize: 'made final',
  createCompetition: 'created',
  updateCompetition: 'changed',
  openEnrollment: 'opened the enrollment of',
  closeEnrollment: 'closed the enrollment of',
  startCompetition: 'started',
  pauseCompetition: 'paused',
  resumeCompetition: 'resumed',
  endCompetition: 'ended',
  closePlay: 'closed the play of',
  finalizeCompetition: 'made final',
  cancelCompetition: 'called off',
  addCoOrganizer: 'added a co-organizer to',
  removeCoOrganizer: 'removed a co-organizer from',
  invitePeople: 'invited people to',
  resendInvitation: 'sent an invitation again to',
  revokeInvitation: 'revoked an invitation to',
  createInviteLink: 'made an invite link to',
  revokeInviteLink: 'revoked an invite link to',
  acceptInvite: 'accepted an invitation to',
  declineInvite: 'declined an invitation to',
  acceptOwnInvitation: 'accepted an invitation to',
  declineOwnInvitation: 'declined an invitation to',
  enrollInCompetition: 'enrolled in',
  withdrawFromCompetition: 'withdrew from',
  removeParticipant: 'removed a bot from',
  disqualifyParticipant: 'disqualified a bot in',
  restoreParticipant: 'restored a bot in',
};

/** An action without words of its own is told by its name. */
export const wordsOf = (action: string): string =>
  WORDS[action] ??
  action
    .replaceAll('_', ' ')
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase();

const ACTORS: Readonly<Record<string, string>> = {
  cli: 'The command line',
  operator: 'The operator',
  system: 'The platform',
};

export const actorOf = (actor: string, name: string | null): string => name ?? ACTORS[actor] ?? actor;

/** The detail as `reason: seen twice, from: 3`; JSON that is no object stands as it is. */
export function detailOf(json: string): string {
  const detail = JSON.parse(json) as unknown;
  if (typeof detail !== 'object' || detail === null) return json;
  return Object.entries(detail)
    .map(
      ([name, value]) => `${name.replaceAll('_', ' ')}: ${typeof value === 'string' ? value : JSON.stringify(value)}`,
    )
    .join(', ');
}
