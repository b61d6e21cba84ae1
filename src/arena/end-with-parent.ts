/** Loaded before the platform: when the arena is gone, even by SIGKILL, the platform it forked goes, too. */
process.on('disconnect', () => process.exit(1));
