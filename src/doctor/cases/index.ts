import type { Case } from '../case.js';
import { actionCases } from './actions.js';
import { bettingCases } from './betting.js';
import { chipCases } from './chips.js';
import { closeCases } from './closes.js';
import { connectCases } from './connect.js';
import { cutCases } from './cuts.js';
import { limitCases } from './limits.js';
import { networkCases } from './network.js';
import { noveltyCases } from './novelties.js';
import { restCases } from './rest.js';
import { tableCases } from './tables.js';

/** Everything a bot is examined for. The first says whether it plays at all. */
export const allCases: readonly Case[] = [
  ...connectCases,
  ...restCases,
  ...actionCases,
  ...bettingCases,
  ...cutCases,
  ...closeCases,
  ...networkCases,
  ...noveltyCases,
  ...limitCases,
  ...chipCases,
  ...tableCases,
];
