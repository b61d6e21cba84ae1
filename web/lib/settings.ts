import { effect } from '@preact/signals';
import { kept } from './kept.js';

/** The reader's choices for all pages. */
export const theme = kept('theme', ['system', 'light', 'dark'], 'system');
/** How amounts of chips are written. */
export const unit = kept('unit', ['chips', 'bb'], 'chips');
/** Whether replays tell what is to come: cards of others, and the result. */
export const spoilers = kept('spoilers', ['shown', 'hidden'], 'shown');
/** Four colours of suits, or the two of paper cards. */
export const suits = kept('suits', ['four', 'two'], 'four');

effect(() => {
  const { dataset } = document.documentElement;
  if (theme.value === 'system') delete dataset['theme'];
  else dataset['theme'] = theme.value;
});
effect(() => {
  document.documentElement.dataset['suits'] = suits.value;
});
