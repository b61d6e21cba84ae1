import { STYLES } from '../../src/bots/index.js';
import { tuned } from './tuned.js';

/** A version of the shark. */
export const decide = tuned({ ...STYLES.shark });
