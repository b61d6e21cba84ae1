import { openSite, type Site } from '../gateway/pages/site.js';
import type { Config } from '../ops/settings.js';

/** The pages for people; null where they are switched off. */
export const siteOf = ({ PAGES }: Pick<Config, 'PAGES'>): Site | null =>
  PAGES === 'off' ? null : openSite({ watch: PAGES === 'watch' });
