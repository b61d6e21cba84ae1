import type { JSX } from 'preact';
import type { AmountWords } from '../lib/amount-words.js';
import type { Measure } from './fit.js';
import type { Layout } from './places.js';

/** The means that parts of a picture draw with. */
export interface Pen {
  layout: Layout;
  amount: AmountWords;
  measure: Measure;
}

/** A text that may be shortened, with the whole of it as its title then. */
export const Exact = ({ text, whole }: { text: string; whole: string }): JSX.Element => (
  <>
    {text}
    {text !== whole && <title>{whole}</title>}
  </>
);
