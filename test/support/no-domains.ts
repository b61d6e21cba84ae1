/**
 * Loaded before a file of the suite: its process tracks no promises. By async hooks tap makes a domain of each subtest,
 * to name the subtest that an unhandled error came from. With domains each promise, timer and read of a socket costs
 * two calls and two entries of maps. Without domains such an error ends the process with its stack, and the file fails.
 * A file that runs alone has its domains.
 */
import hooks from 'node:async_hooks';
import { syncBuiltinESMExports } from 'node:module';

const none: hooks.AsyncHook = { enable: () => none, disable: () => none };
hooks.createHook = () => none;
syncBuiltinESMExports();
