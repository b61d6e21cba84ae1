/**
 * The pages for people, by name: where they are. The gateway answers these paths with the one document, web/ draws the
 * page. A parameter is in braces, as in the paths of REST.
 */
export const PAGE_PATHS = {
  home: '/',
} as const;

export type PageName = keyof typeof PAGE_PATHS;

/** Those below may stand in pages of other sites. */
export const EMBED_PREFIX = '/embed/';
