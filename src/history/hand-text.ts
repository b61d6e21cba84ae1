import type { Hand } from '../holdem/hand.js';
import type { StoredHand } from '../table/record/record-codec.js';
import { FORMATS, phhText, starsText } from './export/formats.js';
import { seenBy } from './export/seen.js';
import type { Sight } from './sight.js';

export interface HandText {
  text: string;
  contentType: string;
  fileName: string;
}

/** What stands in these formats for something else, in names that people chose. */
const UNSAFE = /[^\p{L}\p{N} ._-]/gu;

/** A single hand as others' programs read it. `names` by agent id. */
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
