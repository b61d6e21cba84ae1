import { randomUUID } from 'node:crypto';
import { keyHash, newApiKey } from '../../accounts/index.js';
import { codeOf, type Transaction } from '../../store/database.js';
import {
  change,
  CommandError,
  flagOption,
  look,
  NotThereError,
  PAGE,
  textOption,
  wanted,
  type Changed,
} from '../command.js';
import { columns } from '../../command/columns.js';
import { day, pageLine } from '../print.js';
import * as queries from '../queries.js';
import { UNIQUE_VIOLATION } from '../../store/sqlstate.js';

/** Commands about agents; AGENT is an id, a name or an e-mail address. */

const createPlatformAgent = change({
  name: 'create-platform-agent',
  purpose: 'the agent that may see /health/detail; prints its key, once',
  options: { name: wanted('NAME', 'its name'), email: wanted('ADDRESS', 'its e-mail address') },
  change: async (tx, { name, email }) => {
    if (!/^[a-zA-Z0-9_]{3,32}$/.test(name)) throw new CommandError('a name has 3 to 32 letters, digits or _');
    if (!/^[^@\s]+@[^@\s]+$/.test(email)) throw new CommandError(`${email} is no e-mail address`);
    const agentId = randomUUID();
    const apiKey = newApiKey();
    try {
      await queries.insertPlatformAgent(tx, { agentId, name, email, keyHash: keyHash(apiKey)! });
    } catch (error) {
      if (codeOf(error) !== UNIQUE_VIOLATION) throw error;
      throw new CommandError(`the name ${name} or the address ${email} is taken`);
    }
    return {
      entry: { subject: agentId, detail: { name, email } },
      data: { agent_id: agentId, name, api_key: apiKey },
      lines: [
        `agent_id  ${agentId}`,
        `api_key   ${apiKey}`,
        'The key is shown this once. It opens what only the platform may see, such as GET /health/detail.',
      ],
    };
  },
});

export const listAgents = look({
  name: 'agents',
  purpose: 'the agents, the newest first',
  options: {
    search: textOption('TEXT', 'part of an id, name or address'),
    banned: flagOption('the banned ones only'),
    ...PAGE,
  },
  look: async (sql, { search = '', banned, limit, offset }) => {
    const found = await queries.selectAgents(sql, { search, banned, limit, offset });
    const matching = found[0]?.matching ?? 0;
    const rows = found.map((agent) => [agent.agent_id, agent.name, agent.email, day(agent.created_at), marksOf(agent)]);
    return {
      data: { agents: found.map(({ matching: _, ...agent }) => agent), matching, limit, offset },
      lines: [
        ...columns([['agent_id', 'name', 'email', 'since', ''], ...rows]),
        pageLine(offset, found.length, matching),
      ],
    };
  },
});

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

export const verifyEmailCommand = change({
  name: 'verify-email',
  purpose: 'takes its address as proven',
  words: ['AGENT'],
  change: (tx, { AGENT }) =>
    changeAgent(tx, AGENT, {}, queries.markEmailVerified, ['is verified', 'was verified before']),
});

export const banCommand = change({
  name: 'ban',
  purpose: 'its key and its socket end at once',
  words: ['AGENT'],
  options: { reason: wanted('TEXT', 'the reason, for the audit log') },
  change: (tx, { AGENT, reason }) => {
    if (reason.trim() === '') throw new CommandError('a ban needs a reason');
    const make = (sql: Transaction, agentId: string) => queries.ban(sql, agentId, reason);
    return changeAgent(tx, AGENT, { reason }, make, ['is banned', 'was banned before']);
  },
});

export const unbanCommand = change({
  name: 'unban',
  purpose: 'lets it in again',
  words: ['AGENT'],
  change: (tx, { AGENT }) => changeAgent(tx, AGENT, {}, queries.unban, ['may play again', 'was not banned']),
});

/** One change of one agent, which may be there already. */
async function changeAgent(
  tx: Transaction,
  called: string,
  detail: Record<string, unknown>,
  make: (tx: Transaction, agentId: string) => Promise<boolean>,
  [done, before]: [string, string],
): Promise<Changed<queries.CalledAgent>> {
  const agent = await agentCalled(tx, called);
  const changed = await make(tx, agent.agent_id);
  return {
    entry: changed ? { subject: agent.agent_id, detail } : null,
    data: agent,
    lines: [`${agent.name} (${agent.agent_id}) ${changed ? done : before}`],
  };
}

export const resetKeyCommand = change({
  name: 'reset-key',
  purpose: 'gives the agent a new key and prints it once; the old key and its socket end at once',
  words: ['AGENT'],
  change: async (tx, { AGENT }) => {
    const agent = await agentCalled(tx, AGENT);
    if (agent.is_house) throw new CommandError(`${agent.name} is a house bot: it gets a new key at each start`);
    const apiKey = newApiKey();
    await queries.resetKey(tx, agent.agent_id, keyHash(apiKey)!);
    const { agent_id, name } = agent;
    return {
      entry: { subject: agent_id },
      data: { agent_id, name, api_key: apiKey },
      lines: [`agent_id  ${agent_id}`, `api_key   ${apiKey}`, 'The key is shown once. Give it only to its owner.'],
    };
  },
});

/** The agent of this id, name or e-mail address; NotThereError where there is none. */
export async function agentCalled(tx: Transaction, called: string): Promise<queries.CalledAgent> {
  const agent = await queries.selectAgentCalled(tx, called);
  if (agent === undefined) throw new NotThereError(`there is no agent ${called}`);
  return agent;
}

export const agentCommands = [
  createPlatformAgent,
  listAgents,
  verifyEmailCommand,
  banCommand,
  unbanCommand,
  resetKeyCommand,
];
