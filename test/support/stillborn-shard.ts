import { STILLBORN } from './stillborn.js';

/** workers/shard.ts in threads that end before they can take a task, while the environment says so. */
if (process.env[STILLBORN] === 'yes') process.exit(1);

export { default } from './faulty-shard.js';
