import { PACES, type Pace } from '../../table/seats/pace.js';
import { alike } from '../paces.js';
import type { DraftTable } from './draft.js';
import type { Plan, SeatedPlayer } from './plan.js';

/** Who could be company at another table. */
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
 * Whom tables of mixed pace are parted from: the slower players, where they and those who stay could each play by
 * themselves. A table that somebody is leaving is left alone until that is done.
 */
export function partings(company: Company): Plan['part'] {
  return company.tables.flatMap((table) => {
    const { tableId, leaving } = table.view;
    return leaving > 0 ? [] : slowerPart(table, company).map(({ agentId }) => ({ agentId, tableId }));
  });
}

/** The least pace that leaves both parts company decides. */
function slowerPart(table: DraftTable, company: Company): SeatedPlayer[] {
  for (const pace of PACES.slice(0, -1)) {
    const slower = table.members.filter((member) => isSlower(member, pace));
    const staying = table.members.filter((member) => member.connected && !slower.includes(member));
    const isMixed = slower.length > 0 && staying.some((member) => member.pace !== null && member.pace <= pace);
    if (isMixed && staying.length + company.houseBots >= 2 && findCompany(slower, table, company)) return slower;
  }
  return [];
}

const isSlower = ({ house, connected, parts, pace }: SeatedPlayer, than: Pace) =>
  !house && connected && parts && pace !== null && pace > than;

function findCompany(slower: readonly SeatedPlayer[], table: DraftTable, company: Company): boolean {
  const { tables, waiting, houseBots, canOpen } = company;
  if (slower.length + houseBots >= 2 && canOpen) return true;
  const [{ pace }] = slower as [SeatedPlayer];
  if (canOpen && waiting.some((other) => other !== null && alike(other, pace))) return true;
  const takes = (other: DraftTable) =>
    other !== table && other.room >= slower.length && other.connected > 0 && alike(other.pace, pace);
  return tables.some(takes);
}
