import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Static } from 'typebox';
import type { PublicHand } from '../../protocol/rest/public.js';

type Hand = Static<typeof PublicHand>;

/** A moment of a hand as SVG text; null where the hand has no such step. Step ids are those of a replay's address. */
export type DrawMoment = (hand: Hand, at: string) => Promise<string | null>;

/** The module that src/ops/web.mjs leaves in the folder: the pages' own picture of a table (web/share/moment.tsx). */
interface MomentModule {
  drawMoment(hand: Hand, at: string, styles: string): string | null;
}

/** Loads the drawing when the first picture is asked for. */
export function momentDrawer(folder: string): DrawMoment {
  let loaded: Promise<{ module: MomentModule; styles: string }> | null = null;
  const load = async () => ({
    module: (await import(pathToFileURL(join(folder, 'moment.mjs')).href)) as MomentModule,
    styles: readFileSync(join(folder, 'moment.css'), 'utf8'),
  });
  return async (hand, at) => {
    loaded ??= load();
    const { module, styles } = await loaded;
    return module.drawMoment(hand, at, styles);
  };
}
