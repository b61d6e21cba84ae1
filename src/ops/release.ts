import { readFileSync } from 'node:fs';

/** Written by npm run build (release-name.mjs). */
const BUILT = new URL('../../release.json', import.meta.url);

/** Names what this build says to other processes, and what it stores: those of one name fit together. */
export function releaseBuilt(): string {
  return (JSON.parse(readFileSync(BUILT, 'utf8')) as { name: string }).name;
}
