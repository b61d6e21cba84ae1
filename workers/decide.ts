import { decision } from '../src/hosted/decision.js';
import { yieldToOthers } from '../src/ops/priority.js';

/** A thread that decides for hosted bots: one turn after the other, of whatever bot. */
yieldToOthers();

export default decision;
