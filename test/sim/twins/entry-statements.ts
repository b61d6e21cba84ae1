import type { RebuyStanding } from '../../../src/rebuys/pool.js';
import * as rebuyQueries from '../../../src/rebuys/queries.js';
import * as entryQueries from '../../../src/seasons/entry-queries.js';
import * as seasonQueries from '../../../src/seasons/queries.js';
import { seasonRebuyPool } from '../../../src/seasons/rebuy-pool.js';
import { queueReminders } from '../../../src/seasons/reminders.js';
import type { SeasonRules } from '../../../src/seasons/rules.js';
import { rollOver } from '../../../src/seasons/transition.js';
import { transaction } from '../../../src/store/database.js';
import * as seasons from '../vault/seasons.js';
import type { Step, Twins } from './twins.js';

/** The statements of features: registrations, rebuys, seasons. */

const RULES: SeasonRules = {
  lengthSeconds: 3600,
  windDownSeconds: 60,
  startingChips: 5_000,
  minimumBuyIn: 1_000,
  rebuyChips: 1_500,
  rebuyPenalty: 1_500,
  rebuyCooldowns: [0, 500, 1_000],
  rebuyCooldownsPro: [0, 100],
  rebuyWhen: 'below_buy_in',
  prizePoolCents: 0,
  prizes: { minHands: 0, minOpponents: 0, holdHours: 0 },
  endingSoonSeconds: 0,
};
/** The seconds that `later` lets pass. */
const LATER = 600;

const rebuyPool = (seasonId: string) => seasonRebuyPool(seasonId, RULES);

/** Dates are by two clocks. */
const timeless = (standing: RebuyStanding | undefined) =>
  standing && { ...standing, available_at: null, wait_ms: standing.wait_ms > 0 };
const undated = (state: rebuyQueries.RebuyState | undefined) =>
  state && { ...timeless(state), rebuy_due_at: state.rebuy_due_at !== null };

/** No agent has a home here. */
const SHARE = { nodeId: '00000000-0000-4000-8000-000000000000', leads: true };

export function register(twins: Twins): Step {
  const { sql, vault } = twins;
  const agentId = twins.agent();
  const pool = twins.pool;
  const row = (entry: { chip_balance: number } | undefined) => entry?.chip_balance;
  return twins.statement(
    'register',
    async () => row(await entryQueries.insertSeasonEntry(sql, pool, agentId, 5_000)),
    () => seasons.insertEntry(vault, pool, agentId, 5_000)?.chipBalance,
  );
}

export function autoRebuy(twins: Twins): Step {
  const { sql, vault } = twins;
  const agentId = twins.agent();
  const pool = twins.pool;
  const enabled = twins.dice.chance(0.8);
  return twins.statement(
    `auto rebuy ${enabled}`,
    async () => (await rebuyQueries.updateAutoRebuy(sql, pool, agentId, enabled))?.cancelled,
    () => seasons.updateAutoRebuy(vault, pool, agentId, enabled)?.cancelled,
  );
}

export function grant(twins: Twins): Step {
  const { sql, vault } = twins;
  const agentId = twins.agent();
  const pool = twins.pool;
  const scheduled = twins.dice.chance(0.5);
  return twins.statement(
    `grant ${scheduled}`,
    async () => timeless(await rebuyQueries.grantRebuy(sql, rebuyPool(pool), agentId, { scheduled })),
    () => timeless(seasons.grantRebuy(vault, rebuyPool(pool), agentId, scheduled)),
  );
}

export function rebuyState(twins: Twins): Step {
  const { sql, vault } = twins;
  const agentId = twins.agent();
  const pool = twins.pool;
  return twins.statement(
    'rebuy state',
    async () => undated(await rebuyQueries.selectRebuyState(sql, rebuyPool(pool), agentId)),
    () => undated(seasons.rebuyState(vault, rebuyPool(pool), agentId)),
  );
}

export function schedule(twins: Twins): Step {
  const { sql, vault } = twins;
  const agentId = twins.some([null, twins.agent()]);
  const pool = twins.pool;
  const who = (rows: { agent_id: string }[]) => rows.map(({ agent_id }) => agent_id).sort();
  return twins.statement(
    'schedule',
    async () => who(await rebuyQueries.scheduleRebuys(sql, rebuyPool(pool), agentId)),
    () => who(seasons.scheduleRebuys(vault, rebuyPool(pool), agentId)),
  );
}

export function due(twins: Twins): Step {
  const { sql, vault } = twins;
  const pool = twins.pool;
  const who = (rows: { agent_id: string }[], next: number | null) => ({
    due: rows.map(({ agent_id }) => agent_id).sort(),
    next: next === null ? null : next > 0,
  });
  return twins.statement(
    'due',
    async () =>
      who(await rebuyQueries.selectDue(sql, [pool], SHARE), await rebuyQueries.selectNextDue(sql, [pool], SHARE)),
    () => who(seasons.selectDue(vault, pool), seasons.nextDue(vault, pool)),
  );
}

export function settleDue(twins: Twins): Step {
  const { sql, vault } = twins;
  const agentId = twins.agent();
  const pool = twins.pool;
  return twins.statement(
    'settle due',
    () => rebuyQueries.settleDue(sql, rebuyPool(pool), agentId),
    () => seasons.settleDue(vault, rebuyPool(pool), agentId),
  );
}

/** An agent without a seat loses its chips, some in so many hands that it is ranked; some get a season pass. */
export function lose(twins: Twins): Step {
  const { sql, vault } = twins;
  const agentId = twins.agent();
  const pool = twins.pool;
  const entry = vault.entry(pool, agentId);
  const left = twins.some([0, 700, 1_500]);
  const premium = twins.dice.chance(0.3);
  const played = twins.some([entry?.handsPlayed ?? 0, 10, 12]);
  return twins.statement(
    'lose',
    async () => {
      if (entry?.tableId !== null) return;
      await sql`
        update entries set chip_balance = ${left}, premium = ${premium}, hands_played = ${played}
        where pool_id = ${pool} and agent_id = ${agentId}`;
    },
    () => {
      if (entry?.tableId === null) Object.assign(entry, { chipBalance: left, premium, handsPlayed: played });
    },
  );
}

/** Time passes: for rows that is the same as if all had happened earlier. */
export function later(twins: Twins): Step {
  const { sql, vault } = twins;
  return twins.statement(
    'later',
    async () => {
      await sql`
        update entries set registered_at = registered_at - ${LATER} * interval '1 second',
          last_rebuy_at = last_rebuy_at - ${LATER} * interval '1 second',
          rebuy_due_at = rebuy_due_at - ${LATER} * interval '1 second'`;
    },
    () => {
      for (const entry of vault.allEntries()) {
        entry.registeredAt -= LATER * 1000;
        if (entry.lastRebuyAt !== null) entry.lastRebuyAt -= LATER * 1000;
        if (entry.rebuyDueAt !== null) entry.rebuyDueAt -= LATER * 1000;
      }
    },
  );
}

export function openSeason(twins: Twins): Step {
  const { sql, vault } = twins;
  const id = twins.id();
  const [start, end] = [new Date(), new Date(Date.now() + 3_600_000)];
  return twins.statement(
    'open a season',
    async () => {
      await transaction(sql, (tx) => seasonQueries.insertSeason(tx, id, start, end));
      twins.pool = id;
    },
    () => {
      const season = seasons.insertSeason(vault, id, start.getTime(), end.getTime());
      if (season === undefined) throw new Error('unique');
    },
  );
}

export function endSeason(twins: Twins): Step {
  const { sql, vault } = twins;
  const pool = twins.pool;
  // While somebody sits it is refused; when nobody does, it ends all there is, so not too often.
  const seldom = twins.seated() === undefined && twins.dice.chance(0.93);
  if (seldom || seasons.activeSeason(vault)?.seasonId !== pool) return register(twins);
  const ending = { seasonId: pool, prizePoolCents: twins.some([0, 1, 999, 100_001]), rebuyPenalty: 1_500 };
  const next = { seasonId: twins.id(), start: new Date(), end: new Date(Date.now() + 3_600_000) };
  const leadership = twins.sometimesLate();
  return twins.statement(
    'end the season',
    async () => {
      twins.pool = (await rollOver(sql, leadership, ending, next)).season_id;
      return { active: twins.pool };
    },
    twins.led(leadership, () => {
      const season = seasons.rollOver(vault, ending, next);
      if (season === undefined) throw Object.assign(new Error('seated'), { code: 'AP001' });
      // Its tables are closed: others stand in their place.
      for (const at of twins.tables.keys()) twins.tables[at] = twins.id();
      return { active: season.seasonId };
    }),
  );
}

export function remind(twins: Twins): Step {
  const { sql, vault } = twins;
  const pool = twins.pool;
  const leadership = twins.sometimesLate();
  return twins.statement(
    'remind',
    () => queueReminders(sql, leadership, pool),
    twins.led(leadership, () => seasons.queueReminders(vault, pool)),
  );
}
