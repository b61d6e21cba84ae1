import { selfplayTask } from '../src/selfplay/task.js';

/** A thread that plays stretches of a match in memory. */
export default selfplayTask;
