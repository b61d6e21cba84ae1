import { compareTask } from '../src/compare/task.js';

/** A thread that plays deals of a comparison in memory. */
export default compareTask;
