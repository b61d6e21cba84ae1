import { pathTo } from '../lib/paths.js';
import { navigationTexts as texts } from '../texts/frame.js';

/** The pages that everybody finds from everywhere. */
export const NAVIGATION: readonly (readonly [href: string, name: string])[] = [
  [pathTo('tables'), texts.tables],
  [pathTo('leaderboard'), texts.leaderboard],
  [pathTo('replay'), texts.replay],
  [pathTo('competitions'), texts.competitions],
  [pathTo('docs'), texts.docs],
];

/** Found by operators alone. */
export const OPERATOR: (typeof NAVIGATION)[number] = [pathTo('operator'), texts.operator];
