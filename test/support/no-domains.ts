/**
 * Loaded before a file of the suite: its process follows no promise. tap makes a domain of each subtest by async hooks,
 * so as to name the one from which an error escaped that nobody awaits; each promise, timer and read of a socket then
 * costs two calls and two entries of maps. Without it such an error ends the process, with its stack: the file fails.
 * A file that is run alone has its domains.
 */
import hooks from 'node:async_hooks';
import { syncBuiltinESMExports } from 'node:module';

const none: hooks.AsyncHook = { enable: () => none, disable: () => none };
hooks.createHook = () => none;
syncBuiltinESMExports();
