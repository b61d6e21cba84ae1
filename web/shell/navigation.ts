import { pathTo } from '../lib/paths.js';

/** The pages that everybody finds from everywhere. */
export const NAVIGATION: readonly (readonly [href: string, name: string])[] = [
  [pathTo('tables'), 'Tables'],
  [pathTo('leaderboard'), 'Leaderboard'],
  [pathTo('replay'), 'Replay'],
  [pathTo('competitions'), 'Competitions'],
  [pathTo('docs'), 'Docs'],
];

/** Found by operators alone. */
export const OPERATOR: (typeof NAVIGATION)[number] = [pathTo('operator'), 'Operator'];
