import type { Part } from '../platform/parts.js';
import type { Route } from '../protocol/route.js';
import type { Database, DatabaseAddress } from '../store/database.js';
import type { ExportSeason } from './export-rights.js';
import { Exporter } from './exporter.js';
import { poolFiles, type PoolFile } from './hand-file.js';
import { historyRoutes } from './routes.js';
import { HistoryThread } from './thread.js';
import type { Hand } from '../holdem/hand.js';
import type { StoredHand } from '../table/record/record-codec.js';
import { FORMATS, phhText, starsText } from './export/formats.js';
import { seenBy } from './export/seen.js';
import type { Sight } from './sight.js';

interface HandText {
  text: string;
  contentType: string;
  fileName: string;
}

/** Characters of names with a meaning in these formats. */
const UNSAFE = /[^\p{L}\p{N} ._-]/gu;

/** A single hand in a format of other programs. `names` by agent id. */
export function handText(
  stored: StoredHand,
  { sight, names, engine }: { sight: Sight; names: ReadonlyMap<string, string>; engine: Hand },
  { format, inCompetition }: { format: 'phh' | 'pokerstars'; inCompetition: boolean },
): HandText {
  const safe = new Map([...names].map(([agentId, name]) => [agentId, name.replace(UNSAFE, '_')]));
  const seen = seenBy(stored, sight, safe, engine);
  const { contentType, extension } = FORMATS[format];
  return {
    text: format === 'phh' ? phhText(seen, stored, { section: 1, inCompetition }) : starsText(seen, sight),
    contentType,
    fileName: `hand-${stored.handId}.${extension}`,
  };
}

export interface HistoryOptions {
  sql: Database;
  /** For the history thread's own connections. */
  address: DatabaseAddress;
  /** The season being played. */
  season(): ExportSeason | null;
  /** Epoch ms. */
  now(): number;
}

/** An agent's past: hands, page by page or as a file, and the movements of its chips. */
export function createHistory({ sql, address, season, now }: HistoryOptions): {
  routes: Route[];
  /** For the organizers of competitions. */
  poolFile: PoolFile;
  /** Files are made and hands are searched at each node, by a thread. */
  node: Part;
} {
  const thread = new HistoryThread(address);
  const exporter = new Exporter({ sql, thread });
  return {
    routes: historyRoutes({ sql, exporter, thread, season, now }),
    poolFile: poolFiles({ exporter, now }),
    node: { stop: () => thread.stop() },
  };
}

export type { PoolFile } from './hand-file.js';
export { poolPage } from './pages.js';
export { poolHand, poolHandsPage } from './pool-hands.js';
export { actionItems, cardNames, postItems } from './item.js';
export { timeOf } from './times.js';
export {
  ALL,
  holeSeen,
  isOpened,
  isPoolOver,
  opensCards,
  playerSight,
  SPECTATOR,
  spectatorSight,
  type Sight,
} from './sight.js';
