import type { Plant } from '../sim/plants.js';

/** Faults of the rules that keep players at their own nodes, for the test that the share of local pairs shows each. */
export const sharePlants: readonly Plant[] = [];
