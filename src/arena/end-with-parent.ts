/**
 * Loaded before the platform: when the arena is gone, even by SIGKILL, the platform it forked goes, too. Not by
 * `process.exit`: that writes what is left of the log first, and the logger tries for ever where nobody reads any more.
 */
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));
