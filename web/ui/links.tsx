import type { ComponentChildren } from 'preact';
import { shortId } from '../lib/format.js';
import { pathTo, tablePath } from '../lib/paths.js';

/** To the replay of a hand; with nothing else to say it says the id, shortened. */
export const HandLink = ({ id, children = shortId(id) }: { id: string; children?: ComponentChildren }) => (
  <a href={pathTo('hand', { hand_id: id })}>{children}</a>
);

/** To a table as it plays, from where `bot`, by its slug, is followed. */
export const TableLink = ({ id, bot }: { id: string; bot?: string | undefined }) => (
  <a href={tablePath(id, bot)}>{shortId(id)}</a>
);
