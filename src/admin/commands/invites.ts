import { createInviteCode, listInviteCodes } from '../../accounts/index.js';
import { change, CommandError, count, look, textOption } from '../command.js';
import { columns } from '../../command/columns.js';
import { day } from '../print.js';
import { selectNow } from '../queries.js';

export const createInvite = change({
  name: 'create-invite',
  purpose: 'a code for the beta gate (BETA_GATE=on)',
  options: {
    uses: count('N', 'the number of agents that may use the code', 1),
    days: count('N', 'the code is good for this time; without it the code never expires', undefined),
    note: textOption('TEXT', 'for whom it is'),
  },
  change: async (tx, { uses, days, note = null }) => {
    if (uses < 1) throw new CommandError('a code is for one agent at least');
    const expiresAt = days === undefined ? null : new Date((await selectNow(tx)).getTime() + days * 86_400_000);
    const code = await createInviteCode(tx, { maxUses: uses, expiresAt, note });
    const detail = { max_uses: uses, expires_at: expiresAt, note };
    // The log gives nobody a code.
    return { entry: { subject: null, detail }, data: { code, ...detail }, lines: [code] };
  },
});

export const invites = look({
  name: 'invites',
  purpose: 'all codes and how often they were used',
  look: async (sql) => {
    const codes = await listInviteCodes(sql);
    const rows = codes.map(({ code, uses, max_uses, expires_at, note }) => [
      ...[code, `${uses} of ${max_uses}`, expires_at === null ? '-' : day(expires_at), note ?? ''],
    ]);
    return { data: { invites: codes }, lines: columns([['code', 'used', 'until', 'note'], ...rows]) };
  },
});

export const inviteCommands = [createInvite, invites];
