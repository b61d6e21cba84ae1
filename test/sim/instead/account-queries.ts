import type * as real from '../../../src/accounts/queries.js';
import { Broken } from '../broken.js';
import { machine } from '../machine/machine.js';
import type { Agent } from '../vault/rows.js';
import type { Storage } from '../vault/storage.js';

/** src/accounts/queries.ts on the vault. Agents are there from the start: nobody registers in the simulation. */
const run: Storage['statement'] = (sql, effect) => machine().storage.statement(sql, effect);

export const selectHolder: typeof real.selectHolder = (sql, hash) =>
  run(sql, (vault) => {
    const key = hash.toString('hex');
    const agent = [...vault.agents.values()].find(({ keyHash }) => keyHash === key);
    if (agent === undefined) return undefined;
    return agent.banned ? 'banned' : holderOf(agent);
  });

const holderOf = (agent: Agent): real.KeyHolderRow => ({
  agent_id: agent.agentId,
  email: agent.email,
  email_verified: agent.emailVerified,
  name: agent.name,
  avatar_url: agent.avatarUrl,
  shown_slug: agent.slug,
  is_house: agent.isHouse,
  is_platform: agent.isPlatform,
});

export const selectAgent: typeof real.selectAgent = (sql, agentId) =>
  run(sql, (vault) => {
    const agent = vault.agents.get(agentId);
    return agent === undefined ? undefined : rowOf(agent);
  });

const rowOf = (agent: Agent): real.AgentRow => ({
  agent_id: agent.agentId,
  email: agent.email,
  name: agent.name,
  wallet_address: null,
  wallet_held_until: null,
  avatar_url: agent.avatarUrl,
  created_at: new Date(0),
  email_verified: true,
  onboarded_at: null,
  execution_mode: null,
  runtime: 'self_hosted',
  runtime_generation: 1,
  public_profile_slug: agent.slug,
  public_profile: true,
  shown_slug: agent.slug,
});

export const updateProfile: typeof real.updateProfile = (sql, agentId, { name, avatarUrl }) =>
  run(sql, (vault) => {
    const agent = vault.agents.get(agentId);
    if (agent === undefined) return undefined;
    agent.name = name ?? agent.name;
    if (avatarUrl !== undefined) agent.avatarUrl = avatarUrl;
    return rowOf(agent);
  });

export const updateKey: typeof real.updateKey = (sql, agentId, hash) =>
  run(sql, (vault) => {
    const agent = vault.agents.get(agentId);
    if (agent !== undefined) agent.keyHash = hash.toString('hex');
    return new Date(vault.now());
  });

export const selectNotBanned: typeof real.selectNotBanned = (sql, agentId) =>
  run(sql, (vault) => {
    const agent = vault.agents.get(agentId);
    return agent === undefined || agent.banned ? undefined : { name: agent.name, is_platform: agent.isPlatform };
  });

const nobody = (): never => {
  throw new Broken('nobody registers in the simulation');
};

export const insertAgent: typeof real.insertAgent = nobody;
export const updateOnboarding: typeof real.updateOnboarding = nobody;
export const updateRuntime: typeof real.updateRuntime = nobody;
export const updateHouseKey: typeof real.updateHouseKey = nobody;
