/** Hand files, in the whole length. */
await import('../../web/files.test.js');
