import { randomUUID } from 'node:crypto';
import { createInviteCode, keyHash, listInviteCodes, newApiKey } from '../accounts/index.js';
import { recordAudit } from '../store/audit-log.js';
import { codeOf, transaction, type Database, type Queryable } from '../store/database.js';
import * as queries from './queries.js';

/** A command cannot be carried out: the message is one clear line. */
export class CommandError extends Error {}

const UNIQUE_VIOLATION = '23505';

/**
 * What an administrator does beside the running server or without one: each changes the database in one transaction,
 * with its entry in the audit log, and wakes the server. Resolves to what is to be printed.
 */

export async function createPlatformAgent(sql: Database, { name, email }: { name: string; email: string }) {
  if (!/^[a-zA-Z0-9_]{3,32}$/.test(name)) throw new CommandError('a name has 3 to 32 letters, digits or _');
  if (!/^[^@\s]+@[^@\s]+$/.test(email)) throw new CommandError(`${email} is no e-mail address`);
  const agentId = randomUUID();
  const apiKey = newApiKey();
  const agent = { agentId, name, email, keyHash: keyHash(apiKey)! };
  try {
    await transaction(sql, async (tx) => {
      await queries.insertPlatformAgent(tx, agent);
      await recordAudit(tx, entry('create_platform_agent', agentId, { name, email }));
    });
  } catch (error) {
    if (codeOf(error) !== UNIQUE_VIOLATION) throw error;
    throw new CommandError(`the name ${name} or the address ${email} is taken`);
  }
  return [
    `agent_id  ${agentId}`,
    `api_key   ${apiKey}`,
    'The key is shown this once. It opens what only the platform may see, such as GET /health/detail.',
  ];
}

export async function listAgents(
  sql: Queryable,
  page: { search: string; banned: boolean; limit: number; offset: number },
): Promise<string[]> {
  const agents = await queries.selectAgents(sql, page);
  const rows = agents.map((agent) => [agent.agent_id, agent.name, agent.email, day(agent.created_at), marksOf(agent)]);
  const last = page.offset + agents.length;
  const count = agents.length === 0 ? 'none' : `${page.offset + 1} to ${last} of ${agents[0]!.matching}`;
  return [...columns([['agent_id', 'name', 'email', 'since', ''], ...rows]), count];
}

function marksOf(agent: queries.AgentLine): string {
  return [
    ...(agent.is_platform ? ['platform'] : []),
    ...(agent.is_house ? ['house'] : []),
    ...(agent.email_verified ? [] : ['not verified']),
    ...(agent.banned_at === null
      ? []
      : [`banned ${day(agent.banned_at)}: ${agent.banned_reason ?? 'no reason given'}`]),
  ].join(', ');
}

export function verifyEmail(sql: Database, called: string): Promise<string[]> {
  return change(sql, called, 'verify_email', {}, queries.verifyEmail, ['is verified', 'was verified before']);
}

export function ban(sql: Database, called: string, reason: string): Promise<string[]> {
  if (reason.trim() === '') throw new CommandError('a ban needs a reason');
  const banFor = (tx: Queryable, agentId: string) => queries.ban(tx, agentId, reason);
  return change(sql, called, 'ban', { reason }, banFor, ['is banned', 'was banned before']);
}

export function unban(sql: Database, called: string): Promise<string[]> {
  return change(sql, called, 'unban', {}, queries.unban, ['may play again', 'was not banned']);
}

/** One change of one agent, which may be there already. */
async function change(
  sql: Database,
  called: string,
  action: string,
  detail: Record<string, unknown>,
  make: (tx: Queryable, agentId: string) => Promise<boolean>,
  [done, before]: [string, string],
): Promise<string[]> {
  return transaction(sql, async (tx) => {
    const agent = await queries.selectAgentCalled(tx, called);
    if (agent === undefined) throw new CommandError(`there is no agent ${called}`);
    const changed = await make(tx, agent.agent_id);
    if (changed) {
      await recordAudit(tx, entry(action, agent.agent_id, detail));
      await queries.wakeServer(tx);
    }
    return [`${agent.name} (${agent.agent_id}) ${changed ? done : before}`];
  });
}

/** Ends the active season, in so many seconds, once `confirm` has agreed to its number. */
export async function endSeason(
  sql: Database,
  seconds: number,
  confirm: (seasonNumber: number) => Promise<boolean>,
): Promise<string[]> {
  const active = await queries.selectActiveSeason(sql);
  if (active === undefined) throw new CommandError('there is no active season');
  const { season_number: number } = active;
  if (!(await confirm(number))) throw new CommandError(`season ${number} goes on: not confirmed`);
  return transaction(sql, async (tx) => {
    const season = await queries.endSeasonIn(tx, number, seconds);
    if (season === undefined) throw new CommandError(`season ${number} is over, or ends before that by itself`);
    const detail = { season_number: number, end_date: season.end_date, was: active.end_date };
    await recordAudit(tx, entry('end_season', season.season_id, detail));
    await queries.wakeServer(tx);
    return [`season ${number} ends at ${season.end_date.toISOString()}`];
  });
}

export async function createInvite(
  sql: Database,
  { uses, days, note }: { uses: number; days: number | null; note: string | null },
): Promise<string[]> {
  if (uses < 1) throw new CommandError('a code is for one agent at least');
  const expiresAt = days === null ? null : new Date(Date.now() + days * 86_400_000);
  const code = await transaction(sql, async (tx) => {
    const detail = { max_uses: uses, expires_at: expiresAt, note };
    await recordAudit(tx, { actor: 'cli', action: 'create_invite', subject: null, detail });
    return createInviteCode(tx, { maxUses: uses, expiresAt, note });
  });
  return [code];
}

export async function listInvites(sql: Queryable): Promise<string[]> {
  const rows = (await listInviteCodes(sql)).map((invite) => [
    invite.code,
    `${invite.uses} of ${invite.max_uses}`,
    invite.expires_at === null ? '-' : day(invite.expires_at),
    invite.note ?? '',
  ]);
  return columns([['code', 'used', 'until', 'note'], ...rows]);
}

export async function showLog(sql: Queryable, limit: number): Promise<string[]> {
  const rows = await queries.selectLog(sql, limit);
  return columns(
    rows.map(({ at, actor, action, subject, detail }) => [
      at.toISOString(),
      actor,
      action,
      subject ?? '-',
      JSON.stringify(detail),
    ]),
  );
}

const entry = (action: string, subject: string, detail: Record<string, unknown>) => ({
  actor: 'cli',
  action,
  subject,
  detail,
});

const day = (date: Date) => date.toISOString().slice(0, 10);

function columns(rows: readonly (readonly string[])[]): string[] {
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]!.length))) ?? [];
  return rows.map((row) =>
    row
      .map((cell, i) => (i === row.length - 1 ? cell : cell.padEnd(widths[i]!)))
      .join('  ')
      .trimEnd(),
  );
}
