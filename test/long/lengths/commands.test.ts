/** Commands that are refused and interrupted, all of them. */
await import('../../system/commands.test.js');
