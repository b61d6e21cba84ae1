import { PACES, type Pace } from '../../table/seats/pace.js';
import { alike } from '../paces.js';
import type { DraftTable } from './draft.js';
import type { Plan, SeatedPlayer } from './plan.js';

/** Players that could be company at another table. */
export interface Company {
  tables: readonly DraftTable[];
  /** Players who wait for a seat still, by their pace. */
  waiting: readonly (Pace | null)[];
  /** House bots that wait. */
  houseBots: number;
  /** Whether a new table can be opened. */
  canOpen: boolean;
}

/**
 * Players to part from tables of mixed pace: the slower players of one pace. Both groups must be able to play by
 * themselves. A table that somebody is leaving is left alone until that is done.
 */
export function partings(company: Company): Plan['part'] {
  return company.tables.flatMap((table) => {
    const { tableId, leaving } = table.view;
    return leaving > 0 ? [] : slowerPart(table, company).map(({ agentId }) => ({ agentId, tableId }));
  });
}

/** The slowest first. */
function slowerPart(table: DraftTable, company: Company): SeatedPlayer[] {
  for (const pace of PACES.slice(1).reverse()) {
    const slower = table.members.filter((member) => isOf(member, pace));
    const staying = table.members.filter((member) => member.connected && !slower.includes(member));
    const isMixed = slower.length > 0 && staying.some((member) => member.pace !== null && member.pace < pace);
    if (!isMixed || staying.length + company.houseBots < 2) continue;
    if (findCompany(slower, pace, table, company)) return slower;
  }
  return [];
}

const isOf = (member: SeatedPlayer, pace: Pace) =>
  !member.house && member.connected && member.parts && member.pace === pace;

function findCompany(slower: readonly SeatedPlayer[], pace: Pace, table: DraftTable, company: Company): boolean {
  const { tables, waiting, houseBots, canOpen } = company;
  const waits = canOpen && waiting.some((other) => other === pace);
  const isEnough = canOpen && slower.length + houseBots >= 2;
  const takes = (other: DraftTable) =>
    other !== table && other.room >= slower.length && other.connected > 0 && alike(other.pace, pace);
  return waits || isEnough || tables.some(takes) || (canOpen && spareBot(tables, slower) !== null);
}

/** A house bot that its table does not need, also after these players have left. */
export function spareBot(
  tables: readonly DraftTable[],
  leaving: readonly SeatedPlayer[] = [],
): Plan['retire'][number] | null {
  for (const { view, members } of tables) {
    const staying = members.filter((member) => member.connected && !leaving.includes(member));
    const bot = staying.find((member) => member.house);
    if (bot !== undefined && view.leaving === 0 && staying.length >= 3 && staying.some(({ house }) => !house))
      return { agentId: bot.agentId, tableId: view.tableId };
  }
  return null;
}
