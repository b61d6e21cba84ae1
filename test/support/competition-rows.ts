import { randomBytes, randomUUID } from 'node:crypto';
import type { CompetitionRecord } from '../../src/competitions/record.js';
import type { ParticipantState } from '../../src/competitions/states.js';
import type { Database } from '../../src/store/database.js';

/** Rows that tests of competitions start from. */

type Columns = Omit<CompetitionRecord, 'competition_id' | 'organizer_id' | 'version' | 'created_at' | 'updated_at'>;

const IN_A_DAY = 86_400_000;

/** An enrolling competition with the defaults of the API, with a new pool or an existing one. */
export async function addCompetition(
  sql: Database,
  organizerId: string,
  change: Partial<Columns> & { poolId?: string } = {},
): Promise<string> {
  const { poolId, ...columns } = change;
  const competitionId = poolId ?? randomUUID();
  if (poolId === undefined) await sql`select create_pool(${competitionId}, 'competition')`;
  const row = {
    competition_id: competitionId,
    slug: `cup-${competitionId}`,
    organizer_id: organizerId,
    state: 'enrolling',
    name: 'Autumn Cup',
    organization_name: 'Ada Ltd',
    description: null,
    reward_description: null,
    display_timezone: 'UTC',
    participant_cap: 24,
    ends_at: new Date(Date.now() + IN_A_DAY),
    starting_chips: 5000,
    minimum_buy_in: 1000,
    default_buy_in: 2000,
    maximum_buy_in: 5000,
    small_blind: 10,
    big_blind: 20,
    max_players: 6,
    minimum_hands: 0,
    rebuys_enabled: false,
    max_rebuys: 0,
    rebuy_chips: 1000,
    rebuy_score_penalty: 0,
    rebuy_cooldown_seconds: 0,
    duplicate: false,
    time_bank: true,
    deck_secret: randomBytes(32),
    ...columns,
  };
  await sql`insert into competitions ${sql(row)}`;
  return competitionId;
}

/** Makes participants of agents with entries. Each accepted 1 ms after the one before. */
export async function addParticipants(
  sql: Database,
  competitionId: string,
  agents: readonly { agentId: string; state?: ParticipantState; displayName?: string }[],
): Promise<void> {
  const rows = agents.map(({ agentId, state = 'enrolled', displayName = null }, n) => ({
    competition_id: competitionId,
    agent_id: agentId,
    state,
    display_name: displayName,
    accepted_at: new Date(Date.UTC(2026, 0, 1) + n),
  }));
  await sql`insert into competition_participants ${sql(rows)}`;
}
