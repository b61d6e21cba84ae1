import type { ComponentChildren } from 'preact';
import { handName, tableName } from '../../src/protocol/table-name.js';
import { pathTo, tablePath } from '../lib/paths.js';

/** A hand by its table and its number there. */
export interface NamedHand {
  hand_id: string;
  table_id: string;
  hand_number: number;
}

/** To the replay of a hand. */
export const HandLink = ({ id, children }: { id: string; children: ComponentChildren }) => (
  <a href={pathTo('hand', { hand_id: id })}>{children}</a>
);

/** The same by the name of the hand; `step` is the step of the replay that it opens. */
export const HandNameLink = ({ of, step }: { of: NamedHand; step?: string }) => (
  <a class="hand-name" href={`${pathTo('hand', { hand_id: of.hand_id })}${step === undefined ? '' : `#${step}`}`}>
    {handName(of.table_id, of.hand_number)}
  </a>
);

/** To a table as it plays, from where `bot`, by its slug, is followed. */
export const TableLink = ({ id, bot }: { id: string; bot?: string | undefined }) => (
  <a href={tablePath(id, bot)}>{tableName(id)}</a>
);
