import { mindMaker, type MindMaker } from './minds.js';
import { playStretch, type MatchStretch, type MatchTally } from './stretch.js';

export interface SelfplayTask {
  /** Style names and paths of modules, by player. */
  sources: readonly string[];
  stretch: MatchStretch;
}

/** Modules are loaded once a thread. */
const makers = new Map<string, Promise<MindMaker>>();

/** One stretch of a match, in a thread of its own. */
export async function selfplayTask({ sources, stretch }: SelfplayTask): Promise<MatchTally[]> {
  const loaded = sources.map((source) => {
    const known = makers.get(source) ?? mindMaker(source);
    makers.set(source, known);
    return known;
  });
  return playStretch(stretch, await Promise.all(loaded));
}
