import { PAGE_PATHS, type PageName } from '../../src/protocol/page-paths.js';

/** The path of a page with its parameters filled in. */
export function pathTo(name: PageName, params: Readonly<Record<string, string>> = {}): string {
  return PAGE_PATHS[name].replace(/\{(\w+)\}/g, (_, key: string) => encodeURIComponent(params[key] ?? ''));
}

/** `text` if it is a path of this site; null for anything that leads elsewhere. */
export function ownPath(text: string): string | null {
  if (!text.startsWith('/')) return null;
  const url = new URL(text, location.origin);
  return url.origin === location.origin ? url.pathname + url.search + url.hash : null;
}

/** The path of a table, on which `bot`, by its slug, is followed from table to table. */
export const tablePath = (tableId: string, bot?: string | undefined) =>
  pathTo('table', { table_id: tableId }) + (bot === undefined ? '' : `?bot=${encodeURIComponent(bot)}`);

/** As the router of the pages writes it: `:slug` for `{slug}`. */
export const patternOf = (name: PageName) => PAGE_PATHS[name].replace(/\{(\w+)\}/g, ':$1');

/** As the messages' `/ws` is reached from this page. */
export const socketUrl = (path: string) => `${location.origin.replace(/^http/, 'ws')}${path}`;
